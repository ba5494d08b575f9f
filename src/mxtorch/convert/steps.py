"""A graph as steps: each node with its layer, the values that it reads and makes."""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetError, NotSupportedError
from mxtorch._deploy.model import Dims, Model
from mxtorch._graph.infer import inputs_inside
from mxtorch._graph.node import Entry, Node, walk
from mxtorch._graph.types import infer_types
from mxtorch.convert.bodies import Bodies
from mxtorch.convert.layers import LAYERS, NEEDS
from mxtorch.convert.own import IMPORTS, own_layer
from mxtorch.convert.syntax import (
    Attributes,
    Layer,
    Place,
    attribute,
    call,
    lift,
    method,
    name_of,
)

Value = tuple[int, int]
Shapes = Mapping[Value, Dims]
# Ambient parameters of bodies, as what a deployed model is.
_AMBIENT = {"training": False, "kept": False, "recording": False, "np_shape": False}


@dataclass(eq=False)
class Step:
    """One node.

    `inputs` and `outputs` are values; `free` are weights that the call takes as they are, by
    value; `origins` is the array of MXNet's that each of the layer's tensors is (part of). Steps of
    one `sort` differ in the arguments of their module alone.
    """

    name: str
    kind: str
    layer: Layer
    inputs: list[Value]
    outputs: list[Value]
    free: dict[Value, tuple[str, Tensor]] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    sort: int = -1

    @property
    def arrays(self) -> tuple[str, ...]:
        """The names of the arrays that it holds, for steps that share all of theirs."""
        return tuple(self.origins.values())


@dataclass
class Steps:
    """The steps in order, and where the graph's inputs and results are.

    `shared` are weights that several steps take as they are, `trained` the names of weights that
    training moves, `fixed` of those that it leaves, `what` what each node became.
    """

    steps: list[Step]
    inputs: dict[Value, str]
    outputs: list[Value]
    shared: dict[Value, tuple[str, Tensor]]
    trained: frozenset[str]
    fixed: frozenset[str]
    what: dict[str, str]


