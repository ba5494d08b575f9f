"""Texts that several files of Gluon print."""

from __future__ import annotations

from collections.abc import Iterable


def indent(text: str, spaces: int) -> str:
    """The text with all lines but the first moved to the right."""
    return text.replace("\n", "\n" + " " * spaces)


def brief_list(names: Iterable[str], limit: int = 7) -> str:
    """Quoted names, those in the middle left out if there are more than `limit`."""
    names = [f"'{name}'" for name in names]
    if len(names) > limit:
        names = [*names[: limit // 2], "...", *names[-(limit - limit // 2) :]]
    return ", ".join(names)
