"""Operators that make arrays from numbers."""

from __future__ import annotations

from math import ceil

import torch
from torch import Tensor

from mxtorch._core.ambient import Device
from mxtorch._core.attrs import DType, Hint, Shape
from mxtorch._core.errors import MXNetValueError
from mxtorch._core.op import op
from mxtorch._ops.binary import typed


def progression(
    count: int, start: float, step: float, repeat: int, dtype: torch.dtype, device: torch.device
) -> Tensor:
    """`count` numbers start, start + step, …, each `repeat` times, computed in their own dtype.

    Only float32 and float64 take fractions: for float16 too, start and step are truncated.
    """
    if dtype not in (torch.float32, torch.float64):
        start, step = int(start), int(step)
    index = torch.arange(count, device=device)
    if repeat != 1:
        index = torch.div(index, repeat, rounding_mode="floor")
    first, stride = (torch.tensor(n, dtype=dtype, device=device) for n in (start, step))
    return index.to(dtype) * stride + first


@op()
def _zeros(
    *, shape: Shape = (), ctx: Hint[str] = "", dtype: DType = torch.float32, device: Device
) -> Tensor:
    """Zeros."""
    return torch.zeros(shape, dtype=dtype, device=device)


@op()
def _ones(
    *, shape: Shape = (), ctx: Hint[str] = "", dtype: DType = torch.float32, device: Device
) -> Tensor:
    """Ones."""
    return torch.ones(shape, dtype=dtype, device=device)


@op("_npi_full")
def _full(
    *,
    shape: Shape | None = None,
    ctx: Hint[str] = "",
    dtype: DType = torch.float32,
    value: float,
    device: Device,
) -> Tensor:
    """An array filled with `value`."""
    if not dtype.is_floating_point:
        value = typed(value, torch.empty((), dtype=dtype))
    return torch.full(shape or (), value, dtype=dtype, device=device)


@op()
def _arange(
    *,
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: Hint[str] = "",
    dtype: DType = torch.float32,
    device: Device,
) -> Tensor:
    """Evenly spaced values from `start` (0 if alone) to before `stop`, each `repeat` times."""
    if stop is None:
        start, stop = 0.0, start
    count = ceil((stop - start) / step)
    if count <= 0:
        raise MXNetValueError(f"there are no values from {start} to {stop} in steps of {step}")
    return progression(count * repeat, start, step, repeat, dtype, device)


@op("_npi_linspace")
def _linspace(
    *,
    start: float,
    stop: float,
    num: int = 50,
    endpoint: bool = True,
    ctx: Hint[str] = "",
    dtype: DType = torch.float32,
    device: Device,
) -> Tensor:
    """`num` evenly spaced values from `start` to `stop`."""
    gaps = max(num - 1 if endpoint else num, 1)
    # float64, which not every accelerator has, so on the CPU
    values = torch.arange(num, dtype=torch.float64) * ((stop - start) / gaps) + start
    return values.to(device, dtype)


@op()
def _eye(
    *,
    N: int,
    M: int = 0,
    k: int = 0,
    ctx: Hint[str] = "",
    dtype: DType = torch.float32,
    device: Device,
) -> Tensor:
    """Ones on the k-th diagonal of an N x M array (M = 0: N x N)."""
    columns = torch.arange(M or N, device=device)
    rows = torch.arange(N, device=device)
    return (columns == rows[:, None] + k).to(dtype)
