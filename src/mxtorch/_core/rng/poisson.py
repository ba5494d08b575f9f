"""Poisson numbers on `par`; always float32."""

from __future__ import annotations

import numpy as np

from mxtorch._core.rng.arrays import F32, F64, F32Array, I64Array
from mxtorch._core.rng.lanes import Lanes, via_f64
from mxtorch._core.rng.lgammaf import lgammaf, log_factorial

_PI = F32.type(3.1415926)
_REJECTION_FROM = 12.0


class Rates:
    """Rates, and what follows from them."""

    def __init__(self, rate: F32Array) -> None:
        self.rate = rate
        self.low = ~(rate >= _REJECTION_FROM)
        self.limit = via_f64(np.exp, -rate)
        self.root = np.sqrt(2.0 * np.maximum(rate, 0).astype(F64)).astype(F32)
        self.log = via_f64(np.log, np.where(self.low, F32.type(1), rate))
        self.g = np.zeros(len(rate), F32)
        high = np.flatnonzero(~self.low)
        log_gamma = lgammaf((rate[high].astype(F64) + 1.0).astype(F32))
        self.g[high] = rate[high] * self.log[high] - log_gamma


class Poisson:
    """The rate and the progress of each lane's current number."""

    def __init__(self, rows: int) -> None:
        self.low = np.zeros(rows, bool)
        self.product, self.count = np.zeros(rows, F32), np.zeros(rows, F32)
        self.rate, self.limit, self.root, self.log, self.g = (np.zeros(rows, F32) for _ in "rlolg")

    def begin(self, some: I64Array, rates: Rates, index: I64Array) -> None:
        """Set the rate for the next number of these lanes, to entries of `rates`."""
        self.low[some] = rates.low[index]
        self.rate[some] = rates.rate[index]
        self.limit[some] = rates.limit[index]
        self.root[some], self.log[some] = rates.root[index], rates.log[index]
        self.g[some] = rates.g[index]
        self.product[some], self.count[some] = 1, 0

    def attempt(self, lanes: Lanes, active: I64Array) -> tuple[I64Array, F32Array]:
        """One attempt in each active lane: those that succeed, and their numbers."""
        low = self.low[active]
        if low.all():
            return self._multiply(lanes, active)
        if not low.any():
            return self._tangent(lanes, active)
        first, second = self._multiply(lanes, active[low]), self._tangent(lanes, active[~low])
        return np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])

    def _multiply(self, lanes: Lanes, some: I64Array) -> tuple[I64Array, F32Array]:
        """Small rates: how many uniform numbers can be multiplied before exp(-rate)."""
        if not len(some):
            return some, np.empty(0, F32)
        most = max(float(self.rate[some].max()), 0.0)  # of a negative rate comes 0
        factors = lanes.uniforms(some, int(most + 3 * most**0.5) + 2)
        factors[:, 0] *= self.product[some]
        products = np.multiply.accumulate(factors, axis=1)
        above = (products > self.limit[some, None]).sum(axis=1)  # they only fall
        width = factors.shape[1]
        lanes.skip(some, np.minimum(above + 1, width))
        self.count[some] += above
        self.product[some] = products[:, -1]
        done = some[above < width]
        return done, self.count[done]

    def _tangent(self, lanes: Lanes, some: I64Array) -> tuple[I64Array, F32Array]:
        """Large rates: rejection from a Cauchy distribution."""
        y = via_f64(np.tan, _PI * lanes.uniform(some))
        value = self.root[some] * y + self.rate[some]
        positive = np.flatnonzero(value >= 0)
        some, y, value = some[positive], y[positive], np.floor(value[positive])
        exponent = value * self.log[some] - log_factorial(value) - self.g[some]
        ratio = 0.9 * (1.0 + (y * y).astype(F64)) * via_f64(np.exp, exponent).astype(F64)
        won = np.flatnonzero(~(lanes.uniform(some) > ratio.astype(F32)))
        return some[won], value[won]
