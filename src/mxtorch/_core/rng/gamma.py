"""Gamma numbers on `par`, by rejection from normal numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mxtorch._core.errors import MXNetValueError
from mxtorch._core.rng.arrays import F64, Array, I64Array
from mxtorch._core.rng.lanes import Lanes, pick
from mxtorch._core.rng.parameter import constant, mixed


@dataclass
class Gamma:
    """Gamma numbers of shape a and scale b; tables with an entry for each parameter."""

    a: Array
    b: Array
    kind: np.dtype[Any]
    n: int

    def __post_init__(self) -> None:
        a, T = self.a, self.kind.type
        if not (np.isfinite(a) & (a >= 0)).all():
            raise MXNetValueError("the shape of a gamma distribution must be finite and positive")
        above = mixed(np.add, a, constant(2.0 / 3.0, a))
        self.d = np.where(a < 1, above, mixed(np.subtract, a, constant(1.0 / 3.0, a))).astype(T)
        self.k = np.sqrt(9.0 * self.d.astype(F64)).astype(T)
        self.c = (1.0 / self.k.astype(F64)).astype(T)
        with np.errstate(divide="ignore"):
            self.inverse = mixed(np.divide, constant(1.0, a), a).astype(T)
        self.some_below_one = bool((a < 1).any())

    def attempt(self, lanes: Lanes, active: I64Array) -> tuple[I64Array, Array]:
        """One attempt in each active lane: those that succeed, and their numbers."""
        T, n = self.kind, self.n
        z = lanes.normal(active, T)
        element = lanes.element[active]
        inside = np.flatnonzero(z > -pick(self.k, element, n))
        some, z, element = active[inside], z[inside], element[inside]
        d = pick(self.d, element, n)
        x = (1.0 + (pick(self.c, element, n) * z).astype(F64)).astype(T)
        v = x * x * x
        u = lanes.uniform(some, T).astype(F64)
        z64, v64 = z.astype(F64), v.astype(F64)
        with np.errstate(divide="ignore"):
            bound = 0.5 * z64 * z64 + d * (1.0 - v64 + np.log(v64))
            won = np.flatnonzero(np.log(1.0 - u) < bound)
        some, element = some[won], element[won]
        value = mixed(np.multiply, d[won] * v[won], pick(self.b, element, n)).astype(T)
        if self.some_below_one:
            self._shrink(lanes, some, element, value)
        return some, value

    def _shrink(self, lanes: Lanes, some: I64Array, element: I64Array, value: Array) -> None:
        """For shapes below 1 the number is of shape a + 1 so far: times u ** (1 / a)."""
        below = np.flatnonzero(pick(self.a, element, self.n) < 1)
        u = lanes.uniform(some[below], self.kind).astype(F64)
        power = np.power(u, pick(self.inverse, element[below], self.n).astype(F64))
        value[below] = value[below].astype(F64) * power
