"""What `mxtorch inspect` tells of a RecordIO file."""

from __future__ import annotations

import os
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import click

from mxtorch._core.recfile import MAGIC, Part, scan

NAME = "a RecordIO file"
_HEADER = struct.Struct("<IfQQ")
_MOST_LABELS = 1 << 20  # a header that tells of more is none
_STARTS = {
    b"\xff\xd8\xff": "jpeg",
    b"\x89PNG": "png",
    b"BM": "bmp",
    b"\x93NUMPY": "npy",
}
_PEEK = 8


def is_records(head: bytes) -> bool:
    """Whether a file starts as a RecordIO file does."""
    return head.startswith(MAGIC)


def describe(path: Path) -> dict[str, Any]:
    """Number and sizes of the records, what is in them, and whether the index beside them fits."""
    contents: Counter[str] = Counter()
    labels: Counter[int] = Counter()
    sizes, starts, split = [], set(), 0
    with open(path, "rb") as file:
        for parts in scan(path):
            sizes.append(sum(part.length for part in parts) + 4 * (len(parts) - 1))
            starts.add(parts[0].offset)
            split += len(parts) > 1
            kind, count = _content(file, parts[0])
            contents[kind] += 1
            if count is not None:
                labels[count] += 1
    return {
        "file": str(path),
        "format": "mxnet.recordio",
        "records": len(sizes),
        "bytes": sum(sizes),
        "smallest": min(sizes, default=0),
        "largest": max(sizes, default=0),
        "split": split,
        "contents": dict(contents.most_common()),
        "labels": {str(count): number for count, number in sorted(labels.items())},
        "index": _index(path, starts),
    }


def show(found: dict[str, Any]) -> None:
    """Print it in lines."""
    click.echo(
        f"{found['file']}: {found['records']:,} records, {found['bytes']:,} bytes in them, from "
        f"{found['smallest']:,} to {found['largest']:,}; {found['split']:,} in several parts"
    )
    contents = ", ".join(f"{count:,} {kind}" for kind, count in found["contents"].items())
    click.echo(f"contents: {contents or 'none'}")
    labels = ", ".join(f"{count:,} with {n}" for n, count in found["labels"].items())
    click.echo(f"labels, where there is an image header: {labels or 'none'}")
    index = found["index"]
    if index is None:
        click.echo("index: none beside it")
    else:
        state = "fits" if index["fits"] else "does not fit: it names places where no record starts"
        click.echo(f"index: {index['file']}, {index['keys']:,} keys, {state}")


def _content(file: Any, part: Part) -> tuple[str, int | None]:
    """What a record holds, by its first bytes, and how many labels its image header has."""
    file.seek(part.start)
    head = file.read(min(part.length, _HEADER.size))
    if len(head) < _HEADER.size:
        return "other", None
    (flag, *_) = _HEADER.unpack(head)
    if flag > _MOST_LABELS:
        return "other", None
    file.seek(part.start + _HEADER.size + 4 * flag)
    left = part.length - _HEADER.size - 4 * flag
    start = file.read(max(0, min(_PEEK, left)))
    for magic, kind in _STARTS.items():
        if start.startswith(magic):
            return kind, max(flag, 1)
    return "other", None


def _index(path: Path, starts: set[int]) -> dict[str, Any] | None:
    file = path.with_suffix(".idx")
    if file == path or not os.path.isfile(file):
        return None
    keys, fits = 0, True
    with open(file, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            keys += 1
            place = line.strip().split("\t")[1:2]
            fits = fits and bool(place) and place[0].isdigit() and int(place[0]) in starts
    return {"file": str(file), "keys": keys, "fits": fits}
