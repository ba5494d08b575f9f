"""Repeated stages of a graph: which steps belong together as one module."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from mxtorch.convert.steps import Step, Steps, Value
from mxtorch.convert.syntax import name_of

# How far back a join looks for where its branches begin, and how long a repeated chain may be.
_REACH = 60
_LONGEST = 32
# From this many statements on, chains inside the repeated stages get modules too.
_LONG = 110

Key: TypeAlias = Any


@dataclass(eq=False)
class Group:
    """Steps, and groups of steps, that become one module."""

    items: list[Item]
    inputs: list[Value]
    outputs: list[Value]

    def steps(self) -> Iterator[Step]:
        """Every step inside."""
        for item in self.items:
            if isinstance(item, Group):
                yield from item.steps()
            else:
                yield item

    def key(self) -> Key:
        """Equal for groups that differ in the arguments of their modules alone."""
        key, places = self.inner_key()
        return (key, tuple(places[v] for v in self.outputs))

    def inner_key(self) -> tuple[Key, dict[Value, Any]]:
        """The key but for what is handed on, and where each value is made."""
        places: dict[Value, Any] = {value: ("in", i) for i, value in enumerate(self.inputs)}
        parts = []
        for position, item in enumerate(self.items):
            local = tuple(places.get(v, "own") for v in item.inputs)
            parts.append((key_of(item), local))
            places.update({v: (position, i) for i, v in enumerate(item.outputs)})
        return tuple(parts), places


Item: TypeAlias = Step | Group


def key_of(item: Item) -> Key:
    """Equal for items that one class can be written for."""
    return item.key() if isinstance(item, Group) else item.sort


def _sort(step: Step) -> Key:
    """Equal for steps that differ in the arguments of their module alone."""
    layer = step.layer
    slots: list[ast.expr] = [
        name_of(f"w{i}" if value in step.free else f"i{i}") for i, value in enumerate(step.inputs)
    ]
    module = layer.module
    made = None
    if module is not None:
        made = (module.function, module.wrapper, tuple(module.first), tuple(module.options))
    forward = ast.dump(layer.forward(name_of("own"), slots))
    same = tuple(step.inputs.index(value) for value in step.inputs)
    return (made, forward, layer.unpacked, len(step.outputs), same)


class Grouper:
    """Finds the groups of a graph."""

    def __init__(self, steps: Steps) -> None:
        self.readers: dict[Value, set[Any]] = {}
        for step in steps.steps:
            for value in step.inputs:
                self.readers.setdefault(value, set()).add(step)
        for value in steps.outputs:
            self.readers.setdefault(value, set()).add(None)
        sorts: dict[Key, int] = {}
        for step in steps.steps:
            step.sort = sorts.setdefault(_sort(step), len(sorts))
        # a module that several steps run belongs to what they are all inside of
        self.holders: dict[str, set[Step]] = {}
        for step in steps.steps:
            for name in step.arrays:
                self.holders.setdefault(name, set()).add(step)
        self.tied = {s for s in steps.steps if any(len(self.holders[n]) > 1 for n in s.arrays)}
        self.early = {step for step in steps.steps if step.layer.of_input}
        self.fixed = set(steps.shared)
        self.given = _beside(steps)

    def group(self, items: Sequence[Item]) -> Group | None:
        """Items as a group, if it has few inputs and outputs and nothing that others need.

        One that several places run with the same weights may hand on a state.
        """
        inside = {step for item in items for step in _steps(item)}
        if inside & self.early:
            return None
        tied = inside & self.tied
        if tied and any((s.arrays and s not in tied) or s.free for s in inside):
            return None
        made = {value for item in items for value in item.outputs}
        inputs: list[Value] = []
        for item in items:
            free = item.free if isinstance(item, Step) else {}
            for value in item.inputs:
                if value not in made and value not in free and value not in inputs:
                    inputs.append(value)
        outputs = [
            value
            for item in items
            for value in item.outputs
            if not self.readers.get(value, set()) <= inside
        ]
        others = [value for value in inputs if value not in self.given]
        few = len(others) <= (3 if tied else 1) and len(inputs) <= 3
        if not inputs or not few or set(inputs) & self.fixed:
            return None
        if not 0 < len(outputs) <= (2 if tied else 1):
            return None
        return Group(list(items), sorted(inputs, key=self.given.__contains__), outputs)

    def branches(self, items: Sequence[Item]) -> list[Item]:
        """Each join with the branches that it joins as a group, if they have one beginning."""
        done: list[Item] = []
        for item in items:
            done.append(item)
            free = item.free if isinstance(item, Step) else {}
            if len({v for v in item.inputs if v not in free}) < 2:
                continue
            for start in range(len(done) - 2, max(len(done) - _REACH, -1), -1):
                found = self.group(done[start:])
                if found is None or not self._is_stage(found):
                    continue
                if self.tied.isdisjoint(found.steps()):
                    done[start:] = [found]
                    break
        return done

    def _is_stage(self, group: Group) -> bool:
        """Whether a join is more than a formula of what comes from beside, such as a mask."""
        return self.given.isdisjoint(group.inputs) or any(s.arrays for s in group.steps())

    def chains(self, bodies: list[list[Item]], least: int) -> bool:
        """Make groups of the chain that is worth most among the distinct bodies, in place."""
        worth = {}
        for key, (count, size) in self._count(_distinct(bodies)).items():
            gain = (count - 1) * size
            if count > 1 and gain >= least:
                worth[key] = gain / size**0.5
        for key in sorted(worth, key=worth.__getitem__, reverse=True):
            found = [self._places(body, key) for body in bodies]
            whole = set(self._whole([g for places in found for g in places.values()]))
            found = [{n: g for n, g in places.items() if g in whole} for places in found]
            groups = [group for places in found for group in places.values()]
            if not _pays(bodies, found, least) or not self._hand_on(groups):
                continue
            for body, places in zip(bodies, found, strict=True):
                for start in sorted(places, reverse=True):
                    body[start : start + key[0]] = [places[start]]
            return True
        return False

    def _hand_on(self, groups: Sequence[Group]) -> bool:
        """Give all the groups the outputs that one of them has; false if that is too many."""
        wanted: set[Any] = set()
        for group in groups:
            places = group.inner_key()[1]
            wanted.update(places[value] for value in group.outputs)
        tied = any(step in self.tied for step in groups[0].steps())
        if len(wanted) > (2 if tied else 1):
            return False
        for group in groups:
            made = {place: value for value, place in group.inner_key()[1].items()}
            group.outputs = [made[place] for place in sorted(wanted)]
        return True

    def _places(self, body: Sequence[Item], key: Key) -> dict[int, Group]:
        """Where in a body the chain begins."""
        found: dict[int, Group] = {}
        position = 0
        while position < len(body):
            group = self._chain(body, position, key[0])
            if group is not None and group.inner_key()[0] == key[1]:
                found[position] = group
                position += key[0]
            else:
                position += 1
        return found

    def _whole(self, groups: Sequence[Group]) -> list[Group]:
        """Those whose weights, if several steps share them, are in one place of these alone."""
        kept = list(groups)
        while True:
            users: dict[str, set[Any]] = {}
            inside: set[Step] = set()
            for group in kept:
                steps = list(group.steps())
                inside.update(steps)
                every = tuple(name for step in steps for name in step.arrays)
                for position, step in enumerate(steps):
                    for name in step.arrays:
                        users.setdefault(name, set()).add((position, every))
            apart = {
                name
                for name, places in users.items()
                if len(self.holders[name]) > 1
                and (len(dict(places)) < len(places) or not self.holders[name] <= inside)
            }
            left = [g for g in kept if all(apart.isdisjoint(step.arrays) for step in g.steps())]
            if len(left) == len(kept):
                return kept
            kept = left

    def _chain(self, body: Sequence[Item], start: int, length: int) -> Group | None:
        if start + length > len(body):
            return None
        items = body[start : start + length]
        # stages of stages are hard to read; an activation belongs to what it follows
        if sum(isinstance(item, Group) for item in items) > 1 or not _has_weights(items[0]):
            return None
        return self.group(items)

    def _count(self, bodies: Sequence[Sequence[Item]]) -> dict[Any, tuple[int, int]]:
        counts: dict[Any, tuple[int, int]] = {}
        for number, body in enumerate(bodies):
            ends: dict[Any, tuple[int, int]] = {}
            for start in range(len(body)):
                for length in range(2, _LONGEST + 1):
                    found = self._chain(body, start, length)
                    if found is None:
                        continue
                    key = (length, found.inner_key()[0])
                    if ends.get(key, (number, 0))[1] > start:
                        continue  # it overlaps the last one
                    ends[key] = (number, start + length)
                    count, size = counts.get(key, (0, _size(found)))
                    counts[key] = (count + 1, size)
        return counts


def _steps(item: Item) -> Iterator[Step]:
    if isinstance(item, Group):
        yield from item.steps()
    else:
        yield item


def _has_weights(item: Item) -> bool:
    return any(step.layer.module is not None or step.free for step in _steps(item))


def _size(group: Group) -> int:
    return sum(1 for _ in group.steps())


def _beside(steps: Steps) -> set[Value]:
    """What stages read beside the first input: lengths, and masks that are made of these."""
    found = set(list(steps.inputs)[1:])
    constant: set[Value] = set()
    for step in steps.steps:
        read = {value for value in step.inputs if value not in step.free} - constant
        if step.layer.module is None and found.issuperset(read):
            (found if read else constant).update(step.outputs)
    return found


def _late(steps: Steps) -> None:
    """Put what is made of masks, and layers that several steps run, where they are read.

    They belong to the stage that reads them.
    """
    beside = _beside(steps)
    runs = Counter(step.arrays for step in steps.steps if step.arrays)
    order = {step: float(place) for place, step in enumerate(steps.steps)}
    readers: dict[Value, list[Step]] = {}
    for step in steps.steps:
        for value in step.inputs:
            readers.setdefault(value, []).append(step)
    for step in reversed(steps.steps):
        found = [reader for value in step.outputs for reader in readers.get(value, [])]
        late = beside.issuperset(step.outputs) or runs[step.arrays] > 1
        if len(found) == 1 and late:
            order[step] = order[found[0]] - 2.0**-20 * (1 + order[step] / len(order))
    steps.steps.sort(key=order.__getitem__)


def find_groups(steps: Steps) -> Group:
    """The whole graph as a group whose repeated stages are groups."""
    _late(steps)
    grouper = Grouper(steps)
    top = grouper.branches(steps.steps)
    while grouper.chains([top], 6):
        pass
    root = Group(top, list(steps.inputs), steps.outputs)
    dissolve(root)
    if _length(root) > _LONG:
        while grouper.chains([g.items for g in every_group(root)], 8):
            pass
        dissolve(root)
    return root


def every_group(root: Group) -> list[Group]:
    """The group and all below it, inner ones first."""
    found = [g for item in root.items if isinstance(item, Group) for g in every_group(item)]
    return [*found, root]


def _distinct(bodies: Sequence[list[Item]]) -> list[list[Item]]:
    seen: dict[Any, list[Item]] = {}
    for body in bodies:
        seen.setdefault(tuple(key_of(item) for item in body), body)
    return list(seen.values())


def _pays(bodies: Sequence[list[Item]], found: Sequence[Mapping[int, Group]], least: int) -> bool:
    """Whether groups in bodies spare enough, and are in the same places of those of one class."""
    places: dict[Any, set[tuple[int, ...]]] = {}
    for body, groups in zip(bodies, found, strict=True):
        places.setdefault(tuple(key_of(item) for item in body), set()).add(tuple(groups))
    if any(len(starts) > 1 for starts in places.values()):
        return False
    size = max((_size(group) for groups in found for group in groups.values()), default=0)
    count = sum(len(start) for starts in places.values() for start in starts)
    return count > 1 and (count - 1) * size >= least


def _length(root: Group) -> int:
    return sum(2 * len(body) for body in _distinct([g.items for g in every_group(root)]))


def dissolve(root: Group) -> None:
    """Write out what stands in one place only."""
    while True:
        bodies = _distinct([g.items for g in every_group(root)])
        places = Counter(item.key() for body in bodies for item in body if isinstance(item, Group))
        single = {key for key, count in places.items() if count == 1}
        if not single:
            return
        changed = False
        for group in every_group(root):
            items: list[Item] = []
            for item in group.items:
                if isinstance(item, Group) and item.key() in single:
                    items += item.items
                    changed = True
                else:
                    items.append(item)
            group.items = items
        if not changed:
            return
