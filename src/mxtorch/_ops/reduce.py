"""Reductions over axes."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import torch
from torch import Tensor

from mxtorch._core import env
from mxtorch._core.ambient import Out
from mxtorch._core.attrs import Axes, DType, Floats
from mxtorch._core.errors import MXNetTypeError, MXNetValueError
from mxtorch._core.op import op, rows
from mxtorch._core.pending import Function
from mxtorch._ops._gradients import follows, without_gradient, without_slope
from mxtorch._ops._partial import same
from mxtorch._ops._shapes import at_least_1d, wrap_axes
from mxtorch._ops._steps import sum_of_squares

Dims = tuple[int, ...]


def dims(axis: int | Dims | None, ndim: int, exclude: bool = False) -> Dims:
    """The axes that a reduction runs over; None and () are all of them."""
    if axis is None or axis == ():
        return tuple(range(ndim))
    chosen = wrap_axes(axis, ndim)
    if not isinstance(axis, int) and len(chosen) != len(axis):
        raise MXNetValueError(f"axis {axis} names an axis twice")
    return tuple(d for d in range(ndim) if d not in chosen) if exclude else chosen


# Takes an array, and axes and keepdims unless it reduces the whole of it.
Reduce = Callable[..., Tensor]


def _is_three(data: Tensor, axis: Any) -> bool:
    if type(axis) is not int or data.dtype is not torch.float32 or type(data) is not Tensor:
        return False  # of other classes the size may be a symbol, which must not be looked at
    return data.size(axis) == 3


def reduction(
    fn: Reduce,
    text: str,
    whole: Reduce | None = None,
    tracked: Reduce | None = None,
    of_three: Reduce | None = None,
) -> Callable[..., Tensor]:
    """A body that reduces by `fn(data, axes, keepdims)`.

    `whole`: the same for whole numbers; `tracked`: the same with MXNet's gradient; `of_three`: the
    same along an axis of three float32.
    """

    def body(
        data: Tensor,
        *,
        axis: Axes | None = None,
        keepdims: bool = False,
        exclude: bool = False,
    ) -> Tensor:
        if type(axis) is not int or exclude:
            axis = dims(axis, data.ndim, exclude)
            if not axis:
                return data.clone()
        if whole is not None and not data.is_floating_point():
            result = whole(data, axis, keepdims)
        elif tracked is not None and data.requires_grad:
            result = tracked(data, axis, keepdims)
        elif of_three is not None and _is_three(data, axis):
            result = of_three(data, axis, keepdims)
        else:
            result = fn(data, axis, keepdims)
        return result if result.ndim else result.reshape(1)

    def direct(
        data: Tensor,
        *,
        axis: Axes | None = None,
        keepdims: bool = False,
        exclude: bool = False,
    ) -> Tensor:
        if type(axis) is int and not exclude:
            # numel takes a third of the time of a look at the shape
            if of_three is not None and data.numel() % 3 == 0 and data.shape[axis] == 3:
                return body(data, axis=axis, keepdims=keepdims)
            result = fn(data, axis, keepdims)
            return result if result.ndim else result.reshape(1)
        if axis is None and not keepdims:
            return fn(data).reshape(1)
        return body(data, axis=axis, keepdims=keepdims, exclude=exclude)

    body.__doc__ = f"{text} over `axis`; with `exclude`, over every other axis."
    body.direct = direct  # type: ignore[attr-defined]
    return body


def _compensated(data: Tensor, axis: int, keepdims: bool) -> Tensor:
    """The sum of three float32 (coordinates, colours) as MXNet adds them up: one by one, the error
    of each addition carried on. Of more it would take a step each, and torch's is as near.
    """
    total = torch.sum(data, axis, keepdims)
    a, b, c = data.detach().split(1, axis)
    pair = a + b
    error = torch.where(pair.isfinite(), (pair - a) - b, 0)  # of infinite sums there is none
    exact = _drop(pair + (c - error), axis, keepdims)
    # torch's gradient
    return total + torch.where(exact.isfinite(), exact - total.detach(), 0)


def _whole_sum(data: Tensor, axes: int | Dims, keepdims: bool) -> Tensor:
    return torch.sum(data, axes, keepdims, dtype=data.dtype)


def _whole_mean(data: Tensor, axes: int | Dims, keepdims: bool) -> Tensor:
    total = _whole_sum(data, axes, keepdims)
    if data.dtype is torch.bool:
        return total
    return torch.div(total, data.numel() // max(total.numel(), 1), rounding_mode="trunc")


def _prod(data: Tensor, axes: int | Dims | None = None, keepdims: bool = False) -> Tensor:
    if axes is None:
        return torch.prod(data)
    for axis in (axes,) if isinstance(axes, int) else axes[::-1]:
        data = torch.prod(data, axis, keepdims, dtype=data.dtype)
    return data


def _drop(reduced: Tensor, axes: int | Dims, keepdims: bool) -> Tensor:
    return reduced if keepdims else reduced.squeeze(axes)


class _Product(Function):
    """The gradient is product / element: nan where that is 0 / 0."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, axes: int | Dims, keepdims: bool) -> Tensor:
        product = _prod(data, axes, True)
        ctx.save_for_backward(data, product)
        return _drop(product, axes, keepdims)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        data, product = ctx.saved_tensors
        return gradient.reshape(product.shape) * product / data, None, None


