"""Samplers on `par` that draw until a number is accepted."""

from __future__ import annotations

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
from mxtorch._core.rng.gamma import Gamma
from mxtorch._core.rng.lanes import Lanes
from mxtorch._core.rng.parameter import columns_for
from mxtorch._core.rng.poisson import Poisson, Rates
from mxtorch._core.rng.streams import ENGINES, Streams, split
from mxtorch._core.rng.unit import to_f64


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
            source, lanes = Gamma(a[:, 0], b[:, 0], kind, n), Lanes(self.par, n)
            while len(active := lanes.active()):
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
        source = Gamma(ks[:, 0].astype(F32).astype(ks.dtype), b, F32, n)
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
        source = Gamma(1 / safe, safe * mean, F32, n)
        return self._mixed_poisson(source, fixed, n, np.dtype(dtype)).reshape(shape)

    def _mixed_poisson(
        self, source: Gamma | None, fixed: F32Array | None, n: int, dtype: np.dtype[Any]
    ) -> Array:
        """Poisson numbers whose rates are fixed or, where those are NaN, drawn first."""
        lanes, out = Lanes(self.par, n), np.empty(n, F32)
        rows = len(lanes.element)
        poisson, ready = Poisson(rows), np.zeros(rows, bool)
        rates, run = (None, 0) if fixed is None else (Rates(fixed), n // len(fixed))

        def begin(waiting: I64Array) -> None:
            if rates is not None:
                index = lanes.element[waiting] // run
                known = ~np.isnan(rates.rate[index])
                poisson.begin(waiting[known], rates, index[known])
                ready[waiting[known]] = True
                waiting = waiting[~known]
            if source is not None and len(waiting):
                drawn, rate = source.attempt(lanes, waiting)
                poisson.begin(drawn, Rates(rate), np.arange(len(drawn)))
                ready[drawn] = True

        while len(active := lanes.active()):
            begin(active[~ready[active]])
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
