"""One self-contained HTML page: summary, filters, findings, diffs side by side; works from disk."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mxtorch.report.plot import plot
from mxtorch.report.sides import rows

_STYLE = """
:root { color-scheme: light dark; --text: #1c2128; --back: #fff; --line: #d5dae0; --soft: #f3f5f7;
  --link: #0b5cad; --gone: #fdecec; --gone-word: #f5b8b8; --new: #e8f6e8; --new-word: #a9dcae;
  --note: #9a5b00 }
@media (prefers-color-scheme: dark) { :root { --text: #d9dee5; --back: #15181d; --line: #353b44;
  --soft: #1e232a; --link: #77b2f2; --gone: #3b2024; --gone-word: #7c3038; --new: #1b3122;
  --new-word: #2f6a3f; --note: #e2a84b } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 84rem; padding: 0 1rem;
  color: var(--text); background: var(--back) }
h1 { font-size: 1.6rem } h2 { margin-top: 2.2rem; font-size: 1.2rem }
a { color: var(--link); text-decoration: none } a:hover, a:focus { text-decoration: underline }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: break-word }
table:not(.diff) td + td:not(:last-child) { white-space: nowrap }
th { background: var(--soft); position: sticky; top: 0 }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
code, pre, .diff td { font: 13px/1.45 ui-monospace, monospace }
details { margin: .8rem 0; border: 1px solid var(--line); border-radius: 6px; overflow: hidden }
summary { cursor: pointer; font-weight: 600; padding: .4rem .8rem; background: var(--soft) }
.diff { table-layout: fixed; margin: 0 } .diff td { white-space: pre-wrap; border: 0;
  overflow-wrap: anywhere; padding: 0 .6rem }
.diff td:nth-child(2) { border-right: 1px solid var(--line) }
.diff col.n { width: 3.6rem }
.diff td.n { color: color-mix(in srgb, var(--text) 55%, transparent); user-select: none }
.diff td.noted { color: var(--note); font-weight: 700; cursor: help }
.diff td.noted::before { content: "\\25CF\\A0" }
.gone { background: var(--gone) } .new { background: var(--new) }
.diff b { font-weight: inherit; border-radius: 3px }
.gone b { background: var(--gone-word) } .new b { background: var(--new-word) }
.skip td { color: color-mix(in srgb, var(--text) 60%, transparent); background: var(--soft) }
tr:target td { outline: 2px solid var(--link); outline-offset: -2px }
.filters { display: flex; gap: .5rem 1.2rem; flex-wrap: wrap; align-items: center; margin: 1rem 0 }
input[type=search] { padding: .3rem .6rem; min-width: 18rem; font: inherit; color: inherit;
  background: var(--back); border: 1px solid var(--line); border-radius: 6px }
.count { opacity: .7 }
"""
_SCRIPT = """
const boxes = [...document.querySelectorAll('input[data-status]')];
const search = document.querySelector('input[type=search]');
const count = document.querySelector('.count');
function filter() {
  const on = new Set(boxes.filter(b => b.checked).map(b => b.dataset.status));
  const text = search ? search.value.toLowerCase() : '';
  const rows = [...document.querySelectorAll('tr[data-status]')];
  for (const row of rows)
    row.hidden = !on.has(row.dataset.status) || !row.textContent.toLowerCase().includes(text);
  if (count) count.textContent = `${rows.filter(r => !r.hidden).length} of ${rows.length} shown`;
}
for (const box of boxes) box.addEventListener('change', filter);
if (search) search.addEventListener('input', filter);
filter();
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const around = target && target.closest('details');
  if (around) { around.open = true; target.scrollIntoView({block: 'center'}); }
}
addEventListener('hashchange', reveal);
reveal();
"""


@dataclass(frozen=True)
class Link:
    """A cell of a table that leads to another place of the page."""

    text: str
    target: str

    def __str__(self) -> str:
        return self.text


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
            'aria-label="Search"><span class="count" role="status"></span></div>'
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
                f"<td{' class=n' if n else ''}>{_cell(c)}</td>"
                for c, n in zip(row, number, strict=True)
            )
            mark = f' data-status="{html.escape(next(marks))}"' if marks is not None else ""
            lines.append(f"<tr{mark}>{cells}</tr>")
        self.parts.append(
            f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
        )

    def diff(
        self,
        title: str,
        before: str,
        after: str,
        is_open: bool = False,
        notes: Mapping[int, str] | None = None,
        anchor: str = "",
    ) -> None:
        """Two texts side by side, what is equal in both folded away.

        `notes` are shown at lines (from 1) of the first. Links lead to `#{anchor}` and to its
        lines, `#{anchor}-L{line}`.
        """
        lines = "".join(rows(before.splitlines(), after.splitlines(), notes, anchor))
        named = f' id="{html.escape(anchor)}"' if anchor else ""
        self.parts.append(
            f"<details{named}{' open' if is_open else ''}><summary>{html.escape(title)}</summary>"
            '<table class="diff"><colgroup><col class=n><col><col class=n><col></colgroup>'
            f"{lines}</table></details>"
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


def _cell(value: object) -> str:
    text = html.escape(str(value))
    return f'<a href="#{html.escape(value.target)}">{text}</a>' if isinstance(value, Link) else text
