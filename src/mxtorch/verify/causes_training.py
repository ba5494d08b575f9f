"""Causes of a difference in losses, gradients, updates and statistics."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from mxtorch.verify.case import Case, Cause, factor_of
from mxtorch.verify.settings import differing, in_torch, optimizer_in_torch

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
    factors = [factor_of(a, b, 1e-3) for _, a, b in pairs if np.abs(a).max() > floor]
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
    mine = case.steps[0].updates[-1]["settings"]
    other = case.second_optimizer(case.steps[1].updates[-1])
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
                made = case.second_layer(other)
                if "momentum" in differing(wanted, made):
                    said = f"{wanted['momentum']:.6g} and {made['momentum']:.6g}"
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


LOSS = (_loss_ratio, _loss_inside)
GRADIENT = (_add_up, _detached, _gradient_scale)
UPDATE = (_optimizer, _decay, _bias_alone, _later_steps)
STATISTICS = (_statistics,)
FINAL = (_optimizer,)
