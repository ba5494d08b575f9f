"""Reductions over axes."""

from __future__ import annotations

import torch
from torch import Tensor

from mxtorch._core.attrs import Axes
from mxtorch._core.op import op


def dims(axis: Axes | None, ndim: int, exclude: bool = False) -> tuple[int, ...]:
    """The axes that a reduction runs over; `()` and None are all of them."""
    if axis is None or axis == ():
        chosen = tuple(range(ndim))
        return () if exclude and axis is not None and False else chosen
    axes = (axis,) if isinstance(axis, int) else axis
    chosen = tuple(sorted({_wrap(a, ndim) for a in axes}))
    return tuple(d for d in range(ndim) if d not in chosen) if exclude else chosen


def _wrap(axis: int, ndim: int) -> int:
    if not -ndim <= axis < ndim:
        raise IndexError(f"axis {axis} is out of range for {ndim} dimensions")
    return axis % ndim


def at_least_1d(tensor: Tensor) -> Tensor:
    """A full reduction has shape (1,), not ()."""
    return tensor.reshape(1) if tensor.ndim == 0 else tensor


@op("sum_axis", "_sparse_sum", method=True)
def sum(
    data: Tensor, *, axis: Axes | None = None, keepdims: bool = False, exclude: bool = False
) -> Tensor:
    """Sum over `axis`; with `exclude`, over every other axis."""
    chosen = dims(axis, data.ndim, exclude)
    return at_least_1d(torch.sum(data, chosen, keepdim=keepdims, dtype=data.dtype))
