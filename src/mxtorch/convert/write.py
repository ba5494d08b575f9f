"""A model in each form that a file name asks for, and a report of what became of it."""

from __future__ import annotations

import keyword
import os
import pathlib
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.atomic import atomic_write, writing
from mxtorch._deploy.export import (
    Exported,
    SymbolModule,
    example,
    export_program,
    save_program,
)
from mxtorch._deploy.model import Dims, Model, cut, explain_unused
from mxtorch._deploy.onnx_file import save_onnx
from mxtorch._graph.node import walk
from mxtorch.convert.check import Difference, all_close, compare, load_produced
from mxtorch.convert.source import write_source
from mxtorch.convert.state import save_state
from mxtorch.convert.targets import check_models

_CHECKED = (".py", ".pt2", ".onnx")
Progress = Callable[[str, int, int], None]


@dataclass
class Report:
    """What was written, and what there is to know.

    `nodes` says of each node of the graph its operator and what it became: in the `.py` file if one
    was written.
    """

    inputs: list[str]
    outputs: list[str]
    written: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    differences: dict[str, list[Difference]] = field(default_factory=dict)
    first_different: dict[str, str] = field(default_factory=dict)
    nodes: list[dict[str, Any]] = field(default_factory=list)


def write_model(
    model: Model,
    targets: Sequence[str | os.PathLike[str]],
    *,
    shapes: Mapping[str, Dims] | None = None,
    check: bool = False,
    data: Sequence[Mapping[str, Tensor]] = (),
    progress: Progress | None = None,
    sources: Sequence[str | os.PathLike[str]] = (),
) -> Report:
    """Write a model in each form that the names of `targets` ask for.

    `shapes` are those of the inputs, with a batch size; all but `.safetensors` need them. `check`
    runs what was written beside the graph, on random inputs and on each of `data`. `progress` is
    told a file's name, and the bytes of weights written so far and in all. `sources` are the
    model's own files, which stay as they are.
    """
    paths = [pathlib.Path(target) for target in targets]
    check_models(paths, sources)
    writer = _Writer(model, dict(shapes or _declared(model)), progress)
    for target in paths:
        with writing(target):
            writer.write(target)
        if check and target.suffix in _CHECKED:
            writer.check(target, data)
    return writer.finish()


def _declared(model: Model) -> dict[str, Dims]:
    """The shapes that the graph itself says its inputs have."""
    found = {}
    for node in model.variables:
        text = node.attrs.get("__shape__", "")
        lengths = [int(n) for n in re.findall(r"\d+", text)]
        if node.name in model.inputs and lengths and all(lengths):
            found[node.name] = tuple(lengths)
    return found


