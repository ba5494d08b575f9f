"""Cutting the graph of a loop's body out of the graph that it was composed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mxtorch._core.errors import MXNetAssertionError
from mxtorch._graph.naming import AttrScope
from mxtorch._graph.node import VARIABLE, Entry, Node, walk

# What MXNet marks the nodes of a subgraph with; its value is the subgraph's name.
MARK = "__subgraph_name__"
_names: Counter[str] = Counter()


def unique_name(name: str) -> str:
    """The name of a new subgraph: 'foreach0', or inside another 'outer0$foreach0'."""
    outer = AttrScope.current.get(None).get(MARK)
    name = f"{outer}${name}" if outer else name
    number = _names[name]
    _names[name] += 1
    return f"{name}{number}"


def is_inside(node: Node, name: str) -> bool:
    """Whether the node is an operator inside the subgraph."""
    return not node.is_variable and node.attrs.get(MARK) == name


def cut(outputs: Sequence[Entry], name: str) -> tuple[list[Entry], dict[str, Entry]]:
    """A copy of what lies inside a subgraph, and what each of its variables stands for outside.

    Those are, by name and in order, the variables that the body uses and the outputs of operators
    outside, in whose place the copy has a variable.
    """
    made: dict[tuple[int, int], Entry] = {}
    copies: dict[int, Node] = {}
    outside: dict[int, Entry] = {}

    def moved(entry: Entry) -> Entry:
        node, index = entry
        if id(node) in copies:
            return copies[id(node)], index
        key = id(node), index
        if key not in made:
            is_own = node.is_variable and node.attrs.get(MARK) == name
            attrs = dict(node.attrs) if is_own else {}
            variable = Node(VARIABLE, node.output_name(index), attrs)
            made[key] = variable, 0
            outside[id(variable)] = entry
        return made[key]

    for node in walk(outputs, enter=lambda n: is_inside(n, name)):
        if is_inside(node, name):
            inputs = [moved(entry) for entry in node.inputs]
            copies[id(node)] = Node(
                node.op_name, node.name, dict(node.attrs), inputs, node.subgraphs
            )
    inner = [moved(entry) for entry in outputs]
    variables = [n for n in walk(inner) if n.is_variable]
    names = [n.name for n in variables]
    if len(set(names)) < len(names):
        raise MXNetAssertionError(f"The inputs of the subgraph don't have unique names: {names}")
    return inner, {n.name: outside[id(n)] for n in variables}
