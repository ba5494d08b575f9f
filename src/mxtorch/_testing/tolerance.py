"""How close arrays must be, by dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxtorch._core.errors import MXNetAttributeError

Table = dict[np.dtype, float]

_FLOAT64 = np.dtype(np.float64)
_EXACT = ("bool", "int8", "uint8", "int32", "uint32", "int64", "uint64")
_FLOATS = ("float16", "float32", "float64")


def _table(*floats: float, exact: bool = True) -> Table:
    found = {np.dtype(name): value for name, value in zip(_FLOATS, floats, strict=True)}
    if exact:
        found |= {np.dtype(name): 0 for name in _EXACT}
    return found


def default_dtype() -> type:
    """The dtype that helpers use where none is said: float32."""
    return np.float32


def default_rtols() -> Table:
    """Relative tolerances by dtype."""
    return _table(1e-2, 1e-4, 1e-5)


def default_atols() -> Table:
    """Absolute tolerances by dtype."""
    return _table(1e-1, 1e-3, 1e-20)


def default_numeric_eps() -> Table:
    """Steps of numeric gradients by dtype: powers of 2, so that adding them is exact."""
    return _table(1.0 / 2**6, 1.0 / 2**9, 1.0 / 2**14, exact=False)


def get_rtol(rtol: Any = None, dtype: Any = _FLOAT64) -> Any:
    """`rtol`, or the default of `dtype`, an `np.dtype`."""
    return default_rtols()[dtype] if rtol is None else rtol


def get_atol(atol: Any = None, dtype: Any = _FLOAT64) -> Any:
    """`atol`, or the default of `dtype`, an `np.dtype`."""
    return default_atols()[dtype] if atol is None else atol


def get_etol(etol: float | None = None) -> float:
    """The share of elements that may differ: `etol`, or 0."""
    return 0 if etol is None else etol


def effective_dtype(dat: Any) -> np.dtype:
    """The dtype whose tolerance is right for an array."""
    if not hasattr(dat, "dtype"):
        raise MXNetAttributeError(f"{type(dat).__name__} has no dtype")
    dtype: np.dtype = np.dtype(dat.dtype)
    return dtype


def get_tolerance(dat: Any, tol: Any, default_tol: Table) -> Any:
    """`tol`, a number or a dict by dtype, for an array; else that of `default_tol`."""
    if isinstance(tol, (int, float, np.number)):
        return tol
    dtype = effective_dtype(dat)
    default = default_tol[dtype]
    return default if tol is None else tol.get(dtype, default)


def get_tols(x: Any, y: Any, rtol: Any, atol: Any) -> tuple[Any, Any]:
    """(rtol, atol) for comparing two arrays, of either the larger one; numbers have NumPy types."""
    pair = [np.asarray(v) if isinstance(v, (int, float, np.number)) else v for v in (x, y)]
    rtols, atols = default_rtols(), default_atols()
    return (
        max(get_tolerance(v, rtol, rtols) for v in pair),
        max(get_tolerance(v, atol, atols) for v in pair),
    )
