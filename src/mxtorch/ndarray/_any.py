"""`mx.nd.array` and its like for every storage type."""

from __future__ import annotations

from typing import Any

from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetValueError
from mxtorch._front.handle import is_sparse
from mxtorch.ndarray import _create, sparse


def array(source_array: Any, ctx: Context | None = None, dtype: Any = None) -> Any:
    """An array with the values of `source_array`; of a sparse one (SciPy's too) a sparse one.

    float32 unless `dtype` says otherwise or the source is an NDArray.
    """
    if is_sparse(source_array) or sparse.is_scipy(source_array):
        return sparse.array(source_array, ctx, dtype)
    return _create.array(source_array, ctx, dtype)


def zeros(
    shape: Any, ctx: Context | None = None, dtype: Any = None, stype: Any = None, **kwargs: Any
) -> Any:
    """An array of zeros, float32 and dense by default."""
    if stype in (None, "default"):
        return _create.zeros(shape, ctx, dtype, **kwargs)
    if kwargs.get("out") is not None:
        raise MXNetValueError("zeros: out= and stype= exclude each other")
    return sparse.zeros(stype, shape, ctx, dtype)


def empty(shape: Any, ctx: Context | None = None, dtype: Any = None, stype: Any = None) -> Any:
    """An array whose values are not set (they are 0 here)."""
    if stype in (None, "default"):
        return _create.empty(shape, ctx, dtype)
    return zeros(shape, ctx, dtype, stype)
