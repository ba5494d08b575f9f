"""Names that MXNet keeps for old programs, and those behind its own arrays."""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor

from mxtorch._core.ambient import Device, Out, Training
from mxtorch._core.attrs import Count, DType, Hint, Shape, Sizes
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError
from mxtorch._core.op import op
from mxtorch._ops._partial import same
from mxtorch._ops._shapes import require
from mxtorch._ops.conv import Convolution, Tune, shapes_of
from mxtorch._ops.dense import bias_unless, embed, embedding_shapes
from mxtorch._ops.norm import BATCH_NORM, BatchNorm
from mxtorch._ops.pool import Pooling


@op(**BATCH_NORM)
def BatchNorm_v1(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    *,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    training: Training = False,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """`BatchNorm` of old symbol files."""
    return BatchNorm(
        data,
        gamma,
        beta,
        moving_mean,
        moving_var,
        eps=eps,
        momentum=momentum,
        fix_gamma=fix_gamma,
        use_global_stats=use_global_stats,
        output_mean_var=output_mean_var,
        training=training,
    )


@op(needs=bias_unless, fill=shapes_of(transposed=False), output_names=("output",))
def Convolution_v1(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: Count,
    num_group: int = 1,
    workspace: Hint[int] = 1024,
    no_bias: bool = False,
    cudnn_tune: Tune = None,
    cudnn_off: Hint[bool] = False,
    layout: Literal["NCDHW", "NCHW", "NDHWC", "NHWC"] | None = None,
) -> Tensor:
    """`Convolution` of old symbol files."""
    return Convolution(
        data,
        weight,
        bias,
        kernel=kernel,
        stride=stride,
        dilate=dilate,
        pad=pad,
        num_filter=num_filter,
        num_group=num_group,
        no_bias=no_bias,
        layout=layout,
    )


@op(output_names=("output",), lists_input=True)
def Pooling_v1(
    data: Tensor,
    *,
    kernel: Sizes = (),
    pool_type: Literal["avg", "max", "sum"] = "max",
    global_pool: bool = False,
    pooling_convention: Literal["full", "valid"] = "valid",
    stride: Sizes = (),
    pad: Shape = (),
) -> Tensor:
    """`Pooling` of old symbol files: means count elements beyond the padding as zeros too."""
    require(data.ndim in (4, 5), data, needs="(N, C, H, W) or (N, C, D, H, W)")
    mean = pool_type == "avg" and not global_pool
    result = Pooling(
        data,
        kernel=kernel,
        pool_type="sum" if mean else pool_type,
        global_pool=global_pool,
        pooling_convention=pooling_convention,
        stride=stride,
        pad=pad,
    )
    return result / math.prod(kernel) if mean else result


@op(name="_contrib_SparseEmbedding", mixed=True, fill=embedding_shapes)
def SparseEmbedding(
    data: Tensor,
    weight: Tensor,
    *,
    input_dim: Count,
    output_dim: Count,
    dtype: DType = torch.float32,
    sparse_grad: bool = False,
    deterministic: Hint[bool] = False,
) -> Tensor:
    """`Embedding` of old programs, whose gradient is row_sparse."""
    return embed(data, weight, input_dim=input_dim, output_dim=output_dim, sparse_grad=sparse_grad)


@op("_npi_copyto", view=True, mixed=True, infer=same)
def _copyto(data: Tensor) -> Tensor:
    """The values, for `out=`."""
    return data


@op()
def _set_value(*, src: float = 0.0, out: Out = None, device: Device) -> Tensor:
    """A number everywhere in `out`."""
    if out is None:
        raise MXNetTypeError("out=, the array to be filled, is missing")
    return torch.full_like(out, src)


@op(mixed=True)
def _onehot_encode(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Rows with a 1 at the index in `lhs`, of the shape of `rhs`."""
    if lhs.ndim != 1 or rhs.ndim != 2 or lhs.shape[0] != rhs.shape[0]:
        raise MXNetShapeError(
            f"needs indices (N,) and an array (N, classes), got {tuple(lhs.shape)}, "
            f"{tuple(rhs.shape)}"
        )
    if lhs.dtype is not torch.float32 or rhs.dtype is not torch.float32:
        raise MXNetTypeError(f"both arrays must be float32, got {lhs.dtype}, {rhs.dtype}")
    classes = torch.arange(rhs.shape[1], device=rhs.device)
    return (classes == lhs.long().unsqueeze(1)).to(rhs.dtype)
