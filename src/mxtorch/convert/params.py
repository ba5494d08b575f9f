"""`.params` to safetensors: weights alone, under MXNet's names."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass

from mxtorch._core import ndfile
from mxtorch._core.atomic import writing
from mxtorch._core.errors import MXNetError
from mxtorch._core.ndentry import Entry
from mxtorch.convert.safetensors import Tensor, write_safetensors
from mxtorch.convert.targets import check_weights
from mxtorch.version import __version__

_KINDS = ("arg:", "aux:")


@dataclass(frozen=True)
class Summary:
    """What was written.

    auxiliary: names of auxiliary states, where the file marked them as such.
    densified: name and MXNet's storage type of each sparse array, written dense.
    unnamed: the arrays had no names and are called '0', '1', ….
    """

    names: tuple[str, ...]
    nbytes: int
    auxiliary: tuple[str, ...]
    densified: dict[str, str]
    unnamed: bool


def params_to_safetensors(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    strip_prefix: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Write the arrays of a `.params` file as a safetensors file, which torch code can load.

    Names stay as they are: structural ones of `save_parameters`, prefixed ones of
    `collect_params().save`, `arg:` and `aux:` of `export` and `Module`. `strip_prefix` takes
    `arg:` and `aux:` off; which names were auxiliary states is in the metadata either way.
    Sparse arrays become dense. Two arrays of one name raise MXNetError. `progress` is told the
    bytes written so far and in all.
    """
    check_weights(target, [source])
    entries = ndfile.read(source, mapped=True)
    tensors = [
        Tensor(_name(entry, position, strip_prefix), entry)
        for position, entry in enumerate(entries)
    ]
    _check_distinct([tensor.name for tensor in tensors], os.fspath(source))
    summary = _summary(tensors)
    done = 0
    with writing(target):
        for tensor in write_safetensors(target, tensors, _metadata(source, entries, summary)):
            done += tensor.nbytes
            if progress is not None:
                progress(done, summary.nbytes)
    return summary


def _name(entry: Entry, position: int, strip_prefix: bool) -> str:
    if entry.name is None:
        return str(position)
    if strip_prefix and entry.name.startswith(_KINDS):
        return entry.name[4:]
    return entry.name


def _check_distinct(names: list[str], source: str) -> None:
    if len(set(names)) == len(names):
        return
    repeated = sorted({name for name in names if names.count(name) > 1})
    raise MXNetError(
        f"{source}: {len(repeated)} names would stand for several arrays: "
        f"{', '.join(map(repr, repeated[:5]))}. If arg: and aux: tell them apart, keep these"
    )


def _summary(tensors: list[Tensor]) -> Summary:
    return Summary(
        names=tuple(tensor.name for tensor in tensors),
        nbytes=sum(tensor.nbytes for tensor in tensors),
        auxiliary=tuple(t.name for t in tensors if (t.entry.name or "").startswith("aux:")),
        densified={t.name: t.entry.stype for t in tensors if t.entry.stype != "default"},
        unnamed=any(tensor.entry.name is None for tensor in tensors),
    )


def _metadata(
    source: str | os.PathLike[str], entries: list[Entry], summary: Summary
) -> dict[str, str]:
    versions = sorted({entry.version for entry in entries})
    return {
        "format": "pt",  # what loaders of torch models look for
        "source": os.path.basename(os.fspath(source)),
        "source_format": "mxnet.params",
        "source_versions": json.dumps(versions),
        "auxiliary": json.dumps(summary.auxiliary, ensure_ascii=False),
        "densified": json.dumps(summary.densified, ensure_ascii=False),
        "converter": f"mxtorch {__version__}",
    }
