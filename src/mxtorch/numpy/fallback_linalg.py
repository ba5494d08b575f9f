"""Functions that `mx.np.linalg` takes from NumPy."""

from typing import Any

import numpy as onp
from numpy.linalg import cond, matrix_power, matrix_rank, multi_dot, qr

__all__ = ["cond", "lstsq", "matrix_power", "matrix_rank", "multi_dot", "qr"]


def lstsq(a: Any, b: Any, rcond: Any = "warn") -> Any:
    """NumPy's least squares; `"warn"` is NumPy 1's default, the machine precision."""
    return onp.linalg.lstsq(a, b, -1 if isinstance(rcond, str) and rcond == "warn" else rcond)
