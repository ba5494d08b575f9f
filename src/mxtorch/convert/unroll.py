"""Steps over time that a graph has written out, found again as a loop."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mxtorch.convert.groups import Group, Item, key_of
from mxtorch.convert.naming import all_arrays
from mxtorch.convert.steps import Step, Value
from mxtorch.convert.syntax import name_of

_LONGEST = 12
_FEWEST = 3

Slot = tuple[int, int]  # an item of a round, and which of its outputs


@dataclass(eq=False)
class Loop:
    """Rounds of items that do the same.

    `carried`: what a round hands to the next, by the value that the first begins with and the slot
    that makes it. `elements`: by the first round's value all that the rounds read, one each.
    `collected`: by the slot the values of all rounds, which one step joins.
    """

    rounds: list[Sequence[Item]]
    carried: list[tuple[Value, Slot]] = field(default_factory=list)
    elements: dict[Value, list[Value]] = field(default_factory=dict)
    collected: dict[Slot, list[Value]] = field(default_factory=dict)
    # those of the collected whose last value something else reads
    read_later: set[Slot] = field(default_factory=set)

    @property
    def length(self) -> int:
        """The number of items."""
        return sum(len(each) for each in self.rounds)

    def count_first(self, value: Value) -> int:
        """How often the first round reads a value, if it is one state alone."""
        if sum(begin == value for begin, _ in self.carried) > 1:
            return 0
        return sum(item.inputs.count(value) for item in self.rounds[0])

    def sources(self) -> set[frozenset[Value]]:
        """What it runs over, in whatever order."""
        return {frozenset(read) for read in self.elements.values()}

    def made(self, slot: Slot) -> list[Value]:
        """A slot's value in each round."""
        return [each[slot[0]].outputs[slot[1]] for each in self.rounds]


def find_loops(items: Sequence[Item], outputs: Sequence[Value]) -> dict[int, Loop]:
    """The loops among a net's items, by where they begin."""
    readers: dict[Value, list[Item | None]] = {value: [None] for value in outputs}
    for item in items:
        for value in item.inputs:
            readers.setdefault(value, []).append(item)
    found = _candidates(items, readers)
    while True:
        apart = [at for at, loop in found.items() if not _runs_over_all(loop, found, readers)]
        if not apart:
            return found
        for at in apart:
            del found[at]


def _candidates(
    items: Sequence[Item], readers: Mapping[Value, list[Item | None]]
) -> dict[int, Loop]:
    found: dict[int, Loop] = {}
    position = 0
    while position < len(items):
        for period in range(1, _LONGEST + 1):
            loop = _loop(items, position, period, readers)
            if loop is not None:
                found[position] = loop
                position += loop.length - 1
                break
        position += 1
    return found


def _runs_over_all(
    loop: Loop, found: Mapping[int, Loop], readers: Mapping[Value, list[Item | None]]
) -> bool:
    """Whether loops alone read what a loop runs over."""
    for read in loop.elements.values():
        others = [o for o in found.values() if {frozenset(read)} & o.sources()]
        inside = {item for other in others for each in other.rounds for item in each}
        if any(reader not in inside for value in read for reader in readers[value]):
            return False
    return True


def _loop(
    items: Sequence[Item], start: int, period: int, readers: Mapping[Value, list[Item | None]]
) -> Loop | None:
    first = items[start : start + period]
    if not any(all_arrays(item) for item in first):
        return None
    rounds = [first]
    for place in range(start + period, len(items) - period + 1, period):
        again = items[place : place + period]
        if not all(_alike(a, b) for a, b in zip(first, again, strict=True)):
            break
        rounds.append(again)
    if len(rounds) < _FEWEST:
        return None
    loop = Loop(rounds)
    return loop if _reads_alike(loop, items) and _is_read_alike(loop, readers) else None


def _alike(one: Item, other: Item) -> bool:
    """Whether two items are the same call of the same modules."""
    for step in (*_steps(one), *_steps(other)):
        if step.free or step.layer.constant is not None or step.layer.of_input:
            return False
    return key_of(one) == key_of(other) and all_arrays(one) == all_arrays(other)


def _steps(item: Item) -> list[Step]:
    return list(item.steps()) if isinstance(item, Group) else [item]


def _reads_alike(loop: Loop, items: Sequence[Item]) -> bool:
    """Whether each round reads what the first does, one round on."""
    places = [
        {v: (j, o) for j, item in enumerate(each) for o, v in enumerate(item.outputs)}
        for each in loop.rounds
    ]
    whole = {tuple(item.outputs) for item in items if isinstance(item, Step)}
    for j, item in enumerate(loop.rounds[0]):
        for k, value in enumerate(item.inputs):
            read = [each[j].inputs[k] for each in loop.rounds]
            inside = [place.get(v) for place, v in zip(places, read, strict=True)]
            before = [place.get(v) for place, v in zip(places, read[1:], strict=False)]
            if inside[0] is not None:
                alike = len(set(inside)) == 1
            elif before[0] is not None:
                alike = len(set(before)) == 1
                if (value, before[0]) not in loop.carried:
                    loop.carried.append((value, before[0]))
            elif len(set(read)) == 1:
                alike = True
            else:
                alike = tuple(read) in whole or tuple(read[::-1]) in whole
                alike = alike and loop.elements.setdefault(value, read) == read
            if not alike:
                return False
    return bool(loop.carried)


def _is_read_alike(loop: Loop, readers: Mapping[Value, list[Item | None]]) -> bool:
    """Whether what comes after reads the last round, or joins what all rounds have made."""
    inside = {item for each in loop.rounds for item in each}
    for j, item in enumerate(loop.rounds[0]):
        for o in range(len(item.outputs)):
            made = loop.made((j, o))
            others = [[r for r in readers.get(v, []) if r not in inside] for v in made]
            if not any(others[:-1]):
                continue
            joins = {reader for each in others[:-1] for reader in each}
            last = next(iter(joins))
            if len(joins) > 1 or not isinstance(last, Step) or not joins_all(last, made):
                return False
            if others[-1].count(last) != 1:
                return False
            if len(others[-1]) > 1:
                loop.read_later.add((j, o))
            loop.collected[j, o] = made
    return True


def joins_all(step: Step, made: Sequence[Value]) -> bool:
    """Whether a step makes a list of just these values."""
    return step.inputs == list(made) and joined(step, name_of("self"), "made") is not None


def joined(step: Step, me: ast.expr, name: str) -> ast.expr | None:
    """The step's call on a list of a name; None if it takes no list."""
    made = step.layer.forward(me, [ast.Starred(name_of(name), ast.Load())])
    for node in ast.walk(made):
        for place, argument in enumerate(node.args if isinstance(node, ast.Call) else ()):
            if isinstance(argument, ast.List) and len(argument.elts) == 1:
                assert isinstance(node, ast.Call)
                node.args[place] = name_of(name)
    return None if any(isinstance(n, ast.Starred) for n in ast.walk(made)) else made


def is_name(target: ast.expr, value: ast.expr) -> bool:
    """Whether both are one variable."""
    return isinstance(target, ast.Name) and isinstance(value, ast.Name) and target.id == value.id
