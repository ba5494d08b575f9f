"""Files from the network, with a progress bar."""

from __future__ import annotations

import os
import ssl
import urllib.error
import urllib.request
from typing import Any

from tqdm import tqdm

from mxtorch._core import env
from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import MXNetError

_BLOCK = 1 << 16


def repository() -> str:
    """The address of MXNet's data sets and models, with a slash at the end."""
    address = env.GLUON_REPO.get()
    return address if address.endswith("/") else address + "/"


def fetch(url: str, path: str, verify: bool = True) -> None:
    """Write what the address gives to a file, which appears whole or not at all."""
    folder = os.path.dirname(os.path.abspath(os.path.expanduser(path)))
    os.makedirs(folder, exist_ok=True)
    print(f"Downloading {path} from {url}...")
    context = None if verify else ssl._create_unverified_context()
    try:
        with urllib.request.urlopen(url, context=context, timeout=60) as answer:
            _write(answer, path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise MXNetError(
            f"Failed downloading url {url}: {reason}. Check the address and the network, or put "
            f"the file at {path} yourself."
        ) from error


def _write(answer: Any, path: str) -> None:
    length = answer.headers.get("Content-Length")
    total = int(length) if length else None
    name = os.path.basename(path)
    with (
        atomic_write(path) as file,
        tqdm(total=total, desc=name, unit="B", unit_scale=True, disable=None) as bar,
    ):
        while block := answer.read(_BLOCK):
            file.write(block)
            bar.update(len(block))
        if total is not None and file.tell() != total:
            raise MXNetError(f"{path}: only {file.tell()} of {total} bytes arrived")
