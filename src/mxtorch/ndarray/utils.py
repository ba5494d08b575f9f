"""`mx.nd.save`, `mx.nd.load`: arrays in MXNet's own files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from mxtorch._core import ndfile
from mxtorch._core.modes import modes
from mxtorch._core.ndentry import Entry
from mxtorch.ndarray._any import array, empty, zeros
from mxtorch.ndarray.ndarray import NDArray, from_entry, to_entry

__all__ = ["array", "empty", "load", "load_frombuffer", "save", "zeros"]


def save(fname: str, data: Any) -> None:
    """Write an array, a list of arrays or a dict of names to arrays; the file appears at once."""
    if isinstance(data, NDArray):
        data = [data]
    if isinstance(data, Mapping):
        named: list[tuple[str | None, Any]] = list(data.items())
        if any(not isinstance(name, str) for name, _ in named):
            raise TypeError("save only accept dict str->NDArray or list of NDArray")
    elif isinstance(data, list):
        named = [(None, array) for array in data]
    else:
        raise ValueError(
            "data needs to either be a NDArray, dict of str, NDArray pairs or a list of NDarrays."
        )
    if any(not isinstance(array, NDArray) for _, array in named):
        raise TypeError("save only accept dict str->NDArray or list of NDArray")
    entries = [to_entry(name, array) for name, array in named]
    ndfile.write(os.fspath(fname), entries, np_shape=modes.np_shape)


def load(fname: str) -> Any:
    """The arrays of a file: a dict if they have names, else a list.

    Every array comes to cpu(0), wherever it was saved.
    """
    if not isinstance(fname, (str, os.PathLike)):
        raise TypeError("fname required to be a string")
    return _arrays(ndfile.read(fname))


def load_frombuffer(buf: bytes) -> Any:
    """The same from a file's bytes."""
    if not isinstance(buf, (bytes, bytearray, memoryview)):
        raise TypeError("buf required to be a string or bytes")
    return _arrays(ndfile.loads(buf))


def _arrays(entries: list[Entry]) -> Any:
    arrays = [from_entry(entry) for entry in entries]
    if any(entry.name is not None for entry in entries):
        return {entry.name: array for entry, array in zip(entries, arrays, strict=True)}
    return arrays
