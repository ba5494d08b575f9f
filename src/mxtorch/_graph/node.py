"""The graph behind a Symbol: nodes and the outputs of them that are used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from mxtorch._core.binder import read_attrs
from mxtorch._core.errors import MXNetShapeError, NotSupportedError
from mxtorch._core.op import Op, lookup

VARIABLE = "null"


class Node:
    """A variable (`op_name` 'null') or an operator's call; `attrs` are texts, as in the files.

    `subgraphs` are the outputs of the graphs that a control flow operator runs.
    """

    __slots__ = ("_parsed", "attrs", "inputs", "name", "op", "op_name", "subgraphs")

    def __init__(
        self,
        op_name: str,
        name: str,
        attrs: dict[str, str] | None = None,
        inputs: Sequence[Entry] = (),
        subgraphs: Sequence[Sequence[Entry]] = (),
    ) -> None:
        self.op: Op | None = None if op_name == VARIABLE else lookup(op_name)
        # MXNet files carry the registered name, whatever alias the program used
        self.op_name = self.op.name if self.op else op_name
        self.name = name
        self.attrs = attrs or {}
        self.inputs = list(inputs)
        self.subgraphs = tuple(subgraphs)
        self._parsed: dict[str, Any] | None = None

    @property
    def is_variable(self) -> bool:
        """Whether the node stands for an array from outside."""
        return self.op_name == VARIABLE

    def operator(self) -> Op:
        """The operator, or an error if mxtorch does not have it."""
        if self.op is None:
            raise NotSupportedError(
                f"node {self.name!r}: operator {self.op_name!r} is not available in mxtorch. "
                "Cut the graph before it (get_internals(), or --node of mxtorch convert)."
            )
        return self.op

    def parsed(self) -> dict[str, Any]:
        """The operator's attributes as its body wants them."""
        if self._parsed is None:
            op = self.operator()
            own = {k: v for k, v in self.attrs.items() if op.free or k in op.attrs}
            self._parsed = read_attrs(op, own)
        return self._parsed

    def _facts(self) -> dict[str, Any]:
        """The attributes, and the number of inputs where the operator takes any number."""
        op = self.operator()
        if op.variadic and op.count:
            return {op.count: len(self.inputs), **self.parsed()}
        return self.parsed()

    def count_outputs(self) -> int:
        """How many outputs the node computes."""
        return 1 if self.op is None else self.op.count_outputs(self._facts())

    def count_visible(self) -> int:
        """How many of them a composition sees."""
        return 1 if self.op is None else self.op.count_visible(self._facts())

    def input_slots(self) -> list[str]:
        """The operator's name for each input, in order."""
        op = self.operator()
        if op.variadic:
            named = op.needs(op.complete(self.parsed())) if op.needs else ()
            return [*named, *(f"arg{i}" for i in range(len(named), len(self.inputs)))]
        names = op.input_names(self.parsed())
        if len(names) >= len(self.inputs):
            return list(names[: len(self.inputs)])
        return [i.name for i in op.inputs][: len(self.inputs)]

    def check_inputs(self) -> None:
        """Raise MXNetShapeError if a file gives the node more or fewer inputs than it takes."""
        op, count = self.operator(), len(self.inputs)
        if op.variadic:
            return
        needed = op.input_names(self.parsed())
        if not len(needed) <= count <= len(op.inputs):
            names = ", ".join(needed) or "none"
            raise MXNetShapeError(
                f"{self.op_name} {self.name!r}: has {count} inputs; it takes {names}"
            )

    def monitored_slots(self) -> list[str]:
        """What monitors call each input."""
        return self.input_slots() if self.operator().is_listed else ["input0"]

    def by_position(self, values: Sequence[Any]) -> list[Any]:
        """Values of the inputs in the order of the operator's own; None for one that is absent."""
        op = self.operator()
        if op.variadic:
            return list(values)
        by_slot = dict(zip(self.input_slots(), values, strict=False))
        return [by_slot.get(spec.name) for spec in op.inputs]

    def output_name(self, index: int) -> str:
        """The name of one output: 'fc_output', 'split_output1'."""
        if self.is_variable:
            return self.name
        names = () if self.op is None else self.op.name_outputs(self.parsed())
        if index < len(names):
            return f"{self.name}_{names[index]}"
        if self.count_outputs() == 1:
            return f"{self.name}_output"
        return f"{self.name}_output{index}"


Entry = tuple[Node, int]


def walk(
    outputs: Iterable[Entry], enter: Callable[[Node], bool] = lambda node: True
) -> Iterator[Node]:
    """Every node below the outputs once, inputs first: depth-first, left to right.

    What is below a node that `enter` does not want is left out.
    """
    seen: set[int] = set()
    for top, _ in outputs:
        if id(top) in seen:
            continue
        stack: list[tuple[Node, int]] = [(top, 0)]
        seen.add(id(top))
        while stack:
            node, position = stack.pop()
            while position < len(node.inputs) and enter(node):
                child = node.inputs[position][0]
                position += 1
                if id(child) not in seen:
                    seen.add(id(child))
                    stack.append((node, position))
                    node, position = child, 0
            yield node


