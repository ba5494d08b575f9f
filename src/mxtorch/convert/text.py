"""Syntax trees as text whose lines are not too long."""

from __future__ import annotations

import ast
from collections.abc import Sequence

WIDTH = 98
_STEP = " " * 4


def print_statements(statements: Sequence[ast.stmt], indent: str = "") -> list[str]:
    """The lines of a body."""
    return [line for statement in statements for line in _statement(statement, indent)]


def _statement(node: ast.stmt, indent: str) -> list[str]:
    if isinstance(node, ast.Assign):
        targets = "".join(f"{_flat(t)} = " for t in node.targets)
        return _expression(node.value, indent, targets)
    if isinstance(node, ast.Return) and node.value is not None:
        return _expression(node.value, indent, "return ")
    if isinstance(node, ast.Expr):
        return _expression(node.value, indent, "")
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return _definition(node, indent)
    text = ast.unparse(ast.fix_missing_locations(node))
    return [indent + line for line in text.splitlines()]


def _definition(node: ast.FunctionDef | ast.ClassDef, indent: str) -> list[str]:
    body, node.body = node.body, [ast.Pass()]
    head = ast.unparse(ast.fix_missing_locations(node)).splitlines()[:-1]
    node.body = body
    lines = [indent + line for line in head]
    if isinstance(node, ast.FunctionDef) and len(lines[-1]) > WIDTH:
        lines[-1:] = _wrap_signature(node, indent)
    inner = indent + _STEP
    for position, child in enumerate(body):
        if lines[-1] and position and isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            lines.append("")
        if _is_docstring(child):
            assert isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            text = str(child.value.value).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
            lines.append(f'{inner}"""{text}"""')
            if isinstance(node, ast.ClassDef) and len(body) > 1:
                lines.append("")
            continue
        lines += _statement(child, inner)
    return lines


def _wrap_signature(node: ast.FunctionDef, indent: str) -> list[str]:
    inner = indent + _STEP
    parts = ast.unparse(node.args).split(", ")
    lines, line = [f"{indent}def {node.name}("], inner
    for part in parts:
        if len(line) + len(part) + 2 > WIDTH:
            lines.append(line.rstrip())
            line = inner
        line += f"{part}, "
    return [*lines, line.rstrip().removesuffix(",") + ",", f"{indent}):"]


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _flat(node: ast.AST) -> str:
    text = ast.unparse(ast.fix_missing_locations(node))
    # `(a, b) = f()` of older Pythons
    return text[1:-1] if isinstance(node, ast.Tuple) and text.startswith("(") else text


def _expression(node: ast.expr, indent: str, before: str, after: str = "") -> list[str]:
    flat = ast.unparse(ast.fix_missing_locations(node))
    if len(indent) + len(before) + len(flat) + len(after) <= WIDTH or "\n" in flat:
        return [f"{indent}{before}{flat}{after}"]
    inner = indent + _STEP
    if isinstance(node, ast.Call) and (node.args or node.keywords):
        opening = ast.unparse(node.func)
        lines = [f"{indent}{before}{opening}("]
        if isinstance(node.func, ast.Name) or len(node.args) + len(node.keywords) > 0:
            lines += _arguments(node, inner)
            return [*lines, f"{indent}){after}"]
    if isinstance(node, (ast.List, ast.Tuple)) and node.elts:
        open_, close = ("[", "]") if isinstance(node, ast.List) else ("(", ")")
        parts = [ast.unparse(e) for e in node.elts]
        return [f"{indent}{before}{open_}", *_fill(parts, inner), f"{indent}{close}{after}"]
    if isinstance(node, ast.Subscript):
        index = flat.removeprefix(ast.unparse(node.value))
        return _expression(node.value, indent, before, index + after)
    if isinstance(node, ast.Starred):
        return _expression(node.value, indent, f"{before}*", after)
    return [f"{indent}{before}{flat}{after}"]


def _arguments(node: ast.Call, indent: str) -> list[str]:
    parts = [ast.unparse(a) for a in node.args]
    parts += [f"{k.arg}={ast.unparse(k.value)}" for k in node.keywords]
    short = not any(isinstance(a, ast.Call) for a in node.args)
    together = indent + ", ".join(parts)
    if short and len(together) <= WIDTH:
        return [together]
    lines: list[str] = []
    for argument in node.args:
        lines += _expression(argument, indent, "", ",")
    for keyword in node.keywords:
        lines += _expression(keyword.value, indent, f"{keyword.arg}=", ",")
    return lines


def _fill(parts: Sequence[str], indent: str) -> list[str]:
    lines, line = [], indent
    for part in parts:
        if line != indent and len(line) + len(part) + 1 > WIDTH:
            lines.append(line.rstrip())
            line = indent
        line += f"{part}, "
    return [*lines, line.rstrip()]
