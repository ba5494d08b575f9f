"""`mx.optimizer.contrib`."""

from __future__ import annotations

from typing import Any

import torch

from mxtorch._core.errors import MXNetError
from mxtorch.optimizer._base import register
from mxtorch.optimizer._fused import FusedOptimizer, Group
from mxtorch.optimizer._fused import zeros_like as _zeros_like

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
        return _zeros_like(weight[:, :1], torch.float32)

    def rule(self, group: Group) -> None:
        """One step of a group."""
        if group.wd:
            raise MXNetError("GroupAdaGrad: weight decay is not supported; pass wd=0")
        grads = self.gradients(group)
        for weight, grad, history in zip(group.weights, grads, group.states[0], strict=True):
            history += (grad * grad).mean(1, keepdim=True)
            weight.addcdiv_(grad, (history + self.float_stable_eps).sqrt(), value=-group.lr)
