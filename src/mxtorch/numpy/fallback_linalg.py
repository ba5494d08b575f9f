"""Functions that `mx.np.linalg` takes from NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as onp

__all__ = ["cond", "lstsq", "matrix_power", "matrix_rank", "multi_dot", "qr"]


def functions() -> dict[str, Callable[..., Any]]:
    """The functions by name."""
    return {name: getattr(onp.linalg, name) for name in __all__}
