"""Two texts side by side, for reports: what is equal folded away, changed words marked."""

from __future__ import annotations

import difflib
import html
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

_AROUND = 3
_WORD = re.compile(r"\w+|\s+|.")
# Lines longer than that are marked as a whole.
_LONG = 400


@dataclass(frozen=True)
class _Row:
    """A line of each text by position; None where the other has more."""

    left: int | None
    right: int | None
    equal: bool


def rows(
    before: list[str], after: list[str], notes: Mapping[int, str] | None = None, anchor: str = ""
) -> Iterator[str]:
    """The rows of the table; `notes` are texts for lines (from 1) of the first, which are shown.

    Lines of the first text are targets of links, `#{anchor}-L{line}`.
    """
    notes = notes or {}
    every = list(_rows(before, after))
    shown = _shown(every, notes)
    skipped = 0
    for row, visible in zip(every, shown, strict=True):
        if not visible:
            skipped += 1
            continue
        if skipped:
            yield _fold(skipped)
            skipped = 0
        yield _row(row, before, after, notes, anchor)
    if skipped:
        yield _fold(skipped)


def _rows(before: list[str], after: list[str]) -> Iterator[_Row]:
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        for i in range(max(b - a, d - c)):
            left, right = a + i, c + i
            yield _Row(left if left < b else None, right if right < d else None, tag == "equal")


def _shown(every: list[_Row], notes: Mapping[int, str]) -> list[bool]:
    shown = [False] * len(every)
    for position, row in enumerate(every):
        if not row.equal or (row.left is not None and row.left + 1 in notes):
            for near in range(max(0, position - _AROUND), position + _AROUND + 1):
                if near < len(shown):
                    shown[near] = True
    return shown


def _fold(count: int) -> str:
    lines = "line" if count == 1 else "lines"
    return f'<tr class="skip"><td class=n></td><td colspan=3>{count} {lines} as before</td></tr>'


def _row(
    row: _Row, before: list[str], after: list[str], notes: Mapping[int, str], anchor: str
) -> str:
    old = "" if row.left is None else before[row.left]
    new = "" if row.right is None else after[row.right]
    texts = html.escape(old), html.escape(new)
    if not row.equal and row.left is not None and row.right is not None:
        texts = _marked(old, new)
    note = notes.get(row.left + 1) if row.left is not None else None
    target = f' id="{anchor}-L{row.left + 1}"' if anchor and row.left is not None else ""
    cells = "".join(
        _cell(number, text, "" if row.equal else mark, note if mark == "gone" else None)
        for number, text, mark in ((row.left, texts[0], "gone"), (row.right, texts[1], "new"))
    )
    return f"<tr{target}>{cells}</tr>"


def _cell(number: int | None, text: str, mark: str, note: str | None) -> str:
    if number is None:
        return "<td class=n></td><td></td>"
    cls = f" class={mark}" if mark else ""
    told = f' class="n noted" title="{html.escape(note)}"' if note else " class=n"
    return f"<td{told}>{number + 1}</td><td{cls}>{text}</td>"


def _marked(old: str, new: str) -> tuple[str, str]:
    """Two lines as HTML, the words that differ marked."""
    if max(len(old), len(new)) > _LONG:
        return html.escape(old), html.escape(new)
    ours, theirs = _WORD.findall(old), _WORD.findall(new)
    matcher = difflib.SequenceMatcher(None, ours, theirs, autojunk=False)
    if matcher.ratio() < 0.3:
        return html.escape(old), html.escape(new)
    left: list[str] = []
    right: list[str] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        left.append(_part(ours[a:b], tag != "equal"))
        right.append(_part(theirs[c:d], tag != "equal"))
    return "".join(left), "".join(right)


def _part(words: Iterable[str], changed: bool) -> str:
    text = html.escape("".join(words))
    return f"<b>{text}</b>" if changed and text else text
