"""Mixed precision: MXNet's `amp` changes all operators, torch's autocast likewise once it is on.

The loss's scale is the trainer's; `statements` ports `scale_loss`, `steps` the step.
"""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule

_KINDS = ("float16", "bfloat16")


def _init(match: Match) -> str | None:
    kind = match.constant("target_dtype") if match.has("target_dtype") else "float16"
    if not match.only("target_dtype") or kind not in _KINDS:
        return None
    if not isinstance(match.parent, ast.Expr):
        return None
    line = f'torch.set_autocast_dtype("cuda", torch.{kind})'
    match.port.source.insert_after(match.parent, line)
    return 'torch.set_autocast_enabled("cuda", True)'


def _init_trainer(match: Match) -> str | None:
    if not match.only("optimizer_or_trainer") or not isinstance(match.parent, ast.Expr):
        return None
    return f"{match.text('optimizer_or_trainer')}.scaler = torch.amp.GradScaler()"


def _unscale(match: Match) -> str | None:
    if not match.only("optimizer_or_trainer"):
        return None
    trainer = match.text("optimizer_or_trainer")
    return f"{trainer}.scaler.unscale_({trainer})"


REGISTRY.add(
    Rule(
        "amp-init",
        "call mx.contrib.amp.init",
        _init,
        "mx.contrib.amp.init()",
        'torch.set_autocast_enabled("cuda", True)\ntorch.set_autocast_dtype("cuda", torch.float16)',
        note="which operators keep float32 is torch's list",
    ),
    Rule(
        "amp-init-trainer",
        "call mx.contrib.amp.init_trainer",
        _init_trainer,
        "mx.contrib.amp.init_trainer(trainer)",
        "trainer.scaler = torch.amp.GradScaler()",
    ),
    Rule(
        "amp-unscale",
        "call mx.contrib.amp.unscale",
        _unscale,
        "mx.contrib.amp.unscale(trainer)",
        "trainer.scaler.unscale_(trainer)",
        needs=(),
    ),
)
