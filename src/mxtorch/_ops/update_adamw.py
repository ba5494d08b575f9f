"""Updates for large batches: AdamW, LAMB of many weights, LARS rates.

AdamW's scale of the gradients is an array: a scale that is 0 or not finite (a float16 gradient
overflowed) leaves weights and states as they are.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from mxtorch._core.ambient import Out
from mxtorch._core.attrs import Floats, Shape
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError
from mxtorch._core.op import Attrs, op
from mxtorch._ops import _steps
from mxtorch._ops._gradients import without_gradient
from mxtorch._ops._shapes import require
from mxtorch._ops.update import limit, rows_of, weights_of


def _scale(array: Tensor) -> float | None:
    """The scale of the gradients, None where the step is to be left out."""
    if array.numel() != 1:
        raise MXNetShapeError(f"rescale_grad must have one element, got {tuple(array.shape)}")
    scale = 1.0 if array.is_meta else float(array)
    return scale if scale and math.isfinite(scale) else None


def _adamw(
    weight: Tensor,
    state: tuple[Tensor, Tensor, Tensor],
    *,
    lr: float,
    eta: float,
    wd: float,
    beta1: float,
    beta2: float,
    epsilon: float,
) -> None:
    """w -= eta * (lr * m / (sqrt(v) + epsilon) + wd * w), m and v moved by the scaled gradient."""
    grad, mean, var = state
    _steps.move_averages([mean], [var], [grad], beta1, beta2)
    step = mean * _steps.f32(lr) / (var.sqrt() + _steps.f32(epsilon))
    weight.sub_(step.add_(weight, alpha=_steps.f32(wd)), alpha=_steps.f32(eta))


@op(name="_adamw_update", mutates=("grad", "mean", "var"))
def adamw_update(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    rescale_grad: Tensor,
    *,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    eta: float,
    clip_gradient: float = -1.0,
    out: Out = None,
) -> Tensor:
    """Adam with the decay apart from the gradient; `grad` is rescaled and clipped in place."""
    scale = _scale(rescale_grad)
    if scale is None:
        return (weight if out is None else out).detach().clone()
    new = weight.detach().clone()
    with torch.no_grad():
        _steps.clip_([grad.detach().mul_(scale)], limit(clip_gradient))
        options = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon}
        states = (grad.detach(), mean.detach(), var.detach())
        _adamw(new, states, lr=lr, eta=eta, wd=wd, **options)
    return new


@op(name="_mp_adamw_update", mutates=("mean", "var", "weight32"), mixed=True)
def mp_adamw_update(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    weight32: Tensor,
    rescale_grad: Tensor,
    *,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    eta: float,
    clip_gradient: float = -1.0,
    out: Out = None,
) -> Tensor:
    """`_adamw_update` on the float32 copy of a float16 weight; `grad` stays as it is."""
    scale = _scale(rescale_grad)
    if scale is None:
        return (weight if out is None else out).detach().clone()
    copy = weight32.detach()
    with torch.no_grad():
        (step,) = _steps.rescaled([grad.detach().float()], scale, limit(clip_gradient))
        options = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon}
        states = (step, mean.detach(), var.detach())
        _adamw(copy, states, lr=lr, eta=eta, wd=wd, **options)
    return copy.to(weight.dtype)


def _step_all(
    data: tuple[Tensor, ...], width: int, rates: tuple[Floats, Floats, Floats], attrs: Attrs
) -> tuple[Tensor, ...]:
    """AdamW steps of several weights, each with its float32 copy if the width says so."""
    *arrays, rescale = data
    rows = rows_of(tuple(arrays), attrs["num_weights"], width)
    scale = _scale(rescale)
    if scale is None:
        return tuple(row[0].detach().clone() for row in rows)
    options = {name: attrs[name] for name in ("beta1", "beta2", "epsilon")}
    results = []
    with torch.no_grad():
        for row, lr, wd, eta in zip(rows, *rates, strict=True):
            weight, grad, mean, var, *copies = (t.detach() for t in row)
            new = copies[0] if copies else weight.clone()
            (step,) = _steps.rescaled([grad.to(new.dtype)], scale, limit(attrs["clip_gradient"]))
            _adamw(new, (step, mean, var), lr=lr, eta=eta, wd=wd, **options)
            results.append(new.to(weight.dtype) if copies else new)
    return tuple(results)


@op(name="_multi_adamw_update", outputs=weights_of)
def multi_adamw_update(
    *data: Tensor,
    lrs: Floats,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wds: Floats,
    etas: Floats,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """AdamW of several weights: weight, grad, mean, var, …; the gradients' scale comes last."""
    attrs = {
        "beta1": beta1,
        "beta2": beta2,
        "epsilon": epsilon,
        "clip_gradient": clip_gradient,
        "num_weights": num_weights,
    }
    return _step_all(data, 4, (lrs, wds, etas), attrs)


