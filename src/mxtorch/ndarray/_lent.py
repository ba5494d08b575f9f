"""Arrays as ctypes sees them: `NDArray(ctypes.cast(array, NDArrayHandle))`, as monitors do."""

from __future__ import annotations

import ctypes
from weakref import WeakValueDictionary

from mxtorch._core.errors import MXNetAssertionError, MXNetError
from mxtorch._front.handle import Handle

_arrays: WeakValueDictionary[int, Handle] = WeakValueDictionary()


def lend(array: Handle) -> ctypes.c_void_p:
    """A number by which the array is found as long as it lives."""
    _arrays[id(array)] = array
    return ctypes.c_void_p(id(array))


def find(handle: object) -> Handle:
    """The array behind what `NDArray(…)` was given; AssertionError if it is no handle."""
    if not isinstance(handle, ctypes.c_void_p):
        raise MXNetAssertionError(
            f"NDArray(…) takes the handle of an array or a tensor, not {type(handle).__name__}; "
            "mx.nd.array(…) makes an array of numbers"
        )
    found = _arrays.get(handle.value or 0)
    if found is None:
        raise MXNetError("NDArray(…): there is no array behind this handle any more")
    return found
