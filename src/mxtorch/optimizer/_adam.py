"""Adam and its kin: means of the gradient and of its square."""

from __future__ import annotations

import math
from typing import Any

import torch

from mxtorch.optimizer._base import register
from mxtorch.optimizer._fused import FusedOptimizer, Group, Tensors, zeros_like


class MeanAndVariance(FusedOptimizer):
    """Base: the state is the mean of the gradient and the mean of its square."""

    beta1: float
    beta2: float

    def create_state(self, index: Any, weight: Any) -> Any:
        """Mean and variance of the gradient."""
        return zeros_like(weight), zeros_like(weight)

    def move_averages(
        self, means: Tensors, variances: Tensors, grads: Tensors, rescale: float = 1.0
    ) -> None:
        """Move both averages towards the gradients, which are multiplied by `rescale`."""
        beta1, beta2 = self.constant(self.beta1), self.constant(self.beta2)
        torch._foreach_mul_(means, beta1)
        torch._foreach_add_(means, grads, alpha=self.complement(beta1) * rescale)
        torch._foreach_mul_(variances, beta2)
        torch._foreach_addcmul_(variances, grads, grads, self.complement(beta2) * rescale**2)


@register
class Adam(MeanAndVariance):
    """Adam with the bias correction in the learning rate and epsilon outside of it.

    g = rescale_grad * grad + wd * w, clipped;  w -= lr_t * m / (sqrt(v) + epsilon).
    """

    kernel = True

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
        means, variances = group.states
        steps: Tensors
        grads, rescale = group.grads, self.constant(self.rescale_grad)
        if self.clip_gradient or not rescale:
            grads, rescale = self.decayed_gradients(group), 1.0
        elif group.wd:
            grads = torch._foreach_add(grads, group.weights, alpha=group.wd / rescale)
        self.move_averages(means, variances, grads, rescale)
        if grads is group.grads:
            steps = torch._foreach_sqrt(variances)
        else:  # their memory is free now; taking more is slow
            steps = grads
            torch._foreach_copy_(steps, variances)
            torch._foreach_sqrt_(steps)
        torch._foreach_add_(steps, self.constant(self.epsilon))
        correction = math.sqrt(1 - self.beta2**group.t) / (1 - self.beta1**group.t)
        lr = self.constant(group.lr * correction)
        torch._foreach_addcdiv_(group.weights, means, steps, -lr)


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
        return zeros_like(weight), zeros_like(weight)

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
        self.move_averages(means, variances, grads)
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

    kernel = True

    def __init__(
        self, beta1: float = 0.6, beta2: float = 0.999, epsilon: float = 1e-08, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon

    def create_state(self, index: Any, weight: Any) -> Any:
        """d, v and z of the paper."""
        return zeros_like(weight), zeros_like(weight), zeros_like(weight)

    def rule(self, group: Group) -> None:
        """One step of a group."""
        before, variances, leaders = group.states
        grads = self.decayed_gradients(group)
        beta1, beta2 = self.constant(self.beta1), self.constant(self.beta2)
        torch._foreach_mul_(variances, beta2)
        torch._foreach_addcmul_(variances, grads, grads, self.complement(beta2))
        now = torch._foreach_div(variances, 1 - beta2**group.t)
        torch._foreach_sqrt_(now)
        torch._foreach_add_(now, self.epsilon)
        torch._foreach_mul_(now, (1 - beta1**group.t) / self.constant(group.lr))
        shift = torch._foreach_sub(now, torch._foreach_mul(before, beta1))
        torch._foreach_mul_(leaders, beta1)
        torch._foreach_add_(leaders, grads, alpha=self.complement(beta1))
        torch._foreach_addcmul_(leaders, shift, group.weights, -1.0)
        torch._foreach_copy_(before, now)
        torch._foreach_copy_(group.weights, leaders)
        torch._foreach_div_(group.weights, now)
        torch._foreach_neg_(group.weights)
