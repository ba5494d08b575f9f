"""One file for all processes: what they have alike once, and what is a process's own beside it.

Rank 0 writes it. Which file is read is decided together: the one that is furthest on, of the first
rank that has it, is sent to the others, so that a folder of each host's own will do where rank 0
stays on its host.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._dist.collectives import all_gather, broadcast
from mxtorch._dist.group import Group, join
from mxtorch._resume.file import checksum, dump, load, read_header, write
from mxtorch._resume.tree import Tensors


@dataclass
class Copy:
    """What one process has: JSON by part, and the tensors that it names.

    written_by: how many processes wrote the file, if there is another number now.
    is_new: this process had no copy among theirs; it is that of the first one.
    """

    content: dict[str, Any]
    tensors: Tensors
    written_by: int | None = None
    is_new: bool = False


def write_copies(path: str, own: Copy) -> None:
    """Write the file of all processes' copies; each calls this with its own."""
    group = join()
    if group.size == 1:
        write(path, dump({"copies": [own.content]}, own.tensors))
        return
    sums = {name: checksum(tensor) for name, tensor in own.tensors.items()}
    facts = [json.loads(t) for t in group.gather_text(json.dumps([own.content, sums]))]
    alike = facts[0][1]
    different = {n: t for n, t in own.tensors.items() if alike.get(n) != sums[n]}
    rows = all_gather(group, _as_tensor(dump(None, different)))
    if group.rank == 0:
        tensors = dict(own.tensors)
        for rank, row in enumerate(rows[1:], 1):
            _, others = load(row.numpy().tobytes(), f"of rank {rank}")
            tensors.update((f"rank{rank}:{name}", tensor) for name, tensor in others.items())
        data = dump({"copies": [content for content, _ in facts]}, tensors)
    _together(group, path, lambda: write(path, data) if group.rank == 0 else None)


def read_copies(path: str, resize: bool = False) -> Copy | None:
    """This process's copy in the file; None if no process finds one.

    MXNetError for a file of another number of processes, unless `resize`.
    """
    group = join()
    data = _read(path) if group.size == 1 else _read_together(group, path)
    if data is None:
        return None
    content, tensors = load(data, path)
    try:
        copies = content["copies"]
        count = len(copies)
        if count != group.size and not resize:
            raise MXNetValueError(
                f"checkpoint {path} was written by {count} processes, and there are {group.size} "
                "now. Start as many; or pass resize=True to mxtorch.checkpoint, which goes on from "
                "the start of the epoch; or remove the file to start from the beginning."
            )
        rank = group.rank if group.rank < count else 0
        own = {name: tensor for name, tensor in tensors.items() if ":" not in name.split("/")[0]}
        prefix = f"rank{rank}:"
        for name, tensor in tensors.items():
            if name.startswith(prefix):
                own[name.removeprefix(prefix)] = tensor
        written_by = None if count == group.size else count
        return Copy(dict(copies[rank]), own, written_by, group.rank >= count)
    except (LookupError, TypeError) as error:
        raise MXNetError(f"checkpoint {path} is damaged: {error!r}") from error


def _as_tensor(data: bytes) -> torch.Tensor:
    return torch.frombuffer(bytearray(data), dtype=torch.uint8)


def _together(group: Group, path: str, work: Callable[[], None]) -> None:
    """Do something that may fail on one rank; then it fails on all."""
    error = ""
    try:
        work()
    except OSError as failed:
        error = f"{type(failed).__name__}: {failed}"
    for rank, text in enumerate(group.gather_text(error)):
        if text:
            raise MXNetError(f"checkpoint {path}: rank {rank} could not write it: {text}")


def _read(path: str) -> bytes | None:
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def _read_together(group: Group, path: str) -> bytes | None:
    """The bytes of the file that is furthest on, on every rank."""
    own = _look(path)
    found = [json.loads(text) for text in group.gather_text(json.dumps(own))]
    for rank, fact in enumerate(found):
        if fact is not None and "error" in fact:
            raise MXNetError(f"{fact['error']} (found by rank {rank})")
    have = [rank for rank, fact in enumerate(found) if fact is not None]
    if not have:
        return None
    root = max(have, key=lambda rank: (found[rank]["place"], -rank))
    row = torch.zeros(found[root]["size"], dtype=torch.uint8)
    if group.rank == root:
        data = _read(path)
        assert data is not None
        if len(data) != len(row):
            raise MXNetError(f"checkpoint {path}: it has changed while it was read")
        row = _as_tensor(data)
    broadcast(group, [row], root)
    return row.numpy().tobytes()


def _look(path: str) -> dict[str, Any] | None:
    """How far on the run in a file is, and its bytes; an error's text for a damaged one."""
    if not os.path.exists(path):
        return None
    try:
        place = read_header(path)["content"]["copies"][0]["place"]
        return {"place": [int(n) for n in place], "size": os.path.getsize(path)}
    except (LookupError, TypeError, ValueError) as error:
        return {"error": f"checkpoint {path} is damaged: {error!r}"}
    except MXNetError as error:
        return {"error": str(error)}
