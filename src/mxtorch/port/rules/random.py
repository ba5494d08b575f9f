"""Random numbers and seeds."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule
from mxtorch.port.rules._common import options, shape


def _seed(match: Match) -> str | None:
    """torch.manual_seed seeds every device's generator."""
    if not match.only("seed_state", "ctx"):
        return None
    match.need("torch")
    if "cudnn" not in match.port.source.text and not match.port.seeded:
        match.port.seeded = True
        statement: ast.AST | None = match.node
        while statement is not None and not isinstance(statement, ast.stmt):
            statement = match.port.parents.get(statement)
        if statement is not None:
            flag = "torch.backends.cudnn.deterministic = True"
            match.port.source.insert_after(statement, flag)
    return f"torch.manual_seed({match.text('seed_state')})"


def uniform(match: Match) -> str | None:
    if not match.only("low", "high", "shape", "dtype", "ctx"):
        return None
    low, high = match.text("low", "0"), match.text("high", "1")
    size = shape(match) if match.has("shape") else "(1,)"
    if (low, high) in (("0", "1"), ("0", "1.0"), ("0.0", "1.0")):
        return f"torch.rand({size}{options(match)})"
    return f"torch.empty({size}{options(match)}).uniform_({low}, {high})"


def normal(match: Match) -> str | None:
    if not match.only("loc", "scale", "shape", "dtype", "ctx"):
        return None
    loc, scale = match.text("loc", "0"), match.text("scale", "1")
    size = shape(match) if match.has("shape") else "(1,)"
    if loc in ("0", "0.0", "0.") and scale in ("1", "1.0", "1."):
        return f"torch.randn({size}{options(match)})"
    return f"torch.empty({size}{options(match)}).normal_({loc}, {scale})"


def _randn(match: Match) -> str | None:
    node = match.node
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    match.need("torch")
    return f"torch.randn({', '.join(match.text(a) for a in node.args)})"


def _randint(match: Match) -> str | None:
    if not match.only("low", "high", "shape", "dtype", "ctx"):
        return None
    size = shape(match) if match.has("shape") else "(1,)"
    kind = options(match, default_dtype="torch.int32")
    return f"torch.randint({match.text('low')}, {match.text('high')}, {size}{kind})"


STREAM = "torch's random numbers are others for the same seed"

REGISTRY.add(
    Rule(
        "seed",
        "call mx.random.seed",
        _seed,
        "mx.random.seed(2020)",
        "torch.manual_seed(2020)\ntorch.backends.cudnn.deterministic = True",
        note=STREAM,
    ),
    Rule(
        "uniform",
        "call mx.nd.random.uniform",
        uniform,
        "x = nd.random.uniform(shape=(2, 3))",
        "x = torch.rand((2, 3))",
        note=STREAM,
    ),
    Rule(
        "normal",
        "call mx.nd.random.normal",
        normal,
        "x = nd.random.normal(0, 0.01, shape=(2, 3))",
        "x = torch.empty((2, 3)).normal_(0, 0.01)",
        note=STREAM,
    ),
    Rule(
        "randn",
        "call mx.nd.random.randn",
        _randn,
        "x = nd.random.randn(2, 3)",
        "x = torch.randn(2, 3)",
        note=STREAM,
    ),
    Rule(
        "randint",
        "call mx.nd.random.randint",
        _randint,
        "x = nd.random.randint(0, 10, shape=(3,))",
        "x = torch.randint(0, 10, (3,), dtype=torch.int32)",
        note=STREAM,
    ),
)
