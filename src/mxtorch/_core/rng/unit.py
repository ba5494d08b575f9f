"""Raw 32-bit numbers to uniform numbers of [0, 1]."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxtorch._core.rng.arrays import F32, F64, Array, F32Array, F64Array, U32Array

_TO_UNIT = F32.type(2.0**-32)


def words_of(dtype: np.dtype[Any]) -> int:
    """Raw numbers behind one uniform number for a result of this dtype."""
    return 1 if dtype == F32 else 2


def to_f32(raw: U32Array, out: F32Array | None = None) -> F32Array:
    """One raw number each; rounding makes exactly 1.0 possible."""
    if out is None:
        out = np.empty(raw.shape, F32)
    np.copyto(out, raw, casting="unsafe")
    np.multiply(out, _TO_UNIT, out=out)
    return out


def to_f64(raw: U32Array, out: F64Array | None = None) -> F64Array:
    """Two raw numbers each, the less significant first."""
    if out is None:
        out = np.empty((*raw.shape[:-1], raw.shape[-1] // 2), F64)
    np.multiply(raw[..., 1::2], 2.0**32, out=out)
    np.add(out, raw[..., 0::2], out=out)
    np.multiply(out, 2.0**-64, out=out)
    return out


def to_unit(raw: U32Array, out: Array) -> Array:
    """Uniform numbers in the precision of `out`."""
    return to_f32(raw, out) if out.dtype == F32 else to_f64(raw, out)
