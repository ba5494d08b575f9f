"""Random samplers: MXNet's own streams on the CPU, torch's generators elsewhere.

Three forms of each distribution: numbers as parameters (`_random_`), arrays of parameters
(`_sample_`), numbers and the shape of an array (`_random_…_like`).
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from mxtorch._core import rng, torch_rng
from mxtorch._core.ambient import Device, Out
from mxtorch._core.attrs import DType, FloatDType, Hint, Shape
from mxtorch._core.dtypes import dtype_name
from mxtorch._core.errors import MXNetError, MXNetShapeError
from mxtorch._core.op import op
from mxtorch._core.pending import Function
from mxtorch._core.rng.logf import logf
from mxtorch._ops._distributions import (
    EXPONENTIAL,
    FLOATS,
    GAMMA,
    GENERALIZED_NEGATIVE_BINOMIAL,
    NEGATIVE_BINOMIAL,
    NORMAL,
    POISSON,
    UNIFORM,
    Distribution,
)
from mxtorch._ops._gradients import without_gradient, without_slope
from mxtorch._ops._partial import same
from mxtorch._ops.binary import one_shape

Ctx = Hint[str | None]


def from_numbers(
    distribution: Distribution,
    params: tuple[float, ...],
    shape: Shape | None,
    dtype: torch.dtype | None,
    device: torch.device,
    out: Tensor | None,
) -> Tensor:
    """Numbers of one distribution, with the shape and type of `out` where none are given."""
    distribution.check(*params)
    shape, dtype = complete(shape, dtype, out, torch.float32, FLOATS)
    return distribution.draw(params, shape, dtype, device)


def complete(
    shape: Shape | None,
    dtype: torch.dtype | None,
    out: Tensor | None,
    default: torch.dtype,
    allowed: tuple[torch.dtype, ...],
) -> tuple[Shape, torch.dtype]:
    """Shape and type of a result, from the attributes or from `out`."""
    if out is not None:
        if dtype is not None and dtype is not out.dtype:
            raise MXNetError(
                f"output type {dtype_name(out.dtype)} does not match the requested type "
                f"{dtype_name(dtype)}"
            )
        shape, dtype = shape or tuple(out.shape), out.dtype
    if not shape:
        raise MXNetShapeError("the shape is not known; pass shape= or out=")
    if min(shape) < 0:
        raise MXNetShapeError(f"{shape} is not a shape")
    dtype = dtype or default
    if dtype not in allowed:
        names = ", ".join(dtype_name(d) for d in allowed)
        raise MXNetError(f"the result must have one of the types {names}, not {dtype_name(dtype)}")
    return shape, dtype


def from_arrays(
    distribution: Distribution,
    params: tuple[Tensor, ...],
    shape: Shape,
    dtype: torch.dtype | None,
    out: Tensor | None,
) -> Tensor:
    """`shape` numbers for each element of the parameter arrays: their shape comes first."""
    if any(p.shape != params[0].shape for p in params):
        shapes = " and ".join(str(tuple(p.shape)) for p in params)
        raise MXNetShapeError(f"the parameters must have one shape, got {shapes}")
    if any(n < 1 for n in shape):
        raise MXNetShapeError(f"shape={shape}: every length must be 1 or more")
    full, dtype = complete((*params[0].shape, *shape), dtype, out, torch.float32, FLOATS)
    return without_slope(distribution.draw(params, full, dtype, params[0].device), *params)


def like(distribution: Distribution, params: tuple[float, ...], data: Tensor) -> Tensor:
    """Numbers of one distribution with the shape and type of `data`."""
    distribution.check(*params)
    if not data.is_floating_point():
        raise MXNetError(
            f"the array must be of a floating point type, not {dtype_name(data.dtype)}"
        )
    drawn = distribution.draw(params, tuple(data.shape), data.dtype, data.device)
    return without_slope(drawn, data)


# numbers as parameters -------------------------------------------------------------------------


@op("random_uniform", "uniform")
def _random_uniform(
    *,
    low: float = 0.0,
    high: float = 1.0,
    shape: Shape | None = None,
    ctx: Ctx = "",
    dtype: FloatDType | None = None,
    device: Device,
    out: Out = None,
) -> Tensor:
    """Uniform numbers of [low, high]."""
    return from_numbers(UNIFORM, (low, high), shape, dtype, device, out)


@op("random_normal", "normal")
def _random_normal(
    *,
    loc: float = 0.0,
    scale: float = 1.0,
    shape: Shape | None = None,
    ctx: Ctx = "",
    dtype: FloatDType | None = None,
    device: Device,
    out: Out = None,
) -> Tensor:
    """Normal numbers of mean `loc` and standard deviation `scale`."""
    return from_numbers(NORMAL, (loc, scale), shape, dtype, device, out)


@op("random_exponential")
def _random_exponential(
    *,
    lam: float = 1.0,
    shape: Shape | None = None,
    ctx: Ctx = "",
    dtype: FloatDType | None = None,
    device: Device,
    out: Out = None,
) -> Tensor:
    """Exponential numbers of rate `lam`."""
    return from_numbers(EXPONENTIAL, (lam,), shape, dtype, device, out)


@op("random_gamma")
def _random_gamma(
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    shape: Shape | None = None,
    ctx: Ctx = "",
    dtype: FloatDType | None = None,
    device: Device,
    out: Out = None,
) -> Tensor:
    """Gamma numbers of shape `alpha` and scale `beta`."""
    return from_numbers(GAMMA, (alpha, beta), shape, dtype, device, out)


@op("random_poisson")
def _random_poisson(
    *,
    lam: float = 1.0,
    shape: Shape | None = None,
    ctx: Ctx = "",
    dtype: FloatDType | None = None,
    device: Device,
    out: Out = None,
) -> Tensor:
    """Poisson numbers of mean `lam`, as floats."""
    return from_numbers(POISSON, (lam,), shape, dtype, device, out)


@op("random_negative_binomial")
def _random_negative_binomial(
    *,
    k: int = 1,
    p: float = 1.0,
    shape: Shape | None = None,
    ctx: Ctx = "",
    dtype: FloatDType | None = None,
    device: Device,
    out: Out = None,
) -> Tensor:
    """Failures before `k` successes of probability `p`, as floats."""
    return from_numbers(NEGATIVE_BINOMIAL, (k, p), shape, dtype, device, out)


@op("random_generalized_negative_binomial")
def _random_generalized_negative_binomial(
    *,
    mu: float = 1.0,
    alpha: float = 1.0,
    shape: Shape | None = None,
    ctx: Ctx = "",
    dtype: FloatDType | None = None,
    device: Device,
    out: Out = None,
) -> Tensor:
    """Negative binomial numbers of mean `mu` and dispersion `alpha`, as floats."""
    params = (mu, alpha)
    return from_numbers(GENERALIZED_NEGATIVE_BINOMIAL, params, shape, dtype, device, out)


@op("random_randint", "_npi_random_randint")
def _random_randint(
    *,
    low: int,
    high: int,
    shape: Shape | None = None,
    ctx: Ctx = "",
    dtype: DType | None = None,
    device: Device,
    out: Out = None,
) -> Tensor:
    """Whole numbers of [low, high), int32 by default."""
    if high <= low:
        raise MXNetError(f"randint: low={low} must be less than high={high}")
    shape, dtype = complete(shape, dtype, out, torch.int32, (torch.int32, torch.int64))
    if device.type == "meta":
        return torch.empty(shape, dtype=dtype, device=device)
    if torch_rng.uses_torch(device):
        values = torch.empty(shape, dtype=dtype, device=device)
        return values.random_(low, high, generator=torch_rng.generator(device))
    kind = np.int32 if dtype is torch.int32 else np.int64
    return torch.from_numpy(rng.current().randint(low, high, shape, kind))


# arrays of parameters --------------------------------------------------------------------------


@op("sample_uniform", fill=one_shape)
def _sample_uniform(
    low: Tensor,
    high: Tensor,
    *,
    shape: Shape = (),
    dtype: FloatDType | None = None,
    out: Out = None,
) -> Tensor:
    """Uniform numbers for each pair of bounds."""
    return from_arrays(UNIFORM, (low, high), shape, dtype, out)


@op("sample_normal", fill=one_shape)
def _sample_normal(
    mu: Tensor,
    sigma: Tensor,
    *,
    shape: Shape = (),
    dtype: FloatDType | None = None,
    out: Out = None,
) -> Tensor:
    """Normal numbers for each mean and standard deviation."""
    return from_arrays(NORMAL, (mu, sigma), shape, dtype, out)


@op("sample_exponential")
def _sample_exponential(
    lam: Tensor, *, shape: Shape = (), dtype: FloatDType | None = None, out: Out = None
) -> Tensor:
    """Exponential numbers for each rate."""
    return from_arrays(EXPONENTIAL, (lam,), shape, dtype, out)


@op("sample_gamma", fill=one_shape)
def _sample_gamma(
    alpha: Tensor,
    beta: Tensor,
    *,
    shape: Shape = (),
    dtype: FloatDType | None = None,
    out: Out = None,
) -> Tensor:
    """Gamma numbers for each shape and scale."""
    return from_arrays(GAMMA, (alpha, beta), shape, dtype, out)


@op("sample_poisson")
def _sample_poisson(
    lam: Tensor, *, shape: Shape = (), dtype: FloatDType | None = None, out: Out = None
) -> Tensor:
    """Poisson numbers for each mean, as floats."""
    return from_arrays(POISSON, (lam,), shape, dtype, out)


@op("sample_negative_binomial", fill=one_shape)
def _sample_negative_binomial(
    k: Tensor, p: Tensor, *, shape: Shape = (), dtype: FloatDType | None = None, out: Out = None
) -> Tensor:
    """Failures before k successes of probability p, for each pair."""
    return from_arrays(NEGATIVE_BINOMIAL, (k, p), shape, dtype, out)


@op("sample_generalized_negative_binomial", fill=one_shape)
def _sample_generalized_negative_binomial(
    mu: Tensor,
    alpha: Tensor,
    *,
    shape: Shape = (),
    dtype: FloatDType | None = None,
    out: Out = None,
) -> Tensor:
    """Negative binomial numbers for each mean and dispersion."""
    return from_arrays(GENERALIZED_NEGATIVE_BINOMIAL, (mu, alpha), shape, dtype, out)


# numbers, and an array for the shape -----------------------------------------------------------


@op()
def _random_uniform_like(data: Tensor, *, low: float = 0.0, high: float = 1.0) -> Tensor:
    """Uniform numbers of [low, high] like `data`."""
    return like(UNIFORM, (low, high), data)


@op()
def _random_normal_like(data: Tensor, *, loc: float = 0.0, scale: float = 1.0) -> Tensor:
    """Normal numbers like `data`."""
    return like(NORMAL, (loc, scale), data)


@op()
def _random_exponential_like(data: Tensor, *, lam: float = 1.0) -> Tensor:
    """Exponential numbers of rate `lam` like `data`."""
    return like(EXPONENTIAL, (lam,), data)


@op()
def _random_gamma_like(data: Tensor, *, alpha: float = 1.0, beta: float = 1.0) -> Tensor:
    """Gamma numbers of shape `alpha` and scale `beta` like `data`."""
    return like(GAMMA, (alpha, beta), data)


@op()
def _random_poisson_like(data: Tensor, *, lam: float = 1.0) -> Tensor:
    """Poisson numbers of mean `lam` like `data`."""
    return like(POISSON, (lam,), data)


@op()
def _random_negative_binomial_like(data: Tensor, *, k: int = 1, p: float = 1.0) -> Tensor:
    """Failures before `k` successes of probability `p`, like `data`."""
    return like(NEGATIVE_BINOMIAL, (k, p), data)


@op()
def _random_generalized_negative_binomial_like(
    data: Tensor, *, mu: float = 1.0, alpha: float = 1.0
) -> Tensor:
    """Negative binomial numbers of mean `mu` and dispersion `alpha` like `data`."""
    return like(GENERALIZED_NEGATIVE_BINOMIAL, (mu, alpha), data)


# the rest --------------------------------------------------------------------------------------


@op("shuffle", "_npi_shuffle", infer=same)
@without_gradient
def _shuffle(data: Tensor) -> Tensor:
    """The rows (of a vector: the elements) in random order."""
    if data.device.type == "meta":
        return torch.empty_like(data)
    count = data.shape[0]
    if torch_rng.uses_torch(data.device):
        generator = torch_rng.generator(data.device)
        order = torch.randperm(count, generator=generator, device=data.device)
    else:
        order = torch.from_numpy(rng.current().shuffle_index(count, data.ndim))
    return data.index_select(0, order)


def _logf(values: Tensor) -> Tensor:
    """The logarithm in float32; on the CPU with the bits of the C library's."""
    if values.device.type == "cpu":
        return torch.from_numpy(logf(values.float().numpy()))
    return values.float().log()


