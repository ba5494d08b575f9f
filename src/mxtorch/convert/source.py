"""A graph as PyTorch source: a module with named layers, and its weights as a state_dict."""

from __future__ import annotations

import ast
import keyword
import re
from collections import Counter
from dataclasses import dataclass

from torch import Tensor

from mxtorch._core.errors import NotSupportedError
from mxtorch._graph.node import Entry, Node, walk
from mxtorch.convert.graph import Dims, Model
from mxtorch.convert.layers import LAYERS, Layer, Place

_HEAD = '''\
"""{title}: converted from MXNet by mxtorch. `load()` gives the model with its weights."""

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F
'''
_LOAD = '''
def load(path="{weights}"):
    """The model with the weights of a safetensors file, for inference."""
    model = {name}()
    model.load_state_dict(load_file(path))
    return model.eval()
'''


@dataclass(frozen=True)
class Source:
    """The text of a module, and the weights that it loads."""

    text: str
    state: dict[str, Tensor]


def write_source(
    model: Model, shapes: dict[str, Dims], name: str = "Net", weights: str = "net.safetensors"
) -> Source:
    """The model as a Python file.

    `shapes` are those of the inputs. Raises NotSupportedError with the names of the nodes that
    have no counterpart in PyTorch source.
    """
    layers = _layers(model, model.shapes(shapes))
    writer = _Writer(model, layers)
    tree = writer.tree(name)
    head = _HEAD.format(title=name)
    used = ast.unparse(tree)
    lines = [x for x in head.splitlines() if "functional" not in x or "F." in used]
    body = "\n\n\n".join(["\n".join(lines), used])
    return Source(body + "\n\n" + _LOAD.format(name=name, weights=weights), writer.state)


def _layers(model: Model, shapes: dict[tuple[int, int], Dims]) -> dict[int, Layer]:
    arrays = {**model.weights, **model.states}
    found: dict[int, Layer] = {}
    missing: list[str] = []
    for node in walk(model.outputs):
        if node.is_variable:
            continue
        layer = _layer(node, shapes, arrays)
        if layer is None:
            missing.append(f"{node.op_name} {node.name!r}")
        else:
            found[id(node)] = layer
    if missing:
        raise NotSupportedError(
            f"no PyTorch source for {', '.join(missing[:8])}"
            f"{' and others' if len(missing) > 8 else ''}; write a .pt2 file, which takes every "
            "operator, or cut the graph with --node"
        )
    return found


def _layer(
    node: Node, shapes: dict[tuple[int, int], Dims], arrays: dict[str, Tensor]
) -> Layer | None:
    make = LAYERS.get(node.op_name)
    if make is None:
        return None
    op = node.operator()
    slots = node.input_slots()
    weights = {
        slot: arrays[child.name]
        for slot, (child, _) in zip(slots, node.inputs, strict=False)
        if child.name in arrays and child.is_variable
    }
    known = [shapes.get((id(child), index)) for child, index in node.inputs]
    return make(Place(node, op.complete(node.parsed()), known, weights))


class _Writer:
    def __init__(self, model: Model, layers: dict[int, Layer]) -> None:
        self.model = model
        self.layers = layers
        self.state: dict[str, Tensor] = {}
        self.names: dict[tuple[int, int], ast.expr] = {}
        self.taken: set[str] = {"self", "torch", "nn", "F"}
        self.uses = Counter(
            (id(child), index) for node in walk(model.outputs) for child, index in (*node.inputs,)
        )
        self.uses.update((id(node), index) for node, index in model.outputs)

    def tree(self, name: str) -> ast.Module:
        """The class."""
        inputs = [self._fresh(n) for n in self.model.inputs]
        for node in self.model.variables:
            if node.name in self.model.inputs:
                at = self.model.inputs.index(node.name)
                self.names[id(node), 0] = ast.Name(inputs[at], ast.Load())
        made: list[ast.stmt] = list(ast.parse("super().__init__()").body)
        run: list[ast.stmt] = []
        for node in walk(self.model.outputs):
            if not node.is_variable:
                self._node(node, made, run)
        results = [self.names[id(node), index] for node, index in self.model.outputs]
        value = results[0] if len(results) == 1 else ast.Tuple(results, ast.Load())
        run.append(ast.Return(value))
        body: list[ast.stmt] = [
            _function("__init__", ["self"], made),
            _function("forward", ["self", *inputs], run),
        ]
        cls = ast.ClassDef(name, [ast.parse("nn.Module", mode="eval").body], [], body, [])
        if hasattr(cls, "type_params"):
            cls.type_params = []
        return ast.fix_missing_locations(ast.Module([cls], []))

    def _node(self, node: Node, made: list[ast.stmt], run: list[ast.stmt]) -> None:
        layer = self.layers[id(node)]
        arrays = {**self.model.weights, **self.model.states}
        inputs = [
            self._input(entry, arrays, made)
            for entry in node.inputs
            if layer.module is None or entry[0].name not in arrays
        ]
        own: ast.expr = ast.Constant(None)
        if layer.module is not None:
            attribute = self._fresh(node.name)
            own = _attribute(attribute)
            made.append(ast.Assign([_attribute(attribute, ast.Store())], layer.module))
            self.state.update({f"{attribute}.{k}": v for k, v in layer.weights.items()})
        value = layer.forward(own, inputs)
        if isinstance(value, ast.Name):  # the same array under another name
            self.names[id(node), 0] = value
            self.uses[id(node), 0] += sum(
                self.uses[id(c), i] - 1
                for c, i in node.inputs
                if self.names.get((id(c), i)) is value
            )
            return
        target = self._target(node)
        run.append(ast.Assign([ast.Name(target, ast.Store())], value))
        self.names[id(node), 0] = ast.Name(target, ast.Load())

    def _input(self, entry: Entry, arrays: dict[str, Tensor], made: list[ast.stmt]) -> ast.expr:
        node, index = entry
        key = (id(node), index)
        if key not in self.names and node.name in arrays:
            attribute = self._fresh(node.name)
            tensor = arrays[node.name]
            text = f"torch.empty({tuple(tensor.shape)!r})"
            line = f"self.register_buffer({attribute!r}, {text})"
            made += ast.parse(line).body
            self.state[attribute] = tensor
            self.names[key] = _attribute(attribute)
        return self.names[key]

    def _target(self, node: Node) -> str:
        """The variable that holds a node's result: that of its input, if nothing else reads it."""
        for child, index in node.inputs:
            held = self.names.get((id(child), index))
            if isinstance(held, ast.Name) and self.uses[id(child), index] == 1:
                return held.id
        return self._fresh("x")

    def _fresh(self, name: str) -> str:
        base = re.sub(r"\W", "_", name, flags=re.ASCII)
        if not base or base[0].isdigit() or keyword.iskeyword(base):
            base = f"_{base}"
        found, number = base, 1
        while found in self.taken:
            number += 1
            found = f"{base}{number}"
        self.taken.add(found)
        return found


def _attribute(name: str, context: ast.expr_context | None = None) -> ast.Attribute:
    return ast.Attribute(ast.Name("self", ast.Load()), name, context or ast.Load())


def _function(name: str, parameters: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    function = ast.FunctionDef(name, arguments, body, [])
    if hasattr(function, "type_params"):
        function.type_params = []
    return function
