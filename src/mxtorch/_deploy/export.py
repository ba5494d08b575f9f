"""A graph with its weights as a torch module, and what torch exports of it."""

from __future__ import annotations

import io
import keyword
import os
import re
import unicodedata
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, BinaryIO, cast

import torch
from torch import Tensor, fx, nn
from torch.fx import traceback

from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import MXNetError, MXNetValueError, NotSupportedError
from mxtorch._deploy.model import Dims, Model
from mxtorch._graph.infer import unfinished
from mxtorch._graph.lower import lower
from mxtorch._graph.modules import Modules
from mxtorch._graph.node import Node, walk_all

# What a traced node's own notes have the graph's node under.
_MARK = "mxnet"
# A length of a shape that is worked out: a number, or the axis of the first input that it is.
Length = tuple[bool, int]


class SymbolModule(nn.Module):
    """The graph of a symbol file; `forward` takes its inputs in the order of `inputs`.

    Weights are parameters, auxiliary states buffers, under MXNet's names: dots and what torch's
    generated code cannot hold (quotes, backslashes, line breaks) become `_`, and names that a
    module has already, or has twice by that, get `_` at the end.
    """

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.inputs = list(model.inputs)
        self._model = model
        self._modules_of = Modules(model.outputs, model.variables)
        self._exported: Callable[..., Any] | None = None
        self._first = _First()
        self.running: _Located | None = None
        self._order: list[tuple[bool, str]] = []
        names: dict[str, str] = {}
        for name, value in model.weights.items():
            trained = value.is_floating_point() and name not in model.fixed
            weight = nn.Parameter(value, requires_grad=trained)
            names[name] = self._free_name(name)
            self.register_parameter(names[name], weight)
        for name, value in model.states.items():
            names[name] = self._free_name(name)
            self.register_buffer(names[name], value)
        for node in model.variables:
            given = node.name in model.inputs
            self._order.append((given, node.name if given else names[node.name]))

    def _free_name(self, name: str) -> str:
        text = unicodedata.normalize("NFKC", name)  # as Python reads names in code
        found = "".join(c if c.isprintable() and c not in ".\"'\\" else "_" for c in text) or "_"
        while hasattr(self, found) or keyword.iskeyword(found) or found == "self":
            found += "_"
        return found

    def forward(self, *data: Tensor) -> Any:
        """The outputs: a tensor, or a tuple of several."""
        given = dict(zip(self.inputs, data, strict=True))
        tensors = [given[n] if is_input else getattr(self, n) for is_input, n in self._order]
        if self._exported is not None:
            self._first.sizes = data[0].shape
            results = self._exported(*tensors)
        else:
            results = self._modules_of.get(self.training, tensors)(*tensors)
        return results[0] if len(results) == 1 else results

    def prepare(self, shapes: Mapping[str, Dims]) -> None:
        """For export: lengths of the batch's size follow the first input's, whatever that is."""
        nodes = unfinished(self._model.outputs)
        bodies: dict[int, Callable[..., Any]] = {}
        if not nodes:
            self._lower(bodies)
            return
        templates = _templates(self._model, nodes, shapes)
        for node in nodes:
            bodies[id(node)] = self._body(node, templates[id(node)])
        self._lower(bodies)

    def _lower(self, bodies: Mapping[int, Callable[..., Any]]) -> None:
        graph = lower(self._model.outputs, self._model.variables, False, {}, bodies)
        self.running = _Located(graph)
        self._exported = self.running.run_marked

    def _body(self, node: Node, template: Sequence[Length]) -> Callable[..., Any]:
        body = node.operator().body

        def run(**attrs: Any) -> Any:
            attrs["shape"] = tuple(self._first.sizes[n] if axis else n for axis, n in template)
            return body(**attrs)

        run.__name__ = run.__qualname__ = f"{body.__name__}_of_batch"
        run.__module__ = body.__module__
        return run


class _First:
    """The shape of the first input; an object of its own, for torch looks at what a module holds
    before and after it is traced."""

    sizes: Sequence[Any] = ()


