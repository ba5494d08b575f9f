"""The optimizers' updates as operators: the new weight comes out, states are written in place.

Programs call them with `out=weight`. `clip_gradient` below 0 means no clipping; `lazy_update` is
about row_sparse gradients.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.ambient import Out
from mxtorch._core.attrs import Floats, Fraction, Hint
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError
from mxtorch._core.op import Attrs, op
from mxtorch._ops import _steps


def limit(value: float) -> float | None:
    """The limit that an attribute names: below 0 there is none."""
    return value if value >= 0 else None


def _updated(weight: Tensor, step: Callable[..., None], *states: Tensor, **options: Any) -> Tensor:
    """A new weight; a step updates it and the states."""
    _steps.check_shapes(weight, *states)
    with torch.no_grad():
        new = weight.detach().clone()
        step([new], *([s.detach()] for s in states), **options)
    return new


def _through_copy(
    weight: Tensor, copy: Tensor, step: Callable[..., None], *states: Tensor, **options: Any
) -> Tensor:
    """The float32 copy of a weight is updated in place; the new weight is made from it."""
    grad, *others = states
    _steps.check_shapes(weight, copy, *states)
    check_types(weight, grad, copy, *others)
    with torch.no_grad():
        step([copy.detach()], [grad.float()], *([s.detach()] for s in others), **options)
    return copy.detach().to(weight.dtype)


def check_types(weight: Tensor, grad: Tensor, *wide: Tensor) -> None:
    """The copy of a weight and its states are float32; the gradient has the weight's own type."""
    if grad.dtype is not weight.dtype or any(x.dtype is not torch.float32 for x in wide):
        kinds = ", ".join(str(x.dtype) for x in wide)
        raise MXNetTypeError(
            f"weight is {weight.dtype}, its gradient {grad.dtype}, which must be the same; "
            f"its float32 copy and states are {kinds}"
        )


@op("_sparse_sgd_update")
def sgd_update(
    weight: Tensor,
    grad: Tensor,
    *,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: Hint[bool] = True,
) -> Tensor:
    """w - lr * (rescale_grad * grad, clipped, + wd * w)."""
    clip = limit(clip_gradient)
    return _updated(weight, _steps.sgd, grad, lr=lr, wd=wd, rescale=rescale_grad, clip=clip)


@op("_sparse_sgd_mom_update", mutates=("mom",))
def sgd_mom_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: Hint[bool] = True,
) -> Tensor:
    """w + m with m = momentum * m - lr * (rescale_grad * grad, clipped, + wd * w)."""
    options = {"lr": lr, "momentum": momentum, "wd": wd, "rescale": rescale_grad}
    clip = limit(clip_gradient)
    return _updated(weight, _steps.sgd_momentum, grad, mom, clip=clip, **options)


@op(mutates=("weight32",), mixed=True)
def mp_sgd_update(
    weight: Tensor,
    grad: Tensor,
    weight32: Tensor,
    *,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: Hint[bool] = True,
) -> Tensor:
    """`sgd_update` on the float32 copy of a float16 weight."""
    options = {"lr": lr, "wd": wd, "rescale": rescale_grad, "clip": limit(clip_gradient)}
    return _through_copy(weight, weight32, _steps.sgd, grad, **options)


@op(mutates=("mom", "weight32"), mixed=True)
def mp_sgd_mom_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    weight32: Tensor,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: Hint[bool] = True,
) -> Tensor:
    """`sgd_mom_update` on the float32 copy of a float16 weight."""
    options = {"lr": lr, "momentum": momentum, "wd": wd, "rescale": rescale_grad}
    clip = limit(clip_gradient)
    return _through_copy(weight, weight32, _steps.sgd_momentum, grad, mom, clip=clip, **options)


@op(mutates=("mom",))
def nag_mom_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: Out = None,
) -> Tensor:
    """Nesterov's accelerated gradient; with `out=weight` the momentum takes the new decay."""
    options = {"lr": lr, "momentum": momentum, "wd": wd, "rescale": rescale_grad}
    clip = limit(clip_gradient)
    in_place = out is not None and out.data_ptr() == weight.data_ptr()
    step = partial(_steps.nag_momentum, in_place=in_place)
    return _updated(weight, step, grad, mom, clip=clip, **options)


@op(mutates=("mom", "weight32"), mixed=True)
def mp_nag_mom_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    weight32: Tensor,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """`nag_mom_update` on the float32 copy of a float16 weight."""
    options = {"lr": lr, "momentum": momentum, "wd": wd, "rescale": rescale_grad}
    clip = limit(clip_gradient)
    return _through_copy(weight, weight32, _steps.nag_momentum, grad, mom, clip=clip, **options)


