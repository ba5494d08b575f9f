"""`mx.recordio`: files of records, with an index or without, and images in them."""

from __future__ import annotations

import numbers
import os
import struct
from collections import namedtuple
from typing import Any

import numpy as np

from mxtorch._core.errors import (
    MXNetAssertionError,
    MXNetError,
    MXNetKeyError,
    MXNetTypeError,
    MXNetValueError,
)
from mxtorch._core.one_element import as_number
from mxtorch._core.recfile import RecordReader, packed
from mxtorch._pixels import codec
from mxtorch._pixels.opencv import opencv

__all__ = [
    "IRHeader",
    "MXIndexedRecordIO",
    "MXRecordIO",
    "pack",
    "pack_img",
    "unpack",
    "unpack_img",
]


class MXRecordIO:
    """A file of records, written (`flag` 'w', anew) or read ('r') one after another.

    Records are written as they come: after a kill those written before can be read. A copy made by
    pickling, for another process, opens the file itself and starts at the first record. Damage
    raises MXNetError with its place.
    """

    def __init__(self, uri: str | os.PathLike[str], flag: str) -> None:
        self.is_open = False
        self.uri = os.fspath(uri)
        self.handle: Any = None
        self.flag = flag
        self.pid: int | None = None
        self.open()

    def open(self) -> None:
        """Open the file; with 'w' its old content goes."""
        if self.flag not in ("w", "r"):
            raise MXNetValueError(f"Invalid flag {self.flag}: expected 'r' or 'w'")
        self.writable = self.flag == "w"
        try:
            file = open(self.uri, "wb" if self.writable else "rb")  # noqa: SIM115 - closed in close
        except OSError as error:
            raise MXNetError(f"{self.uri}: cannot be opened: {error.strerror or error}") from error
        self.handle = file if self.writable else RecordReader(file, self.uri)
        self.pid = os.getpid()
        self.is_open = True

    def __del__(self) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        if self.is_open and self.writable:
            raise MXNetError(
                f"{self.uri} is open for writing: a copy in another process would start the file "
                "anew. Close it first"
            )
        return {**self.__dict__, "handle": None, "pid": None}

    def __setstate__(self, d: dict[str, Any]) -> None:
        self.__dict__.update(d)
        was_open, self.is_open = self.is_open, False
        if was_open:
            self.open()

    def _check_pid(self, allow_reset: bool = False) -> None:
        """Refuse a file that another process has opened, or open it anew."""
        if self.pid != os.getpid():
            if not allow_reset:
                raise MXNetError("Forbidden operation in multiple processes")
            self.reset()

    def close(self) -> None:
        """Close the file; a second time nothing happens."""
        if not self.is_open:
            return
        if not self.writable:
            self.handle.file.close()
        elif self.pid == os.getpid():  # a forked process must not write what its parent writes
            self.handle.close()
        self.is_open = False
        self.pid = None

    def reset(self) -> None:
        """Start again at the first record; with 'w' the file starts anew."""
        self.close()
        self.open()

    def write(self, buf: bytes) -> None:
        """Append a record."""
        if not self.writable:
            raise MXNetAssertionError(f"{self.uri} is open for reading, not for writing")
        self._check_pid(allow_reset=False)
        if not isinstance(buf, (bytes, bytearray, memoryview)):
            raise MXNetTypeError(f"a record is bytes, got {type(buf).__name__}; encode it first")
        self.handle.write(packed(bytes(buf)))

    def read(self) -> bytes | None:
        """The next record, or None at the end."""
        if self.writable:
            raise MXNetAssertionError(f"{self.uri} is open for writing, not for reading")
        self._check_pid(allow_reset=False)
        record: bytes | None = self.handle.read()
        return record


