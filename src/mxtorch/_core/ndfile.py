"""MXNet's file of arrays (`.params`, `nd.save`): bytes to entries and back.

    file   = u64 0x112, u64 0, u64 count, array…, u64 names (0 or count), (u64 length, utf-8)…
    array  = V3 | V2 | V1 | V0
    V3     = u32 0xF993FACA, i32 0, tensor
    V2     = u32 0xF993FAC9, i32 storage type, tensor or sparse       (i32 0 for shape: no value)
    V1     = u32 0xF993FAC8, tensor
    V0     = u32 dimensions, u32…, context, i32 type flag, values
    tensor = shape, context, i32 type flag, values
    sparse = shape of the values, shape, context, i32 type flag, (i32 type flag, shape) per index,
             values, indices…
    shape  = i32 dimensions, i64…;   context = i32 device type, i32 device number

All little-endian. Every length is compared with what is left of the file before anything is
allocated.
"""

from __future__ import annotations

import io
import mmap
import os
import stat
import struct
from collections.abc import Iterable

from mxtorch._core.atomic import atomic_write, writing
from mxtorch._core.dtypes import dtype_flag, dtype_name, dtype_to_torch
from mxtorch._core.errors import MXNetError
from mxtorch._core.ndentry import LIST_MAGIC, V2, V3, Array, Entry, little_endian_bytes
from mxtorch._core.ndreader import Reader
from mxtorch._core.storage import STYPES

_LIST_HEADER, _COUNT = struct.Struct("<QQQ"), struct.Struct("<Q")
_WRITABLE_FLAGS = frozenset((*range(8), 12))  # MXNet 1.9.1 refuses the others


def read(path: str | os.PathLike[str], *, mapped: bool = False) -> list[Entry]:
    """Read a file; `mapped` gives read-only arrays over the file's own pages, without a copy."""
    origin = os.fspath(path)
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return loads(file.read(), origin)
            pages = None
            if mapped and status.st_size:
                pages = mmap.mmap(file.fileno(), status.st_size, access=mmap.ACCESS_READ)
            return Reader(file, status.st_size, origin, pages).entries()
    except OSError as error:
        raise MXNetError(f"{origin}: cannot be read: {error.strerror or error}") from error


def loads(data: bytes | bytearray | memoryview, origin: str = "<buffer>") -> list[Entry]:
    """Read a file's bytes; `origin` names them in errors."""
    return Reader(io.BytesIO(data), len(data), origin).entries()


def write(
    path: str | os.PathLike[str], entries: Iterable[Entry], *, np_shape: bool = False
) -> None:
    """Write a file atomically, byte for byte as MXNet 1.9.1 does.

    The names are all strings or all None. `np_shape` writes version 3, which allows the shape ()
    and which MXNet reads under `np_shape` only. Versions and offsets of the entries do not matter.
    """
    parts = _parts(list(entries), np_shape)
    with writing(path), atomic_write(path) as file:
        for part in parts:
            file.write(part)


def dumps(entries: Iterable[Entry], *, np_shape: bool = False) -> bytes:
    """The bytes that `write` writes."""
    return b"".join(_parts(list(entries), np_shape))


def dump_array(entry: Entry) -> bytes:
    """One array as MXNet writes it into a file or a pickle, without the list around it."""
    whole = dumps([entry], np_shape=not entry.shape)
    return whole[_LIST_HEADER.size : -_COUNT.size]


def load_array(data: bytes | bytearray, origin: str = "<buffer>") -> Entry:
    """Read what `dump_array` or MXNet wrote."""
    return loads(_LIST_HEADER.pack(LIST_MAGIC, 0, 1) + data + _COUNT.pack(0), origin)[0]


def _parts(entries: list[Entry], np_shape: bool) -> list[bytes | memoryview]:
    """The file in pieces; arrays are not copied where their memory is in order already."""
    _check_names([entry.name for entry in entries])
    parts: list[bytes | memoryview] = [_LIST_HEADER.pack(LIST_MAGIC, 0, len(entries))]
    for position, entry in enumerate(entries):
        label = f"array {position}" if entry.name is None else repr(entry.name)
        _check_writable(entry, label, np_shape)
        parts.append(_header(entry, label, V3 if np_shape else V2))
        parts.extend(
            little_endian_bytes(array) for array in (entry.data, *entry.indices) if array.size
        )
    names = [entry.name.encode() for entry in entries if entry.name is not None]
    parts.append(_COUNT.pack(len(names)))
    parts.extend(_COUNT.pack(len(name)) + name for name in names)
    return parts


def _check_names(names: list[str | None]) -> None:
    if None in names and any(name is not None for name in names):
        raise MXNetError("either all arrays of a file have a name or none has")
    for name in names:
        if name is not None and "\0" in name:
            raise MXNetError(f"the name {name!r} has a NUL, at which MXNet would cut it off")


def _check_writable(entry: Entry, label: str, np_shape: bool) -> None:
    if np_shape and entry.stype != "default":
        raise MXNetError(
            f"{label}: MXNet saves {entry.stype} arrays only without np_shape; save it as dense, "
            "or call npx.reset_np() first"
        )
    if not np_shape and not entry.shape:
        raise MXNetError(
            f"{label}: a file without np_shape cannot hold the shape (); save it under "
            "npx.set_np(), or reshape it to (1,)"
        )


def _header(entry: Entry, label: str, magic: int) -> bytes:
    header = struct.pack("<Ii", magic, STYPES.index(entry.stype))
    if entry.stype != "default":
        header += _shape(entry.data.shape)
    header += _shape(entry.shape) + struct.pack("<ii", *entry.context) + _flag(entry.data, label)
    for index in entry.indices:
        header += _flag(index, label) + _shape(index.shape)
    return header


def _shape(shape: tuple[int, ...]) -> bytes:
    return struct.pack(f"<i{len(shape)}q", len(shape), *shape)


def _flag(array: Array, label: str) -> bytes:
    dtype = dtype_to_torch(array.dtype)
    flag = dtype_flag(dtype)
    if flag not in _WRITABLE_FLAGS:
        raise MXNetError(f"{label}: MXNet 1.9.1 has no {dtype_name(dtype)}; cast it first")
    return struct.pack("<i", flag)
