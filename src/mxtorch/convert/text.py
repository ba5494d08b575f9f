"""Statements as text whose lines are not too long."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from mxtorch.convert.lines import STEP, WIDTH, WithoutBrackets, expression, flat, target


def print_statements(statements: Sequence[ast.stmt], indent: str = "") -> list[str]:
    """The lines of a body."""
    tidy = [WithoutBrackets().visit(copy.deepcopy(statement)) for statement in statements]
    return _body(tidy, indent)


def _body(statements: Sequence[ast.stmt], indent: str) -> list[str]:
    return [line for statement in statements for line in _statement(statement, indent)]


def _statement(node: ast.stmt, indent: str) -> list[str]:
    if isinstance(node, ast.Assign):
        return expression(node.value, indent, "".join(f"{target(t)} = " for t in node.targets))
    if isinstance(node, ast.AugAssign):
        sign = flat(node).removeprefix(flat(node.target)).split()[0]
        return expression(node.value, indent, f"{flat(node.target)} {sign} ")
    if isinstance(node, ast.Return) and node.value is not None:
        return expression(node.value, indent, "return ")
    if isinstance(node, ast.Expr):
        return expression(node.value, indent)
    if isinstance(node, ast.Raise) and node.exc is not None:
        cause = "" if node.cause is None else f" from {flat(node.cause)}"
        return expression(node.exc, indent, "raise ", cause)
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return _definition(node, indent)
    return _block(node, indent)


def _block(node: ast.stmt, indent: str) -> list[str]:
    """A statement with others inside, or one of a line."""
    inner = indent + STEP
    if isinstance(node, (ast.If, ast.While)):
        return _branches(node, indent, "if" if isinstance(node, ast.If) else "while")
    if isinstance(node, ast.For):
        head = expression(node.iter, indent, f"for {target(node.target)} in ", ":")
        return [*head, *_body(node.body, inner), *_else(node.orelse, indent)]
    if isinstance(node, ast.With) and len(node.items) == 1:
        item = node.items[0]
        name = "" if item.optional_vars is None else f" as {flat(item.optional_vars)}"
        head = expression(item.context_expr, indent, "with ", f"{name}:")
        return [*head, *_body(node.body, inner)]
    if isinstance(node, ast.Try):
        lines = [f"{indent}try:", *_body(node.body, inner)]
        for handler in node.handlers:
            kind = "" if handler.type is None else f" {flat(handler.type)}"
            name = "" if handler.name is None else f" as {handler.name}"
            lines += [f"{indent}except{kind}{name}:", *_body(handler.body, inner)]
        lines += _else(node.orelse, indent)
        return [*lines, *_else(node.finalbody, indent, "finally")]
    return [indent + line for line in flat(node).splitlines()]


def _branches(node: ast.If | ast.While, indent: str, word: str) -> list[str]:
    lines = expression(node.test, indent, f"{word} ", ":") + _body(node.body, indent + STEP)
    rest = node.orelse
    if word != "while" and len(rest) == 1 and isinstance(rest[0], ast.If):
        return [*lines, *_branches(rest[0], indent, "elif")]
    return [*lines, *_else(rest, indent)]


def _else(statements: Sequence[ast.stmt], indent: str, word: str = "else") -> list[str]:
    return [f"{indent}{word}:", *_body(statements, indent + STEP)] if statements else []


def _definition(node: ast.FunctionDef | ast.ClassDef, indent: str) -> list[str]:
    body, node.body = node.body, [ast.Pass()]
    head = flat(node).splitlines()[:-1]
    node.body = body
    lines = [indent + line for line in head]
    if isinstance(node, ast.FunctionDef) and len(lines[-1]) > WIDTH:
        lines[-1:] = _wrap_signature(node, indent)
    inner = indent + STEP
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
    inner = indent + STEP
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
