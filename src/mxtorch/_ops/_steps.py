"""The steps of the optimizers that are operators: each updates lists of tensors in place.

Optimizers call them with the parameters of a group, the operators (`update.py`) with one. Constants
are float32 numbers whatever the tensors' type is, as in MXNet's kernels. `clip` is None or the
limit of the rescaled gradient.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import torch
from torch import Tensor

from mxtorch._core.errors import MXNetShapeError

Tensors: TypeAlias = list[Tensor] | tuple[Tensor, ...]  # as torch._foreach_* takes and gives them

_MANY = 2**16  # elements
_SMALL = 2**-20  # of factors: 1 + factor would lose digits of them
_WITH_FUSED = frozenset({"cpu", "cuda"})  # devices


def check_shapes(weight: Tensor, *others: Tensor) -> None:
    """Raise unless gradient and states have the weight's shape."""
    for other in others:
        if other.shape != weight.shape:
            raise MXNetShapeError(
                f"weight has shape {tuple(weight.shape)}, what updates it {tuple(other.shape)}"
            )


def f32(value: float) -> float:
    """A number as a float32 constant."""
    return float(np.float32(value))


def rest(value: float) -> float:
    """1 - value in float32."""
    return float(np.float32(1) - np.float32(value))


def less_(tensors: Tensors, others: Tensors, factor: float) -> None:
    """tensors -= factor * others, the products rounded before they are taken away.

    MXNet's kernels round them; torch's `alpha=` does not. In large groups that is left at: what
    goes before differs from MXNet by more than that rounding, and the products would take memory.
    """
    factor = of_type(factor, tensors)
    if _are_many(tensors):
        torch._foreach_add_(tensors, others, alpha=-factor)
    else:
        torch._foreach_sub_(tensors, torch._foreach_mul(others, factor))


def _are_many(tensors: Tensors) -> bool:
    return sum(map(Tensor.numel, tensors)) > _MANY


def _fused(*columns: Tensors) -> bool:
    """Whether torch's fused steps, which take memory as it lies, may be given these tensors.

    Raises where those that belong together differ in shape: the steps do not look.
    """
    shapes = [tensor.shape for tensor in columns[0]]
    if any([tensor.shape for tensor in column] != shapes for column in columns[1:]):
        for together in zip(*columns, strict=True):
            check_shapes(*together)
    first = columns[0][0]
    if first.dtype not in (torch.float32, torch.float64) or first.device.type not in _WITH_FUSED:
        return False
    return all(all(map(Tensor.is_contiguous, column)) for column in columns)


def of_type(value: float, tensors: Tensors) -> float:
    """What is worked out of constants, rounded as numbers of the tensors' type are."""
    return value if tensors[0].dtype is torch.float64 else f32(value)


def beta_of(value: float, tensors: Tensors) -> np.floating:
    """A decay rate as the kernels of Adam's kind have it: in float16 for float16 arrays."""
    kind = np.float16 if tensors[0].dtype is torch.float16 else np.float32
    return kind(value)


def clip_(tensors: Tensors, limit: float | None) -> Tensors:
    """The tensors clipped in place."""
    if limit is not None:
        torch._foreach_clamp_max_(tensors, f32(limit))
        torch._foreach_clamp_min_(tensors, -f32(limit))
    return tensors


def rescaled(grads: Tensors, rescale: float, clip: float | None) -> Tensors:
    """New tensors: the gradients rescaled, then clipped."""
    return clip_(torch._foreach_mul(grads, f32(rescale)), clip)


def decayed(
    weights: Tensors, grads: Tensors, wd: float, rescale: float, clip: float | None
) -> Tensors:
    """New tensors: the gradients rescaled, with weight decay added, then clipped."""
    result = torch._foreach_mul(grads, f32(rescale))
    if wd:
        torch._foreach_add_(result, weights, alpha=f32(wd))
    return clip_(result, clip)


def sgd(
    weights: Tensors,
    grads: Tensors,
    *,
    lr: float,
    wd: float,
    rescale: float,
    clip: float | None,
) -> None:
    """w -= lr * (g + wd * w), the gradient clipped before the decay is added."""
    lr, wd, rescale = f32(lr), f32(wd), f32(rescale)
    if clip is not None:
        grads, rescale = rescaled(grads, rescale, clip), 1.0
    if wd:
        torch._foreach_mul_(weights, of_type(1 - of_type(lr * wd, weights), weights))
    less_(weights, grads, lr * rescale)


