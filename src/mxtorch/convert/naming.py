"""Names in a file: of classes, of what they hold, of variables."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from mxtorch.convert.groups import Group, Item
from mxtorch.convert.steps import Step


def all_arrays(item: Item) -> tuple[str, ...]:
    """The names of the arrays inside."""
    return tuple(name for step in _steps(item) for name in step.arrays)


def item_name(item: Item, shared: bool = False) -> str:
    """The name of a node, or what the names of a group's layers begin with.

    What several places run (`shared`) is named after its weights.
    """
    name = stem_of(item, shared)
    return name or first_layer(item)


def first_layer(item: Item) -> str:
    """The name of the first layer with a module; empty if there is none."""
    return next((s.name for s in _steps(item) if s.layer.module is not None), "")


def stem_of(item: Item, shared: bool = False) -> str:
    """As item_name; nothing where the names begin differently."""
    if shared:
        arrays = [name.rpartition("_")[0] or name for name in all_arrays(item)]
        return arrays[0] if len(set(arrays)) == 1 else common(arrays)
    if isinstance(item, Step):
        return item.name
    steps = list(item.steps())
    layers = [step.name for step in steps if step.layer.module is not None]
    return common(layers or [step.name for step in steps])


def wishes(instances: Sequence[Group]) -> dict[Item, str]:
    """Names for the parts of a class, by those of its first instance: what all instances share.

    Where that would be one name for several, numbers tell them apart.
    """
    alone = sum(bool(all_arrays(item)) for item in instances[0].items) == 1
    own = ["" if alone else prefix(instance) for instance in instances]
    found: dict[Item, str] = {}
    for parts in zip(*(instance.items for instance in instances), strict=True):
        names = [_bare(p, start) for p, start in zip(parts, own, strict=True)]
        found[parts[0]] = _shared_words(names) or _kind(parts[0])
    several = Counter(found.values())
    for item, name in found.items():
        found[item] = _bare(item, own[0]) or name if several[name] > 1 else name
    return _from_nought(found)


def _from_nought(names: dict[Item, str]) -> dict[Item, str]:
    """Names whose numbers begin as those of the first of all instances."""
    parts = {item: re.fullmatch(r"(.*?)(\d{1,9})", name) for item, name in names.items()}
    first: dict[str, int] = {}
    for match in parts.values():
        if match is not None:
            first[match[1]] = min(int(match[2]), first.get(match[1], int(match[2])))
    return {
        item: f"{match[1]}{int(match[2]) - first[match[1]]}"
        if (match := parts[item]) is not None and first[match[1]] > 1
        else name
        for item, name in names.items()
    }


def _bare(item: Item, start: str) -> str:
    return item_name(item).removesuffix("_fwd").removeprefix(start).strip("_")


def _shared_words(names: Sequence[str]) -> str:
    """The words that names have in common at each place, without numbers that differ."""
    if len(set(names)) == 1:
        return names[0]
    words = [name.split("_") for name in names]
    if len({len(each) for each in words}) > 1:
        return ""
    places = [set(at_place) for at_place in zip(*words, strict=True)]
    alike = [min(place) for place in places if len(place) == 1]
    stems = [{word.rstrip("0123456789") for word in place} for place in places]
    return "_".join(alike or [min(stem) for stem in stems if len(stem) == 1])


def _kind(item: Item) -> str:
    """A name for a part by what it does."""
    if not isinstance(item, Step):
        return "block"
    return (_SHORT.get(item.kind) or item.kind.strip("_")).lower()


def prefix(group: Group) -> str:
    """What the names of a class' layers begin with."""
    names = [item_name(i) for i in group.items if any(s.arrays for s in _steps(i))]
    if len(names) == 1:
        name = names[0].removesuffix("_fwd")
        return name[: name.rstrip("_").rfind("_") + 1]
    return common(names)


def _steps(item: Item) -> list[Step]:
    return list(item.steps()) if isinstance(item, Group) else [item]


def common(names: Sequence[str]) -> str:
    """What all the names begin with, up to an underscore."""
    names = [name for name in names if name]
    if len(names) < 2:
        return ""
    first, last = min(names), max(names)
    length = next((i for i, c in enumerate(first) if last[i : i + 1] != c), len(first))
    return first[: first.rfind("_", 0, length) + 1]


def unique(name: str, taken: set[str]) -> str:
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}{number}"
    taken.add(found)
    return found


def local_names() -> Iterator[str]:
    yield from "xyz"
    for number in itertools.count(4):
        yield f"x{number}"


_SHORT = {
    "Convolution": "Conv",
    "Deconvolution": "Deconv",
    "BatchNorm": "Norm",
    "FullyConnected": "Dense",
    "LeakyReLU": "ReLU",
    "clip": "Clip",
    "Pooling": "Pool",
    "SwapAxis": "Transpose",
    "transpose": "Permute",
}


def class_name(group: Group) -> str:
    steps = list(group.steps())
    kinds = [step.kind for step in steps]
    joins = [step.kind for step in steps if len(step.inputs) > 1]
    if any(kind.endswith("_add") for kind in joins[-1:]):
        return "Residual"
    if joins[-1:] == ["Concat"]:
        return "Dense" if steps[-1].inputs[0] in group.inputs else "Branches"
    if len(steps) <= 4 and len(set(kinds)) == len(kinds):
        words = [_SHORT.get(k) or k.strip("_").title().replace("_", "") for k in kinds]
        words = ["ReLU" if k == "Activation" else w for k, w in zip(kinds, words, strict=True)]
        return "".join(words)
    return "Stage"
