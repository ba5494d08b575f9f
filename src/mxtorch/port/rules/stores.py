"""Key-value stores, and optimizers by themselves."""

from __future__ import annotations

import ast
from dataclasses import replace

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules._common import same
from mxtorch.port.rules.trainer import KINDS, optimizer
from mxtorch.port.trainers import WORKERS_OPTIMIZER, optimizer_of

_STORE = "mx.kv.KVStore"


def _create(match: Match) -> str | None:
    name = match.constant("name") if match.has("name") else "local"
    if not match.only("name") or name not in KINDS:
        return None
    given = match.text("name") if match.has("name") else ""
    return f"{match.helper('KeyValueStore')}({given})"


def _plain(*arguments: str) -> Writer:
    """The helper has the method, with these arguments."""

    def write(match: Match) -> str | None:
        return match.port.splice(match.node) if match.only("self", *arguments) else None

    return write


def with_scale(match: Match) -> str | None:
    """The optimizer that a call is given and, behind it, how it rescales gradients."""
    node = match.given.get("optimizer")
    found = optimizer_of(match.port, node, {}) if node is not None else None
    if node is None or found is None:
        return None
    scale = found.values.get("rescale_grad")
    more = f", {match.text(scale)}" if scale is not None else ""
    return f"{match.text(node)}{more}"


def _set_optimizer(match: Match) -> str | None:
    given = with_scale(match)
    return given and f"{parenthesized(match.text('self'))}.set_optimizer({given})"


def _optimizer(match: Match) -> str | None:
    """An optimizer without parameters: a function that makes one of them."""
    parent = match.parent
    if isinstance(parent, ast.keyword) or (
        isinstance(parent, ast.Call)
        and match.node in parent.args
        and not _is_setting(match, parent)
    ):
        return None  # its trainer reads it
    assert isinstance(match.node, ast.expr)
    found = optimizer_of(match.port, match.node, {})
    if found is None:
        return None
    values = {k: v for k, v in found.values.items() if k != "rescale_grad"}
    if "clip_gradient" in values:
        return None
    made = optimizer(match, replace(found, values=values), "params")
    return None if made is None else f"lambda params: {made}"


def _is_setting(match: Match, call: ast.Call) -> bool:
    """Whether a call takes a function that makes optimizers."""
    wanted = ("set_optimizer", "get_updater")
    return isinstance(call.func, ast.Attribute) and call.func.attr in wanted


_METHODS = {
    "init": (("key", "value"), "kv.init('a', x)"),
    "push": (("key", "value", "priority"), "kv.push('a', [x, x])"),
    "pull": (("key", "out", "priority"), "kv.pull('a', out=x)"),
}
_OPTIMIZERS = ("SGD", "NAG", "Adam", "AdaGrad", "AdaDelta", "RMSProp", "Adamax", "Nadam")
REGISTRY.add(
    Rule(
        "kvstore",
        "call mx.kv.create",
        _create,
        "kv = mx.kv.create('local')",
        "kv = KeyValueStore('local')",
        needs=(),
    ),
    *(
        Rule(f"kvstore-{name}", f"method {_STORE}.{name}", _plain(*given), text, text, needs=())
        for name, (given, text) in _METHODS.items()
    ),
    *(
        Rule(f"kvstore-{name}", f"attr {_STORE}.{name}", same, f"v = kv.{name}",
             f"v = kv.{name}", needs=())
        for name in ("rank", "num_workers", "type")
    ),
    Rule(
        "optimizer-create",
        "call mx.optimizer.create",
        _optimizer,
        "make = mx.optimizer.create('sgd', learning_rate=0.1)",
        "make = lambda params: torch.optim.SGD(params, lr=0.1)",
        needs=(),
    ),
    Rule(
        "hvd-optimizer",
        f"call {WORKERS_OPTIMIZER}",
        _optimizer,
        "make = hvd.DistributedOptimizer(mx.optimizer.create('sgd', learning_rate=0.1))",
        "make = lambda params: averaged(torch.optim.SGD(params, lr=0.1))",
        params="optimizer, compression=None, gradient_predivide_factor=None, num_groups=None, "
        "process_set=None",
        needs=(),
    ),
    Rule(
        "kvstore-set-optimizer",
        f"method {_STORE}.set_optimizer",
        _set_optimizer,
        "kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.1, rescale_grad=0.5))",
        "kv.set_optimizer(lambda params: torch.optim.SGD(params, lr=0.1), 0.5)",
        needs=(),
    ),
    *(
        Rule(
            f"optimizer-{name}",
            f"call mx.optimizer.{name}",
            _optimizer,
            f"make = mx.optimizer.{name}(learning_rate=0.1)",
            f"make = lambda params: {made}(params, lr=0.1)",
            needs=(),
        )
        for name, made in zip(
            _OPTIMIZERS,
            ("torch.optim.SGD", "torch.optim.SGD", "torch.optim.Adam", "AdaGrad", "AdaDelta",
             "RMSProp", "torch.optim.Adamax", "torch.optim.NAdam"),
            strict=True,
        )
        if name not in ("NAG", "AdaDelta")
    ),
)  # fmt: skip
