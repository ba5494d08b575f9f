"""A module's weights as a safetensors file, and such a file back to `.params`.

The metadata says under "mxnet" what each array of MXNet's is in the file: its weights, one after
the other, its shape, and whether it is an auxiliary state.
"""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Callable, Mapping, Sequence
from math import prod

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from mxtorch._core import ndfile
from mxtorch._core.errors import MXNetError
from mxtorch._core.file_kinds import HEAD, what_is
from mxtorch._core.ndentry import Entry, from_tensor
from mxtorch._deploy.model import Model
from mxtorch.convert import safetensors
from mxtorch.convert.targets import check_weights
from mxtorch.version import __version__

Progress = Callable[[int, int], None]
# Of each array of MXNet's its weights, its shape, and whether it is a state.
Plan = dict[str, tuple[list[str], list[int], bool]]
_KEY = "mxnet"


def save_state(
    state: Mapping[str, Tensor],
    origins: Mapping[str, Sequence[str]],
    model: Model,
    path: str | os.PathLike[str],
    progress: Progress | None = None,
) -> None:
    """Write a state_dict, an array at a time; `origins` is as in Source."""
    arrays = model.arrays
    told = {
        name: [list(keys), list(arrays[name].shape), name in model.states]
        for name, keys in origins.items()
        if name in arrays
    }
    metadata = {
        "format": "pt",
        "converter": f"mxtorch {__version__}",
        _KEY: json.dumps(told, ensure_ascii=False, separators=(",", ":")),
    }
    tensors = [
        safetensors.Tensor(name, Entry.dense(name, from_tensor(value)))
        for name, value in state.items()
    ]
    total, done = sum(t.nbytes for t in tensors), 0
    for tensor in safetensors.write_safetensors(path, tensors, metadata):
        done += tensor.nbytes
        if progress is not None:
            progress(done, total)


def state_to_params(
    state: str | os.PathLike[str] | Mapping[str, Tensor],
    target: str | os.PathLike[str],
    like: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Write a `.params` file, with `arg:` and `aux:` names, from the weights of a produced module.

    `state`: a safetensors file or a state_dict. `like`: the file that was written beside the
    module, which says what the arrays are called; not needed if `state` is that file or one with
    its metadata. Returns the names. Raises MXNetError for a weight that is missing or of another
    shape.
    """
    check_weights(target, [p for p in (state, like) if isinstance(p, (str, os.PathLike))])
    tensors = dict(state) if isinstance(state, Mapping) else _load(state)
    source = like if like is not None else state
    if isinstance(source, Mapping):
        raise MXNetError("a state_dict does not know MXNet's names: give like=, the file beside it")
    plan = _plan(source)
    entries = []
    done, total = 0, sum(t.numel() * t.element_size() for t in tensors.values())
    for name, (keys, shape, is_state) in plan.items():
        value = _joined(name, keys, shape, tensors)
        entries.append(Entry.dense(f"{'aux' if is_state else 'arg'}:{name}", from_tensor(value)))
        done += value.numel() * value.element_size()
        if progress is not None:
            progress(min(done, total), total)
    known = {key for keys, _, _ in plan.values() for key in keys}
    extra = [k for k in tensors if k not in known and not k.endswith("num_batches_tracked")]
    if extra:
        raise MXNetError(
            f"{', '.join(extra[:5])}{' and others' if len(extra) > 5 else ''}: the MXNet model has "
            "no such weights; take them out of the state_dict, or name the file of the module that "
            "they belong to"
        )
    ndfile.write(target, entries)
    return [entry.name or "" for entry in entries]


def _joined(name: str, keys: list[str], shape: list[int], tensors: dict[str, Tensor]) -> Tensor:
    missing = [key for key in keys if key not in tensors]
    if missing:
        raise MXNetError(f"the weights lack {missing[0]!r}, which is MXNet's {name!r}")
    parts = [tensors[key] for key in keys]
    count = sum(part.numel() for part in parts)
    if count != prod(shape) or not parts:
        got = ", ".join(f"{k} {tuple(p.shape)}" for k, p in zip(keys, parts, strict=True))
        raise MXNetError(f"MXNet's {name!r} has shape {tuple(shape)}; the weights are {got}")
    whole = parts[0] if len(parts) == 1 else torch.cat([p.reshape(-1) for p in parts])
    return whole.reshape(shape)


def _unreadable(path: str | os.PathLike[str], error: Exception) -> MXNetError:
    why: str | None = None
    if pathlib.Path(path).is_file():
        with open(path, "rb") as file:
            why = what_is(file.read(HEAD), "safetensors")
    return MXNetError(
        f"{os.fspath(path)}: cannot be read as safetensors: " + (f"it {why}" if why else str(error))
    )


def _load(path: str | os.PathLike[str]) -> dict[str, Tensor]:
    try:
        with safe_open(os.fspath(path), framework="pt") as file:
            return {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - no mapping
    except (SafetensorError, OSError) as error:
        raise _unreadable(path, error) from error


def _plan(path: str | os.PathLike[str]) -> Plan:
    """What the file says of MXNet's arrays: their weights, shape, and whether they are states."""
    try:
        with safe_open(os.fspath(path), framework="pt") as file:
            told = file.metadata() or {}
            shapes = {k: list(file.get_slice(k).get_shape()) for k in file.keys()}  # noqa: SIM118 - no mapping
    except (SafetensorError, OSError) as error:
        raise _unreadable(path, error) from error
    try:
        plan = _told(told, shapes)
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise MXNetError(
            f"{os.fspath(path)}: what it says of MXNet's arrays is damaged: {error}"
        ) from error
    if plan is not None:
        return plan
    raise MXNetError(
        f"{pathlib.Path(path).name}: does not say which array of MXNet's each weight is; the file "
        "that mxtorch convert wrote beside the module does: name it with --like"
    )


def _told(told: Mapping[str, str], shapes: Mapping[str, list[int]]) -> Plan | None:
    """What the metadata of a file with weights of these shapes say; None if nothing."""
    if _KEY in told:
        found = json.loads(told[_KEY])
        return {
            name: (_texts(keys), [int(n) for n in shape], bool(state))
            for name, (keys, shape, state) in found.items()
        }
    if told.get("source_format") != "mxnet.params":
        return None
    states = set(_texts(json.loads(told.get("auxiliary", "[]"))))
    plan: Plan = {}
    for name, shape in shapes.items():
        kind, _, rest = name.partition(":")
        plain = rest if kind in ("arg", "aux") and rest else name
        plan[plain] = ([name], shape, kind == "aux" or name in states)
    return plan


def _texts(value: list[str]) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise TypeError(f"{value!r} is no list of names")
    return value
