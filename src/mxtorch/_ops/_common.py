"""What the gradients of several families share."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor


class _Blocked(torch.autograd.Function):
    """A result that stays in the graph and hands no gradient on."""

    @staticmethod
    def forward(ctx: Any, result: Tensor, *sources: Tensor) -> Tensor:  # type: ignore[override]
        ctx.set_materialize_grads(False)
        ctx.count = 1 + len(sources)
        return result.detach()

    @staticmethod
    def backward(ctx: Any, grad: Tensor | None) -> Any:  # type: ignore[override]
        return (None,) * ctx.count


def blocked(result: Tensor, *sources: Tensor) -> Tensor:
    """`result`, computed from `sources` by something without a gradient.

    In MXNet such operators are part of the graph, so that backward reaches the leaves below them
    and writes zeros there; torch would leave those untouched.
    """
    if torch.is_grad_enabled() and any(source.requires_grad for source in sources):
        blocked_result: Tensor = _Blocked.apply(result, *sources)
        return blocked_result
    return result


def single(value: float, data: Tensor) -> float:
    """An attribute's value for `data`: MXNet keeps it in float32, which float64 arrays can see."""
    return float(np.float32(value)) if data.dtype is torch.float64 else value
