"""RecordIO files: records of bytes one after another, as MXNet (dmlc) writes them.

A part is MAGIC, a word with its kind (3 bits) and length (29 bits), the bytes, zeros up to a
multiple of 4; all little-endian. A record is one part; where MAGIC stands in its bytes at a
multiple of 4, it is split there into several, and MAGIC itself is left out.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, NoReturn

from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._core.file_kinds import HEAD, what_is

MAGIC = b"\x0a\x23\xd7\xce"
WHOLE, FIRST, MIDDLE, LAST = range(4)
_HEAD = struct.Struct("<4sI")
_LENGTH_BITS = 29
_LONGEST = (1 << _LENGTH_BITS) - 1


@dataclass(frozen=True)
class Part:
    """A part of a file: the head's place, its kind, the place and number of its bytes."""

    offset: int
    kind: int
    start: int
    length: int

    @property
    def end(self) -> int:
        """Where the next part starts."""
        return self.start + self.length + -self.length % 4


def packed(record: bytes) -> bytes:
    """A record as it stands in a file."""
    if len(record) > _LONGEST:
        raise MXNetValueError(f"a record has at most {_LONGEST} bytes, got {len(record)}")
    pieces, start, at = [], 0, record.find(MAGIC)
    while at >= 0:
        if at % 4 == 0:
            pieces.append(record[start:at])
            start = at + 4
            at = record.find(MAGIC, start)
        else:
            at = record.find(MAGIC, at + 1)
    pieces.append(record[start:])
    last = len(pieces) - 1
    found = []
    for i, piece in enumerate(pieces):
        kind = WHOLE if not last else FIRST if i == 0 else LAST if i == last else MIDDLE
        head = _HEAD.pack(MAGIC, kind << _LENGTH_BITS | len(piece))
        found += [head, piece, b"\0" * (-len(piece) % 4)]
    return b"".join(found)


class RecordReader:
    """Reads the records of one file in order, from any place where one starts."""

    def __init__(self, file: BinaryIO, origin: str) -> None:
        self.file = file
        self.origin = origin
        self.size = os.fstat(file.fileno()).st_size

    def tell(self) -> int:
        """The place of the next record."""
        return self.file.tell()

    def seek(self, offset: int) -> None:
        """Go to the place of a record."""
        if not 0 <= offset <= self.size:
            raise MXNetError(
                f"{self.origin}: there is no byte {offset}, the file has {self.size}; "
                "does the index belong to another file?"
            )
        self.file.seek(offset)

    def read(self) -> bytes | None:
        """The next record, or None at the end of the file."""
        parts = self.parts()
        if parts is None:
            return None
        found = []
        for part in parts:
            self.file.seek(part.start)
            found.append(self.file.read(part.length))
        self.file.seek(parts[-1].end)
        return MAGIC.join(found)

    def parts(self) -> list[Part] | None:
        """The parts of the next record, without reading them, or None at the end of the file."""
        part = self._part()
        if part is None:
            return None
        if part.kind == WHOLE:
            return [part]
        if part.kind != FIRST:
            self._fail(part.offset, "the first part of a record", f"a part of kind {part.kind}")
        found = [part]
        while part.kind != LAST:
            self.file.seek(part.end)
            following = self._part()
            if following is None or following.kind not in (MIDDLE, LAST):
                came = "the end" if following is None else f"a part of kind {following.kind}"
                self._fail(part.end, "the next part of a record", came)
            part = following
            found.append(part)
        return found

    def _part(self) -> Part | None:
        offset = self.file.tell()
        head = self.file.read(_HEAD.size)
        if not head:
            return None
        if len(head) < _HEAD.size:
            self._fail(offset, "the head of a record (8 bytes)", f"{len(head)} bytes")
        magic, word = _HEAD.unpack(head)
        if magic != MAGIC:
            self._refuse_others(offset)
            self._fail(offset, f"a record, {MAGIC.hex()}", head[:4].hex())
        part = Part(offset, word >> _LENGTH_BITS, offset + _HEAD.size, word & _LONGEST)
        if part.end > self.size:
            left = self.size - part.start
            self._fail(offset, f"{part.length} bytes of a record", f"{left} bytes before the end")
        return part

    def _refuse_others(self, offset: int) -> None:
        """A file of another kind, known by its start."""
        self.file.seek(0)
        if (other := what_is(self.file.read(HEAD), "records")) is not None:
            raise MXNetError(f"{self.origin}: this is no RecordIO file (.rec): it {other}")
        self.file.seek(offset)

    def _fail(self, offset: int, expected: str, found: str) -> NoReturn:
        raise MXNetError(
            f"{self.origin}: damaged at byte {offset} of {self.size}: expected {expected}, "
            f"found {found}"
        )


def scan(path: str | os.PathLike[str]) -> Iterator[list[Part]]:
    """The parts of each record of a file, without their bytes."""
    with open(path, "rb") as file:
        reader = RecordReader(file, os.fspath(path))
        while parts := reader.parts():
            yield parts
            file.seek(parts[-1].end)


def shard(path: str | os.PathLike[str], num_parts: int, part_index: int) -> tuple[int, int]:
    """The places from which on and before which part `part_index` of `num_parts` has records.

    The file's bytes are divided evenly, at multiples of 4; a record belongs where it starts.
    """
    if not 0 <= part_index < num_parts:
        raise MXNetValueError(f"part_index={part_index} is none of {num_parts} parts")
    size = os.path.getsize(path)
    step = -(-size // num_parts)
    step += -step % 4
    begin, end = min(step * part_index, size), min(step * (part_index + 1), size)
    with open(path, "rb") as file:
        return _next_start(file, begin), _next_start(file, end)


def _next_start(file: BinaryIO, offset: int) -> int:
    """The place of the first record that starts at `offset` or behind it."""
    if offset == 0:
        return 0
    block = 1 << 16
    file.seek(offset)
    data = file.read(block)
    while len(data) >= _HEAD.size:
        at = data.find(MAGIC)
        while at >= 0 and at + _HEAD.size <= len(data):
            kind = struct.unpack_from("<I", data, at + 4)[0] >> _LENGTH_BITS
            if at % 4 == 0 and kind in (WHOLE, FIRST):
                return offset + at
            at = data.find(MAGIC, at + 1)
        offset += len(data) - len(data) % 4 - 4  # a head may begin at the end
        file.seek(offset)
        data = file.read(block)
        if len(data) <= 4:
            break
    return os.fstat(file.fileno()).st_size
