"""Loops and branches over graphs: `_foreach`, `_while_loop`, `_cond`.

A graph is a function of tensors that gives a tuple of tensors; which inputs of the operator it is
given is told by the `…_locs` attributes. They are plain Python loops, so that what a condition says
is looked at when the graph runs. What is exported has no such loop: there a loop is written out for
all its steps, and of what both branches give one is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import torch
from torch import Tensor

from mxtorch._core.ambient import Graphs, NpShape
from mxtorch._core.attrs import Count, IntKind, Natural, TupleKind
from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetValueError
from mxtorch._core.op import Attrs, op
from mxtorch._ops._shapes import at_least_1d

Longs: TypeAlias = Annotated[tuple[int, ...], TupleKind(IntKind(), "tuple of <long>")]
# The most steps of a loop that are written out.
_MOST_STEPS = 256
# For each input of a graph: the operator's input, and how many leading axes it loses.
Region = list[tuple[int, int]]


def _foreach_regions(attrs: Attrs) -> list[Region]:
    data, states = attrs["in_data_locs"], attrs["in_state_locs"]
    places = [*data, *states, *attrs["remain_locs"]]
    sources = {place: (i, int(i < len(data))) for i, place in enumerate(places)}
    return [[sources[place] for place in sorted(sources)]]


def _while_regions(attrs: Attrs) -> list[Region]:
    return [[(i, 0) for i in attrs[f"{graph}_input_locs"]] for graph in ("cond", "func")]


def _cond_regions(attrs: Attrs) -> list[Region]:
    return [[(i, 0) for i in attrs[f"{graph}_input_locs"]] for graph in ("cond", "then", "else")]


def _check_graphs(graphs: Graphs, count: int) -> None:
    if len(graphs) != count:
        raise MXNetError(
            f"needs {count} graph(s) inside, it has {len(graphs)}; "
            "it is made by the functions of contrib that have its name"
        )


def _flag(condition: Tensor) -> Tensor:
    """What a condition of one element says, as a tensor."""
    if condition.numel() != 1:
        raise MXNetValueError(f"the condition must have one element, not {tuple(condition.shape)}")
    return condition.reshape(()) != 0


def is_true(condition: Tensor) -> bool:
    """What a condition of one element says."""
    return bool(_flag(condition).item())


@op(outputs=lambda attrs: attrs["num_outputs"], regions=_foreach_regions, mixed=True)
def _foreach(
    *data: Tensor,
    num_outputs: int,
    num_out_data: int,
    in_state_locs: Longs,
    in_data_locs: Longs,
    remain_locs: Longs,
    graphs: Graphs = (),
    np_shape: NpShape = False,
) -> tuple[Tensor, ...]:
    """The graph run on each slice of the data along axis 0, with states handed on.

    Gives the outputs of all runs, stacked, and the last states.
    """
    _check_graphs(graphs, 1)
    count, states = len(in_data_locs), list(data[len(in_data_locs) :][: len(in_state_locs)])
    rest = data[count + len(states) :]
    lengths = {tensor.shape[:1] for tensor in data[:count]}
    if len(lengths) != 1 or not (length := next(iter(lengths))) or not length[0]:
        shapes = ", ".join(str(tuple(t.shape)) for t in data[:count])
        raise MXNetShapeError(f"the data must have one length, of 1 or more: {shapes or 'none'}")
    arguments: list[Tensor | None] = [None] * (len(in_data_locs) + len(states) + len(rest))
    _put(arguments, remain_locs, rest)
    rows: list[tuple[Tensor, ...]] = []
    slices = [tensor.unbind(0) for tensor in data[:count]]
    if not np_shape:
        slices = [tuple(at_least_1d(part) for part in parts) for parts in slices]
    for step in zip(*slices, strict=True):
        _put(arguments, in_data_locs, step)
        _put(arguments, in_state_locs, states)
        results = graphs[0](*arguments)
        rows.append(results[:num_out_data])
        states = list(results[num_out_data:])
        if step[0].is_meta:  # one run tells the shapes
            rows *= length[0]
            break
    return (*(torch.stack(column) for column in zip(*rows, strict=True)), *states)


def _put(arguments: list[Tensor | None], places: Sequence[int], tensors: Sequence[Tensor]) -> None:
    for place, tensor in zip(places, tensors, strict=True):
        arguments[place] = tensor


@op(outputs=lambda attrs: attrs["num_outputs"], regions=_while_regions, mixed=True)
def _while_loop(
    *data: Tensor,
    num_outputs: Count,
    num_out_data: Natural,
    max_iterations: Count,
    cond_input_locs: Longs,
    func_input_locs: Longs,
    func_var_locs: Longs,
    graphs: Graphs = (),
) -> tuple[Tensor, ...]:
    """The second graph run as long as the first says so, at most `max_iterations` times.

    Gives its outputs, stacked and filled up with zeros (MXNet leaves what was there), and the last
    loop variables.
    """
    _check_graphs(graphs, 2)
    values = list(data)
    rows: list[tuple[Tensor, ...]] = []
    if torch.compiler.is_compiling():
        places = (cond_input_locs, func_input_locs, func_var_locs)
        return _written_out(values, num_out_data, max_iterations, places, graphs)
    while len(rows) < max_iterations:
        on_meta = any(tensor.is_meta for tensor in data)
        if not on_meta and not is_true(graphs[0](*(values[i] for i in cond_input_locs))[0]):
            break
        results = graphs[1](*(values[i] for i in func_input_locs))
        rows.append(results[:num_out_data])
        for place, value in zip(func_var_locs, results[num_out_data:], strict=True):
            values[func_input_locs[place]] = value
        if on_meta:
            break
    last = [values[func_input_locs[place]] for place in func_var_locs]
    if not rows:  # it only tells the shapes
        with torch.no_grad():
            first = graphs[1](*(values[i] for i in func_input_locs))[:num_out_data]
        outputs = [tensor.new_zeros((max_iterations, *tensor.shape)) for tensor in first]
        return (*outputs, *(tensor.clone() for tensor in last))
    columns = [list(column) for column in zip(*rows, strict=True)]
    for column in columns:
        column += [torch.zeros_like(column[0])] * (max_iterations - len(column))
    return (*(torch.stack(column) for column in columns), *last)


def _written_out(
    values: list[Tensor], count: int, steps: int, places: Sequence[Longs], graphs: Graphs
) -> tuple[Tensor, ...]:
    """The loop with all its steps; those after the condition has failed change nothing."""
    if steps > _MOST_STEPS:
        raise MXNetValueError(
            f"max_iterations={steps}: what is exported has each step, {_MOST_STEPS} at most"
        )
    conditions, inputs, variables = places
    rows: list[list[Tensor]] = []
    goes_on: Tensor | None = None
    for _ in range(steps):
        said = _flag(graphs[0](*(values[i] for i in conditions))[0])
        goes_on = said if goes_on is None else goes_on & said
        results = graphs[1](*(values[i] for i in inputs))
        rows.append([torch.where(goes_on, r, torch.zeros_like(r)) for r in results[:count]])
        for place, value in zip(variables, results[count:], strict=True):
            values[inputs[place]] = torch.where(goes_on, value, values[inputs[place]])
    columns = zip(*rows, strict=True)
    return (*map(torch.stack, map(list, columns)), *(values[inputs[place]] for place in variables))


@op(outputs=lambda attrs: attrs["num_outputs"], regions=_cond_regions, mixed=True)
def _cond(
    *data: Tensor,
    num_outputs: Count,
    cond_input_locs: Longs,
    then_input_locs: Longs,
    else_input_locs: Longs,
    graphs: Graphs = (),
) -> tuple[Tensor, ...]:
    """The second graph if the first says so, else the third."""
    _check_graphs(graphs, 3)
    on_meta = any(tensor.is_meta for tensor in data)
    if torch.compiler.is_compiling():
        return _chosen(
            _flag(graphs[0](*(data[i] for i in cond_input_locs))[0]),
            graphs[1](*(data[i] for i in then_input_locs)),
            graphs[2](*(data[i] for i in else_input_locs)),
        )
    if on_meta or is_true(graphs[0](*(data[i] for i in cond_input_locs))[0]):
        return graphs[1](*(data[i] for i in then_input_locs))
    return graphs[2](*(data[i] for i in else_input_locs))


def _chosen(flag: Tensor, yes: Sequence[Tensor], no: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """What one of two branches has given."""
    shapes = [[tuple(t.shape) for t in branch] for branch in (yes, no)]
    if shapes[0] != shapes[1]:
        raise MXNetShapeError(
            f"its branches give {shapes[0]} and {shapes[1]}; what is exported has one shape"
        )
    return tuple(torch.where(flag, a, b) for a, b in zip(yes, no, strict=True))
