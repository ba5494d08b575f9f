"""Variations of the rows of tests/ops/samples, for tools/differential.py. Python 3.8 or later.

The same arguments give the same cases everywhere: real MXNet and mxtorch make them for themselves.
"""

from __future__ import annotations

import pathlib
import random
from typing import Any, Callable, Dict, Iterator, List  # noqa: UP035 - Python 3.8

import numpy as onp

from tests import cases, snippets
from tools import census

DTYPES = ("float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool")
ROOMS = ("", "_contrib_", "_linalg_", "_image_", "_random_", "_sparse_", "_")
SPECIAL = (float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1.0, -1.0, 3e38, 1e-40, 7.5)
LARGEST = 2000  # elements of an input
# how a case is run: as mx.nd, adding to gradients, into `out=`, as a Symbol, a Symbol that adds to
# gradients, as a method, or only its shapes
MODES = ("nd",) * 6 + ("add", "out", "sym", "sym", "symadd", "method", "infer")
Params = Dict[str, str]  # noqa: UP006 - evaluated by Python 3.8
Change = Callable[[List[Any], random.Random], List[Any]]  # noqa: UP006 - likewise


def params_of(name: str, table: dict[str, Params]) -> Params | None:
    """The attributes of the operator that rows call by this name, with their types."""
    short = name.rpartition(".")[2]
    found = [room + text for text in (name.replace(".", "_"), short) for room in ROOMS]
    return next((table[text] for text in found if text in table), None)


def attributes() -> dict[str, Params]:
    table = {}
    for record in census.operators():
        kinds = {p[0]: p[1] for p in record.params if "NDArray" not in p[1]}
        table.update(dict.fromkeys(record.names, kinds))
    return table


def base_rows() -> dict[str, list[Any]]:
    """The rows to start from, by the name that they call; not those of mx.np."""
    found: dict[str, list[Any]] = {}
    for name in cases.names():
        if not (cases.TESTS / name.replace("ops/", "ops/samples/")).with_suffix(".py").exists():
            continue
        for row in cases.load(name):
            sizes = [onp.prod(x.shape, dtype=int) for x in row.inputs if x is not None]
            small = max(sizes, default=0) <= LARGEST
            if small and not (row.is_np or row.env or row.raises):
                found.setdefault(row.op, []).append(row)
    return found


def attribute_values(kind: str, old: Any, rng: random.Random) -> Any:
    """Some value for an attribute of this type, or another way to write the one it has."""
    if old is not None and rng.random() < 0.25:
        return rng.choice([str(old), list(old) if isinstance(old, tuple) else old])
    if "None" in kind and rng.random() < 0.25:
        return rng.choice([None, "None"])
    if kind.startswith("{"):
        words = [x.strip(" '") for x in kind[1 : kind.index("}")].split(",")]
        return rng.choice([word for word in words if word != "bfloat16"])
    if kind.startswith("boolean"):
        return rng.choice([True, False, "True", "False", "1", "0", 1, 0])
    if kind.startswith(("int", "long")):
        return rng.choice([-3, -2, -1, 0, 1, 2, 3, 4, "1", "-1", 1.0])
    if kind.startswith(("float", "double", "real")):
        return rng.choice([-1.0, 0.0, 0.5, 1.0, 2.5, 2, "0.5", -0.25, float("inf"), True])
    if kind.startswith("Shape") or "tuple" in kind:
        length = len(old) if isinstance(old, (tuple, list)) else rng.randint(0, 4)
        numbers = tuple(rng.choice([-2, -1, 0, 1, 1, 2, 2, 3]) for _ in range(length))
        return rng.choice([numbers, numbers, list(numbers), str(numbers), rng.choice([-1, 1, 2])])
    return rng.choice(["", "0", "abc", "None"])


def copy_of(array: Any, shape: Any = None, dtype: Any = None) -> Any:
    """An input like this one of another shape or type."""
    shape = array.shape if shape is None else shape
    dtype = array.dtype if dtype is None else dtype
    if isinstance(array, cases.I):
        return cases.I(shape, array.lo, array.hi, dtype)
    if isinstance(array, cases.V):
        values = array.array if shape == array.shape else onp.resize(array.array, shape)
        if dtype[0] in "iub":
            values = onp.clip(onp.nan_to_num(values), 0 if dtype[0] == "u" else -100, 100)
        with onp.errstate(over="ignore"):
            return cases.V(values.astype(dtype), dtype)
    if dtype[0] in "iub":
        return cases.I(shape, -2 if dtype[0] == "i" else 0, 2 if dtype == "bool" else 5, dtype)
    return cases.A(shape, dtype, array.lo, array.hi)


