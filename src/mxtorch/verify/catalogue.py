"""Why two runs part: the usual causes, each with its test on what was recorded."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from mxtorch.verify.compare import Comparison, Fault
from mxtorch.verify.record import Event, Record, Step
from mxtorch.verify.settings import (
    differing,
    in_torch,
    is_class,
    is_known,
    optimizer_in_torch,
)


@dataclass(frozen=True)
class Cause:
    """A likely cause: its name in the catalogue, and what speaks for it."""

    name: str
    detail: str

    def __str__(self) -> str:
        return f"{CAUSES[self.name]} ({self.detail})" if self.detail else CAUSES[self.name]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "says": CAUSES[self.name]}


CAUSES = {
    "activation": "another activation, or none",
    "batch-size": "the loss is not divided by the batch size, or by another number",
    "bias-decay": "weight decay on biases",
    "detach": "no gradient gets there, or one that should not",
    "dropout": "another dropout",
    "eps": "another eps",
    "gates": "the gates of a recurrent layer in another order",
    "gradients-add-up": "gradients are not cleared between steps",
    "half-loss": "MXNet's L2 loss is half of the squared error",
    "initial": "the initial value is not the recorded one",
    "labels": "the loss gets other labels, or is another one",
    "layout": "the same values in another order: another layout, a transpose",
    "learning-rate": "another learning rate",
    "momentum": "another momentum",
    "optimizer": "another optimizer, or other settings",
    "padding": "another padding, stride or kernel",
    "pooling": "another pooling",
    "reduction": "a sum in place of a mean, or over other axes",
    "scale": "the values are multiplied by a constant",
    "settings": "a layer was made with other settings",
    "shared": "layers share parameters in one program only",
    "softmax": "a softmax too many or too few",
    "train-mode": "training mode in one program, prediction mode in the other",
    "weight-decay": "another weight decay",
}


@dataclass
class Case:
    """A fault with everything around it."""

    fault: Fault
    ours: Record
    theirs: Record
    steps: tuple[Step, Step]
    evidence: tuple[Event, Event] | None
    pairs: dict[str, str]

    def values(self, ours: Event, theirs: Event) -> tuple[np.ndarray, np.ndarray] | None:
        """Both arrays behind two prints, whole if they were kept."""
        if "array" in ours and "array" in theirs:
            a, b = self.ours.value(ours["array"]), self.theirs.value(theirs["array"])
        elif ours["shape"] == theirs["shape"]:
            a, b = np.asarray(ours["sample"]), np.asarray(theirs["sample"])
        else:
            return None
        return a.astype(np.float64), b.astype(np.float64)

    def parts(self, name: str) -> tuple[np.ndarray, np.ndarray] | None:
        """The first inputs or outputs of the two calls that part."""
        if self.evidence is None or not self.evidence[0].get(name):
            return None
        return self.values(self.evidence[0][name][0], self.evidence[1][name][0])


def find_cause(
    comparison: Comparison, ours: Record, theirs: Record, pairs: dict[str, str]
) -> Cause | None:
    """The likeliest cause of the first fault; None if nothing in the catalogue fits."""
    fault = comparison.fault
    if fault is None or comparison.at is None:
        return None if fault is None else _without_steps(fault, ours, theirs, pairs)
    case = Case(fault, ours, theirs, comparison.at, comparison.evidence, pairs)
    for check in _CHECKS.get(fault.phase, ()):
        found = check(case)
        if found is not None:
            return found
    return None


def _without_steps(
    fault: Fault, ours: Record, theirs: Record, pairs: dict[str, str]
) -> Cause | None:
    return Cause("initial", fault.detail) if fault.phase == "initial" else None


# forward -----------------------------------------------------------------------------------------


def _is_input(case: Case) -> bool:
    return case.fault.detail.startswith("input")


def _mode(case: Case) -> Cause | None:
    """The layer ran in training mode in one program only."""
    if case.evidence is None:
        return None
    for mine, other in [*_between(case), case.evidence]:
        matters = any(w in mine["cls"] for w in ("Dropout", "BatchNorm"))
        if mine["training"] != other["training"] and matters:
            name = mine["layer"] or mine["cls"]
            said = ("training" if m["training"] else "prediction" for m in (mine, other))
            return Cause("train-mode", f"{name}: {', '.join(said)}")
    return None


def _between(case: Case) -> list[tuple[Event, Event]]:
    """Layers without parameters before the place, of both programs: by position, or by kind."""
    if case.evidence is None:
        return []
    pairs = zip(case.steps, case.evidence, strict=True)
    first, second = (_before(step.calls, call) for step, call in pairs)
    if len(first) == len(second):
        return list(zip(first, second, strict=True))
    found = []
    for mine in first:
        fitting = [c for c in second if is_known(mine) and is_class(mine, c)]
        if fitting:
            found.append((mine, fitting[0]))
            second = second[second.index(fitting[0]) + 1 :]
    return found


def _before(calls: list[Event], place: Event) -> list[Event]:
    found: list[Event] = []
    own = [c for c in calls if c["root"] == place["root"]]
    # MXNet's Dense and Conv call their activation before they end
    acts = {c["layer"]: c for c in own if c["layer"].endswith(".act") and not c["key"]}
    for call in own:
        if call["layer"] == place["layer"]:
            break
        act = acts.get(f"{call['layer']}.act")
        if call["key"] or call["is_root"]:
            found = [act] if act is not None else []
        elif call["layer"] not in acts:
            found.append(call)
    return found


_BY_SETTING = {
    "eps": "eps",
    "padding": "padding",
    "stride": "padding",
    "kernel_size": "padding",
    "dilation": "padding",
    "p": "dropout",
    "dropout": "dropout",
    "ceil_mode": "pooling",
    "count_include_pad": "pooling",
}


def _layer_settings(case: Case) -> Cause | None:
    """A layer here, or one without parameters before it, was made otherwise."""
    if case.evidence is None:
        return None
    for mine, other in [*_between(case), case.evidence]:
        wanted = in_torch(mine["settings"], mine["cls"])
        ignored = {"momentum"} if case.fault.phase == "forward" else set()
        names = [n for n in differing(wanted, other["settings"]) if n not in ignored]
        name = mine["layer"] or mine["cls"]
        if is_known(mine) and not is_class(mine, other):
            kind = "pooling" if "Pool" in mine["cls"] else "activation"
            return Cause(kind, f"{name}: {mine['cls']} and {other['cls']}")
        if names:
            pooling = "Pool" in mine["cls"]
            kind = "pooling" if pooling else _BY_SETTING.get(names[0], "settings")
            return Cause(kind, f"{name}: {names[0]} {wanted[names[0]]} and "
                         f"{other['settings'][names[0]]}")  # fmt: skip
    return None


_FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "relu": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-np.clip(x, -500, 500))),
    "softrelu": lambda x: np.logaddexp(x, 0),
}


def _like(a: np.ndarray, b: np.ndarray, tolerance: float = 2e-4) -> bool:
    if a.shape != b.shape or not a.size:
        return False
    size = max(float(np.abs(a).max()), float(np.abs(b).max()), 1e-30)
    return bool(np.abs(a - b).max() <= tolerance * size)


def _function(case: Case) -> Cause | None:
    """One side is an activation of the other."""
    for part in ("inputs", "outputs"):
        both = case.parts(part)
        if both is None or both[0].size != both[1].size:
            continue
        a, b = both[0].reshape(-1), both[1].reshape(-1)
        if _like(a, b):
            continue
        for name, function in _FUNCTIONS.items():
            if _like(a, function(b)):
                return Cause("activation", f"{name} is missing in the second")
            if _like(function(a), b):
                return Cause("activation", f"{name} is too much in the second")
        found = _two_functions(a, b)
        if found is not None:
            return found
    return None


def _two_functions(a: np.ndarray, b: np.ndarray) -> Cause | None:
    """Both are activations of the same numbers: where both are positive one gives the other."""
    if len(a) < 8:
        return None
    with np.errstate(all="ignore"):
        inverse = {
            "tanh": np.arctanh(np.clip(b, -1 + 1e-7, 1 - 1e-7)),
            "sigmoid": np.log(np.clip(b, 1e-12, None) / np.clip(1 - b, 1e-12, None)),
            "softrelu": np.log(np.expm1(np.clip(b, 1e-12, 50))),
        }
    for name, numbers in inverse.items():
        for other, function in _FUNCTIONS.items():
            if other != name and np.isfinite(numbers).all() and _like(a, function(numbers), 2e-3):
                return Cause("activation", f"{other} and {name}")
    positive = a > 1e-6
    if (a >= 0).all() and 2 < positive.sum() < len(a):
        for name, function in _FUNCTIONS.items():
            if name != "relu" and _like(function(a[positive]), b[positive]):
                return Cause("activation", f"relu and {name}")
        if _like(a[positive], b[positive]):
            return Cause("activation", "relu, and something that lets negative numbers through")
    return None


def _layout(case: Case) -> Cause | None:
    """The same numbers in another order."""
    for part in ("inputs", "outputs"):
        both = case.parts(part)
        if both is None or both[0].size != both[1].size or both[0].size < 2:
            continue
        a, b = np.sort(both[0].reshape(-1)), np.sort(both[1].reshape(-1))
        if _like(a, b, 1e-5) and not _like(both[0].reshape(-1), both[1].reshape(-1)):
            return Cause("layout", f"shapes {both[0].shape} and {both[1].shape}")
    return None


def _softmax(case: Case) -> Cause | None:
    """The outputs of one side are probabilities, those of the other are not."""
    both = case.parts("outputs")
    if both is None or both[0].shape != both[1].shape or both[0].ndim < 2:
        return None
    sums = [bool(np.allclose(x.sum(-1), 1, atol=1e-3)) for x in both]
    logs = [bool(np.allclose(np.exp(np.clip(x, -80, 80)).sum(-1), 1, atol=1e-3)) for x in both]
    if sums[0] != sums[1] or logs[0] != logs[1]:
        return Cause("softmax", "the rows of one side alone sum to 1")
    return None


def _constant(case: Case) -> Cause | None:
    """One side is a multiple of the other."""
    for part in ("inputs", "outputs"):
        both = case.parts(part)
        if both is None or both[0].shape != both[1].shape:
            continue
        factor = _factor(*both)
        if factor is not None and not math.isclose(factor, 1, rel_tol=1e-4):
            return Cause("scale", f"by {factor:.6g}")
    return None


def _factor(a: np.ndarray, b: np.ndarray, tolerance: float = 1e-4) -> float | None:
    """The number c with b = c a, if there is one."""
    a, b = a.reshape(-1), b.reshape(-1)
    if a.shape != b.shape or not (a * a).sum():
        return None
    factor = float((a * b).sum() / (a * a).sum())
    return factor if factor and _like(factor * a, b, tolerance) else None


def _mask(case: Case) -> Cause | None:
    """One side has zeros where the other has none: dropout ran on one side."""
    both = case.parts("inputs") if _is_input(case) else case.parts("outputs")
    if both is None or both[0].shape != both[1].shape:
        return None
    zeros = [float((x == 0).mean()) for x in both]
    if abs(zeros[0] - zeros[1]) < 0.1:
        return None
    a, b = both
    kept = (a != 0) & (b != 0)
    if kept.sum() > 2 and _factor(a[kept], b[kept]) is not None:
        return Cause("dropout", f"{zeros[0]:.0%} and {zeros[1]:.0%} of the values are zero")
    return None


_GATED = ("LSTM", "GRU", "RNN")


def _gates(case: Case) -> Cause | None:
    """A recurrent layer gives something else for the same input, all settings equal."""
    if case.evidence is None or _is_input(case):
        return None
    mine, other = case.evidence
    if any(w in mine["cls"] for w in _GATED):
        return Cause("gates", f"{mine['cls']} and {other['cls']}")
    return None


def _border(case: Case) -> Cause | None:
    """Images that differ at their borders only."""
    both = case.parts("outputs")
    if both is None or both[0].shape != both[1].shape or both[0].ndim < 4 or _is_input(case):
        return None
    inner: Any = (..., *(slice(n // 4, n - n // 4) for n in both[0].shape[2:]))
    if _like(both[0][inner], both[1][inner]):
        return Cause("padding", "only the borders of the images differ")
    return None


def _shared(case: Case) -> Cause | None:
    """One program has fewer parameters than the other."""
    counts = [sum(len(m["parameters"]) for m in r.of("meet")) for r in (case.ours, case.theirs)]
    if counts[0] != counts[1]:
        return Cause("shared", f"{counts[0]} parameters and {counts[1]}")
    mine = Counter(c["key"] for c in case.steps[0].calls if c["key"])
    other = Counter(case.pairs.get(c["key"], "") for c in case.steps[1].calls if c["key"])
    often = [k for k, n in other.items() if k and n > mine[k]]
    unused = [k for k in mine if k not in other and k in case.pairs.values()]
    if often and unused:
        return Cause("shared", f"{often[0]} is used in the place of {unused[0]}")
    return None


# loss --------------------------------------------------------------------------------------------


def _loss_ratio(case: Case) -> Cause | None:
    ours, theirs = case.steps
    if ours.loss is None or theirs.loss is None or not ours.loss or not theirs.loss:
        return None
    scale = float(ours.updates[-1]["scale"]) if ours.updates else 1.0
    ratio = theirs.loss / (ours.loss * scale)
    count = max(e["count"] for e in ours.losses)
    if math.isclose(ratio, 2, rel_tol=1e-3):
        return Cause("half-loss", "the second loss is twice the first")
    if math.isclose(ratio, 0.5, rel_tol=1e-3):
        return Cause("half-loss", "the second loss is half the first")
    for size in {round(1 / scale) if scale else 0, count}:
        if size > 1 and math.isclose(ratio, size, rel_tol=1e-3):
            return Cause("batch-size", f"the second loss is {size} times the first")
        if size > 1 and math.isclose(ratio, 1 / size, rel_tol=1e-3):
            return Cause("batch-size", f"the first loss is {size} times the second")
    for other in range(2, 4097):
        if math.isclose(ratio, other, rel_tol=1e-4) or math.isclose(1 / ratio, other, rel_tol=1e-4):
            return Cause("reduction", f"the losses differ by the factor {other}")
    return None


def _loss_inside(case: Case) -> Cause | None:
    """What both losses get is the same: what would give the second from the first's arguments."""
    calls = [c for c in case.steps[0].calls if "Loss" in c["cls"] and len(c["inputs"]) > 1]
    if not calls or case.steps[1].loss is None:
        return None
    both = calls[-1]["inputs"]
    if not ("array" in both[0] and "array" in both[1]):
        return None
    scores, labels = (case.ours.value(p["array"]).astype(np.float64) for p in both[:2])
    for name, detail, value in _other_losses(scores, labels):
        if math.isclose(value, case.steps[1].loss, rel_tol=1e-3):
            return Cause(name, detail)
    return Cause("labels", "")


