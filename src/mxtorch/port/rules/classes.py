"""Classes of Gluon's that are not called: bases, values, what `isinstance` asks for."""

from __future__ import annotations

import ast

from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer

_BLOCK = "mx.gluon.Block"
# The class whose instances torch's counterpart gives.
_ASKED = {
    "Dense": "nn.Linear",
    "Conv1D": "nn.Conv1d",
    "Conv2D": "nn.Conv2d",
    "Conv3D": "nn.Conv3d",
    "Conv2DTranspose": "nn.ConvTranspose2d",
    "Dropout": "nn.Dropout",
    "Embedding": "nn.Embedding",
    "LayerNorm": "nn.LayerNorm",
    "InstanceNorm": "nn.modules.instancenorm._InstanceNorm",
    "PReLU": "nn.PReLU",
    "Flatten": "nn.Flatten",
}


def _is_asked(match: Match) -> bool:
    """Whether `isinstance` or `issubclass` is given the class, alone or among others."""
    node, parent = match.node, match.parent
    if isinstance(parent, ast.Tuple):
        node, parent = parent, match.port.parents.get(parent)
    return (
        isinstance(parent, ast.Call)
        and isinstance(parent.func, ast.Name)
        and parent.func.id in ("isinstance", "issubclass")
        and node in parent.args[1:]
    )


def _asked(to: str) -> Writer:
    def write(match: Match) -> str | None:
        match.need("nn")
        return to if _is_asked(match) else None

    return write


def _batch_norm(match: Match) -> str:
    """A class that is handed on is called without arguments; torch's learns its size."""
    match.need("nn")
    if _is_asked(match):
        return "nn.modules.batchnorm._BatchNorm"
    match.note(Code.SIZE, "in_channels")
    match.note_guess("a norm of images")
    return "nn.LazyBatchNorm2d"


def _forward(match: Match) -> str | None:
    """`super().forward(x)`, of a base that is MXNet's own."""
    return match.port.splice(match.node)


REGISTRY.add(
    Rule(
        "class-Parameter",
        "name mx.gluon.Parameter",
        "nn.Parameter",
        "ok = isinstance(x, gluon.Parameter)",
        "ok = isinstance(x, nn.Parameter)",
        needs=("nn",),
    ),
    *(
        Rule(
            f"class-{k}",
            f"name mx.gluon.{k}",
            "nn.Module",
            f"class Net(gluon.{k}): pass",
            "class Net(nn.Module): pass",
            needs=("nn",),
        )
        for k in ("Block", "HybridBlock")
    ),
    *(
        Rule(
            f"class-{k}",
            f"name mx.gluon.nn.{k}",
            "nn.Sequential",
            f"class Net(nn.{k}): pass",
            "class Net(nn.Sequential): pass",
            needs=("nn",),
        )
        for k in ("Sequential", "HybridSequential")
    ),
    *(
        Rule(
            f"class-{k}",
            f"name mx.gluon.nn.{k}",
            _asked(to),
            f"ok = isinstance(x, nn.{k})",
            f"ok = isinstance(x, {to})",
            needs=(),
        )
        for k, to in _ASKED.items()
    ),
    Rule(
        "class-BatchNorm",
        "name mx.gluon.nn.BatchNorm",
        _batch_norm,
        "norm = nn.BatchNorm",
        "norm = nn.LazyBatchNorm2d",
        needs=(),
    ),
    Rule(
        "hybrid-forward",
        f"attr {_BLOCK}.hybrid_forward",
        "{self}.forward",
        "f = net.hybrid_forward",
        "f = net.forward",
        needs=(),
    ),
    Rule(
        "forward",
        f"method {_BLOCK}.forward",
        _forward,
        "y = net.forward(x)",
        "y = net.forward(x)",
        needs=(),
    ),
)
