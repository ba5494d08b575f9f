"""Operators whose bodies take sparse arrays as they are, on handles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mxtorch._core import binder
from mxtorch._core.op import Op
from mxtorch._core.storage import SparseValue, Tracked
from mxtorch._front.handle import Handle, Kind, wrap, wrap_value


def run_stored(op: Op, handles: Sequence[Handle], attrs: Mapping[str, Any]) -> list[Any]:
    """What the body makes of the arrays as they are stored, each sparse one with the dense array
    that autograd follows."""
    values: list[Any] = []
    for handle in handles:
        value, live = handle.stored(), handle.live()
        values.append(Tracked(value, live) if isinstance(value, SparseValue) else live)
    try:
        return list(op.body(*values, **attrs))
    except binder.BODY_ERRORS as error:
        raise binder.body_error(op, error, handles, attrs) from error


def values_of(results: Sequence[Any]) -> list[Any]:
    """The results without history."""
    return [r.value if isinstance(r, Tracked) else r for r in results]


def wrap_stored(kind: Kind, results: Sequence[Any]) -> Any:
    """The results' arrays: one, or a list. The history of a sparse one is that of its dense one."""
    arrays = []
    for result, value in zip(results, values_of(results), strict=True):
        array = wrap_value(kind, value)
        if isinstance(result, Tracked):
            array._hist = wrap(kind, result.dense)._hist
        arrays.append(array)
    return arrays[0] if len(arrays) == 1 else arrays
