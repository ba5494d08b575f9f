"""float32 logarithm, bit for bit as the C library's `logf` (glibc >= 2.28, musl, bionic).

NumPy's and torch's float32 logarithms differ from it in the last bit of many values, and a
rounded float64 logarithm in 0.7 %; normal numbers drawn with them would not be MXNet's.

The method and the constants `_INVC`, `_LOGC`, `_A0`, `_A1`, `_A2`, `_LN2` are those of Arm's
optimized-routines, `math/logf.c` and `math/logf_data.c`:
Copyright (c) 2017-2018, Arm Limited. SPDX-License-Identifier: MIT
(the licence's text is in licenses/arm-optimized-routines.txt).
"""

from __future__ import annotations

import numpy as np

from mxtorch._core.rng.arrays import F32, F64, I64, U32, F32Array, I64Array
from mxtorch._core.rng.scratch import scratch

_hex = float.fromhex
_INVC = [_hex(v) for v in (
    "0x1.661ec79f8f3bep+0", "0x1.571ed4aaf883dp+0", "0x1.49539f0f010bp+0", "0x1.3c995b0b80385p+0",
    "0x1.30d190c8864a5p+0", "0x1.25e227b0b8eap+0", "0x1.1bb4a4a1a343fp+0", "0x1.12358f08ae5bap+0",
    "0x1.0953f419900a7p+0", "0x1p+0", "0x1.e608cfd9a47acp-1", "0x1.ca4b31f026aap-1",
    "0x1.b2036576afce6p-1", "0x1.9c2d163a1aa2dp-1", "0x1.886e6037841edp-1", "0x1.767dcf5534862p-1",
)]  # fmt: skip
_LOGC = [_hex(v) for v in (
    "-0x1.57bf7808caadep-2", "-0x1.2bef0a7c06ddbp-2", "-0x1.01eae7f513a67p-2",
    "-0x1.b31d8a68224e9p-3", "-0x1.6574f0ac07758p-3", "-0x1.1aa2bc79c81p-3",
    "-0x1.a4e76ce8c0e5ep-4", "-0x1.1973c5a611cccp-4", "-0x1.252f438e10c1ep-5", "0x0p+0",
    "0x1.aa5aa5df25984p-5", "0x1.c5e53aa362eb4p-4", "0x1.526e57720db08p-3",
    "0x1.bc2860d22477p-3", "0x1.1058bc8a07ee1p-2", "0x1.4043057b6ee09p-2",
)]  # fmt: skip
_A0 = _hex("-0x1.00ea348b88334p-2")
_A1 = _hex("0x1.5575b0be00b6ap-2")
_A2 = _hex("-0x1.ffffef20a4123p-2")
_LN2 = _hex("0x1.62e42fefa39efp-1")

# x = z * 2**k with z around 1 in one of 16 intervals. One index made of k and the interval
# finds 1/c * 2**-k and log(c) + k*ln2, where c is near the interval's middle: both are what
# the C code computes from its tables of 16, without the separate steps for k.
_K_MIN, _K_MAX = -152, 128
_K = np.arange(_K_MIN, _K_MAX + 1, dtype=np.float64)[:, None]
_INVERSE = np.ldexp(np.array(_INVC), (-_K).astype(np.int32)).reshape(-1)
_BASE = (np.array(_LOGC) + _K * _LN2).reshape(-1)
_OFFSET = np.array((-_K_MIN << 23) - 0x3F330000, U32)
_SHIFT = np.array(19, U32)
_SMALLEST_NORMAL = np.float32(2.0**-126)


def log_normal_range(x: F32Array, out: F32Array) -> None:
    """`logf` of contiguous positive numbers that are neither subnormal nor infinite."""
    bits = scratch("logf.bits", x.shape, U32)
    index = scratch("logf.index", x.shape, I64)
    np.add(x.view(U32), _OFFSET, out=bits)
    np.right_shift(bits, _SHIFT, out=bits)
    np.copyto(index, bits)
    _evaluate(x, index, index, out)


def _evaluate(x: F32Array, index: I64Array, base_index: I64Array, out: F32Array) -> None:
    r = scratch("logf.r", x.shape, F64)
    t = scratch("logf.t", x.shape, F64)
    r2 = scratch("logf.r2", x.shape, F64)
    y = scratch("logf.y", x.shape, F64)
    np.copyto(r, x)
    np.take(_INVERSE, index, out=t, mode="clip")
    np.multiply(r, t, out=r)
    np.subtract(r, 1.0, out=r)
    np.multiply(r, r, out=r2)
    np.multiply(r, _A1, out=y)
    np.add(y, _A2, out=y)
    np.multiply(r2, _A0, out=t)
    np.add(t, y, out=y)
    np.multiply(y, r2, out=y)
    np.take(_BASE, base_index, out=t, mode="clip")
    np.add(t, r, out=t)
    np.add(y, t, out=y)
    np.copyto(out, y, casting="same_kind")


def logf(x: F32Array) -> F32Array:
    """`logf` of any float32 array."""
    x = np.ascontiguousarray(x)
    out = np.empty_like(x)
    normal = (x >= _SMALLEST_NORMAL) & (x < np.inf)
    if normal.all():
        log_normal_range(x, out)
        return out
    log_normal_range(np.where(normal, x, F32.type(1)), out)
    small = (x > 0) & (x < _SMALLEST_NORMAL)
    scaled = x[small] * F32.type(2.0**23)
    index = ((scaled.view(U32) + _OFFSET) >> _SHIFT).astype(I64)
    part = np.empty_like(scaled)
    _evaluate(scaled, index, index - 23 * 16, part)
    out[small] = part
    out[x == 0] = -np.inf
    out[x == np.inf] = np.inf
    out[(x < 0) | np.isnan(x)] = np.nan
    return out
