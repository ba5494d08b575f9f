"""Element types and constants under NumPy's names."""

import builtins
import math

import numpy as onp

__all__ = [
    "NAN",
    "NINF",
    "NZERO",
    "PINF",
    "PZERO",
    "NaN",
    "bool",
    "bool_",
    "e",
    "finfo",
    "float16",
    "float32",
    "float64",
    "inf",
    "int8",
    "int32",
    "int64",
    "nan",
    "newaxis",
    "pi",
    "uint8",
]

float16, float32, float64 = onp.float16, onp.float32, onp.float64
int8, int32, int64, uint8 = onp.int8, onp.int32, onp.int64, onp.uint8
bool, bool_ = builtins.bool, onp.bool_
finfo = onp.finfo
pi, e, inf, nan = math.pi, math.e, math.inf, math.nan
NAN = NaN = nan
PINF, NINF = inf, -inf
PZERO, NZERO = 0.0, -0.0
newaxis = None
