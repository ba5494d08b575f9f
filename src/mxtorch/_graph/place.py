"""Where each node of a graph runs, if the groups of `AttrScope(ctx_group=...)` have contexts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetError, MXNetTypeError
from mxtorch._graph.node import Entry, Node, walk

Groups = Mapping[str, Context]
# The context of each node, by id.
Places = Mapping[int, Context]


def group_of(node: Node) -> str | None:
    """The name of the node's group, None if it has none."""
    return node.attrs.get("__ctx_group__")


def place(outputs: Sequence[Entry], groups: Groups, variables: Places) -> Places:
    """The context of each node: its group's, else that of its first input, else that of a node
    which uses it, else that of the first group by name.

    `variables` are the contexts of the arrays. MXNetError for a group that `groups` leaves out.
    """
    if not isinstance(groups, Mapping) or not all(isinstance(c, Context) for c in groups.values()):
        raise MXNetTypeError(f"group2ctx must be a dict of texts to contexts, not {groups!r}")
    found = dict(variables)
    nodes = list(walk(outputs))
    for node in nodes:
        group = group_of(node)
        if node.is_variable:
            continue
        if group is not None:
            found[id(node)] = _context(node, group, groups)
        elif node.inputs and id(node.inputs[0][0]) in found:
            found[id(node)] = found[id(node.inputs[0][0])]
    for node in reversed(nodes):
        for child, _ in node.inputs if id(node) in found else ():
            found.setdefault(id(child), found[id(node)])
    rest = groups[min(groups)]
    return {id(node): found.get(id(node), rest) for node in nodes}


def _context(node: Node, group: str, groups: Groups) -> Context:
    if group not in groups:
        raise MXNetError(
            f"{node.op_name} {node.name!r}: its ctx_group {group!r} has no context; group2ctx has "
            f"those of {', '.join(sorted(groups))}"
        )
    return groups[group]
