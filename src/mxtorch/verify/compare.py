"""Two recorded runs, held against each other: the first place where they part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from mxtorch.verify.prints import Print, allowed, difference, samples, size_of
from mxtorch.verify.record import Event, Record, Step
from mxtorch.verify.rounding import Rounding
from mxtorch.verify.tape import fingerprint

# how much of the largest gradient of a step is rounding
_NOISE = 1e-5
# the same where the forward before it has rounded otherwise
_SMALL = 0.1
# gradients below this are of the size of Adam's eps
_FAINT = 3e-5
# how far apart they may be in the end, of the way that they went
_SHARE = 0.1
# what they make of gradients after the first step
_AFTER_NORMALIZING_GRADIENT = 0.1
# what such optimizers make of rounding after the first step
_AFTER_NORMALIZING = 3e-3
# how many times more than values moves may differ; Adam's eps is not the same thing in both
_ROOM = {False: 20, True: 500}

# what a model puts after a layer's name to name its parameters
_PARAMETER = re.compile(r"_(weight|bias|gamma|beta|(moving|running)_(mean|var))$")


@dataclass(frozen=True)
class Fault:
    """Where two runs part: the step, the layer (by the first run's names) and the phase.

    phase: `initial`, `forward`, `loss`, `gradient`, `update`, `statistics`, `final`, `steps`.
    """

    step: int
    layer: str
    phase: str
    detail: str

    def __str__(self) -> str:
        where = f", first in layer {self.layer}" if self.layer else ""
        return f"differs at step {self.step}{where} ({self.phase}: {self.detail})"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


@dataclass
class Comparison:
    """What was compared, and the first fault; `losses` has both curves."""

    fault: Fault | None = None
    steps: int = 0
    parameters: int = 0
    layers: int = 0
    losses: list[tuple[float, float]] = field(default_factory=list)
    # where they part, for whoever looks for the cause: the two steps, and two calls or prints
    at: tuple[Step, Step] | None = None
    evidence: tuple[Event, Event] | None = None


class Comparer:
    """Compares a run with a second one; `pairs` gives the first's key for one of the second.

    `rounding` says what rounding makes of the run, where that was measured.
    """

    def __init__(
        self,
        ours: Record,
        theirs: Record,
        pairs: Mapping[str, str],
        rounding: Rounding | None = None,
    ) -> None:
        self.ours, self.theirs = ours, theirs
        self.rounding = rounding or Rounding()
        self.pairs = dict(pairs)
        self.found = Comparison()
        self._unscaled: bool | None = None
        self._before = _initial(ours), _initial(theirs)
        self._normalizing = any(map(_normalizes, ours.of("update")))
        self._first = {
            _key(m, p): ours.value(p["array"]) for m in ours.of("meet") for p in m["parameters"]
        }
        self._noisy: set[str] = set()
        self._alive: set[str] = set()
        self._clears: dict[str, np.ndarray] = {}

    def run(self) -> Comparison:
        """Compare everything."""
        found = self.found
        found.fault = (
            self._initial_values(at_start=True)
            or self._steps()
            or self._initial_values(at_start=False)
            or self._final()
        )
        return found

    def _allowed(self, step: int) -> float:
        """The difference that rounding may have made: more after steps of a usual length."""
        return (
            max(allowed(step), _AFTER_NORMALIZING)
            if self._normalizing and step > 1
            else allowed(step)
        )

    def _allowed_gradient(self, step: int) -> float:
        """The same for gradients, where a pooling's choice or a kink of an activation may turn."""
        drifts = self._normalizing and step > 1
        return _AFTER_NORMALIZING_GRADIENT if drifts else self._allowed(step + 5)

    def _part(self, step: int, phase: str, apart: float, room: float) -> bool:
        """Whether a difference is too large for its place."""
        return self.rounding.exceeds(step, phase, apart, room)

    # initial and final values --------------------------------------------------------------------

    def _initial_values(self, at_start: bool) -> Fault | None:
        """Values that the program loads by itself must be those of the first run.

        What it loads after training may be as far from them as the steps were.
        """
        tolerance = 1e-3 if at_start else 5 * self._allowed(self.found.steps + 1)
        updated = [i for i, e in enumerate(self.theirs.events) if e["kind"] == "update"]
        start = updated[0] if updated else len(self.theirs.events)
        first = {
            f"{m['net']}:{p['path']}": p for m in self.ours.of("meet") for p in m["parameters"]
        }
        for position, meet in enumerate(self.theirs.events):
            if meet["kind"] != "meet" or (position < start) != at_start:
                continue
            for parameter in meet["parameters"]:
                key = self.pairs.get(_key(meet, parameter))
                other = first.get(key or "")
                if other is None:
                    continue
                a = self.ours.value(other["array"])
                b = self.theirs.value(parameter["array"])
                step = 0 if at_start else self.found.steps + 1
                apart = _distance(a, b, self._normalizing)
                if self._part(step, "initial", apart, tolerance):
                    return Fault(0, _layer(key or ""), "initial", f"{key}: {_apart(a, b)}")
        return None

    def _final(self) -> Fault | None:
        ours, theirs = self.ours.final, self.theirs.final
        tolerance = max(self._allowed(self.found.steps + 1), 1e-4)
        for key, name in theirs.items():
            mine = self.pairs.get(key)
            if mine is None or mine not in ours or mine in self._noisy - self._alive:
                continue
            self.found.parameters += 1
            a, b = self.ours.value(ours[mine]), self.theirs.value(name)
            if self._normalizing and self._moved_alike(mine, a, b):
                continue
            apart = _distance(a, b, self._normalizing)
            if self._part(self.found.steps, "final", apart, tolerance):
                detail = f"{mine}: {_apart(a, b)}"
                return Fault(self.found.steps, _layer(mine), "final", detail)
        return None

    def _moved_alike(self, key: str, a: np.ndarray, b: np.ndarray) -> bool:
        """Whether training moved a parameter to the same place, on average.

        Small gradients count for as much as large ones where they are divided by their size, and
        the eps of that division is not the same thing in both; steps are compared more closely.
        """
        first = self._first.get(key)
        if first is None or a.size != b.size or first.size != a.size:
            return False
        moved = float(np.abs(a.reshape(-1) - first.reshape(-1)).mean())
        return float(np.abs(a.reshape(-1) - b.reshape(-1)).mean()) <= _SHARE * moved

    # steps ---------------------------------------------------------------------------------------

    def _steps(self) -> Fault | None:
        by_update = self.ours.has_updates and self.theirs.has_updates
        ours, theirs = list(self.ours.steps(by_update)), list(self.theirs.steps(by_update))
        for mine, other in zip(ours, theirs, strict=False):
            fault = self._step(mine, other)
            if mine.loss is not None and other.loss is not None:
                self.found.losses.append((self._scaled(mine), other.loss))
            if fault is not None:
                self.found.at = mine, other
                return fault
            self.found.steps += 1
        # the steps of symbols that a program binds by hand are not seen
        is_seen = bool(ours or self.ours.of("meet"))
        if is_seen and len(ours) != len(theirs):
            last = min(len(ours), len(theirs)) + 1
            return Fault(last, "", "steps", f"{len(ours)} steps in one run, {len(theirs)} in other")
        return None

    def _step(self, ours: Step, theirs: Step) -> Fault | None:
        return (
            self._forward(ours, theirs)
            or self._loss(ours, theirs)
            or self._gradients(ours, theirs)
            or self._weights(ours, theirs)
            or self._statistics(ours, theirs)
        )

    def _forward(self, ours: Step, theirs: Step) -> Fault | None:
        previous = ""
        for mine, other, skipped in self._calls(ours, theirs):
            self.found.layers += 1
            name = _name(mine)
            previous = skipped or previous
            for part, prints in (("input", "inputs"), ("output", "outputs")):
                for a, b in zip(mine[prints], other[prints], strict=False):
                    room = self._allowed(ours.number)
                    if not self._part(ours.number, "forward", difference(a, b), room):
                        continue
                    place = (previous or name) if part == "input" else name
                    detail = f"{part} of {name}: {_say(a, b)}"
                    self.found.evidence = mine, other
                    return Fault(ours.number, place, "forward", detail)
            previous = name
        return None

    def _calls(self, ours: Step, theirs: Step) -> Iterator[tuple[Event, Event, str]]:
        """The calls of layers that are the same in both, in order, with the name of the first
        layer before that the second run does not call."""
        position, skipped = 0, ""
        for mine in ours.calls:
            if not mine["key"] and not mine["is_root"]:
                continue
            for index in range(position, len(theirs.calls)):
                if self._is_same_call(mine, theirs.calls[index]):
                    position = index + 1
                    first, second = _before_activation(mine, ours.calls), theirs.calls[index]
                    if first is not mine:  # both may be MXNet's
                        second = _before_activation(second, theirs.calls)
                    yield first, second, skipped
                    skipped = ""
                    break
            else:
                skipped = skipped or mine["layer"]

    def _is_same_call(self, ours: Event, theirs: Event) -> bool:
        if ours["key"] and theirs["key"]:
            mine = self.pairs.get(theirs["key"])
            return mine is not None and _layer(mine) == _layer(ours["key"])
        if ours["cls"] == "Module" and theirs.get("has_weights"):
            return False  # a Module's outputs come after its heads, which are called by themselves
        if ours["is_root"] and theirs["is_root"] and not (ours["key"] or theirs["key"]):
            same = [p["shape"] for p in ours["outputs"]] == [p["shape"] for p in theirs["outputs"]]
            return same or _count(ours) == _count(theirs)
        return False

    # loss ----------------------------------------------------------------------------------------

    def _scaled(self, step: Step) -> float:
        """The first run's loss as its gradients are scaled, or as it is."""
        assert step.loss is not None
        return step.loss if self._unscaled else step.loss * _scale(step)

    def _loss(self, ours: Step, theirs: Step) -> Fault | None:
        if ours.loss is None or theirs.loss is None:
            return None  # a Module's loss is in its graph
        if self._unscaled is None:
            whole, part = ours.loss, ours.loss * _scale(ours)
            self._unscaled = abs(whole - theirs.loss) < abs(part - theirs.loss)
        if len(ours.losses) == len(theirs.losses):
            pairs = [
                (a["value"], b["value"]) for a, b in zip(ours.losses, theirs.losses, strict=True)
            ]
        else:  # the same batch in other pieces
            pairs = [(ours.loss, theirs.loss)]
        for mine, got in pairs:
            wants = mine * _scale(ours), mine
            apart = min(abs(got - w) / max(abs(w), 1e-3) for w in wants)
            if self._part(ours.number, "loss", apart, self._allowed(ours.number)):
                want = mine if self._unscaled else wants[0]
                return Fault(ours.number, "loss", "loss", f"{want:.7g} and {got:.7g}")
        return None

    # gradients and weights -----------------------------------------------------------------------

    def _pairs(
        self, ours: Mapping[str, Print], theirs: Mapping[str, Print]
    ) -> Iterator[tuple[str, Print, Print]]:
        for key, other in theirs.items():
            mine = self.pairs.get(key)
            if mine is not None and mine in ours:
                yield mine, ours[mine], other

    def _gradients(self, ours: Step, theirs: Step) -> Fault | None:
        fault = None
        for a, b in zip(ours.updates, theirs.updates, strict=False):
            pairs = list(self._pairs(a["gradients"], b["gradients"]))
            largest = max((size_of(p) for _, p, _ in pairs), default=0.0)
            floor = _NOISE * largest
            fault = self._missing(ours.number, a["gradients"], b, floor) or fault
            for key, mine, other in pairs:
                self._noisy.add(key)
                if size_of(mine) > floor or size_of(other) > floor:
                    self._alive.add(key)
                apart, room = difference(mine, other, floor), self._allowed_gradient(ours.number)
                cut = a.get("clipped", {}).get(key)
                if cut is not None and apart > room:  # a program may do that before the step
                    apart = min(apart, difference(cut, other, floor))
                if self._part(ours.number, "gradient", apart, room):
                    detail = f"{key}: {_say(mine, other)}"
                    self.found.evidence = mine, other
                    # what is nearest to the loss is last
                    fault = Fault(ours.number, _layer(key), "gradient", detail)
        return fault

    def _missing(
        self, step: int, gradients: Mapping[str, Print], theirs: Event, floor: float
    ) -> Fault | None:
        """A parameter that gets no gradient in the second run."""
        known = {self.pairs.get(k) for k in theirs["gradients"]}
        trained = {self.pairs.get(k) for k in (*theirs["gradients"], *theirs["weights"])}
        for key, mine in gradients.items():
            if key in trained and key not in known and size_of(mine) > floor:
                detail = f"{key}: there is none in the second"
                return Fault(step, _layer(key), "gradient", detail)
        return None

    def _weights(self, ours: Step, theirs: Step) -> Fault | None:
        fault = None
        before, others = self._before
        keys = {mine: key for key, mine in self.pairs.items()}
        for a, b in zip(ours.updates, theirs.updates, strict=False):
            room = _ROOM[_normalizes(a)]
            for key, mine, other in self._pairs(a["weights"], b["weights"]):
                old = before.get(key)
                moved = _moved(old, mine), _moved(others.get(keys[key]), other)
                before[key], others[keys[key]] = mine, other
                share = _NOISE if ours.number == 1 else _SMALL
                clear = self._clear(a, key, mine if old is None else old, share)
                if key in self._noisy - self._alive or fault is not None:
                    continue
                if not clear.any():
                    continue
                apart = _move_apart(*moved, samples(mine), clear) / room
                if not _normalizes(a):
                    share = allowed(ours.number) / allowed(ours.number + 10)
                    apart = max(apart, difference(mine, other) * share)
                if self._part(ours.number, "update", apart, allowed(ours.number)):
                    detail = f"{key}: {_say(mine, other)}"
                    self.found.evidence = mine, other
                    fault = Fault(ours.number, _layer(key), "update", detail)
        return fault

    def _clear(self, update: Event, key: str, weight: Print, share: float) -> np.ndarray:
        """Which of a weight's samples have never had a gradient of rounding only: below `share` of
        the largest.

        Adam and its kin make a step of a usual length of such a gradient, in any direction.
        """
        clear = self._clears.get(key)
        if clear is None:
            clear = np.ones(samples(weight).shape, dtype=bool)
        gradient = update["gradients"].get(key)
        if gradient is not None and _normalizes(update):
            decay = update["settings"].get("wd", update["settings"].get("weight_decay", 0.0))
            sizes = np.abs(samples(gradient) + float(decay) * samples(weight))
            clear = clear & ((sizes == 0) | (sizes > max(_FAINT, share * size_of(gradient))))
        self._clears[key] = clear
        return clear

    def _statistics(self, ours: Step, theirs: Step) -> Fault | None:
        for a, b in zip(ours.updates, theirs.updates, strict=False):
            pairs = self._pairs(a.get("statistics", {}), b.get("statistics", {}))
            for key, mine, other in pairs:
                room = self._allowed(ours.number + 1)
                if self._part(ours.number, "statistics", difference(mine, other), room):
                    detail = f"{key}: {_say(mine, other)}"
                    self.found.evidence = mine, other
                    return Fault(ours.number, _layer(key), "statistics", detail)
        return None


def _scale(step: Step) -> float:
    return float(step.updates[-1]["scale"]) if step.updates else 1.0


def _initial(record: Record) -> dict[str, Print]:
    """What the weights were before the first update."""
    return {
        _key(m, p): fingerprint(record.value(p["array"]))
        for m in record.of("meet")
        for p in m["parameters"]
    }


def _key(meet: Event, parameter: Event) -> str:
    return f"{meet['net']}:{parameter['path']}"


def _moved(before: Print | None, after: Print) -> np.ndarray | None:
    return None if before is None else samples(after) - samples(before)


def _move_apart(
    ours: np.ndarray | None, theirs: np.ndarray | None, weight: np.ndarray, clear: np.ndarray
) -> float:
    """How far two updates are apart, relative to their size, as far as float32 shows it."""
    if ours is None or theirs is None or ours.shape != theirs.shape:
        return 0.0
    size = float(np.abs(ours).max(initial=0.0))
    rounding = 4 * 2.0**-23 * float(np.abs(weight).max(initial=0.0))
    apart = float(np.abs(ours - theirs)[clear].max(initial=0.0))
    if not np.isfinite(apart):
        return 0.0 if np.array_equal(ours, theirs, equal_nan=True) else float("inf")
    return max(apart - rounding, 0.0) / max(size, 1e-30)


def _normalizes(update: Event) -> bool:
    """Whether an optimizer divides gradients by their size."""
    return update["settings"].get("class") not in ("SGD", "NAG", "SGLD", "LBSGD", "DCASGD")


def _before_activation(call: Event, calls: list[Event]) -> Event:
    """MXNet's Dense and Conv with an activation: what comes out before it is its input."""
    name = f"{call['layer']}.act" if call["layer"] else "act"
    inner = [c for c in calls if c["layer"] == name and c["root"] == call["root"] and c is not call]
    inner = [c for c in inner if calls.index(c) < calls.index(call)]
    if not inner or not call["key"]:
        return call
    return {**call, "outputs": inner[-1]["inputs"]}


def _count(call: Event) -> list[int]:
    return [int(np.prod(p["shape"])) for p in call["outputs"]]


def _name(call: Event) -> str:
    return call["layer"] or call["cls"]


def _layer(key: str) -> str:
    """The layer in a key `net:layer.parameter`, or `net:layer_parameter` as models name them."""
    path = key.partition(":")[2]
    return path.rpartition(".")[0] or _PARAMETER.sub("", path)


def _distance(a: np.ndarray, b: np.ndarray, on_average: bool) -> float:
    """How far two arrays are apart, relative to the largest value; infinite for other shapes."""
    if a.size != b.size:
        return float("inf")
    a, b = a.reshape(-1).astype(np.float64), b.reshape(-1).astype(np.float64)
    scale = max(float(np.abs(a).max(initial=0.0)), 1e-6)
    apart = np.abs(a - b)
    if not np.isfinite(apart).all():
        return 0.0 if np.array_equal(a, b, equal_nan=True) else float("inf")
    if not apart.size:
        return 0.0
    return float(apart.mean() if on_average else apart.max()) / scale


def _apart(a: np.ndarray, b: np.ndarray) -> str:
    if a.size != b.size:
        return f"shapes {a.shape} and {b.shape}"
    apart = np.abs(a.reshape(-1).astype(np.float64) - b.reshape(-1)).max(initial=0.0)
    return f"up to {apart:.3g} apart, the largest value is {np.abs(a).max(initial=0.0):.3g}"


def _say(ours: Print, theirs: Print) -> str:
    if ours["shape"] != theirs["shape"]:
        return f"shapes {tuple(ours['shape'])} and {tuple(theirs['shape'])}"
    return f"{difference(ours, theirs):.2g} apart, relative to its size"
