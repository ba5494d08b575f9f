"""Initializers: functions that fill a tensor."""

from __future__ import annotations

import ast

from mxtorch.port import names
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, bind, operand

BASE = "mx.init.Initializer"
DEFAULT = "lambda weight: nn.init.uniform_(weight, -0.07, 0.07)"
# Initializers that a text names, as MXNet registers them.
_BY_NAME = {
    "xavier": "nn.init.xavier_uniform_",
    "zeros": "nn.init.zeros_",
    "zero": "nn.init.zeros_",
    "ones": "nn.init.ones_",
    "one": "nn.init.ones_",
    "normal": "lambda weight: nn.init.normal_(weight, 0, 0.01)",
    "uniform": DEFAULT,
    "orthogonal": "lambda weight: nn.init.orthogonal_(weight, 1.414)",
}


def initializer(match: Match, node: ast.expr | None) -> str | None:
    """A function that fills a tensor, for an initializer's call or name."""
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return DEFAULT
    if isinstance(node, ast.Constant):
        return _BY_NAME.get(str(node.value).lower())
    if not isinstance(node, ast.Call):
        value = match.value(node)
        known = value.kind == "instance" and value.name.startswith("mx.init.")
        return match.text(node) if known or is_own(match, node) else None
    if is_own(match, node):
        return match.text(node)
    full = match.port.flow.value(node.func).name
    signature = names.signature(full)
    given = bind(signature, node) if signature is not None else None
    write = _WRITERS.get(full.rpartition(".")[2])
    return None if given is None or write is None else write(match, given)


def is_own(match: Match, node: ast.expr) -> bool:
    """Whether an initializer is of a class that the file derives."""
    value = match.value(node)
    own = value.kind == "instance" and match.port.flow.facts_of(value.name) is not None
    return own and BASE in match.port.flow.lineage(value.name)


def _class(match: Match) -> str | None:
    """The base of a class, or what `isinstance` asks for."""
    return match.helper("Initializer")


def _xavier(match: Match, given: dict[str, ast.expr]) -> str | None:
    texts = {name: match.text(node) for name, node in given.items()}
    values = {"rnd_type": "uniform", "factor_type": "avg", "magnitude": 3}
    for name, node in given.items():
        values[name] = node.value if isinstance(node, ast.Constant) else None
    kind, factor, magnitude = values["rnd_type"], values["factor_type"], values["magnitude"]
    if factor == "avg" and kind in ("uniform", "gaussian"):
        scale = operand(texts.get("magnitude", "3"))
        if kind == "gaussian":
            return f"lambda weight: nn.init.xavier_normal_(weight, {scale} ** 0.5)"
        if magnitude == 3:
            return "nn.init.xavier_uniform_"
        return f"lambda weight: nn.init.xavier_uniform_(weight, ({scale} / 3) ** 0.5)"
    given_texts = [texts.get("rnd_type", '"uniform"'), texts.get("factor_type", '"avg"')]
    given_texts.append(texts.get("magnitude", "3"))
    return f"lambda weight: {match.helper('scaled_init')}(weight, {', '.join(given_texts)})"


def _msra(match: Match, given: dict[str, ast.expr]) -> str:
    slope = operand(match.text(given["slope"])) if "slope" in given else "0.25"
    factor = match.text(given["factor_type"]) if "factor_type" in given else '"avg"'
    magnitude = f"2 / (1 + {slope} ** 2)"
    return (
        f'lambda weight: {match.helper("scaled_init")}(weight, "gaussian", {factor}, {magnitude})'
    )


def _constant(match: Match, given: dict[str, ast.expr]) -> str:
    text = match.text(given["value"])
    if match.value(given["value"]).kind in ("array", "numpy"):
        tensor = text if match.value(given["value"]).kind == "array" else f"torch.tensor({text})"
        return f"lambda weight: weight.data.copy_({tensor})"
    return f"lambda weight: nn.init.constant_(weight, {text})"


def _uniform(match: Match, given: dict[str, ast.expr]) -> str:
    scale = operand(match.text(given["scale"])) if "scale" in given else "0.07"
    return f"lambda weight: nn.init.uniform_(weight, -{scale}, {scale})"


def _normal(match: Match, given: dict[str, ast.expr]) -> str:
    sigma = match.text(given["sigma"]) if "sigma" in given else "0.01"
    return f"lambda weight: nn.init.normal_(weight, 0, {sigma})"


def _orthogonal(match: Match, given: dict[str, ast.expr]) -> str:
    scale = match.text(given["scale"]) if "scale" in given else "1.414"
    return f"lambda weight: nn.init.orthogonal_(weight, {scale})"


def _made(match: Match) -> str | None:
    """An initializer that is not given to a net at once."""
    assert isinstance(match.node, ast.expr)
    match.need("nn")
    return initializer(match, match.node)


_WRITERS = {
    "Xavier": _xavier,
    "MSRAPrelu": _msra,
    "Constant": _constant,
    "Uniform": _uniform,
    "Normal": _normal,
    "Orthogonal": _orthogonal,
    "Bilinear": lambda match, given: match.helper("bilinear_"),
    "Zero": lambda match, given: "nn.init.zeros_",
    "One": lambda match, given: "nn.init.ones_",
}

_PAIRS = {
    "Xavier": ("", "nn.init.xavier_uniform_"),
    "MSRAPrelu": ("", 'lambda weight: scaled_init(weight, "gaussian", "avg", 2 / (1 + 0.25 ** 2))'),
    "Constant": ("2", "lambda weight: nn.init.constant_(weight, 2)"),
    "Uniform": ("0.5", "lambda weight: nn.init.uniform_(weight, -0.5, 0.5)"),
    "Normal": ("0.1", "lambda weight: nn.init.normal_(weight, 0, 0.1)"),
    "Orthogonal": ("", "lambda weight: nn.init.orthogonal_(weight, 1.414)"),
    "Bilinear": ("", "bilinear_"),
    "Zero": ("", "nn.init.zeros_"),
    "One": ("", "nn.init.ones_"),
}
REGISTRY.add(
    Rule(
        "class-Initializer",
        f"name {BASE}",
        _class,
        "class Own(mx.init.Initializer): pass",
        "class Own(Initializer): pass",
        needs=(),
    ),
    *(
        Rule(
            f"init-{name}",
            f"call mx.init.{name}",
            _made,
            f"i = mx.init.{name}({given})",
            f"i = {made}",
            needs=(),
        )
        for name, (given, made) in _PAIRS.items()
    ),
)