def _other_losses(scores: np.ndarray, labels: np.ndarray) -> Iterator[tuple[str, str, float]]:
    if scores.ndim > 1 and labels.size * scores.shape[-1] == scores.size:
        table = scores.reshape(-1, scores.shape[-1])
        chosen = labels.reshape(-1).astype(int)
        if chosen.min() >= 0 and chosen.max() < table.shape[1]:
            yield (
                "softmax",
                "before a loss that has one",
                _cross_entropy(_softmax_of(table), chosen),
            )
            logs = np.log(np.maximum(_softmax_of(table), 1e-30))
            yield "softmax", "missing in the loss", -float(table[range(len(chosen)), chosen].mean())
            yield "softmax", "its logarithm twice", _cross_entropy(logs, chosen)
    if scores.size == labels.size:
        apart = scores.reshape(-1, 1) - labels.reshape(1, -1)
        for power in (np.square(apart), np.abs(apart)):
            for factor in (0.5, 1.0):
                said = "scores and labels of other shapes are broadcast"
                yield "reduction", said, factor * float(power.mean())
                yield "reduction", said, factor * float(power.sum(1).mean())


def _softmax_of(scores: np.ndarray) -> np.ndarray:
    exps = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(exps / exps.sum(-1, keepdims=True))


def _cross_entropy(scores: np.ndarray, labels: np.ndarray) -> float:
    rows = _softmax_of(scores)[range(len(labels)), labels]
    return -float(np.log(np.maximum(rows, 1e-30)).mean())


