"""Operators of single papers: Fourier transforms, sketches, point processes, regularisers."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import Attrs, Dims, op
from mxtorch._core.pending import Function
from mxtorch._ops._gradients import follows, run_function, straight
from mxtorch._ops._partial import same
from mxtorch._ops._shapes import require
from mxtorch._ops.activation import check_float


@op(
    "_sparse__contrib_round_ste",
    name="_contrib_round_ste",
    infer=same,
    gradient="the head gradient",
)
def round_ste(data: Tensor) -> Tensor:
    """Rounded, halves away from zero; the gradient passes as it is."""
    if not data.is_floating_point():
        return data.clone()
    return straight(torch.copysign(torch.floor(data.abs() + 0.5), data), data)


@op(
    "_sparse__contrib_sign_ste",
    name="_contrib_sign_ste",
    infer=same,
    gradient="the head gradient",
)
def sign_ste(data: Tensor) -> Tensor:
    """The sign; the gradient passes as it is."""
    return straight(torch.sign(data), data)


@op(mixed=True, fill=lambda shapes, attrs: [shapes[0] or shapes[1]] * 2)
def _identity_with_attr_like_rhs(lhs: Tensor, rhs: Tensor) -> Tensor:
    """`lhs`, known to have the shape of `rhs`."""
    require(lhs.shape == rhs.shape, lhs, rhs, needs="equal ones")
    return lhs.clone()


@op(name="_contrib_fft")
def fft(data: Tensor, *, compute_size: int = 128) -> Tensor:
    """The Fourier transform along the last axis, real and imaginary parts by turns.

    MXNet has it on GPUs only; `compute_size` says how many rows it takes at a time there.
    """
    check_float(data)
    return torch.view_as_real(torch.fft.fft(data)).flatten(-2).to(data.dtype)


@op(name="_contrib_ifft")
def ifft(data: Tensor, *, compute_size: int = 128) -> Tensor:
    """The real part of the inverse of `fft`, not divided by the length (GPUs only in MXNet)."""
    check_float(data)
    if data.shape[-1] % 2:
        raise MXNetShapeError(
            f"the last axis holds pairs (real, imaginary); its length {data.shape[-1]} is odd"
        )
    pairs = torch.view_as_complex(data.unflatten(-1, (-1, 2)).contiguous())
    real: Tensor = torch.fft.ifft(pairs, norm="forward").real
    return real.to(data.dtype).contiguous()


@op(name="_contrib_count_sketch")
def count_sketch(
    data: Tensor, h: Tensor, s: Tensor, *, out_dim: int, processing_batch_size: int = 32
) -> Tensor:
    """Rows (N, d) summed into `out_dim` bins: element i goes to bin h[i] with the sign s[i].

    MXNet has it on GPUs only; `processing_batch_size` says how many rows it takes at a time there.
    """
    check_float(data)
    if h.numel() != data.shape[-1] or s.numel() != data.shape[-1]:
        raise MXNetShapeError(
            f"h and s must have {data.shape[-1]} elements, got {tuple(h.shape)}, {tuple(s.shape)}"
        )
    signed = data.reshape(-1, data.shape[-1]) * s.detach().reshape(-1)
    result = data.new_zeros(signed.shape[0], out_dim)
    result = result.index_add(1, h.detach().reshape(-1).long(), signed)
    return result.reshape(*data.shape[:-1], out_dim)


@op(name="_contrib_hawkesll", mixed=True, outputs=2, output_names=("output", "out_state"))
def hawkesll(
    lda: Tensor,
    alpha: Tensor,
    beta: Tensor,
    state: Tensor,
    lags: Tensor,
    marks: Tensor,
    valid_length: Tensor,
    max_time: Tensor,
) -> tuple[Tensor, Tensor]:
    """Log likelihood of marked self-exciting point processes, and their states at the end.

    N processes of K marks: `lda` (N, K), `alpha` and `beta` (K,), `state` (N, K); `lags` and
    `marks` (N, T) say when after the one before and which, `valid_length` (N,) how many count,
    `max_time` (N,) when the observation ends.
    """
    count = lags.shape[1]
    if marks.shape != lags.shape or lda.shape != state.shape or lda.shape[0] != lags.shape[0]:
        raise MXNetShapeError(
            f"lda {tuple(lda.shape)} and state {tuple(state.shape)}, lags {tuple(lags.shape)} and "
            f"marks {tuple(marks.shape)} do not fit each other"
        )
    index = marks.long()
    total = torch.zeros_like(lda[:, 0])
    now, last = total, torch.zeros_like(state)
    for step in range(count):
        mark = index[:, step : step + 1]
        rate, jump, decay = lda.gather(1, mark), alpha[mark], beta[mark]
        later = now + lags[:, step]
        wait = later.unsqueeze(1) - last.gather(1, mark)
        faded = torch.exp(-decay * wait)
        before = state.gather(1, mark)
        intensity = rate + jump * decay * before * faded
        spent = rate * wait + jump * before * (1 - faded)
        valid = (step < valid_length).unsqueeze(1)
        gain = torch.log(intensity) - spent
        total = total + torch.where(valid, gain, 0).squeeze(1)
        changed = torch.where(valid, 1 + before * faded, before)
        state = state.scatter(1, mark, changed)
        moved = torch.where(valid, later.unsqueeze(1), last.gather(1, mark))
        last = last.scatter(1, mark, moved)
        now = torch.where(valid.squeeze(1), later, now)
    wait = max_time.unsqueeze(1) - last
    faded = torch.exp(-beta * wait)
    rest = lda * wait + alpha * state * (1 - faded)
    return total - rest.sum(1), state * faded


class _KLPenalty(Function):
    """The data; backward moves the average and adds the penalty's slope."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, average: Tensor, options: tuple[float, ...]) -> Tensor:
        ctx.save_for_backward(data)
        ctx.average, ctx.options = average, options
        return data.clone()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        (data,) = ctx.saved_tensors
        target, penalty, momentum = ctx.options
        average: Tensor = ctx.average
        axes = [axis for axis in range(data.ndim) if axis != 1]
        average.mul_(momentum).add_(data.mean(axes), alpha=1 - momentum)
        slope = penalty * ((1 - target) / (1 - average) - target / average)
        return grad + slope.reshape(-1, *[1] * (data.ndim - 2)), None, None


def _average_shape(shapes: Any, attrs: Attrs) -> list[Dims | None]:
    data = shapes[0]
    return list(shapes) if data is None else [data, (data[1],)]


@op(
    fill=_average_shape,
    mutates=("moving_avg",),
    gradient="the head gradient and the penalty's",
)
def IdentityAttachKLSparseReg(
    data: Tensor,
    moving_avg: Tensor,
    *,
    sparseness_target: float = 0.1,
    penalty: float = 1e-3,
    momentum: float = 0.9,
) -> Tensor:
    """`data`; its gradient also draws each unit's mean activation towards `sparseness_target`.

    The penalty is the divergence between the two; the moving mean moves in backward.
    """
    if data.ndim < 2:
        raise MXNetShapeError(f"data must have 2 axes or more, got {tuple(data.shape)}")
    if not follows(data):
        return data.clone()
    options = (sparseness_target, penalty, momentum)
    return run_function(_KLPenalty, data, moving_avg.detach(), options)
