"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A table; columns whose name begins with `#` are numbers."""
    made = Table(title=title, title_justify="left", show_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column.lstrip("#"), justify="right" if column.startswith("#") else "left")
    for row in rows:
        made.add_row(*(str(cell) for cell in row))
    return made


def show(*parts: object) -> None:
    """Print tables and lines; wide ones are not cut where the output is no terminal."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=160)
    for part in parts:
        console.print(part, markup=False) if isinstance(part, str) else console.print(part)
