"""A text that a first pass rewrote, and where its lines were before."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from mxtorch.port.edits import Source


class Unclear(Exception):
    """Code that a pass cannot rewrite: why, and the line."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


def root_of(nodes: Iterable[ast.AST], source: Source) -> str:
    """What a file calls MXNet; an import is added where it has no name for it."""
    found = list(nodes)
    for node in found:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "mxnet":
                    return alias.asname or alias.name
    ours = [n for n in found if isinstance(n, ast.ImportFrom)]
    first = next(n for n in ours if (n.module or "").partition(".")[0] == "mxnet")
    source.insert_before(first, "import mxnet as mx")
    return "mx"


@dataclass(frozen=True)
class Lowered:
    """The rewritten text; `lines`: the line before and the columns added, by the line now.

    `reason` says why nothing was rewritten, for the place at `line`.
    """

    text: str
    lines: dict[int, tuple[int, int]]
    reason: str = ""
    line: int = 1

    def before(self, line: int) -> int:
        """The line that a line was, or the nearest one above it that was there."""
        if not self.lines:
            return line
        while line > 1 and line not in self.lines:
            line -= 1
        return self.lines.get(line, (1, 0))[0]

    def after(self, first: Lowered) -> Lowered:
        """This pass after a first one, as one."""
        lines = {
            new: (first.lines[old][0], by + first.lines[old][1])
            for new, (old, by) in self.lines.items()
            if old in first.lines
        }
        reason, line = (first.reason, first.line) if first.reason else (self.reason, self.line)
        return Lowered(self.text, lines, reason, line)

    def moves(self) -> dict[int, tuple[int, int]]:
        """The line now and the columns added, by the line before."""
        return {old: (new, by) for new, (old, by) in self.lines.items()}


def rewritten(text: str, write: Callable[[], str]) -> Lowered:
    """A text after a pass; as it was, with the reason, where the pass finds it unclear."""
    try:
        result = write()
        ast.parse(result)
    except Unclear as error:
        return Lowered(text, _aligned(text, text), str(error), error.line)
    return Lowered(result, _aligned(text, result))


def _aligned(before: str, after: str) -> dict[int, tuple[int, int]]:
    """The lines of a text that are those of another, but for their indentation."""
    old, new = before.split("\n"), after.split("\n")
    stripped = [x.strip() for x in old], [x.strip() for x in new]
    found = {}
    for block in SequenceMatcher(None, *stripped, autojunk=False).get_matching_blocks():
        for i in range(block.size):
            a, b = old[block.a + i], new[block.b + i]
            by = (len(b) - len(b.lstrip())) - (len(a) - len(a.lstrip()))
            found[block.b + i + 1] = block.a + i + 1, by
    return found
