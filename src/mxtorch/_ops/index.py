"""Operators that pick or place elements by index arrays. Indices of any dtype are truncated."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Literal

import torch
from torch import Tensor

from mxtorch._core.attrs import Axes, DType, Hint, Shape
from mxtorch._core.dtypes import dtype_name
from mxtorch._core.errors import (
    MXNetIndexError,
    MXNetShapeError,
    MXNetTypeError,
    MXNetValueError,
)
from mxtorch._core.op import Attrs, Dims, Dtypes, op
from mxtorch._core.pending import Function
from mxtorch._ops._gradients import constant, refusing, without_gradient, without_slope
from mxtorch._ops._partial import chosen, same
from mxtorch._ops._shapes import require, wrap_axis
from mxtorch._ops.create import progression


def bounded(indices: Tensor, length: int, mode: str) -> Tensor:
    """Whole indices into an axis: clipped to it, wrapped around it, or checked."""
    whole = indices.to(torch.int64)
    if mode == "wrap":
        return whole.remainder(length)
    if mode == "raise" and whole.numel() and not whole.is_meta:
        low, high = whole.aminmax()
        if low < 0 or high >= length:
            raise MXNetIndexError(f"indices from {int(low)} to {int(high)} into {length} elements")
    return whole.clamp(0, length - 1)


@op("_npi_take", method=True, mixed=True)
def take(
    a: Tensor,
    indices: Tensor,
    *,
    axis: int = 0,
    mode: Literal["clip", "raise", "wrap"] = "clip",
) -> Tensor:
    """The slices of `a` along `axis` that the indices name; the default mode clips them."""
    axis = wrap_axis(axis, a.ndim)
    picked = bounded(indices, a.shape[axis], mode)
    if picked.ndim == 1:
        result = a.index_select(axis, picked)
    else:
        result = a.index_select(axis, picked.reshape(-1))
        result = result.reshape(a.shape[:axis] + picked.shape + a.shape[axis + 1 :])
    if axis == 0 and indices.requires_grad and not a.requires_grad:
        return refusing(result, indices, "the indices of take alone")
    return result


def _pick_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data, index = shapes
    if index is None and data is not None and attrs["axis"] is not None:
        axis = wrap_axis(attrs["axis"], len(data))
        index = data[:axis] + data[axis + 1 :] or (1,)
    return [data, index]


@op(
    "_npx_pick",
    "choose_element_0index",
    method=("pick",),
    mixed=True,
    fill=_pick_shapes,
)
def pick(
    data: Tensor,
    index: Tensor,
    *,
    axis: int | None = -1,
    keepdims: bool = False,
    mode: Literal["clip", "wrap"] = "clip",
) -> Tensor:
    """One element along `axis` for each index; `index` has the other axes' shape."""
    if axis is None:
        raise MXNetValueError("axis=None is not supported; name an axis")
    axis = wrap_axis(axis, data.ndim)
    kept = (*data.shape[:axis], 1, *data.shape[axis + 1 :])
    if index.shape not in (kept, (*kept[:axis], *kept[axis + 1 :]) or (1,)):
        raise MXNetShapeError(f"index has shape {tuple(index.shape)}, data needs {kept}")
    picked = bounded(index, data.shape[axis], mode).reshape(kept)
    result = data.gather(axis, picked)
    return result if keepdims or data.ndim == 1 else result.squeeze(axis)


@op("_npi_gather_nd", "_npx_gather_nd", mixed=True)
def gather_nd(data: Tensor, indices: Tensor) -> Tensor:
    """`data[indices[0], indices[1], …]`; negative indices count from the end."""
    if indices.ndim < 2:
        raise MXNetShapeError(
            f"indices have an axis for those of data, and one or more after it: "
            f"2 or more, got shape {tuple(indices.shape)}"
        )
    return data[_index_tuple(indices)]


def _index_tuple(indices: Tensor) -> tuple[Tensor, ...]:
    return tuple(indices.to(torch.int64).unbind(0))


