"""Elementwise functions, reductions and products of arrays."""

from __future__ import annotations

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized

# Same name, same meaning: as a function of `mx.nd` and as a method.
_UNARY = [
    "abs",
    "exp",
    "log",
    "log2",
    "log10",
    "log1p",
    "expm1",
    "sqrt",
    "rsqrt",
    "square",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "arcsin",
    "arccos",
    "arctan",
    "arcsinh",
    "arccosh",
    "arctanh",
    "relu",
    "sigmoid",
    "floor",
    "ceil",
    "trunc",
    "sign",
    "reciprocal",
    "erf",
    "erfinv",
]
_METHODS_TOO = frozenset(_UNARY) - {"erf", "erfinv"}


def _functions() -> list[Rule]:
    found = []
    for name in _UNARY:
        found.append(
            Rule(
                f"nd-{name}",
                f"call mx.nd.{name}",
                f"torch.{name}({{data}})",
                f"y = nd.{name}(x)",
                f"y = torch.{name}(x)",
            )
        )
        if name in _METHODS_TOO:
            found.append(
                Rule(
                    f"method-{name}",
                    f"method array.{name}",
                    f"{{self}}.{name}()",
                    f"y = x.{name}()",
                    f"y = x.{name}()",
                )
            )
    return found


# MXNet's function and the operator or function of torch.
_BINARY = {
    "add": "{lhs} + {rhs}",
    "subtract": "{lhs} - {rhs}",
    "multiply": "{lhs} * {rhs}",
    "divide": "{lhs} / {rhs}",
    "power": "{base} ** {exp}",
    "broadcast_add": "{lhs} + {rhs}",
    "broadcast_plus": "{lhs} + {rhs}",
    "broadcast_sub": "{lhs} - {rhs}",
    "broadcast_minus": "{lhs} - {rhs}",
    "broadcast_mul": "{lhs} * {rhs}",
    "broadcast_div": "{lhs} / {rhs}",
    "broadcast_power": "{lhs} ** {rhs}",
    "elemwise_add": "{lhs} + {rhs}",
    "elemwise_sub": "{lhs} - {rhs}",
    "elemwise_mul": "{lhs} * {rhs}",
    "elemwise_div": "{lhs} / {rhs}",
    "broadcast_maximum": "torch.maximum({lhs}, {rhs})",
    "broadcast_minimum": "torch.minimum({lhs}, {rhs})",
    "batch_dot": "torch.bmm({lhs}, {rhs})",
}


def _binaries() -> list[Rule]:
    return [
        Rule(
            f"nd-{name}",
            f"call mx.nd.{name}",
            to,
            f"z = nd.{name}(x, y)",
            "z = " + to.format(lhs="x", rhs="y", base="x", exp="y"),
            params="base, exp" if name == "power" else "lhs, rhs",
        )
        for name, to in _BINARY.items()
    ]


# MXNet's reduction and torch's, along axes.
_REDUCTIONS = {"sum": "sum", "mean": "mean", "max": "amax", "min": "amin", "prod": "prod"}


def _reduction(torch_name: str, whole: str) -> Writer:
    def write(match: Match) -> str | None:
        data = "self" if match.receiver is not None else "data"
        if data not in match.given or not match.only(data, "axis", "keepdims"):
            return None
        text = parenthesized(match.text(data))
        if not match.has("axis") or match.constant("axis") == ():
            return None if match.has("keepdims") else f"{text}.{whole}()"
        keep = f", keepdim={match.text('keepdims')}" if match.has("keepdims") else ""
        return f"{text}.{torch_name}(dim={match.text('axis')}{keep})"

    return write


def _reductions() -> list[Rule]:
    found = []
    for name, to in _REDUCTIONS.items():
        write = _reduction(to, name)
        for kind, key, before in (
            ("nd", f"call mx.nd.{name}", f"y = nd.{name}(x, axis=1)"),
            ("method", f"method array.{name}", f"y = x.{name}(axis=1)"),
        ):
            found.append(Rule(f"{kind}-{name}", key, write, before, f"y = x.{to}(dim=1)"))
    for name in ("argmax", "argmin"):
        for kind, key, before in (
            ("nd", f"call mx.nd.{name}", f"y = nd.{name}(x, axis=1)"),
            ("method", f"method array.{name}", f"y = x.{name}(axis=1)"),
        ):
            found.append(
                Rule(
                    f"{kind}-{name}",
                    key,
                    _reduction(name, name),
                    before,
                    f"y = x.{name}(dim=1)",
                    note=f"{name} gives int64, MXNet's the array's own type",
                )
            )
    return found


def _one_hot(match: Match) -> str | None:
    if not match.only("indices", "depth"):
        return None
    match.need("F")
    return (
        f"F.one_hot({parenthesized(match.text('indices'))}.long(), {match.text('depth')}).float()"
    )