class _Located(fx.Interpreter):
    """Runs a lowered graph node by node, so that what is traced knows its node, and so do errors.

    `place` is the node that runs, `_MARK` of a traced node's `meta["custom"]` the node it is from.
    """

    def __init__(self, graph: fx.GraphModule) -> None:
        super().__init__(graph)
        self.place = ""
        for node in graph.graph.nodes:
            if (source := node.meta.get("mxnet")) is not None:
                node.meta["custom"] = {_MARK: f"{source.op_name} {source.name!r}"}

    def run_node(self, n: fx.Node) -> Any:
        self.place = n.meta.get("custom", {}).get(_MARK, "")
        return super().run_node(n)

    def run_marked(self, *tensors: Tensor) -> Any:
        """Run, and let what is traced keep the marks."""
        with traceback.preserve_node_meta():
            return self.run(*tensors)


def place_of(node: fx.Node) -> str:
    """The graph's node that a node of an exported program is from, as errors name it; or ''."""
    found: str = node.meta.get("custom", {}).get(_MARK, "")
    return found


def _templates(
    model: Model, nodes: Sequence[Node], shapes: Mapping[str, Dims]
) -> dict[int, list[Length]]:
    """The shapes of nodes that leave lengths to be worked out, as functions of an input's."""
    plain = model.shapes(shapes)
    found: dict[int, list[Length]] = {}
    for node in nodes:
        key = (id(node), 0)
        if key not in plain:
            raise MXNetError(
                f"{node.op_name} {node.name!r}: the lengths 0 of its shape {node.attrs['shape']} "
                "do not follow from the inputs' shapes"
            )
        found[id(node)] = [(False, n) for n in plain[key]]
    for axis in (1, 0):
        more = {k: tuple(n + (i == axis) for i, n in enumerate(s)) for k, s in shapes.items()}
        try:
            larger = model.shapes(more)
        except MXNetError:
            continue
        for node in nodes:
            key = (id(node), 0)
            for i, (a, b) in enumerate(zip(plain[key], larger.get(key, ()), strict=False)):
                if b == a + 1:
                    found[id(node)][i] = (True, axis)
    return found


def example(model: Model, shapes: Mapping[str, Dims]) -> tuple[Tensor, ...]:
    """Random inputs of these shapes; raises MXNetValueError if one is missing or unknown."""
    unknown = sorted(set(shapes) - set(model.inputs))
    missing = [name for name in model.inputs if name not in shapes]
    if unknown or missing:
        what = f"no input is called {unknown[0]!r}" if unknown else f"the shape of {missing[0]!r}"
        raise MXNetValueError(
            f"{what}{'' if unknown else ' is not given'}; the inputs are "
            f"{', '.join(model.inputs) or 'none'}: give --shape NAME=1,3,224,224 for each, or, if "
            "one is for training alone, end the graph with --node before it is read"
        )
    for name, shape in shapes.items():
        if any(length < 1 for length in shape):
            raise MXNetValueError(f"the shape of {name!r} is {tuple(shape)}; lengths are 1 or more")
    generator = torch.Generator().manual_seed(0)
    types = model.input_dtypes()

    def random(name: str) -> Tensor:
        shape, dtype = shapes[name], types[name]
        try:
            numbers = torch.rand(shape, generator=generator)
        except (RuntimeError, OverflowError, TypeError) as error:  # torch has no array so large
            why = str(error).partition("\n")[0]
            raise MXNetValueError(f"{name!r} of the shape {tuple(shape)}: {why}") from error
        if dtype is torch.uint8:  # pixels
            return (numbers * 256).to(dtype)
        return numbers.to(dtype) if dtype.is_floating_point else numbers.round().to(dtype)

    return tuple(random(name) for name in model.inputs)


@dataclass(frozen=True)
class Exported:
    """A `torch.export` program; `note` says so if it does not take any batch size."""

    program: torch.export.ExportedProgram
    note: str = ""


