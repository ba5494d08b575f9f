"""Products of matrices."""

from __future__ import annotations

from functools import reduce
from math import sqrt
from typing import Literal

import torch
from torch import Tensor

from mxtorch._core.attrs import Hint
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError
from mxtorch._core.op import op
from mxtorch._ops._gradients import without_gradient
from mxtorch._ops._shapes import require
from mxtorch._ops.activation import check_float

StorageType = Literal["csr", "default", "row_sparse"]


@op("_sparse_dot", kernel=torch.mm)
def dot(
    lhs: Tensor,
    rhs: Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: Hint[StorageType | None] = None,
) -> Tensor:
    """The last axis of `lhs` contracted with the first of `rhs`; the flags reverse all axes."""
    check_float(lhs)
    if lhs.ndim == rhs.ndim == 1 and (transpose_a or transpose_b):
        raise MXNetShapeError("vectors cannot be transposed")
    if transpose_a:
        lhs = lhs.permute(*range(1, lhs.ndim), 0)
    if transpose_b:
        rhs = rhs.permute(rhs.ndim - 1, *range(rhs.ndim - 1))
    if lhs.ndim == rhs.ndim == 2:
        return torch.mm(lhs, rhs)
    if lhs.shape[-1:] != rhs.shape[:1]:  # torch takes 1 for any length
        raise MXNetShapeError(f"dot: {lhs.shape[-1]} numbers by {rhs.shape[0]}")
    result: Tensor = torch.tensordot(lhs, rhs, dims=1)
    return result if result.ndim else result.reshape(1)


@op("_npx_batch_dot")
def batch_dot(
    lhs: Tensor,
    rhs: Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: Hint[StorageType | None] = None,
) -> Tensor:
    """The matrix products of two stacks of matrices."""
    check_float(lhs)
    a = lhs.transpose(-1, -2) if transpose_a else lhs
    b = rhs.transpose(-1, -2) if transpose_b else rhs
    if a.ndim == b.ndim == 3:
        return torch.bmm(a, b)
    if a.ndim < 3 or a.shape[:-2] != b.shape[:-2]:
        raise MXNetShapeError("stacks of matrices need at least 3 axes and the same leading ones")
    return torch.matmul(a, b)


@op(view=True)
@without_gradient
def khatri_rao(*args: Tensor) -> Tensor:
    """The Kronecker product of the matrices' columns, column by column."""
    fits = all(a.ndim == 2 and a.shape[1] == args[0].shape[-1] for a in args)
    require(fits, *args, needs="matrices of one number of columns")
    if args[0].dtype not in (torch.float32, torch.float64):
        raise MXNetTypeError(f"only float32 and float64, not {args[0].dtype}")
    return reduce(lambda a, b: (a[:, None] * b[None]).reshape(-1, a.shape[1]), args)


def _heads(packed: Tensor, heads: int, parts: int) -> tuple[Tensor, ...]:
    """(time, batch, heads·parts·d) → parts x (batch·heads, time, d)."""
    time, batch, width = packed.shape
    split = packed.reshape(time, batch * heads, parts, width // (heads * parts))
    return tuple(part.transpose(0, 1) for part in split.unbind(2))


def _merge(stacked: Tensor, heads: int) -> Tensor:
    """(batch·heads, time, d) → (time, batch, heads·d)."""
    rows, time, width = stacked.shape
    return stacked.transpose(0, 1).reshape(time, rows // heads, heads * width)


@op(name="_contrib_interleaved_matmul_selfatt_qk", output_names=("output",))
def interleaved_matmul_selfatt_qk(queries_keys_values: Tensor, *, heads: int) -> Tensor:
    """Scores of self-attention from projections packed per head as query, key, value."""
    query, key, _ = _heads(queries_keys_values, heads, 3)
    return torch.bmm(query / sqrt(query.shape[-1]), key.transpose(1, 2))


@op(name="_contrib_interleaved_matmul_selfatt_valatt", output_names=("output",))
def interleaved_matmul_selfatt_valatt(
    queries_keys_values: Tensor, attention: Tensor, *, heads: int
) -> Tensor:
    """The values of self-attention weighted by `attention`."""
    value = _heads(queries_keys_values, heads, 3)[2]
    require(attention.shape[1] == value.shape[1], queries_keys_values, attention, needs="one time")
    return _merge(torch.bmm(attention, value), heads)


@op(name="_contrib_interleaved_matmul_encdec_qk", output_names=("output",))
def interleaved_matmul_encdec_qk(queries: Tensor, keys_values: Tensor, *, heads: int) -> Tensor:
    """Scores of encoder-decoder attention; keys and values are packed per head."""
    (query,) = _heads(queries, heads, 1)
    key, _ = _heads(keys_values, heads, 2)
    return torch.bmm(query / sqrt(query.shape[-1]), key.transpose(1, 2))


@op(name="_contrib_interleaved_matmul_encdec_valatt", output_names=("output",))
def interleaved_matmul_encdec_valatt(
    keys_values: Tensor, attention: Tensor, *, heads: int
) -> Tensor:
    """The values of encoder-decoder attention weighted by `attention`."""
    value = _heads(keys_values, heads, 2)[1]
    return _merge(torch.bmm(attention, value), heads)