@op()
def signsgd_update(
    weight: Tensor,
    grad: Tensor,
    *,
    lr: float,
    wd: float = 0.0,
    rescale_grad: Hint[float] = 1.0,
    clip_gradient: Hint[float] = -1.0,
) -> Tensor:
    """(1 - lr * wd) * w - lr * sign(grad)."""
    return _updated(weight, _steps.sign_sgd, grad, lr=lr, wd=wd)


@op(mutates=("mom",))
def signum_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    wd_lh: float = 0.0,
) -> Tensor:
    """(1 - lr * wd_lh) * w + lr * sign(m)."""
    options = {"lr": lr, "momentum": momentum, "wd": wd, "rescale": rescale_grad, "wd_lh": wd_lh}
    clip = limit(clip_gradient)
    return _updated(weight, _steps.signum, grad, mom, clip=clip, **options)


@op("_sparse_adam_update", mutates=("mean", "var"))
def adam_update(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    *,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: Hint[bool] = True,
) -> Tensor:
    """Adam without bias correction: that is the caller's part, in `lr`."""
    options = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon, "wd": wd}
    return _updated(
        weight,
        _steps.adam,
        grad,
        mean,
        var,
        lr=lr,
        rescale=rescale_grad,
        clip=limit(clip_gradient),
        **options,
    )


@op(mutates=("n",))
def rmsprop_update(
    weight: Tensor,
    grad: Tensor,
    n: Tensor,
    *,
    lr: float,
    gamma1: float = 0.95,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
) -> Tensor:
    """w - lr * g / sqrt(n + epsilon), n the mean of g**2."""
    return _updated(
        weight,
        _steps.rmsprop,
        grad,
        n,
        lr=lr,
        gamma1=gamma1,
        epsilon=epsilon,
        wd=wd,
        rescale=rescale_grad,
        clip=limit(clip_gradient),
        clip_weights=limit(clip_weights),
    )


@op(mutates=("n", "g", "delta"))
def rmspropalex_update(
    weight: Tensor,
    grad: Tensor,
    n: Tensor,
    g: Tensor,
    delta: Tensor,
    *,
    lr: float,
    gamma1: float = 0.95,
    gamma2: float = 0.9,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
) -> Tensor:
    """`rmsprop_update`, centered and with momentum."""
    return _updated(
        weight,
        _steps.rmsprop_centered,
        grad,
        n,
        g,
        delta,
        lr=lr,
        gamma1=gamma1,
        gamma2=gamma2,
        epsilon=epsilon,
        wd=wd,
        rescale=rescale_grad,
        clip=limit(clip_gradient),
        clip_weights=limit(clip_weights),
    )


