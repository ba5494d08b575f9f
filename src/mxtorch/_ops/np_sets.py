"""Different elements, differences, percentiles, polynomials of `mx.np` arrays."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor

from mxtorch._core.attrs import Axes
from mxtorch._core.errors import (
    MXNetIndexError,
    MXNetShapeError,
    MXNetTypeError,
    MXNetValueError,
)
from mxtorch._core.op import op, rows
from mxtorch._ops._gradients import without_slope
from mxtorch._ops._shapes import wrap_axis
from mxtorch._ops.np_reduce import axes_of


def _count_unique(attrs: Any) -> int:
    count: int = 1 + attrs["return_index"] + attrs["return_inverse"] + attrs["return_counts"]
    return count


@op(outputs=_count_unique)
def _npi_unique(
    data: Tensor,
    *,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> tuple[Tensor, ...]:
    """The different elements (or slices along `axis`), ascending; then what was asked for."""
    values, inverse, counts = torch.unique(
        data.detach(), sorted=True, return_inverse=True, return_counts=True, dim=axis
    )
    results = [without_slope(values, data)]
    if return_index:
        flat = inverse.reshape(-1)
        first = torch.full((len(counts),), flat.numel(), dtype=torch.int64, device=data.device)
        place = torch.arange(flat.numel(), device=data.device)
        results.append(first.scatter_reduce(0, flat, place, "amin"))
    if return_inverse:
        results.append(inverse.reshape(-1))
    if return_counts:
        results.append(counts)
    return tuple(results)


@op()
def _npi_diff(a: Tensor, *, n: int = 1, axis: int = -1) -> Tensor:
    """Differences of neighbours along `axis`, n times over."""
    if n < 0:
        raise MXNetValueError(f"n={n} must not be negative")
    return torch.diff(a, n, wrap_axis(axis, a.ndim)) if n else a.clone()


@op(
    needs=lambda attrs: ("input2", "input3")[
        : attrs["to_begin_arr_given"] + attrs["to_end_arr_given"]
    ]
)
def _npi_ediff1d(
    input1: Tensor,
    input2: Tensor | None = None,
    input3: Tensor | None = None,
    *,
    to_begin_arr_given: bool = False,
    to_end_arr_given: bool = False,
    to_begin_scalar: float | None = None,
    to_end_scalar: float | None = None,
) -> Tensor:
    """Differences of neighbours of all elements, with more before and behind."""
    given = [t for t in (input2, input3) if t is not None]
    parts = [torch.diff(input1.reshape(-1))]
    if to_begin_arr_given:
        parts.insert(0, given.pop(0).reshape(-1))
    elif to_begin_scalar is not None:
        parts.insert(0, input1.new_full((1,), to_begin_scalar))
    if to_end_arr_given:
        parts.append(given.pop(0).reshape(-1))
    elif to_end_scalar is not None:
        parts.append(input1.new_full((1,), to_end_scalar))
    return torch.cat(parts)


@op(mixed=True, needs=lambda attrs: ("q",) if attrs["q_scalar"] is None else ())
def _npi_percentile(
    a: Tensor,
    q: Tensor | None = None,
    *,
    axis: Axes | None = None,
    interpolation: Literal["higher", "linear", "lower", "midpoint", "nearest"] = "linear",
    keepdims: bool = False,
    q_scalar: float | None = None,
) -> Tensor:
    """The q-th percentiles over `axis`, in float32 or float64. Their gradient is zero."""
    data = a.detach()
    if data.dtype is not torch.float64:
        data = data.to(torch.float32)
    axes = axes_of(axis, data.ndim)
    rest = [d for d in range(data.ndim) if d not in axes]
    flat = data.permute(*rest, *axes).reshape(*(data.shape[d] for d in rest), -1)
    share = torch.tensor(q_scalar, dtype=torch.float64) if q is None else q.detach().double()
    shape = [1 if d in axes else n for d, n in enumerate(data.shape)]
    kept = shape if keepdims else [data.shape[d] for d in rest]
    if data.is_meta:
        return data.new_empty((*share.shape, *kept))
    if bool(((share < 0) | (share > 100)).any()):
        raise MXNetValueError("percentiles must lie in [0, 100]")
    places = share.to(data.device, data.dtype).reshape(-1) / 100
    result = torch.quantile(flat, places, -1, interpolation=interpolation)
    return without_slope(result.reshape((*share.shape, *kept)).contiguous(), a)


@op()
def _npi_polyval(p: Tensor, x: Tensor) -> Tensor:
    """The polynomial with the coefficients p, highest power first, at x."""
    if p.ndim != 1:
        raise MXNetShapeError(f"the coefficients must be a vector, got shape {tuple(p.shape)}")
    result = torch.zeros_like(x)
    for coefficient in p.unbind(0):
        result = result * x + coefficient
    return result


@op(mixed=True)
def _npi_share_memory(a: Tensor, b: Tensor) -> Tensor:
    """Whether two arrays have memory in common."""
    shared = bool(a.numel() and b.numel()) and (
        a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
    )
    return torch.tensor(shared, device=a.device)


# inserting and deleting ---------------------------------------------------------------------------


def _places(
    start: int | None, stop: int | None, step: int | None, length: int, device: torch.device
) -> Tensor:
    """The indices of a slice."""
    picked = range(*slice(start, stop, step).indices(length))
    return torch.tensor(list(picked), dtype=torch.int64, device=device)


def _inserted(arr: Tensor, values: Tensor, index: Tensor | int, axis: int | None) -> Tensor:
    """NumPy's insert: values before the elements that the index names."""
    if axis is None:
        arr, axis = arr.reshape(-1), 0
    axis = wrap_axis(axis, arr.ndim)
    length = arr.shape[axis]
    values = values.to(arr.dtype).reshape((1,) * (arr.ndim - values.ndim) + tuple(values.shape))
    if isinstance(index, int):
        values = torch.movedim(values, 0, axis)
        count = values.shape[axis]
        places = torch.full((count,), index, dtype=torch.int64, device=arr.device)
    else:
        places = index.reshape(-1)
        count = values.shape[axis] if len(places) == 1 else len(places)
        places = places.expand(count)
    if not arr.is_meta and bool(((places < -length) | (places > length)).any()):
        raise MXNetIndexError(f"an index is out of bounds for axis {axis} with size {length}")
    places = torch.where(places < 0, places + length, places)
    order = torch.argsort(places, stable=True)
    target = torch.empty_like(places)
    target[order] = places[order] + torch.arange(count, device=arr.device)
    total = length + count
    old = torch.ones(total, dtype=torch.bool, device=arr.device)
    old[target] = False
    shape = [*arr.shape[:axis], count, *arr.shape[axis + 1 :]]
    source = torch.cat([arr, values.expand(shape)], axis)
    pick = torch.empty(total, dtype=torch.int64, device=arr.device)
    if not arr.is_meta:
        pick[old] = torch.arange(length, device=arr.device)
    pick[target] = torch.arange(count, device=arr.device) + length
    return source.index_select(axis, pick)


