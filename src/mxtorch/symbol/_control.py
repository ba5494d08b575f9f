"""Control flow in graphs: the body is composed once, cut out, and kept inside a node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mxtorch._core.errors import MXNetAssertionError, MXNetValueError
from mxtorch._front.nested import Format, flatten, format_of, regroup
from mxtorch._graph.naming import AttrScope, NameManager, hide_keys
from mxtorch._graph.node import Entry, Node
from mxtorch._graph.subgraph import MARK, cut, is_inside, unique_name
from mxtorch.ndarray._control import check_iterations
from mxtorch.symbol._namespace import compose
from mxtorch.symbol.symbol import Group, Symbol, var

__all__ = ["cond", "foreach", "while_loop"]


class _Inside:
    """The scope in which a body is composed; its nodes are marked with the subgraph's name."""

    def __init__(self, name: str) -> None:
        self.name = unique_name(name)
        self._scope = AttrScope(**{MARK: self.name})

    def __enter__(self) -> _Inside:
        self._scope.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._scope.__exit__(*exc)

    def own(self, symbol: Symbol, others: Sequence[Symbol] = ()) -> Symbol:
        """The symbol if an operator inside makes it, and none of `others`; else a copy of it."""
        node = symbol._outputs[0][0]
        if is_inside(node, self.name) and node.name not in [o.name for o in others]:
            return symbol
        return compose("identity", symbol)

    def cut(self, outputs: Sequence[Symbol]) -> tuple[list[Entry], dict[str, Entry]]:
        """The graph of the outputs, and what its variables stand for outside."""
        return cut(Group(outputs)._outputs, self.name)


def _flatten(values: Any, role: str) -> tuple[list[Symbol], Format]:
    def refuse(value: Any) -> Exception:
        return MXNetAssertionError(
            f"{role} must be (nested) list of Symbol, but got {value} of type {type(value)}"
        )

    return flatten(values, lambda v: format_of(len(v)) if isinstance(v, Symbol) else None, refuse)


def _stand_ins(symbols: Sequence[Symbol]) -> list[Symbol]:
    """The variables that a body sees in place of the symbols: 'data-0'."""
    entries = [symbol._outputs[0] for symbol in symbols]
    return [var(f"{node.name}-{index}") for node, index in entries]


def _node(
    op_name: str, inputs: Sequence[Entry], graphs: Sequence[list[Entry]], **attrs: Any
) -> list[Symbol]:
    """The outputs of a new node with graphs inside."""
    name = NameManager.current.get(None, op_name)
    texts = {key: str(value) for key, value in attrs.items()}
    texts["num_args"] = str(len(inputs) + len(graphs))
    hidden = {**texts, **hide_keys(AttrScope.current.get(None))}
    node = Node(op_name, name, hidden, inputs, graphs)
    return [Symbol([(node, i)]) for i in range(node.count_outputs())]


def foreach(
    body: Callable[..., Any], data: Any, init_states: Any, name: str = "foreach"
) -> tuple[Any, Any]:
    """`body(slice, states)` → (outputs, states) for each slice of `data` along axis 0.

    Gives the outputs of all steps, stacked along a new axis 0, and the last states. The body is
    called once; what it uses from outside becomes an input of the loop.
    """
    flat_data, data_format = _flatten(data, "foreach input")
    flat_states, state_format = _flatten(init_states, "foreach states")
    with _Inside(name) as inside:
        slices, states = _stand_ins(flat_data), _stand_ins(flat_states)
        outputs, new = body(regroup(slices, data_format), regroup(states, state_format))
        flat_out, out_format = _flatten(outputs, "foreach output")
        flat_new, new_format = _flatten(new, "foreach loop_vars")
        if new_format != state_format:
            raise MXNetAssertionError("The input and output loop_vars have different format")
        results = [inside.own(symbol) for symbol in flat_out]
        results += [inside.own(symbol, flat_out) for symbol in flat_new]
        graph, captured = inside.cut(results)
    names = list(captured)
    places = {id(entry[0]): i for i, entry in enumerate(captured.values())}
    locs = []
    for what, symbols in (("data", slices), ("state", states)):
        found = [places.get(id(symbol._outputs[0][0])) for symbol in symbols]
        if None in found:
            raise MXNetAssertionError(f"the {what} arrays have to be used in the loop body")
        locs.append(found)
    remain = [i for i in range(len(names)) if i not in locs[0] + locs[1]]
    inputs = [symbol._outputs[0] for symbol in [*flat_data, *flat_states]]
    inputs += [captured[names[i]] for i in remain]
    made = _node(
        "_foreach",
        inputs,
        [graph],
        num_outputs=len(results),
        num_out_data=len(flat_out),
        in_state_locs=locs[1],
        in_data_locs=locs[0],
        remain_locs=remain,
    )
    count = len(flat_out)
    return regroup(made[:count], out_format), regroup(made[count:], state_format)


