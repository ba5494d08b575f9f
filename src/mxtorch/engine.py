"""MXNet's engine gathers operators into bulks; torch runs each at once, with the same results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["bulk", "set_bulk_size"]

_size = 0


def set_bulk_size(size: int) -> int:
    """Note the size of bulks, which changes no result; returns what it was."""
    global _size
    before, _size = _size, int(size)
    return before


@contextmanager
def bulk(size: int) -> Iterator[None]:
    """A scope with another size of bulks."""
    before = set_bulk_size(size)
    try:
        yield
    finally:
        set_bulk_size(before)