def _inserting(by_slice: bool, text: str) -> Any:
    def body(
        arr: Tensor,
        values: Tensor | None = None,
        *,
        val: float | None = None,
        start: int | None = None,
        stop: int | None = None,
        step: int | None = None,
        int_ind: int | None = None,
        axis: int | None = None,
    ) -> Tensor:
        given = arr.new_tensor(val) if values is None else values
        if not by_slice:
            return _inserted(arr, given, int_ind or 0, axis)
        length = arr.numel() if axis is None else arr.shape[axis]
        return _inserted(arr, given, _places(start, stop, step, length, arr.device), axis)

    body.__doc__ = text
    return body


rows(
    _inserting,
    ("_npi_insert_scalar", False, "Values before the element of that index."),
    ("_npi_insert_slice", True, "Values before the elements of a slice."),
    needs=lambda attrs: ("values",) if attrs["val"] is None else (),
    mixed=True,
)


@op(mixed=True, needs=lambda attrs: ("values", "obj") if attrs["val"] is None else ("obj",))
def _npi_insert_tensor(
    arr: Tensor,
    values: Tensor | None = None,
    obj: Tensor | None = None,
    *,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
) -> Tensor:
    """Values before the elements of those indices, int64."""
    if obj is None or obj.dtype is not torch.int64:
        raise MXNetTypeError("the indices must be of type int64")
    return _inserted(arr, arr.new_tensor(val) if values is None else values, obj, axis)


@op(
    mixed=True,
    needs=lambda attrs: (
        ("obj",)
        if all(attrs[name] is None for name in ("start", "stop", "step", "int_ind"))
        else ()
    ),
)
def _npi_delete(
    arr: Tensor,
    obj: Tensor | None = None,
    *,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
) -> Tensor:
    """The array without the elements (or slices along `axis`) that are named."""
    if axis is None:
        arr, axis = arr.reshape(-1), 0
    axis = wrap_axis(axis, arr.ndim)
    length = arr.shape[axis]
    if obj is not None:
        if obj.dtype is torch.bool:
            raise MXNetTypeError("indices to delete must be numbers, not booleans")
        places = obj.reshape(-1).to(torch.int64)
        # -1 is not the last here, nor is it an error to name what does not exist
        keep = torch.ones(length, dtype=torch.bool, device=arr.device)
        keep[places[(places >= 0) & (places < length)]] = False
        return arr.index_select(axis, keep.nonzero().reshape(-1))
    named = range(*slice(start, stop, step).indices(length))
    if int_ind is not None:
        if not -length <= int_ind < length:
            raise MXNetIndexError(f"index {int_ind} is out of bounds for axis {axis} of {length}")
        named = range(int_ind % length, int_ind % length + 1)
    kept = [i for i in range(length) if i not in named]
    return arr.index_select(axis, torch.tensor(kept, dtype=torch.int64, device=arr.device))