def sgd_momentum(
    weights: Tensors,
    grads: Tensors,
    moments: Tensors,
    *,
    lr: float,
    momentum: float,
    wd: float,
    rescale: float,
    clip: float | None,
) -> None:
    """m = momentum * m - lr * (g + wd * w);  w += m."""
    lr, wd, rescale = f32(lr), f32(wd), f32(rescale)
    if clip is not None:
        grads, rescale = rescaled(grads, rescale, clip), 1.0
    momentum, factor = f32(momentum), of_type(lr * rescale, moments)
    many = _are_many(moments) and abs(factor) > _SMALL
    in_one_pass = momentum and _fused(weights, grads, moments)
    if not in_one_pass or (wd and not many):
        torch._foreach_mul_(moments, momentum)
        if wd:
            less_(moments, weights, lr * wd)
        momentum, wd = 1.0, 0.0
    if not in_one_pass:
        less_(moments, grads, factor)
        torch._foreach_add_(weights, moments)
        return
    if not many:  # the products rounded, see less_
        grads, factor = torch._foreach_mul(grads, factor), 1.0
    # torch's m = momentum * m + (1 - dampening) * (g + decay * w);  w -= rate * m
    torch._fused_sgd_(
        weights,
        grads,
        moments,
        weight_decay=wd and wd / rescale,
        momentum=momentum,
        lr=-1.0,
        dampening=1 + factor,
        nesterov=False,
        maximize=False,
        is_first_step=False,
    )


def nag_momentum(
    weights: Tensors,
    grads: Tensors,
    moments: Tensors,
    *,
    lr: float,
    momentum: float,
    wd: float,
    rescale: float,
    clip: float | None,
    in_place: bool = True,
) -> None:
    """Nesterov's step. The decay in the weight is that of the old weight, the decay in the
    momentum (`in_place`) that of the new one: MXNet's kernel reads what it has just written."""
    lr, mu, wd = f32(lr), f32(momentum), f32(wd)
    grads = rescaled(grads, rescale, clip)
    steps = torch._foreach_add(grads, weights, alpha=wd)
    if not in_place:
        grads, wd = steps, 0.0
    torch._foreach_add_(weights, moments, alpha=mu * mu)
    torch._foreach_add_(weights, steps, alpha=-lr * (1 + mu))
    torch._foreach_mul_(moments, mu)
    torch._foreach_add_(moments, grads, alpha=-lr)
    if wd:
        torch._foreach_add_(moments, weights, alpha=-lr * wd)


def sign_sgd(weights: Tensors, grads: Tensors, *, lr: float, wd: float) -> None:
    """w = (1 - lr * wd) * w - lr * sign(g): MXNet looks at the gradient before it is rescaled."""
    lr, wd = f32(lr), f32(wd)
    signs = torch._foreach_sign(grads)
    torch._foreach_mul_(weights, 1 - lr * wd)
    torch._foreach_add_(weights, signs, alpha=-lr)


def signum(
    weights: Tensors,
    grads: Tensors,
    moments: Tensors,
    *,
    lr: float,
    momentum: float,
    wd: float,
    rescale: float,
    clip: float | None,
    wd_lh: float,
) -> None:
    """m = momentum * m - (1 - momentum) * (g + wd * w);  w = (1 - lr * wd_lh) * w + lr * sign m."""
    lr, mu = f32(lr), f32(momentum)
    steps = rescaled(grads, rescale, clip)
    torch._foreach_add_(steps, weights, alpha=f32(wd))
    torch._foreach_mul_(moments, mu)
    torch._foreach_add_(moments, steps, alpha=-rest(mu))
    torch._foreach_mul_(weights, 1 - lr * f32(wd_lh))
    torch._foreach_add_(weights, torch._foreach_sign(moments), alpha=lr)


def move_averages(
    means: Tensors,
    variances: Tensors,
    grads: Tensors,
    beta1: float,
    beta2: float,
    rescale: float = 1.0,
) -> None:
    """Move both averages towards the gradients, which are multiplied by `rescale`."""
    one, two = beta_of(beta1, means), beta_of(beta2, variances)
    torch._foreach_mul_(means, float(one))
    torch._foreach_add_(means, grads, alpha=float(1 - one) * rescale)
    torch._foreach_mul_(variances, float(two))
    torch._foreach_addcmul_(variances, grads, grads, float(1 - two) * rescale**2)


