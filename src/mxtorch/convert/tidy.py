"""Copied definitions without what a file does not need."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence


def names_in(tree: ast.AST) -> set[str]:
    """The names that a definition reads."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def tidied(copied: Sequence[ast.stmt], readers: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The copied definitions that `readers` need, and of these what is read.

    Calls within `readers` lose the arguments that nothing reads.
    """
    kept = _only_read(copied, readers)
    while _without_unread_parameters(kept, readers):
        for node in (node for one in kept for node in ast.walk(one)):
            if isinstance(node, ast.FunctionDef):
                drop_unread(node)
        kept = _only_read(kept, readers)
    return kept


def _only_read(statements: Sequence[ast.stmt], readers: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The definitions that `readers` name, and those that these name, in their order."""
    wanted = {name for statement in readers for name in names_in(statement)}
    kept: list[ast.stmt] = []
    for statement in reversed(statements):
        assert isinstance(statement, (ast.FunctionDef, ast.ClassDef))
        if statement.name in wanted:
            kept.append(statement)
            wanted |= names_in(statement)
    return kept[::-1]


def _without_unread_parameters(kept: Sequence[ast.stmt], readers: Sequence[ast.stmt]) -> bool:
    """Take from one function the parameters that it does not read, and from its calls."""
    for function in kept:
        if not isinstance(function, ast.FunctionDef):
            continue
        unread = _unread_parameters(function)
        calls = _calls_of(function.name, [*kept, *readers]) if unread else None
        if calls is None:
            continue
        names = [argument.arg for argument in function.args.args]
        for made in calls:
            pairs = itertools.zip_longest(names[: len(made.args)], made.args)
            made.args = [argument for name, argument in pairs if name not in unread]
            made.keywords = [k for k in made.keywords if k.arg not in unread]
        function.args.args = [a for a in function.args.args if a.arg not in unread]
        return True
    return False


def _unread_parameters(function: ast.FunctionDef) -> set[str]:
    arguments = function.args
    if arguments.vararg or arguments.kwarg or arguments.posonlyargs or arguments.defaults:
        return set()
    read = {name for statement in function.body for name in names_in(statement)}
    return {argument.arg for argument in arguments.args} - read


def _calls_of(name: str, statements: Sequence[ast.stmt]) -> list[ast.Call] | None:
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
    """Whether a try of a remembered result stands before the same without one's memory."""
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