def _tracked_prod(data: Tensor, axes: int | Dims, keepdims: bool) -> Tensor:
    product: Tensor = _Product.apply(data, axes, keepdims)
    return product


def _without_nan(fn: Reduce) -> Reduce:
    """`fn` of the array with 1 for nan."""
    return lambda data, *how: fn(data.masked_fill(data.isnan(), 1), *how)


class _Extreme(Function):
    """max or min whose gradient goes in full to every element that ties."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, axes: int | Dims, keepdims: bool, fn: Reduce) -> Tensor:
        best = fn(data, axes, True)
        ctx.save_for_backward(data == best)
        ctx.shape = best.shape
        return best if keepdims else fn(data, axes, False)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        (ties,) = ctx.saved_tensors
        return gradient.reshape(ctx.shape) * ties, None, None, None


def _tracked_max(data: Tensor, axes: int | Dims, keepdims: bool) -> Tensor:
    largest: Tensor = _Extreme.apply(data, axes, keepdims, torch.amax)
    return largest


def _tracked_min(data: Tensor, axes: int | Dims, keepdims: bool) -> Tensor:
    smallest: Tensor = _Extreme.apply(data, axes, keepdims, torch.amin)
    return smallest


rows(
    reduction,
    (("sum", "_sparse_sum", "sum_axis"), torch.sum, "Sum", _whole_sum, None, _compensated),
    (("mean", "_sparse_mean"), torch.mean, "Mean (whole numbers: truncated)", _whole_mean),
    ("prod", _prod, "Product", None, _tracked_prod),
    ("nansum", torch.nansum, "Sum of the elements that are not nan", _whole_sum),
    (
        "nanprod",
        _without_nan(_prod),
        "Product of the elements that are not nan",
        None,
        _without_nan(_tracked_prod),
    ),
    (("max", "max_axis"), torch.amax, "Largest element", None, _tracked_max),
    (("min", "min_axis"), torch.amin, "Smallest element", None, _tracked_min),
    method=True,
)


@op("_sparse_norm", method=True)
def norm(
    data: Tensor,
    *,
    ord: int = 2,
    axis: Axes | None = None,
    out_dtype: DType | None = None,
    keepdims: bool = False,
) -> Tensor:
    """The 1-norm or 2-norm over `axis`; the gradient of the 2-norm is nan where it is 0."""
    if ord not in (1, 2):
        raise MXNetValueError(f"ord={ord}: only 1 and 2 are norms here")
    chosen = dims(axis, data.ndim)
    if out_dtype not in (None, data.dtype):
        raise MXNetTypeError(f"out_dtype={out_dtype}: MXNet fails on another type than the data's")
    if not data.is_floating_point():
        result = _whole_norm(data, ord, chosen, keepdims)
    elif ord == 2 and follows(data):
        result = _Norm.apply(data, chosen, keepdims)
    else:
        result = _norm(data, ord, chosen, keepdims)
    return at_least_1d(result)


def _whole_norm(data: Tensor, ord: int, axes: Dims, keepdims: bool) -> Tensor:
    """Of whole numbers: MXNet divides by the largest before it squares, which leaves 0 or 1."""
    if ord == 1 or not data.numel():
        return _norm(data.to(torch.float64), ord, axes, keepdims).to(data.dtype)
    sizes = data.to(torch.float64).abs()
    largest = sizes.amax(axes, keepdim=True)
    count = (sizes == largest).sum(axes, keepdim=True)
    result = largest * torch.sqrt(count.to(torch.float64))
    return _drop(result, axes, keepdims).to(data.dtype)


def _norm(data: Tensor, ord: int, axes: int | Dims, keepdims: bool) -> Tensor:
    exact = data.dtype is torch.float32 and env.SAFE_ACCUMULATION.get()
    wide = data.to(torch.float64) if exact else data
    result: Tensor = torch.linalg.vector_norm(wide, ord, axes, keepdims)
    return result.to(data.dtype)


class _Norm(Function):
    """The gradient is element / norm: nan where that is 0 / 0."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, axes: int | Dims, keepdims: bool) -> Tensor:
        result = _norm(data, 2, axes, True)
        ctx.save_for_backward(data, result)
        return _drop(result, axes, keepdims)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        data, result = ctx.saved_tensors
        return gradient.reshape(result.shape) * data / result, None, None


