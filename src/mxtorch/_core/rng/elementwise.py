"""Samplers on `par` that need the same count of raw numbers for every element, and normal."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from mxtorch._core.rng import polar
from mxtorch._core.rng.arrays import (
    F32,
    F64,
    I64,
    Array,
    Param,
    Shape,
    U32Array,
    cast,
    size_of,
)
from mxtorch._core.rng.mt import N as BLOCK
from mxtorch._core.rng.parameter import as_float32, columns_for, mixed
from mxtorch._core.rng.pool import over_rows
from mxtorch._core.rng.streams import Streams, split
from mxtorch._core.rng.unit import to_unit, words_of

_FEW = 32  # engines of a small request
Kernel = Callable[[U32Array, Array], None]


def by_parameter(values: Array, columns: tuple[Array, ...]) -> Array:
    """The values with one row for each parameter."""
    rows = max(len(c) for c in columns)
    return values.reshape(rows, -1) if rows else values.reshape(0, 0)


class ElementwiseSamplers(Streams):
    """uniform, normal, exponential, randint and the Dropout mask."""

    def _fill(self, n: int, words: int, dtype: np.dtype[Any], kernel: Kernel) -> Array:
        """n elements of `kernel(raw, out)`, each made of `words` raw numbers."""
        if n == 0:
            return np.empty(0, dtype)
        rows, step = split(n)
        self.par.grow(rows)
        out = np.empty(rows * step, dtype)
        table, last = out.reshape(rows, step), n - (rows - 1) * step
        width = BLOCK // words

        def work(a: int, b: int) -> None:
            for c in range(0, step, width):
                d = min(step, c + width)
                kernel(self.par.peek(a, b, (d - c) * words), table[a:b, c:d])
                self.par.advance(a, b, (d - c) * words)
                if b == rows and d > last:  # the last engine stops earlier
                    self.par.advance(b - 1, b, (max(c, last) - d) * words)

        over_rows(work, rows, step * words)
        return out[:n]

    def unit(self, n: int, dtype: npt.DTypeLike = F32) -> Array:
        """n uniform numbers of [0, 1], float32 for float32, else float64."""
        kind = F32 if np.dtype(dtype) == F32 else F64
        return self._fill(n, words_of(kind), kind, to_unit_kernel)

    def gauss(self, n: int, dtype: npt.DTypeLike = F32) -> Array:
        """n standard normal numbers, float32 for float32, else float64."""
        kind = F32 if np.dtype(dtype) == F32 else F64
        if n == 0:
            return np.empty(0, kind)
        rows, step = split(n)
        self.par.grow(rows)
        last = n - (rows - 1) * step
        if kind == F32 and rows <= _FEW:
            return self._repeats.draw(rows, step, last)[:n]
        out = np.empty(rows * step, kind)
        table = out.reshape(rows, step)

        def work(a: int, b: int) -> None:
            polar.fill_rows(self.par, a, b, table, last if b == rows else step)

        over_rows(work, rows, polar.words_for(step, kind))
        return out[:n]

    def uniform(
        self,
        low: Param = 0.0,
        high: Param = 1.0,
        shape: Shape = (1,),
        dtype: npt.DTypeLike = F32,
    ) -> Array:
        """Uniform numbers; rounding makes `high` itself possible."""
        n, dtype = size_of(shape), np.dtype(dtype)
        if dtype == F32 and not (isinstance(low, np.ndarray) or isinstance(high, np.ndarray)):
            return self._fill(n, 1, F32, affine_kernel(low, high)).reshape(shape)
        lo, hi = columns = columns_for(n, low, high)
        with np.errstate(over="ignore"):
            width = mixed(np.subtract, hi, lo)
        u = by_parameter(self.unit(n, dtype), columns)
        return cast(mixed(np.add, lo, mixed(np.multiply, width, u)), dtype).reshape(shape)

    def normal(
        self,
        loc: Param = 0.0,
        scale: Param = 1.0,
        shape: Shape = (1,),
        dtype: npt.DTypeLike = F32,
    ) -> Array:
        """Normal numbers."""
        n, dtype = size_of(shape), np.dtype(dtype)
        z = self.gauss(n, dtype)
        if not (isinstance(loc, np.ndarray) or isinstance(scale, np.ndarray)):
            if scale != 1:
                z *= as_float32(scale)
            if loc != 0:
                z += as_float32(loc)
            return cast(z, dtype).reshape(shape)
        mu, sigma = columns = columns_for(n, loc, scale)
        z = mixed(np.multiply, by_parameter(z, columns), sigma)
        return cast(mixed(np.add, z, mu), dtype).reshape(shape)

    def exponential(
        self,
        lam: Param = 1.0,
        shape: Shape = (1,),
        dtype: npt.DTypeLike = F32,
    ) -> Array:
        """Exponential numbers of rate `lam`."""
        n, dtype = size_of(shape), np.dtype(dtype)
        columns = columns_for(n, lam)
        u = self.unit(n, dtype).astype(F64, copy=False)
        with np.errstate(divide="ignore"):
            e = np.negative(np.log(np.subtract(1.0, u)))
        e = mixed(np.divide, by_parameter(e, columns), columns[0])
        return cast(e, dtype).reshape(shape)

    def randint(
        self, low: int, high: int, shape: Shape = (1,), dtype: npt.DTypeLike = np.int32
    ) -> Array:
        """Whole numbers of [low, high)."""
        n, span = size_of(shape), high - low

        def kernel(raw: U32Array, out: Array) -> None:
            value = raw[:, 0::2].astype(I64)
            value <<= 31
            value += raw[:, 1::2]
            value %= span
            value += low
            np.copyto(out, value, casting="unsafe")

        return self._fill(n, 2, np.dtype(dtype), kernel).reshape(shape)

    def dropout_mask(
        self, shape: Shape, p: float, dtype: npt.DTypeLike = F32, axes: tuple[int, ...] = ()
    ) -> Array:
        """What Dropout multiplies by: 0 or 1 / (1 - p), of length 1 along `axes`.

        p = 1 gives NaN everywhere; p = 0, also after rounding, draws nothing: both as in MXNet.
        """
        shape = tuple(1 if i in axes else extent for i, extent in enumerate(shape))
        n, dtype = size_of(shape), np.dtype(dtype)
        keep_rate = F32.type(1) - as_float32(p)
        if keep_rate >= 1:
            return np.ones(shape, dtype)
        if dtype == F32:
            return self._fill(n, 1, F32, mask_kernel(p, bool(axes))).reshape(shape)
        u = self.unit(n, dtype).astype(F32)
        keep = u < keep_rate if axes else u <= keep_rate
        with np.errstate(divide="ignore", invalid="ignore"):
            mask = keep.astype(F32) * (F32.type(1) / keep_rate)
        return cast(mask, dtype).reshape(shape)


def to_unit_kernel(raw: U32Array, out: Array) -> None:
    """Uniform numbers of [0, 1]."""
    to_unit(raw, out)


@functools.lru_cache(maxsize=256)
def affine_kernel(low: float, high: float) -> Kernel:
    """low + (high - low) * u in float32."""
    start = as_float32(low)
    with np.errstate(over="ignore"):
        width = as_float32(high) - start
    factor = width * F32.type(2.0**-32)
    if width != 0 and not 2.0**-90 < abs(width) < np.inf:  # the product would be rounded
        return lambda raw, out: np.copyto(out, start + width * to_unit(raw, np.empty_like(out)))

    def kernel(raw: U32Array, out: Array) -> None:
        np.copyto(out, raw, casting="unsafe")
        np.multiply(out, factor, out=out)
        if start != 0:
            np.add(out, start, out=out)

    return kernel


@functools.lru_cache(maxsize=256)
def mask_kernel(p: float, strict: bool) -> Kernel:
    """(u <= 1 - p) * (1 / (1 - p)), with `strict` (u < 1 - p)."""
    rate = F32.type(1) - as_float32(p)
    if rate == 0:
        return everything_dropped(strict)
    limit, scale = largest_raw(float(rate), strict), F32.type(1) / rate

    def kernel(raw: U32Array, out: Array) -> None:
        np.copyto(out, raw <= limit)
        np.multiply(out, scale, out=out)

    return kernel


def everything_dropped(strict: bool) -> Kernel:
    """The mask for p = 1, where 1 / (1 - p) is infinite and 0 times that is NaN."""

    def kernel(raw: U32Array, out: Array) -> None:
        np.copyto(out, False if strict else raw == 0)
        with np.errstate(invalid="ignore"):
            np.multiply(out, F32.type(np.inf), out=out)

    return kernel


def largest_raw(rate: float, strict: bool) -> np.uint32:
    """The largest raw number whose float32 uniform number is <= rate (or < rate) > 0.

    Rounding to float32 moves a raw number by 128 at most.
    """
    middle = int(rate * 2.0**32)
    near = np.arange(max(0, middle - 600), min(2**32, middle + 600), dtype=np.int64)
    u = near.astype(np.uint32).astype(F32) * F32.type(2.0**-32)
    fits = near[u < rate if strict else u <= rate]
    return np.uint32(fits[-1])
