"""Array types and dtypes that the files of this room share."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

U32Array: TypeAlias = npt.NDArray[np.uint32]
F32Array: TypeAlias = npt.NDArray[np.float32]
F64Array: TypeAlias = npt.NDArray[np.float64]
I64Array: TypeAlias = npt.NDArray[np.int64]
Array: TypeAlias = npt.NDArray[Any]
Shape: TypeAlias = tuple[int, ...]
# A distribution's parameter: one number, or an array of them.
Param: TypeAlias = float | Array

F16, F32, F64 = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)
U32, I32, I64 = np.dtype(np.uint32), np.dtype(np.int32), np.dtype(np.int64)


def size_of(shape: Shape) -> int:
    """Number of elements of an array of this shape."""
    n = 1
    for extent in shape:
        n *= extent
    return n


def cast(values: Array, dtype: np.dtype[Any]) -> Array:
    """Convert a result; float64 reaches float16 through float32, as in MXNet."""
    if dtype == F16 and values.dtype == F64:
        values = values.astype(F32)
    return values.astype(dtype, copy=False)