def other_length(inputs: list[Any], rng: random.Random) -> list[Any]:
    """One length becomes another, wherever it occurs or in one input alone."""
    lengths = [n for x in inputs if x is not None for n in x.shape]
    if not lengths:
        return inputs
    old, new = rng.choice(lengths), rng.choice([0, 1, 1, 2, 3, 5])
    only = rng.randrange(len(inputs)) if rng.random() < 0.3 else None
    result = []
    for i, x in enumerate(inputs):
        if x is not None and only in (None, i):
            x = copy_of(x, tuple(new if n == old else n for n in x.shape))
        result.append(x)
    return result


def other_rank(inputs: list[Any], rng: random.Random) -> list[Any]:
    """An axis more or less, in all inputs or in one."""
    only = rng.randrange(len(inputs)) if inputs and rng.random() < 0.3 else None
    add, at, result = rng.random() < 0.5, rng.randint(0, 2), []
    for i, x in enumerate(inputs):
        if x is not None and only in (None, i):
            before, after = x.shape[:at], x.shape[at:]
            shape = (*before, rng.choice([1, 2]), *after) if add else (*before, *after[1:])
            x = copy_of(x, shape) if shape else x
        result.append(x)
    return result


def other_dtype(inputs: list[Any], rng: random.Random) -> list[Any]:
    dtype = rng.choice(DTYPES)
    only = rng.randrange(len(inputs)) if inputs and rng.random() < 0.25 else None
    return [
        x if x is None or only not in (None, i) else copy_of(x, dtype=dtype)
        for i, x in enumerate(inputs)
    ]


def other_values(inputs: list[Any], rng: random.Random) -> list[Any]:
    """Ties, or values like NaN in one float input."""
    places = [i for i, x in enumerate(inputs) if x is not None and x.dtype[0] == "f"]
    if not places:
        return inputs
    result, at = list(inputs), rng.choice(places)
    n = int(onp.prod(result[at].shape, dtype=int))
    pool = SPECIAL if rng.random() < 0.5 else (0.5, 1.0, -1.0)
    values = onp.array([rng.choice(pool) for _ in range(n)], "float64")
    with onp.errstate(all="ignore"):
        result[at] = cases.V(values.reshape(result[at].shape), result[at].dtype)
    return result


def missing_input(inputs: list[Any], rng: random.Random) -> list[Any]:
    if len(inputs) < 2:
        return inputs
    at = rng.randrange(1, len(inputs))
    return [None if i == at else x for i, x in enumerate(inputs)]


CHANGES: tuple[Change, ...] = (
    (other_length,) * 3 + (other_rank,) * 2 + (other_dtype,) * 3 + (other_values,) * 2
)
CHANGES += (missing_input,)


def vary(row: Any, kinds: Params, rng: random.Random) -> Any:
    """The row with one to three things changed."""
    inputs, attrs = list(row.inputs), dict(row.attrs)
    for _ in range(rng.choice([1, 1, 2, 2, 3])):
        if kinds and rng.random() < (0.5 if inputs else 1.0):
            name = rng.choice(sorted(kinds))
            attrs[name] = attribute_values(kinds[name], attrs.get(name), rng)
        elif inputs:
            inputs = rng.choice(CHANGES)(inputs, rng)
    grad = rng.random() < (0.9 if row.grad else 0.25)
    train = row.train if rng.random() < 0.8 else not row.train
    made = cases.S(row.op, *inputs, grad=grad, train=train, seq=row.seq, **attrs)
    made.mode = rng.choice(MODES)
    made.id = f"{made.mode} {made.id}"
    return made


def variations(names: list[str], seed: int, count: int) -> Iterator[Any]:
    """Up to `count` different cases for each of the names; of a file, the snippets in it."""
    files = [name for name in names if name.endswith(".txt")]
    for name in files:
        yield from snippets.snippets(pathlib.Path(name).read_text(encoding="utf-8"))
    rows, table = (base_rows(), attributes()) if len(files) < len(names) else ({}, {})
    for name in [n for n in names if n not in files]:
        rng, seen = random.Random(f"{seed} {name}"), set()
        kinds = params_of(name, table) or {}
        for _ in range(count):
            try:
                case = vary(rng.choice(rows[name]), kinds, rng)
            except (TypeError, ValueError, OverflowError):  # such an array cannot be made
                continue
            if case.id not in seen:
                seen.add(case.id)
                yield case