# gradients and updates ---------------------------------------------------------------------------


def _gradient_pairs(case: Case) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    for a, b in zip(case.steps[0].updates, case.steps[1].updates, strict=False):
        for key, other in b["gradients"].items():
            mine = case.pairs.get(key)
            if mine is not None and mine in a["gradients"]:
                both = case.values(a["gradients"][mine], other)
                if both is not None:
                    yield mine, *both


def _gradient_scale(case: Case) -> Cause | None:
    """All gradients are the same multiple."""
    pairs = list(_gradient_pairs(case))
    floor = 1e-4 * max((float(np.abs(a).max()) for _, a, _ in pairs), default=0.0)
    factors = [_factor(a, b, 1e-3) for _, a, b in pairs if np.abs(a).max() > floor]
    known = [f for f in factors if f is not None]
    if not known or len(known) < max(1, len(factors) - 1):
        return None
    if all(math.isclose(f, known[0], rel_tol=1e-2) for f in known):
        scale = float(case.steps[0].updates[-1]["scale"])
        size = 1 / scale if scale else 0.0
        name = "batch-size" if math.isclose(known[0], size, rel_tol=1e-2) else "scale"
        return Cause(name, f"all gradients are {known[0]:.4g} times as large")
    return None


def _add_up(case: Case) -> Cause | None:
    """From the second step on gradients are larger by those of the step before."""
    if case.fault.step < 2:
        return None
    before = {
        k: v
        for step in case.theirs.steps()
        if step.number == case.fault.step - 1
        for u in step.updates
        for k, v in u["gradients"].items()
    }
    keys = {mine: key for key, mine in case.pairs.items()}
    rows = [
        (a.reshape(-1), case.theirs.value(before[keys[k]]["array"]).reshape(-1), b.reshape(-1))
        for k, a, b in _gradient_pairs(case)
        if "array" in before.get(keys[k], {})
    ]
    if not rows:
        return None
    now, old, got = (np.concatenate(part).astype(np.float64) for part in zip(*rows, strict=True))
    solution = np.linalg.lstsq(np.stack([now, old], 1), got, rcond=None)[0]
    rest = np.linalg.norm(solution[0] * now + solution[1] * old - got)
    if solution[1] > 0.05 and rest <= 0.02 * np.linalg.norm(got):
        return Cause("gradients-add-up", "they are this step's and the last step's")
    return None


