"""Copied definitions without what a file does not need."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence


def names_in(tree: ast.AST) -> set[str]:
    """The names that a definition reads."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def only_read(statements: Sequence[ast.stmt], readers: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The definitions that `readers` name, and those that these name, in their order."""
    wanted = {name for statement in readers for name in names_in(statement)}
    kept: list[ast.stmt] = []
    for statement in reversed(statements):
        assert isinstance(statement, (ast.FunctionDef, ast.ClassDef))
        if statement.name in wanted:
            kept.append(statement)
            wanted |= names_in(statement)
    return kept[::-1]


def without_unread_parameters(kept: Sequence[ast.stmt], readers: Sequence[ast.stmt]) -> bool:
    """Take from one function the parameters that it does not read, and from its calls."""
    for function in kept:
        if not isinstance(function, ast.FunctionDef):
            continue
        unread = _unread_parameters(function)
        calls = calls_of(function.name, [*kept, *readers]) if unread else None
        if calls is None:
            continue
        take_away(function, calls, unread)
        return True
    return False


def parameters_of(function: ast.FunctionDef) -> dict[str, ast.expr | None]:
    """The parameters by name with their defaults; None where there is none."""
    arguments = function.args
    names = [argument.arg for argument in arguments.args]
    found: dict[str, ast.expr | None] = dict.fromkeys(names)
    found.update(zip(reversed(names), reversed(arguments.defaults), strict=False))
    names = [argument.arg for argument in arguments.kwonlyargs]
    found.update(zip(names, arguments.kw_defaults, strict=True))
    return found


def take_away(function: ast.FunctionDef, calls: Sequence[ast.Call], names: set[str]) -> None:
    """Take parameters from a function and from its calls."""
    if not names:
        return
    arguments = function.args
    order = [argument.arg for argument in arguments.args]
    for call in calls:
        pairs = itertools.zip_longest(order[: len(call.args)], call.args)
        call.args = [argument for name, argument in pairs if name not in names]
        call.keywords = [k for k in call.keywords if k.arg not in names]
    kept = {name: value for name, value in parameters_of(function).items() if name not in names}
    arguments.args = [a for a in arguments.args if a.arg not in names]
    arguments.kwonlyargs = [a for a in arguments.kwonlyargs if a.arg not in names]
    defaults = [kept[a.arg] for a in arguments.args]
    arguments.defaults = [value for value in defaults if value is not None]
    arguments.kw_defaults = [kept[a.arg] for a in arguments.kwonlyargs]


def _unread_parameters(function: ast.FunctionDef) -> set[str]:
    read = {name for statement in function.body for name in names_in(statement)}
    fixed = {a.arg for a in function.args.args} if function.args.vararg else set()
    return parameters_of(function).keys() - read - fixed


def calls_of(name: str, statements: Sequence[ast.stmt]) -> list[ast.Call] | None:
    """The calls of a function; None if it is handed on, or called with what is starred."""
    calls: list[ast.Call] = []
    count = 0
    for node in (node for statement in statements for node in ast.walk(statement)):
        if isinstance(node, ast.Name) and node.id == name:
            count += 1
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id != name:
                continue
            if any(isinstance(a, ast.Starred) for a in node.args):
                return None
            if any(keyword.arg is None for keyword in node.keywords):
                return None
            calls.append(node)
    return calls if count == len(calls) else None


def drop_unread(function: ast.FunctionDef) -> None:
    """Leave out the variables that only checks have read."""
    before = -1
    while before != (now := sum(1 for _ in ast.walk(function))):
        before = now
        read = {
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)
        }
        for node in ast.walk(function):
            for name in ("body", "orelse", "finalbody"):
                if isinstance(statements := getattr(node, name, None), list):
                    kept = [s for s in statements if not _is_unread(s, read)]
                    kept = [s for i, s in enumerate(kept) if not _is_repeated(s, kept[i + 1 :])]
                    setattr(node, name, kept or [ast.Pass()] * (name == "body"))
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            _name_the_read(node.targets, read)


def _is_unread(statement: ast.stmt, read: set[str]) -> bool:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    calls = [node for node in ast.walk(statement.value) if isinstance(node, ast.Call)]
    # a function gives what it finds; a method may change what it is of
    plain = all(isinstance(c.func, ast.Name) and c.func.id != "next" for c in calls)
    return isinstance(target, ast.Name) and target.id not in read and plain


def _is_repeated(statement: ast.stmt, following: Sequence[ast.stmt]) -> bool:
    """Whether a statement is done over by the next, or leaves a variable as it is.

    A try of a remembered result stands before the same without a memory.
    """
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        name, value = statement.targets[0].id, statement.value
        again = following[0] if following else None
        over = isinstance(again, ast.Assign) and ast.dump(again.targets[0]) == ast.dump(
            statement.targets[0]
        )
        plain = isinstance(value, (ast.Constant, ast.Name))
        fresh = again is not None and over and name not in names_in(again.value)  # type: ignore[attr-defined]
        return plain and (fresh or (isinstance(value, ast.Name) and value.id == name))
    if not isinstance(statement, ast.With) or len(statement.body) != 1 or not following:
        return False
    first, second = statement.body[0], following[0]
    return isinstance(first, ast.Return) and ast.dump(first) == ast.dump(second)


def _name_the_read(targets: list[ast.expr], read: set[str]) -> None:
    """Of several that come at once, those that nothing reads are `_`."""
    for target in targets:
        for node in target.elts if isinstance(target, ast.Tuple) else ():
            if isinstance(node, ast.Name) and node.id not in read:
                node.id = "_"
