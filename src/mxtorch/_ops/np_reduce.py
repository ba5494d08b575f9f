"""Reductions of `mx.np` arrays: all elements give an array without axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.attrs import Axes, DType, Refused
from mxtorch._core.errors import MXNetValueError
from mxtorch._core.op import op, rows
from mxtorch._ops._gradients import constant, without_slope
from mxtorch._ops._shapes import wrap_axis
from mxtorch._ops.reduce import Dims, Reduce, _prod, _tracked_max, _tracked_min, _tracked_prod


def axes_of(axis: int | Dims | None, ndim: int) -> Dims:
    """The axes that a reduction runs over; None is all of them, () none."""
    if axis is None:
        return tuple(range(ndim))
    if ndim == 0 and axis in (0, -1, (0,), (-1,)):
        return ()
    chosen = [wrap_axis(a, ndim) for a in ((axis,) if isinstance(axis, int) else axis)]
    if len(set(chosen)) != len(chosen):
        raise MXNetValueError(f"axis {axis} names an axis twice")
    return tuple(sorted(chosen))


def _sum(data: Tensor, axes: Dims, keepdims: bool, dtype: torch.dtype | None) -> Tensor:
    if dtype is None:
        dtype = torch.int64 if data.dtype is torch.bool else data.dtype
    if not axes:
        return data.to(dtype, copy=True)
    if dtype.is_floating_point or not data.is_floating_point():
        return torch.sum(data, axes, keepdims, dtype=dtype)
    return torch.sum(data, axes, keepdims).to(dtype)


@op()
def _np_sum(
    a: Tensor,
    *,
    axis: Axes | None = None,
    dtype: DType | None = None,
    keepdims: bool = False,
    initial: Refused[float | None] = None,
) -> Tensor:
    """The sum over `axis`; of booleans in int64."""
    if dtype is None and type(axis) is int and a.is_floating_point() and a.ndim:
        return torch.sum(a, axis, keepdims)
    return _sum(a, axes_of(axis, a.ndim), keepdims, dtype)


def _widened(data: Tensor, dtype: torch.dtype | None) -> Tensor:
    """The array in float64 if that is asked of a narrower float type: MXNet computes in it."""
    return data.double() if dtype is torch.float64 and data.is_floating_point() else data


def _product(data: Tensor, axes: Dims, keepdims: bool) -> Tensor:
    if not axes:
        return data.clone()
    if any(data.shape[d] == 0 for d in axes):
        return torch.sum(data, axes, keepdims, dtype=data.dtype)  # MXNet's product of nothing is 0
    fn = _tracked_prod if data.requires_grad else _prod
    return fn(data, axes, keepdims)


@op("_np_product")
def _np_prod(
    a: Tensor,
    *,
    axis: Axes | None = None,
    dtype: DType | None = None,
    keepdims: bool = False,
    initial: Refused[float | None] = None,
) -> Tensor:
    """The product over `axis`; of booleans in int64."""
    wide = a.to(torch.int64) if a.dtype is torch.bool else _widened(a, dtype)
    result = _product(wide, axes_of(axis, a.ndim), keepdims)
    return result if dtype is None else result.to(dtype)


def _extreme(fn: Reduce, tracked: Reduce, text: str) -> Callable[..., Tensor]:
    def body(
        a: Tensor,
        *,
        axis: Axes | None = None,
        keepdims: bool = False,
        initial: Refused[float | None] = None,
    ) -> Tensor:
        axes = axes_of(axis, a.ndim)
        if any(a.shape[d] == 0 for d in axes):
            raise MXNetValueError(f"an array of shape {tuple(a.shape)} has no {text} element")
        if not axes:
            return a.clone()
        if a.requires_grad:
            return tracked(a, axes, keepdims)
        return fn(a, axes, keepdims)

    body.__doc__ = f"The {text} element over `axis`; every element that ties has the gradient."
    return body


rows(
    _extreme,
    (("_np_max", "_np_amax"), torch.amax, _tracked_max, "largest"),
    (("_np_min", "_np_amin"), torch.amin, _tracked_min, "smallest"),
)


def _truth(fn: Callable[..., Tensor], text: str) -> Callable[..., Tensor]:
    def body(data: Tensor, *, axis: Axes | None = None, keepdims: bool = False) -> Tensor:
        result = data != 0
        for d in reversed(axes_of(axis, data.ndim)):
            result = fn(result, d, keepdims)
        return result

    body.__doc__ = f"Whether {text} elements over `axis` are not 0."
    return constant(body)


rows(
    _truth,
    ("_np_all", torch.all, "all"),
    (("_np_any", "_np_sometrue"), torch.any, "any"),
)


def _result_type(data: Tensor, dtype: torch.dtype | None) -> torch.dtype:
    if dtype is not None:
        return dtype
    return data.dtype if data.is_floating_point() else torch.float32


@op()
def _npi_mean(
    a: Tensor,
    *,
    axis: Axes | None = None,
    dtype: DType | None = None,
    keepdims: bool = False,
    initial: Refused[float | None] = None,
) -> Tensor:
    """The mean over `axis`; of whole numbers in float32, of no elements 0."""
    kind = _result_type(a, dtype)
    if kind is torch.float16:
        return _half_mean(a, axes_of(axis, a.ndim), keepdims)
    if dtype is None and type(axis) is int and a.is_floating_point() and a.numel():
        return torch.mean(a, axis, keepdims) if a.ndim else a.clone()
    axes = axes_of(axis, a.ndim)
    wide = a if a.is_floating_point() else a.to(torch.float64)
    wide = _widened(wide, kind)
    if not axes:
        return wide.to(kind, copy=True)
    if any(a.shape[d] == 0 for d in axes):
        return torch.sum(wide, axes, keepdims).to(kind)
    return torch.mean(wide, axes, keepdims).to(kind)


def _half_mean(data: Tensor, axes: Dims, keepdims: bool) -> Tensor:
    """The mean in float16: MXNet has the sum in that type before it divides."""
    total = _sum(data, axes, keepdims, None).half()
    return total / max(data.numel() // max(total.numel(), 1), 1)


def _variance(
    data: Tensor, axis: int | Dims | None, ddof: int, keepdims: bool, kind: torch.dtype
) -> tuple[Tensor, Tensor]:
    """Mean and variance in a float type; squares of the array's type are added up in `kind`."""
    wide = data if data.is_floating_point() else data.to(torch.float64)
    axes = axes_of(axis, data.ndim)
    if not axes:
        return wide.clone(), torch.zeros_like(wide)
    mean = torch.mean(wide, axes, keepdim=True)
    if not data.is_floating_point():  # MXNet keeps the mean in the array's type
        mean = torch.trunc(mean)
    count = 1
    for d in axes:
        count *= data.shape[d]
    squares = _widened((wide - mean) ** 2, kind)
    square = torch.sum(squares, axes, keepdims) / (count - ddof)
    return mean if keepdims else mean.reshape(square.shape), square


