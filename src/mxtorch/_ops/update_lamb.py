"""LAMB's update as operators: its direction, then the step that the norms scale."""

from __future__ import annotations

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetTypeError
from mxtorch._core.op import op
from mxtorch._ops import _steps
from mxtorch._ops.update import check_types, limit


@op(mutates=("mean", "var"))
def lamb_update_phase1(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    t: int,
    bias_correction: bool = True,
    wd: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """LAMB's direction, before it is scaled by the norms' ratio."""
    _steps.check_shapes(weight, grad, mean, var)
    with torch.no_grad():
        (step,) = _steps.lamb_direction(
            [weight.detach()],
            [grad.detach()],
            [mean.detach()],
            [var.detach()],
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            t=t,
            bias_correction=bias_correction,
            wd=wd,
            rescale=rescale_grad,
            clip=limit(clip_gradient),
        )
    return step


@op(mutates=("mean", "var"), mixed=True)
def mp_lamb_update_phase1(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    weight32: Tensor,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    t: int,
    bias_correction: bool = True,
    wd: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """`lamb_update_phase1` on the float32 copy of a float16 weight."""
    check_types(weight, grad, weight32)
    if weight.dtype is not torch.float16 or weight.shape != weight32.shape:
        raise MXNetTypeError("weight must be float16, of the shape of its copy weight32")
    return lamb_update_phase1(
        weight32,
        grad.float(),
        mean,
        var,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        t=t,
        bias_correction=bias_correction,
        wd=wd,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@op(mixed=True)
def lamb_update_phase2(
    weight: Tensor,
    g: Tensor,
    r1: Tensor,
    r2: Tensor,
    *,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
) -> Tensor:
    """w - lr * r1 / r2 * g, with r1 = |w| kept between the bounds and r2 = |g|."""
    _steps.check_shapes(weight, g)
    if g.dtype is not weight.dtype:
        raise MXNetTypeError(f"weight is {weight.dtype}, its direction g {g.dtype}")
    lower, upper = limit(lower_bound), limit(upper_bound)
    ratio = _steps.lamb_ratio(r1.detach(), r2.detach(), lower, upper)
    return weight.detach() - _steps.f32(lr) * ratio * g.detach()


@op(mixed=True)
def mp_lamb_update_phase2(
    weight: Tensor,
    g: Tensor,
    r1: Tensor,
    r2: Tensor,
    weight32: Tensor,
    *,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
) -> Tensor:
    """`lamb_update_phase2` of the float32 copy of a float16 weight; the copy stays as it is."""
    _steps.check_shapes(weight, weight32)
    check_types(weight, weight, weight32)
    bounds = {"lower_bound": lower_bound, "upper_bound": upper_bound}
    return lamb_update_phase2(weight32, g, r1, r2, lr=lr, **bounds).to(weight.dtype)