class _Writer:
    def __init__(self, model: Model, shapes: Mapping[str, Dims], progress: Progress | None) -> None:
        self.model = model
        self.shapes = shapes
        self.progress = progress
        self.report = Report(list(model.inputs), model.output_names())
        self.exported: Exported | None = None
        self.became: dict[str, str] = {}
        unused = explain_unused(model)
        if unused:
            self.report.notes.append(unused)
        if model.left_out:
            names = ", ".join(model.left_out)
            self.report.notes.append(f"outputs left out, for they need labels: {names}")

    def finish(self) -> Report:
        """The report, with every node."""
        default = "its body in the exported program" if self.exported else "not written"
        parts = self.model.parts
        inner = {name for names in parts.values() for name in names}
        for node in walk(self.model.outputs):
            if node.is_variable or node.name in inner:
                continue
            names = (*parts.get(node.name, ()), node.name)
            found = list(dict.fromkeys(self.became.get(name, default) for name in names))
            became = ", ".join(text for text in found if text != "nothing") or "nothing"
            operator = self.model.replaced.get(node.name, node.op_name)
            self.report.nodes.append({"node": node.name, "operator": operator, "became": became})
        return self.report

    def write(self, target: pathlib.Path) -> None:
        """One form."""
        if target.suffix == ".safetensors":
            arrays = self.model.arrays
            self._save(arrays, {name: [name] for name in arrays}, target)
        elif target.suffix == ".py":
            self._write_source(target)
        elif target.suffix == ".pt2":
            save_program(self._program().program, target)
        else:
            names = self.report.outputs
            save_onnx(self._program().program, target, self.model.inputs, names)
        self.report.written.append(str(target))

    def _write_source(self, target: pathlib.Path) -> None:
        example(self.model, self.shapes)  # says which shape is missing
        weights = target.with_suffix(".safetensors")
        name = _class_name(target.stem)
        source = write_source(self.model, dict(self.shapes), name, weights.name)
        self._save(source.state, source.origins, weights)
        with atomic_write(target) as file:
            file.write(source.text.encode())
        self.report.written.append(str(weights))
        self.became.update(source.became)

    def _save(
        self,
        state: Mapping[str, Tensor],
        origins: Mapping[str, Sequence[str]],
        path: pathlib.Path,
    ) -> None:
        progress = self.progress
        told = None if progress is None else lambda done, total: progress(path.name, done, total)
        save_state(state, origins, self.model, path, told)

    def _program(self) -> Exported:
        if self.exported is None:
            data = example(self.model, self.shapes)
            self.exported = export_program(SymbolModule(self.model), data)
            if self.exported.note:
                self.report.notes.append(self.exported.note)
        return self.exported

    def check(self, target: pathlib.Path, data: Sequence[Mapping[str, Tensor]]) -> None:
        """Compare, on each set of inputs the worst; where they differ, say from which node on."""
        produced = load_produced(target)
        module = SymbolModule(self.model).eval()
        sets = [example(self.model, self.shapes)]
        sets += [tuple(given[name] for name in self.model.inputs) for given in data]
        worst: list[Difference] = []
        for inputs in sets:
            with torch.no_grad():
                found = compare(self.report.outputs, module(*inputs), produced(*inputs))
            pairs = zip(worst or found, found, strict=True)
            worst = [max(pair, key=lambda d: d.relative) for pair in pairs]
            if str(target) not in self.report.first_different and not all_close(found):
                node = first_different(self.model, self.shapes, target.suffix, inputs)
                if node is not None:
                    self.report.first_different[str(target)] = node
        self.report.differences[str(target)] = worst


def first_different(
    model: Model, shapes: Mapping[str, Dims], suffix: str, inputs: Sequence[Tensor]
) -> str | None:
    """The first node whose result differs, found by writing the graph up to a node, by halves."""
    nodes = [node for node in walk(model.outputs) if not node.is_variable]
    given = dict(zip(model.inputs, inputs, strict=True))
    good, bad = -1, len(nodes)
    with tempfile.TemporaryDirectory() as folder:
        while bad - good > 1:
            middle = (good + bad) // 2
            part = cut(model, nodes[middle])
            if part.inputs and _differs(part, shapes, given, pathlib.Path(folder, f"part{suffix}")):
                bad = middle
            else:
                good = middle
    return f"{nodes[bad].op_name} {nodes[bad].name!r}" if bad < len(nodes) else None


def _differs(
    part: Model, shapes: Mapping[str, Dims], given: Mapping[str, Tensor], target: pathlib.Path
) -> bool:
    own = {name: shapes[name] for name in part.inputs}
    data = [given[name] for name in part.inputs]
    _Writer(part, own, None).write(target)
    with torch.no_grad():
        ours, theirs = SymbolModule(part).eval()(*data), load_produced(target)(*data)
    return not all_close(compare(part.output_names(), ours, theirs))


def _class_name(stem: str) -> str:
    name = "".join(part[:1].upper() + part[1:] for part in re.split(r"\W|_", stem) if part)
    usable = name.isidentifier() and not keyword.iskeyword(name) and name != "F"
    return name if usable else f"Net{name}"
