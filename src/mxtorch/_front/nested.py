"""Nested lists of arrays or symbols as one list and a format, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mxtorch._core.errors import MXNetValueError

# 0: one value; -1: None; n > 0: a value that counts as n; else a list of formats.
Format = int | list[Any]


def format_of(count: int) -> int:
    """The format of a symbol with `count` outputs; put back it is a list, unless it has one."""
    return count if count > 1 else 0


def flatten(
    values: Any, measure: Callable[[Any], int | None], refuse: Callable[[Any], Exception]
) -> tuple[list[Any], Format]:
    """The values in order, and how they were nested.

    `measure` gives a value's format, or None for what is not one; `refuse` the error for what is
    neither a value nor a list.
    """
    format_ = measure(values)
    if format_ is not None:
        return [values], format_
    if not isinstance(values, (list, tuple)):
        raise refuse(values)
    flat: list[Any] = []
    formats: list[Any] = []
    for value in values:
        parts, part_format = flatten(value, measure, refuse)
        flat += parts
        formats.append(part_format)
    return flat, formats


def regroup(flat: Sequence[Any], format_: Format) -> Any:
    """The nesting put back; tuples become lists."""
    result, rest = _regroup(list(flat), format_)
    if rest:
        raise MXNetValueError(f"{len(rest)} outputs are left over from the format {format_}")
    return result


def _regroup(flat: list[Any], format_: Format) -> tuple[Any, list[Any]]:
    if format_ == 0:
        return flat[0], flat[1:]
    if format_ == -1:
        if flat[0] is not None:
            raise MXNetValueError("there is an array where None was before")
        return None, flat[1:]
    if isinstance(format_, int):
        return flat[:format_], flat[format_:]
    result = []
    for part in format_:
        value, flat = _regroup(flat, part)
        result.append(value)
    return result, flat
