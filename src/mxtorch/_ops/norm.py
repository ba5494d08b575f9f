"""Normalisation over batches, layers, groups, channels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import torch
from torch import Tensor
from torch.nn import functional as F

from mxtorch._core.ambient import Training
from mxtorch._core.attrs import Hint
from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import Attrs, Dims, op


def three_with_stats(attrs: Attrs) -> int:
    """Mean and variance come out too with `output_mean_var`."""
    return 3 if attrs["output_mean_var"] else 1


class _BatchNorm(torch.autograd.Function):
    """Batch statistics forward; the moving statistics move each time that backward runs."""

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any,
        data: Tensor,
        gamma: Tensor,
        beta: Tensor,
        moving_mean: Tensor,
        moving_var: Tensor,
        eps: float,
        momentum: float,
        fix_gamma: bool,
    ) -> Any:
        mean, var = torch.zeros_like(moving_mean), torch.zeros_like(moving_var)
        weight = torch.ones_like(gamma) if fix_gamma else gamma
        out, save_mean, save_invstd = torch.native_batch_norm(
            data, weight, beta, mean, var, True, 1.0, eps
        )
        count = data.numel() // data.shape[1]
        var = var * ((count - 1) / count) if count > 1 else torch.zeros_like(var)
        ctx.save_for_backward(data, weight, save_mean, save_invstd, mean, var)
        ctx.moving = moving_mean, moving_var
        ctx.rule = eps, momentum, fix_gamma
        ctx.mark_non_differentiable(mean, var)
        ctx.set_materialize_grads(False)
        return out, mean, var

    @staticmethod
    def backward(ctx: Any, grad: Tensor, *_: Any) -> Any:  # type: ignore[override]
        data, weight, save_mean, save_invstd, mean, var = ctx.saved_tensors
        eps, momentum, fix_gamma = ctx.rule
        for moving, new in zip(ctx.moving, (mean, var), strict=True):
            moving.mul_(momentum).add_(new, alpha=1 - momentum)
        wanted = [ctx.needs_input_grad[0], ctx.needs_input_grad[1], ctx.needs_input_grad[2]]
        d_data, d_gamma, d_beta = torch.ops.aten.native_batch_norm_backward(
            grad, data, weight, None, None, save_mean, save_invstd, True, eps, wanted
        )
        if fix_gamma and d_gamma is not None:
            d_gamma = torch.zeros_like(d_gamma)
        return d_data, d_gamma, d_beta, None, None, None, None, None


def _batch_norm_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data = shapes[0]
    if data is None:
        return list(shapes)
    return [data, *[(data[attrs["axis"]],)] * 4]


@op(
    "_npx_batch_norm",
    mixed=True,
    outputs=three_with_stats,
    fill=_batch_norm_shapes,
    mutates=("moving_mean", "moving_var"),
)
def BatchNorm(
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
    axis: int = 1,
    cudnn_off: Hint[bool] = False,
    min_calib_range: Hint[float | None] = None,
    max_calib_range: Hint[float | None] = None,
    training: Training = False,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalise each channel by the batch's statistics (training) or the moving ones.

    As on MXNet's CPU the moving statistics move in backward, the variance is the biased one, and
    with `fix_gamma` gamma is overwritten with ones.
    """
    axis %= data.ndim
    if gamma.shape != (data.shape[axis],):
        raise MXNetShapeError(
            f"gamma has shape {tuple(gamma.shape)}; axis {axis} of data has {data.shape[axis]} channels"
        )
    if fix_gamma:
        gamma.data.fill_(1)
    first = data if axis == 1 else data.movedim(axis, 1)
    if training and not use_global_stats:
        out, mean, var = _BatchNorm.apply(
            first, gamma, beta, moving_mean, moving_var, eps, momentum, fix_gamma
        )
    else:
        weight = gamma.detach() if fix_gamma else gamma
        out = F.batch_norm(first, moving_mean, moving_var, weight, beta, False, 0.0, eps)
        mean, var = moving_mean, moving_var
    if axis != 1:
        out = out.movedim(1, axis)
    if not output_mean_var:
        return out
    return out, mean, torch.rsqrt(var + eps)


def _layer_norm_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data = shapes[0]
    if data is None:
        return list(shapes)
    return [data, (data[attrs["axis"]],), (data[attrs["axis"]],)]


@op("_npx_layer_norm", outputs=three_with_stats, fill=_layer_norm_shapes)
def LayerNorm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    *,
    axis: int = -1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalise along one axis."""
    axis %= data.ndim
    last = data.ndim - 1
    moved = data if axis == last else data.movedim(axis, last)
    out = F.layer_norm(moved, gamma.shape, gamma, beta, eps)
    if axis != last:
        out = out.movedim(last, axis)
    if not output_mean_var:
        return out
    var, mean = torch.var_mean(data, axis, correction=0, keepdim=True)
    return out, mean, torch.sqrt(var + eps)


def _group_norm_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    groups = (attrs["num_groups"],)
    return [shapes[0], groups, groups]


@op(outputs=three_with_stats, fill=_group_norm_shapes)
def GroupNorm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    *,
    num_groups: int = 1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalise each group of channels; gamma and beta have one value a group."""
    if data.shape[1] % num_groups:
        raise MXNetShapeError(f"{data.shape[1]} channels do not divide into {num_groups} groups")
    each = data.shape[1] // num_groups
    out = F.group_norm(
        data, num_groups, gamma.repeat_interleave(each), beta.repeat_interleave(each), eps
    )
    if not output_mean_var:
        return out
    grouped = data.reshape(data.shape[0], num_groups, -1)
    var, mean = torch.var_mean(grouped, -1, correction=0)
    return out, mean, torch.sqrt(var + eps)


def _channel_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data = shapes[0]
    return list(shapes) if data is None else [data, (data[1],), (data[1],)]


@op(fill=_channel_shapes)
def InstanceNorm(data: Tensor, gamma: Tensor, beta: Tensor, *, eps: float = 1e-3) -> Tensor:
    """Normalise each channel of each sample."""
    return F.group_norm(data, data.shape[1], gamma, beta, eps)


@op()
def L2Normalization(
    data: Tensor,
    *,
    eps: float = 1e-10,
    mode: Literal["channel", "instance", "spatial"] = "instance",
) -> Tensor:
    """Divide by the root of the sum of squares of a sample, of a pixel or of a channel."""
    first, last = {
        "instance": (1, data.ndim),
        "channel": (1, 2),
        "spatial": (2, data.ndim),
    }[mode]
    axes = tuple(range(first, last))
    return data / torch.sqrt(torch.sum(data * data, axes, keepdim=True) + eps)


@op()
def LRN(
    data: Tensor,
    *,
    alpha: float = 1e-4,
    beta: float = 0.75,
    knorm: float = 2.0,
    nsize: int,
) -> Tensor:
    """Divide by a power of the neighbouring channels' mean square."""
    return F.local_response_norm(data, nsize, alpha, beta, knorm)
