"""Gluon's losses: a value a sample, as MXNet has it."""

from __future__ import annotations

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer
from mxtorch.port.rules._common import call_in_order

_PLAIN = ("prefix", "params")


def _helper(name: str) -> Writer:
    """The helper takes MXNet's arguments by their names."""

    def write(match: Match) -> str | None:
        given = [f"{a}={match.text(a)}" for a in match.given if a not in _PLAIN]
        return f"{match.helper(name)}({', '.join(given)})"

    return write


def _loss(cls: str, helper: str) -> tuple[Rule, Rule]:
    """A loss that is made, and one that a class of the program derives from."""
    return (
        Rule(
            cls,
            f"call mx.gluon.loss.{cls}",
            _helper(helper),
            f"loss = gluon.loss.{cls}(weight=2)",
            f"loss = {helper}(weight=2)",
        ),
        _class(cls, helper),
    )


def _class(cls: str, helper: str) -> Rule:
    return Rule(
        f"class-{cls}",
        f"name mx.gluon.loss.{cls}",
        lambda match: match.helper(helper),
        f"class Own(gluon.loss.{cls}): pass",
        f"class Own({helper}): pass",
        needs=(),
    )


_OTHERWISE = {
    "SoftmaxCrossEntropyLoss": "SoftmaxLoss",
    "SoftmaxCELoss": "SoftmaxLoss",
    "SigmoidBinaryCrossEntropyLoss": "SigmoidBCELoss",
}
_ALIKE = (
    "L2Loss", "L1Loss", "HuberLoss", "SigmoidBCELoss", "KLDivLoss", "HingeLoss",
    "SquaredHingeLoss", "LogisticLoss", "TripletLoss", "CosineEmbeddingLoss", "PoissonNLLLoss",
    "CTCLoss",
)  # fmt: skip
REGISTRY.add(
    *(
        rule
        for cls, helper in (_OTHERWISE | dict(zip(_ALIKE, _ALIKE, strict=True))).items()
        for rule in _loss(cls, helper)
    ),
    _class("Loss", "SampleLoss"),
    Rule(
        "apply-weighting",
        "call mx.gluon.loss._apply_weighting",
        call_in_order("weighted", "loss", "weight", "sample_weight", drop=("F",)),
        "z = gluon.loss._apply_weighting(nd, x, 2.0)",
        "z = weighted(x, 2.0)",
        needs=(),
        params="F, loss, weight=None, sample_weight=None",
    ),
)
