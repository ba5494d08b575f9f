"""One self-contained HTML page: summary, filters, findings, diffs side by side; works from disk."""

from __future__ import annotations

import difflib
import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mxtorch.report.plot import plot

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --gone: #f003; --new: #0a03; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 78rem; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
th, td { text-align: left; padding: .2rem .6rem; border-bottom: 1px solid var(--line) }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
code, pre, .diff td { font: 13px/1.4 ui-monospace, monospace }
.diff { table-layout: fixed } .diff td { white-space: pre-wrap; border: 0; padding: 0 .5rem;
  overflow-wrap: anywhere; vertical-align: top } .diff td.n { width: 3rem; opacity: .6 }
.gone { background: var(--gone) } .new { background: var(--new) }
details { margin: .6rem 0 } summary { cursor: pointer; font-weight: 600 }
.filters { display: flex; gap: 1rem; flex-wrap: wrap; margin: 1rem 0 }
.skip td { opacity: .6; background: var(--soft) }
input[type=search] { padding: .3rem .6rem; min-width: 18rem }
"""
_SCRIPT = """
const boxes = [...document.querySelectorAll('input[data-status]')];
const search = document.querySelector('input[type=search]');
function filter() {
  const on = new Set(boxes.filter(b => b.checked).map(b => b.dataset.status));
  const text = search ? search.value.toLowerCase() : '';
  for (const row of document.querySelectorAll('tr[data-status]'))
    row.hidden = !on.has(row.dataset.status) || !row.textContent.toLowerCase().includes(text);
}
for (const box of boxes) box.addEventListener('change', filter);
if (search) search.addEventListener('input', filter);
"""
_AROUND = 3


@dataclass
class Page:
    """A page that grows part by part."""

    title: str
    parts: list[str] = field(default_factory=list)

    def heading(self, text: str, level: int = 2) -> None:
        """A heading."""
        self.parts.append(f"<h{level}>{html.escape(text)}</h{level}>")

    def paragraph(self, text: str) -> None:
        """A paragraph."""
        self.parts.append(f"<p>{html.escape(text)}</p>")

    def filters(self, counts: Mapping[str, int]) -> None:
        """A box for each status and a field to search; rows with `statuses` obey them."""
        boxes = "".join(
            f'<label><input type="checkbox" checked data-status="{html.escape(s)}"> '
            f"{html.escape(s)} ({n})</label>"
            for s, n in counts.items()
        )
        self.parts.append(
            f'<div class="filters">{boxes}<input type="search" placeholder="Search" '
            'aria-label="Search"></div>'
        )

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[object]],
        statuses: Iterable[str] | None = None,
    ) -> None:
        """A table; columns whose name begins with `#` are numbers."""
        number = [c.startswith("#") for c in columns]
        head = "".join(
            f"<th{' class=n' if n else ''}>{html.escape(c.lstrip('#'))}</th>"
            for c, n in zip(columns, number, strict=True)
        )
        marks = iter(statuses) if statuses is not None else None
        lines = []
        for row in rows:
            cells = "".join(
                f"<td{' class=n' if n else ''}>{html.escape(str(c))}</td>"
                for c, n in zip(row, number, strict=True)
            )
            mark = f' data-status="{html.escape(next(marks))}"' if marks is not None else ""
            lines.append(f"<tr{mark}>{cells}</tr>")
        self.parts.append(
            f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
        )

    def diff(self, title: str, before: str, after: str, is_open: bool = False) -> None:
        """Two texts side by side, what is equal in both folded away."""
        rows = "".join(_diff_rows(before.splitlines(), after.splitlines()))
        self.parts.append(
            f"<details{' open' if is_open else ''}><summary>{html.escape(title)}</summary>"
            f'<table class="diff">{rows}</table></details>'
        )

    def curves(self, title: str, curves: Mapping[str, Sequence[float]]) -> None:
        """Lines over their positions, drawn one over the other, with a table below."""
        self.parts.append(f"<h3>{html.escape(title)}</h3>{plot(curves)}")

    def render(self) -> str:
        """The page."""
        title = html.escape(self.title)
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<style>{_STYLE}</style></head><body><h1>{title}</h1>{''.join(self.parts)}"
            f"<script>{_SCRIPT}</script></body></html>\n"
        )


def _diff_rows(before: list[str], after: list[str]) -> Iterable[str]:
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for group in matcher.get_grouped_opcodes(_AROUND):
        first = group[0]
        yield f'<tr class="skip"><td class=n></td><td colspan=3>line {first[1] + 1}</td></tr>'
        for tag, a, b, c, d in group:
            for i in range(max(b - a, d - c)):
                yield _diff_row(
                    tag, before, after, a + i if a + i < b else None, c + i if c + i < d else None
                )


def _diff_row(
    tag: str, before: list[str], after: list[str], left: int | None, right: int | None
) -> str:
    cells = []
    for lines, number, mark in ((before, left, "gone"), (after, right, "new")):
        if number is None:
            cells.append("<td class=n></td><td></td>")
        else:
            cls = "" if tag == "equal" else f" class={mark}"
            cells.append(f"<td class=n>{number + 1}</td><td{cls}>{html.escape(lines[number])}</td>")
    return f"<tr>{''.join(cells)}</tr>"