def _dot(match: Match) -> str | None:
    """Matrices and vectors; `dot` of arrays with more axes contracts otherwise than matmul."""
    lhs, rhs = ("self", "rhs") if match.receiver is not None else ("lhs", "rhs")
    if lhs not in match.given or not match.only(lhs, rhs, "transpose_a", "transpose_b"):
        return None
    texts = []
    for argument, flag in ((lhs, "transpose_a"), (rhs, "transpose_b")):
        wanted = match.constant(flag) if match.has(flag) else False
        if wanted not in (True, False):
            return None
        text = match.text(argument)
        texts.append(f"{parenthesized(text)}.t()" if wanted else text)
    match.need("torch")
    return f"torch.matmul({', '.join(texts)})"


def _take(match: Match) -> str | None:
    if not match.only("a", "indices"):
        return None
    return f"{parenthesized(match.text('a'))}[{match.text('indices')}.long()]"


def _softmax(name: str) -> Writer:
    def write(match: Match) -> str | None:
        data = "self" if match.receiver is not None else "data"
        if data not in match.given or not match.only(data, "axis"):
            return None
        match.need("torch")
        return f"torch.{name}({match.text(data)}, dim={match.text('axis', '-1')})"

    return write


def _norm(match: Match) -> str | None:
    data = "self" if match.receiver is not None else "data"
    return f"{parenthesized(match.text(data))}.norm()" if match.only(data) else None


def _extreme(match: Match, name: str, bound: str) -> str | None:
    kinds = {a: match.value(a).kind for a in ("lhs", "rhs")}
    for array, number in (("lhs", "rhs"), ("rhs", "lhs")):
        if kinds[number] == "scalar":
            return f"{parenthesized(match.text(array))}.clamp({bound}={match.text(number)})"
    match.need("torch")
    return f"torch.{name}({match.text('lhs')}, {match.text('rhs')})"


_MATH = [
    Rule("nd-dot", "call mx.nd.dot", _dot, "z = nd.dot(x, y)", "z = torch.matmul(x, y)"),
    Rule(
        "nd-softmax",
        "call mx.nd.softmax",
        _softmax("softmax"),
        "y = nd.softmax(x)",
        "y = torch.softmax(x, dim=-1)",
    ),
    Rule(
        "method-softmax",
        "method array.softmax",
        _softmax("softmax"),
        "y = x.softmax(axis=1)",
        "y = torch.softmax(x, dim=1)",
    ),
    Rule(
        "nd-log-softmax",
        "call mx.nd.log_softmax",
        _softmax("log_softmax"),
        "y = nd.log_softmax(x)",
        "y = torch.log_softmax(x, dim=-1)",
    ),
    Rule("nd-norm", "call mx.nd.norm", _norm, "n = nd.norm(x)", "n = x.norm()"),
    Rule("method-norm", "method array.norm", _norm, "n = x.norm()", "n = x.norm()"),
    Rule(
        "nd-clip",
        "call mx.nd.clip",
        "torch.clamp({data}, {a_min}, {a_max})",
        "y = nd.clip(x, 0, 1)",
        "y = torch.clamp(x, 0, 1)",
    ),
    Rule(
        "method-clip",
        "method array.clip",
        "{self}.clamp({a_min}, {a_max})",
        "y = x.clip(0, 1)",
        "y = x.clamp(0, 1)",
    ),
    Rule(
        "one-hot",
        "call mx.nd.one_hot",
        _one_hot,
        "y = nd.one_hot(x, 10)",
        "y = F.one_hot(x.long(), 10).float()",
    ),
    Rule(
        "take",
        "call mx.nd.take",
        _take,
        "y = nd.take(w, x)",
        "y = w[x.long()]",
        note="indices out of range raise",
    ),
    Rule(
        "where",
        "call mx.nd.where",
        "torch.where({condition} != 0, {x}, {y})",
        "z = nd.where(c, x, y)",
        "z = torch.where(c != 0, x, y)",
    ),
    Rule(
        "pick",
        "call mx.nd.pick",
        "{data}.gather(1, {index}.long().unsqueeze(1)).squeeze(1)",
        "y = nd.pick(x, i)",
        "y = x.gather(1, i.long().unsqueeze(1)).squeeze(1)",
    ),
    Rule(
        "maximum",
        "call mx.nd.maximum",
        lambda m: _extreme(m, "maximum", "min"),
        "z = nd.maximum(x, 0)",
        "z = x.clamp(min=0)",
        params="lhs, rhs",
    ),
    Rule(
        "minimum",
        "call mx.nd.minimum",
        lambda m: _extreme(m, "minimum", "max"),
        "z = nd.minimum(x, y)",
        "z = torch.minimum(x, y)",
        params="lhs, rhs",
    ),
    Rule(
        "array-type",
        "name mx.nd.NDArray",
        "torch.Tensor",
        "ok = isinstance(x, nd.NDArray)",
        "ok = isinstance(x, torch.Tensor)",
    ),
]


REGISTRY.add(*_functions(), *_binaries(), *_reductions(), *_MATH)
