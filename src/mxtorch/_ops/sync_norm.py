"""Batch normalisation over the batches of several devices and processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from mxtorch._core.ambient import Training
from mxtorch._core.errors import NotSupportedError
from mxtorch._core.modes import modes
from mxtorch._core.op import op
from mxtorch._core.peers import peers
from mxtorch._ops._gradients import single
from mxtorch._ops.norm import MOVING, BatchNorm, batch_norm_shapes, check_parameters, with_stats


class _Rule(NamedTuple):
    """The attributes of one call."""

    eps: float
    momentum: float
    fix_gamma: bool


class _Part(NamedTuple):
    """What one device brings."""

    data: Tensor
    gamma: Tensor
    beta: Tensor
    moving_mean: Tensor
    moving_var: Tensor


_WIDTH = len(_Part._fields)


def _parts(tensors: Sequence[Tensor]) -> list[_Part]:
    return [_Part(*tensors[i : i + _WIDTH]) for i in range(0, len(tensors), _WIDTH)]


def _other_axes(data: Tensor) -> list[int]:
    return [axis for axis in range(data.ndim) if axis != 1]


def _along(vector: Tensor, data: Tensor) -> Tensor:
    """One value a channel, in the shape that goes with `data`."""
    return vector.view(1, -1, *[1] * (data.ndim - 2))


def _total(rows: Sequence[Tensor]) -> Tensor:
    """The sum over the devices and over the processes, where the first is."""
    total = rows[0].clone()
    for row in rows[1:]:
        total += row.to(total.device)
    if peers.sum is not None:
        peers.sum([total])
    return total


def _statistics(parts: Sequence[_Part]) -> tuple[Tensor, Tensor, Tensor]:
    """(number of values, mean, biased variance) of each channel over all devices, in float64."""
    rows = []
    for part in parts:
        data = part.data
        count = data.numel() // data.shape[1]
        wide = data if data.dtype is torch.float64 else data.float()
        var, mean = torch.var_mean(wide, _other_axes(data), correction=0)
        mean, var = mean.double(), var.double()
        counts = torch.full_like(mean, count)
        rows.append(torch.stack([counts, counts * mean, counts * (var + mean * mean)]))
    count, first, second = _total(rows)
    mean = first / count
    return count, mean, (second / count - mean * mean).clamp(min=0)


class _SyncBatchNorm(torch.autograd.Function):
    """Normalisation of all devices' parts by the statistics of the whole; as in `BatchNorm` the
    moving statistics move in backward."""

    @staticmethod
    def forward(ctx: Any, rule: _Rule, *tensors: Tensor) -> Any:
        parts = _parts(tensors)
        count, mean, var = _statistics(parts)
        outputs = []
        for part in parts:
            own = part.gamma
            stats = (mean.to(own.device, own.dtype), var.to(own.device, own.dtype))
            weight = torch.ones_like(own) if rule.fix_gamma else own
            outputs.append(F.batch_norm(part.data, *stats, weight, part.beta, False, 0.0, rule.eps))
        ctx.save_for_backward(*[t for part in parts for t in part[:2]], count, mean, var)
        ctx.moving = [(part.moving_mean, part.moving_var) for part in parts]
        ctx.rule = rule
        ctx.mark_non_differentiable(mean, var)
        return (*outputs, mean, var)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        *saved, count, mean, var = ctx.saved_tensors
        rule = ctx.rule
        if modes.training or not saved[0].is_cpu:
            for moving in ctx.moving:
                for old, new in zip(moving, (mean, var), strict=True):
                    old.mul_(rule.momentum).add_(
                        new.to(old.device, old.dtype), alpha=1 - rule.momentum
                    )
        rows, centered = [], []
        for data, grad in zip(saved[::2], grads, strict=False):
            part = data - _along(mean.to(data.device, data.dtype), data)
            centered.append(part)
            axes = _other_axes(data)
            sums = [grad.sum(axes), (grad * part).sum(axes)]
            rows.append(torch.stack(sums).double())
        total, total_centered = _total(rows) / count
        inverse = torch.rsqrt(var + rule.eps)
        gradients: list[Any] = [None]
        for data, gamma, grad, part, row in zip(
            saved[::2], saved[1::2], grads, centered, rows, strict=False
        ):
            weight = torch.ones_like(gamma) if rule.fix_gamma else gamma
            device, dtype = data.device, data.dtype
            shift = _along(total.to(device, dtype), data)
            slope = _along((total_centered * inverse * inverse).to(device, dtype), data)
            scale = _along((inverse.to(device) * weight).to(dtype), data)
            d_gamma = (row[1] * inverse.to(row.device)).to(gamma.dtype)
            if rule.fix_gamma:
                d_gamma = torch.zeros_like(gamma)
            gradients += [(grad - shift - part * slope) * scale, d_gamma, row[0].to(gamma.dtype)]
            gradients += [None, None]
        return tuple(gradients)


@op(
    name="_contrib_SyncBatchNorm",
    mixed=True,
    outputs=3,
    visible=with_stats,
    output_names=("output", "mean", "var"),
    fill=batch_norm_shapes,
    mutates=("moving_mean", "moving_var"),
    variable_attrs=MOVING,
)
def SyncBatchNorm(
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
    ndev: int = 1,
    key: str,
    training: Training = False,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """`BatchNorm` with the statistics of the whole batch, of which each device has a part.

    Where processes train together, `ndev` counts the devices of each, and all are measured. With
    `output_mean_var` the variance comes out.
    """
    alone = ndev == 1 and peers.count == 1
    if alone or use_global_stats or not training or data.is_meta:
        result = BatchNorm(
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
        if isinstance(result, Tensor):
            return result
        out, mean, inverse = result
        return out, mean, 1 / (inverse * inverse) - eps
    check_parameters(data, gamma, (beta, moving_mean, moving_var), data.shape[1], 1)
    if fix_gamma:
        gamma.data.fill_(1)
    rule = _Rule(eps, single(momentum, data), fix_gamma)
    if ndev > 1:
        raise NotSupportedError(
            f"ndev={ndev}: this call would wait for the other devices' calls, and calls run one "
            "after the other here; put the whole batch on one device (ndev=1) or use BatchNorm"
        )
    out, mean, var = _SyncBatchNorm.apply(rule, data, gamma, beta, moving_mean, moving_var)
    if not output_mean_var:
        return out
    return out, mean.to(gamma.dtype), var.to(gamma.dtype)
