"""IDX files of bytes, the format of MNIST: images (3 axes) or labels (1 axis)."""

from __future__ import annotations

import gzip
import math
import os
import struct
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from mxtorch._core.errors import MXNetError

_BYTES = 0x800  # the part of the first number that says: unsigned bytes
_GZIP = b"\x1f\x8b"


def read_idx(path: str | os.PathLike[str], axes: int, zipped: bool) -> npt.NDArray[Any]:
    """The array in an IDX file, uint8 of `axes` axes; `zipped`: the file is a gzip archive."""
    try:
        with gzip.open(path, "rb") if zipped else open(path, "rb") as file:
            data = file.read()
    except (OSError, EOFError, zlib.error) as error:
        raise MXNetError(f"{os.fspath(path)}: cannot be read: {error}") from error
    if not zipped and data.startswith(_GZIP):
        raise MXNetError(f"{os.fspath(path)}: the file is compressed; unpack it with gunzip first")
    start = 4 + 4 * axes
    head = struct.unpack(f">{axes + 1}I", data[:start]) if len(data) >= start else (0,)
    if head[0] != _BYTES + axes:
        raise MXNetError(f"{os.fspath(path)}: this is no IDX file of bytes with {axes} axes")
    shape = head[1:]
    if len(data) - start != math.prod(shape):
        raise MXNetError(
            f"{os.fspath(path)}: damaged: {len(data) - start} bytes of values, shape {shape} "
            f"needs {math.prod(shape)}. Get the file again"
        )
    return np.frombuffer(data, np.uint8, offset=start).reshape(shape)