@op(mixed=True)
def scatter_nd(data: Tensor, indices: Tensor, *, shape: Shape) -> Tensor:
    """Zeros of `shape` with `data` at `[indices[0], indices[1], …]`."""
    fits = data.shape == (*indices.shape[1:], *shape[indices.shape[0] :])
    require(fits, data, indices, needs=f"an element or a part of {shape} for each index")
    return data.new_zeros(shape).index_put(_index_tuple(indices), data)


@op("_npi_scatter_set_nd", mixed=True)
def _scatter_set_nd(lhs: Tensor, rhs: Tensor, indices: Tensor, *, shape: Shape) -> Tensor:
    """`lhs` with `rhs` at `[indices[0], indices[1], …]`."""
    return lhs.index_put(_index_tuple(indices), rhs)


@op(mixed=True)
@without_gradient
def batch_take(a: Tensor, indices: Tensor) -> Tensor:
    """`a[i, indices[i]]` for each row."""
    require(a.ndim == 2 and indices.numel() == len(a), a, indices, needs="(N, K), N of int32")
    if indices.dtype is not torch.int32 and not indices.is_meta:
        raise MXNetTypeError(f"indices must be int32, got {dtype_name(indices.dtype)}")
    picked = bounded(indices, a.shape[1], "clip").reshape(-1, 1)
    return a.gather(1, picked).reshape(indices.shape)


@op("_npx_one_hot", method=True)
def one_hot(
    indices: Tensor,
    *,
    depth: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    dtype: DType = torch.float32,
) -> Tensor:
    """Rows of `depth` with `on_value` at the index; an index outside gives none."""
    if not depth:
        return without_slope(indices.new_empty((*indices.shape, 0), dtype=dtype), indices)
    whole = indices.to(torch.int64).unsqueeze(-1)
    inside = (whole >= 0) & (whole < depth)
    values = torch.where(inside, on_value, off_value).to(dtype)
    result = torch.full((*indices.shape, depth), off_value, dtype=dtype, device=indices.device)
    return without_slope(result.scatter_(-1, whole.clamp(0, depth - 1), values), indices)


def _types_of_choice(given: Dtypes, attrs: Attrs) -> tuple[Dtypes, Dtypes]:
    """The two to choose from have one type, which the result has."""
    condition, x, y = given
    return [condition, x or y, y or x], [x or y]


@op("_sparse_where", mixed=True, infer=chosen, dtypes=_types_of_choice)
def where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """`x` where the condition is not 0, else `y`; a 1-D condition chooses whole rows."""
    if x.dtype != y.dtype or x.shape != y.shape:
        raise MXNetShapeError("x and y must have one dtype and one shape")
    if condition.ndim == 1 and condition.shape[0] == x.shape[0]:
        condition = condition.reshape(-1, *(1,) * (x.ndim - 1))
    elif condition.shape != x.shape:
        raise MXNetShapeError("the condition must have the shape of x, or be 1-D, for its rows")
    return torch.where(condition != 0, x, y)


@op("_npi_boolean_mask", name="_contrib_boolean_mask", mixed=True)
def boolean_mask(data: Tensor, index: Tensor, *, axis: int = 0) -> Tensor:
    """The slices along `axis` whose mask is not 0."""
    if axis != 0:
        raise MXNetValueError(f"axis={axis}: MXNet masks along axis 0 only; swap axes first")
    if index.shape != data.shape[:1]:
        raise MXNetShapeError(
            f"index has shape {tuple(index.shape)}, axis {axis} of data {data.shape[axis]} elements"
        )
    return data.index_select(axis, torch.nonzero(index).reshape(-1))


@op(name="_contrib_index_copy", mixed=True)
def index_copy(old_tensor: Tensor, index_vector: Tensor, new_tensor: Tensor) -> Tensor:
    """`old_tensor` with rows of `new_tensor` at the places of `index_vector`."""
    return old_tensor.index_copy(0, index_vector.to(torch.int64), new_tensor)