class _Reader:
    def __init__(
        self,
        model: Model,
        given: Mapping[str, Dims],
        types: Mapping[str, torch.dtype],
        bodies: Bodies,
    ) -> None:
        self.model = model
        self.bodies = bodies
        self.shapes = model.shapes(given)
        self.types = infer_types(model.outputs, types)
        self.larger = _larger(model, given)
        self.arrays = model.arrays
        self.same: dict[Value, Value] = {}
        self.missing: list[str] = []
        self.what: dict[str, str] = {}
        self.used: dict[int, set[int]] = {}
        for node in walk(model.outputs):
            for child, index in node.inputs:
                self.used.setdefault(id(child), set()).add(index)
        for node, index in model.outputs:
            self.used.setdefault(id(node), set()).add(index)

    def value(self, entry: tuple[Node, int]) -> Value:
        key = (id(entry[0]), entry[1])
        while key in self.same:
            key = self.same[key]
        return key

    def step(self, node: Node) -> Step | None:
        """The step of a node; None if it changes nothing or cannot be written."""
        slots = node.input_slots()
        weights = {
            slot: self.arrays[child.name]
            for slot, (child, _) in zip(slots, node.inputs, strict=False)
            if child.is_variable and child.name in self.arrays
        }
        known = [self.shapes.get((id(child), index)) for child, index in node.inputs]
        types = [self.types.dtype(entry) for entry in node.inputs]
        used = frozenset(self.used[id(node)])
        place = Place(node, Attributes(node), known, types, weights, used, self.arrays)
        key = (id(node), 0)
        if key in self.shapes:
            place.sizes = (self.shapes[key], *(f[1].get(key, ()) for f in self.larger[:1]))
        layer = self._row(place)
        if layer is not None and layer.alias:
            self.same[id(node), 0] = self.value(node.inputs[0])
            self.what[node.name] = "nothing"
            return None
        layer = layer or self._made(node) or self._body(place)
        return None if layer is None else self._placed(place, layer)

    def _row(self, place: Place) -> Layer | None:
        row = LAYERS.get(place.node.op_name)
        slots = set(place.node.input_slots()) & set(NEEDS.get(place.node.op_name, ()))
        if row is None or not slots <= set(place.weights):
            return None
        layer = row(place)
        if layer is None or not (layer.unpacked or max(place.used) == 0):
            return None
        names = [name_of("x") for _ in self._read(place.node, layer)]
        layer.forward(name_of("layer"), list(names))  # it asks for attributes too
        return None if place.attrs.unasked() else layer

    def _read(self, node: Node, layer: Layer) -> list[Entry]:
        """The inputs of a node that its call takes."""
        if layer.kept is not None:
            return [node.inputs[position] for position in layer.kept]
        if layer.of_input:
            first = next(n for n in self.model.variables if n.name == self.model.inputs[0])
            return [(first, 0)]
        held = set(layer.slots.values()) if layer.slots else set(layer.weights)
        pairs = zip(node.input_slots(), node.inputs, strict=False)
        return [entry for slot, entry in pairs if slot not in held]

    def _placed(self, place: Place, layer: Layer) -> Step:
        node = place.node
        slots = node.input_slots()
        entries = self._read(node, layer)
        names = dict(zip(slots, (child.name for child, _ in node.inputs), strict=False))
        inputs = [self.value(entry) for entry in entries]
        free = {}
        for (child, _), value in zip(entries, inputs, strict=True):
            if child.is_variable and child.name in self.arrays:
                free[value] = (child.name, self.arrays[child.name])
        if layer.constant is not None:
            inputs = [(id(node), -1)]
            free[inputs[0]] = ("", layer.constant)
        count = node.count_outputs() if layer.unpacked else 1
        outputs = [(id(node), index) for index in range(count)]
        origins = layer.origins or {key: names[layer.slots.get(key, key)] for key in layer.weights}
        self.what[node.name] = layer.said(len(inputs))
        return Step(node.name, node.op_name, layer, inputs, outputs, free, origins)

    def _made(self, node: Node) -> Layer | None:
        """What makes an array out of nothing: of the batch's size, or always the same."""
        shape = self.shapes.get((id(node), 0))
        op = node.operator()
        if node.inputs or node.subgraphs or shape is None or op.outputs != 1:
            return None
        known = {**_AMBIENT, "device": torch.device("cpu")}
        if not {ambient.name for ambient in op.ambient.values()} <= known.keys():
            return None  # random
        attrs = {**node.parsed(), **({"shape": shape} if "shape" in op.attrs else {})}
        attrs |= {name: known[ambient.name] for name, ambient in op.ambient.items()}
        try:
            first, second = op.body(**attrs), op.body(**attrs)
        except (RuntimeError, TypeError, ValueError):
            return None
        if not torch.equal(first, second):
            return None  # random
        found = next((f for f in self.larger if f[1].get((id(node), 0), shape) != shape), None)
        if found is None:
            return Layer(lambda me, inputs: me, constant=first)
        axis, bigger = found[0], found[1][id(node), 0]
        if first.unique().numel() > 1 or len(bigger) != len(shape):
            return None
        number = first.flatten()[0].item()

        def forward(me: ast.expr, inputs: list[ast.expr]) -> ast.expr:
            batch = ast.Subscript(attribute(inputs[0], "shape"), lift(axis), ast.Load())
            lengths = [lift(a) if a == b else batch for a, b in zip(shape, bigger, strict=True)]
            return method(inputs[0], "new_full", ast.Tuple(lengths, ast.Load()), number)

        return Layer(forward, of_input=True)

    def _body(self, place: Place) -> Layer | None:
        """A call of a copy of the operator's body."""
        node, op = place.node, place.node.operator()
        known = {"device", *_AMBIENT, *["graphs"] * bool(node.subgraphs)}
        try:
            if op.keep is not None:
                self.bodies.imports.update(IMPORTS)
                return own_layer(node)
            needs = {a.name for a in op.ambient.values()}
            if op.free or not needs <= known or ("device" in needs and not node.inputs):
                raise NotSupportedError("it depends on the program that runs it")
            graphs = [self._function(position, node) for position in range(len(node.subgraphs))]
            function = self.bodies.function(op.body, op.name.strip("_"))
        except NotSupportedError as error:
            self.missing.append(f"{node.op_name} {node.name!r} ({error})")
            return None
        hints = {name for name, attr in op.attrs.items() if attr.mark is not None}
        given = {k: v for k, v in node.parsed().items() if k not in hints}
        return _call_body(place, function, given, ast.Tuple(graphs, ast.Load()))

    def _function(self, position: int, node: Node) -> ast.expr:
        """A graph inside a node, as a function of tensors that the file has."""
        outputs = node.subgraphs[position]
        names = [inner.name for inner in walk(outputs) if inner.is_variable]
        types = self._types_inside(position, node)
        reader = _Reader(Model(list(outputs), names, {}, {}, []), {}, types, self.bodies)
        values: dict[Value, ast.expr] = {}
        run: list[ast.stmt] = []
        for inner in walk(outputs):
            if inner.is_variable:
                values[id(inner), 0] = name_of(f"x{len(values)}")
        arguments = [name.id for name in values.values() if isinstance(name, ast.Name)]
        for inner in walk(outputs):
            step = None if inner.is_variable else reader.step(inner)
            if step is None:
                continue
            made = step.layer.forward(name_of("self"), [values[value] for value in step.inputs])
            targets: list[ast.expr] = []
            for value in step.outputs:
                name = f"x{len(values)}"
                values[value] = name_of(name)
                targets.append(name_of(name, store=True))
            target = targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())
            run.append(ast.Assign([target], made))
        if reader.missing:
            raise NotSupportedError(f"inside: {', '.join(reader.missing)}")
        results = [values[reader.value(entry)] for entry in outputs]
        run.append(ast.Return(ast.Tuple(results, ast.Load())))
        return self.bodies.define(f"{node.name}_step", arguments, run)

    def _types_inside(self, position: int, node: Node) -> dict[str, torch.dtype]:
        """The types of the variables of a graph inside a node."""
        regions = node.operator().regions
        assert regions is not None
        inside = zip(
            inputs_inside(node.subgraphs[position]), regions(node.parsed())[position], strict=True
        )
        types = {v.name: self.types.dtype(node.inputs[source]) for v, (source, _) in inside}
        return {name: dtype for name, dtype in types.items() if dtype is not None}


