"""Which parameter of one program is which of the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

# What MXNet calls it, and what torch does, in one word.
_ROLES = (
    ("running_mean", "mean"),
    ("moving_mean", "mean"),
    ("running_var", "var"),
    ("moving_var", "var"),
    ("h2h_weight", "weight"),
    ("i2h_weight", "weight"),
    ("weight", "weight"),
    ("gamma", "weight"),
    ("alpha", "weight"),
    ("bias", "bias"),
    ("beta", "bias"),
)
# Parameters of torch's recurrent layers and cells: `weight_ih_l0_reverse`, `bias_hh`.
_RECURRENT = re.compile(r"(weight|bias)_([ih])h(?:_l(\d+)(_reverse)?)?$")
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Slot:
    """A parameter's place: the path to it, and its shape (None: not known yet).

    `prefix` is what its layer puts before the names of its parameters, where it has such a thing.
    """

    path: str
    shape: Shape | None
    prefix: str | None = None

    @property
    def role(self) -> str:
        """Weight, bias, mean or var; empty for names that say nothing."""
        last = self.path.rpartition(".")[2]
        return next((role for part, role in _ROLES if part in last), "")

    @property
    def is_statistic(self) -> bool:
        """Whether it is no weight that is trained."""
        return self.role in ("mean", "var")

    @property
    def flat(self) -> str:
        """The path as a Symbol would spell it, its last part by role: `conv0_weight`,
        `lstm_l0_i2h_bias`."""
        layer, _, last = self.path.rpartition(".")
        last = _RECURRENT.sub(_gate, last)
        before = self.prefix if self.prefix is not None else f"{layer}." if layer else ""
        flat = f"{before}{last}".replace(".", "_")
        known = ((p, r) for p, r in _ROLES if flat.endswith(f"_{p}") and "2h" not in p)
        part, role = next(known, ("", ""))
        return flat.removesuffix(part) + role

    @property
    def layer(self) -> str:
        """The path of the layer that it is a parameter of."""
        return self.path.rpartition(".")[0]


def _gate(match: re.Match[str]) -> str:
    kind, side, layer, back = match.groups()
    where = f"{'r' if back else 'l'}{layer}_" if layer else ""
    return f"{where}{side}2h_{kind}"


def align(
    ours: Sequence[Slot], theirs: Sequence[Slot], given: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The path in `theirs` of each path in `ours`, as far as one is found.

    First what `given` says; then the order, if it fits throughout; then equal paths of equal
    shapes, also in a Symbol's spelling; then by order, of equal role and shape; then the only one
    left of a shape, in a layer or anywhere.
    """
    found = {a: b for a, b in (given or {}).items() if _has(ours, a) and _has(theirs, b)}
    same = [_key(a) for a in ours] == [_key(b) for b in theirs]
    if not found and (same or _is_in_order(ours, theirs)):
        return {a.path: b.path for a, b in zip(ours, theirs, strict=True)}
    for spelled in ("path", "flat"):
        by_name = {getattr(b, spelled): b for b in theirs}
        for slot in ours:
            other = by_name.get(getattr(slot, spelled))
            if slot.path not in found and other is not None and _fit(slot, other):
                found[slot.path] = other.path
    for pair in _by_order(_rest(ours, found.keys()), _rest(theirs, set(found.values()))):
        found[pair[0].path] = pair[1].path
    _last_ones(ours, theirs, found, of_layer=True)
    _last_ones(ours, theirs, found)
    return found


def _is_in_order(ours: Sequence[Slot], theirs: Sequence[Slot]) -> bool:
    """Whether the order tells all, and names do not: of layers that do not know their shape yet,
    and whose numbers are others because an activation is a layer of its own."""
    by_name = {a.flat for a in ours} == {b.flat for b in theirs}
    alike = [a.role for a in ours] == [b.role for b in theirs] and all(map(_fit, ours, theirs))
    return alike and not by_name


def _has(slots: Sequence[Slot], path: str) -> bool:
    return any(s.path == path for s in slots)


def _rest(slots: Sequence[Slot], taken: object) -> list[Slot]:
    return [s for s in slots if s.path not in taken]  # type: ignore[operator]


def _key(slot: Slot) -> tuple[str, Shape | None]:
    return slot.role, slot.shape


def _fit(a: Slot, b: Slot) -> bool:
    return a.shape is None or b.shape is None or a.shape == b.shape


def _by_order(ours: list[Slot], theirs: list[Slot]) -> Iterator[tuple[Slot, Slot]]:
    """By role and shape in their order, statistics for themselves: a Symbol lists them last."""
    for is_statistic in (False, True):
        parts = ([s for s in slots if s.is_statistic is is_statistic] for slots in (ours, theirs))
        yield from _in_order(*parts)


def _in_order(ours: list[Slot], theirs: list[Slot]) -> Iterator[tuple[Slot, Slot]]:
    roles = [a.role for a in ours] == [b.role for b in theirs]
    if roles and all(map(_fit, ours, theirs)):
        yield from zip(ours, theirs, strict=True)
        return
    matcher = SequenceMatcher(None, [*map(_key, ours)], [*map(_key, theirs)], autojunk=False)
    for start, other, size in matcher.get_matching_blocks():
        yield from zip(ours[start : start + size], theirs[other : other + size], strict=True)


def _last_ones(
    ours: Sequence[Slot], theirs: Sequence[Slot], found: dict[str, str], of_layer: bool = False
) -> None:
    left = _rest(theirs, set(found.values()))
    for slot in _rest(ours, found.keys()):
        fitting = [b for b in left if b.shape == slot.shape]
        if of_layer:
            fitting = [b for b in fitting if b.layer == slot.layer]
        else:
            fitting = [b for b in fitting if b.role == slot.role]
        if len(fitting) == 1:
            found[slot.path] = fitting[0].path
            left.remove(fitting[0])
