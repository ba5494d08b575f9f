"""Work arrays that are kept from call to call: fresh ones of this size cost page faults."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from mxtorch._core.rng.arrays import Array

_MOST_VIEWS = 2048


class _Store(threading.local):
    def __init__(self) -> None:
        self.bytes: dict[str, Array] = {}
        self.views: dict[tuple[str, tuple[int, ...], np.dtype[Any]], Array] = {}


_store = _Store()


def scratch(key: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An uninitialised array, valid until this thread asks for the same key again."""
    view = _store.views.get((key, shape, dtype))
    return _new_view(key, shape, dtype) if view is None else view


def _new_view(key: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    size = dtype.itemsize
    for extent in shape:
        size *= extent
    held, views = _store.bytes.get(key), _store.views
    if held is None or held.nbytes < size or len(views) >= _MOST_VIEWS:
        if held is None or held.nbytes < size:
            held = _store.bytes[key] = np.empty(size, np.uint8)
        views.clear()
    view = views[key, shape, dtype] = np.ndarray(shape, dtype, held.data)
    return view