def _arg(fn: Callable[..., Tensor], text: str) -> Callable[..., Tensor]:
    def body(data: Tensor, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
        if axis is None:
            index = fn(data.reshape(-1), 0).reshape((1,) * data.ndim if keepdims else (1,))
        else:
            index = at_least_1d(fn(data, axis, keepdims))
        return without_slope(index.to(data.dtype), data)

    body.__doc__ = f"Index of the {text} element along `axis` (or of all), in the array's dtype."
    return body


rows(
    _arg,
    ("argmax", torch.argmax, "largest", {"method": True}),
    ("argmin", torch.argmin, "smallest", {"method": True}),
)


@op(method=True)
def argmax_channel(data: Tensor) -> Tensor:
    """Index of the largest element along axis 1, in the array's dtype."""
    return torch.argmax(data, 1).to(data.dtype)


@op(outputs=2, lists_input=True)
def moments(
    data: Tensor, *, axes: Axes | None = None, keepdims: bool = False
) -> tuple[Tensor, Tensor]:
    """Mean and (biased) variance over `axes`."""
    if axes in (None, ()):
        raise MXNetValueError("axes must be named; for moments of the whole array name them all")
    chosen = dims(axes, data.ndim)
    average = torch.mean if data.is_floating_point() else _whole_mean
    mean = average(data, chosen, True)
    variance = average((data - mean) ** 2, chosen, keepdims)
    if not keepdims:
        mean = mean.reshape(variance.shape)
    return at_least_1d(mean), at_least_1d(variance)


@op(name="_contrib_div_sqrt_dim", infer=same)
def div_sqrt_dim(data: Tensor) -> Tensor:
    """The array divided by the root of its last axis' length."""
    root = sqrt(data.shape[-1])
    if data.is_floating_point():
        return data / root
    return torch.div(data, int(root), rounding_mode="trunc")


def _counted(data: tuple[Tensor, ...], num_arrays: int) -> tuple[Tensor, ...]:
    if len(data) != num_arrays:
        raise MXNetValueError(f"num_arrays={num_arrays}, but {len(data)} arrays were given")
    return data


@op()
@without_gradient
def multi_sum_sq(*data: Tensor, num_arrays: int) -> Tensor:
    """The sum of squares of each array, in one float32 vector."""
    return torch.stack([sum_of_squares(x) for x in _counted(data, num_arrays)])


def _finite(data: tuple[Tensor, ...], before: Tensor | None) -> Tensor:
    """1 if all is finite, or what was there `before`; else 0."""
    finite = torch.stack([torch.isfinite(x).all() for x in data]).all().reshape(1)
    value = finite.to(torch.float32)
    return value if before is None else value * before


@op(lists_input=True)
def all_finite(data: Tensor, *, init_output: bool = True, out: Out = None) -> Tensor:
    """1 if no element is infinite or nan, else 0; shape (1,).

    With `init_output=False` a 0 that is in `out=` stays.
    """
    return _finite((data,), None if init_output else out)


@op()
def multi_all_finite(
    *data: Tensor, num_arrays: int = 1, init_output: bool = True, out: Out = None
) -> Tensor:
    """1 if no element of any array is infinite or nan, else 0; shape (1,).

    With `init_output=False` a 0 that is in `out=` stays.
    """
    return _finite(_counted(data, num_arrays), None if init_output else out)


@op("_npi_histogram", name="_histogram", outputs=2, view=True)
@without_gradient
def histogram(
    data: Tensor,
    bins: Tensor | None = None,
    *,
    bin_cnt: int | None = None,
    range: Floats | None = None,
) -> tuple[Tensor, Tensor]:
    """How many elements lie in each bin (int64; the last one is closed), and the bins' edges."""
    values = data.reshape(-1)
    if bins is None:
        if range is None or bin_cnt is None or range[0] > range[1]:
            raise MXNetValueError("without an array of edges, bin_cnt and a range are needed")
        low, high = range
        edges = torch.linspace(low, high, bin_cnt + 1, dtype=data.dtype, device=data.device)
        place = _even_bins(values, edges, low, high)
    else:
        if bin_cnt is not None or bins.numel() < 2:
            raise MXNetValueError("either bin_cnt or an array of two edges or more")
        edges = bins.to(data.dtype)
        place = torch.bucketize(values, edges, right=True)
        place = torch.where(values == edges[-1], edges.shape[0] - 1, place)
    counts = torch.zeros(edges.shape[0] + 1, dtype=torch.int64, device=data.device)
    counts = counts.index_add(0, place, torch.ones_like(place))
    return counts[1:-1], edges


def _even_bins(values: Tensor, edges: Tensor, low: float, high: float) -> Tensor:
    """The bins' numbers from 1 on, 0 for what lies outside: computed, then one step to an edge.

    Edges of whole numbers are not evenly spaced; a value may stay beside the bin that they make.
    """
    count = edges.shape[0] - 1
    inside = (values >= low) & (values <= high)
    wide = values.to(torch.promote_types(values.dtype, torch.float32))
    place = torch.where(inside, (wide - low) * count / (high - low), 0.0).to(torch.int64)
    place = place.clamp(max=count - 1)
    place = place - (values < edges[place]).to(torch.int64)
    step = (values >= edges[place + 1]) & (place != count - 1)
    return torch.where(inside, place + step.to(torch.int64) + 1, 0)