def _moment(root: bool, text: str) -> Callable[..., Any]:
    def body(
        a: Tensor,
        *,
        axis: Axes | None = None,
        dtype: DType | None = None,
        ddof: int = 0,
        keepdims: bool = False,
    ) -> tuple[Tensor, Tensor]:
        kind = a.dtype if dtype is None else dtype
        mean, variance = _variance(a.detach(), axis, ddof, keepdims, kind)
        result = torch.sqrt(variance) if root else variance
        return without_slope(result.to(kind), a), mean.to(kind)

    body.__doc__ = f"The {text} over `axis`, by (count - ddof), in the type of the array."
    return body


rows(
    _moment,
    ("_npi_std", True, "standard deviation", {"output_names": ("std", "mean")}),
    ("_npi_var", False, "variance", {"output_names": ("var", "mean")}),
    outputs=2,
    visible=1,
    gradient="zero: MXNet 1.9.1 has none for std and var",
)


def _arg(fn: Callable[..., Tensor], text: str) -> Callable[..., Tensor]:
    def body(data: Tensor, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
        if data.numel() == 0:
            raise MXNetValueError(f"an array of shape {tuple(data.shape)} has no {text} element")
        if axis is None:
            index = fn(data.reshape(-1), 0)
            return index.reshape((1,) * data.ndim) if keepdims else index
        if data.ndim == 0:
            return torch.zeros((), dtype=torch.int64, device=data.device)
        return fn(data, wrap_axis(axis, data.ndim), keepdims)

    body.__doc__ = f"Index of the {text} element along `axis` (or of all), int64."
    return constant(body)


rows(
    _arg,
    ("_npi_argmax", torch.argmax, "largest"),
    ("_npi_argmin", torch.argmin, "smallest"),
    lists_input=False,
)


@op("cumsum")
def _np_cumsum(a: Tensor, *, axis: int | None = None, dtype: DType | None = None) -> Tensor:
    """The running sum along `axis`, or of all elements; of booleans in int64."""
    kind = dtype or (torch.int64 if a.dtype is torch.bool else a.dtype)
    if axis is None:
        return torch.cumsum(a.reshape(-1), 0, dtype=kind)
    return torch.cumsum(a, wrap_axis(axis, a.ndim), dtype=kind)


@op(
    needs=lambda attrs: ("weights",) if attrs["weighted"] else (),
    outputs=2,
    visible=lambda attrs: 2 if attrs["returned"] else 1,
)
def _npi_average(
    a: Tensor,
    weights: Tensor | None = None,
    *,
    axis: Axes | None = None,
    returned: bool = False,
    weighted: bool = True,
) -> tuple[Tensor, Tensor]:
    """The mean over `axis`, weighted, and the sum of the weights (without weights: the count).

    Of whole numbers it is one of their type: sums wrap, quotients are cut. Of booleans float32.
    """
    data = a.float() if a.dtype is torch.bool else a
    axes = axes_of(axis, a.ndim)
    if weights is None:
        total = _sum(data, axes, False, None)
        count = data.new_full((), a.numel() // max(total.numel(), 1))
        return _quotient(total, count), count
    w = weights.to(data.dtype)
    if w.shape != data.shape:
        if w.ndim != 1 or len(axes) != 1:
            raise MXNetValueError("weights must have the shape of a, or one axis beside one axis=")
        w = w.reshape([-1 if d == axes[0] else 1 for d in range(a.ndim)])
    scale = _sum(w.expand_as(data), axes, False, None)
    result = _quotient(_sum(data * w, axes, False, None), scale)
    if weights.ndim < a.ndim:
        scale = torch.sum(w, dtype=w.dtype)
    return result, without_slope(scale.detach(), weights)


def _quotient(total: Tensor, count: Tensor) -> Tensor:
    """total / count in the type of total."""
    mode = None if total.is_floating_point() else "trunc"
    return torch.div(total, count, rounding_mode=mode)


@op(mixed=True, needs=lambda attrs: ("weights",) if attrs["has_weights"] else ())
def _npi_bincount(
    data: Tensor, weights: Tensor | None = None, *, minlength: int = 0, has_weights: bool = False
) -> Tensor:
    """How often each whole number occurs, or the sum of its weights."""
    if data.is_floating_point():
        raise MXNetValueError("only whole numbers can be counted")
    numbers = data.to(torch.int64)
    if not data.ndim:
        numbers = numbers.reshape(1)
    if weights is None:
        return torch.bincount(numbers, None, minlength).to(data.dtype)
    sums = torch.bincount(numbers, weights.detach(), minlength)
    return without_slope(sums.to(weights.dtype), weights)
