"""What a file says of its trainers: which optimizer, with which options, where it is used."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from mxtorch.port import names
from mxtorch.port.engine import FilePort
from mxtorch.port.rule import bind
from mxtorch.port.values import Value

TRAINER = "mx.gluon.Trainer"
# Horovod's.
WORKERS_TRAINER = "hvd.DistributedTrainer"
WORKERS_OPTIMIZER = "hvd.DistributedOptimizer"
_MULTIPLIERS = ("lr_mult", "wd_mult")
_CLASSES = {"NAG": "nag", "SGD": "sgd"}


@dataclass(frozen=True)
class Options:
    """An optimizer of MXNet's by its name, and the options it is given."""

    name: str
    values: Mapping[str, ast.expr] = field(default_factory=dict)
    # whether gradients are averaged over processes before it: Horovod's wrapper
    is_averaged: bool = False


def assigned(port: FilePort, node: ast.expr) -> ast.expr | None:
    """The expression behind a name that the file assigns once; any other is itself."""
    found = _made(port, node)
    return found[0] if len(found) == 1 else None


def _made(port: FilePort, node: ast.expr) -> list[ast.expr]:
    """What the file assigns to a name; any other expression is itself."""
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return [node]
    text = port.source.of(node)
    return [
        n.value for n in port.of(ast.Assign) if any(port.source.of(t) == text for t in n.targets)
    ]


def wrapped(port: FilePort, node: ast.AST | None) -> ast.expr | None:
    """The optimizer in a call of Horovod's wrapper; None if it is no such call."""
    if not isinstance(node, ast.Call) or port.flow.value(node.func).name != WORKERS_OPTIMIZER:
        return None
    given = {k.arg: k.value for k in node.keywords}
    if len(node.args) > 1 or "gradient_predivide_factor" in given:
        return None
    return node.args[0] if node.args else given.get("optimizer")


def _unwrapped(port: FilePort, node: ast.expr) -> tuple[ast.expr | None, bool]:
    """The expression that makes an optimizer, and whether Horovod's wrapper is around it.

    The wrapper may go under the optimizer's own name: `opt = hvd.DistributedOptimizer(opt)`.
    """
    made = _made(port, node)
    around = [m for m in made if wrapped(port, m) is not None]
    inside = [m for m in made if m not in around]
    if around:
        inner = wrapped(port, around[0])
        if inner is None or len(around) > 1:
            return None, False
        if inside and port.source.of(inner) != port.source.of(node):
            return None, False
        inside = [m for m in _made(port, inner) if wrapped(port, m) is None]
    return (inside[0] if len(inside) == 1 else None), bool(around)


def optimizer_of(
    port: FilePort, optimizer: ast.expr | None, given: Mapping[str, ast.expr]
) -> Options | None:
    """What a trainer is told of its optimizer; None if that shows only at run time."""
    node, is_averaged = (None, False) if optimizer is None else _unwrapped(port, optimizer)
    options = given.get("optimizer_params")
    values: dict[str, ast.expr] | None = {}
    if options is not None and not _is_none(options):
        behind = assigned(port, options)
        values = _pairs(behind) if behind is not None else None
    if values is None or node is None:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return Options(node.value.lower(), values)
    found = _object(port, node, values)
    return None if found is None else replace(found, is_averaged=is_averaged)


def _object(port: FilePort, node: ast.expr, values: dict[str, ast.expr]) -> Options | None:
    """`mx.optimizer.SGD(learning_rate=0.1)`, or `mx.optimizer.create('sgd', …)`."""
    if not isinstance(node, ast.Call):
        return None
    value = port.flow.value(node.func)
    if value.kind != "member" or not value.name.startswith(("mx.optimizer.", "mx.opt.")):
        return None
    short = value.name.rpartition(".")[2]
    if short == "create":
        first = node.args[0] if node.args else None
        if not isinstance(first, ast.Constant) or len(node.args) > 1:
            return None
        given = _all_keywords(port, node)
        return None if given is None else Options(str(first.value).lower(), given | values)
    signature = names.signature(value.name)
    found = bind(signature, node) if signature is not None else None
    return None if found is None else Options(short.lower(), found | values)


def _keywords(node: ast.Call) -> dict[str, ast.expr]:
    return {k.arg: k.value for k in node.keywords if k.arg}


