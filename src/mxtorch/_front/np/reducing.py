"""Functions that reduce, sort, count and choose."""

from __future__ import annotations

from typing import Any

import numpy as onp

from mxtorch._core.errors import MXNetTypeError, NotAnArrayError
from mxtorch._front.dialect import Dialect, public
from mxtorch._front.methods import NUMBERS
from mxtorch._front.np_methods import given


@public()
def mean(
    np: Dialect,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
) -> Any:
    """The mean over `axis`; of whole numbers in float32."""
    return np["_npi_mean"](a, axis=axis, keepdims=keepdims, **given(dtype=dtype, out=out))


@public()
def std(
    np: Dialect,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> Any:
    """The standard deviation over `axis`."""
    return np["_npi_std"](a, axis=axis, ddof=ddof, keepdims=keepdims, **given(dtype=dtype, out=out))


@public()
def var(
    np: Dialect,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> Any:
    """The variance over `axis`."""
    return np["_npi_var"](a, axis=axis, ddof=ddof, keepdims=keepdims, **given(dtype=dtype, out=out))


@public()
def average(
    np: Dialect,
    a: Any,
    axis: Any = None,
    weights: Any = None,
    returned: bool = False,
    out: Any = None,
) -> Any:
    """The mean over `axis`, weighted; with `returned` also the sum of the weights."""
    call = np["_npi_average"]
    if weights is None:
        return call(a, axis=axis, returned=returned, weighted=False, **given(out=out))
    return call(a, weights, axis=axis, returned=returned, weighted=True, **given(out=out))


@public()
def argmax(np: Dialect, a: Any, axis: int | None = None, out: Any = None) -> Any:
    """Index of the largest element along `axis`, or of all, int64."""
    return np["_npi_argmax"](a, axis=axis, keepdims=False, **given(out=out))


@public()
def argmin(np: Dialect, a: Any, axis: int | None = None, out: Any = None) -> Any:
    """Index of the smallest element along `axis`, or of all, int64."""
    return np["_npi_argmin"](a, axis=axis, keepdims=False, **given(out=out))


def _check_sort(order: Any) -> None:
    if order is not None:
        raise NotImplementedError("order not supported here")


@public()
def argsort(np: Dialect, a: Any, axis: int | None = -1, kind: Any = None, order: Any = None) -> Any:
    """The indices that sort, int64; `kind` does not matter."""
    _check_sort(order)
    return np["_npi_argsort"](a, axis=axis, is_ascend=True, dtype="int64")


@public()
def sort(np: Dialect, a: Any, axis: int | None = -1, kind: Any = None, order: Any = None) -> Any:
    """The elements in ascending order along `axis`, or of all; `kind` does not matter."""
    _check_sort(order)
    return np["_npi_sort"](a, axis=axis, is_ascend=True)


@public()
def take(
    np: Dialect, a: Any, indices: Any, axis: int | None = None, mode: str = "raise", out: Any = None
) -> Any:
    """The elements (or slices along `axis`) at the indices."""
    if mode not in ("wrap", "clip", "raise"):
        raise NotImplementedError(f"function take does not support mode '{mode}'")
    if axis is None:
        a, axis = np["_npi_reshape"](a, newshape=-1), 0
    return np["_npi_take"](a, indices, axis=axis, mode=mode, **given(out=out))


@public()
def where(np: Dialect, condition: Any, x: Any = None, y: Any = None) -> Any:
    """x where the condition holds, else y; alone the indices where it does."""
    if x is None or y is None:
        if x is not y:
            raise ValueError("either both or neither of x and y should be given")
        return nonzero(np, condition)
    if isinstance(condition, NUMBERS):
        return x if condition != 0 else y
    if isinstance(x, NUMBERS):
        if isinstance(y, NUMBERS):
            return np["_npi_where_scalar2"](condition, x=float(x), y=float(y))
        return np["_npi_where_lscalar"](condition, y, scalar=float(x))
    if isinstance(y, NUMBERS):
        return np["_npi_where_rscalar"](condition, x, scalar=float(y))
    return np["_npi_where"](condition, x, y)


@public()
def nonzero(np: Dialect, a: Any) -> Any:
    """The indices of the elements that are not 0: an array an axis."""
    found = np["_npx_nonzero"](a)
    return tuple(found[:, i] for i in range(found.shape[1]))


@public()
def unique(
    np: Dialect,
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> Any:
    """The different elements, ascending; then places of the first, of each in them, and counts."""
    found = np["_npi_unique"](
        ar,
        return_index=return_index,
        return_inverse=return_inverse,
        return_counts=return_counts,
        axis=axis,
    )
    return tuple(found) if isinstance(found, list) else found


@public()
def bincount(np: Dialect, x: Any, weights: Any = None, minlength: int = 0) -> Any:
    """How often each whole number occurs, or the sum of its weights."""
    if minlength < 0:
        raise ValueError("Minlength value should greater than 0")
    call = np["_npi_bincount"]
    if weights is None:
        return call(x, minlength=minlength, has_weights=False)
    return call(x, weights, minlength=minlength, has_weights=True)


@public()
def histogram(
    np: Dialect,
    a: Any,
    bins: Any = 10,
    range: Any = None,
    normed: Any = None,
    weights: Any = None,
    density: Any = None,
) -> Any:
    """How many elements lie in each bin, and the bins' edges."""
    if normed is True:
        raise NotImplementedError("normed is not supported yet...")
    if weights is not None:
        raise NotImplementedError("weights is not supported yet...")
    if density is True:
        raise NotImplementedError("density is not supported yet...")
    if np.is_array(bins):
        return np["_npi_histogram"](a, bins)
    if isinstance(bins, int):
        if range is None:
            raise NotImplementedError("automatic range is not supported yet...")
        return np["_npi_histogram"](a, bin_cnt=bins, range=range)
    if isinstance(bins, (list, tuple)):
        raise NotImplementedError("array_like bins is not supported yet...")
    if isinstance(bins, str):
        raise NotImplementedError("string bins is not supported yet...")
    raise ValueError("bins argument should be either an integer or an NDArray")


@public()
def diag_indices_from(np: Dialect, arr: Any) -> Any:
    """The indices of the main diagonal: an array an axis."""
    return tuple(np["_npi_diag_indices_from"](arr))


@public()
def unravel_index(np: Dialect, indices: Any, shape: Any, order: str = "C") -> Any:
    """Places in a flat array as coordinates: an array an axis."""
    if order != "C":
        raise NotImplementedError("only C order is supported")
    if isinstance(indices, NUMBERS):
        return onp.unravel_index(int(indices), shape)
    return tuple(np["_unravel_index"](indices, shape=shape))


@public()
def percentile(
    np: Dialect,
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> Any:
    """The q-th percentiles over `axis`."""
    if overwrite_input is not None:
        raise NotImplementedError("overwrite_input is not supported yet")
    facts = {"axis": axis, "interpolation": interpolation, "keepdims": keepdims, "out": out}
    if isinstance(q, NUMBERS):
        return np["_npi_percentile"](a, q_scalar=float(q), **facts)
    if not np.is_array(q):
        raise NotAnArrayError(f"percentiles are a number or an array, got {type(q).__name__}")
    return np["_npi_percentile"](a, q, q_scalar=None, **facts)


@public()
def quantile(
    np: Dialect,
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> Any:
    """The quantiles over `axis`; q is of [0, 1]."""
    return percentile(np, a, q * 100, axis, out, overwrite_input, interpolation, keepdims)


@public()
def diff(
    np: Dialect, a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None
) -> Any:
    """Differences of neighbours along `axis`, n times over."""
    if prepend is not None or append is not None:
        raise NotImplementedError("prepend and append options are not supported yet")
    return np["_npi_diff"](a, n=n, axis=axis)


@public()
def ediff1d(np: Dialect, ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Differences of neighbours of all elements, with more before and behind."""
    arrays = [t for t in (to_begin, to_end) if np.is_array(t)]
    return np["_npi_ediff1d"](
        ary,
        *arrays,
        to_begin_arr_given=np.is_array(to_begin),
        to_end_arr_given=np.is_array(to_end),
        to_begin_scalar=None if np.is_array(to_begin) else to_begin,
        to_end_scalar=None if np.is_array(to_end) else to_end,
    )


@public()
def polyval(np: Dialect, p: Any, x: Any) -> Any:
    """The polynomial with these coefficients, highest power first, at x."""
    if np.is_array(p) and np.is_array(x):
        return np["_npi_polyval"](p, x)
    if not np.is_array(p) and not np.is_array(x):
        return onp.polyval(p, x)
    raise MXNetTypeError("type not supported: p and x must both be arrays")


@public()
def resize(np: Dialect, a: Any, new_shape: Any) -> Any:
    """The elements, as often as needed, in another shape."""
    shape = (new_shape,) if isinstance(new_shape, (int, onp.integer)) else tuple(new_shape)
    total = int(onp.prod(shape))
    flat = np["_npi_reshape"](a, newshape=-1)
    count = flat.shape[0]
    if count == 0 or total == 0:
        return np["_npi_zeros"](shape=shape, dtype=a.dtype)
    repeated = np["_npi_tile"](flat, reps=-(-total // count))
    return np["_npi_reshape"](repeated[:total], newshape=shape)


@public()
def may_share_memory(np: Dialect, a: Any, b: Any, max_work: Any = None) -> Any:
    """Whether two arrays have memory in common."""
    return bool(np["_npi_share_memory"](a, b).item())


@public()
def shares_memory(np: Dialect, a: Any, b: Any, max_work: Any = None) -> Any:
    """Whether two arrays have memory in common."""
    return may_share_memory(np, a, b, max_work)


@public()
def insert(np: Dialect, arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """`values` before the elements that `obj` (a number, a slice, an int64 array) names."""
    if np.is_array(values):
        inputs, number = [values], {}
    elif isinstance(values, NUMBERS):
        inputs, number = [], {"val": float(values)}
    else:
        raise TypeError(f"'values' can not support type {type(values)}")
    if isinstance(obj, slice):
        parts = {"start": obj.start, "stop": obj.stop, "step": obj.step}
        return np["_npi_insert_slice"](arr, *inputs, axis=axis, **given(**parts), **number)
    if isinstance(obj, (int, onp.integer)):
        return np["_npi_insert_scalar"](arr, *inputs, int_ind=int(obj), axis=axis, **number)
    if np.is_array(obj):
        named = {"values": inputs[0]} if inputs else {}
        return np["_npi_insert_tensor"](arr, obj=obj, axis=axis, **named, **number)
    raise TypeError(f"'obj' can not support type {type(obj)}")


@public()
def delete(np: Dialect, arr: Any, obj: Any, axis: int | None = None) -> Any:
    """The array without the elements that `obj` (a number, a slice, an array) names."""
    if not np.is_array(arr):
        raise TypeError(f"'arr' can not support type {type(arr)}")
    call = np["_npi_delete"]
    if isinstance(obj, slice):
        step = 1 if obj.step is None else obj.step
        return call(arr, axis=axis, **given(start=obj.start, stop=obj.stop), step=step)
    if isinstance(obj, (int, onp.integer)):
        return call(arr, int_ind=int(obj), axis=axis)
    if np.is_array(obj):
        return call(arr, obj, axis=axis)
    raise TypeError(f"'obj' can not support type {type(obj)}")
