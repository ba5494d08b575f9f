"""One file for all processes: what every process has once, and what is a process's own."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from mxtorch._core.errors import MXNetError
from mxtorch._resume.file import dump, load, write
from mxtorch._resume.tree import Tensors


@dataclass
class Copy:
    """What one process has: JSON by part, and the tensors that it names."""

    content: dict[str, Any]
    tensors: Tensors


def write_copies(path: str, own: Copy) -> None:
    """Write the file of this process's copy."""
    write(path, dump({"copies": [own.content]}, own.tensors))


def read_copies(path: str) -> Copy | None:
    """This process's copy in the file; None if there is no file."""
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        content, tensors = load(file.read(), path)
    copies = content["copies"]
    if len(copies) != 1:
        raise MXNetError("")
    return Copy(copies[0], tensors)
