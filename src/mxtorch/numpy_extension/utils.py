"""`npx.save` and `npx.load`: mx.np arrays in MXNet's own files."""

from __future__ import annotations

from typing import Any

from mxtorch import ndarray as nd
from mxtorch.ndarray.numpy._array import as_np_ndarray, ndarray

__all__ = ["load", "save"]


def save(file: str, arr: Any) -> None:
    """Write an array, a list of arrays or a dict of names to arrays."""
    if isinstance(arr, ndarray):
        arr = [arr]
    if isinstance(arr, dict):
        if not all(isinstance(k, str) and isinstance(v, ndarray) for k, v in arr.items()):
            raise TypeError("Only accepts dict str->ndarray or list of ndarrays")
    elif isinstance(arr, (list, tuple)):
        if not all(isinstance(v, ndarray) for v in arr):
            raise TypeError("Only accepts dict str->ndarray or list of ndarrays")
    else:
        raise ValueError(
            "data needs to either be a MXNet ndarray, dict of (str, ndarray) pairs or a list of "
            "ndarrays."
        )
    nd.save(file, arr)


def load(file: str) -> Any:
    """The arrays of a file: a dict if they have names, else a list."""
    if not isinstance(file, str):
        raise TypeError("file required to be a string")
    found = nd.load(file)
    if isinstance(found, dict):
        return {name: as_np_ndarray(array) for name, array in found.items()}
    return [as_np_ndarray(array) for array in found]
