"""Optimizers that a program derives from `mx.optimizer.Optimizer`."""

from __future__ import annotations

from mxtorch.port.rule import REGISTRY, Rule, Writer
from mxtorch.port.rules._common import same
from mxtorch.port.trainers import RULE


def _named(helper: str) -> Writer:
    return lambda match: match.helper(helper)


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
            same,
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
            same,
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
