"""Gluon's losses: a value a sample, as MXNet has it."""

from __future__ import annotations

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer

_PLAIN = ("prefix", "params")


def _helper(name: str) -> Writer:
    """The helper takes MXNet's arguments by their names."""

    def write(match: Match) -> str | None:
        given = [f"{a}={match.text(a)}" for a in match.given if a not in _PLAIN]
        return f"{match.helper(name)}({', '.join(given)})"

    return write


def _loss(cls: str, helper: str) -> Rule:
    return Rule(
        cls,
        f"call mx.gluon.loss.{cls}",
        _helper(helper),
        f"loss = gluon.loss.{cls}(weight=2)",
        f"loss = {helper}(weight=2)",
    )


def _base(match: Match) -> str:
    return match.helper("SampleLoss")


REGISTRY.add(
    _loss("SoftmaxCrossEntropyLoss", "SoftmaxLoss"),
    _loss("SoftmaxCELoss", "SoftmaxLoss"),
    _loss("SigmoidBinaryCrossEntropyLoss", "SigmoidBCELoss"),
    *(
        _loss(name, name)
        for name in (
            "L2Loss", "L1Loss", "HuberLoss", "SigmoidBCELoss", "KLDivLoss", "HingeLoss",
            "SquaredHingeLoss", "LogisticLoss", "TripletLoss", "CosineEmbeddingLoss",
            "PoissonNLLLoss", "CTCLoss",
        )
    ),
    Rule(
        "class-Loss",
        "name mx.gluon.loss.Loss",
        _base,
        "class Own(gluon.loss.Loss): pass",
        "class Own(SampleLoss): pass",
    ),
)  # fmt: skip
