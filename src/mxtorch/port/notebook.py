"""Notebooks: their code cells as one program, and the ported program as cells again."""

from __future__ import annotations

import ast
import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_CELL = "#mxtorch-cell {}\n"
# Before a line that is not Python; after a statement that stands for one; after the code of one.
_MAGIC = "#mxtorch-magic "
_WHOLE = "  #mxtorch-whole "
_CODE = "  #mxtorch-code "
# Cells that begin with one of these are Python still, in the notebook's own names.
_PYTHON = frozenset(["time", "timeit", "capture", "prun", "memit"])
_TIMED = re.compile(r"(\s*)(%(?:time|timeit|prun|memit)(?:\s+-\w+(?:\s+\d+)?)*\s+)(\S.*)")
_ASSIGNED = re.compile(r"(\s*)(\w+(?:\s*,\s*\w+)*)\s*=\s*[%!]")
_HIDDEN = re.compile(r"\b(?:import|from)\s+(?:mxnet|gluonnlp|horovod)\b")


@dataclass(frozen=True)
class Cell:
    """A code cell, from 1: its text as Python, its first line in the program.

    `broken` says at which of its lines it does not parse, and why; it is left out then. `hidden`
    is a line that imports MXNet in another language or a file that the cell writes.
    """

    number: int
    text: str
    start: int
    broken: tuple[int, str] | None = None
    hidden: int = 0


class Notebook:
    """A notebook of any format since 2; raises ValueError if the text is none."""

    def __init__(self, text: str) -> None:
        self._text = text
        book = json.loads(text)
        if not isinstance(book, dict):
            raise ValueError("it is JSON, but no notebook")
        self._book = book
        self.cells: list[Cell] = []
        line = 2
        for number, source in enumerate(map(_source, self._code_cells()), 1):
            self.cells.append(_cell(number, source, line))
            line += self.cells[-1].text.count("\n") + 2
        marked = (_CELL.format(cell.number) + cell.text + "\n" for cell in self.cells)
        self.program = "".join(marked)

    def _code_cells(self) -> Iterator[dict[str, Any]]:
        sheets = [self._book, *self._book.get("worksheets", [])]  # format 3 has sheets
        for sheet in sheets:
            yield from (c for c in sheet.get("cells", []) if c.get("cell_type") == "code")

    def where(self, line: int) -> tuple[int, int]:
        """The cell and the line in it of a line of the program."""
        index = max(bisect_right([cell.start for cell in self.cells], line) - 1, 0)
        cell = self.cells[index]
        return cell.number, max(line - cell.start + 1, 1)

    def written(self, ported: str) -> str:
        """The notebook with the cells of a ported program; outputs and everything else stay."""
        rest = ported
        for number, cell in enumerate(self._code_cells(), 1):
            _, _, rest = rest.partition(_CELL.format(number))
            own, _, _ = rest.partition(_CELL.format(number + 1))
            text = _restored(own.removesuffix("\n"))
            key = "source" if "source" in cell else "input"
            as_lines = isinstance(cell.get(key), list)
            if text != _source(cell):
                cell[key] = text.splitlines(keepends=True) if as_lines else text
        indent = 1 if self._text.lstrip().startswith("{\n ") else None
        end = "\n" if self._text.endswith("\n") else ""
        return json.dumps(self._book, indent=indent, ensure_ascii=False) + end


def notebook_program(text: str) -> str:
    """The code cells of a notebook as one program, a line `#mxtorch-cell N` before each."""
    return Notebook(text).program


def _source(cell: dict[str, Any]) -> str:
    return "".join(cell.get("source", cell.get("input", [])))


def _cell(number: int, source: str, start: int) -> Cell:
    head = source.lstrip()
    if head.startswith("%%"):
        magic = re.match(r"%%(\w*)", head)
        if magic is None or magic[1] not in _PYTHON:
            found = _HIDDEN.search(source)
            hidden = source.count("\n", 0, found.start()) + 1 if found is not None else 0
            return Cell(number, _silent(source), start, hidden=hidden)
    text = source if _reason(source) is None else "".join(map(_line, _lines(source)))
    broken = _reason(text)
    if broken is not None:
        return Cell(number, _silent(source), start, broken=broken)
    line = next((i for i, x in enumerate(_lines(source), 1) if _is_hidden(x)), 0)
    return Cell(number, text, start, hidden=line)


def _is_hidden(line: str) -> bool:
    return line.lstrip().startswith("!") and _HIDDEN.search(line) is not None


def _lines(source: str) -> list[str]:
    return source.splitlines(keepends=True)


def _silent(source: str) -> str:
    return "".join(_MAGIC + line for line in _lines(source))


def _reason(text: str) -> tuple[int, str] | None:
    """At which line a text does not parse, and why; None if it does."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        return error.lineno or 1, error.msg
    except (ValueError, RecursionError) as error:
        return 1, str(error)
    return None


def _line(line: str) -> str:
    """A line of a cell as Python: what is for the notebook itself becomes a comment."""
    body = line.rstrip("\r\n")
    end = line[len(body) :]
    words = body.strip()
    timed = _TIMED.fullmatch(body)
    if timed is not None and _reason(timed[3]) is None:
        return f"{timed[1]}{timed[3]}{_CODE}{timed[2]}|{end}"
    assigned = _ASSIGNED.match(body)
    if assigned is not None:
        return f"{assigned[1]}{assigned[2]} = [], []{_WHOLE}{words}{end}"
    asks = words.startswith("?") or (words.endswith("?") and "#" not in words)
    if not asks and not words.startswith(("%", "!")):
        return line
    indent = body[: len(body) - len(body.lstrip())]
    return f"{indent}pass{_WHOLE}{words}{end}" if indent else _MAGIC + line


def _restored(source: str) -> str:
    """A cell as the notebook has it."""
    if "#mxtorch-" not in source:
        return source
    found = []
    for line in _lines(source):
        text, mark, original = line.partition(_WHOLE)
        indent = text[: len(text) - len(text.lstrip())]
        if mark:
            found.append(indent + original)
            continue
        text, mark, magic = line.partition(_CODE.lstrip())
        if not mark:
            found.append(line.replace(_MAGIC, "", 1) if line.startswith(_MAGIC) else line)
        elif text.strip():
            start, _, end = magic.rpartition("|")
            found.append(indent + start + text.strip() + end)
    return "".join(found)
