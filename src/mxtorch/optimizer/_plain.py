"""What a pickle of optimizer states may call: NumPy's own steps, with bounded results."""

from __future__ import annotations

import re
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


def number_type(text: Any, *_: Any) -> np.dtype[Any]:
    """A NumPy type of numbers; others crash NumPy when a damaged pickle sets their state."""
    if not isinstance(text, str) or _NUMBER_TYPE.fullmatch(text) is None:
        raise ValueError(f"a type of NumPy's in a pickle is a plain number type, not {text!r}")
    return np.dtype(text, False, True)  # its own, since its byte order is set next


_NUMBER_TYPE = re.compile("[<>=|]?(b1|[iu][1248]|f[248])")
# What follows the byte order in the state of a number type: no fields, no size of its own.
_NUMBER = [None, None, None, -1, -1, 0]


def plain_state(state: Any) -> tuple[Any, ...]:
    """The state of a number type with the byte order of this one, which may say nothing else."""
    version, order, *rest = state
    if version not in (3, 4) or order not in ("<", ">", "|", "=") or rest != _NUMBER:
        raise ValueError("a type of NumPy's in a pickle is a plain number type")
    return (3, order, *_NUMBER)


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
