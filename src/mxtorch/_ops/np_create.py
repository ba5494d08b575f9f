"""Operators that make `mx.np` arrays from numbers."""

from __future__ import annotations

from math import ceil, pi
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.ambient import Device
from mxtorch._core.attrs import DType, Hint, Shape
from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import op, rows
from mxtorch._ops._gradients import without_slope
from mxtorch._ops.create import progression


def _check(shape: Shape) -> Shape:
    if min(shape, default=0) < 0:
        raise MXNetShapeError(f"lengths cannot be negative, got shape {tuple(shape)}")
    return shape


def _filled(value: int, text: str) -> Any:
    def body(
        *, shape: Shape = (), ctx: Hint[str] = "", dtype: DType = torch.float32, device: Device
    ) -> Tensor:
        return torch.full(_check(shape), value, dtype=dtype, device=device)

    body.__doc__ = text
    return body


rows(_filled, ("_npi_zeros", 0, "Zeros."), ("_npi_ones", 1, "Ones."))


@op()
def _npi_identity(
    *, shape: Shape = (), ctx: Hint[str] = "", dtype: DType = torch.float32, device: Device
) -> Tensor:
    """A square matrix with ones on its diagonal."""
    return torch.eye(*_check(shape), dtype=dtype, device=device)


@op()
def _npi_eye(
    *,
    N: int,
    M: int | None = None,
    k: int = 0,
    ctx: Hint[str] = "",
    dtype: DType = torch.float32,
    device: Device,
) -> Tensor:
    """Ones on the k-th diagonal of an N x M matrix."""
    columns = torch.arange(N if M is None else M, device=device)
    return (columns == torch.arange(N, device=device)[:, None] + k).to(dtype)


@op()
def _npi_arange(
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
    """Evenly spaced values from `start` (0 if alone) to before `stop`; possibly none."""
    if stop is None:
        start, stop = 0.0, start
    count = max(ceil((stop - start) / step), 0)
    return progression(count * repeat, start, step, repeat, dtype, device)


@op()
def _npi_logspace(
    *,
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    base: float = 10.0,
    ctx: Hint[str] = "",
    dtype: DType = torch.float32,
    device: Device,
) -> Tensor:
    """`base` to evenly spaced powers from `start` to `stop`."""
    gaps = max(num - 1 if endpoint else num, 1)
    # float64, which not every accelerator has, so on the CPU
    powers = torch.arange(num, dtype=torch.float64) * ((stop - start) / gaps) + start
    return torch.pow(torch.tensor(base, dtype=torch.float64), powers).to(device, dtype)


@op()
def _npi_full_like(
    a: Tensor, *, fill_value: float, ctx: Hint[str] = "", dtype: DType | None = None
) -> Tensor:
    """An array of the same shape, and type unless told otherwise, filled with a number."""
    kind = dtype or a.dtype
    value = fill_value if kind.is_floating_point else int(fill_value)
    return without_slope(torch.full_like(a, value, dtype=kind), a)


@op()
def _npi_indices(
    *, dimensions: Shape, dtype: DType = torch.int32, ctx: Hint[str] = "", device: Device
) -> Tensor:
    """For each axis the index along it, of an array of that shape."""
    axes = [torch.arange(n, dtype=dtype, device=device) for n in dimensions]
    if not axes:
        return torch.empty((0,), dtype=dtype, device=device)
    return torch.stack(torch.meshgrid(*axes, indexing="ij"))


def _window(terms: tuple[float, ...], text: str) -> Any:
    """A sum of cosines over one period."""

    def body(
        *,
        M: int | None = None,
        ctx: Hint[str] = "",
        dtype: DType = torch.float32,
        device: Device,
    ) -> Tensor:
        count = max(M or 0, 0)
        if count == 1:
            return torch.ones(1, dtype=dtype, device=device)
        if not dtype.is_floating_point:  # the factors, cut to whole numbers, are 0
            return torch.zeros(count, dtype=dtype, device=device)
        # angles in float32, the rest in `dtype`; which not every accelerator has, so on the CPU
        circle = torch.tensor(2 * pi, dtype=torch.float32)
        angle = torch.arange(count, dtype=torch.float32) * circle / (count - 1)
        value = torch.full((count,), terms[0], dtype=dtype)
        for n, factor in enumerate(terms[1:], 1):
            value = value + torch.tensor(factor, dtype=dtype) * torch.cos((angle * n).to(dtype))
        return value.to(device)

    body.__doc__ = text
    return body


rows(
    _window,
    ("_npi_hanning", (0.5, -0.5), "A Hann window of M points."),
    ("_npi_hamming", (0.54, -0.46), "A Hamming window of M points."),
    ("_npi_blackman", (0.42, -0.5, 0.08), "A Blackman window of M points."),
)
