"""The distributions behind the random samplers: limits of their parameters, and the draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mxtorch._core import rng, torch_rng
from mxtorch._core.dtypes import dtype_to_numpy
from mxtorch._core.errors import MXNetError

FLOATS = (torch.float16, torch.float32, torch.float64)
Shape = tuple[int, ...]
# The parameters as tensors that broadcast to the shape, the shape, the type, the generator.
TorchDraw = Callable[..., Tensor]


@dataclass(frozen=True)
class Distribution:
    """One distribution: `stream` is the method of MXNet's generator, `by_torch` torch's draw."""

    stream: str
    limits: Callable[..., str]
    by_torch: TorchDraw

    def check(self, *params: float) -> None:
        """Raise for numbers that are no parameters; arrays are not checked, as in MXNet."""
        problem = self.limits(*params)
        if problem:
            raise MXNetError(problem)

    def draw(
        self, params: tuple[Any, ...], shape: Shape, dtype: torch.dtype, device: torch.device
    ) -> Tensor:
        """Numbers of this shape; parameter arrays are matched with its leading axes."""
        if device.type == "meta":
            return torch.empty(shape, dtype=dtype, device=device)
        if torch_rng.uses_torch(device):
            return self._draw_torch(params, shape, dtype, device)
        kind = dtype_to_numpy(dtype)
        values = [_for_stream(p, kind) for p in params]
        drawn = getattr(rng.current(), self.stream)(*values, shape=shape, dtype=kind)
        return torch.from_numpy(drawn)

    def _draw_torch(
        self, params: tuple[Any, ...], shape: Shape, dtype: torch.dtype, device: torch.device
    ) -> Tensor:
        work = torch.float64 if dtype is torch.float64 else torch.float32
        tensors = []
        for param in params:
            tensor = torch.as_tensor(param, dtype=work, device=device)
            tensors.append(tensor.reshape(*tensor.shape, *(1,) * (len(shape) - tensor.ndim)))
        return self.by_torch(*tensors, shape, work, torch_rng.generator(device)).to(dtype)


def _for_stream(param: Any, kind: Any) -> Any:
    """An array of parameters as NumPy; whole numbers take the result's type."""
    if not isinstance(param, Tensor):
        return param
    values = param.detach().numpy().reshape(-1)
    return values if values.dtype.kind == "f" else values.astype(np.promote_types(kind, np.float32))


def _empty(shape: Shape, like: Tensor) -> Tensor:
    return torch.empty(shape, dtype=like.dtype, device=like.device)


def _uniform(low: Tensor, high: Tensor, shape: Shape, work: Any, generator: Any) -> Tensor:
    return low + (high - low) * _empty(shape, low).uniform_(generator=generator)


def _normal(loc: Tensor, scale: Tensor, shape: Shape, work: Any, generator: Any) -> Tensor:
    return _empty(shape, loc).normal_(generator=generator) * scale + loc


def _exponential(lam: Tensor, shape: Shape, work: Any, generator: Any) -> Tensor:
    return _empty(shape, lam).exponential_(generator=generator) / lam


def _gamma(alpha: Tensor, beta: Tensor, shape: Shape, work: Any, generator: Any) -> Tensor:
    return torch._standard_gamma(alpha.expand(shape), generator=generator) * beta


def _poisson(lam: Tensor, shape: Shape, work: Any, generator: Any) -> Tensor:
    return torch.poisson(lam.expand(shape), generator=generator)


def _negative_binomial(k: Tensor, p: Tensor, shape: Shape, work: Any, generator: Any) -> Tensor:
    return torch.poisson(_gamma(k, (1 - p) / p, shape, work, generator), generator=generator)


def _generalized(mu: Tensor, alpha: Tensor, shape: Shape, work: Any, generator: Any) -> Tensor:
    spread = alpha.clamp(min=torch.finfo(work).tiny)
    mixed = _gamma(1 / spread, spread * mu, shape, work, generator)
    return torch.poisson(torch.where(alpha == 0, mu, mixed), generator=generator)


def _positive(**params: float) -> str:
    wrong = [f"{name} must be positive, got {v}" for name, v in params.items() if not v > 0]
    return "; ".join(wrong)


def _not_negative(**params: float) -> str:
    wrong = [f"{name} must not be negative, got {v}" for name, v in params.items() if not v >= 0]
    return "; ".join(wrong)


UNIFORM = Distribution(
    "uniform",
    lambda low, high: "" if high >= low else f"low={low} must not be greater than high={high}",
    _uniform,
)
NORMAL = Distribution("normal", lambda loc, scale: _positive(scale=scale), _normal)
EXPONENTIAL = Distribution("exponential", lambda lam: _positive(lam=lam), _exponential)
GAMMA = Distribution("gamma", lambda alpha, beta: _positive(alpha=alpha, beta=beta), _gamma)
POISSON = Distribution("poisson", lambda lam: _not_negative(lam=lam), _poisson)
NEGATIVE_BINOMIAL = Distribution(
    "negative_binomial", lambda k, p: _not_negative(k=k, p=p), _negative_binomial
)
GENERALIZED_NEGATIVE_BINOMIAL = Distribution(
    "generalized_negative_binomial",
    lambda mu, alpha: _not_negative(mu=mu, alpha=alpha),
    _generalized,
)
