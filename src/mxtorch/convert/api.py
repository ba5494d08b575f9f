"""Symbol files with their weights to PyTorch: what the command and programs call."""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch
from safetensors.torch import save as to_safetensors

from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._deploy.export import (
    Exported,
    SymbolModule,
    example,
    export_program,
    save_onnx,
    save_program,
)
from mxtorch._deploy.model import Dims, Model, load_model
from mxtorch.convert.check import Difference, compare, load_produced
from mxtorch.convert.source import write_source

SUFFIXES = (".safetensors", ".py", ".pt2", ".onnx")
_CHECKED = (".py", ".pt2", ".onnx")


@dataclass
class Report:
    """What was written, and what there is to know."""

    inputs: list[str]
    outputs: list[str]
    written: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    differences: dict[str, list[Difference]] = field(default_factory=dict)


def as_module(
    symbol: str | os.PathLike[str],
    params: str | os.PathLike[str],
    outputs: Sequence[str] = (),
) -> SymbolModule:
    """The model of a symbol file and its weights as a torch module, in eval mode.

    `forward` takes the inputs in the order of its `inputs`. Raises MXNetError for damaged files
    and missing weights.
    """
    module = SymbolModule(load_model(symbol, params, outputs)).eval()
    assert isinstance(module, SymbolModule)
    return module


def convert_symbol(
    symbol: str | os.PathLike[str],
    params: str | os.PathLike[str],
    targets: Sequence[str | os.PathLike[str]],
    *,
    shapes: Mapping[str, Dims] | None = None,
    outputs: Sequence[str] = (),
    check: bool = False,
) -> Report:
    """Write a model in each form that the names of `targets` ask for.

    `.safetensors`: weights under MXNet's names; `.py`: source, with its weights beside it; `.pt2`:
    a torch.export program; `.onnx`. `shapes` are those of the inputs, with a batch size; all but
    `.safetensors` need them. `check` runs what was written on random inputs beside the graph.
    """
    model = load_model(symbol, params, outputs)
    report = Report(
        model.inputs,
        [node.output_name(index) for node, index in model.outputs],
    )
    if model.unused:
        report.notes.append(f"weights that the graph does not use: {', '.join(model.unused[:8])}")
    given = dict(shapes or {})
    exported: Exported | None = None
    for target in map(pathlib.Path, targets):
        if target.suffix in (".pt2", ".onnx") and exported is None:
            exported = export_program(SymbolModule(model), example(model, given))
            if exported.fixed:
                report.notes.append(f"the batch size is fixed: {exported.fixed}")
        _write(target, model, given, exported, report)
        if check and target.suffix in _CHECKED:
            report.differences[str(target)] = _check(target, model, given, report.outputs)
    return report


def _write(
    target: pathlib.Path,
    model: Model,
    shapes: Mapping[str, Dims],
    exported: Exported | None,
    report: Report,
) -> None:
    if target.suffix == ".safetensors":
        _save_tensors({**model.weights, **model.states}, target)
    elif target.suffix == ".py":
        example(model, shapes)  # says which shape is missing
        weights = target.with_suffix(".safetensors")
        source = write_source(model, dict(shapes), _class_name(target.stem), weights.name)
        _save_tensors(source.state, weights)
        with atomic_write(target) as file:
            file.write(source.text.encode())
        report.written.append(str(weights))
    elif exported is not None and target.suffix == ".pt2":
        save_program(exported.program, target)
    elif exported is not None and target.suffix == ".onnx":
        save_onnx(exported.program, target, model.inputs)
    else:
        raise MXNetValueError(f"{target}: the name must end in {', '.join(SUFFIXES)}")
    report.written.append(str(target))


def _save_tensors(tensors: Mapping[str, torch.Tensor], path: pathlib.Path) -> None:
    # safetensors takes no memory twice, as of a weight that two layers share
    apart = {k: v.detach().clone(memory_format=torch.contiguous_format) for k, v in tensors.items()}
    with atomic_write(path) as file:
        file.write(to_safetensors(apart))


def _class_name(stem: str) -> str:
    name = "".join(part[:1].upper() + part[1:] for part in re.split(r"\W|_", stem) if part)
    return name if name.isidentifier() else f"Net{name}"


def _check(
    target: pathlib.Path, model: Model, shapes: Mapping[str, Dims], names: Sequence[str]
) -> list[Difference]:
    data = example(model, shapes)
    with torch.no_grad():
        ours = SymbolModule(model).eval()(*data)
        theirs = load_produced(target)(*data)
    return compare(names, ours, theirs)


def find_params(symbol: pathlib.Path) -> pathlib.Path:
    """The weights beside `X-symbol.json`: `X-NNNN.params` with the highest number."""
    stem = symbol.name.removesuffix("-symbol.json")
    found = sorted(symbol.parent.glob(f"{stem}-[0-9]*.params"))
    if stem == symbol.name or not found:
        raise MXNetError(f"{symbol}: there are no weights {stem}-0000.params beside it; name them")
    return found[-1]
