"""`mx.nd.save`, `mx.nd.load`: arrays in MXNet's own files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from mxtorch._core import ndfile
from mxtorch._core.device import Context, context_to_device, num_gpus
from mxtorch._core.errors import MXNetError, NotSupportedError
from mxtorch._core.ndentry import Entry, from_tensor, to_tensor
from mxtorch._front.handle import wrap_new
from mxtorch.ndarray.ndarray import NDArray

__all__ = ["load", "load_frombuffer", "save"]


def save(fname: str, data: Any) -> None:
    """Write an array, a list of arrays or a dict of names to arrays; the file appears at once."""
    if isinstance(data, NDArray):
        data = [data]
    if isinstance(data, Mapping):
        named: list[tuple[str | None, Any]] = list(data.items())
        if any(not isinstance(name, str) for name, _ in named):
            raise TypeError("save only accept dict str->NDArray or list of NDArray")
    elif isinstance(data, Sequence):
        named = [(None, array) for array in data]
    else:
        raise ValueError(
            "data needs to either be a NDArray, dict of str, NDArray pairs or a list of NDarrays."
        )
    if any(not isinstance(array, NDArray) for _, array in named):
        raise TypeError("save only accept dict str->NDArray or list of NDArray")
    ndfile.write(os.fspath(fname), [_entry(name, array) for name, array in named])


def _entry(name: str | None, array: NDArray) -> Entry:
    # MXNet copies every array to cpu(0) first, and that is the context it writes
    return Entry.dense(name, from_tensor(array.storage()))


def load(fname: str) -> Any:
    """The arrays of a file: a dict if they have names, else a list.

    Arrays that were saved from a GPU go to the accelerator of that number if there is one.
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
    arrays = [_array(entry) for entry in entries]
    if any(entry.name is not None for entry in entries):
        return {entry.name: array for entry, array in zip(entries, arrays, strict=True)}
    return arrays


def _array(entry: Entry) -> NDArray:
    if entry.stype != "default":
        raise NotSupportedError(
            f"{entry.name or 'array'}: {entry.stype} arrays are not supported yet; "
            "`mxtorch convert` writes them out dense"
        )
    type_id, number = entry.context
    if type_id not in Context.devtype2str:
        raise MXNetError(f"{entry.name or 'array'}: device type {type_id} is unknown")
    ctx = Context(Context.devtype2str[type_id], number)
    if ctx.device_type == "gpu" and number >= num_gpus():
        ctx = Context("cpu", 0)
    return wrap_new(NDArray, to_tensor(entry.data).to(context_to_device(ctx)), ctx)
