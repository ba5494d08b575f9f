"""Gluon's rarer layers: functions as layers, several side by side, norms over groups."""

from __future__ import annotations

import ast

from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer
from mxtorch.port.rules._common import dtype
from mxtorch.port.rules.layers import BLOCK
from mxtorch.port.rules.norms import batch_norm
from mxtorch.port.values import UNKNOWN

_CONTRIB = "mx.gluon.contrib.nn"


def _swish(match: Match) -> str | None:
    if not match.only("beta", *BLOCK) or (match.has("beta") and match.constant("beta") != 1):
        return None
    return "nn.SiLU()"


def _function(match: Match) -> str | None:
    """A function as a layer; a name is that of an operator."""
    node = match.given.get("function")
    if node is None or not match.only("function", "prefix"):
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        found = match.port.function(f"mx.nd.{node.value}")
        if found is None:
            return None
        match.need("torch")
        return f"{match.helper('Lambda')}({found})"
    if isinstance(node, ast.Lambda):
        known = match.port.flow.parameters.get(node, {})
        given = [a for a in node.args.args if known.get(a.arg, UNKNOWN).kind != "namespace"]
        head = ", ".join(match.port.source.of(a) for a in given)
        return f"{match.helper('Lambda')}(lambda {head}: {match.text(node.body)})"
    if isinstance(node, (ast.Name, ast.Attribute)):
        return f"{match.helper('Lambda')}({match.text(node)})"
    return None


def _side_by_side(match: Match) -> str | None:
    if not match.only("axis", *BLOCK):
        return None
    return f"{match.helper('Concurrent')}({match.text('axis', '')})"


def _sync_batch_norm(match: Match) -> str | None:
    """torch's is one of several processes; it needs to know its size."""
    made = batch_norm(match)
    if made is None or made.startswith("fixed"):
        return None
    if made.startswith("nn.Lazy"):
        match.note(Code.DIFFERS, "nn.SyncBatchNorm.convert_sync_batchnorm(net) after a first batch")
        return made
    return f"nn.SyncBatchNorm{made[len('nn.BatchNorm2d') :]}"


def _reflection(match: Match) -> str | None:
    if not match.only("padding", *BLOCK):
        return None
    return f"nn.ReflectionPad2d({match.text('padding', '0')})"


def _cast(match: Match) -> str | None:
    node = match.given.get("dtype")
    if not isinstance(match.parent, ast.Expr) or node is None:
        return None
    if isinstance(node, ast.Constant) and node.value not in ("float16", "float32", "float64"):
        return None
    return f"{match.text('self')}.to({dtype(match, 'dtype')})"


def _as_it_is(match: Match) -> str:
    return match.port.splice(match.node)


def _summary(match: Match) -> str | None:
    if match.receiver is None or not isinstance(match.parent, ast.Expr):
        return None
    return f"print({match.text(match.receiver)})"


def _shuffled(match: Match) -> str | None:
    """torch's factor is one number."""
    factor = match.constant("factor")
    if isinstance(factor, (tuple, list)):
        return f"nn.PixelShuffle({factor[0]})" if len(set(factor)) == 1 else None
    given = match.value("factor").kind
    return f"nn.PixelShuffle({match.text('factor')})" if given != "tuple" else None


def _contrib(cls: str, to: str | Writer, given: str, made: str, **more: object) -> Rule:
    return Rule(
        f"contrib-{cls}",
        f"call {_CONTRIB}.{cls}",
        to,
        f"layer = gluon.contrib.nn.{cls}({given})",
        f"layer = {made}",
        needs=("nn",) if made.startswith("nn.") else (),
        **more,  # type: ignore[arg-type]
    )


REGISTRY.add(
    Rule("Swish", "call mx.gluon.nn.Swish", _swish, "layer = nn.Swish()", "layer = nn.SiLU()",
         needs=("nn",), params="beta=1.0, prefix=None, params=None"),
    *(
        Rule(
            cls,
            f"call mx.gluon.nn.{cls}",
            _function,
            f"layer = nn.{cls}('tanh')",
            "layer = Lambda(torch.tanh)",
            needs=(),
        )
        for cls in ("Lambda", "HybridLambda")
    ),
    Rule(
        "ReflectionPad2D",
        "call mx.gluon.nn.ReflectionPad2D",
        _reflection,
        "layer = nn.ReflectionPad2D(1)",
        "layer = nn.ReflectionPad2d(1)",
        needs=("nn",),
    ),
    _contrib("Identity", "nn.Identity()", "", "nn.Identity()", drop=BLOCK),
    _contrib("PixelShuffle2D", _shuffled, "2", "nn.PixelShuffle(2)", params="factor"),
    _contrib("Concurrent", _side_by_side, "axis=1", "Concurrent(1)"),
    _contrib("HybridConcurrent", _side_by_side, "axis=1", "Concurrent(1)"),
    _contrib(
        "SyncBatchNorm",
        _sync_batch_norm,
        "in_channels=4",
        "nn.SyncBatchNorm(4, momentum=0.1)",
        drop=("num_devices",),
        note="MXNet keeps the biased running variance",
        params="in_channels=0, num_devices=None, momentum=0.9, epsilon=1e-5, prefix=None,"
        " params=None",
    ),
    Rule(
        "cast-net",
        "method mx.gluon.Block.cast",
        _cast,
        "net.cast('float64')",
        "net.to(torch.float64)",
        needs=(),
    ),
    *(
        Rule(
            f"call-{name.strip('_')}",
            f"method mx.gluon.Block.{name}",
            _as_it_is,
            f"y = net.{name}(x)",
            f"y = net.{name}(x)",
            needs=(),
        )
        for name in ("forward", "__call__")
    ),
    Rule(
        "summary",
        "method mx.gluon.Block.summary",
        _summary,
        "net.summary(x)",
        "print(net)",
        needs=(),
        note="torch prints the layers without their shapes",
    ),
)  # fmt: skip