class _LogProbability(Function):
    """The logarithm of the drawn classes' probabilities; the gradient goes to these alone."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, classes: Tensor) -> Tensor:
        table = data.reshape(-1, data.shape[-1])
        index = classes.reshape(table.shape[0], -1).long()
        chosen = table.gather(1, index)
        ctx.save_for_backward(chosen, index)
        ctx.shape = data.shape
        return _logf(chosen).to(data.dtype).reshape(classes.shape)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        chosen, index = ctx.saved_tensors
        rows, classes = chosen.shape[0], ctx.shape[-1]
        result = grad.new_zeros(rows, classes)
        result.scatter_add_(1, index, grad.reshape(chosen.shape) / chosen)
        return result.reshape(ctx.shape), None


@op("sample_multinomial", outputs=lambda attrs: 2 if attrs["get_prob"] else 1)
def _sample_multinomial(
    data: Tensor,
    *,
    shape: Shape = (),
    get_prob: bool = False,
    dtype: Literal["float16", "float32", "float64", "int32", "uint8"] = "int32",
) -> Tensor | tuple[Tensor, Tensor]:
    """Classes drawn from rows of probabilities; with `get_prob` also their log probabilities."""
    if not data.is_floating_point():
        raise MXNetError(f"data must be of a floating point type, not {dtype_name(data.dtype)}")
    full = (*data.shape[:-1], *shape) or (1,)
    kind = getattr(torch, dtype)
    probabilities = data.detach()
    if data.device.type == "meta":
        classes = torch.empty(full, dtype=kind, device="meta")
    elif torch_rng.uses_torch(data.device):
        table = probabilities.reshape(-1, data.shape[-1])
        count = int(np.prod(shape, dtype=np.int64))
        generator = torch_rng.generator(data.device)
        drawn = torch.multinomial(table.float(), count, replacement=True, generator=generator)
        classes = drawn.reshape(full).to(kind)
    else:
        chosen = rng.current().multinomial(probabilities.numpy(), tuple(shape))
        classes = torch.from_numpy(chosen).reshape(full).to(kind)
    drawn = without_slope(classes, data)
    return (drawn, _LogProbability.apply(data, classes)) if get_prob else drawn


@op(outputs=2)
def _sample_unique_zipfian(
    *, range_max: int, shape: Shape | None = None, device: Device
) -> tuple[Tensor, Tensor]:
    """Rows of distinct log-uniform whole numbers below `range_max`, and the trials they took."""
    if shape is None or len(shape) != 2:
        raise MXNetShapeError(f"shape must be (batch size, samples), got {shape}")
    if shape[1] > range_max:
        raise MXNetError(f"{shape[1]} distinct samples cannot come from {range_max} classes")
    if device.type == "meta":
        sizes: tuple[Shape, Shape] = (shape, shape[:1])
        first, second = (torch.empty(s, dtype=torch.int64, device=device) for s in sizes)
        return first, second
    values, trials = rng.current().unique_zipfian(range_max, shape)
    return torch.from_numpy(values).to(device), torch.from_numpy(trials).to(device)
