"""The order in which an iterator visits the records of files: MXNet's, shuffled too.

Without an index a file is shuffled 8 MiB at a time: what the reader has in memory. With one it is
shuffled whole. `chunk_size` (in MB, at least 4) first cuts the file into pieces of about that size
and shuffles these too, which needs no index.
"""

from __future__ import annotations

import bisect
import itertools
import math
import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mxtorch._core.errors import MXNetError, MXNetValueError, NotSupportedError
from mxtorch._core.recfile import RecordReader, shard
from mxtorch._core.rng.generator import Generator

_ORDER_SEED, _PIECES_SEED = 111, 666
_BUFFER = 8 << 20
_HEAD = 8  # bytes before a record's own


def _generator(seed: int) -> Generator:
    generator = Generator()
    generator.seed_ctx(seed)
    return generator


def find_files(path: str) -> list[str]:
    """The files that a path names: one, several with `;` between them, or those of a folder."""
    if not path:
        raise MXNetValueError("path_imgrec is missing: which record file has the images?")
    if os.path.isdir(path):
        names = sorted(os.path.join(path, name) for name in os.listdir(path))
        files = [name for name in names if os.path.isfile(name)]
    else:
        files = [name for name in path.split(";") if name]
    for name in files:
        if not os.path.isfile(name):
            raise MXNetError(f"{name}: there is no such file")
    return files


class Records:
    """The records of one part of the files, epoch by epoch.

    A place is a record's offset in the files, as if they were one.
    """

    def __init__(
        self,
        files: Sequence[str],
        index: str = "",
        *,
        shuffle: bool = False,
        seed: int = 0,
        num_parts: int = 1,
        part_index: int = 0,
        chunk_size: int = 0,
        chunk_seed: int = 0,
        base: int = _ORDER_SEED,
    ) -> None:
        if not 0 <= part_index < num_parts:
            raise MXNetValueError(f"part_index={part_index} is none of {num_parts} parts")
        if len(files) > 1 and (index or num_parts > 1):
            raise NotSupportedError(
                "several record files can neither be divided nor have one index; "
                "put them into one file"
            )
        if shuffle and 0 < chunk_size < 4:
            raise MXNetValueError(f"shuffle_chunk_size={chunk_size} must be 4 (MB) or more, or 0")
        self._readers = [_open(name) for name in files]
        self._bases = [0, *itertools.accumulate(reader.size for reader in self._readers)]
        self._begin, self._end = 0, self._bases[-1]
        if num_parts > 1 and not index:
            self._begin, self._end = shard(files[0], num_parts, part_index)
        self._random = _generator(base + seed) if shuffle else None
        # pieces of chunks of places; None: in the file's order, which needs no list
        self._pieces: list[list[list[int]]] | None = None
        if index:
            self._pieces = [[_indexed(index, num_parts, part_index)]]
        elif shuffle:
            self._pieces = self._cut(list(self._places_in_files()), chunk_size)
        count = len(self._pieces or ())
        self._piece_order = np.arange(count)
        self._piece_random = _generator(_PIECES_SEED + part_index + num_parts + count + chunk_seed)

    def __del__(self) -> None:
        for reader in getattr(self, "_readers", ()):
            reader.file.close()

    def state_dict(self) -> dict[str, Any]:
        """What the next epoch's order depends on."""
        return {
            "random": None if self._random is None else self._random.get_state(),
            "piece_random": self._piece_random.get_state(),
            "piece_order": self._piece_order.copy(),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave, with the same files; MXNetError for others."""
        if len(state["piece_order"]) != len(self._piece_order):
            raise MXNetError(
                f"the saved order is of {len(state['piece_order'])} pieces of the record file; it "
                f"has {len(self._piece_order)} here"
            )
        if self._random is not None and state["random"] is not None:
            self._random.set_state(state["random"])
        self._piece_random.set_state(state["piece_random"])
        self._piece_order = state["piece_order"]

    def epoch(self) -> Iterator[bytes]:
        """The records of the next epoch."""
        return self._in_file_order() if self._pieces is None else self._in_pieces(self._pieces)

    def _in_file_order(self) -> Iterator[bytes]:
        at = self._begin
        while at < self._end:
            reader, base = self._go_to(at)
            record = reader.read()
            if record is None:
                return
            yield record
            at = base + min(reader.tell(), reader.size)

    def _in_pieces(self, pieces: list[list[list[int]]]) -> Iterator[bytes]:
        if len(pieces) > 1:
            order = self._piece_random.shuffle_index(len(pieces))
            self._piece_order = self._piece_order[order]
        for chunk in itertools.chain.from_iterable(pieces[i] for i in self._piece_order):
            order = np.arange(len(chunk))
            if self._random is not None:
                order = self._random.shuffle_index(len(chunk))
            for i in order.tolist():
                record = self._go_to(chunk[i])[0].read()
                if record is None:
                    raise MXNetError("the index names a place behind the last record")
                yield record

    def _go_to(self, place: int) -> tuple[RecordReader, int]:
        """The reader of the file that has this place, there, and where that file begins."""
        number = min(bisect.bisect_right(self._bases, place), len(self._readers)) - 1
        reader, base = self._readers[number], self._bases[number]
        reader.seek(place - base)
        return reader, base

    def _places_in_files(self) -> Iterator[int]:
        at = self._begin
        while at < self._end:
            reader, base = self._go_to(at)
            parts = reader.parts()
            if parts is None:
                return
            yield at
            at = base + min(parts[-1].end, reader.size)

    def _cut(self, places: list[int], chunk_size: int) -> list[list[list[int]]]:
        """Places in pieces of about `chunk_size` MB (0: one piece), these in chunks."""
        if not chunk_size:
            return [list(_chunks(places, self._end))]
        count = math.ceil(1.1 * (self._end - self._begin) / (chunk_size << 20))
        step = math.ceil((self._end - self._begin) / count)
        step += -step % 4
        limits = [min(self._begin + step * i, self._end) for i in range(count + 1)]
        cuts = [bisect.bisect_left(places, limit) for limit in limits]
        pieces = zip(cuts, cuts[1:], limits[1:], strict=False)
        return [list(_chunks(places[a:b], limit)) for a, b, limit in pieces]


def _open(name: str) -> RecordReader:
    return RecordReader(open(name, "rb"), name)


def _chunks(places: list[int], end: int) -> Iterator[list[int]]:
    """What MXNet's reader has in memory at a time, before it shuffles.

    The record in which its buffer ends, or before which, waits for the next time.
    """
    first = 0
    while first < len(places):
        if end - places[first] <= _BUFFER:
            yield places[first:]
            return
        last = bisect.bisect_right(places, places[first] + _BUFFER - _HEAD) - 1
        last = max(last, first + 1)
        yield places[first:last]
        first = last


def _indexed(path: str, num_parts: int, part_index: int) -> list[int]:
    """The places of an index, in the file's order: equally many for each part."""
    places = []
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                places.append(int(line.split()[1]))
    except (OSError, ValueError, IndexError) as error:
        raise MXNetError(f"{path}: this is no index of a record file: {error}") from error
    places.sort()
    size = math.ceil(len(places) / num_parts)
    return places[size * part_index : size * (part_index + 1)]
