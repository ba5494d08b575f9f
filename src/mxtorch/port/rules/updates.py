"""Operators that are an optimizer's step on one array, in place."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer

_ARRAYS = {
    "sgd_update": ("weight", "grad"),
    "sgd_mom_update": ("weight", "grad", "mom"),
    "adam_update": ("weight", "grad", "mean", "var"),
}
_OPTIONS = ("lr", "momentum", "beta1", "beta2", "epsilon", "wd", "rescale_grad", "clip_gradient")


def _update(name: str) -> Writer:
    """The step of a statement that writes the weight back where it was."""
    arrays = _ARRAYS[name]

    def write(match: Match) -> str | None:
        if not match.only(*arrays, *_OPTIONS, "lazy_update", "out") or not match.has("out"):
            return None
        in_place = match.text("out") == match.text("weight")
        if not in_place or not isinstance(match.parent, ast.Expr):
            return None
        texts = [match.text(a) for a in arrays]
        texts += [f"{o}={match.text(o)}" for o in _OPTIONS if match.has(o)]
        return f"{match.helper(name)}({', '.join(texts)})"

    return write


REGISTRY.add(
    *(
        Rule(
            name.replace("_", "-"),
            f"call mx.nd.{name}",
            _update(name),
            f"nd.{name}({given}, out=x, lr=0.1, wd=0.5)",
            f"{name}({given}, lr=0.1, wd=0.5)",
            needs=(),
            params=f"{', '.join(_ARRAYS[name])}, out=None, name=None, **options",
        )
        for name, given in (
            ("sgd_update", "x, y"),
            ("sgd_mom_update", "x, y, c"),
            ("adam_update", "x, y, c, d"),
        )
    )
)
