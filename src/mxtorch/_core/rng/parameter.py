"""Parameters of distributions as MXNet's operators hold and use them."""

from __future__ import annotations

import functools
import math
import re

import numpy as np

from mxtorch._core.rng.arrays import F16, F32, F64, Array, Param

_NUMBER = re.compile(r"([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?")


@functools.lru_cache(maxsize=4096)
def as_float32(value: float) -> np.float32:
    """A number as an operator's float attribute holds it.

    MXNet passes attributes as text and reads that by parts: the whole part, plus the
    fraction, times or divided by the power of ten, each step rounded to float32. One number
    in seven comes out one unit in the last place off the nearest.
    """
    parts = _NUMBER.fullmatch(repr(value)) if math.isfinite(value) else None
    if parts is None or len(parts[2]) > 19:
        return F32.type(value)
    sign, whole, fraction, exponent = parts.groups(default="")
    result = F32.type(int(whole))
    if fraction:
        result += F32.type(float(int(fraction[:19])) / 10.0 ** len(fraction[:19]))
    power = abs(int(exponent or 0))
    scale = F32.type(1)
    for _ in range(power // 8):
        scale *= F32.type(1e8)
    for _ in range(power % 8):
        scale *= F32.type(10)
    result = result / scale if exponent.startswith("-") else result * scale
    return F32.type(-result if sign == "-" else result)


def columns_for(n: int, *params: Param) -> tuple[Array, ...]:
    """Parameters as columns: row i of the result, seen as (P, n / P), uses parameter i.

    Numbers are held as float32; arrays keep their dtype.
    """
    columns = tuple(
        p.reshape(-1, 1) if isinstance(p, np.ndarray) else np.full((1, 1), as_float32(p))
        for p in params
    )
    for column in columns:
        if n % max(len(column), 1):
            raise ValueError(f"{len(column)} parameters do not divide {n} elements")
    return columns


def mixed(fn: np.ufunc, a: Array, b: Array) -> Array:
    """`fn(a, b)` as in C++, where MXNet's float16 makes every result float16, also with float64."""
    if a.dtype == F16 or b.dtype == F16:
        with np.errstate(over="ignore"):
            half: Array = fn(a.astype(F32), b.astype(F32)).astype(F16)
        return half
    result: Array = fn(a, b)
    return result


def constant(value: float, like: Array) -> Array:
    """A C++ double constant beside an array, for `mixed`; also turns float32 to float64."""
    return np.full((1,) * like.ndim, value, F64)