def walk_all(outputs: Iterable[Entry]) -> Iterator[Node]:
    """Every node of the graph and of the graphs inside it."""
    for node in walk(outputs):
        yield node
        for graph in node.subgraphs:
            yield from walk_all(graph)


def auxiliary(nodes: Iterable[Node]) -> set[int]:
    """The ids of the variables that operators write: moving statistics and their like.

    Those of the graphs inside are arguments to MXNet: see `written_inside`.
    """
    found: set[int] = set()
    for node in nodes:
        op = node.op
        if op is None or not op.mutates or (op.variadic and not callable(op.mutates)):
            continue
        slots = op.written(node.parsed())
        for slot, (child, _) in zip(node.input_slots(), node.inputs, strict=False):
            if slot in slots and child.is_variable:
                found.add(id(child))
    return found


def written_inside(nodes: Iterable[Node]) -> set[int]:
    """The ids of the variables that operators of the graphs inside write."""
    found: set[int] = set()
    for node in nodes:
        if node.op is None or node.op.regions is None or not node.subgraphs:
            continue
        regions = node.op.regions(node.parsed())
        for graph, region in zip(node.subgraphs, regions, strict=True):
            below = list(walk(graph))
            written = auxiliary(below) | written_inside(below)
            inputs = [n for n in below if n.is_variable]
            for variable, (source, _) in zip(inputs, region, strict=False):
                if id(variable) in written and source < len(node.inputs):
                    found.add(id(node.inputs[source][0]))
    return found


def variables(outputs: Sequence[Entry]) -> tuple[list[Node], list[Node]]:
    """The variables below the outputs: arguments and auxiliary states, in order of the walk."""
    nodes = list(walk(outputs))
    written = auxiliary(nodes)
    arguments = [n for n in nodes if n.is_variable and id(n) not in written]
    states = [n for n in nodes if n.is_variable and id(n) in written]
    return arguments, states


def copy_graph(outputs: Sequence[Entry], replace: dict[int, Entry] | None = None) -> list[Entry]:
    """A copy of the graph; variables whose id is in `replace` become the entries given there."""
    made: dict[int, Node] = {}
    swap = replace or {}
    for node in walk(outputs):
        if id(node) not in swap:
            inputs = [_moved(entry, made, swap) for entry in node.inputs]
            attrs = dict(node.attrs)
            made[id(node)] = Node(node.op_name, node.name, attrs, inputs, node.subgraphs)
    return [_moved(entry, made, swap) for entry in outputs]


def _moved(entry: Entry, made: dict[int, Node], swap: dict[int, Entry]) -> Entry:
    node, index = entry
    return swap[id(node)] if id(node) in swap else (made[id(node)], index)


def without_casts(outputs: Sequence[Entry]) -> list[Entry]:
    """The graph with AMP's casts left out, but for its heads; itself if there are none."""
    if not any(_is_cast(node) for node in walk(outputs)):
        return list(outputs)
    made: dict[int, Node] = {}
    heads = {id(node) for node, _ in outputs}

    def moved(entry: Entry) -> Entry:
        node, index = entry
        while _is_cast(node):  # output i of a cast is its input i
            node, index = node.inputs[index]
        return made[id(node)], index

    for node in walk(outputs):
        if not _is_cast(node) or id(node) in heads:
            inputs = [moved(entry) for entry in node.inputs]
            attrs = dict(node.attrs)
            made[id(node)] = Node(node.op_name, node.name, attrs, inputs, node.subgraphs)
    return [(made[id(node)], index) for node, index in outputs]


def _is_cast(node: Node) -> bool:
    return node.op is not None and node.op.amp


def describe(outputs: Sequence[Entry]) -> str:
    """The graph as text: its outputs, then each node with its inputs and attributes."""
    first = outputs[0][0]
    if len(outputs) == 1 and first.is_variable:
        return f"Variable:{first.name}\n"
    lines = ["Symbol Outputs:"]
    lines += [f"\toutput[{i}]={node.name}({k})" for i, (node, k) in enumerate(outputs)]
    for node in walk(outputs):
        if node.is_variable:
            lines.append(f"Variable:{node.name}")
            continue
        lines += ["-" * 20, f"Op:{node.op_name}, Name={node.name}", "Inputs:"]
        for i, (child, k) in enumerate(node.inputs):
            version = " version=0" if child.is_variable else ""
            lines.append(f"\targ[{i}]={child.name}({k}){version}")
        if node.attrs:
            lines += ["Attrs:", *(f"\t{k}={v}" for k, v in sorted(node.attrs.items()))]
    return "\n".join(lines) + "\n"
