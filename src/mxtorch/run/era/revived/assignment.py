"""sklearn.utils.linear_assignment_, by SciPy."""

from __future__ import annotations

from typing import Any


def linear_assignment(X: Any) -> Any:
    """The pairs (row, column) that cost least, one a row."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    return np.column_stack(linear_sum_assignment(X))