def _call_body(
    place: Place, function: ast.expr, keywords: Mapping[str, Any], graphs: ast.Tuple
) -> Layer:
    node, op = place.node, place.node.operator()
    written = {name: lift(value) for name, value in keywords.items()}
    said = str(inspect.unwrap(op.body).__annotations__.get("return", ""))
    many = re.search(r"\b(tuple|list|Sequence)\b", said)
    tuple_comes = many is not None and (many.start() == 0 or node.count_visible() > 1)
    unpacked = tuple_comes and max(place.used) > 0

    def forward(me: ast.expr, inputs: list[ast.expr]) -> ast.expr:
        arguments = node.by_position(inputs)
        while arguments and arguments[-1] is None:
            arguments.pop()
        given = dict(written)
        for name, ambient in op.ambient.items():
            if ambient.name == "device":
                given[name] = attribute(inputs[0], "device")
            elif ambient.name == "graphs":
                given[name] = graphs
            else:
                given[name] = lift(_AMBIENT[ambient.name])
        made = call(function, *arguments, **given)
        if tuple_comes and not unpacked:
            return ast.Subscript(made, lift(0), ast.Load())
        return made

    return Layer(forward, unpacked=unpacked)


def _larger(model: Model, given: Mapping[str, Dims]) -> list[tuple[int, Shapes]]:
    """The shapes if all inputs are one longer on an axis: which arrays are of the batch's size."""
    found: list[tuple[int, Shapes]] = []
    for axis in (0, 1):
        more = {
            name: tuple(n + (i == axis) for i, n in enumerate(shape))
            for name, shape in given.items()
        }
        try:
            found.append((axis, model.shapes(more)))
        except MXNetError:
            continue
    return found


def _early_first(steps: list[Step]) -> list[Step]:
    """What depends on the batch's size alone comes first, so that loops begin as they go on."""
    first = [step for step in steps if step.layer.of_input]
    return [*first, *(step for step in steps if not step.layer.of_input)]


def _needed(steps: list[Step], outputs: list[Value]) -> list[Step]:
    """Those that a result depends on: the makers of weights' vectors are not."""
    wanted = set(outputs)
    kept = []
    for step in reversed(steps):
        if wanted & set(step.outputs):
            kept.append(step)
            wanted.update(step.inputs)
    return kept[::-1]


def read_steps(model: Model, given: Mapping[str, Dims], bodies: Bodies) -> Steps:
    """The graph as steps.

    Raises NotSupportedError with the names of the nodes that have no counterpart in source.
    """
    types = {name: value.dtype for name, value in model.arrays.items()} | model.input_dtypes()
    reader = _Reader(model, given, types, bodies)
    steps = []
    for node in walk(model.outputs):
        if not node.is_variable:
            step = reader.step(node)
            if step is not None:
                steps.append(step)
    if reader.missing:
        raise NotSupportedError(
            f"no PyTorch source for {', '.join(reader.missing[:8])}"
            f"{' and others' if len(reader.missing) > 8 else ''}; write a .pt2 file, which takes "
            "every operator, or cut the graph with --node"
        )
    outputs = [reader.value(entry) for entry in model.outputs]
    steps = _needed(_early_first(steps), outputs)
    inputs = {(id(node), 0): node.name for node in model.variables if node.name in model.inputs}
    readers = Counter(value for step in steps for value in step.free)
    shared = {}
    for node in model.variables:
        value = (id(node), 0)
        if node.name in reader.arrays and (readers[value] > 1 or value in outputs):
            shared[value] = (node.name, reader.arrays[node.name])
    for step in steps:
        step.free = {v: held for v, held in step.free.items() if v not in shared}
    trained = frozenset(model.weights) - model.fixed
    return Steps(steps, inputs, outputs, shared, trained, model.fixed, reader.what)
