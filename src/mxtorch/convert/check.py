"""Whether a produced file computes what the graph computes."""

from __future__ import annotations

import importlib.util
import math
import os
import pathlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetError

# Up to this much of its largest value an output may differ: by its type, what others may.
CLOSE = 1e-5
_CLOSE_OF = {torch.float16: 2e-3, torch.bfloat16: 2e-2}


@dataclass(frozen=True)
class Difference:
    """One output: the largest difference relative to its largest absolute value, whether the
    largest element of each row is at the same place, how many elements are NaN on both sides, and
    how large a difference may be.
    """

    output: str
    relative: float
    argmax: bool
    nan: int = 0
    limit: float = CLOSE


def all_close(found: Sequence[Difference]) -> bool:
    """Whether no output differs by more than it may."""
    return all(d.relative <= d.limit for d in found)


def compare(names: Sequence[str], ours: Any, theirs: Any) -> list[Difference]:
    """The outputs of the graph and of a produced model."""
    pairs = zip(names, _tuple(ours), _tuple(theirs), strict=True)
    return [_difference(name, a, b) for name, a, b in pairs]


def _tuple(outputs: Any) -> tuple[Tensor, ...]:
    return (outputs,) if isinstance(outputs, Tensor) else tuple(outputs)


def _difference(name: str, ours: Tensor, theirs: Tensor) -> Difference:
    if ours.shape != theirs.shape:
        raise MXNetError(f"{name}: shape {tuple(ours.shape)}, produced {tuple(theirs.shape)}")
    if not ours.numel():
        return Difference(name, 0.0, True)
    a, b = ours.double(), theirs.double()
    largest = torch.where(a.isfinite(), a.abs(), 0).max().item()
    both = a.isnan() & b.isnan()
    same = (a == b) | both
    difference = torch.where(same, 0, (a - b).abs()).max().item()
    rows = not a.ndim or bool((a.argmax(-1) == b.argmax(-1)).all())
    relative = difference / largest if largest else difference
    relative = math.inf if math.isnan(relative) else relative
    limit = _CLOSE_OF.get(ours.dtype, CLOSE)
    return Difference(name, relative, rows, int(both.sum()), limit)


def load_produced(path: str | os.PathLike[str]) -> Callable[..., Any]:
    """The model in a produced file, ready to call: `.py`, `.pt2` or `.onnx`."""
    target = pathlib.Path(path)
    if target.suffix == ".pt2":
        return torch.export.load(target).module()
    if target.suffix == ".onnx":
        return _load_onnx(target)
    spec = importlib.util.spec_from_file_location(target.stem, target)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    model: Callable[..., Any] = module.load(str(target.with_suffix(".safetensors")))
    return model


def _load_onnx(path: pathlib.Path) -> Callable[..., Any]:
    try:
        import onnxruntime
    except ImportError as error:
        raise MXNetError(
            "--check of ONNX needs onnxruntime: pip install 'mxtorch[onnx]'"
        ) from error
    session = onnxruntime.InferenceSession(str(path))
    names = [i.name for i in session.get_inputs()]

    def run(*data: Tensor) -> tuple[Tensor, ...]:
        given = {n: t.numpy() for n, t in zip(names, data, strict=True)}
        return tuple(torch.from_numpy(result) for result in session.run(None, given))

    return run
