"""Adam and its kin: means of the gradient and of its square."""

from __future__ import annotations

import math
from typing import Any

import torch

from mxtorch._ops import _steps
from mxtorch.optimizer._base import register
from mxtorch.optimizer._fused import FusedOptimizer, Group


class MeanAndVariance(FusedOptimizer):
    """Base: the state is the mean of the gradient and the mean of its square."""

    beta1: float
    beta2: float

    def create_state(self, index: Any, weight: Any) -> Any:
        """Mean and variance of the gradient."""
        return self.zeros(weight), self.zeros(weight)


@register
class Adam(MeanAndVariance):
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

    def rule(self, group: Group) -> None:
        """One step of a group."""
        correction = math.sqrt(1 - self.beta2**group.t) / (1 - self.beta1**group.t)
        _steps.adam(
            group.weights,
            group.grads,
            *group.states,
            lr=group.lr * correction,
            beta1=self.beta1,
            beta2=self.beta2,
            epsilon=self.epsilon,
            wd=group.wd,
            rescale=self.rescale_grad,
            clip=self.clip,
        )


@register
class Adamax(FusedOptimizer):
    """Adam with the largest gradient seen, fading, in the place of the variance."""

    def __init__(
        self,
        learning_rate: float = 0.002,
        beta1: float = 0.9,
        beta2: float = 0.999,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2

    def create_state(self, index: Any, weight: Any) -> Any:
        """The mean of the gradient and the largest gradient seen, fading."""
        return self.zeros(weight), self.zeros(weight)

    def rule(self, group: Group) -> None:
        """One step of a group."""
        means, largest = group.states
        grads = self.decayed_gradients(group)
        torch._foreach_mul_(means, self.beta1)
        torch._foreach_add_(means, grads, alpha=1 - self.beta1)
        torch._foreach_mul_(largest, self.beta2)
        torch._foreach_maximum_(largest, torch._foreach_abs(grads))
        lr = group.lr / (1 - self.beta1**group.t)
        torch._foreach_addcdiv_(group.weights, means, largest, -lr)


@register
class Nadam(MeanAndVariance):
    """Adam with Nesterov's momentum.

    The momentum schedule is one number for all parameters, and moves with each of them.
    """

    in_order = True

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        schedule_decay: float = 0.004,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.schedule_decay = schedule_decay
        self.m_schedule = 1.0

    def _momentum(self, t: int) -> float:
        return self.beta1 * (1.0 - 0.5 * 0.96 ** (t * self.schedule_decay))

    def rule(self, group: Group) -> None:
        """One step of a group."""
        means, variances = group.states
        grads = self.decayed_gradients(group)
        torch._foreach_mul_(means, self.beta1)
        torch._foreach_add_(means, grads, alpha=1 - self.beta1)
        torch._foreach_mul_(variances, self.beta2)
        torch._foreach_addcmul_(variances, grads, grads, 1 - self.beta2)
        now, after = self._momentum(group.t), self._momentum(group.t + 1)
        for_grads, for_means = [], []
        for _ in grads:
            self.m_schedule *= now
            for_grads.append((1.0 - now) / (1.0 - self.m_schedule))
            for_means.append(after / (1.0 - self.m_schedule * after))
        torch._foreach_mul_(grads, for_grads)
        torch._foreach_add_(grads, torch._foreach_mul(means, for_means))
        steps = torch._foreach_div(variances, 1 - self.beta2**group.t)
        torch._foreach_sqrt_(steps)
        torch._foreach_add_(steps, self.epsilon)
        torch._foreach_addcdiv_(group.weights, grads, steps, -group.lr)


@register
class FTML(FusedOptimizer):
    """Follow the moving leader."""

    def __init__(
        self, beta1: float = 0.6, beta2: float = 0.999, epsilon: float = 1e-08, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon

    def create_state(self, index: Any, weight: Any) -> Any:
        """d, v and z of the paper."""
        return self.zeros(weight), self.zeros(weight), self.zeros(weight)

    def rule(self, group: Group) -> None:
        """One step of a group."""
        _steps.ftml(
            group.weights,
            group.grads,
            *group.states,
            lr=group.lr,
            beta1=self.beta1,
            beta2=self.beta2,
            epsilon=self.epsilon,
            t=group.t,
            wd=group.wd,
            rescale=self.rescale_grad,
            clip=self.clip,
        )
