"""Work arrays that are kept from call to call: fresh ones of this size cost page faults."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from mxtorch._core.rng.arrays import Array

_SMALL = 4096  # bytes; below, NumPy's own allocation is faster


class _Store(threading.local):
    def __init__(self) -> None:
        self.bytes: dict[str, Array] = {}


_store = _Store()


def scratch(key: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An uninitialised array, valid until this thread asks for the same key again."""
    size = dtype.itemsize
    for extent in shape:
        size *= extent
    if size <= _SMALL:
        return np.empty(shape, dtype)
    held = _store.bytes.get(key)
    if held is None or held.nbytes < size:
        held = _store.bytes[key] = np.empty(size, np.uint8)
    return np.ndarray(shape, dtype, held.data)