def _all_keywords(port: FilePort, node: ast.Call) -> dict[str, ast.expr] | None:
    """A call's keywords, with those of a `**options` that the file writes out."""
    found = _keywords(node)
    for keyword in node.keywords:
        if keyword.arg is None:
            behind = assigned(port, keyword.value)
            pairs = _pairs(behind) if behind is not None else None
            if pairs is None:
                return None
            found |= pairs
    return found


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _pairs(node: ast.expr) -> dict[str, ast.expr] | None:
    """The entries of `{…}`, of `dict(…)` or of pairs."""
    if isinstance(node, ast.Dict):
        found = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if not isinstance(key, ast.Constant):
                return None
            found[str(key.value)] = value
        return found
    if isinstance(node, (ast.Tuple, ast.List)):
        rows = [e.elts for e in node.elts if isinstance(e, (ast.Tuple, ast.List))]
        if len(rows) < len(node.elts) or any(len(row) != 2 for row in rows):
            return None
        if not all(isinstance(row[0], ast.Constant) for row in rows):
            return None
        return {str(row[0].value): row[1] for row in rows}  # type: ignore[attr-defined]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
        return None if node.args or any(k.arg is None for k in node.keywords) else _keywords(node)
    return None


def option(port: FilePort, trainer: ast.expr, name: str) -> ast.expr | None:
    """An option of the trainer that a name holds at a place: the last one made before it."""
    text = port.source.of(trainer)
    made = [
        n
        for n in port.of(ast.Assign)
        if n.lineno < trainer.lineno
        and any(port.source.of(t) == text for t in n.targets)
        and isinstance(n.value, ast.Call)
    ]
    call = max(made, key=lambda n: n.lineno).value if made else None
    makers = (Value("member", TRAINER), Value("member", WORKERS_TRAINER))
    if not isinstance(call, ast.Call) or port.flow.value(call.func) not in makers:
        return None
    signature = names.signature(TRAINER)  # the other one begins alike
    given = bind(signature, call) if signature is not None else None
    found = optimizer_of(port, given.get("optimizer"), given) if given else None
    return found.values.get(name) if found is not None else None


def changes_rates(port: FilePort) -> bool:
    """Whether learning rates change in the course of the file."""
    return any(
        (isinstance(n, ast.Attribute) and n.attr == "set_learning_rate")
        or (isinstance(n, ast.Constant) and n.value == "lr_scheduler")
        or (isinstance(n, ast.keyword) and n.arg == "lr_scheduler")
        for n in port.nodes
    )


def uses_multipliers(port: FilePort) -> bool:
    """Whether parameters have learning rates or decays of their own."""
    return any(
        (isinstance(n, ast.Attribute) and n.attr in _MULTIPLIERS)
        or (isinstance(n, ast.Constant) and n.value in _MULTIPLIERS)
        or (isinstance(n, ast.keyword) and n.arg in _MULTIPLIERS)
        for n in port.nodes
    )


def sets_multipliers_after(port: FilePort, call: ast.AST) -> bool:
    """Whether parameters get them below a call, which made the optimizer."""
    line = getattr(call, "lineno", 0)
    return any(
        (isinstance(n, ast.Attribute) and n.attr in _MULTIPLIERS and n.lineno > line)
        or (isinstance(n, ast.Constant) and n.value in _MULTIPLIERS and n.lineno > line)
        for n in port.of(ast.Attribute, ast.Constant)
    )


def splits_batches(port: FilePort) -> bool:
    """Whether the file splits batches over several devices, or over a list of some."""
    for call in port.of(ast.Call):
        if port.flow.value(call.func).name == "mx.gluon.utils.split_and_load":
            given = [*call.args[1:2], *(k.value for k in call.keywords if k.arg == "ctx_list")]
            if not all(is_single(node) for node in given):
                return True
    return False


def is_single(node: ast.expr) -> bool:
    """Whether an expression is a list of one thing."""
    return isinstance(node, (ast.List, ast.Tuple)) and len(node.elts) == 1


RULE = "mx.optimizer.Optimizer"


def own_optimizers(port: FilePort) -> bool:
    """Whether the file has optimizers of its own, which derive from MXNet's base."""
    return any(
        port.flow.value(base).name == RULE for cls in port.of(ast.ClassDef) for base in cls.bases
    )
