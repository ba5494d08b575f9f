"""MXNet where a program can do without: `try: import mxnet as mx`, `except ImportError: mx = None`.

Whether MXNet is there becomes whether torch is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mxtorch.port.engine import FilePort
from mxtorch.port.names import PACKAGES
from mxtorch.port.outcome import Outcome

_FAILURES = frozenset(["ImportError", "ModuleNotFoundError", "Exception"])


def port_questions(port: FilePort) -> list[ast.Name]:
    """Ask for torch where the program asks for MXNet; the names that are None without it."""
    scope = _first_try(port)
    if scope is None:
        return []
    names = {
        alias.asname or alias.name.partition(".")[0]
        for node in scope.body
        if isinstance(node, (ast.Import, ast.ImportFrom)) and _is_ours(node)
        for alias in node.names
    }
    given_up = [n for n in _set_to_none(scope) if n.id in names]
    asked = {n.id for n in given_up}
    for node in port.of(ast.Name):
        if node.id in asked and isinstance(node.ctx, ast.Load) and _is_question(port, node):
            port.rename(node, "torch")
            port.outcomes[node] = Outcome("exact")
            port.counts.idiomatic += 1
    port.needs.add("torch")
    return given_up


def port_answers(port: FilePort, given_up: list[ast.Name]) -> None:
    """What is None without MXNet is None without torch, and stays so where it is still used."""
    for node in given_up:
        kept = f"{node.id} = torch" if node.id in port.roots else "torch"
        port.source.replace(*port.source.span(node), kept)


def _is_ours(node: ast.Import | ast.ImportFrom) -> bool:
    modules = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    return any(module.partition(".")[0] in PACKAGES for module in modules)


def _first_try(port: FilePort) -> ast.Try | None:
    """The `try` that the file's first import of MXNet stands in, if the import may fail there."""
    imports = [n for n in port.of(ast.Import, ast.ImportFrom) if not getattr(n, "level", 0)]
    if any(a.name == "torch" for n in imports for a in n.names):
        return None
    first = min(filter(_is_ours, imports), key=lambda n: n.lineno, default=None)
    outer = port.parents.get(first) if first is not None else None
    if not isinstance(outer, ast.Try) or first not in outer.body:
        return None
    caught = [n for h in outer.handlers for n in ast.walk(h.type or ast.Name("Exception"))]
    fails = any(isinstance(n, ast.Name) and n.id in _FAILURES for n in caught)
    return outer if fails else None


def _set_to_none(scope: ast.Try) -> Iterator[ast.Name]:
    for handler in scope.handlers:
        for node in handler.body:
            nothing = isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            if nothing and node.value.value is None:  # type: ignore[attr-defined]
                targets = node.targets  # type: ignore[attr-defined]
                yield from (t for t in targets if isinstance(t, ast.Name))


def _is_question(port: FilePort, node: ast.Name) -> bool:
    """Whether a name is only asked for being None, or false."""
    parent = port.parents[node]
    if not port.flow.value(node).is_mxnet():
        return False
    if isinstance(parent, ast.Compare):
        return isinstance(parent.ops[0], (ast.Is, ast.IsNot)) and len(parent.ops) == 1
    if isinstance(parent, (ast.If, ast.While, ast.IfExp)):
        return parent.test is node
    return isinstance(parent, ast.BoolOp) or (
        isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
    )
