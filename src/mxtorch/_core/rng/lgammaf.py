"""float32 log-gamma of the C library: it is several units in the last place off, and MXNet's
Poisson numbers depend on it, so no exact function will do."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable

import numpy as np

from mxtorch._core.rng.arrays import F32, F32Array

_TABLE_LIMIT = 1 << 16


def _load() -> Callable[[float], float]:
    try:
        fn = ctypes.CDLL(None).lgammaf
    except (TypeError, OSError, AttributeError):  # no such library: differs in 1 of 20,000
        return math.lgamma
    fn.restype, fn.argtypes = ctypes.c_float, [ctypes.c_float]
    return fn


_lgammaf = _load()
_factorials = np.empty(0, F32)


def lgammaf(x: F32Array) -> F32Array:
    """lgammaf of each element."""
    return np.fromiter((_lgammaf(v) for v in x.tolist()), F32, len(x))


def log_factorial(k: F32Array) -> F32Array:
    """lgammaf(k + 1) of whole numbers k >= 0, from a table that grows."""
    global _factorials
    most = int(k.max(initial=0))
    if most >= _TABLE_LIMIT:
        return lgammaf((k.astype(np.float64) + 1.0).astype(F32))
    table = _factorials
    if most >= len(table):
        more = np.arange(len(table) + 1, most + 65, dtype=F32)
        table = _factorials = np.concatenate([table, lgammaf(more)])
    return table[k.astype(np.intp)]
