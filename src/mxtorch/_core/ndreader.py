"""The reader of `.params` files; `ndfile.py` has the format."""

from __future__ import annotations

import io
import math
import mmap
import os
import struct
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from mxtorch._core.dtypes import dtype_name, dtype_to_numpy, dtype_to_torch, flag_to_torch
from mxtorch._core.errors import MXNetError
from mxtorch._core.file_kinds import HEAD, what_is
from mxtorch._core.ndentry import INDICES, LIST_MAGIC, V1, V2, V3, Array, Entry
from mxtorch._core.storage import STYPES

_MAX_NDIM = 32  # NumPy 1's limit
_MAX_BYTES = 2**63 - 1
_SMALLEST_ARRAY = 17  # V0 without dimension, one byte


class Reader:
    """Reads the entries of one file; `pages` are its bytes where they are mapped."""

    def __init__(
        self, file: io.BufferedIOBase, size: int, origin: str, pages: mmap.mmap | None = None
    ) -> None:
        self.file, self.size, self.origin, self.pages = file, size, origin, pages
        self.offset = 0

    def entries(self) -> list[Entry]:
        """All arrays, in the file's order."""
        magic = self._magic()
        if magic != LIST_MAGIC:
            self._fail(0, f"the magic number {LIST_MAGIC:#x} of an NDArray file", f"{magic:#x}")
        self._numbers("Q", "the reserved field")
        count = self._count("arrays", _SMALLEST_ARRAY)
        entries = [self._array(position) for position in range(count)]
        at = self.offset
        named = self._count("names", 8)
        if named not in (0, count):
            self._fail(at, f"0 or {count} names, one for each array", f"{named}")
        names = [self._name() for _ in range(named)]
        if self.offset != self.size:
            self._fail(self.offset, "the end of the file", f"{self.size - self.offset} more bytes")
        if not names:
            return entries
        return [replace(entry, name=name) for entry, name in zip(entries, names, strict=True)]

    def _magic(self) -> int:
        head = self.file.read(HEAD)
        self.file.seek(0)
        if (other := what_is(head, "params")) is not None:
            raise MXNetError(f"{self.origin}: this is no NDArray file (.params): it {other}")
        return self._numbers("Q", "the magic number of an NDArray file")[0]

    def _array(self, position: int) -> Entry:
        start = self.offset
        (magic,) = self._numbers("I", f"array {position}")
        if magic not in (V1, V2, V3):
            if magic > _MAX_NDIM:
                self._fail(start, f"the start of array {position}", f"{magic:#x}")
            shape = self._numbers(f"{magic}I", "a shape")
            return self._dense(shape, 0, start)
        if magic == V1:
            return self._dense(self._shape(), 1, start)
        version = 2 if magic == V2 else 3
        (stype,) = self._numbers("i", "a storage type")
        known = STYPES if version == 2 else STYPES[:1]
        if not 0 <= stype < len(known):
            expected = " or ".join(f"{code} ({name})" for code, name in enumerate(known))
            self._fail(self.offset - 4, f"storage type {expected}", f"{stype}")
        if stype:
            return self._sparse(known[stype], start)
        shape = self._shape()
        if version == 2 and not shape:
            self._fail(start, f"a value for array {position}", "an array saved without one")
        return self._dense(shape, version, start)

    def _dense(self, shape: tuple[int, ...], version: int, start: int) -> Entry:
        context = self._context()
        data = self._values(self._dtype(), shape)
        return Entry(None, data, shape, context=context, version=version, offset=start)

    def _sparse(self, stype: str, start: int) -> Entry:
        stored = self._shape()
        shape = self._shape()
        context = self._context()
        dtype = self._dtype()
        forms = [(self._dtype(), self._shape()) for _ in range(INDICES[stype])]
        expected = _sparse_shapes(stype, shape, forms[-1][1])
        found = [stored, *(form[1] for form in forms)]
        if found != expected:
            self._fail(start, f"{stype} parts of shapes {expected} for {shape}", f"{found}")
        if any(form[0].kind not in "iu" for form in forms):
            self._fail(start, "whole numbers as indices", f"{[str(form[0]) for form in forms]}")
        data = self._values(dtype, stored)
        indices = tuple(self._values(*form) for form in forms)
        damage = _index_damage(stype, shape, indices)
        if damage:
            self._fail(start, f"{stype} indices within shape {shape}", damage)
        return Entry(None, data, shape, stype, indices, context, offset=start)

    def _shape(self) -> tuple[int, ...]:
        (ndim,) = self._numbers("i", "a number of dimensions")
        if not 0 <= ndim <= _MAX_NDIM:
            self._fail(self.offset - 4, f"at most {_MAX_NDIM} dimensions", f"{ndim}")
        shape = self._numbers(f"{ndim}q", "a shape")
        if any(size < 0 for size in shape):
            self._fail(self.offset - 8 * ndim, "a shape without negative sizes", f"{shape}")
        return shape

    def _context(self) -> tuple[int, int]:
        kind, number = self._numbers("ii", "a context")
        return kind, number

    def _dtype(self) -> np.dtype[Any]:
        (flag,) = self._numbers("i", "a type flag")
        dtype = flag_to_torch(flag)
        if dtype is None:
            self._fail(self.offset - 4, "a type flag from 0 (float32) to 12 (bfloat16)", f"{flag}")
        found: np.dtype[Any] = np.dtype(dtype_to_numpy(dtype))
        return found

    def _values(self, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Array:
        if math.prod(size for size in shape if size) * dtype.itemsize > _MAX_BYTES:
            self._fail(self.offset, "an array that fits into memory", f"shape {shape}")
        count = math.prod(shape)
        length = count * dtype.itemsize
        self._need(
            length, f"the values of a {dtype_name(dtype_to_torch(dtype))} array of shape {shape}"
        )
        stored = dtype if dtype.fields else dtype.newbyteorder("<")
        if self.pages is not None:
            array: Array = np.frombuffer(self.pages, stored, count, self.offset).reshape(shape)
            self.file.seek(length, os.SEEK_CUR)
        else:
            array = np.empty(shape, stored)
            self._fill(array)
        self.offset += length
        if dtype == np.bool_ and count and array.view(np.uint8).max() > 1:
            array = array.view(np.uint8) != 0
        return array.astype(dtype, copy=False)

    def _fill(self, array: Array) -> None:
        if not array.size:
            return
        view = array.reshape(-1).view(np.uint8).data
        while view:
            count = self.file.readinto(view)
            if not count:
                self._fail(self.offset, f"{len(view)} more bytes", "a file that shrank meanwhile")
            view = view[count:]

    def _name(self) -> str:
        (length,) = self._numbers("Q", "the length of a name")
        text = self._take(length, "a name")
        try:
            return text.decode()
        except UnicodeDecodeError:
            self._fail(self.offset - length, "a name in UTF-8", repr(text[:40]))

    def _count(self, what: str, smallest: int) -> int:
        (count,) = self._numbers("Q", f"the number of {what}")
        if count * smallest > self.size - self.offset:
            at = self.offset - 8
            left = self.size - self.offset
            self._fail(at, f"a number of {what} that fits into the {left} bytes left", f"{count}")
        return int(count)

    def _numbers(self, form: str, what: str) -> tuple[int, ...]:
        length = struct.calcsize("<" + form)
        return struct.unpack("<" + form, self._take(length, what))

    def _take(self, length: int, what: str) -> bytes:
        self._need(length, what)
        taken = self.file.read(length)
        if len(taken) < length:
            self._fail(self.offset, f"{length} bytes", "a file that shrank meanwhile")
        self.offset += length
        return taken

    def _need(self, length: int, what: str) -> None:
        left = self.size - self.offset
        if length > left:
            self._fail(self.offset, f"{what} ({length} bytes)", f"{left} bytes before the end")

    def _fail(self, offset: int, expected: str, found: str) -> NoReturn:
        raise MXNetError(
            f"{self.origin}: damaged at byte {offset} of {self.size}: expected {expected}, "
            f"found {found}. Get the file again, or save it anew"
        )


def _sparse_shapes(
    stype: str, shape: tuple[int, ...], last_index: tuple[int, ...]
) -> list[tuple[int, ...]] | None:
    """The shapes of the values and of each index array, or None for an impossible dense shape."""
    if stype == "row_sparse" and shape:
        return [(*last_index, *shape[1:]), last_index]
    if stype == "csr" and len(shape) == 2:
        return [last_index, (shape[0] + 1,), last_index]
    return None


def _index_damage(stype: str, shape: tuple[int, ...], indices: tuple[Array, ...]) -> str | None:
    """What is wrong with the values of the index arrays."""
    last = indices[-1]
    limit = shape[0] if stype == "row_sparse" else shape[1]
    if last.size and not 0 <= last.min() <= last.max() < limit:
        return f"an index from {last.min()} to {last.max()}"
    if stype == "csr":
        pointers = indices[0]
        if pointers[0] != 0 or pointers[-1] > last.size or (pointers[1:] < pointers[:-1]).any():
            return f"row pointers that do not rise from 0 to {last.size}"
    return None
