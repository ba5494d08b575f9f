"""Puts AMP's casts into a graph that is there already."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mxtorch._core.dtypes import dtype_flag, dtype_to_numpy, dtype_to_torch
from mxtorch._core.op import find_op
from mxtorch._graph.node import Entry, Node, auxiliary, variables, walk
from mxtorch.contrib.amp._policy import Policy


class Converter:
    """Copies a graph with casts where the policy wants another type than comes in."""

    def __init__(
        self,
        policy: Policy,
        excluded: Collection[str],
        data_names: Collection[str],
        store_low: bool,
    ) -> None:
        self.policy, self.excluded = policy, excluded
        self.data_names, self.store_low = data_names, store_low
        self.made: dict[int, Node] = {}
        self.low: set[int] = set()  # nodes of the copy whose outputs are in the target type
        self.casts: dict[tuple[int, int, str], Entry] = {}
        self.stored: set[int] = set()

    def run(self, outputs: Sequence[Entry]) -> list[Entry]:
        """The outputs of the copy."""
        nodes = list(walk(outputs))
        if self.store_low:
            self.stored = self._low_variables(nodes)
        for node in nodes:
            inputs = [(self.made[id(child)], index) for child, index in node.inputs]
            copy = Node(node.op_name, node.name, dict(node.attrs), inputs)
            self.made[id(node)] = copy
            if node.is_variable:
                self._type_variable(node, copy)
            else:
                self._cast_inputs(node, copy)
        return [(self.made[id(node)], index) for node, index in outputs]

    def cast_back(self, outputs: Sequence[Entry]) -> list[Entry]:
        """Outputs of the copy, those in the target type cast to float32."""
        return [self._cast(e, "float32") if id(e[0]) in self.low else e for e in outputs]

    def _kind(self, node: Node) -> str | None:
        kind = self.policy.kind(node.operator(), node.attrs)
        return "wide" if node.name in self.excluded and kind == "low" else kind

    def _low_variables(self, nodes: Sequence[Node]) -> set[int]:
        """The parameters that only operators in the target type use: they can be stored in it."""
        written = auxiliary(nodes)
        users: dict[int, set[str | None]] = {}
        for node in nodes:
            for child, _ in node.inputs:
                if child.is_variable and id(child) not in written:
                    users.setdefault(id(child), set()).add(self._kind(node))
        names = {id(node): node.name for node in nodes}
        return {
            key
            for key, kinds in users.items()
            if kinds == {"low"} and names[key] not in self.data_names
        }

    def _type_variable(self, node: Node, copy: Node) -> None:
        if node.name in self.data_names:
            return
        is_low = id(node) in self.stored
        copy.attrs["__dtype__"] = str(
            dtype_flag(dtype_to_torch(self.policy.target if is_low else "float32"))
        )
        if is_low:
            self.low.add(id(copy))

    def _cast_inputs(self, node: Node, copy: Node) -> None:
        kind = self._kind(node)
        entries = copy.inputs
        are_low = [id(child) in self.low for child, _ in entries]
        if kind == "low":
            copy.inputs = [self._cast(e, self.policy.target) for e in entries]
            self.low.add(id(copy))
        elif kind == "wide" or (kind == "widest" and any(are_low) and not all(are_low)):
            copy.inputs = [
                self._cast(e, "float32") if low else e
                for e, low in zip(entries, are_low, strict=True)
            ]
        elif are_low and are_low[0]:
            self.low.add(id(copy))

    def _cast(self, entry: Entry, dtype: str) -> Entry:
        node, index = entry
        if dtype == self.policy.target and id(node) in self.low:
            return entry
        key = (id(node), index, dtype)
        if key not in self.casts:
            name = f"{node.output_name(index)}_amp_cast_{dtype}"
            cast = Node(find_op("amp_cast").name, name, {"dtype": dtype}, [entry])
            self.casts[key] = (cast, 0)
        return self.casts[key]


def dtypes_of(outputs: Sequence[Entry]) -> Mapping[str, Any]:
    """The types that variables are marked with, by name, as NumPy's."""
    arguments, states = variables(outputs)
    marks = {n.name: n.attrs.get("__dtype__") for n in [*arguments, *states]}
    return {
        name: dtype_to_numpy(dtype_to_torch(int(mark)))
        for name, mark in marks.items()
        if mark is not None
    }
