"""Stochastic gradient descent, with momentum and Nesterov's momentum."""

from __future__ import annotations

from typing import Any

import torch

from mxtorch.optimizer._base import register
from mxtorch.optimizer._fused import FusedOptimizer, Group, zeros_like


class _Momentum(FusedOptimizer):
    """The state is the momentum; with a float32 copy of the weight it comes before the copy."""

    momentum: float

    def create_state(self, index: Any, weight: Any) -> Any:
        """The momentum, or None without momentum."""
        return None if self.momentum == 0.0 else zeros_like(weight)


@register
class SGD(_Momentum):
    """m = momentum * m - lr * (rescale_grad * grad, clipped, + wd * w);  w += m.

    The learning rate is inside the momentum: a drop of it does not slow what is under way.
    """

    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum
        self.lazy_update = lazy_update
        self.aggregate_num = 4

    def rule(self, group: Group) -> None:
        weights, lr, rescale = group.weights, group.lr, self.rescale_grad
        grads = group.grads
        if self.clip_gradient:
            grads, rescale = self.gradients(group, decay=False), 1.0
        if self.momentum == 0.0:
            if group.wd:
                torch._foreach_mul_(weights, 1 - lr * group.wd)
            torch._foreach_add_(weights, grads, alpha=-lr * rescale)
            return
        moments = group.states[0]
        torch._foreach_mul_(moments, self.momentum)
        torch._foreach_add_(moments, grads, alpha=-lr * rescale)
        if group.wd:
            torch._foreach_add_(moments, weights, alpha=-lr * group.wd)
        torch._foreach_add_(weights, moments)