@op("_sparse_ftrl_update", mutates=("z", "n"))
def ftrl_update(
    weight: Tensor,
    grad: Tensor,
    z: Tensor,
    n: Tensor,
    *,
    lr: float,
    lamda1: float = 0.01,
    beta: float = 1.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Follow the regularized leader."""
    options = {"lr": lr, "lamda1": lamda1, "beta": beta, "wd": wd, "rescale": rescale_grad}
    return _updated(weight, _steps.ftrl, grad, z, n, clip=limit(clip_gradient), **options)


@op(mutates=("d", "v", "z"))
def ftml_update(
    weight: Tensor,
    grad: Tensor,
    d: Tensor,
    v: Tensor,
    z: Tensor,
    *,
    lr: float,
    beta1: Fraction = 0.6,
    beta2: Fraction = 0.999,
    epsilon: float = 1e-8,
    t: int,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_grad: float = -1.0,
) -> Tensor:
    """Follow the moving leader; `t` counts updates from 1."""
    options = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon, "wd": wd}
    return _updated(
        weight,
        _steps.ftml,
        grad,
        d,
        v,
        z,
        lr=lr,
        t=t,
        rescale=rescale_grad,
        clip=limit(clip_grad),
        **options,
    )


# many weights at once ------------------------------------------------------------------------


def weights_of(attrs: Attrs) -> int:
    """How many weights a call updates."""
    count: int = attrs["num_weights"]
    return count


def rows_of(data: tuple[Tensor, ...], count: int, width: int) -> list[tuple[Tensor, ...]]:
    """The arrays of each weight: MXNet takes them one weight after the other."""
    if len(data) != count * width:
        raise MXNetShapeError(
            f"num_weights={count} needs {count * width} arrays, {width} a weight; got {len(data)}"
        )
    return [data[i : i + width] for i in range(0, len(data), width)]


@op(outputs=weights_of)
def multi_sgd_update(
    *data: Tensor,
    lrs: Floats,
    wds: Floats,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """`sgd_update` of several weights: weight, grad, weight, grad, …."""
    options = {"rescale": rescale_grad, "clip": limit(clip_gradient)}
    return tuple(
        _updated(weight, _steps.sgd, grad, lr=lr, wd=wd, **options)
        for (weight, grad), lr, wd in zip(rows_of(data, num_weights, 2), lrs, wds, strict=True)
    )


@op(outputs=weights_of)
def multi_sgd_mom_update(
    *data: Tensor,
    lrs: Floats,
    wds: Floats,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """`sgd_mom_update` of several weights: weight, grad, momentum, …."""
    options = {"momentum": momentum, "rescale": rescale_grad, "clip": limit(clip_gradient)}
    rows = zip(rows_of(data, num_weights, 3), lrs, wds, strict=True)
    return tuple(
        _updated(weight, _steps.sgd_momentum, grad, mom, lr=lr, wd=wd, **options)
        for (weight, grad, mom), lr, wd in rows
    )


@op(outputs=weights_of, mixed=True)
def multi_mp_sgd_update(
    *data: Tensor,
    lrs: Floats,
    wds: Floats,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """`mp_sgd_update` of several weights: weight, grad, float32 copy, …."""
    options = {"rescale": rescale_grad, "clip": limit(clip_gradient)}
    rows = zip(rows_of(data, num_weights, 3), lrs, wds, strict=True)
    return tuple(
        _through_copy(weight, copy, _steps.sgd, grad, lr=lr, wd=wd, **options)
        for (weight, grad, copy), lr, wd in rows
    )


@op(outputs=weights_of, mixed=True)
def multi_mp_sgd_mom_update(
    *data: Tensor,
    lrs: Floats,
    wds: Floats,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """`mp_sgd_mom_update` of several weights: weight, grad, momentum, float32 copy, …."""
    options = {"momentum": momentum, "rescale": rescale_grad, "clip": limit(clip_gradient)}
    rows = zip(rows_of(data, num_weights, 4), lrs, wds, strict=True)
    return tuple(
        _through_copy(weight, copy, _steps.sgd_momentum, grad, mom, lr=lr, wd=wd, **options)
        for (weight, grad, mom, copy), lr, wd in rows
    )


def _preloaded(data: tuple[Tensor, ...]) -> tuple[tuple[Tensor, ...], Floats, Floats]:
    """The arrays without the last two, and those as numbers: learning rates, weight decays."""
    *arrays, lrs, wds = data
    return tuple(arrays), tuple(lrs.tolist()), tuple(wds.tolist())


@op(outputs=weights_of)
def preloaded_multi_sgd_update(
    *data: Tensor,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """`multi_sgd_update` with arrays of learning rates and weight decays at the end."""
    arrays, lrs, wds = _preloaded(data)
    options: dict[str, Any] = {"rescale_grad": rescale_grad, "clip_gradient": clip_gradient}
    return multi_sgd_update(*arrays, lrs=lrs, wds=wds, num_weights=num_weights, **options)


@op(outputs=weights_of)
def preloaded_multi_sgd_mom_update(
    *data: Tensor,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """`multi_sgd_mom_update` with arrays of learning rates and weight decays at the end."""
    arrays, lrs, wds = _preloaded(data)
    options: dict[str, Any] = {"rescale_grad": rescale_grad, "clip_gradient": clip_gradient}
    options["momentum"] = momentum
    return multi_sgd_mom_update(*arrays, lrs=lrs, wds=wds, num_weights=num_weights, **options)


@op(outputs=weights_of, mixed=True)
def preloaded_multi_mp_sgd_update(
    *data: Tensor,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """`multi_mp_sgd_update` with arrays of learning rates and weight decays at the end."""
    arrays, lrs, wds = _preloaded(data)
    options: dict[str, Any] = {"rescale_grad": rescale_grad, "clip_gradient": clip_gradient}
    return multi_mp_sgd_update(*arrays, lrs=lrs, wds=wds, num_weights=num_weights, **options)


@op(outputs=weights_of, mixed=True)
def preloaded_multi_mp_sgd_mom_update(
    *data: Tensor,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """`multi_mp_sgd_mom_update` with arrays of learning rates and weight decays at the end."""
    arrays, lrs, wds = _preloaded(data)
    options: dict[str, Any] = {"rescale_grad": rescale_grad, "clip_gradient": clip_gradient}
    options["momentum"] = momentum
    return multi_mp_sgd_mom_update(*arrays, lrs=lrs, wds=wds, num_weights=num_weights, **options)
