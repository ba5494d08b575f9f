"""Changes to a text, by position: what no edit covers stays as it was, byte for byte."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

_STEP = "    "
_LONE = re.compile(r"\r(?!\n)")
_MARKS = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)


def children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes directly below one; without those that say load, store, plus and the like."""
    for name in node._fields:
        part = getattr(node, name, None)
        if isinstance(part, list):
            for child in part:
                if isinstance(child, ast.AST) and not isinstance(child, _MARKS):
                    yield child
        elif isinstance(part, ast.AST) and not isinstance(part, _MARKS):
            yield part


@dataclass(frozen=True)
class Edit:
    """Characters `start` to `end` are replaced by `text`."""

    start: int
    end: int
    text: str


@dataclass
class Source:
    """A program's text, its syntax tree's positions, and its comments."""

    text: str
    edits: list[Edit] = field(default_factory=list)
    # white space to put before lines, by the offset of their beginning
    indents: dict[int, str] = field(default_factory=dict)
    # stretches that are one step further in, with everything that is put into them
    _wrapped: list[tuple[int, int, str]] = field(default_factory=list)
    # how much white space is taken off lines so far
    _taken: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Python's lines end at \n, \r\n and \r; str.splitlines knows more ends
        text = _LONE.sub("\n", self.text) if "\r" in self.text else self.text
        self.lines = [line + "\n" for line in text.split("\n")]
        self.lines[-1] = self.lines[-1][:-1]
        if not self.lines[-1]:
            self.lines.pop()
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self._ascii = [line.isascii() for line in self.lines]
        self.comments: list[tuple[int, int]] = []
        # lines that begin inside a string: their indentation is content
        self.inside: set[int] = set()
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                self.comments.append((self.at(*token.start), self.at(*token.end)))
            elif token.end[0] > token.start[0] and token.string.strip():
                self.inside.update(range(token.start[0] + 1, token.end[0] + 1))

    def at(self, line: int, column: int) -> int:
        """The offset of a line (from 1) and column in characters."""
        return self.starts[line - 1] + column

    def _byte(self, line: int, column: int) -> int:
        """The offset of a line and a column in UTF-8 bytes, as `ast` counts."""
        if line > len(self.lines):
            return self.starts[-1]
        if not self._ascii[line - 1]:
            column = len(self.lines[line - 1].encode()[:column].decode())
        return self.starts[line - 1] + column

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where a node lies."""
        return (
            self._byte(node.lineno, node.col_offset),  # type: ignore[attr-defined]
            self._byte(node.end_lineno, node.end_col_offset),  # type: ignore[attr-defined]
        )

    def of(self, node: ast.AST) -> str:
        """A node's own text."""
        start, end = self.span(node)
        return self.text[start:end]

    def line_of(self, offset: int) -> int:
        """The line (from 1) that an offset lies on."""
        return bisect_right(self.starts, offset)

    def indent(self, node: ast.AST) -> str:
        """The white space before a statement that begins its line."""
        line = self.lines[node.lineno - 1]  # type: ignore[attr-defined]
        return line[: len(line) - len(line.lstrip())]

    def replace(self, start: int, end: int, text: str) -> None:
        """Note an edit."""
        if self.text[start:end] != text or start == end:
            self.edits.append(Edit(start, end, text))

    def insert_before(self, node: ast.AST, line: str) -> None:
        """Put a line before a statement (before its decorators)."""
        first = min([node, *getattr(node, "decorator_list", [])], key=lambda n: n.lineno)
        start = self.starts[first.lineno - 1]
        column = self.indent(node)
        self.edits.append(Edit(start, start, f"{column}{line}\n"))

    def insert_after(self, node: ast.AST, line: str) -> None:
        """Put a line after a statement."""
        end = self.starts[node.end_lineno]  # type: ignore[attr-defined]
        newline = "" if self.lines[node.end_lineno - 1].endswith("\n") else "\n"  # type: ignore[attr-defined]
        self.edits.append(Edit(end, end, f"{newline}{self.indent(node)}{line}\n"))

    def wrap(self, node: ast.AST, header: str) -> bool:
        """Put a statement under a header of its own; whether it stands on lines of its own."""
        start, end = self.whole_lines(node)
        if start != self.starts[node.lineno - 1]:  # type: ignore[attr-defined]
            return False
        step = self._step(node)
        self.insert_before(node, header)
        for number in range(self.line_of(start), self.line_of(end - 1) + 1):
            if number not in self.inside and self.lines[number - 1].strip():
                self.indents[self.starts[number - 1]] = step
        self._wrapped.append((start, end, step))
        return True

    def _step(self, node: ast.AST) -> str:
        """How much further in the body of a statement is; of one without, what is usual."""
        outer, body = self.indent(node), getattr(node, "body", None)
        inner = self.indent(body[0]) if isinstance(body, list) else ""
        return inner.removeprefix(outer) or (outer[:1] if outer[:1] == "\t" else _STEP)

    def _further_in(self, edit: Edit) -> str:
        """The text of an edit, moved with the stretch that it is in."""
        step = next((by for start, end, by in self._wrapped if start < edit.start < end), "")
        if not step:
            return edit.text
        if '"""' in edit.text or "'''" in edit.text:
            return edit.text
        moved = re.sub(r"\n(?=[^\n])", f"\n{step}", edit.text)
        begins = edit.text and edit.start == self.starts[self.line_of(edit.start) - 1]
        return step + moved if begins else moved

    def whole_lines(self, node: ast.AST) -> tuple[int, int]:
        """The lines of a statement, if nothing else stands on them; else its own span."""
        start, end = self.span(node)
        first, last = self.starts[self.line_of(start) - 1], self.starts[self.line_of(end)]
        rest = self.text[end:last].strip()
        if self.text[first:start].strip() or (rest and not rest.startswith("#")):
            return start, end
        return first, last

    def dedent(self, first: int, last: int, by: int) -> None:
        """Take `by` characters of white space off the lines `first` to `last`, each time."""
        for number in range(first, last + 1):
            line = self.lines[number - 1]
            before = self._taken.get(number, 0)
            width = min(before + by, len(line) - len(line.lstrip(" \t")))
            if number not in self.inside and width and line.strip():
                start = self.starts[number - 1]
                if before:
                    self.edits.remove(Edit(start, start + before, ""))
                self.edits.append(Edit(start, start + width, ""))
                self._taken[number] = width

    def result(self) -> str:
        """The text with every edit in it; an edit inside a replaced stretch is dropped."""
        order = sorted(
            enumerate(self.edits),
            key=lambda p: (p[1].start, p[1].end != p[1].start, -p[1].end, p[0]),
        )
        parts, position = [], 0
        for _, edit in order:
            if edit.start < position:
                continue  # inside a stretch that was rewritten as a whole
            parts += [self._kept(position, edit.start), self._further_in(edit)]
            position = edit.end
        return "".join([*parts, self._kept(position, len(self.text))])

    def _kept(self, start: int, end: int) -> str:
        """A stretch of the text, with the white space that its lines get."""
        parts = []
        for offset in sorted(o for o in self.indents if start <= o < end):
            parts += [self.text[start:offset], self.indents[offset]]
            start = offset
        return "".join([*parts, self.text[start:end]])


def expressions_in(node: ast.AST) -> Iterator[ast.AST]:
    """The nearest expressions below a node, through keywords, arguments and comprehensions."""
    if isinstance(node, ast.JoinedStr):  # its texts have no position of their own
        yield from (v for v in node.values if isinstance(v, ast.FormattedValue))
        return
    if isinstance(node, ast.FormattedValue):
        yield node.value
        return
    for child in children(node):
        if isinstance(child, ast.expr):
            yield child
        elif not isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from expressions_in(child)


def blocks_of(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of statements below one."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list) and block:
            yield block
    for handler in getattr(node, "handlers", []):
        yield handler.body
    for case in getattr(node, "cases", []):
        yield case.body
