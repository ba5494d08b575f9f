"""Densities of the random distributions at given samples.

The parameters' axes are the samples' first ones; each parameter's samples follow on further axes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import op
from mxtorch._ops._gradients import without_slope
from mxtorch._ops.activation import check_float

# MXNet's pi is a float32 number
_HALF_LOG_2PI = 0.5 * math.log(2 * float(np.float32(math.pi)))


def _density(
    log_density: Callable[..., Tensor], sample: Tensor, *parameters: Tensor, is_log: bool
) -> Tensor:
    check_float(sample)
    first = parameters[0].shape
    if any(p.shape != first for p in parameters) or sample.shape[: len(first)] != first:
        shapes = ", ".join(str(tuple(p.shape)) for p in parameters)
        raise MXNetShapeError(
            f"sample has shape {tuple(sample.shape)}, which must begin with the parameters': "
            f"{shapes}"
        )
    more = (1,) * (sample.ndim - len(first))
    result = log_density(sample, *(p.reshape(*first, *more) for p in parameters))
    return result if is_log else result.exp()


def _factorial(x: Tensor) -> Tensor:
    """The logarithm of x!."""
    return torch.lgamma(x + 1)


def _uniform(x: Tensor, low: Tensor, high: Tensor) -> Tensor:
    return (-torch.log(high - low)).expand(x.shape).contiguous()


def _normal(x: Tensor, mu: Tensor, sigma: Tensor) -> Tensor:
    half = -0.5 * ((x - mu) / sigma) ** 2
    return half - torch.log(sigma) - _HALF_LOG_2PI


def _gamma(x: Tensor, alpha: Tensor, beta: Tensor) -> Tensor:
    return alpha * torch.log(beta) + (alpha - 1) * torch.log(x) - beta * x - torch.lgamma(alpha)


def _exponential(x: Tensor, lam: Tensor) -> Tensor:
    return torch.log(lam) - lam * x


def _poisson(x: Tensor, lam: Tensor) -> Tensor:
    x = without_slope(x.detach(), x)
    return x * torch.log(lam) - lam - _factorial(x)


def _negative_binomial(x: Tensor, k: Tensor, p: Tensor) -> Tensor:
    x = without_slope(x.detach(), x)
    ways = torch.lgamma(x + k) - _factorial(x) - torch.lgamma(k)
    return ways + k * torch.log(p) + x * torch.log(1 - p)


def _generalized(x: Tensor, mu: Tensor, alpha: Tensor) -> Tensor:
    return _negative_binomial(x, 1 / alpha, 1 / (mu * alpha + 1))


_BY_PARAMETERS = "zero for the samples, which are counts"


@op("random_pdf_uniform", name="_random_pdf_uniform")
def random_pdf_uniform(
    sample: Tensor, low: Tensor, high: Tensor, *, is_log: bool = False
) -> Tensor:
    """Density of the uniform distribution; as in MXNet also outside of its range."""
    return _density(_uniform, sample, low, high, is_log=is_log)


@op("random_pdf_normal", name="_random_pdf_normal")
def random_pdf_normal(sample: Tensor, mu: Tensor, sigma: Tensor, *, is_log: bool = False) -> Tensor:
    """Density of normal distributions by mean and standard deviation."""
    return _density(_normal, sample, mu, sigma, is_log=is_log)


@op("random_pdf_gamma", name="_random_pdf_gamma")
def random_pdf_gamma(
    sample: Tensor, alpha: Tensor, beta: Tensor, *, is_log: bool = False
) -> Tensor:
    """Density of gamma distributions by shape and rate (`random_gamma` takes a scale)."""
    return _density(_gamma, sample, alpha, beta, is_log=is_log)


@op("random_pdf_exponential", name="_random_pdf_exponential")
def random_pdf_exponential(sample: Tensor, lam: Tensor, *, is_log: bool = False) -> Tensor:
    """Density of exponential distributions by rate."""
    return _density(_exponential, sample, lam, is_log=is_log)


@op("random_pdf_poisson", name="_random_pdf_poisson", gradient=_BY_PARAMETERS)
def random_pdf_poisson(sample: Tensor, lam: Tensor, *, is_log: bool = False) -> Tensor:
    """Probability of counts in Poisson distributions."""
    return _density(_poisson, sample, lam, is_log=is_log)


@op(
    "random_pdf_negative_binomial",
    name="_random_pdf_negative_binomial",
    gradient=_BY_PARAMETERS,
)
def random_pdf_negative_binomial(
    sample: Tensor, k: Tensor, p: Tensor, *, is_log: bool = False
) -> Tensor:
    """Probability of that many failures before `k` successes of probability `p`."""
    return _density(_negative_binomial, sample, k, p, is_log=is_log)


@op(
    "random_pdf_generalized_negative_binomial",
    name="_random_pdf_generalized_negative_binomial",
    gradient=_BY_PARAMETERS,
)
def random_pdf_generalized_negative_binomial(
    sample: Tensor, mu: Tensor, alpha: Tensor, *, is_log: bool = False
) -> Tensor:
    """The negative binomial distribution by mean and dispersion."""
    return _density(_generalized, sample, mu, alpha, is_log=is_log)


@op("random_pdf_dirichlet", name="_random_pdf_dirichlet")
def random_pdf_dirichlet(sample: Tensor, alpha: Tensor, *, is_log: bool = False) -> Tensor:
    """Density of Dirichlet distributions; a sample lies along the last axis."""
    check_float(sample)
    first = alpha.shape[:-1]
    if sample.shape[: len(first)] != first or sample.shape[-1] != alpha.shape[-1]:
        raise MXNetShapeError(
            f"sample has shape {tuple(sample.shape)}; must be {tuple(first)}, more axes, "
            f"{alpha.shape[-1]}"
        )
    more = (1,) * (sample.ndim - alpha.ndim)
    weight = alpha.reshape(*first, *more, alpha.shape[-1])
    volume = torch.lgamma(weight.sum(-1)) - torch.lgamma(weight).sum(-1)
    result = ((weight - 1) * torch.log(sample)).sum(-1) + volume
    result = result if result.ndim else result.reshape(1)
    return result if is_log else result.exp()
