"""Tables on the terminal, whole in a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

_NO_TERMINAL_WIDTH = 1000  # a pipe has no edge at which to cut off names


class Column(NamedTuple):
    """A column: long names are folded, all else stays in one line; numbers stand on the right."""

    title: str
    fold: bool = False
    right: bool = False


def print_table(columns: Iterable[Column], rows: Iterable[Sequence[str]]) -> None:
    """Print rows of texts, which may hold any characters."""
    table = Table(box=box.SIMPLE_HEAD)
    for title, fold, right in columns:
        justify, overflow = ("right" if right else "left"), ("fold" if fold else "ellipsis")
        table.add_column(title, justify=justify, overflow=overflow, no_wrap=not fold)  # type: ignore[arg-type] # they are texts of its lists
    for row in rows:
        table.add_row(*map(escape, row))
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_NO_TERMINAL_WIDTH)
    console.print(table)