def _detached(case: Case) -> Cause | None:
    if case.fault.detail.endswith("none in the second"):
        return Cause("detach", case.fault.detail)
    for key, a, b in _gradient_pairs(case):
        sizes = np.abs(a).max(), np.abs(b).max()
        if min(sizes) == 0 < max(sizes):
            which = "second" if sizes[1] == 0 else "first"
            return Cause("detach", f"the gradient of {key} is 0 in the {which}")
    return None


def _optimizer(case: Case) -> Cause | None:
    """The optimizers have other settings."""
    if not (case.steps[0].updates and case.steps[1].updates):
        return None
    mine, other = (s.updates[-1]["settings"] for s in case.steps)
    wanted = optimizer_in_torch(mine)
    names = differing(wanted, other)
    kinds = {"lr": "learning-rate", "weight_decay": "weight-decay", "eps": "eps"}
    for name in names:
        kind = kinds.get(name, "momentum" if name in ("momentum", "betas") else "optimizer")
        return Cause(kind, f"{name} {wanted[name]} and {other[name]}")
    first, second = str(mine.get("class", "")).lower(), str(other.get("class", "")).lower()
    if first and second and first != second and {first, second} - {"nag", "sgd"}:
        return Cause("optimizer", f"{mine['class']} and {other['class']}")
    return None


