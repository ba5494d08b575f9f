"""ONNX operators that run graphs inside them: If, Loop, Scan."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxtorch import symbol
from mxtorch._core.errors import NotSupportedError
from mxtorch.contrib.onnx.onnx2mx.calls import refused
from mxtorch.symbol import Symbol

sym: Any = symbol
# So many times a loop is written out.
_MOST = 1000


def if_(call: Any) -> list[Any]:
    """The branch that runs; both, and a choice between their results, if the graph decides."""
    test = call.known(0)
    if test is not None:
        return _results(call, call.attrs["then_branch" if test.all() else "else_branch"])
    branches = [_results(call, call.attrs[name]) for name in ("then_branch", "else_branch")]
    test = call.symbol(0)
    pairs = zip(*([_symbol(call, value) for value in made] for made in branches), strict=True)
    return [sym.where(sym.broadcast_not_equal(test, sym.zeros_like(a)), a, b) for a, b in pairs]


def _results(call: Any, graph: Any) -> list[Any]:
    call.importer.read(graph)
    return [call.importer.value(output.name) for output in graph.output]


def _symbol(call: Any, value: Any) -> Symbol:
    found: Symbol = value if isinstance(value, Symbol) else call.importer.as_weight(
        f"{call.outputs[0]}_value", value
    )  # fmt: skip
    return found


def loop(call: Any) -> list[Any]:
    """A loop whose number of rounds is known, written out."""
    count, go_on, graph = call.known(0), call.known(1), call.attrs["body"]
    if count is None or count.max() > _MOST or (call.has(1) and go_on is None):
        raise NotSupportedError(
            f"Loop {call.outputs[0]!r}: the number of its rounds is computed by the graph, or "
            f"more than {_MOST}; there is no counterpart in MXNet"
        )
    importer = call.importer
    names = [given.name for given in graph.input]
    kept = [importer.value(name) for name in call.inputs[2:]]
    rows: list[list[Symbol]] = [[] for _ in graph.output[1 + len(kept) :]]
    for number in range(int(count.max())):
        if go_on is not None and not go_on.all():
            break
        test = np.array(True) if go_on is None else go_on
        for name, value in zip(names, [np.array(number), test, *kept], strict=True):
            importer.give(name, value)
        made = _results(call, graph)
        go_on, kept = made[0], made[1 : 1 + len(kept)]
        if not isinstance(go_on, np.ndarray):
            raise refused(call, "a condition that the rounds compute")
        for row, value in zip(rows, made[1 + len(kept) :], strict=True):
            row.append(sym.expand_dims(_symbol(call, value), axis=0))
    return [*kept, *(sym.concat(*row, dim=0) for row in rows)]


def scan(call: Any) -> list[Any]:
    """A graph run over the first axis of its inputs."""
    graph, count = call.attrs["body"], call.attrs["num_scan_inputs"]
    for name in ("axes", "directions"):
        for side in ("input", "output"):
            if any(call.numbers(f"scan_{side}_{name}", ())):
                raise refused(call, f"scan_{side}_{name} other than 0")
    importer = call.importer
    kept = len(call.inputs) - count
    names = [given.name for given in graph.input]

    def step(rows: list[Symbol], states: list[Symbol]) -> tuple[list[Symbol], list[Symbol]]:
        for name, value in zip(names, [*states, *rows], strict=True):
            importer.give(name, value)
        made = [_symbol(call, value) for value in _results(call, graph)]
        return made[kept:], made[:kept]

    inputs = call.symbols()
    rows, states = sym.contrib.foreach(step, inputs[kept:], inputs[:kept])
    return [*_listed(states), *_listed(rows)]


def _listed(made: Any) -> list[Symbol]:
    return list(made) if isinstance(made, (list, tuple)) else [made]