@op(name="_contrib_index_array", output_names=("output",), lists_input=True)
def index_array(data: Tensor, *, axes: Axes | None = None) -> Tensor:
    """For each element its own index (on `axes`), int64."""
    chosen = tuple(range(data.ndim)) if axes is None else axes
    chosen = (chosen,) if isinstance(chosen, int) else chosen
    columns = []
    for axis in chosen:
        shape = [1] * data.ndim
        shape[axis] = data.shape[axis]
        index = torch.arange(data.shape[axis], device=data.device).reshape(shape)
        columns.append(index.expand(data.shape))
    return torch.stack(columns, -1)


@op("_npx_arange_like", name="_contrib_arange_like")
def arange_like(
    data: Tensor,
    *,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: Hint[str] = "",
    axis: int | None = None,
) -> Tensor:
    """Evenly spaced numbers in the shape of `data`, or as many as `axis` is long."""
    shape = data.shape if axis is None else (data.shape[axis],)
    numbers = progression(prod(shape), start, step, repeat, data.dtype, data.device)
    return without_slope(numbers.reshape(shape), data)


@op()
@without_gradient
def fill_element_0index(lhs: Tensor, mhs: Tensor, rhs: Tensor) -> Tensor:
    """`lhs` with `mhs[i]` at `[i, rhs[i]]`."""
    fits = lhs.ndim == 2 and lhs.shape[:1] == mhs.shape == rhs.shape
    require(fits, lhs, mhs, rhs, needs="(rows, columns), (rows), (rows)")
    return lhs.scatter(1, rhs.to(torch.int64).reshape(-1, 1), mhs.reshape(-1, 1))


def _given(shape: Shape | None) -> Shape:
    if shape is None:
        raise MXNetTypeError("shape must be the shape of the array that the indices are for")
    return shape


@op("ravel_multi_index", name="_ravel_multi_index", lists_input=True)
@constant
def ravel_multi_index(data: Tensor, *, shape: Shape | None = None) -> Tensor:
    """Flat indices of the columns of `data`, which hold one index for each axis of `shape`."""
    shape = _given(shape)
    fits = data.ndim == 2 and data.shape[0] == len(shape)
    require(fits, data, needs=f"({len(shape)}, N): a row of indices for each axis of {shape}")
    strides = [prod(shape[i + 1 :]) for i in range(len(shape))]
    weights = torch.tensor(strides, dtype=data.dtype, device=data.device)
    flat: Tensor = torch.tensordot(weights, data, dims=1)
    return flat


@op("unravel_index", name="_unravel_index", lists_input=True)
@constant
def unravel_index(data: Tensor, *, shape: Shape | None = None) -> Tensor:
    """The index on each axis of `shape` for flat indices, on a new first axis."""
    shape = _given(shape)
    whole = data.to(torch.int64)
    rows = []
    for i, length in enumerate(shape):
        row = torch.div(whole, prod(shape[i + 1 :]), rounding_mode="floor")
        rows.append(row.remainder(length) if i else row)
    return torch.stack(rows).to(data.dtype)


@op(name="_contrib_allclose", mixed=True)
def allclose(
    a: Tensor,
    b: Tensor,
    *,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = True,
) -> Tensor:
    """1 if all elements are equal within the tolerances, else 0; uint8, shape ()."""
    # torch's own function takes no tolerance below 0
    close = ((a - b).abs() <= atol + rtol * b.abs()) | (a == b)
    if equal_nan:
        close = close | (a.isnan() & b.isnan())
    return close.all().to(torch.uint8)


@op(name="_contrib_quadratic", infer=same, lists_input=True)
def quadratic(data: Tensor, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Tensor:
    """a·x² + b·x + c."""
    return (data * a + b) * data + c


class _MultiplyGradient(Function):
    @staticmethod
    def forward(ctx: Any, data: Tensor, scalar: float) -> Tensor:
        ctx.scalar = scalar
        return data.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return gradient * ctx.scalar, None


@op(
    name="_contrib_gradientmultiplier",
    infer=same,
    gradient="multiplied by scalar; forward is the identity",
)
def gradientmultiplier(data: Tensor, *, scalar: float = 1.0, is_int: Hint[bool] = True) -> Tensor:
    """The array itself; its gradient is multiplied by `scalar`."""
    result: Tensor = _MultiplyGradient.apply(data, scalar)
    return result
