"""Optimizers that a program derives from `mx.optimizer.Optimizer`."""

from __future__ import annotations

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer
from mxtorch.port.trainers import RULE


def _named(helper: str) -> Writer:
    return lambda match: match.helper(helper)


def _same(match: Match) -> str:
    return match.port.splice(match.node)


REGISTRY.add(
    Rule(
        "class-Optimizer",
        f"name {RULE}",
        _named("OwnOptimizer"),
        "class Own(mx.optimizer.Optimizer): pass",
        "class Own(OwnOptimizer): pass",
        needs=(),
    ),
    *(
        Rule(
            f"register-{name}",
            f"name {name}",
            _named("registered"),
            f"r = {name}",
            "r = registered",
            needs=(),
        )
        for name in ("mx.optimizer.register", f"{RULE}.register")
    ),
    *(
        Rule(
            f"optimizer{name}",
            f"method {RULE}.{name}",
            _same,
            f"v = self.{name}(index)",
            f"v = self.{name}(index)",
            needs=(),
        )
        for name in ("_update_count", "_get_lr", "_get_wd")
    ),
    *(
        Rule(
            f"optimizer-{name}",
            f"attr {RULE}.{name}",
            _same,
            f"v = self.{name}",
            f"v = self.{name}",
            needs=(),
        )
        for name in (
            *("lr", "wd", "rescale_grad", "clip_gradient", "lr_scheduler"),
            *("num_update", "begin_num_update", "_index_update_count"),
        )
    ),
)
