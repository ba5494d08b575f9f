"""Whether two arrays are the same, by what a tape keeps of them."""

from __future__ import annotations

from typing import Any

import numpy as np

Print = dict[str, Any]
# The allowed relative difference in the first step, and how it grows: rounding differs, and
# training amplifies it.
_FIRST, _SECOND, _GROWTH, _MOST = 2e-5, 1e-4, 1.25, 2e-3


def allowed(step: int) -> float:
    """The relative difference that rounding may have made by this step (from 1)."""
    if step <= 1:
        return _FIRST
    return float(min(_MOST, _SECOND * _GROWTH ** min(step - 2, 60)))


def difference(ours: Print, theirs: Print, floor: float = 0.0) -> float:
    """How far two arrays are apart, relative to their size; infinite for other shapes."""
    if _size(ours) != _size(theirs):
        return float("inf")
    a, b = samples(ours), samples(theirs)
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return 0.0 if np.array_equal(a, b, equal_nan=True) else float("inf")
    scale = max(size_of(ours), size_of(theirs), floor / _FIRST if floor else 0.0, 1e-30)
    apart = float(np.abs(a - b).max(initial=0.0))
    count = max(_size(ours), 1)
    mean = abs(ours["abs"] - theirs["abs"]) / count
    return max(apart, mean) / scale


def size_of(found: Print) -> float:
    """How large the elements are: the mean, or a larger one of those kept."""
    largest = float(np.abs(samples(found)).max(initial=0.0))
    return max(float(found["abs"]) / max(_size(found), 1), largest)


def samples(found: Print) -> np.ndarray:
    """The elements that were kept."""
    return np.asarray(found["sample"], dtype=np.float64)


def _size(found: Print) -> int:
    return int(np.prod(found["shape"], dtype=np.int64))
