"""`mx.model.FeedForward`: a trainer of a net with heads, fitted to arrays or iterators."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, parenthesized
from mxtorch.port.rules._common import same
from mxtorch.port.rules.files import own_net
from mxtorch.port.rules.metrics import made as metric
from mxtorch.port.rules.modules import FEED_FORWARD, filler, maker, net_of, on_device
from mxtorch.port.trainers import Options

_OPTIONS = (
    "learning_rate", "momentum", "wd", "clip_gradient", "rescale_grad", "lr_scheduler", "beta1",
    "beta2", "epsilon", "gamma1", "rho", "eps",
)  # fmt: skip
_KEPT = ("num_epoch", "begin_epoch", "arg_params", "aux_params", "numpy_batch_size")
_OTHERS = ("symbol", "ctx", "optimizer", "initializer", "allow_extra_params")
_CALLBACKS = ("batch_end_callback", "epoch_end_callback", "eval_end_callback")


def _made(match: Match) -> str | None:
    if not match.only(*_OTHERS, *_KEPT, *_OPTIONS):
        return None
    named = match.given.get("optimizer", ast.Constant("sgd"))
    net, fill = net_of(match), filler(match)
    if net is None or fill is None:
        return None
    if not isinstance(named, ast.Constant) or not isinstance(named.value, str):
        return None
    values = {name: match.given[name] for name in _OPTIONS if match.has(name)}
    make = maker(match, Options(named.value.lower(), values))
    if make is None:
        return None
    texts = [on_device(match, net, "ctx"), make[0], fill]
    texts += [f"{n}={match.text(n)}" for n in _KEPT if match.has(n)] + make[1:]
    indent = match.port.source.indent(match.node)
    inside = "".join(f"\n{indent}    {text}," for text in texts)
    return f"{match.helper('FeedForward')}({inside}\n{indent})"


def _fit(match: Match) -> str | None:
    if not match.only("self", "X", "y", "eval_data", "eval_metric", *_CALLBACKS):
        return None
    measured = metric(match, match.given.get("eval_metric", ast.Constant("acc")))
    if measured is None:
        return None
    texts = [measured, match.text("X")]
    texts += [f"{n}={match.text(n)}" for n in ("y", "eval_data", *_CALLBACKS) if match.has(n)]
    return f"{parenthesized(match.text('self'))}.fit({', '.join(texts)})"


def _predict(match: Match) -> str | None:
    return match.port.splice(match.node) if match.only("self", "X", "num_batch") else None


def _score(match: Match) -> str | None:
    if not match.only("self", "X", "eval_metric", "num_batch"):
        return None
    measured = metric(match, match.given.get("eval_metric", ast.Constant("acc")))
    if measured is None:
        return None
    more = f", num_batch={match.text('num_batch')}" if match.has("num_batch") else ""
    return f"{parenthesized(match.text('self'))}.score({match.text('X')}, {measured}{more})"


def _save(match: Match) -> str | None:
    return match.port.splice(match.node) if match.only("self", "prefix", "epoch") else None


def _load(match: Match) -> str | None:
    """A model from its files: the net is the one that the file itself builds."""
    net = own_net(match)
    if net is None or not match.only("prefix", "epoch", "ctx"):
        return None
    made = f"{match.helper('FeedForward')}({on_device(match, net, 'ctx')})"
    return f"{made}.load({match.text('prefix')}, {match.text('epoch')})"


_NONE = ", ".join(f"{name}=None" for name in (*_OTHERS, *_KEPT, *_OPTIONS))
REGISTRY.add(
    Rule(
        "FeedForward",
        f"call {FEED_FORWARD}",
        _made,
        "f = mx.model.FeedForward(symbol=net, num_epoch=2, learning_rate=0.1)",
        """f = FeedForward(
    net,
    lambda params: torch.optim.SGD(params, lr=0.1),
    lambda weight: nn.init.uniform_(weight, -0.01, 0.01),
    num_epoch=2,
)""",
        params=_NONE,
    ),
    Rule(
        "feedforward-fit",
        f"method {FEED_FORWARD}.fit",
        _fit,
        "f.fit(X=i, eval_metric='acc')",
        "f.fit(Accuracy(), i)",
        needs=(),
        params="self, X, y=None, eval_data=None, eval_metric=None, epoch_end_callback=None,"
        " batch_end_callback=None, kvstore=None, logger=None, eval_end_callback=None",
    ),
    Rule(
        "feedforward-predict",
        f"method {FEED_FORWARD}.predict",
        _predict,
        "p = f.predict(i)",
        "p = f.predict(i)",
        needs=(),
        params="self, X, num_batch=None, return_data=None, reset=None",
    ),
    Rule(
        "feedforward-score",
        f"method {FEED_FORWARD}.score",
        _score,
        "s = f.score(i)",
        "s = f.score(i, Accuracy())",
        needs=(),
        params="self, X, eval_metric=None, num_batch=None, batch_end_callback=None, reset=None",
    ),
    Rule(
        "feedforward-save",
        f"method {FEED_FORWARD}.save",
        _save,
        "f.save('a', 1)",
        "f.save('a', 1)",
        needs=(),
        params="self, prefix, epoch=None, remove_amp_cast=None",
        note="the file is torch's, with MXNet's names in it",
    ),
    Rule(
        "feedforward-load",
        f"call {FEED_FORWARD}.load",
        _load,
        "f = mx.model.FeedForward.load('a', 1)",
        "f = FeedForward(SymGen()).load('a', 1)",
        needs=(),
        params="prefix, epoch, ctx=None",
        note="the net is the file's own, not that of the -symbol.json",
    ),
    *(
        Rule(
            f"feedforward-{name}",
            f"attr {FEED_FORWARD}.{name}",
            same,
            f"v = f.{name}",
            f"v = f.{name}",
            needs=(),
        )
        for name in ("arg_params", "aux_params")
    ),
)
