"""What operators element by element, and reductions, do with sparse arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetError, MXNetTypeError
from mxtorch._core.op import find_op
from mxtorch._core.storage import (
    Compressed,
    Rows,
    SparseValue,
    empty_value,
    pointers,
    sparse_kernel,
)

# Functions that are 0 at 0, so that only stored elements need to be computed.
FIX_ZERO = (
    "abs",
    "sign",
    "square",
    "sqrt",
    "cbrt",
    "expm1",
    "log1p",
    "sin",
    "tan",
    "arcsin",
    "arctan",
    "sinh",
    "tanh",
    "arcsinh",
    "arctanh",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "round",
    "fix",
    "relu",
    "negative",
    "degrees",
    "radians",
    "make_loss",
    "BlockGrad",
    "_copy",
    "_contrib_round_ste",
    "_contrib_sign_ste",
)
# With numbers for which they are 0 at 0.
SCALAR = (
    "_plus_scalar",
    "_minus_scalar",
    "_equal_scalar",
    "_not_equal_scalar",
    "_greater_scalar",
    "_greater_equal_scalar",
    "_lesser_scalar",
    "_lesser_equal_scalar",
)


def _on_stored(name: str) -> None:
    @sparse_kernel(name)
    def kernel(data: SparseValue, **attrs: Any) -> SparseValue:
        return data.with_data(find_op(name).body(data.data, **attrs))


for _name in (*FIX_ZERO, "_mul_scalar", "_div_scalar", "_scatter_plus_scalar"):
    _on_stored(_name)
_on_stored("_scatter_minus_scalar")


def _if_zero_stays(name: str) -> None:
    @sparse_kernel(name)
    def kernel(data: SparseValue, **attrs: Any) -> SparseValue | None:
        body = find_op(name).body
        if bool(body(data.data.detach().new_zeros(1), **attrs) != 0):
            return None
        return data.with_data(body(data.data, **attrs))


for _name in SCALAR:
    _if_zero_stays(_name)


@sparse_kernel("clip")
def _clip(data: SparseValue, *, a_min: float, a_max: float) -> SparseValue:
    if a_min > 0 or a_max < 0:
        raise MXNetError(f"clip: a sparse array's zeros lie outside of [{a_min}, {a_max}]")
    return data.with_data(data.data.clamp(a_min, a_max))


@sparse_kernel("zeros_like")
def _zeros_like(data: SparseValue) -> SparseValue:
    return empty_value(data.stype, data.shape, data.data.dtype, data.data.device)


# two arrays -----------------------------------------------------------------------


def _check_shapes(a: SparseValue | Tensor, b: SparseValue | Tensor) -> None:
    if tuple(a.shape) != tuple(b.shape):
        raise MXNetError(f"shapes {tuple(a.shape)} and {tuple(b.shape)} must be equal")


def _sum_rows(a: Rows, b: Rows) -> Rows:
    return Rows(a.shape, torch.cat([a.indices, b.indices]), torch.cat([a.data, b.data])).sorted()


def _sum_compressed(a: Compressed, b: Compressed) -> Compressed:
    places = torch.cat([a.rows() * a.shape[1] + a.indices, b.rows() * b.shape[1] + b.indices])
    found, place = torch.unique(places, return_inverse=True)
    data = a.data.new_zeros(found.shape[0]).index_add(0, place, torch.cat([a.data, b.data]))
    kept = data.detach() != 0  # as MXNet does
    found, data = found[kept], data[kept]
    rows = found.div(a.shape[1], rounding_mode="floor")
    return Compressed(a.shape, pointers(rows, a.shape[0]), found % a.shape[1], data)


def _negated(value: Any) -> Any:
    return value.with_data(-value.data)


def _sum(a: Any, b: Any) -> SparseValue | None:
    if isinstance(a, Rows) and isinstance(b, Rows):
        _check_shapes(a, b)
        return _sum_rows(a, b)
    if isinstance(a, Compressed) and isinstance(b, Compressed):
        _check_shapes(a, b)
        return _sum_compressed(a, b)
    return None


@sparse_kernel("elemwise_add", "_grad_add")
def _add(lhs: Any, rhs: Any) -> SparseValue | None:
    return _sum(lhs, rhs)


@sparse_kernel("elemwise_sub")
def _sub(lhs: Any, rhs: Any) -> SparseValue | None:
    if isinstance(rhs, SparseValue) and isinstance(lhs, SparseValue):
        return _sum(lhs, _negated(rhs))
    return None


@sparse_kernel("add_n")
def _add_n(*args: Any, num_args: int = 0) -> Any:
    if not all(isinstance(a, Rows) for a in args):
        return None
    total = args[0]
    for value in args[1:]:
        _check_shapes(total, value)
        total = _sum_rows(total, value)
    return total.sorted() if len(args) == 1 else total


def _at(dense: Tensor, value: SparseValue) -> Tensor:
    """A dense array's elements at the places that are stored."""
    if isinstance(value, Rows):
        return dense[value.indices]
    assert isinstance(value, Compressed)
    return dense[value.rows(), value.indices]


