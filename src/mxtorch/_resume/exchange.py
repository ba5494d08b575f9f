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
    """What one process has: JSON by part, and the tensors that it names."""

    content: dict[str, Any]
    tensors: Tensors


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


def read_copies(path: str) -> Copy | None:
    """This process's copy in the file; None if no process finds one."""
    group = join()
    data = _read(path) if group.size == 1 else _read_together(group, path)
    if data is None:
        return None
    content, tensors = load(data, path)
    try:
        copies = content["copies"]
        if len(copies) != group.size:
            raise MXNetValueError(
                f"checkpoint {path} was written by {len(copies)} processes, and there are "
                f"{group.size} now. Start as many, or remove it to start from the beginning."
            )
        own = {name: tensor for name, tensor in tensors.items() if ":" not in name.split("/")[0]}
        prefix = f"rank{group.rank}:"
        for name, tensor in tensors.items():
            if name.startswith(prefix):
                own[name.removeprefix(prefix)] = tensor
        return Copy(dict(copies[group.rank]), own)
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