def adam(
    weights: Tensors,
    grads: Tensors,
    means: Tensors,
    variances: Tensors,
    *,
    lr: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    wd: float,
    rescale: float,
    clip: float | None,
) -> None:
    """w -= lr * m / (sqrt(v) + epsilon), the decay added before clipping; no bias correction."""
    wd, rescale = f32(wd), f32(rescale)
    given = grads
    if clip is not None or not rescale:
        grads, rescale = decayed(weights, grads, wd, rescale, clip), 1.0
        wd = 0.0
    if _are_many(weights) and max(beta1, beta2) < 1 and _fused(weights, grads, means, variances):
        if rescale != 1:
            grads = torch._foreach_mul(grads, rescale)
        one, two = float(beta_of(beta1, means)), float(beta_of(beta2, variances))
        _fused_adam(weights, grads, means, variances, f32(lr), (one, two), f32(epsilon), wd)
        return
    if wd:
        grads = torch._foreach_add(grads, weights, alpha=wd / rescale)
    move_averages(means, variances, grads, beta1, beta2, rescale)
    if grads is given:
        roots: Tensors = torch._foreach_sqrt(variances)
    else:  # their memory is free now; taking more is slow
        roots = grads
        torch._foreach_copy_(roots, variances)
        torch._foreach_sqrt_(roots)
    torch._foreach_add_(roots, f32(epsilon))
    torch._foreach_addcdiv_(weights, means, roots, -f32(lr))


def _fused_adam(
    weights: Tensors,
    grads: Tensors,
    means: Tensors,
    variances: Tensors,
    lr: float,
    betas: tuple[float, float],
    epsilon: float,
    wd: float,
) -> None:
    """torch's step in one pass over the memory, so late that its bias corrections are 1."""
    late = torch.full((), 2.0**60, device=weights[0].device)
    torch._fused_adam_(
        weights,
        grads,
        means,
        variances,
        [],
        [late] * len(weights),
        lr=lr,
        beta1=betas[0],
        beta2=betas[1],
        weight_decay=wd,
        eps=epsilon,
        amsgrad=False,
        maximize=False,
    )


def ftml(
    weights: Tensors,
    grads: Tensors,
    before: Tensors,
    variances: Tensors,
    leaders: Tensors,
    *,
    lr: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    t: int,
    wd: float,
    rescale: float,
    clip: float | None,
) -> None:
    """Follow the moving leader: d, v and z of the paper in `before`, `variances`, `leaders`."""
    lr = f32(lr)
    one, two = beta_of(beta1, leaders), beta_of(beta2, variances)
    beta1, beta2, rest1, rest2 = float(one), float(two), float(1 - one), float(1 - two)
    grads = decayed(weights, grads, wd, rescale, clip)
    torch._foreach_mul_(variances, beta2)
    torch._foreach_addcmul_(variances, grads, grads, rest2)
    now = torch._foreach_div(variances, 1 - beta2**t)
    torch._foreach_sqrt_(now)
    torch._foreach_add_(now, epsilon)
    torch._foreach_mul_(now, (1 - beta1**t) / lr)
    shift = torch._foreach_sub(now, torch._foreach_mul(before, beta1))
    torch._foreach_mul_(leaders, beta1)
    torch._foreach_add_(leaders, grads, alpha=rest1)
    torch._foreach_addcmul_(leaders, shift, weights, -1.0)
    torch._foreach_copy_(before, now)
    torch._foreach_copy_(weights, leaders)
    torch._foreach_div_(weights, now)
    torch._foreach_neg_(weights)


def rmsprop(
    weights: Tensors,
    grads: Tensors,
    squares: Tensors,
    *,
    lr: float,
    gamma1: float,
    epsilon: float,
    wd: float,
    rescale: float,
    clip: float | None,
    clip_weights: float | None,
) -> None:
    """n = gamma1 * n + (1 - gamma1) * g**2;  w -= lr * g / sqrt(n + epsilon)."""
    grads = decayed(weights, grads, wd, rescale, clip)
    torch._foreach_mul_(squares, f32(gamma1))
    torch._foreach_addcmul_(squares, grads, grads, rest(gamma1))
    roots = torch._foreach_add(squares, f32(epsilon))
    torch._foreach_sqrt_(roots)
    torch._foreach_addcdiv_(weights, grads, roots, -f32(lr))
    clip_(weights, clip_weights)


