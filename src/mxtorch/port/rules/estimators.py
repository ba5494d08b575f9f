"""Gluon's estimator and its events."""

from __future__ import annotations

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer
from mxtorch.port.rules._common import same

_ROOM = "mx.gluon.contrib.estimator"
_EVENTS = ("TrainBegin", "TrainEnd", "EpochBegin", "EpochEnd", "BatchBegin", "BatchEnd")


def _event(name: str) -> Writer:
    return lambda match: match.helper(name)


def _estimator(match: Match) -> str | None:
    names = ("net", "loss", "train_metrics", "val_metrics", "trainer")
    if not match.only(*names, "context") or not match.has("trainer"):
        return None
    if match.has("context") and match.value("context").kind not in ("device", "none"):
        return None
    texts = [match.text("net"), match.text("loss")]
    texts += [f"{n}={match.text(n)}" for n in names[2:] if match.has(n)]
    texts += [f"device={match.text('context')}"] if match.has("context") else []
    return f"{match.helper('Estimator')}({', '.join(texts)})"


def _method(*arguments: str) -> Writer:
    """The helper has the method, with these arguments."""

    def write(match: Match) -> str | None:
        return match.port.splice(match.node) if match.only("self", *arguments) else None

    return write


REGISTRY.add(
    *(
        Rule(
            f"event-{name}",
            f"name {_ROOM}.{name}",
            _event(name),
            f"class Own(gluon.contrib.estimator.{name}): pass",
            f"class Own({name}): pass",
            needs=(),
        )
        for name in _EVENTS
    ),
    Rule(
        "Estimator",
        f"call {_ROOM}.Estimator",
        _estimator,
        "e = gluon.contrib.estimator.Estimator(net, loss, trainer=trainer)",
        "e = Estimator(net, loss, trainer=trainer)",
        needs=(),
    ),
    Rule(
        "estimator-fit",
        f"method {_ROOM}.Estimator.fit",
        _method("train_data", "val_data", "epochs", "event_handlers", "batches"),
        "e.fit([(x, y)], epochs=1)",
        "e.fit([(x, y)], epochs=1)",
        needs=(),
    ),
    Rule(
        "estimator-evaluate",
        f"method {_ROOM}.Estimator.evaluate",
        _method("val_data"),
        "e.evaluate([(x, y)])",
        "e.evaluate([(x, y)])",
        needs=(),
    ),
    *(
        Rule(
            f"estimator-{name.replace('_', '-')}",
            f"attr {_ROOM}.Estimator.{name}",
            same,
            f"v = e.{name}",
            f"v = e.{name}",
            needs=(),
        )
        for name in ("train_metrics", "val_metrics", "net", "trainer")
    ),
)
