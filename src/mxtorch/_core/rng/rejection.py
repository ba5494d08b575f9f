"""Samplers on `par` that draw until a number is accepted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mxtorch._core.rng.arrays import (
    F32,
    F64,
    Array,
    F32Array,
    I64Array,
    Param,
    Shape,
    cast,
    size_of,
)
from mxtorch._core.rng.lanes import Lanes, pick, via_f64
from mxtorch._core.rng.lgammaf import lgammaf, log_factorial
from mxtorch._core.rng.parameter import columns_for, constant, mixed
from mxtorch._core.rng.streams import ENGINES, Streams, split
from mxtorch._core.rng.unit import to_f64

_PI = F32.type(3.1415926)
_NORMAL_APPROXIMATION_FROM = 12.0


@dataclass
class _Gamma:
    """Gamma numbers of shape a and scale b; tables with an entry for each parameter."""

    a: Array
    b: Array
    kind: np.dtype[Any]
    n: int

    def __post_init__(self) -> None:
        a, T = self.a, self.kind.type
        above = mixed(np.add, a, constant(2.0 / 3.0, a))
        self.d = np.where(a < 1, above, mixed(np.subtract, a, constant(1.0 / 3.0, a))).astype(T)
        self.k = np.sqrt(9.0 * self.d.astype(F64)).astype(T)
        self.c = (1.0 / self.k.astype(F64)).astype(T)
        with np.errstate(divide="ignore"):
            self.inverse = mixed(np.divide, constant(1.0, a), a).astype(T)

    def attempt(self, lanes: Lanes, active: I64Array) -> tuple[I64Array, Array]:
        """One attempt in each active lane: those that succeed, and their numbers."""
        T = self.kind
        some, z = lanes.normal(active, T)
        element = lanes.element[some]
        inside = np.flatnonzero(z > -pick(self.k, element, self.n))
        some, z, element = some[inside], z[inside], element[inside]
        d, c = pick(self.d, element, self.n), pick(self.c, element, self.n)
        x = (1.0 + (c * z).astype(F64)).astype(T)
        v = x * x * x
        u = lanes.uniform(some, T).astype(F64)
        z64, v64 = z.astype(F64), v.astype(F64)
        with np.errstate(divide="ignore"):
            bound = 0.5 * z64 * z64 + d * (1.0 - v64 + np.log(v64))
            won = np.flatnonzero(np.log(1.0 - u) < bound)
        some, element = some[won], element[won]
        value = mixed(np.multiply, d[won] * v[won], pick(self.b, element, self.n)).astype(T)
        below_one = np.flatnonzero(pick(self.a, element, self.n) < 1)
        if len(below_one):
            u = lanes.uniform(some[below_one], T).astype(F64)
            power = np.power(u, pick(self.inverse, element[below_one], self.n).astype(F64))
            value[below_one] = value[below_one].astype(F64) * power
        return some, value

    def most(self) -> int:
        """Raw numbers that an attempt draws at most."""
        return 4 if self.kind == F32 else 8


class _Poisson:
    """Poisson numbers, with the rate of each lane's current element."""

    def __init__(self, rows: int) -> None:
        self.rate, self.low = np.zeros(rows, F32), np.zeros(rows, bool)
        self.limit, self.product = np.zeros(rows, F32), np.zeros(rows, F32)
        self.count = np.zeros(rows, F32)
        self.root, self.log, self.g = (np.zeros(rows, F32) for _ in range(3))
        self.fresh = np.zeros(rows, bool)

    def begin(self, some: I64Array, rate: F32Array) -> None:
        """Set the rate for the next number of these lanes."""
        self.rate[some] = rate
        low = rate < _NORMAL_APPROXIMATION_FROM
        self.low[some], self.fresh[some] = low, low
        self.limit[some] = via_f64(np.exp, -rate)
        self.count[some] = 0
        high, rate = some[~low], rate[~low]
        if len(high):
            self.root[high] = np.sqrt(2.0 * rate.astype(F64)).astype(F32)
            log = via_f64(np.log, rate)
            self.log[high] = log
            self.g[high] = rate * log - lgammaf((rate.astype(F64) + 1.0).astype(F32))

    def attempt(self, lanes: Lanes, active: I64Array) -> tuple[I64Array, F32Array]:
        """One attempt in each active lane: those that succeed, and their numbers."""
        low = self.low[active]
        done_low = self._multiply(lanes, active[low])
        done_high, count = self._tangent(lanes, active[~low])
        done = np.concatenate([done_low, done_high])
        return done, np.concatenate([self.count[done_low], count])

    def _multiply(self, lanes: Lanes, some: I64Array) -> I64Array:
        """Small rates: how many uniform numbers can be multiplied before exp(-rate)."""
        u = lanes.uniform(some)
        product = np.where(self.fresh[some], u, self.product[some] * u)
        self.fresh[some] = False
        self.product[some] = product
        above = product > self.limit[some]
        self.count[some[above]] += 1
        return some[~above]

    def _tangent(self, lanes: Lanes, some: I64Array) -> tuple[I64Array, F32Array]:
        """Large rates: rejection from a Cauchy distribution."""
        if not len(some):
            return some, np.empty(0, F32)
        y = via_f64(np.tan, _PI * lanes.uniform(some))
        value = self.root[some] * y + self.rate[some]
        positive = np.flatnonzero(value >= 0)
        some, y, value = some[positive], y[positive], np.floor(value[positive])
        exponent = value * self.log[some] - log_factorial(value) - self.g[some]
        ratio = 0.9 * (1.0 + (y * y).astype(F64)) * via_f64(np.exp, exponent).astype(F64)
        won = np.flatnonzero(~(lanes.uniform(some) > ratio.astype(F32)))
        return some[won], value[won]