def rmsprop_centered(
    weights: Tensors,
    grads: Tensors,
    squares: Tensors,
    means: Tensors,
    steps: Tensors,
    *,
    lr: float,
    gamma1: float,
    gamma2: float,
    epsilon: float,
    wd: float,
    rescale: float,
    clip: float | None,
    clip_weights: float | None,
) -> None:
    """The same with the squared mean of g taken off n, and with momentum gamma2."""
    grads = decayed(weights, grads, wd, rescale, clip)
    torch._foreach_mul_(squares, f32(gamma1))
    torch._foreach_addcmul_(squares, grads, grads, rest(gamma1))
    torch._foreach_mul_(means, f32(gamma1))
    torch._foreach_add_(means, grads, alpha=rest(gamma1))
    roots = torch._foreach_addcmul(squares, means, means, -1.0)
    torch._foreach_add_(roots, f32(epsilon))
    torch._foreach_sqrt_(roots)
    torch._foreach_mul_(steps, f32(gamma2))
    torch._foreach_addcdiv_(steps, grads, roots, -f32(lr))
    torch._foreach_add_(weights, steps)
    clip_(weights, clip_weights)


def ftrl(
    weights: Tensors,
    grads: Tensors,
    leaders: Tensors,
    squares: Tensors,
    *,
    lr: float,
    lamda1: float,
    beta: float,
    wd: float,
    rescale: float,
    clip: float | None,
) -> None:
    """Follow the regularized leader: weights of small |z| become exactly 0."""
    lr = f32(lr)
    grads = rescaled(grads, rescale, clip)
    roots = torch._foreach_sqrt(squares)
    torch._foreach_addcmul_(squares, grads, grads)
    after = torch._foreach_sqrt(squares)
    growth = torch._foreach_sub(after, roots)
    torch._foreach_add_(leaders, grads)
    torch._foreach_addcmul_(leaders, growth, weights, -1 / lr)
    torch._foreach_add_(after, f32(beta))
    torch._foreach_div_(after, lr)
    torch._foreach_add_(after, f32(wd))
    for weight, leader, scale in zip(weights, leaders, after, strict=True):
        shrunk = leader - leader.sign() * f32(lamda1)
        shrunk = torch.where(leader.abs() > f32(lamda1), shrunk, 0)
        weight.copy_(shrunk).div_(scale).neg_()


def lamb_direction(
    weights: Tensors,
    grads: Tensors,
    means: Tensors,
    variances: Tensors,
    *,
    beta1: float,
    beta2: float,
    epsilon: float,
    t: int,
    bias_correction: bool,
    wd: float,
    rescale: float,
    clip: float | None,
) -> Tensors:
    """Adam's direction with the decay in it, in new tensors."""
    move_averages(means, variances, rescaled(grads, rescale, clip), beta1, beta2)
    scale1 = float(1 - beta_of(beta1, means) ** t) if bias_correction else 1.0
    scale2 = float(1 - beta_of(beta2, variances) ** t) if bias_correction else 1.0
    roots = torch._foreach_div(variances, scale2)
    torch._foreach_sqrt_(roots)
    torch._foreach_add_(roots, f32(epsilon))
    steps = list(torch._foreach_div(means, scale1))
    torch._foreach_div_(steps, roots)
    if wd:
        torch._foreach_add_(steps, weights, alpha=f32(wd))
    return steps


def sum_of_squares(tensor: Tensor) -> Tensor:
    """Float32; float16 numbers are squared as such and added up in float32."""
    square = tensor * tensor
    return torch.sum(square.float() if square.dtype is torch.float16 else square).float()


def norms(tensors: Tensors, are_float16: bool = False) -> Tensors:
    """The norm of each tensor, float32; with `are_float16` of its float16 numbers."""
    if tensors[0].dtype is torch.float32 and not are_float16:
        return torch._foreach_norm(tensors)
    return [sum_of_squares(t.half() if are_float16 else t).sqrt() for t in tensors]


def lamb_ratio(above: Tensor, below: Tensor, lower: float | None, upper: float | None) -> Tensor:
    """|w| (kept between the bounds) over |direction|; 1 where one of them is 0."""
    if lower is not None or upper is not None:
        above = above.clamp(lower, upper)
    zero = (above == 0) | (below == 0)
    return torch.where(zero, torch.ones_like(below), above / below)