def _times_rows(a: Rows, b: Rows) -> Rows:
    """As MXNet the rows of both; those of one alone hold zeros."""
    both = torch.unique(torch.cat([a.indices, b.indices]))
    left, right = a.to_dense()[both], b.to_dense()[both]
    return Rows(a.shape, both, left * right)


def _times_compressed(a: Compressed, b: Compressed) -> Compressed:
    left = a.rows() * a.shape[1] + a.indices
    right = b.rows() * b.shape[1] + b.indices
    common = torch.isin(left, right)
    order = torch.argsort(right)
    found = order[torch.searchsorted(right[order], left[common])]
    rows = a.rows()[common]
    data = a.data[common] * b.data[found]
    return Compressed(a.shape, pointers(rows, a.shape[0]), a.indices[common], data)


@sparse_kernel("elemwise_mul")
def _mul(lhs: Any, rhs: Any) -> Any:
    _check_shapes(lhs, rhs)
    if isinstance(lhs, Tensor):
        return rhs.with_data(_at(lhs, rhs) * rhs.data) if isinstance(rhs, SparseValue) else None
    if isinstance(rhs, Tensor):
        return lhs.with_data(lhs.data * _at(rhs, lhs)) if isinstance(lhs, SparseValue) else None
    if isinstance(lhs, Rows) and isinstance(rhs, Rows):
        return _times_rows(lhs, rhs)
    if isinstance(lhs, Compressed) and isinstance(rhs, Compressed):
        return _times_compressed(lhs, rhs)
    return None


@sparse_kernel("_scatter_elemwise_div")
def _scatter_div(lhs: Any, rhs: Any) -> SparseValue | None:
    if isinstance(lhs, Rows) and isinstance(rhs, Tensor):
        return lhs.with_data(lhs.data / _at(rhs, lhs))
    return None


def _broadcast(fn: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., SparseValue | None]:
    def kernel(lhs: Any, rhs: Any) -> SparseValue | None:
        if not isinstance(lhs, Compressed) or not isinstance(rhs, Tensor):
            return None
        return lhs.with_data(fn(lhs.data, _at(rhs.expand(lhs.shape), lhs)))

    return kernel


sparse_kernel("broadcast_mul")(_broadcast(torch.mul))


@sparse_kernel("broadcast_div")
def _broadcast_div(lhs: Any, rhs: Any) -> SparseValue | None:
    if isinstance(lhs, Compressed) and isinstance(rhs, Tensor) and lhs.shape == rhs.shape:
        raise MXNetError(
            "use elemwise_div (mx.nd.sparse.divide) for division between csr and dense of the "
            "same shape"
        )
    return _broadcast(torch.div)(lhs, rhs)


# reductions -----------------------------------------------------------------------


def _only(axis: Any, ndim: int) -> int | None:
    """The one axis that is reduced over, or None."""
    axes = (axis,) if isinstance(axis, int) else axis
    return axes[0] % ndim if axes is not None and len(axes) == 1 else None


def _reduced(data: Any, axis: Any, keepdims: bool) -> Any:
    """The sum over one axis of a matrix, or over all."""
    if axis is None or axis == ():
        return data.data.sum().reshape((1,) * len(data.shape) if keepdims else (1,))
    only = _only(axis, len(data.shape))
    if only is None or len(data.shape) != 2:
        return None
    length = data.shape[1 - only]
    if isinstance(data, Compressed):
        place = data.indices if only == 0 else data.rows()
        values = data.data
    elif only == 1:
        place, values = data.indices, data.data.sum(1)
    else:
        result = data.data.sum(0)
        return result.unsqueeze(0) if keepdims else result
    result = values.new_zeros(length).index_add(0, place, values)
    return result.unsqueeze(only) if keepdims else result


@sparse_kernel("sum")
def _sum_over(
    data: Any, *, axis: Any = None, keepdims: bool = False, exclude: bool = False
) -> Tensor | None:
    return None if exclude else _reduced(data, axis, keepdims)


