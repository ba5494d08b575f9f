"""A writer of safetensors files, an array at a time.

The safetensors library wants all tensors in memory at once; models do not always fit twice.

    file   = u64 header length, header, values…        (little-endian, in the header's order)
    header = {"__metadata__": {text: text}, name: {"dtype", "shape", "data_offsets"}}, padded to 8
"""

from __future__ import annotations

import json
import math
import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import MXNetError
from mxtorch._core.ndentry import Entry, little_endian_bytes

_DTYPES = {
    "bool": "BOOL",
    "uint8": "U8",
    "int8": "I8",
    "uint16": "U16",
    "int16": "I16",
    "float16": "F16",
    "bfloat16": "BF16",
    "uint32": "U32",
    "int32": "I32",
    "float32": "F32",
    "uint64": "U64",
    "int64": "I64",
    "float64": "F64",
}
_METADATA = "__metadata__"


@dataclass(frozen=True)
class Tensor:
    """An entry under the name that it gets."""

    name: str
    entry: Entry

    @property
    def nbytes(self) -> int:
        """Bytes of the dense values."""
        return math.prod(self.entry.shape) * self.entry.data.dtype.itemsize


def write_safetensors(
    path: str | os.PathLike[str], tensors: Sequence[Tensor], metadata: Mapping[str, str]
) -> Iterator[Tensor]:
    """Write a file atomically, yielding each tensor once it is written; sparse ones as dense."""
    ordered = sorted(tensors, key=lambda t: -t.entry.data.dtype.itemsize)  # keeps all aligned
    with atomic_write(path) as file:
        file.write(_header(ordered, metadata))
        for tensor in ordered:
            file.write(little_endian_bytes(tensor.entry.to_dense()))
            yield tensor


def _header(tensors: Sequence[Tensor], metadata: Mapping[str, str]) -> bytes:
    header: dict[str, object] = {_METADATA: dict(metadata)}
    end = 0
    for tensor in tensors:
        if tensor.name == _METADATA:
            raise MXNetError(f"no tensor can be named {_METADATA!r} in a safetensors file")
        start, end = end, end + tensor.nbytes
        header[tensor.name] = {
            "dtype": _DTYPES[tensor.entry.dtype],
            "shape": list(tensor.entry.shape),
            "data_offsets": [start, end],
        }
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text
