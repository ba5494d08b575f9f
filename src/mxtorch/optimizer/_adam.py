"""Adam."""

from __future__ import annotations

import math
from typing import Any

import torch

from mxtorch.optimizer._base import register
from mxtorch.optimizer._fused import FusedOptimizer, Group, zeros_like


@register
class Adam(FusedOptimizer):
    """Adam with the bias correction in the learning rate and epsilon outside of it.

    g = rescale_grad * grad + wd * w, clipped;  w -= lr_t * m / (sqrt(v) + epsilon).
    """

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        lazy_update: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.lazy_update = lazy_update

    def create_state(self, index: Any, weight: Any) -> Any:
        """Mean and variance of the gradient."""
        return zeros_like(weight), zeros_like(weight)

    def rule(self, group: Group) -> None:
        means, variances = group.states
        grads, rescale = group.grads, self.rescale_grad
        if group.wd or self.clip_gradient:
            grads, rescale = self.decayed_gradients(group), 1.0
        torch._foreach_mul_(means, self.beta1)
        torch._foreach_add_(means, grads, alpha=(1 - self.beta1) * rescale)
        torch._foreach_mul_(variances, self.beta2)
        torch._foreach_addcmul_(variances, grads, grads, (1 - self.beta2) * rescale**2)
        steps = torch._foreach_sqrt(variances)
        torch._foreach_add_(steps, self.epsilon)
        correction = math.sqrt(1 - self.beta2**group.t) / (1 - self.beta1**group.t)
        torch._foreach_addcdiv_(group.weights, means, steps, -group.lr * correction)
