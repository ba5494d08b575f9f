"""Positions of expressions inside f-strings, which Python before 3.12 does not tell."""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Iterator

from mxtorch.port.edits import Source

_NEEDED = sys.version_info < (3, 12)


def place_fstrings(nodes: list[ast.AST], source: Source) -> None:
    """Give the nodes inside f-strings their positions in the file."""
    if not _NEEDED:
        return
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            _place(node, source)


def _place(node: ast.JoinedStr, source: Source) -> None:
    start, end = source.span(node)
    fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
    found = list(_fields(source.text[start:end]))
    if len(found) != len(fields):
        for part in fields:
            _collapse(part, node)
        return
    for part, (first, last) in zip(fields, found, strict=True):
        text = source.text[start + first : start + last]
        line = source.line_of(start + first)
        column = start + first - source.starts[line - 1]
        parsed = ast.parse(f"({text})", mode="eval").body
        pairs = zip(ast.walk(parsed), ast.walk(part.value), strict=True)
        for ours, theirs in pairs:
            if isinstance(ours, (ast.expr, ast.keyword)):
                _move(ours, theirs, line, column - 1)
        ast.copy_location(part, part.value)
        if part.format_spec is not None:
            _collapse(part.format_spec, part)


def _move(ours: ast.AST, theirs: ast.AST, line: int, column: int) -> None:
    """Copy a position, counted from the field's opening bracket, to the file's."""
    for row, col in (("lineno", "col_offset"), ("end_lineno", "end_col_offset")):
        number, offset = getattr(ours, row), getattr(ours, col)
        setattr(theirs, row, line + number - 1)
        setattr(theirs, col, offset + column if number == 1 else offset)


def _collapse(part: ast.AST, at: ast.AST) -> None:
    """Positions that cannot be told are made empty: nothing is rewritten there."""
    for node in ast.walk(part):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = at.lineno  # type: ignore[attr-defined]
            node.col_offset = node.end_col_offset = at.col_offset  # type: ignore[attr-defined]


def _fields(text: str) -> Iterator[tuple[int, int]]:
    """Where the expressions of the replacement fields lie, in strings joined side by side."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(f"{text}\n").readline):
        if token.type != tokenize.STRING:
            continue
        prefix = token.string[: min(token.string.find(q) for q in "'\"" if q in token.string)]
        if "f" in prefix.lower():
            base = starts[token.start[0] - 1] + token.start[1]
            for first, last in _fields_of(token.string):
                yield base + first, base + last


def _fields_of(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    while (position := text.find("{", position)) >= 0:
        if text[position + 1 : position + 2] == "{":
            position += 2
            continue
        end = _end_of_field(text, position + 1)
        yield position + 1, end
        position = text.find("}", end) + 1 if ":" not in text[end : end + 3] else _close(text, end)


def _end_of_field(text: str, position: int) -> int:
    """Where the expression ends: at its `}`, `:`, `!r` or `=`."""
    depth, quote = 0, ""
    while position < len(text):
        char = text[position]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif depth and char in ")]}":
            depth -= 1
        elif (not depth and (char in "}:" or (char == "!" and text[position + 1] != "="))) or (
            not depth and char == "=" and text[position + 1] in "}:!"
        ):
            return position
        position += 1
    return position


def _close(text: str, position: int) -> int:
    """Past the `}` of a field with a format, which may hold fields itself."""
    depth = 1
    while position < len(text) and depth:
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        position += 1
    return position
