"""`mx.optimizer.contrib`."""

from __future__ import annotations

from typing import Any

from mxtorch._core.errors import MXNetAssertionError
from mxtorch.ndarray._create import zeros
from mxtorch.optimizer._base import register
from mxtorch.optimizer._fused import FusedOptimizer, Group

__all__ = ["GroupAdaGrad"]


@register
class GroupAdaGrad(FusedOptimizer):
    """AdaGrad with one step size a row: h += mean(g**2);  w -= lr * g / sqrt(h + eps)."""

    def __init__(self, eps: float = 1e-5, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.float_stable_eps = eps

    def create_state(self, index: Any, weight: Any) -> Any:
        """The sum of the mean squared gradients of each row."""
        assert len(weight.shape) == 2
        shape = (weight.shape[0], 1)
        return zeros(shape, ctx=weight.context).tostype(weight.stype)

    def takes_rows(self, weight: Any, wd: float) -> bool:
        """Always."""
        return True

    def rule(self, group: Group) -> None:
        """One step of a group."""
        if group.wd:
            raise MXNetAssertionError("GroupAdaGrad: weight decay is not supported; pass wd=0")
        grads = self.gradients(group)
        for weight, grad, history in zip(group.weights, grads, group.states[0], strict=True):
            history += (grad * grad).mean(1, keepdim=True)
            weight.addcdiv_(grad, (history + self.float_stable_eps).sqrt(), value=-group.lr)
