"""numpy.core.umath_tests, by NumPy's public functions."""

from __future__ import annotations

from typing import Any


def inner1d(a: Any, b: Any) -> Any:
    """The inner products along the last axis."""
    import numpy as np

    return np.einsum("...i,...i->...", a, b)


def matrix_multiply(a: Any, b: Any) -> Any:
    """The matrix products of the last two axes."""
    import numpy as np

    return np.matmul(a, b)
