"""Copied functions for the ways that they are called: switches that are always alike are gone."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence

from mxtorch.convert.folding import Folding
from mxtorch.convert.syntax import lift
from mxtorch.convert.tidy import (
    calls_of,
    drop_unread,
    only_read,
    parameters_of,
    take_away,
    without_unread_parameters,
)

Known = dict[str, ast.expr]


def tidied(copied: Sequence[ast.stmt], readers: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The copied definitions that `readers` need, and of these what is read.

    Calls within `readers` lose the arguments that are always alike or that nothing reads.
    """
    kept = only_read(copied, readers)
    while _specialise(kept, readers) or without_unread_parameters(kept, readers):
        for node in (node for one in kept for node in ast.walk(one)):
            if isinstance(node, ast.FunctionDef):
                drop_unread(node)
        kept = only_read(kept, readers)
    return kept


def _specialise(copied: Sequence[ast.stmt], readers: Sequence[ast.stmt]) -> bool:
    """Put into each copied function the switches that all its calls set alike; whether any did.

    A switch is a parameter that the function decides by, or hands to another that does.
    """
    functions = {f.name: f for f in copied if isinstance(f, ast.FunctionDef)}
    changed = False
    switches = _switches(functions)
    for function in functions.values():
        calls = calls_of(function.name, [*copied, *readers])
        if not calls:
            continue
        known = {
            name: value
            for name, value in _always(function, calls).items()
            if (function.name, name) in switches
        }
        given = _given(function, calls, readers)
        before = ast.dump(function)
        optional = function.args.args[len(function.args.args) - len(function.args.defaults) :]
        if all(argument.arg in given for argument in optional):
            function.args.defaults = []
        body = _Placing(known, given).visit(copy.deepcopy(function)).body
        if _reads_well(body):
            function.body = body
            take_away(function, calls, set(known))
        changed |= ast.dump(function) != before
    return changed


def _reads_well(body: Sequence[ast.stmt]) -> bool:
    """Whether what is left is what a person would write."""
    for node in (node for statement in body for node in ast.walk(statement)):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        if any(isinstance(s, ast.Constant) and isinstance(s.value, bool) for s in sides):
            return False
    only = body[-1] if len(body) < 3 else None
    nothing = isinstance(only, ast.Return) and isinstance(only.value, ast.Constant)
    return not nothing


class _Placing(Folding):
    def __init__(self, known: Known, given: set[str]) -> None:
        self.known = known
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.known.get(node.id, node))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """What every call gives is not None."""
        left, sign, right = node.left, node.ops[0], node.comparators[0]
        none = isinstance(right, ast.Constant) and right.value is None
        known = isinstance(left, ast.Name) and left.id in self.given
        if known and none and isinstance(sign, (ast.Is, ast.IsNot)):
            return lift(isinstance(sign, ast.IsNot))
        return super().visit_Compare(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Every array of a model that runs has values."""
        self.generic_visit(node)
        return lift(False) if node.attr == "is_meta" else node


def _always(function: ast.FunctionDef, calls: Sequence[ast.Call]) -> Known:
    """The parameters that have one known value in all calls."""
    found: Known = {}
    for name, default in parameters_of(function).items():
        values = [_argument(function, call, name, default) for call in calls]
        first = values[0]
        if not isinstance(first, ast.Constant) or name in _stored(function):
            continue
        if not isinstance(first.value, (bool, str, type(None))):
            continue  # a number is a setting
        if all(v is not None and ast.dump(v) == ast.dump(first) for v in values):
            found[name] = first
    return found


def _given(
    function: ast.FunctionDef, calls: Sequence[ast.Call], readers: Sequence[ast.stmt]
) -> set[str]:
    """The parameters for which a model's own calls all give an array."""
    own = {id(node) for reader in readers for node in ast.walk(reader)}
    if not all(id(call) in own for call in calls):
        return set()
    arguments = [
        {name: _argument(function, call, name, None) for name in parameters_of(function)}
        for call in calls
    ]
    return {
        name
        for name in parameters_of(function)
        if name not in _stored(function)
        and all(a[name] is not None and not isinstance(a[name], ast.Constant) for a in arguments)
    }


def _argument(
    function: ast.FunctionDef, call: ast.Call, name: str, default: ast.expr | None
) -> ast.expr | None:
    """What a call gives for a parameter."""
    names = [argument.arg for argument in function.args.args]
    if name in names[: len(call.args)]:
        return call.args[names.index(name)]
    return next((k.value for k in call.keywords if k.arg == name), default)


def _stored(function: ast.FunctionDef) -> set[str]:
    """Names that the body gives a value to, or that are a function's own inside it."""
    inner = {node.arg for s in function.body for node in ast.walk(s) if isinstance(node, ast.arg)}
    names = (node for node in ast.walk(function) if isinstance(node, ast.Name))
    return inner | {name.id for name in names if isinstance(name.ctx, ast.Store)}


def _switches(functions: dict[str, ast.FunctionDef]) -> set[tuple[str, str]]:
    found = {
        (name, read.id)
        for name, function in functions.items()
        for test in _tests(function)
        for read in ast.walk(test)
        if isinstance(read, ast.Name)
    }
    size = -1
    while size != len(found):
        size = len(found)
        for name, function in functions.items():
            for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
                inner = functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
                for parameter in parameters_of(inner) if inner is not None else ():
                    assert inner is not None
                    value = _argument(inner, call, parameter, None)
                    if isinstance(value, ast.Name) and (inner.name, parameter) in found:
                        found.add((name, value.id))
    return found


def _tests(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """What a function decides by."""
    for node in ast.walk(function):
        if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert)):
            yield node.test
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict):
            yield node.slice
