"""Dense layers and embeddings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from mxtorch._core.attrs import Count, DType
from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import Attrs, Dims, Dtypes, op
from mxtorch._core.storage import gradients_by_rows, wants_rows
from mxtorch._ops._gradients import refusing
from mxtorch._ops._partial import dense
from mxtorch._ops._product import product
from mxtorch._ops.activation import check_float


def bias_unless(attrs: Attrs) -> tuple[str, ...]:
    """The bias, unless `no_bias`."""
    return () if attrs.get("no_bias") else ("bias",)


def checked_bias(bias: Tensor | None, count: int) -> Tensor | None:
    """A bias with an element for each output."""
    if bias is not None and bias.shape != (count,):
        raise MXNetShapeError(f"bias has shape {tuple(bias.shape)}, expected {(count,)}")
    return bias


def _dense_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data, weight, _ = shapes
    units = attrs["num_hidden"]
    if weight is None and data is not None:
        weight = (units, math.prod(data[1:]) if attrs["flatten"] else data[-1])
    return [data, weight, None if attrs["no_bias"] else (units,)]


@op(
    "_npx_fully_connected",
    "_sparse_FullyConnected",
    needs=bias_unless,
    fill=_dense_shapes,
    infer=dense,
    output_names=("output",),
)
def FullyConnected(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    num_hidden: Count,
    no_bias: bool = False,
    flatten: bool = True,
) -> Tensor:
    """`data @ weight.T + bias`, over all axes but the first or (`flatten=False`) the last one."""
    check_float(data)
    if flatten and data.ndim != 2:
        data = data.reshape(data.shape[0], -1)
    if weight.shape != (num_hidden, data.shape[-1]):
        raise MXNetShapeError(
            f"weight has shape {tuple(weight.shape)}; num_hidden={num_hidden} on "
            f"{data.shape[-1]} inputs needs {(num_hidden, data.shape[-1])}"
        )
    bias = None if no_bias else checked_bias(bias, num_hidden)
    if data.is_meta:
        # torch's rule for the shape of `linear` imports its compiler, which takes seconds
        matrix = data.reshape(-1, data.shape[-1]) @ weight.t()
        matrix = matrix if bias is None else matrix + bias
        return matrix.reshape(*data.shape[:-1], num_hidden)
    return product(data, weight, bias)


@gradients_by_rows("Embedding", "_contrib_SparseEmbedding")
def _embedding_gradients(stypes: Sequence[str], attrs: Attrs) -> Sequence[int]:
    return [1] if attrs["sparse_grad"] else []


def embedding_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    """The rule for the shape of the weight."""
    return [shapes[0], (attrs["input_dim"], attrs["output_dim"])]


def embedding_dtypes(given: Dtypes, attrs: Attrs) -> tuple[Dtypes, Dtypes]:
    """The weight has the type that is asked for."""
    return [given[0], given[1] or attrs.get("dtype", torch.float32)], ()


def embed(
    data: Tensor,
    weight: Tensor,
    *,
    input_dim: Count,
    output_dim: Count,
    dtype: DType = torch.float32,
    sparse_grad: bool = False,
) -> Tensor:
    """Rows of `weight`; indices of any type, truncated, those out of range clipped."""
    if weight.shape != (input_dim, output_dim):
        raise MXNetShapeError(
            f"weight has shape {tuple(weight.shape)}, expected {(input_dim, output_dim)}"
        )
    index = data.to(torch.int64)
    by_rows = sparse_grad and wants_rows(weight)
    rows = None
    if data.is_cpu and not torch.compiler.is_compiling():
        try:
            rows = torch.embedding(weight, index, -1, False, by_rows)
        except IndexError:  # rare: some index is out of range
            rows = None
    if rows is None:
        rows = torch.embedding(weight, index.clamp(0, input_dim - 1), -1, False, by_rows)
    return refusing(rows, data, "the indices of Embedding") if data.requires_grad else rows


op(
    "_npx_embedding",
    "_sparse_Embedding",
    name="Embedding",
    mixed=True,
    fill=embedding_shapes,
    dtypes=embedding_dtypes,
)(embed)