class RejectionSamplers(Streams):
    """gamma, poisson, the negative binomials and zipfian."""

    def gamma(
        self,
        alpha: Param = 1.0,
        beta: Param = 1.0,
        shape: Shape = (1,),
        dtype: npt.DTypeLike = F32,
    ) -> Array:
        """Gamma numbers of shape `alpha` and scale `beta`."""
        n, dtype = size_of(shape), np.dtype(dtype)
        kind = F64 if dtype == F64 else F32
        out = np.empty(n, kind)
        if n:
            a, b = columns_for(n, alpha, beta)
            source, lanes = _Gamma(a[:, 0], b[:, 0], kind, n), Lanes(self.par, n)
            while len(active := lanes.active(source.most())):
                done, value = source.attempt(lanes, active)
                out[lanes.element[done]] = value
                lanes.advance(done)
            lanes.finish()
        return cast(out, dtype).reshape(shape)

    def poisson(
        self,
        lam: Param = 1.0,
        shape: Shape = (1,),
        dtype: npt.DTypeLike = F32,
    ) -> Array:
        """Poisson numbers of rate `lam`."""
        n = size_of(shape)
        if n:
            (rate,) = columns_for(n, lam)
            table = rate[:, 0].astype(F32)
            return self._mixed_poisson(None, table, n, np.dtype(dtype)).reshape(shape)
        return np.empty(shape, dtype)

    def negative_binomial(
        self,
        k: Param = 1,
        p: Param = 1.0,
        shape: Shape = (1,),
        dtype: npt.DTypeLike = F32,
    ) -> Array:
        """Failures before the k-th success of probability `p`."""
        n = size_of(shape)
        if not n:
            return np.empty(shape, dtype)
        ks, ps = columns_for(n, k, p)
        p64 = ps[:, 0].astype(F32).astype(F64)
        b = ((1.0 - p64) / p64).astype(F32).astype(ps.dtype)
        source = _Gamma(ks[:, 0].astype(F32).astype(ks.dtype), b, F32, n)
        return self._mixed_poisson(source, None, n, np.dtype(dtype)).reshape(shape)

    def generalized_negative_binomial(
        self,
        mu: Param = 1.0,
        alpha: Param = 1.0,
        shape: Shape = (1,),
        dtype: npt.DTypeLike = F32,
    ) -> Array:
        """Negative binomial numbers of mean `mu` and dispersion `alpha`; 0 gives Poisson."""
        n = size_of(shape)
        if not n:
            return np.empty(shape, dtype)
        mean, dispersion = (v[:, 0] for v in columns_for(n, mu, alpha))
        mean, dispersion = np.broadcast_arrays(mean, dispersion)
        fixed = np.where(dispersion == 0, mean, np.nan).astype(F32)
        safe = np.where(dispersion == 0, 1, dispersion).astype(dispersion.dtype)
        source = _Gamma(1 / safe, safe * mean, F32, n)
        return self._mixed_poisson(source, fixed, n, np.dtype(dtype)).reshape(shape)

    def _mixed_poisson(
        self, source: _Gamma | None, fixed: F32Array | None, n: int, dtype: np.dtype[Any]
    ) -> Array:
        """Poisson numbers whose rates are fixed or, where those are NaN, drawn first."""
        lanes, out = Lanes(self.par, n), np.empty(n, F32)
        rows = len(lanes.element)
        poisson, ready = _Poisson(rows), np.zeros(rows, bool)

        def begin(some: I64Array, rate: F32Array) -> None:
            poisson.begin(some, rate)
            ready[some] = True

        while len(active := lanes.active(5)):
            waiting = active[~ready[active]]
            if fixed is not None and len(waiting):
                rate = pick(fixed, lanes.element[waiting], n)
                known = ~np.isnan(rate)
                begin(waiting[known], rate[known])
                waiting = waiting[~known]
            if source is not None and len(waiting):
                begin(*source.attempt(lanes, waiting))
            done, value = poisson.attempt(lanes, active[ready[active]])
            out[lanes.element[done]] = value
            ready[done] = False
            lanes.advance(done)
        lanes.finish()
        return cast(out, dtype)

    def unique_zipfian(self, range_max: int, shape: tuple[int, int]) -> tuple[Array, Array]:
        """Different numbers of [0, range_max) in each row, and the draws that each row took."""
        batch, count = shape
        out, tries = np.empty(shape, np.int64), np.empty(batch, np.int64)
        if not batch:
            return out, tries
        rows, step = split(batch, ENGINES, 1)
        self.par.grow(rows)
        scale = np.log(float(range_max))
        for row in range(batch):
            out[row], tries[row] = self._distinct(row // step, scale, count)
        return out, tries

    def _distinct(self, engine: int, scale: float, count: int) -> tuple[list[int], int]:
        seen: dict[int, None] = {}
        tries = 0
        while len(seen) < count:
            words = 2 * min(max(8, count - len(seen)), 256)
            u = to_f64(self.par.peek(engine, engine + 1, words))[0]
            values = (np.floor(np.exp(u * scale) + 0.5).astype(np.int64) - 1).tolist()
            used = 0
            for value in values:
                if len(seen) == count:
                    break
                seen[value] = None
                used += 1
            self.par.advance(engine, engine + 1, 2 * used)
            tries += used
        return list(seen), tries
