"""Batch normalisation over the batches of several devices and processes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from mxtorch._core.ambient import Place, Training
from mxtorch._core.device import Context
from mxtorch._core.joint import mark
from mxtorch._core.modes import modes
from mxtorch._core.op import op
from mxtorch._core.peers import peers
from mxtorch._core.pending import Function, Pending, note_call, on_forget
from mxtorch._ops._gradients import single
from mxtorch._ops.norm import BATCH_NORM, MOVING, BatchNorm, check_parameters


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


class _SyncBatchNorm(Function):
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
        if len(parts) > 1:
            mark(ctx, len(parts))
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


class _Meeting:
    """The calls of several devices that belong together."""

    def __init__(self, key: str, count: int) -> None:
        self.key, self.count = key, count
        self.parts: dict[Context, _Part] = {}
        self.outputs: dict[Context, list[Pending]] = {}

    def run(self, rule: _Rule, *tensors: Tensor) -> list[Tensor]:
        """Each device's output, mean and variance, one after the other."""
        *outputs, mean, var = _SyncBatchNorm.apply(rule, *tensors)
        return [
            tensor
            for out in outputs
            for tensor in (out, mean.to(out.device, copy=True), var.to(out.device, copy=True))
        ]


_meetings: list[_Meeting] = []
_lock = threading.Lock()
on_forget.append(_meetings.clear)


def _meet(key: str, count: int, place: Context, rule: _Rule, part: _Part) -> list[Tensor]:
    """What one device gets, pending until the last one has called."""
    with _lock:
        for meeting in _meetings:
            if meeting.key == key and meeting.count == count and place not in meeting.parts:
                break
        else:
            meeting = _Meeting(key, count)
            _meetings.append(meeting)
        why = f"SyncBatchNorm {key!r} on {place} waits for its calls on {count} devices"
        follows = torch.is_grad_enabled() and any(t.requires_grad for t in part[:3])
        meeting.parts[place] = part
        stats = torch.empty_like(part.gamma, dtype=torch.float64, device="meta")
        shapes = ((part.data, follows), (stats, False), (stats, False))
        meeting.outputs[place] = [
            Pending.like(twin, part.data.device, requires, why) for twin, requires in shapes
        ]
        if len(meeting.parts) == count:
            _meetings.remove(meeting)
            tensors = [tensor for one in meeting.parts.values() for tensor in one]
            outputs = [out for row in meeting.outputs.values() for out in row]
            note_call(meeting.run, (rule, *tensors), outputs)
    return [out if out.value is None else out.value for out in meeting.outputs[place]]


@op(name="_contrib_SyncBatchNorm", variable_attrs=MOVING, **BATCH_NORM)
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
    place: Place,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """`BatchNorm` with the statistics of the whole batch, of which each device has a part.

    In training the result is there when `ndev` devices have made the call of this `key`. Where
    processes train together, `ndev` counts the devices of each, and all are measured. With
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
    part = _Part(data, gamma, beta, moving_mean, moving_var)
    if ndev == 1:
        out, mean, var = _SyncBatchNorm.apply(rule, *part)
    else:
        out, mean, var = _meet(key, ndev, place, rule, part)
    if not output_mean_var:
        return out
    return out, mean.to(gamma.dtype), var.to(gamma.dtype)
