"""What a pickle of optimizer states may call: NumPy's own steps, with bounded results."""

from __future__ import annotations

from typing import Any

import numpy as np


def bytes_of_text(text: str | bytes = b"", encoding: str = "latin1") -> bytearray:
    """A bytearray as old protocols spell it; not one of a given length."""
    return bytearray(text if isinstance(text, bytes) else encode(text, encoding))


def encode(text: str, encoding: str = "latin1") -> bytes:
    """Bytes that protocol 2 spells as text."""
    if not isinstance(text, str) or encoding not in ("latin1", "latin-1"):
        raise ValueError(f"bytes are spelled in latin1, not in {encoding!r}")
    return text.encode("latin1")


def named_array(*_: Any) -> Any:
    """Stands for NumPy's array class, which a pickle only names for `empty_array`."""
    raise ValueError("an array in a pickle starts without elements")


def check_byte_order(state: Any) -> None:
    """ValueError unless a state of a NumPy type says nothing but its byte order."""
    order, *rest = state[1:]
    if order not in ("<", ">", "|", "=") or [r for r in rest if r not in (None, -1, 0)]:
        raise ValueError("a type of NumPy's in a pickle is a plain number type")


def empty_array(kind: Any, shape: tuple[int, ...] = (0,), code: bytes = b"b") -> Any:
    """An array without elements; what the pickle sets it to next has its own bytes."""
    if kind is not named_array or tuple(shape) != (0,):
        raise ValueError("an array in a pickle starts without elements")
    return np.empty(0, np.int8)


def scalar(dtype: np.dtype[Any], data: bytes | str = b"") -> Any:
    """A NumPy number."""
    if not isinstance(dtype, np.dtype) or dtype.hasobject:
        raise ValueError("a number of NumPy's needs a type of number")
    raw = data if isinstance(data, bytes) else data.encode("latin1")
    return np.frombuffer(raw, dtype, 1)[0]
