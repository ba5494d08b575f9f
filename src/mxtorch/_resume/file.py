"""The file of a checkpoint: safetensors, with the JSON of everything else in its header."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import MXNetError
from mxtorch._resume.tree import DamagedError, Tensors
from mxtorch.version import __version__

_KEY = "mxtorch.checkpoint"
_FORMAT = 1


def dump(content: Any, tensors: Tensors) -> bytes:
    """The bytes of a file with this JSON and these tensors."""
    header = {
        "format": _FORMAT,
        "mxtorch": __version__,
        "sums": {name: checksum(tensor) for name, tensor in tensors.items()},
        "content": content,
    }
    text = json.dumps(header, separators=(",", ":"))
    data: bytes = safetensors.torch.save(tensors, {_KEY: text, f"{_KEY}.sum": _text_sum(text)})
    return data


def write(path: str | os.PathLike[str], data: bytes) -> None:
    """Replace the file by these bytes, all or none of them."""
    with atomic_write(path) as file:
        file.write(data)


def checksum(tensor: Tensor) -> str:
    """A hash of a CPU tensor's type, shape and bytes."""
    flat = tensor.detach().contiguous().reshape(-1).view(torch.uint8)
    found = hashlib.blake2b(f"{tensor.dtype}{tuple(tensor.shape)}".encode(), digest_size=12)
    found.update(flat.numpy().data)
    return found.hexdigest()


def _text_sum(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def load(data: bytes, path: str) -> tuple[Any, Tensors]:
    """(JSON, tensors) of such a file's bytes; MXNetError for a damaged or a foreign one."""
    with _explained(path):
        tensors = safetensors.torch.load(data)
        header = _header(data[8 : 8 + int.from_bytes(data[:8], "little")], path)
        _check(tensors, header["sums"])
        return header["content"], tensors


def read_header(path: str) -> dict[str, Any]:
    """The JSON of a file, without its tensors."""
    with open(path, "rb") as file, _explained(path):
        size = int.from_bytes(file.read(8), "little")
        if size > os.path.getsize(path):
            raise DamagedError("it is too short")
        return _header(file.read(size), path)


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Any error of a damaged file as one that names it."""
    try:
        yield
    except (SafetensorError, DamagedError, LookupError, TypeError, ValueError, RecursionError) as e:
        raise MXNetError(
            f"checkpoint {path} is damaged, or no checkpoint of mxtorch: {e}. Take an older one, "
            "or remove it to start from the beginning."
        ) from e


def _header(text: bytes, path: str) -> dict[str, Any]:
    metadata = json.loads(text).get("__metadata__")
    if not isinstance(metadata, Mapping) or _KEY not in metadata:
        raise DamagedError(f"its header has no {_KEY!r}")
    own = metadata[_KEY]
    if metadata.get(f"{_KEY}.sum") != _text_sum(own):
        raise DamagedError("the checksum of its header is another")
    header: dict[str, Any] = json.loads(own)
    if header["format"] != _FORMAT:
        raise MXNetError(
            f"checkpoint {path}: its format {header['format']!r} is not known to mxtorch "
            f"{__version__}; it was written by mxtorch {header.get('mxtorch')}"
        )
    return header


def _check(tensors: Tensors, sums: Mapping[str, str]) -> None:
    if tensors.keys() != sums.keys():
        raise DamagedError("its tensors are not those that its header lists")
    for name, tensor in tensors.items():
        if checksum(tensor) != sums[name]:
            raise DamagedError(f"the checksum of {name} is another")
