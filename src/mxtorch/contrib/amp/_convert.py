"""Puts AMP's casts into a graph that is there already."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mxtorch._core.dtypes import dtype_flag, dtype_to_numpy, dtype_to_torch
from mxtorch._core.op import find_op
from mxtorch._graph.node import Entry, Node, auxiliary, variables, walk
from mxtorch.contrib.amp._policy import Policy

Key = tuple[int, int]


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
        # what an output of the copy is in the target type and in float32, as far as that is known
        self.low: dict[Key, Entry] = {}
        self.wide: dict[Key, Entry] = {}
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
        """Outputs of the copy, those not known to be in float32 cast to it."""
        return [self._in(self.wide, entry, "float32") for entry in outputs]

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
            self.low[id(copy), 0] = (copy, 0)

    def _cast_inputs(self, node: Node, copy: Node) -> None:
        kind, entries = self._kind(node), copy.inputs
        if kind == "low":
            copy.inputs = [self._in(self.low, e, self.policy.target) for e in entries]
            self._mark(copy, self.low)
        elif kind == "wide":
            # a variable is in float32 already
            copy.inputs = [
                e if e[0].is_variable else self._in(self.wide, e, "float32") for e in entries
            ]
            self._mark(copy, self.wide)
        elif kind == "widest":
            self._widen(copy, entries)
        else:
            computed = [e for e in entries if not e[0].is_variable or _key(e) in self.low]
            for known in (self.low, self.wide):
                if computed and all(known.get(_key(e)) == e for e in computed):
                    self._mark(copy, known)

    def _widen(self, copy: Node, entries: list[Entry]) -> None:
        """Inputs of one type: one that all are known in, else the widest when the graph runs."""
        for known in (self.wide, self.low):
            if all(_key(e) in known for e in entries):
                copy.inputs = [known[_key(e)] for e in entries]
                self._mark(copy, known)
                return
        if all(_key(e) in self.wide or _key(e) in self.low for e in entries):
            copy.inputs = [self._in(self.wide, e, "float32") for e in entries]
            self._mark(copy, self.wide)
        elif len(entries) > 1:
            name = f"{_entry_name(entries[0])}_amp_multicast"
            count = {"num_outputs": str(len(entries))}
            multicast = Node(find_op("amp_multicast").name, name, count, entries)
            copy.inputs = [(multicast, i) for i in range(len(entries))]

    def _mark(self, copy: Node, known: dict[Key, Entry]) -> None:
        for index in range(copy.count_outputs()):
            known[id(copy), index] = (copy, index)

    def _in(self, known: dict[Key, Entry], entry: Entry, dtype: str) -> Entry:
        """The entry in that type: as it is known to be in it, or through a new cast."""
        key = _key(entry)
        if key not in known:
            name = f"{_entry_name(entry)}_amp_cast_{dtype}"
            known[key] = Node(find_op("amp_cast").name, name, {"dtype": dtype}, [entry]), 0
        return known[key]


def _key(entry: Entry) -> Key:
    return id(entry[0]), entry[1]


def _entry_name(entry: Entry) -> str:
    """What MXNet calls an output in the names of casts: by its number if it has no name."""
    node, index = entry
    if node.is_variable:
        return node.name
    names = node.operator().name_outputs(node.parsed())
    return f"{node.name}_{names[index] if index < len(names) else index}"


def dtypes_of(outputs: Sequence[Entry]) -> Mapping[str, Any]:
    """The types that variables are marked with, by name, as NumPy's."""
    arguments, states = variables(outputs)
    marks = {n.name: n.attrs.get("__dtype__") for n in [*arguments, *states]}
    return {
        name: dtype_to_numpy(dtype_to_torch(int(mark)))
        for name, mark in marks.items()
        if mark is not None
    }
