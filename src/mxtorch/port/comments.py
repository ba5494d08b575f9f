"""Comments in the ported text: `# mxtorch[MXT003]: …`, only where a person must act."""

from __future__ import annotations

import ast

from mxtorch.port.edits import Edit
from mxtorch.port.engine import FilePort


def port_comments(port: FilePort) -> None:
    """Put a comment before each statement with something to do, a line for each number."""
    found: dict[tuple[ast.stmt, str], list[str]] = {}
    for node, code, message in port.to_do:
        statement = _statement(port, node)
        found.setdefault((statement, code.number), []).append(message)
    for (statement, number), messages in found.items():
        texts = list(dict.fromkeys(messages))
        head, _, _ = texts[0].partition(": ")
        rest = [text.removeprefix(f"{head}: ") for text in texts]
        line = f"# mxtorch[{number}]: {head}" + (f": {', '.join(rest)}" if rest[0] != head else "")
        _insert(port, statement, line)


def _statement(port: FilePort, node: ast.AST) -> ast.stmt:
    while not isinstance(node, ast.stmt):
        node = port.parents[node]
    return node


def _insert(port: FilePort, statement: ast.stmt, line: str) -> None:
    decorators = getattr(statement, "decorator_list", [])
    first = min([statement, *decorators], key=lambda node: node.lineno)
    start = port.source.starts[first.lineno - 1]
    indent = port.source.indent(first)[: first.col_offset - _dedent(port, statement)]
    # before any other edit of the line
    port.source.edits.insert(0, Edit(start, start, f"{indent}{line}\n"))


def _dedent(port: FilePort, statement: ast.stmt) -> int:
    """How far the lines of `with` statements that went move to the left."""
    by = 0
    node: ast.AST = statement
    while node in port.parents:
        node = port.parents[node]
        if isinstance(node, ast.With) and node in port.gone:
            by += node.body[0].col_offset - node.col_offset
    return by
