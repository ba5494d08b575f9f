"""A fault with everything around it, and what may be said of its cause."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from mxtorch.verify.compare import Fault
from mxtorch.verify.record import Event, Record, Step
from mxtorch.verify.settings import in_torch, optimizer_in_torch


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

    @property
    def is_mxnet(self) -> bool:
        """Whether the second run is one of MXNet too."""
        return self.theirs.head.get("side") == "mxnet"

    def second_layer(self, call: Event) -> dict[str, Any]:
        """What a layer of the second run was made with, in torch's words."""
        given: dict[str, Any] = call["settings"]
        return in_torch(given, call["cls"]) if self.is_mxnet else given

    def second_optimizer(self, update: Event) -> dict[str, Any]:
        """The settings of the second run's optimizer, in torch's words."""
        given: dict[str, Any] = update["settings"]
        return {**given, **optimizer_in_torch(given)} if self.is_mxnet else given

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


def like(a: np.ndarray, b: np.ndarray, tolerance: float = 2e-4) -> bool:
    if a.shape != b.shape or not a.size:
        return False
    size = max(float(np.abs(a).max()), float(np.abs(b).max()), 1e-30)
    return bool(np.abs(a - b).max() <= tolerance * size)


def factor_of(a: np.ndarray, b: np.ndarray, tolerance: float = 1e-4) -> float | None:
    """The number c with b = c a, if there is one."""
    a, b = a.reshape(-1), b.reshape(-1)
    if a.shape != b.shape or not (a * a).sum():
        return None
    factor = float((a * b).sum() / (a * a).sum())
    return factor if factor and like(factor * a, b, tolerance) else None