def export_program(module: SymbolModule, data: Sequence[Tensor]) -> Exported:
    """The module as a `torch.export` program that takes any batch size on axis 0.

    Where the graph allows one size only, that of `data`. Raises MXNetError, with the node, if
    torch.export does not take the graph.
    """
    _check_exportable(module._model)
    module.eval()
    module.prepare({n: tuple(t.shape) for n, t in zip(module.inputs, data, strict=True)})
    reason = "the inputs have no common batch axis"
    size = data[0].shape[0] if data and data[0].ndim else 0
    if size and all(t.ndim and t.shape[0] == size for t in data):
        # a size of 1 would be taken for a constant
        two = [t if size > 1 else torch.cat([t, t]) for t in data]
        try:
            return _any_batch(module, tuple(two))
        except _refusals() as error:
            reason = str(error).strip().splitlines()[0]
    try:
        return Exported(_export(module, data), f"the batch size is fixed: {reason}")
    except _refusals() as error:
        raise _not_exported(module, error) from error


def _any_batch(module: SymbolModule, data: tuple[Tensor, ...]) -> Exported:
    """The module for any batch size, or for any up to what the graph says is the largest."""
    batch = torch.export.Dim("batch")
    try:
        shapes = (tuple({0: batch} for _ in data),)
        return Exported(_export(module, data, shapes))
    except torch._dynamo.exc.UserError as error:
        most = re.search(r"batch = Dim\('batch', max=(\d+)\)", str(error))
        if most is None:
            raise
    batch = torch.export.Dim("batch", max=int(most[1]))
    shapes = (tuple({0: batch} for _ in data),)
    program = _export(module, data, shapes)
    return Exported(program, f"the batch size is {most[1]} at most, as the graph says")


def _export(
    module: SymbolModule, data: Sequence[Tensor], shapes: Any = None
) -> torch.export.ExportedProgram:
    """torch's export, without what it says to its own developers."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=UserWarning, module=r"torch\.")
        return torch.export.export(module, tuple(data), dynamic_shapes=shapes, strict=False)


def _refusals() -> tuple[type[Exception], ...]:
    """What torch.export raises; it is asked for here, for it takes a second to load."""
    return (RuntimeError, ValueError, TypeError, torch._dynamo.exc.UserError)


def _not_exported(module: SymbolModule, error: Exception) -> MXNetError:
    place = module.running.place if module.running is not None else ""
    node = f" at {place}" if place else ""
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    return MXNetError(
        f"torch.export does not take the graph{node}: {reason}. Cut the graph before it with "
        "--node, or write a .py file"
    )


def export_static(
    module: SymbolModule, data: Sequence[Tensor], open_axes: Sequence[Dims] | None = None
) -> torch.export.ExportedProgram:
    """The module for inputs of these shapes; `open_axes` of each may have any length."""
    _check_exportable(module._model)
    module.eval()
    module.prepare({n: tuple(t.shape) for n, t in zip(module.inputs, data, strict=True)})
    dims = None
    if open_axes is not None:
        auto = torch.export.Dim.AUTO
        dims = (tuple(dict.fromkeys(axes, auto) for axes in open_axes),)
        # a length of 1 would be taken for a constant
        data = [
            t.repeat([2 if i in axes and n == 1 else 1 for i, n in enumerate(t.shape)])
            for t, axes in zip(data, open_axes, strict=True)
        ]
    try:
        return _export(module, data, dims)
    except _refusals() as error:
        raise _not_exported(module, error) from error


def _check_exportable(model: Model) -> None:
    """Say which node torch.export would fail on."""
    for node in walk_all(model.outputs):
        if node.op is not None and node.op.keep is not None:
            raise NotSupportedError(
                f"{node.op_name} {node.name!r} runs a class of your own program, and torch.export "
                "cannot look into it. Cut the graph before it with --node"
            )


class _Kept(io.RawIOBase):
    """A file whose first error is kept: torch's writer ends the process when a write fails."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.error: OSError | None = None

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._try(lambda: self._file.seek(offset, whence), 0)

    def write(self, data: Any) -> int:
        return self._try(lambda: self._file.write(data), len(data))

    def _try(self, work: Callable[[], int], otherwise: int) -> int:
        if self.error is None:
            try:
                return work()
            except OSError as error:
                self.error = error
        return otherwise


def save_program(program: torch.export.ExportedProgram, path: str | os.PathLike[str]) -> None:
    """Write a `.pt2` file, whole or not at all; raises OSError where the system refuses it."""
    with atomic_write(path) as file:
        kept = _Kept(file)
        torch.export.save(program, cast(IO[bytes], kept))
        if kept.error is not None:
            raise kept.error