def _decay(case: Case) -> Cause | None:
    """The moves differ by a multiple of the weights."""
    ratios: dict[str, float] = {}
    same = 0
    for a, b in zip(case.steps[0].updates, case.steps[1].updates, strict=False):
        for key, other in b["weights"].items():
            mine = case.pairs.get(key)
            if mine is None or mine not in a["weights"]:
                continue
            both = case.values(a["weights"][mine], other)
            if both is None:
                continue
            apart = both[1] - both[0]
            size = max(float(np.abs(both[0]).max()), 1e-30)
            if np.abs(apart).max() <= 1e-6 * size:
                same += 1
                continue
            factor = _factor_of_noise(both[0], apart)
            if factor is not None:
                ratios[mine] = factor
    if not ratios or case.fault.detail.partition(":")[0] not in {
        k.partition(":")[0] for k in ratios
    }:
        return None
    if all(k.endswith(("bias", "beta", "gamma")) for k in ratios):
        return Cause("bias-decay", f"only {', '.join(sorted(ratios))} move otherwise")
    return Cause("weight-decay", "the moves differ by a multiple of the weights")


def _factor_of_noise(weight: np.ndarray, apart: np.ndarray) -> float | None:
    """The number c with apart = c weight, as float32 shows it."""
    w, d = weight.reshape(-1), apart.reshape(-1)
    factor = float((w * d).sum() / max((w * w).sum(), 1e-30))
    rest = float(np.linalg.norm(d - factor * w))
    return factor if factor and rest <= 0.2 * float(np.linalg.norm(d)) else None


