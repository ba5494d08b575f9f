"""What other files of a tree say of one: what its imports are, what its functions are given."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from mxtorch.port.values import UNKNOWN, Value, join

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass
class ClassFacts:
    """A class that a file defines."""

    node: ast.ClassDef
    bases: tuple[Value, ...] = ()
    attributes: dict[str, Value] = field(default_factory=dict)
    # those of this round
    found: dict[str, Value] = field(default_factory=dict)
    methods: dict[str, ast.FunctionDef] = field(default_factory=dict)


@dataclass
class Exports:
    """A file of the tree: the values of its names, its classes and functions."""

    names: Mapping[str, Value]
    classes: Mapping[str, ClassFacts]
    functions: Mapping[str, Function]
    returns: Mapping[Function, Value]


@dataclass(frozen=True)
class Outside:
    """The tree around one file.

    `module` is the file's dotted name, `package` whether it is an `__init__`; `modules` are the
    others by theirs; `given` says what functions of the file are called with, by `name` or
    `Class.name`.
    """

    module: str
    package: bool
    modules: Mapping[str, Exports]
    classes: Mapping[str, ClassFacts]
    returns: Mapping[Function, Value]
    given: Mapping[str, Mapping[str, Value]]
    # layers that compute otherwise in training are somewhere in the tree
    modal: bool = False
    numpy: bool = False
    # functions of the file, named as in `given`, that run under another file's `record()`
    recorded: frozenset[str] = frozenset()

    def absolute(self, module: str, level: int) -> str:
        """The dotted name of what an import names."""
        if not level:
            folder = self.module.rpartition(".")[0]
            beside = f"{folder}.{module}" if folder else module
            known = module in self.modules or module.partition(".")[0] in self.modules
            return module if known or beside not in self.modules else beside
        parts = self.module.split(".")
        kept = parts[: len(parts) - level + self.package]
        return ".".join([*kept, module] if module else kept)

    def value(self, full: str) -> Value | None:
        """What a dotted name of the tree means; None if it is none."""
        module, _, name = full.rpartition(".")
        exports = self.modules.get(module)
        found = exports.names.get(name) if exports is not None else None
        if found is None or exports is None:
            return None
        if found.kind == "function":
            return Value("function", full) if found.name in exports.functions else found
        if found.kind == "class" and found.name not in self.classes:
            return None
        return plain(found)

    def function(self, full: str) -> Function | None:
        """The function behind the name that `value` gives."""
        module, _, name = full.rpartition(".")
        exports = self.modules.get(module)
        return None if exports is None else exports.functions.get(exports.names[name].name)


def plain(value: Value) -> Value:
    """A value as another file may know it: without places in the file, and without functions."""
    if value.kind in ("function", "method", "origin") or (value.kind == "unknown" and value.name):
        return UNKNOWN
    if value.kind == "instance":
        return Value("instance", value.name)
    return replace(value, items=tuple(plain(item) for item in value.items))


def shared(facts: ClassFacts) -> ClassFacts:
    """A class as other files may know it."""
    attributes = {name: plain(value) for name, value in facts.attributes.items()}
    return ClassFacts(facts.node, facts.bases, attributes, {}, facts.methods)


def joined(given: Iterable[Mapping[str, Value]]) -> dict[str, Value]:
    """What parameters are, over several calls."""
    found: dict[str, Value] = {}
    for one in given:
        for name, value in one.items():
            found[name] = join(found[name], value) if name in found else value
    return found
