"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from mxtorch._core.errors import MXNetError


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open `path` for binary writing; its old content stays until the block has ended well.

    The bytes go to a temporary file in the same folder, are flushed to the disk and renamed over
    `path`. An error in the block leaves `path` as it was; so does a kill, which also leaves a
    `.mxtorch-*.tmp`. A link is followed, an existing file keeps its permission mode. What is not a
    regular file (a pipe, /dev/stdout) cannot be replaced and is written to directly.
    """
    target = os.path.realpath(os.fspath(path))
    mode = _mode(target)
    if mode is not None and not stat.S_ISREG(mode):
        with open(target, "wb") as direct:
            yield direct
        return
    temporary = os.path.join(os.path.dirname(target), f".mxtorch-{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, target)
    except BaseException:
        _remove(temporary)
        raise
    _sync_folder(os.path.dirname(target))


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[None]:
    """Around the writing of a file: what the system refuses is an MXNetError with its name."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise MXNetError(f"{os.fspath(path)}: cannot be written: {reason}") from error


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def _sync_folder(folder: str) -> None:
    """Make the rename itself last; Windows cannot open a folder and does not need it."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def numbered(prefix: str, epoch: float, ending: str) -> str:
    """The file of an epoch, 'net-0003.params'; a float counts as its whole part, as in MXNet."""
    return "%s-%04d.%s" % (prefix, epoch, ending)  # noqa: UP031 - floats are taken
