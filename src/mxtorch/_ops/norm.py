"""Normalisation over batches, layers, groups, channels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from mxtorch._core.ambient import Kept, Training
from mxtorch._core.attrs import Hint
from mxtorch._core.dtypes import dtype_name
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError
from mxtorch._core.modes import modes
from mxtorch._core.op import Attrs, Dims, Dtypes, op
from mxtorch._core.pending import Function
from mxtorch._core.writes import note
from mxtorch._ops._gradients import follows, single, without_slope
from mxtorch._ops._shapes import wrap_axis
from mxtorch._ops.activation import check_float

_NO_SLOPE = "that of the result alone: mean and deviation, which may come out too, have none"


def with_stats(attrs: Attrs) -> int:
    """How many outputs are seen: the statistics too with `output_mean_var`."""
    return 3 if attrs["output_mean_var"] else 1


# data types that come with float32 parameters
_NARROW = (torch.float16, torch.bfloat16)


class _Rule(NamedTuple):
    """The attributes of one call."""

    eps: float
    momentum: float
    fix_gamma: bool
    use_global_stats: bool
    # whether the batch's statistics are measured, or the moving ones used
    measure: bool


class _BatchNorm(Function):
    """Normalisation by given statistics or the batch's, with what MXNet does in backward.

    If backward is in training mode too, the moving statistics move (as often as it runs), and the
    gradient counts the statistics as functions of the data: also the moving ones that a forward in
    predict mode used.
    """

    @staticmethod
    def forward(
        ctx: Any,
        data: Tensor,
        gamma: Tensor,
        beta: Tensor,
        moving_mean: Tensor,
        moving_var: Tensor,
        rule: _Rule,
    ) -> Any:
        weight = torch.ones_like(gamma) if rule.fix_gamma else gamma
        if rule.measure:
            mean, var = torch.zeros_like(moving_mean), torch.zeros_like(moving_var)
            stats, training = (mean, var), True
        else:
            stats, training = (moving_mean, moving_var), False
        # with momentum 1 torch leaves the batch's own mean and (unbiased) variance in `stats`
        out, *saved = torch._batch_norm_impl_index(
            data, weight, beta, *stats, training, 1.0, rule.eps, True
        )
        if rule.measure:
            count = data.numel() // data.shape[1]
            var = var * ((count - 1) / count) if count > 1 else torch.zeros_like(var)
        else:
            mean, var = moving_mean.clone(), moving_var.clone()
        *tensors, ctx.kernel = saved
        ctx.save_for_backward(data, weight, mean, var, *tensors)
        ctx.moving, ctx.rule = (moving_mean, moving_var), rule
        ctx.mark_non_differentiable(mean, var)
        ctx.set_materialize_grads(False)
        return out, mean, var

    @staticmethod
    def backward(ctx: Any, grad: Tensor | None, *_: Any) -> Any:
        data, weight, mean, var, save_mean, save_invstd, reserve = ctx.saved_tensors
        rule, kernel = ctx.rule, ctx.kernel
        # an accelerator's backward runs on a thread of torch's own, which has no modes set
        now = modes.training if data.is_cpu else rule.measure
        training = now and not rule.use_global_stats
        if training and rule.measure:
            note(ctx.moving)
            for moving, new in zip(ctx.moving, (mean, var), strict=True):
                moving.mul_(rule.momentum).add_(new, alpha=1 - rule.momentum)
        if grad is None:
            return (None,) * 6
        if training and not rule.measure:
            save_mean, save_invstd, kernel = mean, torch.rsqrt(var + rule.eps), 0
        wanted = list(ctx.needs_input_grad[:3])
        gradients = torch.ops.aten._batch_norm_impl_index_backward(
            kernel if training else 0,
            data,
            grad.contiguous(),
            weight,
            *ctx.moving,
            save_mean,
            save_invstd,
            training,
            rule.eps,
            wanted,
            reserve,
        )
        d_data, d_gamma, d_beta = gradients
        if rule.fix_gamma and wanted[1]:
            d_gamma = torch.zeros_like(weight)
        return d_data, d_gamma, d_beta, None, None, None


def batch_norm_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    """The rule for the shapes of parameters and statistics: the number of channels."""
    data = shapes[0]
    if data is None:
        return list(shapes)
    return [data, *[(data[attrs.get("axis", 1)],)] * 4]


def batch_norm_dtypes(given: Dtypes, attrs: Attrs) -> tuple[Dtypes, Dtypes]:
    """Parameters and statistics of float16 data are float32."""
    data = given[0]
    own = torch.float32 if data in _NARROW else data
    return [data, *(dtype or own for dtype in given[1:])], ()


# what initializes the moving statistics in symbols
MOVING = {
    "moving_mean": {"__init__": '["zero", {}]'},
    "moving_var": {"__init__": '["one", {}]'},
}


# What holds of every operator that normalises by a batch's statistics.
BATCH_NORM: dict[str, Any] = {
    "mixed": True,
    "outputs": 3,
    "visible": with_stats,
    "output_names": ("output", "mean", "var"),
    "fill": batch_norm_shapes,
    "mutates": ("moving_mean", "moving_var"),
}


@op(
    "_npx_batch_norm",
    dtypes=batch_norm_dtypes,
    variable_attrs=MOVING,
    gradient=_NO_SLOPE,
    **BATCH_NORM,
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
    kept: Kept = True,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalise each channel by the batch's statistics (training) or the moving ones.

    As on MXNet's CPU the moving statistics move in backward, the variance is the biased one, and
    with `fix_gamma` gamma is overwritten with ones (in graphs only where backward may come). With
    `output_mean_var` the mean and the inverse standard deviation come out too.
    """
    axis = wrap_axis(axis, data.ndim)
    check_parameters(data, gamma, (beta, moving_mean, moving_var), data.shape[axis], axis)
    if fix_gamma and (not (kept or output_mean_var) or torch.compiler.is_compiling()):
        gamma = torch.ones_like(gamma)
    elif fix_gamma:
        gamma.data.fill_(1)
    first = data
    if axis != 1:
        first = data.unsqueeze(0) if data.ndim == 1 else data.movedim(axis, 1)
    measure = training and not use_global_stats
    out: Tensor
    if data.is_meta:
        # torch's rule for the shape imports its compiler, which takes seconds
        out, mean, var = torch.empty_like(first), moving_mean, moving_var
    elif measure or follows(data, gamma, beta):
        rule = _Rule(eps, single(momentum, data), fix_gamma, use_global_stats, measure)
        out, mean, var = _BatchNorm.apply(first, gamma, beta, moving_mean, moving_var, rule)
    else:
        out = torch.batch_norm(first, gamma, beta, moving_mean, moving_var, False, 0.0, eps, True)
        mean, var = moving_mean, moving_var
    if axis != 1:
        out = out.squeeze(0) if data.ndim == 1 else out.movedim(1, axis).contiguous()
    if not output_mean_var:
        return out
    return out, *_beside(out, mean.detach().clone(), torch.rsqrt(var.detach() + eps))


