"""Graphs that backward has run through and freed: MXNet forgets them.

What was computed in such a graph counts as a number from then on: the next `record()` starts from
its value. Programs rely on it where a state goes from one step to the next without `detach`.
torch keeps the nodes, so arrays that were recorded before the last backward are looked at when
they are read, once for each backward: `count` is the number of those that freed a graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import Tensor

from mxtorch._core.modes import modes

count = 0


def note(heads: Iterable[Tensor]) -> None:
    """Say that backward has run through the graphs of these heads, and freed them."""
    global count
    count += 1
    for head in heads:
        node: Any = head.grad_fn
        if node is not None:
            head._was_run = True  # type: ignore[attr-defined] # also where torch freed nothing
            modes.freed = max(modes.freed, node._sequence_nr())


def is_freed(tensor: Tensor) -> bool:
    """Whether the graph of a tensor is one of those."""
    node: Any = tensor.grad_fn
    if node is None or node._sequence_nr() > modes.freed:
        return False
    return getattr(tensor, "_was_run", False) or _is_run(node)


def _is_run(node: Any) -> bool:
    """Whether backward has run through a node.

    A node that saves nothing does not tell. Those behind it do: backward runs through all of
    them, or through none.
    """
    stack, seen = [node], {None, node}
    while stack:
        node = stack.pop()
        names = _saved(type(node))
        if names:
            return not all(_holds(node, name) for name in names)
        for behind, _ in node.next_functions:
            if behind not in seen:
                seen.add(behind)
                stack.append(behind)
    return False


_names: dict[type, tuple[str, ...]] = {}


def _saved(node_type: type) -> tuple[str, ...]:
    """The names under which nodes of a type show the tensors that they have saved."""
    found = _names.get(node_type)
    if found is None:
        known = dir(node_type)
        raw = [name for name in known if name.startswith("_raw_saved_")]
        found = tuple(name.replace("_raw", "", 1) for name in raw)
        if "saved_tensors" in known:  # a Function in Python: one list, even if it saves none
            found = ("_raw_saved_tensors",)
        _names[node_type] = found
    return found


def _holds(node: Any, name: str) -> bool:
    try:
        getattr(node, name)
    except RuntimeError as error:
        return "second time" not in str(error)
    return True
