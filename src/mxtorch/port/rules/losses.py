"""Gluon's losses: a value a sample, as MXNet has it."""

from __future__ import annotations

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer

_PLAIN = ("prefix", "params")


def _helper(name: str) -> Writer:
    def write(match: Match) -> str | None:
        if not match.only(*_PLAIN):
            return None
        return f"{match.helper(name)}()"

    return write


def _loss(cls: str, helper: str) -> Rule:
    return Rule(
        cls,
        f"call mx.gluon.loss.{cls}",
        _helper(helper),
        f"loss = gluon.loss.{cls}()",
        f"loss = {helper}()",
    )


REGISTRY.add(
    _loss("L2Loss", "L2Loss"),
    _loss("L1Loss", "L1Loss"),
    _loss("SoftmaxCrossEntropyLoss", "SoftmaxLoss"),
    _loss("SoftmaxCELoss", "SoftmaxLoss"),
    _loss("SigmoidBinaryCrossEntropyLoss", "SigmoidBCELoss"),
    _loss("SigmoidBCELoss", "SigmoidBCELoss"),
)
