"""Causes of a difference in what a layer computes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from mxtorch.verify.case import Case, Cause, factor_of, like
from mxtorch.verify.record import Event
from mxtorch.verify.settings import differing, in_torch, is_class, is_known, said_of

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
        made = case.second_layer(other)
        names = [n for n in differing(wanted, made) if n not in ignored]
        name = mine["layer"] or mine["cls"]
        if is_known(mine) and not is_class(mine, other):
            kind = "pooling" if "Pool" in mine["cls"] else "activation"
            return Cause(kind, f"{name}: {said_of(mine)} and {said_of(other)}")
        if names:
            pooling = "Pool" in mine["cls"]
            kind = "pooling" if pooling else _BY_SETTING.get(names[0], "settings")
            return Cause(kind, f"{name}: {names[0]} {wanted[names[0]]} and {made[names[0]]}")
    return None


_FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "relu": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-np.clip(x, -500, 500))),
    "softrelu": lambda x: np.logaddexp(x, 0),
}


def _function(case: Case) -> Cause | None:
    """One side is an activation of the other."""
    for part in ("inputs", "outputs"):
        both = case.parts(part)
        if both is None or both[0].size != both[1].size:
            continue
        a, b = both[0].reshape(-1), both[1].reshape(-1)
        if like(a, b):
            continue
        for name, function in _FUNCTIONS.items():
            if like(a, function(b)):
                return Cause("activation", f"{name} is missing in the second")
            if like(function(a), b):
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
            if other != name and np.isfinite(numbers).all() and like(a, function(numbers), 2e-3):
                return Cause("activation", f"{other} and {name}")
    positive = a > 1e-6
    if (a >= 0).all() and 2 < positive.sum() < len(a):
        for name, function in _FUNCTIONS.items():
            if name != "relu" and like(function(a[positive]), b[positive]):
                return Cause("activation", f"relu and {name}")
        if like(a[positive], b[positive]):
            return Cause("activation", "relu, and something that lets negative numbers through")
    return None


def _layout(case: Case) -> Cause | None:
    """The same numbers in another order."""
    for part in ("inputs", "outputs"):
        both = case.parts(part)
        if both is None or both[0].size != both[1].size or both[0].size < 2:
            continue
        a, b = np.sort(both[0].reshape(-1)), np.sort(both[1].reshape(-1))
        if like(a, b, 1e-5) and not like(both[0].reshape(-1), both[1].reshape(-1)):
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
        factor = factor_of(*both)
        if factor is not None and not math.isclose(factor, 1, rel_tol=1e-4):
            return Cause("scale", f"by {factor:.6g}")
    return None


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
    if kept.sum() > 2 and factor_of(a[kept], b[kept]) is not None:
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
    if like(both[0][inner], both[1][inner]):
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


FORWARD = (
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
)