class MXIndexedRecordIO(MXRecordIO):
    """A file of records with a text file that says where each one starts, by its key.

    `keys` are the keys in the index's order, `idx` their places; `key_type` makes a key of text.
    """

    def __init__(
        self,
        idx_path: str | os.PathLike[str],
        uri: str | os.PathLike[str],
        flag: str,
        key_type: Any = int,
    ) -> None:
        self.idx_path = os.fspath(idx_path)
        self.idx: dict[Any, int] = {}
        self.keys: list[Any] = []
        self.key_type = key_type
        self.fidx: Any = None
        super().__init__(uri, flag)

    def open(self) -> None:
        """Open both files and read the index."""
        super().open()
        self.idx = {}
        self.keys = []
        self.fidx = open(self.idx_path, self.flag, encoding="utf-8")  # noqa: SIM115 - see close
        if not self.writable:
            for number, line in enumerate(self.fidx, 1):
                key, place = self._entry(line, number)
                self.idx[key] = place
                self.keys.append(key)

    def _entry(self, line: str, number: int) -> tuple[Any, int]:
        fields = line.strip().split("\t")
        try:
            return self.key_type(fields[0]), int(fields[1])
        except (ValueError, IndexError):
            raise MXNetValueError(
                f"{self.idx_path}, line {number}: expected a key, a tab and a place, got {line!r}"
            ) from None

    def close(self) -> None:
        """Close both files."""
        if not self.is_open:
            return
        inherited = self.writable and self.pid != os.getpid()
        super().close()
        if self.fidx is not None and not inherited:
            self.fidx.close()

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "fidx": None}

    def seek(self, idx: Any) -> None:
        """Go to the record of a key."""
        if self.writable:
            raise MXNetAssertionError(f"{self.uri} is open for writing, not for reading")
        self._check_pid(allow_reset=True)
        if idx not in self.idx:
            raise MXNetKeyError(f"{self.idx_path}: there is no key {idx!r} among {len(self.idx)}")
        self.handle.seek(self.idx[idx])

    def tell(self) -> int:
        """The place of the record that is written next."""
        if not self.writable:
            raise MXNetAssertionError(f"{self.uri} is open for reading, not for writing")
        return int(self.handle.tell())

    def read_idx(self, idx: Any) -> bytes | None:
        """The record of a key."""
        self.seek(idx)
        return self.read()

    def write_idx(self, idx: Any, buf: bytes) -> None:
        """Append a record under a key."""
        key = self.key_type(idx)
        place = self.tell()
        self.write(buf)
        self.fidx.write(f"{key}\t{place}\n")
        self.idx[key] = place
        self.keys.append(key)


# MXNet prints it under this name
IRHeader = namedtuple("HEADER", ["flag", "label", "id", "id2"])  # type: ignore[name-match]
HEADER = IRHeader  # where pickle looks for it
_IR_FORMAT = "<IfQQ"
_IR_SIZE = struct.calcsize(_IR_FORMAT)


def pack(header: Any, s: bytes) -> bytes:
    """A record of a header (flag, label, id, id2) and bytes.

    A number as label stands in the header; several, float32, follow it and `flag` is their count.
    """
    header = IRHeader(*header)
    if isinstance(header.label, numbers.Number):
        header = header._replace(flag=0)
    else:
        label = np.asarray(header.label, dtype=np.float32)
        header = header._replace(flag=label.size, label=0)
        s = label.tobytes() + s
    return struct.pack(_IR_FORMAT, *header) + s


def unpack(s: bytes) -> tuple[Any, bytes]:
    """Header and bytes of a record; the label is a float, or a float32 array if there are several.

    ValueError where the record is too short.
    """
    if len(s) < _IR_SIZE:
        raise MXNetValueError(f"a header has {_IR_SIZE} bytes, the record only {len(s)}")
    header = IRHeader(*struct.unpack(_IR_FORMAT, s[:_IR_SIZE]))
    s = s[_IR_SIZE:]
    if header.flag > 0:
        length = header.flag * 4
        if length > len(s):
            raise MXNetValueError(
                f"the header tells of {header.flag} labels, {len(s)} bytes follow it: "
                f"buffer is smaller than requested size {length}"
            )
        header = header._replace(label=as_number(np.frombuffer(s, np.float32, header.flag)))
        s = s[length:]
    return header, s


def pack_img(header: Any, img: Any, quality: int = 95, img_fmt: str = ".jpg") -> bytes:
    """A record of a header and an image (H, W) or (H, W, 3) in BGR, encoded by OpenCV.

    `quality` is 1 to 100 for JPEG, 0 to 9 (compression) for PNG.
    """
    pixels = img if isinstance(img, np.ndarray) else img.asnumpy()
    return pack(header, codec.encode(pixels, quality, img_fmt))


def unpack_img(s: bytes, iscolor: int = -1) -> tuple[Any, Any]:
    """Header and image of a record: uint8, BGR (H, W, 3) or gray (H, W), by OpenCV.

    `iscolor` is 1 (color), 0 (gray) or -1 (as the file has it). The image is None where the bytes
    are none that OpenCV knows.
    """
    header, data = unpack(s)
    cv2 = opencv()
    try:
        return header, cv2.imdecode(np.frombuffer(data, np.uint8), iscolor)
    except cv2.error as error:
        raise MXNetError(f"the image cannot be decoded: {str(error.err).strip()}") from error