def _bias_alone(case: Case) -> Cause | None:
    """Only biases move otherwise."""
    key = case.fault.detail.partition(": ")[0]
    if not key.endswith(("bias", "beta")):
        return None
    mine, other = (s.updates[-1]["settings"] for s in case.steps)
    if mine.get("wd") or other.get("weight_decay"):
        return Cause("bias-decay", key)
    return None


def _later_steps(case: Case) -> Cause | None:
    """The first update agrees, a later one does not: what the optimizer keeps differs."""
    return Cause("momentum", "the first update agrees") if case.fault.step > 1 else None


def _statistics(case: Case) -> Cause | None:
    for mine in case.steps[0].calls:
        for other in case.steps[1].calls:
            if mine["key"] and case.pairs.get(other["key"]) == mine["key"]:
                wanted = in_torch(mine["settings"], mine["cls"])
                if "momentum" in differing(wanted, other["settings"]):
                    said = f"{wanted['momentum']:.6g} and {other['settings']['momentum']:.6g}"
                    return Cause("momentum", f"{mine['layer']}: torch's {said}")
    return _any_mode(case)


def _any_mode(case: Case) -> Cause | None:
    for mine in case.steps[0].calls:
        for other in case.steps[1].calls:
            if mine["key"] and case.pairs.get(other["key"]) == mine["key"]:
                if mine["training"] != other["training"]:
                    return Cause("train-mode", mine["layer"])
                break
    return None


Check = Callable[[Case], Cause | None]
_CHECKS: dict[str, tuple[Check, ...]] = {
    "forward": (
        _mode,
        _layer_settings,
        _shared,
        _layout,
        _border,
        _function,
        _mask,
        _gates,
        _softmax,
        _constant,
    ),
    "loss": (_loss_ratio, _loss_inside),
    "gradient": (_add_up, _detached, _gradient_scale),
    "update": (_optimizer, _decay, _bias_alone, _later_steps),
    "statistics": (_statistics,),
    "steps": (),
    "final": (_optimizer,),
}
