"""The parts that source is made of: calls, layers, and what a row of the table is told."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from mxtorch._graph.node import Node

Dims = tuple[int, ...]


def lift(value: Any) -> ast.expr:
    """A Python value, or an expression, as an expression."""
    if isinstance(value, ast.expr):
        return value
    if isinstance(value, torch.Size):
        value = tuple(value)
    written: ast.expr = _Infinite().visit(ast.parse(repr(value), mode="eval").body)
    return written


class _Infinite(ast.NodeTransformer):
    """`inf` and `nan`, as Python prints them, are no names of a file's."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in ("inf", "nan"):
            return node
        return ast.Call(name_of("float"), [ast.Constant(node.id)], [])


def call(function: str | ast.expr, /, *args: Any, **keywords: Any) -> ast.Call:
    """A call; keywords that are None are left out."""
    target = ast.parse(function, mode="eval").body if isinstance(function, str) else function
    given = [ast.keyword(k, lift(v)) for k, v in keywords.items() if v is not None]
    return ast.Call(target, [lift(a) for a in args], given)


def method(owner: ast.expr, name: str, *args: Any, **keywords: Any) -> ast.Call:
    """A call of a method."""
    return call(ast.Attribute(owner, name, ast.Load()), *args, **keywords)


def attribute(owner: ast.expr, name: str) -> ast.Attribute:
    """`owner.name`."""
    return ast.Attribute(owner, name, ast.Load())


def name_of(name: str, store: bool = False) -> ast.Name:
    """A variable."""
    return ast.Name(name, ast.Store() if store else ast.Load())


def own(name: str, store: bool = False) -> ast.Attribute:
    """`self.name`."""
    return ast.Attribute(name_of("self"), name, ast.Store() if store else ast.Load())


def function_of(name: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.FunctionDef:
    """The definition of a function."""
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    function = ast.FunctionDef(name, arguments, body, [])
    if "type_params" in ast.FunctionDef._fields:
        function.type_params = []  # type: ignore[attr-defined]
    return function


@dataclass
class Made:
    """What `__init__` makes: a class of torch.nn, its leading arguments, its options.

    An option is its value and the default, at which it is not written. `wrapper` is a helper that
    takes what is made.
    """

    function: str
    first: dict[str, Any]
    options: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    wrapper: str | None = None

    def values(self) -> dict[str, Any]:
        """Every argument by name."""
        return {**self.first, **{name: value for name, (value, _) in self.options.items()}}

    def write(self, arguments: Mapping[str, ast.expr] | None = None) -> ast.expr:
        """The call; `arguments` stand in for values."""
        given = arguments or {}
        first = [given.get(name, value) for name, value in self.first.items()]
        options = {
            name: given.get(name, value)
            for name, (value, default) in self.options.items()
            if name in given or value != default
        }
        made = call(self.function, *first, **options)
        return call(self.wrapper, made) if self.wrapper else made


@dataclass
class Layer:
    """One node in source.

    `module` is made in `__init__` (None: no module); `weights` are its tensors by torch's name,
    `slots` the operator's inputs that they are, in order, where the names differ: several of one
    slot are its parts, one after the other. `forward` gives the call from the module (`self.x`)
    and the inputs, those at `kept` if not all of them but the weights. `unpacked`: it gives a
    tuple. `helpers` are definitions that the file needs, by name.
    """

    forward: Callable[[ast.expr, list[ast.expr]], ast.expr]
    module: Made | None = None
    weights: dict[str, Tensor] = field(default_factory=dict)
    slots: dict[str, str] = field(default_factory=dict)
    # MXNet's array that each weight is (part of), where no slot of the node's own says so
    origins: dict[str, str] = field(default_factory=dict)
    unpacked: bool = False
    # whether the tuple is (a, (b, c))
    nested: bool = False
    helpers: dict[str, str] = field(default_factory=dict)
    kept: tuple[int, ...] | None = None
    # whether the result is the first input itself
    alias: bool = False
    # what the node makes, if that is always the same
    constant: Tensor | None = None
    # whether `forward` is given the graph's first input
    of_input: bool = False

    def said(self, count: int) -> str:
        """What a node with so many inputs became, for a report."""
        if self.module is not None:
            return self.module.function
        if self.constant is not None:
            return "a constant"
        letters = [name_of("abcdefghijklmnopqrstuvwxyz"[i % 26]) for i in range(count)]
        made = self.forward(name_of("layer"), list(letters))
        return ast.unparse(ast.fix_missing_locations(made))


class Attributes(Mapping[str, Any]):
    """A node's attributes with defaults, which notes those that a row has asked for."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._values = node.operator().complete(node.parsed())
        self._asked: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self._asked.add(name)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def told(self, *names: str) -> None:
        """Attributes that say what the weights or the inputs say already."""
        self._asked.update(names)

    def unasked(self) -> list[str]:
        """What a row leaves out of account although the node has another value than the default."""
        known = self._node.operator().attrs
        return [
            name
            for name, value in self._node.parsed().items()
            if name not in self._asked
            and name in known
            and known[name].mark is None
            and (known[name].required or value != known[name].default)
        ]


@dataclass
class Place:
    """A node, its attributes, the shapes and types of its inputs, and its weights by slot.

    `used` are the outputs that something reads, `arrays` all the weights by name, `sizes` the
    shape of the result, and the shape if the batch is one larger.
    """

    node: Node
    attrs: Attributes
    shapes: list[Dims | None]
    dtypes: list[torch.dtype | None]
    weights: Mapping[str, Tensor]
    used: frozenset[int] = frozenset({0})
    arrays: Mapping[str, Tensor] = field(default_factory=dict)
    sizes: tuple[Dims, ...] = ()