def _union(
    cuts: Sequence[dict[str, Entry]], stands: dict[int, Entry]
) -> tuple[list[Entry], list[list[int]]]:
    """The inputs that several graphs need, and for each graph which of them it takes.

    `stands` has what variables inside stand for. A variable that two graphs use is one input.
    """
    inputs: list[Entry] = []
    places: dict[str, int] = {}
    locs = []
    for captured in cuts:
        found = []
        for name, entry in captured.items():
            is_shared = entry[0].is_variable
            if not (is_shared and name in places):
                inputs.append(stands.get(id(entry[0]), entry))
                if is_shared:
                    places[name] = len(inputs) - 1
                found.append(len(inputs) - 1)
            else:
                found.append(places[name])
        locs.append(found)
    return inputs, locs


class _LoopVars:
    """The variables of a while loop; each graph inside sees stand-ins of its own."""

    def __init__(self, symbols: Sequence[Symbol], format_: Format) -> None:
        self._symbols = symbols
        self._format = format_
        self.stands: dict[int, Entry] = {}

    def stand_in(self) -> tuple[list[Symbol], list[Any]]:
        """New stand-ins, flat and as arguments of a function."""
        made = _stand_ins(self._symbols)
        for inside, outside in zip(made, self._symbols, strict=True):
            self.stands[id(inside._outputs[0][0])] = outside._outputs[0]
        grouped = regroup(made, self._format)
        return made, [grouped] if isinstance(grouped, Symbol) else grouped


def while_loop(
    cond: Callable[..., Any],
    func: Callable[..., Any],
    loop_vars: Any,
    max_iterations: int | None = None,
    name: str = "while_loop",
) -> tuple[Any, Any]:
    """`func(*loop_vars)` → (outputs, loop variables) as long as `cond(*loop_vars)` is true.

    Gives the outputs of all steps, stacked along a new axis 0 of length `max_iterations` (zeros
    where there was no step), and the last loop variables.
    """
    limit = check_iterations(max_iterations)
    if limit < 1:
        raise MXNetValueError(f"max_iterations={limit} must be 1 or more")
    if isinstance(loop_vars, (list, tuple)) and not loop_vars:
        raise MXNetValueError("loop_vars should contain at least one element")
    flat, format_ = _flatten(loop_vars, "while loop_vars")
    variables = _LoopVars(flat, format_)
    with _Inside(f"{name}_cond") as inside:
        answer = cond(*variables.stand_in()[1])
        if not isinstance(answer, Symbol):
            raise MXNetValueError("Return of cond must be a Symbol")
        cond_graph, cond_captured = inside.cut([inside.own(answer)])
    with _Inside(f"{name}_func") as inside:
        own, arguments = variables.stand_in()
        outputs, new = func(*arguments)
        flat_out, out_format = _flatten([] if outputs is None else outputs, "while output")
        flat_new, _ = _flatten([] if new is None else new, "while loop_vars")
        if len(flat_new) != len(flat):
            raise MXNetValueError("The number of loop_vars should be consistent during the loop")
        results = [inside.own(symbol) for symbol in flat_out]
        results += [inside.own(symbol, flat_out) for symbol in flat_new]
        graph, captured = inside.cut(results)
    inputs, locs = _union([cond_captured, captured], variables.stands)
    made = _node(
        "_while_loop",
        inputs,
        [cond_graph, graph],
        num_outputs=len(results),
        num_out_data=len(flat_out),
        max_iterations=limit,
        cond_input_locs=locs[0],
        func_input_locs=locs[1],
        func_var_locs=_find_vars(captured, own),
    )
    count = len(flat_out)
    return regroup(made[:count], out_format), regroup(made[count:], format_)


def _find_vars(captured: dict[str, Entry], own: Sequence[Symbol]) -> list[int]:
    """Where the loop variables are among the inputs of the graph."""
    places = {id(entry[0]): i for i, entry in enumerate(captured.values())}
    found = [places.get(id(symbol._outputs[0][0]), -1) for symbol in own]
    if -1 in found:
        number = 1 + found.index(-1)
        raise MXNetValueError(f"The {number}-th loop_var doesn't involve into the computation")
    return found


def cond(
    pred: Symbol, then_func: Callable[[], Any], else_func: Callable[[], Any], name: str = "cond"
) -> Any:
    """What `then_func()` gives if `pred` (one element) is true, else what `else_func()` gives."""
    cuts: list[tuple[list[Entry], dict[str, Entry]]] = []
    formats: list[Format] = []
    counts = []
    for part, make in (("pred", lambda: pred), ("then", then_func), ("else", else_func)):
        with _Inside(f"{name}_{part}") as inside:
            flat, format_ = _flatten(make(), "cond outputs")
            cuts.append(inside.cut([inside.own(symbol) for symbol in flat]))
        formats.append(format_)
        counts.append(len(flat))
    if counts[1] != counts[2]:
        raise MXNetValueError("Number of outputs differs between then-branch and else-branch")
    inputs, locs = _union([captured for _, captured in cuts], {})
    made = _node(
        "_cond",
        inputs,
        [graph for graph, _ in cuts],
        num_outputs=counts[1],
        cond_input_locs=locs[0],
        then_input_locs=locs[1],
        else_input_locs=locs[2],
    )
    return regroup(made, formats[1])
