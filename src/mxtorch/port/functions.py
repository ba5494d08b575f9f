"""`autograd.Function`: in torch the methods are static, and what they share is in `ctx`.

What a constructor of MXNet's took goes to `forward` first, and gets no gradient.
"""

from __future__ import annotations

import ast

from mxtorch.port.engine import FilePort
from mxtorch.port.signatures import parameters_of

BASE = "mx.autograd.Function"


def is_function(port: FilePort, name: str) -> bool:
    """Whether a class of the file is such a function."""
    return name in port.flow.classes and BASE in port.flow.lineage(name)


def port_function(port: FilePort, cls: ast.ClassDef) -> bool:
    """Port a class whose constructor does no more than keep what it is given."""
    methods = {m.name: m for m in cls.body if isinstance(m, ast.FunctionDef)}
    if not methods:
        return True
    if set(methods) - {"__init__", "forward", "backward"} or "forward" not in methods:
        return False
    kept = _kept(methods["__init__"]) if "__init__" in methods else []
    if kept is None:
        return False
    given = parameters_of(methods["__init__"])[1:] if "__init__" in methods else []
    for name in ("forward", "backward"):
        if name in methods:
            _make_static(port, methods[name])
    if "__init__" in methods:
        _drop(port, cls, methods["__init__"])
        _take_over(port, methods["forward"], given, kept)
        if "backward" in methods:
            _return_nothing_for(port, methods["backward"], len(given))
    return True


def _kept(method: ast.FunctionDef) -> list[ast.stmt] | None:
    """The assignments of a constructor; None if it does anything else than `super()`."""
    found: list[ast.stmt] = []
    for statement in method.body:
        if isinstance(statement, ast.Assign):
            found.append(statement)
        elif not isinstance(statement, ast.Expr) or not _does_nothing(statement.value):
            return None
    plain = not method.args.kwarg and not method.args.vararg and not method.args.defaults
    return found if plain else None


def _does_nothing(node: ast.expr) -> bool:
    """A docstring, or `super().__init__()`."""
    return isinstance(node, ast.Constant) or _is_super(node)


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".__init__")


def _make_static(port: FilePort, method: ast.FunctionDef) -> None:
    port.source.insert_before(method, "@staticmethod")
    own = method.args.args[0]
    port.source.replace(*port.source.span(own), "ctx")
    for node in ast.walk(method):
        if isinstance(node, ast.Name) and node.id == own.arg:
            port.renamed[node] = "ctx"


def _drop(port: FilePort, cls: ast.ClassDef, method: ast.FunctionDef) -> None:
    """Take the constructor away with the empty lines after it."""
    source = port.source
    start = source.starts[method.lineno - 1]
    last = method.end_lineno or method.lineno
    while last < len(source.lines) and not source.lines[last].strip() and last < cls.end_lineno:  # type: ignore[operator]
        last += 1
    comments = [source.text[a:b] for a, b in source.comments if start <= a < source.starts[last]]
    text = "".join(f"{source.indent(method)}{comment}\n" for comment in comments)
    source.replace(start, source.starts[last], text)
    port.removed.add(method)


def _take_over(
    port: FilePort, method: ast.FunctionDef, given: list[str], kept: list[ast.stmt]
) -> None:
    """What the constructor took are `forward`'s first arguments, kept in `ctx`."""
    source = port.source
    own = method.args.args[0]
    end = source.span(own)[1]
    if given:
        source.replace(end, end, f", {', '.join(given)}")
    first = next((s for s in method.body if not _is_docstring(s)), method.body[-1])
    for statement in kept:
        text = source.of(statement)
        source.insert_before(first, text.replace("self.", "ctx."))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _return_nothing_for(port: FilePort, method: ast.FunctionDef, count: int) -> None:
    for node in ast.walk(method):
        if isinstance(node, ast.Return) and node.value is not None and count:
            start = port.source.span(node.value)[0]
            port.source.replace(start, start, "None, " * count)
