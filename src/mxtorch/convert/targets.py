"""What would go wrong with a file to write, said before the work."""

from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Iterable, Sequence

from mxtorch._core.errors import MXNetError, MXNetValueError

SUFFIXES = (".safetensors", ".py", ".pt2", ".onnx")
_HIDES = sys.stdlib_module_names | {"torch", "safetensors", "numpy", "mxtorch", "mxnet"}
# What a produced source begins with holds this; so much of it is read.
_MADE_BY, _HEAD = "by mxtorch", 4096
Path = str | os.PathLike[str]


def check_models(targets: Sequence[pathlib.Path], sources: Iterable[Path] = ()) -> None:
    """Raise MXNetError if a model cannot be written to these files, or not without loss."""
    for target in targets:
        if target.suffix not in SUFFIXES:
            raise MXNetValueError(f"{target}: the name must end in {', '.join(SUFFIXES)}")
        if not target.parent.is_dir():
            raise MXNetError(f"{target}: cannot be written: there is no folder {target.parent}")
        if target.is_dir():
            raise MXNetError(f"{target}: cannot be written: it is a folder")
        check_weights(target, sources)
        if target.suffix != ".py":
            continue
        if target.stem in _HIDES:
            raise MXNetValueError(
                f"{target}: a file of this name would hide the module {target.stem} from Python "
                "programs beside it; give another name"
            )
        beside = target.with_suffix(".safetensors")
        if beside in targets:
            raise MXNetValueError(
                f"{beside}: is the file of weights beside {target.name}; give another name"
            )
        _check_not_read(beside, sources)


def check_weights(target: Path, sources: Iterable[Path]) -> None:
    """Raise MXNetError if a file is one of those that are read, or the weights of a module."""
    _check_not_read(target, sources)
    path = pathlib.Path(target)
    source = path.with_suffix(".py")
    if path.suffix != ".safetensors" or not path.exists() or not source.is_file():
        return
    with open(source, "rb") as file:
        head = file.read(_HEAD).decode("utf-8", "replace")
    if _MADE_BY in head and path.name in head:
        raise MXNetError(
            f"{path}: is the file of weights of {source.name}, which could not load these; choose "
            "another name"
        )


def _check_not_read(target: Path, sources: Iterable[Path]) -> None:
    if not os.path.exists(target):
        return
    for source in sources:
        if os.path.exists(source) and os.path.samefile(source, target):
            raise MXNetError(f"{os.fspath(target)}: is the file that is read; choose another name")