@op(name="_multi_mp_adamw_update", outputs=weights_of, mixed=True)
def multi_mp_adamw_update(
    *data: Tensor,
    lrs: Floats,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wds: Floats,
    etas: Floats,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """The same for float16 weights: weight, grad, mean, var, float32 copy, …."""
    attrs = {
        "beta1": beta1,
        "beta2": beta2,
        "epsilon": epsilon,
        "clip_gradient": clip_gradient,
        "num_weights": num_weights,
    }
    return _step_all(data, 5, (lrs, wds, etas), attrs)


# LAMB ------------------------------------------------------------------------------------------


def _tensors(attrs: Attrs) -> int:
    count: int = attrs["num_tensors"]
    return count


def _lamb_all(
    data: tuple[Tensor, ...], width: int, rates: tuple[Floats, Floats, Shape], attrs: Attrs
) -> tuple[Tensor, ...]:
    """LAMB steps of several weights."""
    bounds = limit(attrs["lower_bound"]), limit(attrs["upper_bound"])
    options = {n: attrs[n] for n in ("beta1", "beta2", "epsilon", "bias_correction")}
    options |= {"rescale": attrs["rescale_grad"], "clip": limit(attrs["clip_gradient"])}
    results = []
    with torch.no_grad():
        for row, lr, wd, t in zip(rows_of(data, attrs["num_tensors"], width), *rates, strict=True):
            weight, grad, mean, var, *copies = (a.detach() for a in row)
            new = copies[0] if copies else weight.clone()
            state = ([new], [grad.to(new.dtype)], [mean], [var])
            (step,) = _steps.lamb_direction(*state, t=t, wd=wd, **options)
            # as in MXNet of the float16 weight, where there is one
            size = _steps.sum_of_squares(weight).sqrt()
            ratio = _steps.lamb_ratio(size, step.norm(), *bounds)
            new.sub_(step.mul_(ratio), alpha=_steps.f32(lr))
            results.append(new.to(weight.dtype) if copies else new)
    return tuple(results)


@op(name="_multi_lamb_update", outputs=_tensors)
def multi_lamb_update(
    *data: Tensor,
    learning_rates: Floats,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    wds: Floats,
    rescale_grad: float = 1.0,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    clip_gradient: float = -1.0,
    bias_correction: bool = True,
    step_count: Shape,
    num_tensors: int = 1,
) -> tuple[Tensor, ...]:
    """LAMB of several weights: weight, grad, mean, var, …."""
    attrs = {
        "beta1": beta1,
        "beta2": beta2,
        "epsilon": epsilon,
        "rescale_grad": rescale_grad,
        "lower_bound": lower_bound,
        "upper_bound": upper_bound,
        "clip_gradient": clip_gradient,
        "bias_correction": bias_correction,
        "num_tensors": num_tensors,
    }
    return _lamb_all(data, 4, (learning_rates, wds, step_count), attrs)


@op(name="_multi_mp_lamb_update", outputs=_tensors, mixed=True)
def multi_mp_lamb_update(
    *data: Tensor,
    learning_rates: Floats,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    wds: Floats,
    rescale_grad: float = 1.0,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    clip_gradient: float = -1.0,
    bias_correction: bool = True,
    step_count: Shape,
    num_tensors: int = 1,
) -> tuple[Tensor, ...]:
    """The same for float16 weights: weight, grad, mean, var, float32 copy, …."""
    attrs = {
        "beta1": beta1,
        "beta2": beta2,
        "epsilon": epsilon,
        "rescale_grad": rescale_grad,
        "lower_bound": lower_bound,
        "upper_bound": upper_bound,
        "clip_gradient": clip_gradient,
        "bias_correction": bias_correction,
        "num_tensors": num_tensors,
    }
    return _lamb_all(data, 5, (learning_rates, wds, step_count), attrs)


@op(fill=lambda shapes, attrs: [shapes[0]] * 4)
@without_gradient
def multi_lars(
    lrs: Tensor,
    weights_sum_sq: Tensor,
    grads_sum_sq: Tensor,
    wds: Tensor,
    *,
    eta: float,
    eps: float,
    rescale_grad: float = 1.0,
) -> Tensor:
    """lr * eta * |w| / (|g| + wd * |w| + eps) for each weight; lr where a norm is 0."""
    every = (lrs, weights_sum_sq, grads_sum_sq, wds)
    require(all(x.shape == lrs.shape for x in every), *every, needs="four equal ones")
    if any(x.dtype is not torch.float32 for x in every):
        raise MXNetTypeError("all four arrays must be float32")
    above, below = weights_sum_sq.sqrt(), grads_sum_sq.sqrt()
    scaled = lrs * eta * above / (below * rescale_grad + wds * above + eps)
    return torch.where((above > 0) & (below > 0), scaled, lrs)


@op(outputs=0)
def reset_arrays(*data: Tensor, num_arrays: int) -> tuple[Tensor, ...]:
    """Fill arrays with zeros, in place."""
    if len(data) != num_arrays:
        raise MXNetShapeError(f"num_arrays={num_arrays}, but {len(data)} arrays were given")
    with torch.no_grad():
        torch._foreach_zero_([t.detach() for t in data])
    return ()
