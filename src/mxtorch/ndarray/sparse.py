"""`mx.nd.sparse`: arrays that store few of their elements, and the operators on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from mxtorch._core.device import Context, context_to_device, place
from mxtorch._core.dtypes import dtype_to_torch
from mxtorch._core.errors import MXNetAssertionError
from mxtorch._core.storage import Compressed, Rows, SparseValue, cast, empty_value
from mxtorch._front.handle import sparse_classes
from mxtorch.ndarray import _create
from mxtorch.ndarray._namespace import fill
from mxtorch.ndarray._sparse import (
    BaseSparseNDArray,
    CSRNDArray,
    RowSparseNDArray,
    add,
    divide,
    multiply,
    subtract,
)
from mxtorch.ndarray.ndarray import NDArray

__all__ = [
    "BaseSparseNDArray",
    "CSRNDArray",
    "RowSparseNDArray",
    "add",
    "array",
    "csr_matrix",
    "divide",
    "empty",
    "multiply",
    "row_sparse_array",
    "subtract",
    "zeros",
]


def is_scipy(value: Any) -> bool:
    """Whether a value is a matrix of SciPy (which need not be installed)."""
    return hasattr(value, "tocsr") and hasattr(value, "nnz")


def _type(source: Any, dtype: Any) -> torch.dtype:
    """The dtype that was asked for, that of the source, or float32."""
    if dtype is None:
        dtype = getattr(source, "dtype", np.float32)
    return dtype_to_torch(dtype)


def _tensor(values: Any, dtype: torch.dtype, ctx: Context) -> torch.Tensor:
    """A copy on a context."""
    if isinstance(values, NDArray):
        values = values.storage()
    elif not isinstance(values, torch.Tensor):
        values = torch.from_numpy(np.array(values))
    return values.to(context_to_device(ctx), dtype, copy=True).contiguous()


def _array(value: SparseValue, ctx: Context) -> Any:
    return sparse_classes[value.stype](value, ctx)


def _check_shape(found: Any, wanted: Any) -> None:
    if wanted is not None and tuple(found) != tuple(wanted):
        raise ValueError(f"Shape mismatch detected. {tuple(found)} v.s. {tuple(wanted)}")


def csr_matrix(
    arg1: Any, shape: Any = None, ctx: Context | None = None, dtype: Any = None
) -> CSRNDArray:
    """A csr matrix of a dense array, of another csr matrix (SciPy's too), of a shape (M, N), of
    (data, indices, indptr), or of (data, (rows, columns)).

    float32 unless `dtype` or the source says otherwise. Indices are not checked: `check_format`.
    """
    ctx = place(ctx)
    if not isinstance(arg1, tuple):
        return _csr_of(arg1, shape, ctx, dtype)
    if len(arg1) == 2 and not isinstance(arg1[1], (tuple, list)):
        _check_shape(arg1, shape)
        kind = dtype_to_torch(np.float32 if dtype is None else dtype)
        value = empty_value("csr", arg1, kind, context_to_device(ctx))
    elif len(arg1) == 2:
        data, (rows, columns) = arg1
        value = _from_coordinates(data, rows, columns, shape, ctx, dtype)
    elif len(arg1) == 3:
        value = _from_parts(*arg1, shape, ctx, dtype)
    else:
        raise ValueError(f"Unexpected length of input tuple: {len(arg1)}")
    result: CSRNDArray = _array(value, ctx)
    return result


def _from_parts(
    data: Any, indices: Any, indptr: Any, shape: Any, ctx: Context, dtype: Any
) -> Compressed:
    values = _tensor(data, _type(data, dtype), ctx)
    columns, at = _tensor(indices, torch.int64, ctx), _tensor(indptr, torch.int64, ctx)
    if values.ndim != 1 or columns.ndim != 1 or at.ndim != 1:
        raise ValueError("data, indices and indptr must have one axis each")
    if values.shape != columns.shape or at.numel() == 0:
        raise ValueError(
            f"{values.numel()} values came with {columns.numel()} indices and {at.numel()} pointers"
        )
    if shape is None:
        if not columns.numel():
            raise ValueError("invalid shape: pass shape= for a matrix without elements")
        shape = (at.numel() - 1, int(columns.max()) + 1)
    if at.numel() != shape[0] + 1:
        raise ValueError(f"indptr has {at.numel()} elements; a matrix {shape} needs {shape[0] + 1}")
    return Compressed(shape, at, columns, values)


def _from_coordinates(
    data: Any, rows: Any, columns: Any, shape: Any, ctx: Context, dtype: Any
) -> SparseValue:
    values = np.asarray(data.asnumpy() if isinstance(data, NDArray) else data)
    at, across = (
        np.asarray(x.asnumpy() if isinstance(x, NDArray) else x, dtype=np.int64)
        for x in (rows, columns)
    )
    if shape is None:
        shape = (int(at.max()) + 1, int(across.max()) + 1)
    if at.size and (at.min() < 0 or at.max() >= shape[0] or across.max() >= shape[1]):
        raise ValueError(f"an index is out of range for shape {tuple(shape)}")
    places, inverse = np.unique(at * shape[1] + across, return_inverse=True)
    total = np.zeros(len(places), values.dtype)
    np.add.at(total, inverse, values)  # those of one place are added
    pointers = np.searchsorted(places // shape[1], np.arange(shape[0] + 1))
    return _from_parts(total, places % shape[1], pointers, shape, ctx, dtype or values.dtype)


def _csr_of(source: Any, shape: Any, ctx: Context, dtype: Any) -> CSRNDArray:
    if isinstance(source, BaseSparseNDArray):
        if not isinstance(source, CSRNDArray):
            raise ValueError(f"cast_storage from {source.stype} to csr is not supported")
        _check_shape(source.shape, shape)
        same = source.copyto(ctx)
        result: CSRNDArray = same if dtype is None else same.astype(dtype)
        return result
    if is_scipy(source):
        matrix = source.tocsr()
        _check_shape(matrix.shape, shape)
        parts = matrix.data, matrix.indices, matrix.indptr
        value = _from_parts(*parts, matrix.shape, ctx, dtype or matrix.dtype)
        made: CSRNDArray = _array(value, ctx)
        return made
    dense = _tensor(source, _type(source, dtype), ctx)
    if dense.ndim != 2:
        raise ValueError(
            "To convert to a CSR, the NDArray should be 2 Dimensional. Current shape is "
            f"{tuple(dense.shape)}"
        )
    _check_shape(dense.shape, shape)
    cast_value: Any = cast(dense, "csr")
    converted: CSRNDArray = _array(cast_value, ctx)
    return converted


def row_sparse_array(
    arg1: Any, shape: Any = None, ctx: Context | None = None, dtype: Any = None
) -> RowSparseNDArray:
    """A row_sparse array of a dense one, of another row_sparse one, of a shape, or of
    (data, indices): the rows and where they stand.

    float32 unless `dtype` or the source says otherwise. Indices are not checked: `check_format`.
    """
    ctx = place(ctx)
    result: RowSparseNDArray
    if isinstance(arg1, tuple):
        if not arg1 or isinstance(arg1[0], (int, np.integer)):
            _check_shape(arg1, shape)
            kind = dtype_to_torch(np.float32 if dtype is None else dtype)
            result = _array(empty_value("row_sparse", arg1, kind, context_to_device(ctx)), ctx)
            return result
        if len(arg1) != 2:
            raise ValueError(f"Unexpected length of input tuple: {len(arg1)}")
        data, indices = arg1
        values = _tensor(data, _type(data, dtype), ctx)
        rows = _tensor(indices, torch.int64, ctx)
        if rows.ndim != 1 or values.ndim < 1 or values.shape[0] != rows.shape[0]:
            raise ValueError(f"{tuple(values.shape)} rows came with {tuple(rows.shape)} indices")
        if shape is None:
            if not rows.numel():
                raise ValueError("invalid shape: pass shape= for an array without rows")
            shape = (int(rows.max()) + 1, *values.shape[1:])
        result = _array(Rows(shape, rows, values), ctx)
        return result
    if isinstance(arg1, BaseSparseNDArray):
        if not isinstance(arg1, RowSparseNDArray):
            raise ValueError(f"cast_storage from {arg1.stype} to row_sparse is not supported")
        _check_shape(arg1.shape, shape)
        same = arg1.copyto(ctx)
        result = same if dtype is None else same.astype(dtype)
        return result
    dense = _tensor(arg1, _type(arg1, dtype), ctx)
    _check_shape(dense.shape, shape)
    value: Any = cast(dense, "row_sparse")
    result = _array(value, ctx)
    return result


def zeros(
    stype: str, shape: Any, ctx: Context | None = None, dtype: Any = None, **kwargs: Any
) -> Any:
    """Zeros in a storage type: 'row_sparse' and 'csr' store nothing."""
    if stype == "default":
        return _create.zeros(shape, ctx, dtype, **kwargs)
    if stype not in sparse_classes:
        raise ValueError(f"unknown storage type {stype}")
    ctx = place(ctx)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    kind = dtype_to_torch(np.float32 if dtype is None else dtype)
    return _array(empty_value(stype, shape, kind, context_to_device(ctx)), ctx)


def empty(stype: str, shape: Any, ctx: Context | None = None, dtype: Any = None) -> Any:
    """An array in a storage type whose values are not set (they are 0 here)."""
    return zeros(stype, shape, ctx, dtype)


def array(source_array: Any, ctx: Context | None = None, dtype: Any = None) -> Any:
    """A sparse array of a sparse one, or of a matrix of SciPy."""
    if isinstance(source_array, RowSparseNDArray):
        return row_sparse_array(source_array, ctx=ctx, dtype=dtype)
    if isinstance(source_array, CSRNDArray) or is_scipy(source_array):
        return csr_matrix(source_array, ctx=ctx, dtype=dtype)
    if isinstance(source_array, NDArray):
        raise MXNetAssertionError("use tostype to make a sparse array of a dense one")
    raise ValueError(
        "Please use mx.nd.array to create an NDArray with source_array of type "
        f"{type(source_array)}"
    )


fill(globals(), "sparse")
gs_retain = globals()["retain"]
