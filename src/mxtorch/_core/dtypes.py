"""NumPy, torch and MXNet's own names and numbers for element types."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from mxtorch._core.errors import MXNetTypeError

# (MXNet's type flag, name, NumPy scalar type, torch dtype)
_TABLE: tuple[tuple[int, str, Any, torch.dtype], ...] = (
    (0, "float32", np.float32, torch.float32),
    (1, "float64", np.float64, torch.float64),
    (2, "float16", np.float16, torch.float16),
    (3, "uint8", np.uint8, torch.uint8),
    (4, "int32", np.int32, torch.int32),
    (5, "int8", np.int8, torch.int8),
    (6, "int64", np.int64, torch.int64),
    (7, "bool", np.bool_, torch.bool),
    (8, "int16", np.int16, torch.int16),
    (9, "uint16", np.uint16, torch.uint16),
    (10, "uint32", np.uint32, torch.uint32),
    (11, "uint64", np.uint64, torch.uint64),
)
# NumPy has no bfloat16: MXNet names it by this record type.
BFLOAT16_NUMPY = np.dtype([("bfloat16", np.uint16)])

_BY_TORCH: dict[torch.dtype, Any] = {row[3]: row[2] for row in _TABLE}
_BY_TORCH[torch.bfloat16] = BFLOAT16_NUMPY
_NAME = {row[3]: row[1] for row in _TABLE} | {torch.bfloat16: "bfloat16"}
_FLAG = {row[3]: row[0] for row in _TABLE} | {torch.bfloat16: 12}
_BY_FLAG = {flag: dtype for dtype, flag in _FLAG.items()}
_BY_KEY: dict[Any, torch.dtype] = {row[2]: row[3] for row in _TABLE}
_BY_KEY |= {row[1]: row[3] for row in _TABLE}
_BY_KEY |= {row[3]: row[3] for row in _TABLE}
_BY_KEY |= {"bfloat16": torch.bfloat16, torch.bfloat16: torch.bfloat16}


def numpy_flags() -> dict[Any, int]:
    """MXNet's type flags by NumPy types: those that its Python knew. None stands for no type."""
    known = {row[2]: row[0] for row in _TABLE[:8]}
    return {None: -1} | known | {BFLOAT16_NUMPY: _FLAG[torch.bfloat16]}


def dtype_to_torch(dtype: Any) -> torch.dtype:
    """The torch dtype for a NumPy type, dtype, name, type flag or torch dtype."""
    try:
        return _BY_KEY[dtype]
    except (KeyError, TypeError):
        pass
    if isinstance(dtype, int) and not isinstance(dtype, bool) and dtype in _BY_FLAG:
        return _BY_FLAG[dtype]
    if dtype == BFLOAT16_NUMPY:
        return torch.bfloat16
    try:
        return _BY_KEY[np.dtype(dtype).type]
    except (KeyError, TypeError):
        raise MXNetTypeError(
            f"dtype {dtype!r} is not an element type of MXNet; "
            f"use one of {', '.join(_NAME.values())}"
        ) from None


def dtype_to_numpy(dtype: torch.dtype) -> Any:
    """The NumPy scalar type that MXNet reports for a torch dtype (np.float32, …)."""
    return _BY_TORCH[dtype]


def dtype_name(dtype: torch.dtype) -> str:
    """MXNet's name of a torch dtype: 'float32', …."""
    return _NAME[dtype]


def dtype_flag(dtype: torch.dtype) -> int:
    """MXNet's type flag of a torch dtype, as stored in files and attributes."""
    return _FLAG[dtype]


def flag_to_torch(flag: int) -> torch.dtype | None:
    """The torch dtype of a type flag, or None for a flag that MXNet does not know."""
    return _BY_FLAG.get(flag)
