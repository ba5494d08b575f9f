"""Casts to whole numbers and back, with MXNet's gradient: it goes through, as whole numbers.

torch keeps no history of whole numbers. A tensor of them that was cast from one with history keeps
that one as its twin, and a cast back to floats goes on from there.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mxtorch._core import freed
from mxtorch._core.modes import modes
from mxtorch._core.pending import Function


class _Through(Function):
    """`values` in the place of a twin; what comes back is cut to whole numbers of a type."""

    @staticmethod
    def forward(ctx: Any, twin: Tensor, values: Tensor, dtype: torch.dtype) -> Tensor:
        ctx.types = dtype, twin.dtype
        return values.view_as(values)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        whole, wide = ctx.types
        return gradient.to(whole).to(wide), None, None


def cast(tensor: Tensor, dtype: torch.dtype) -> Tensor:
    """A copy in another type, toward zero where it is whole."""
    result = tensor.to(dtype, copy=True)
    if not torch.is_grad_enabled():
        return result
    if tensor.is_floating_point():
        twin = tensor if tensor.requires_grad and not dtype.is_floating_point else None
    else:
        twin = twin_of(tensor, modes.recording)
    if twin is None:
        return result
    if dtype.is_floating_point:
        passed: Tensor = _Through.apply(twin, result, tensor.dtype)
        return passed
    pair_up(result, _Through.apply(twin, twin.detach(), dtype), modes.recording)
    return result


def pair_up(whole: Tensor, twin: Tensor, recorded: bool) -> None:
    """Say that gradients of a tensor of whole numbers are those of `twin`, which has a history:
    one that was recorded, or that of a graph of symbols."""
    whole._twin = twin, recorded  # type: ignore[attr-defined]


def twin_of(whole: Tensor, recorded: bool) -> Tensor | None:
    """The tensor with the history of whole numbers; None if backward has run through it."""
    pair: tuple[Tensor | None, bool] = getattr(whole, "_twin", (None, False))
    twin, was_recorded = pair
    if twin is None or recorded is not was_recorded or freed.is_freed(twin):
        return None
    return twin
