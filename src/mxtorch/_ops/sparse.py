"""Operators of sparse arrays: casts, kept rows, products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetError, MXNetTypeError
from mxtorch._core.op import op
from mxtorch._core.pending import Function
from mxtorch._core.storage import (
    Compressed,
    Rows,
    SparseValue,
    cast,
    compressed,
    gradients_by_rows,
    rows_gradient,
    rows_of,
    sparse_kernel,
    wants_rows,
)
from mxtorch._ops._shapes import at_least_1d
from mxtorch._ops.reduce import dims

Stype = Literal["csr", "default", "row_sparse"]


@op("_sparse_cast_storage")
def cast_storage(data: Tensor, *, stype: Stype) -> Tensor:
    """The array in another storage type: 'default', 'row_sparse' or 'csr'."""
    return data.clone()


@sparse_kernel("cast_storage", dense_too=True)
def _cast_storage(data: Any, *, stype: str) -> Any:
    return cast(data, stype)


@op(name="_sparse_retain", mixed=True)
def retain(data: Tensor, indices: Tensor) -> Tensor:
    """A row_sparse array with the given rows only; rows that it lacks are zeros."""
    rows = indices.reshape(-1).long()
    return torch.zeros_like(data).index_copy(0, rows, data[rows])


@sparse_kernel("_sparse_retain")
def _retain(data: Any, indices: Any) -> Rows | None:
    if isinstance(data, Tensor):
        return None
    if not isinstance(data, Rows) or not isinstance(indices, Tensor):
        raise MXNetTypeError("retain takes a row_sparse array and a dense array of indices")
    return retained(data, indices)


def retained(data: Rows, indices: Tensor) -> Rows:
    """The rows `indices` of `data`, zeros where it has none."""
    wanted = indices.reshape(-1).long()
    order = torch.argsort(data.indices)
    known = data.indices[order]
    rows = data.data.new_zeros((wanted.shape[0], *data.data.shape[1:]))
    if known.numel() and wanted.numel():
        place = torch.searchsorted(known, wanted).clamp(max=known.shape[0] - 1)
        found = known[place] == wanted
        rows = rows.index_copy(0, found.nonzero().reshape(-1), data.data[order[place[found]]])
    return Rows(data.shape, wanted, rows)


@op()
def _square_sum(
    data: Tensor,
    *,
    axis: int | None = None,
    keepdims: bool = False,
    exclude: bool = False,
) -> Tensor:
    """The sum of squares of a row_sparse array; in graphs its shape and its gradient follow."""
    chosen = dims(axis, data.ndim, exclude)
    total = (data * data).sum(chosen, keepdim=keepdims)
    return total if keepdims else at_least_1d(total)


@gradients_by_rows("_square_sum")
def _square_sum_gradients(stypes: Sequence[str], attrs: Any) -> Sequence[int]:
    return [0] if list(stypes) == ["row_sparse"] else []


@op(name="_contrib_getnnz")
def getnnz(data: Tensor, *, axis: int | None = None) -> Tensor:
    """How many elements a csr matrix stores, in all or (axis=1) in each row."""
    raise MXNetTypeError("getnnz takes a csr matrix; cast it with tostype('csr')")


# products -----------------------------------------------------------------------


def _product(
    rows: Tensor, columns: Tensor, values: Tensor, shape: tuple[int, ...], dense: Tensor
) -> Tensor:
    """A sparse matrix, by its elements, times a dense one."""
    if values.dtype in (torch.float32, torch.float64):
        places = torch.stack([rows, columns])
        matrix = torch.sparse_coo_tensor(places, values, shape, check_invariants=False)
        product: Tensor = torch.sparse.mm(matrix, dense)
        return product
    result = dense.new_zeros(shape[0], dense.shape[1])
    return result.index_add(0, rows, values.unsqueeze(1) * dense[columns])


class _Times(Function):
    """A csr matrix (transposed or not) times a dense one that may want its gradient by rows."""

    @staticmethod
    def forward(ctx: Any, dense: Tensor, matrix: Compressed, transposed: bool) -> Tensor:
        rows, columns = matrix.rows(), matrix.indices
        if transposed:
            rows, columns = columns, rows
        shape = matrix.shape[::-1] if transposed else matrix.shape
        ctx.matrix = rows, columns, matrix.data, shape
        ctx.by_rows, ctx.shape = wants_rows(dense), dense.shape
        return _product(rows, columns, matrix.data, shape, dense)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        rows, columns, values, shape = ctx.matrix
        if not ctx.by_rows:
            return _product(columns, rows, values, shape[::-1], grad), None, None
        used, place = torch.unique(columns, return_inverse=True)
        part = _product(place, rows, values, (used.shape[0], shape[0]), grad)
        return rows_gradient(Rows(ctx.shape, used, part)), None, None


def _times(matrix: Compressed, dense: Tensor, transposed: bool) -> Tensor:
    if matrix.data.requires_grad:  # the matrix was computed from arrays that want gradients
        rows, columns = matrix.rows(), matrix.indices
        if transposed:
            return _product(columns, rows, matrix.data, matrix.shape[::-1], dense)
        return _product(rows, columns, matrix.data, matrix.shape, dense)
    result: Tensor = _Times.apply(dense, matrix, transposed)
    return result


def _as(result: Tensor, stype: str) -> Tensor | SparseValue:
    if stype == "default":
        return result
    return rows_of(result) if stype == "row_sparse" else compressed(result)


@sparse_kernel("dot")
def _dot(
    lhs: Any,
    rhs: Any,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
) -> Any:
    if isinstance(lhs, Compressed) and not isinstance(rhs, Compressed):
        return _matrix_dot(lhs, rhs, transpose_a, transpose_b, forward_stype)
    if isinstance(rhs, Compressed) and isinstance(lhs, Tensor) and not transpose_a:
        if lhs.ndim != 2:
            return None
        # (A B)' = B' A'
        result = _times(rhs, lhs.T, not transpose_b).T.contiguous()
        return _as(result, forward_stype or "csr")
    return None


@gradients_by_rows("dot")
def _dot_gradients(stypes: Sequence[str], attrs: Any) -> Sequence[int]:
    return [1] if list(stypes) == ["csr", "row_sparse"] else []


def _matrix_dot(
    lhs: Compressed, rhs: Any, transpose_a: bool, transpose_b: bool, forward_stype: str | None
) -> Any:
    if len(rhs.shape) != 2:
        raise MXNetError("dot: sparse dot only supports a right side of 2 dimensions")
    inner = lhs.shape[0] if transpose_a else lhs.shape[1]
    if inner != rhs.shape[1 if transpose_b else 0]:
        raise MXNetError(f"dot: shapes {lhs.shape} and {tuple(rhs.shape)} do not fit")
    by_rows = isinstance(rhs, Rows)
    dense = rhs.to_dense() if by_rows else rhs
    result = _times(lhs, dense.T if transpose_b else dense, transpose_a)
    if forward_stype is None:
        forward_stype = "row_sparse" if transpose_a and not transpose_b else "default"
    if forward_stype != "row_sparse" or not transpose_a or by_rows:
        return _as(result, forward_stype)
    used = torch.unique(lhs.indices)  # rows that no element reaches are not stored
    return Rows(result.shape, used, result[used])
