"""How arrays are printed: NumPy's own settings."""

from typing import Any

import numpy as onp

__all__ = ["set_printoptions"]


def set_printoptions(
    precision: int | None = None, threshold: int | None = None, **kwarg: Any
) -> None:
    """Digits after the point, and the size from which arrays are shortened; as in NumPy."""
    onp.set_printoptions(precision=precision, threshold=threshold, **kwarg)
