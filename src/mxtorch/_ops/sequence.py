"""Operators on padded sequences: time on axis 0 or 1, batch on the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.attrs import Refused
from mxtorch._core.errors import MXNetShapeError, MXNetValueError
from mxtorch._core.op import Attrs, Dims, op
from mxtorch._ops.binary import typed


def _needs_length(attrs: Mapping[str, Any]) -> tuple[str, ...]:
    return ("sequence_length",) if attrs.get("use_sequence_length") else ()


def _length_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data, lengths = shapes
    if lengths is None and data is not None and attrs["use_sequence_length"]:
        lengths = (data[1 - attrs["axis"]],)
    return [data, lengths]


def _lengths(data: Tensor, lengths: Tensor, axis: int) -> Tensor:
    """The lengths as whole numbers; one for each sequence."""
    count = data.shape[1 - axis]
    if lengths.shape != (count,):
        raise MXNetShapeError(f"sequence_length {tuple(lengths.shape)} of {count} sequences")
    return lengths.to(torch.int64)


def _inside(data: Tensor, lengths: Tensor, axis: int) -> Tensor:
    """Where time is below the sequence's length, ready to broadcast against `data`."""
    steps = torch.arange(data.shape[axis], device=data.device)
    inside = steps[:, None] < _lengths(data, lengths, axis)
    inside = inside if axis == 0 else inside.T
    return inside.reshape(*inside.shape, *(1,) * (data.ndim - 2))


def _check_axes(data: Tensor, axis: int) -> None:
    """Steps and sequences are the first two axes, in either order."""
    if axis not in (0, 1):
        raise MXNetValueError(f"axis={axis} of the steps must be 0 or 1")
    if data.ndim < 2:
        raise MXNetShapeError(f"data has {data.ndim} axes; steps and sequences are 2 of them")


@op(
    "_npx_sequence_mask",
    needs=_needs_length,
    fill=_length_shapes,
    view=True,
    mixed=True,
    output_names=("output",),
)
def SequenceMask(
    data: Tensor,
    sequence_length: Tensor | None = None,
    *,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
) -> Tensor:
    """The sequences with `value` after their end."""
    _check_axes(data, axis)
    if not use_sequence_length or sequence_length is None:
        return data
    return data.masked_fill(~_inside(data, sequence_length, axis), typed(value, data))


@op(needs=_needs_length, fill=_length_shapes, view=True, mixed=True, output_names=("output",))
def SequenceLast(
    data: Tensor,
    sequence_length: Tensor | None = None,
    *,
    use_sequence_length: bool = False,
    axis: int = 0,
) -> Tensor:
    """The last element of each sequence."""
    _check_axes(data, axis)
    if not use_sequence_length or sequence_length is None:
        return data.select(axis, -1)
    last = _lengths(data, sequence_length, axis) - 1
    batch = torch.arange(data.shape[1 - axis], device=data.device)
    return data[(last, batch) if axis == 0 else (batch, last)]


@op(needs=_needs_length, fill=_length_shapes, mixed=True, output_names=("output",))
def SequenceReverse(
    data: Tensor,
    sequence_length: Tensor | None = None,
    *,
    use_sequence_length: bool = False,
    axis: Refused[int] = 0,
) -> Tensor:
    """The sequences in reverse order, what lies after their end in place."""
    _check_axes(data, axis)
    if not use_sequence_length or sequence_length is None:
        return data.flip(0)
    steps = torch.arange(data.shape[0], device=data.device)[:, None]
    lengths = _lengths(data, sequence_length, 0)
    source = torch.where(steps < lengths, lengths - 1 - steps, steps)
    batch = torch.arange(data.shape[1], device=data.device)
    return data[source, batch]