@sparse_kernel("mean")
def _mean_over(
    data: Any, *, axis: Any = None, keepdims: bool = False, exclude: bool = False
) -> Any:
    total = None if exclude else _reduced(data, axis, keepdims)
    if total is None:
        return None
    count = 1
    for length in data.shape:
        count *= length
    return total / (count / max(total.numel(), 1))


@sparse_kernel("norm")
def _norm(data: Any, *, ord: int = 2, axis: Any = None, **attrs: Any) -> Any:
    if axis is not None or ord != 2:
        return None
    return find_op("norm").body(data.data, ord=ord, **attrs) if data.data.numel() else None


@sparse_kernel("_square_sum", dense_too=True)
def _square_sum(
    data: Any, *, axis: Any = None, keepdims: bool = False, exclude: bool = False
) -> Any:
    if isinstance(data, Tensor):
        if data.requires_grad:  # the dense twin of a row_sparse array whose gradient is wanted
            return None
        raise MXNetTypeError("_square_sum takes a row_sparse array; square and sum a dense one")
    squared = data.with_data(data.data * data.data)
    if isinstance(data, Rows) and keepdims and _only(axis, 2) == 1:
        return Rows((data.shape[0], 1), data.indices, squared.data.sum(1, keepdim=True))
    return _reduced(squared, axis, keepdims)


@sparse_kernel("_contrib_getnnz")
def _getnnz(data: Any, *, axis: int | None = None) -> Tensor | None:
    if not isinstance(data, Compressed):
        return None
    if axis is None:
        return data.indptr[-1:].clone()
    if axis == 0:
        raise MXNetError("getnnz with axis=0 is not supported, as in MXNet; use axis=1 or None")
    return data.indptr[1:] - data.indptr[:-1]


# parts -----------------------------------------------------------------------


@sparse_kernel("slice")
def _slice(data: Any, *, begin: Any, end: Any, step: Any = ()) -> Compressed | None:
    if not isinstance(data, Compressed) or any(s not in (None, 1) for s in step):
        return None
    return sliced(data, *(slice(b, e) for b, e in zip(begin, end, strict=True)))


def sliced(data: Compressed, rows: slice, columns: slice = slice(None)) -> Compressed:
    """Some neighbouring rows, of them some neighbouring columns."""
    first, last, _ = rows.indices(data.shape[0])
    last = max(first, last)
    part = data.indptr[first : last + 1]
    low, high = (int(part[0]), int(part[-1])) if part.numel() else (0, 0)
    shape = (last - first, data.shape[1])
    result = Compressed(shape, part - low, data.indices[low:high], data.data[low:high])
    left, right, _ = columns.indices(data.shape[1])
    if (left, right) == (0, data.shape[1]):
        return result
    inside = (result.indices >= left) & (result.indices < right)
    at = pointers(result.rows()[inside], shape[0])
    width = max(right - left, 0)
    return Compressed((shape[0], width), at, result.indices[inside] - left, result.data[inside])


@sparse_kernel("take")
def _take(a: Any, indices: Any, *, axis: int = 0, mode: str = "clip") -> Compressed | None:
    if not isinstance(a, Compressed) or not isinstance(indices, Tensor) or indices.ndim != 1:
        return None
    count = a.shape[0]
    wanted = indices.long()
    wanted = wanted % count if mode == "wrap" else wanted.clamp(0, count - 1)
    starts = a.indptr[wanted]
    lengths = a.indptr[wanted + 1] - starts
    at = torch.cat([lengths.new_zeros(1), lengths.cumsum(0)])
    total = int(at[-1])
    inner = torch.arange(total, device=at.device) - torch.repeat_interleave(at[:-1], lengths)
    place = inner + torch.repeat_interleave(starts, lengths)
    return Compressed((len(wanted), a.shape[1]), at, a.indices[place], a.data[place])


@sparse_kernel("Concat")
def _concat(*data: Any, dim: int = 1, num_args: int = 0) -> Compressed | None:
    if dim != 0 or not all(isinstance(d, Compressed) for d in data):
        return None
    if len({d.shape[1] for d in data}) > 1:
        raise MXNetError("concat: matrices with different numbers of columns")
    at, shift = [data[0].indptr], data[0].indptr[-1:]
    for part in data[1:]:
        at.append(part.indptr[1:] + shift)
        shift = shift + part.indptr[-1:]
    shape = (sum(d.shape[0] for d in data), data[0].shape[1])
    indices = torch.cat([d.indices for d in data])
    return Compressed(shape, torch.cat(at), indices, torch.cat([d.data for d in data]))
