"""AdaGrad, AdaDelta, RMSProp, Ftrl: a step size for every element."""

from __future__ import annotations

from typing import Any

import torch

from mxtorch._core.errors import MXNetError
from mxtorch._front.handle import is_sparse
from mxtorch._ops import _steps
from mxtorch.optimizer._base import register
from mxtorch.optimizer._fused import FusedOptimizer, Group, zeros_like

_F32 = torch.float32


@register
class AdaGrad(FusedOptimizer):
    """h += g**2;  w -= lr * (g / sqrt(h + eps) + wd * w)."""

    def __init__(self, eps: float = 1e-7, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.float_stable_eps = eps

    def takes_rows(self, weight: Any, wd: float) -> bool:
        """Always; MXNet has no weight decay then."""
        if wd:
            raise MXNetError("AdaGrad: row_sparse gradients go without weight decay; pass wd=0")
        return True

    def create_state(self, index: Any, weight: Any) -> Any:
        """The sum of squared gradients."""
        return zeros_like(weight, _F32)

    def rule(self, group: Group) -> None:
        """One step of a group."""
        (history,) = group.states
        grads = self.gradients(group)
        torch._foreach_addcmul_(history, grads, grads)
        roots = torch._foreach_add(history, self.float_stable_eps)
        torch._foreach_sqrt_(roots)
        torch._foreach_div_(grads, roots)
        torch._foreach_add_(grads, group.weights, alpha=group.wd)
        torch._foreach_add_(group.weights, grads, alpha=-group.lr)


@register
class AdaDelta(FusedOptimizer):
    """Steps in proportion to past steps; the learning rate has no part in it."""

    def __init__(self, rho: float = 0.90, epsilon: float = 1e-5, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rho = rho
        self.epsilon = epsilon

    def create_state(self, index: Any, weight: Any) -> Any:
        """Means of the squared gradients and of the squared steps."""
        return self.zeros(weight, _F32), self.zeros(weight, _F32)

    def rule(self, group: Group) -> None:
        """One step of a group."""
        of_grads, of_steps = group.states
        torch._foreach_mul_(group.grads, self.rescale_grad)  # the caller's own, as in MXNet
        grads = self.clipped([grad.clone() for grad in group.grads])
        torch._foreach_mul_(of_grads, self.rho)
        torch._foreach_addcmul_(of_grads, grads, grads, 1.0 - self.rho)
        steps = torch._foreach_add(of_steps, self.epsilon)
        torch._foreach_sqrt_(steps)
        roots = torch._foreach_add(of_grads, self.epsilon)
        torch._foreach_sqrt_(roots)
        torch._foreach_div_(steps, roots)
        torch._foreach_mul_(steps, grads)
        torch._foreach_mul_(of_steps, self.rho)
        torch._foreach_addcmul_(of_steps, steps, steps, 1.0 - self.rho)
        torch._foreach_add_(steps, group.weights, alpha=group.wd)
        torch._foreach_sub_(group.weights, steps)


@register
class RMSProp(FusedOptimizer):
    """n = gamma1 * n + (1 - gamma1) * g**2;  w -= lr * g / sqrt(n + epsilon).

    `centered` takes the squared mean of g off n and has a momentum gamma2.
    """

    def __init__(
        self,
        learning_rate: float = 0.001,
        gamma1: float = 0.9,
        gamma2: float = 0.9,
        epsilon: float = 1e-8,
        centered: bool = False,
        clip_weights: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.centered = centered
        self.epsilon = epsilon
        self.clip_weights = clip_weights

    def create_state(self, index: Any, weight: Any) -> Any:
        """(n,), or with `centered` n, the mean of g and the last step."""
        return tuple(zeros_like(weight, _F32) for _ in range(3 if self.centered else 1))

    def rule(self, group: Group) -> None:
        """One step of a group."""
        options: dict[str, Any] = {
            "lr": group.lr,
            "gamma1": self.gamma1,
            "epsilon": self.epsilon,
            "wd": group.wd,
            "rescale": self.rescale_grad,
            "clip": self.clip,
            "clip_weights": self.clip_weights or None,
        }
        if self.centered:
            options["gamma2"] = self.gamma2
            _steps.rmsprop_centered(group.weights, group.grads, *group.states, **options)
        else:
            _steps.rmsprop(group.weights, group.grads, *group.states, **options)


@register
class Ftrl(FusedOptimizer):
    """Follow the regularized leader: weights of small |z| become exactly 0."""

    def __init__(
        self, lamda1: float = 0.01, learning_rate: float = 0.1, beta: float = 1, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.lamda1 = lamda1
        self.beta = beta
        self.lr = learning_rate

    def takes_rows(self, weight: Any, wd: float) -> bool:
        """Of a row_sparse weight only."""
        return is_sparse(weight)

    def create_state(self, index: Any, weight: Any) -> Any:
        """z and n of the paper."""
        return zeros_like(weight, _F32), zeros_like(weight, _F32)

    def rule(self, group: Group) -> None:
        """One step of a group."""
        _steps.ftrl(
            group.weights,
            group.grads,
            *group.states,
            lr=group.lr,
            lamda1=self.lamda1,
            beta=self.beta,
            wd=group.wd,
            rescale=self.rescale_grad,
            clip=self.clip,
        )