def _beside(out: Tensor, mean: Tensor, scale: Tensor) -> tuple[Tensor, Tensor]:
    """Statistics that come out beside the result: MXNet takes no gradient from them."""
    return without_slope(mean, out), without_slope(scale, out)


def _check_axes(data: Tensor, least: int) -> None:
    check_float(data)
    if data.ndim < least:
        raise MXNetShapeError(f"data must have {least} axes or more, got shape {tuple(data.shape)}")


def check_parameters(
    data: Tensor, gamma: Tensor, others: Sequence[Tensor], channels: int, axis: int
) -> None:
    """One value a channel; float32 for float16 data, else of the data's type."""
    check_float(data)
    kind, shape = gamma.dtype, gamma.shape
    wanted = torch.float32 if data.dtype in _NARROW else data.dtype
    for other in others:
        if other.dtype is not kind or other.shape != shape:
            raise MXNetShapeError("gamma, beta and the moving statistics differ in shape or dtype")
    if shape != (channels,):
        raise MXNetShapeError(
            f"the parameters have shape {tuple(shape)}; axis {axis} of data has {channels} channels"
        )
    if kind is not wanted:
        raise MXNetTypeError(
            f"parameters must be {dtype_name(wanted)} for {dtype_name(data.dtype)} data, "
            f"got {dtype_name(kind)}"
        )


def _layer_norm_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data = shapes[0]
    if data is None:
        return list(shapes)
    return [data, (data[attrs["axis"]],), (data[attrs["axis"]],)]


@op(
    "_npx_layer_norm",
    outputs=3,
    visible=with_stats,
    output_names=("output", "mean", "std"),
    fill=_layer_norm_shapes,
    gradient=_NO_SLOPE,
)
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
    check_float(data)
    axis = wrap_axis(axis, data.ndim)
    last = data.ndim - 1
    moved = data if axis == last else data.movedim(axis, last)
    out = F.layer_norm(moved, gamma.shape, gamma, beta, eps)
    if axis != last:
        out = out.movedim(last, axis).contiguous()
    if not output_mean_var:
        return out
    var, mean = torch.var_mean(data.detach(), axis, correction=0, keepdim=True)
    return out, *_beside(out, mean, torch.sqrt(var + eps))


