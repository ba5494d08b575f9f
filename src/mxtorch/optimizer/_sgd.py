"""Stochastic gradient descent, with momentum, Nesterov's momentum, delay compensation, noise."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import torch

from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._ops import _steps
from mxtorch.ndarray.random import normal
from mxtorch.optimizer._base import register
from mxtorch.optimizer._fused import FusedOptimizer, Group, zeros_like


class Momentum(FusedOptimizer):
    """Base: the state is the momentum; a float32 copy of the weight comes after it."""

    update_is_used = False
    _with_momentum: ClassVar[Callable[..., None]]
    momentum: float

    def create_state(self, index: Any, weight: Any) -> Any:
        """The momentum, or None without momentum."""
        return None if self.momentum == 0.0 else self.zeros(weight)

    def create_state_multi_precision(self, index: Any, weight: Any) -> Any:
        """The momentum and, for float16 weights under `multi_precision`, a float32 copy."""
        if self._has_master(weight):
            master = weight.astype(np.float32)
            return self.create_state(index, master), master
        return super().create_state_multi_precision(index, weight)

    def split_state(self, state: Any) -> tuple[Any, Any]:
        """The float32 copy of the weight and the momentum."""
        return state[1], state[0]

    def _options(self, group: Group) -> dict[str, Any]:
        return {
            "lr": group.lr,
            "wd": group.wd,
            "rescale": self.rescale_grad,
            "clip": self.clip,
        }

    def rule(self, group: Group) -> None:
        """One step of a group."""
        weights, grads, options = group.weights, group.grads, self._options(group)
        if self.momentum == 0.0:
            _steps.sgd(weights, grads, **options)
        else:
            self._with_momentum(weights, grads, group.states[0], momentum=self.momentum, **options)


@register
class SGD(Momentum):
    """m = momentum * m - lr * (rescale_grad * grad, clipped, + wd * w);  w += m.

    The learning rate is inside the momentum: a drop of it does not slow what is under way.
    """

    _called = "SGD "
    _with_momentum = staticmethod(_steps.sgd_momentum)

    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum
        self.lazy_update = lazy_update
        self.aggregate_num = 4


@register
class ccSGD(SGD):
    """SGD under its old name."""


@register
class NAG(Momentum):
    """Nesterov's accelerated gradient.

    With weight decay MXNet's kernel takes the weight before the step for the weight and the
    weight after it for the momentum; so do we.
    """

    _called = "NAG "
    _with_momentum = staticmethod(_steps.nag_momentum)

    def __init__(self, momentum: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum

    def takes_rows(self, weight: Any, wd: float) -> bool:
        """Without momentum the update is SGD's, which takes rows."""
        return not self.momentum


@register
class DCASGD(FusedOptimizer):
    """SGD that makes up for delayed gradients by lamda * grad**2 * (w - previous w).

    With momentum MXNet's own update fails, and so does ours.
    """

    def __init__(self, momentum: float = 0.0, lamda: float = 0.04, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum
        self.weight_previous: dict[Any, Any] = {}
        self.lamda = lamda

    def create_state(self, index: Any, weight: Any) -> Any:
        """The momentum (None without momentum) and the weight before the last update."""
        momentum = None if self.momentum == 0.0 else zeros_like(weight)
        return momentum, weight.copy()

    def rule(self, group: Group) -> None:
        """One step of a group."""
        if self.momentum:
            raise MXNetValueError("DCASGD: momentum is not supported; pass momentum=0")
        weights, previous = group.weights, group.states[-1]
        grads = self.gradients(group)
        steps = torch._foreach_sub(weights, previous)
        torch._foreach_mul_(steps, grads)
        torch._foreach_mul_(steps, grads)
        torch._foreach_mul_(steps, self.lamda)
        torch._foreach_add_(steps, grads)
        torch._foreach_add_(steps, weights, alpha=group.wd)
        torch._foreach_mul_(steps, -group.lr)
        torch._foreach_copy_(previous, weights)
        torch._foreach_add_(weights, steps)


@register
class SGLD(FusedOptimizer):
    """Langevin dynamics: half a gradient step plus normal noise of variance lr."""

    in_order = True

    def rule(self, group: Group) -> None:
        """One step of a group."""
        weights, lr = group.weights, group.lr
        steps = self.gradients(group)
        torch._foreach_add_(steps, weights, alpha=group.wd)
        torch._foreach_add_(weights, steps, alpha=-lr / 2)
        for weight in weights:
            shape, dtype = tuple(weight.shape), weight.dtype
            noise = normal(0, math.sqrt(lr), shape=shape, dtype=dtype, ctx=group.ctx)
            weight.add_(noise.storage())


@register
class Signum(FusedOptimizer):
    """w = (1 - lr * wd_lh) * w + lr * sign(m), with m = momentum * m - (1 - momentum) * g."""

    def __init__(
        self,
        learning_rate: float = 0.01,
        momentum: float = 0.9,
        wd_lh: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.momentum = momentum
        self.wd_lh = wd_lh

    def create_state(self, index: Any, weight: Any) -> Any:
        """The momentum, or None without momentum."""
        return None if self.momentum == 0.0 else zeros_like(weight)

    def rule(self, group: Group) -> None:
        """One step of a group."""
        lr, wd, rescale = group.lr, group.wd, self.rescale_grad
        if self.momentum == 0.0:
            if self.wd_lh:
                raise MXNetError("Signum: wd_lh needs a momentum; without one use wd")
            _steps.sign_sgd(group.weights, group.grads, lr=lr, wd=wd)
            return
        _steps.signum(
            group.weights,
            group.grads,
            group.states[0],
            lr=lr,
            momentum=self.momentum,
            wd=wd,
            rescale=rescale,
            clip=self.clip,
            wd_lh=self.wd_lh,
        )
