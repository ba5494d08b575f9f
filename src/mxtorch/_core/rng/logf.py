"""float32 logarithm, bit for bit as the C library's `logf` (glibc >= 2.28, musl, bionic).

NumPy's and torch's float32 logarithms differ from it in the last bit of many values, and a
rounded float64 logarithm in 0.7 %; normal numbers drawn with them would not be MXNet's.

The method and the constants `_INVC`, `_LOGC`, `_A0`, `_A1`, `_A2`, `_LN2` are those of Arm's
optimized-routines, `math/logf.c` and `math/logf_data.c`:
Copyright (c) 2017-2018, Arm Limited. SPDX-License-Identifier: MIT
(the licence's text is in licenses/arm-optimized-routines.txt).
"""

from __future__ import annotations

import sys

import numpy as np

from mxtorch._core.rng.arrays import F32, F64, I64, F32Array, F64Array
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

# x = z * 2**k with z around 1 in one of 16 intervals. The C code finds 1/c and log(c), c being
# near the interval's middle, in its tables of 16. Here one index, the upper half of x's bits,
# finds 2**-k / c and log(c) + k*ln2: the same numbers, without separate steps for k. The
# polynomial is the same too, nested, with one rounding to float32 at the end.
_OFFSET = 0x3F330000  # bits of the first interval's lower end
_SMALLEST_NORMAL = np.float32(2.0**-126)
_HIGH_HALF = slice(1 if sys.byteorder == "little" else 0, None, 2)


def tables(shift: int = 0) -> tuple[F64Array, F64Array]:
    """2**-k / c, and log(c) + (k - shift)*ln2, by the upper half of a float32's bits."""
    shifted = (np.arange(1 << 15, dtype=np.int64) << 16) - _OFFSET
    k, interval = shifted >> 23, (shifted >> 19) & 15
    inverse = np.ldexp(np.array(_INVC)[interval], -k)
    return inverse, np.array(_LOGC)[interval] + (k - shift) * _LN2


_INVERSE, _BASE = tables()


def log_normal_range(x: F32Array, out: F32Array, base: F64Array = _BASE) -> None:
    """`logf` of contiguous positive numbers that are neither subnormal nor infinite."""
    index = scratch("logf.index", x.shape, I64)
    r = scratch("logf.r", x.shape, F64)
    y = scratch("logf.y", x.shape, F64)
    np.copyto(index.reshape(-1), x.reshape(-1).view(np.uint16)[_HIGH_HALF])
    np.take(_INVERSE, index, out=y, mode="clip")
    np.multiply(x, y, out=r)
    np.subtract(r, 1.0, out=r)
    np.multiply(r, _A0, out=y)
    for coefficient in (_A1, _A2, 1.0):
        np.add(y, coefficient, out=y)
        np.multiply(y, r, out=y)
    np.take(base, index, out=r, mode="clip")
    np.add(y, r, out=y)
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
    out[x == 0] = -np.inf
    out[x == np.inf] = np.inf
    out[(x < 0) | np.isnan(x)] = np.nan
    small = (x > 0) & (x < _SMALLEST_NORMAL)
    if small.any():
        part = np.empty_like(x[small])
        log_normal_range(x[small] * F32.type(2.0**23), part, tables(23)[1])
        out[small] = part
    return out