def _group_norm_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    groups = (attrs["num_groups"],)
    return [shapes[0], groups, groups]


@op(
    outputs=3,
    visible=with_stats,
    output_names=("output", "mean", "std"),
    fill=_group_norm_shapes,
    gradient=_NO_SLOPE,
)
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
    _check_axes(data, 3)
    if data.shape[1] % num_groups:
        raise MXNetShapeError(f"{data.shape[1]} channels do not divide into {num_groups} groups")
    each = data.shape[1] // num_groups
    out = F.group_norm(
        data, num_groups, gamma.repeat_interleave(each), beta.repeat_interleave(each), eps
    )
    if not output_mean_var:
        return out
    grouped = data.detach().reshape(data.shape[0], num_groups, -1)
    var, mean = torch.var_mean(grouped, -1, correction=0)
    return out, *_beside(out, mean, torch.sqrt(var + eps))


def _channel_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data = shapes[0]
    return list(shapes) if data is None else [data, (data[1],), (data[1],)]


def _with_moments(
    call: Callable[..., Tensor], data: Tensor, *others: Tensor, **attrs: Any
) -> tuple[Tensor, ...]:
    var, mean = torch.var_mean(data.detach().flatten(2), -1, correction=0)
    return call(data, *others), mean, var


@op(
    outputs=3,
    visible=1,
    output_names=("output", "mean", "var"),
    reveal=_with_moments,
    fill=_channel_shapes,
)
def InstanceNorm(data: Tensor, gamma: Tensor, beta: Tensor, *, eps: float = 1e-3) -> Tensor:
    """Normalise each channel of each sample."""
    _check_axes(data, 3)
    return F.group_norm(data, data.shape[1], gamma, beta, eps)


def _norm_of(data: Tensor, eps: float, mode: str) -> Tensor:
    first, last = {
        "instance": (1, data.ndim),
        "channel": (1, 2),
        "spatial": (2, data.ndim),
    }[mode]
    squares, axes = data * data, tuple(range(first, last))
    if axes:  # a number alone is its own sum
        squares = squares.sum(axes, keepdim=True)
    return torch.sqrt(squares + eps)


def _with_norm(
    call: Callable[..., Tensor], data: Tensor, *, eps: float, mode: str
) -> tuple[Tensor, Tensor]:
    norm = _norm_of(data.detach(), eps, mode)
    kept = {"instance": 1, "channel": data.ndim, "spatial": 2}[mode]
    return call(data), norm.reshape(norm.shape[:kept])


@op(
    outputs=2,
    visible=1,
    output_names=("output", "norm"),
    reveal=_with_norm,
    lists_input=True,
)
def L2Normalization(
    data: Tensor,
    *,
    eps: float = 1e-10,
    mode: Literal["channel", "instance", "spatial"] = "instance",
) -> Tensor:
    """Divide by the root of the sum of squares of a sample, of a pixel or of a channel."""
    if mode != "instance":
        _check_axes(data, 3)
    return data / _norm_of(data, eps, mode)


def _neighbours(nsize: int) -> int:
    """How many channels LRN looks at: of an even number MXNet takes one less."""
    return nsize - 1 + nsize % 2


def _with_sums(
    call: Callable[..., Tensor],
    data: Tensor,
    *,
    alpha: float,
    knorm: float,
    nsize: int,
    **attrs: Any,
) -> tuple[Tensor, Tensor]:
    odd = _neighbours(nsize)
    squares = F.pad((data.detach() ** 2).unsqueeze(1), (0, 0, 0, 0, odd // 2, odd // 2))
    means = F.avg_pool3d(squares, (odd, 1, 1), 1).squeeze(1)
    return call(data), means * (alpha * odd / nsize) + knorm


@op(
    outputs=2,
    visible=1,
    output_names=("output", "tmp_norm"),
    reveal=_with_sums,
    lists_input=True,
)
def LRN(
    data: Tensor,
    *,
    alpha: float = 1e-4,
    beta: float = 0.75,
    knorm: float = 2.0,
    nsize: int,
) -> Tensor:
    """Divide by a power of the neighbouring channels' mean square."""
    if data.ndim != 4:
        raise MXNetShapeError(f"data must have 4 axes, got shape {tuple(data.shape)}")
    odd = _neighbours(nsize)  # MXNet still divides by the number itself
    return F.local_response_norm(data, odd, alpha * odd / nsize, beta, knorm)
