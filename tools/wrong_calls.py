"""Calls of operators with one thing wrong, for tools/differential.py. Python 3.8 or later.

Attributes beyond their bounds, of another length, twice the same, absent, not to be read; axes that
are not there; an input of a rank, a length or a type that does not fit, left out or too many.
"""

from __future__ import annotations

import random
from typing import Any, Dict, Iterator, List, Tuple  # noqa: UP035 - Python 3.8

from tests import cases
from tools import variations

Changed = Tuple[List[Any], Dict[str, Any]]  # noqa: UP006 - evaluated by Python 3.8
ROWS = 6  # of each operator, those whose attributes or ranks differ most


def cases_of(names: list[str], seed: int, count: int) -> Iterator[Any]:
    """Up to `count` variations for each of the names; calls with one thing wrong below 0."""
    if count >= 0:
        yield from variations.variations(names, seed, count)
        return
    rows, table = variations.base_rows(), variations.attributes()
    for name in names:
        found: dict[str, Any] = {}
        for row in unlike(rows[name]):
            for case in wrong(row, variations.params_of(name, table) or {}):
                found.setdefault(case.id, case)
        some = random.Random(f"{seed} {name}").sample(sorted(found), min(len(found), -count))
        yield from (found[i] for i in some)


def unlike(rows: list[Any]) -> list[Any]:
    """Some of the rows: of other attributes and other ranks."""
    kinds: dict[Any, Any] = {}
    for row in rows:
        ranks = tuple(x and len(x.shape) for x in row.inputs)
        kinds.setdefault((tuple(sorted(row.attrs)), ranks), row)
    return sorted(kinds.values(), key=lambda row: -len(row.attrs))[:ROWS]


def wrong(row: Any, kinds: variations.Params) -> Iterator[Any]:
    """The row with one thing wrong, in every way that is known here."""
    for inputs, attrs in [*wrong_attributes(row, kinds), *wrong_inputs(row)]:
        try:
            made = cases.S(row.op, *inputs, grad=row.grad, train=row.train, seq=row.seq, **attrs)
        except (TypeError, ValueError, OverflowError):  # such an array cannot be made
            continue
        made.mode = "nd"
        made.id = f"nd {made.id}"
        yield made


def wrong_attributes(row: Any, kinds: variations.Params) -> Iterator[Changed]:
    inputs = list(row.inputs)
    ranks = [len(x.shape) for x in inputs if x is not None]
    yield inputs, {**row.attrs, "no_such_attribute": 1}
    for name, old in row.attrs.items():
        yield inputs, {k: v for k, v in row.attrs.items() if k != name}
        for value in wrong_values(kinds.get(name, ""), old, ranks[0] if ranks else 0):
            yield inputs, {**row.attrs, name: value}
    for name in set(kinds) - set(row.attrs):
        for value in wrong_values(kinds[name], None, ranks[0] if ranks else 0):
            yield inputs, {**row.attrs, name: value}


def wrong_values(kind: str, old: Any, rank: int) -> list[Any]:
    """Values that an attribute of this kind should hardly have."""
    if kind.startswith("{") or "," in kind.partition(" or ")[0]:
        return ["no_such_word", ""]
    if kind.startswith("boolean"):
        return ["maybe", 2]
    if kind.startswith(("int", "long")):
        return [-1, 0, 100, rank, rank - 1, -rank, -rank - 1, 1.5, "abc"]
    if kind.startswith(("float", "double", "real")):
        return [-1.0, -0.5, 0.0, 1.5, float("nan"), "abc"]
    if not (kind.startswith("Shape") or "tuple" in kind):
        return []
    if not isinstance(old, (tuple, list)) or not old:
        return [(0,), (-1,), (rank,), (-rank - 1,), (0, 0), (1, 1), (1, 1, 1), (0, 1, 2, 3, 4)]
    old = tuple(old)
    found: list[Any] = ["abc", (*old[:-1],), (*old, old[-1]), (old[0],) * len(old)]
    for at in range(len(old)):
        found += [(*old[:at], n, *old[at + 1 :]) for n in (0, -1, -2, rank, -rank - 1, 100)]
    return found


def wrong_inputs(row: Any) -> Iterator[Changed]:
    inputs, attrs = list(row.inputs), dict(row.attrs)
    if inputs:
        yield [*inputs, inputs[-1]], attrs
        yield inputs[:-1], attrs
    for at, x in enumerate(inputs):
        if x is None:
            continue
        for shape in wrong_shapes(x.shape):
            yield [*inputs[:at], variations.copy_of(x, shape), *inputs[at + 1 :]], attrs
        for dtype in ("float64", "float16", "int32", "uint8", "bool"):
            if dtype != x.dtype:
                other = variations.copy_of(x, dtype=dtype)
                yield [*inputs[:at], other, *inputs[at + 1 :]], attrs
        if len(inputs) > 1:
            yield [*inputs[:at], None, *inputs[at + 1 :]], attrs


def wrong_shapes(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """An axis more, an axis less, an axis longer."""
    yield (*shape, 1)
    yield (1, *shape)
    if len(shape) > 1:
        yield shape[:-1]
        yield shape[1:]
    for at, n in enumerate(shape):
        for length in (n + 1, 1):
            if length != n:
                yield (*shape[:at], length, *shape[at + 1 :])
