"""Dtypes of every node where shapes are not known: bodies run on tensors of a shape that fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from mxtorch._core.errors import MXNetError
from mxtorch._graph.infer import (
    META,
    Inferred,
    declared_dtype,
    fill_dtypes,
    inputs_inside,
    located,
    run_on_meta,
)
from mxtorch._graph.node import Entry, Node, walk

Types = Sequence["torch.dtype | None"]
# Shapes to try on an operator; 24 splits into 2, 3, 4, 6, 8 and 12.
_TRIALS = (torch.float32, torch.float64)
_TRIED = tuple((24,) * n for n in (4, 2, 3, 1, 5))


def infer_types(outputs: Sequence[Entry], dtypes: Mapping[str, torch.dtype]) -> Inferred:
    """Dtypes alone, from those of some variables; None for what does not follow."""
    known = Inferred()
    nodes = list(walk(outputs))
    for node in nodes:
        if node.is_variable:
            known.dtypes[id(node), 0] = dtypes.get(node.name, declared_dtype(node))
    calls = [node for node in nodes if not node.is_variable]
    made: dict[Any, Types] = {}
    before = -1
    # A variable may get its type from a later use: go on until nothing more follows.
    while before < (now := sum(d is not None for d in known.dtypes.values())):
        before = now
        for node in calls:
            with located(node, known):
                _infer_node(node, known, made)
        for node in reversed(calls):
            _infer_back(node, known, made)
    return known


def _infer_node(node: Node, known: Inferred, made: dict[Any, Types]) -> None:
    node.check_inputs()
    fill_dtypes(node, known)
    if node.subgraphs:
        _infer_inside(node, known)
        return
    given = [known.dtype(e) for e in node.inputs]
    rule = node.operator().dtypes
    told: Types = rule(given, node.parsed())[1] if rule else ()
    if any(d is not None for d in told):
        known.dtypes.update(((id(node), i), d) for i, d in enumerate(told))
        return
    key = _key(node, given)
    if key not in made:
        # what comes out whatever the unknown types are (`cast`, `argsort`) is known all the same
        trials = _TRIALS if None in given else _TRIALS[:1]
        tries = [_results(node, [d or trial for d in given]) for trial in trials]
        pairs = zip(tries[0], tries[-1], strict=False)  # a trial that fails tells of all outputs
        made[key] = [one if one is other else None for one, other in pairs]
    for index, dtype in enumerate(made[key]):
        known.dtypes[id(node), index] = dtype or known.dtype((node, index))


def _infer_inside(node: Node, known: Inferred) -> None:
    """Types of a node with graphs inside: each graph tells about inputs, the second of results."""
    regions = node.operator().regions
    assert regions is not None
    for position, (graph, region) in enumerate(
        zip(node.subgraphs, regions(node.parsed()), strict=True)
    ):
        pairs = list(zip(inputs_inside(graph), region, strict=True))
        given = {v.name: known.dtype(node.inputs[source]) for v, (source, _) in pairs}
        found = infer_types(graph, {n: d for n, d in given.items() if d is not None})
        for variable, (source, _) in pairs:
            entry = node.inputs[source]
            if known.dtype(entry) is None:
                known.dtypes[id(entry[0]), entry[1]] = found.dtype((variable, 0))
        if position == min(1, len(node.subgraphs) - 1):
            for index, entry in enumerate(graph):
                known.dtypes[id(node), index] = found.dtype(entry)


def _key(node: Node, given: Types) -> Any:
    return node.op_name, tuple(sorted(node.attrs.items())), tuple(given)


def _infer_back(node: Node, known: Inferred, made: dict[Any, Types]) -> None:
    """Inputs have the type of the output where the operator keeps types."""
    op = node.operator()
    dtype = known.dtype((node, 0))
    if dtype is None or op.mixed or "dtype" in op.attrs:
        return
    fixed = made.get(_key(node, [known.dtype(e) for e in node.inputs]), (None,))
    if fixed[0] is not None:
        return  # the output has this type whatever the inputs have
    for entry in node.inputs:
        if known.dtype(entry) is None:
            known.dtypes[id(entry[0]), entry[1]] = dtype


def _results(node: Node, given: Types) -> Types:
    """The types of the outputs; of an operator that no shape fits, by its attributes."""
    attrs = node.parsed()
    for shape in _TRIED if node.inputs else ((),):
        tensors = [
            torch.empty(s, dtype=d, device=META)
            for s, d in zip(_shapes(node, shape), given, strict=True)
        ]
        try:
            return [t.dtype for t in run_on_meta(node, attrs, tensors)]
        except MXNetError:
            continue
    declared = node.operator().complete(attrs).get("dtype")
    first = given[0] if given else torch.float32
    return [declared or first] * node.count_outputs()


def _shapes(node: Node, shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The inputs' shapes if the first has this one."""
    op = node.operator()
    if op.fill is None or op.variadic:
        return [shape] * len(node.inputs)
    partial = node.by_position([shape, *[None] * (len(node.inputs) - 1)])
    try:
        filled = list(op.fill(partial, op.complete(node.parsed())))
    except (MXNetError, IndexError, TypeError, KeyError, ValueError):
        return [shape] * len(node.inputs)  # the run will tell
    by_slot = dict(zip((i.name for i in op.inputs), filled, strict=False))
    return [tuple(by_slot.get(slot) or shape) for slot in node.input_slots()]
