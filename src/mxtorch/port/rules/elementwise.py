"""Elementwise functions, reductions and products of arrays."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, operand, parenthesized
from mxtorch.port.rules._common import is_false, is_simple, is_true

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
    "broadcast_hypot": "torch.hypot({lhs}, {rhs})",
    "modulo": "{lhs} % {rhs}",
    "broadcast_mod": "{lhs} % {rhs}",
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


_COMPARISONS = {
    "equal": "==",
    "not_equal": "!=",
    "greater": ">",
    "greater_equal": ">=",
    "lesser": "<",
    "lesser_equal": "<=",
}
_LOGIC = ("logical_and", "logical_or", "logical_xor")


def _comparison(sign: str) -> Writer:
    """MXNet's comparisons give numbers, torch's give booleans."""

    def write(match: Match) -> str | None:
        left, right = (parenthesized(match.text(a)) for a in ("lhs", "rhs"))
        return f"({left} {sign} {right}).float()"

    return write


def _comparisons() -> list[Rule]:
    found = []
    for name, sign in _COMPARISONS.items():
        for full in (name, f"broadcast_{name}"):
            found.append(
                Rule(
                    f"nd-{full}",
                    f"call mx.nd.{full}",
                    _comparison(sign),
                    f"z = nd.{full}(x, y)",
                    f"z = (x {sign} y).float()",
                    params="lhs, rhs",
                )
            )
    for name in _LOGIC:
        for full in (name, f"broadcast_{name}"):
            found.append(
                Rule(
                    f"nd-{full}",
                    f"call mx.nd.{full}",
                    f"torch.{name}({{lhs}}, {{rhs}}).float()",
                    f"z = nd.{full}(x, y)",
                    f"z = torch.{name}(x, y).float()",
                    params="lhs, rhs",
                )
            )
    found.append(
        Rule(
            "nd-logical_not",
            "call mx.nd.logical_not",
            "torch.logical_not({data}).float()",
            "z = nd.logical_not(x)",
            "z = torch.logical_not(x).float()",
        )
    )
    return found


# MXNet's reduction and torch's, along axes.
_REDUCTIONS = {"sum": "sum", "mean": "mean", "max": "amax", "min": "amin", "prod": "prod"}


def reduction(torch_name: str, whole: str) -> Writer:
    def write(match: Match) -> str | None:
        data = "self" if "self" in match.given else "data"
        if data not in match.given or not match.only(data, "axis", "keepdims", "exclude"):
            return None
        text = parenthesized(match.text(data))
        if is_true(match, "exclude"):
            return _over_others(match, text, torch_name)
        if match.has("exclude") and not is_false(match, "exclude"):
            return None
        if not match.has("axis") or match.constant("axis") == ():
            return None if match.has("keepdims") else f"{text}.{whole}()"
        keep = f", keepdim={match.text('keepdims')}" if match.has("keepdims") else ""
        return f"{text}.{torch_name}(dim={match.text('axis')}{keep})"

    return write


def _over_others(match: Match, text: str, name: str) -> str | None:
    """Over every axis but the ones named; over all but the first that is what follows it."""
    if not match.has("axis"):
        return None
    keep = f", keepdim={match.text('keepdims')}" if match.has("keepdims") else ""
    if match.constant("axis") == 0 and not keep:
        return f"{text}.flatten(1).{name}(dim=1)"
    axes = f"{match.helper('other_axes')}({text}, {match.text('axis')})"
    simple = text.isidentifier()
    return f"{text}.{name}(dim={axes}{keep})" if simple else None


def _reductions() -> list[Rule]:
    found = []
    for name, to in _REDUCTIONS.items():
        write = reduction(to, name)
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
                    reduction(name, name),
                    before,
                    f"y = x.{name}(dim=1)",
                    note=f"{name} gives int64, MXNet's the array's own type",
                )
            )
    return found


def _turned(match: Match, lhs: str, rhs: str, turn: str) -> list[str] | None:
    """Both sides of a product, transposed where a flag says so."""
    texts = []
    for argument, flag in ((lhs, "transpose_a"), (rhs, "transpose_b")):
        text = match.text(argument)
        if is_true(match, flag):
            text = f"{parenthesized(text)}.{turn}"
        elif match.has(flag) and not is_false(match, flag):
            return None
        texts.append(text)
    return texts


def _dot(match: Match) -> str | None:
    """Matrices and vectors; the last axis with the first, if there are more."""
    lhs, rhs = ("self", "rhs") if match.receiver is not None else ("lhs", "rhs")
    if lhs not in match.given or not match.only(lhs, rhs, "transpose_a", "transpose_b"):
        return None
    texts = _turned(match, lhs, rhs, "t()")
    if texts is None:
        return None
    match.need("torch")
    if "deep" in (match.value(lhs).name, match.value(rhs).name) and ".t()" not in "".join(texts):
        return f"torch.tensordot({', '.join(texts)}, dims=1)"
    return f"torch.matmul({', '.join(texts)})"


def _batch_dot(match: Match) -> str | None:
    if not match.only("lhs", "rhs", "transpose_a", "transpose_b"):
        return None
    texts = _turned(match, "lhs", "rhs", "transpose(1, 2)")
    return None if texts is None else f"torch.bmm({', '.join(texts)})"


def _sum_of(match: Match) -> str | None:
    """`add_n(a, b)` is a sum; of a list that is unpacked, Python's own."""
    arguments = getattr(match.node, "args", [])
    if not arguments or getattr(match.node, "keywords", []):
        return None
    if len(arguments) == 1 and isinstance(arguments[0], ast.Starred):
        return f"sum({match.text(arguments[0].value)})"
    if any(isinstance(a, ast.Starred) for a in arguments):
        return None
    return " + ".join(operand(match.text(a)) for a in arguments)


def _softmax(name: str) -> Writer:
    def write(match: Match) -> str | None:
        data = "self" if "self" in match.given else "data"
        if data not in match.given or not match.only(data, "axis"):
            return None
        match.need("torch")
        return f"torch.{name}({match.text(data)}, dim={match.text('axis', '-1')})"

    return write


def _norm(match: Match) -> str | None:
    data = "self" if "self" in match.given else "data"
    if data not in match.given or not match.only(data, "ord", "axis", "keepdims"):
        return None
    given = [match.text("ord")] if match.has("ord") and match.constant("ord") != 2 else []
    given += [f"dim={match.text('axis')}"] if match.has("axis") else []
    given += [f"keepdim={match.text('keepdims')}"] if match.has("keepdims") else []
    return f"{parenthesized(match.text(data))}.norm({', '.join(given)})"


def extreme(match: Match, name: str, bound: str) -> str | None:
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
        "nd-batch_dot",
        "op batch_dot",
        _batch_dot,
        "z = nd.batch_dot(x, y)",
        "z = torch.bmm(x, y)",
    ),
    Rule("add_n", "op add_n", _sum_of, "z = nd.add_n(x, y)", "z = x + y"),
    Rule(
        "cumsum",
        "op _np_cumsum",
        ("{a}.flatten().cumsum(0)", "{a}.cumsum({axis})"),
        "y = nd.cumsum(x, axis=1)",
        "y = x.cumsum(1)",
    ),
    Rule(
        "round",
        "op round",
        lambda m: (
            f"torch.trunc({m.text('data')} + 0.5 * {m.text('data')}.sign())"
            if is_simple(m.given["data"])
            else f"torch.round({m.text('data')})"
        ),
        "y = nd.round(x)",
        "y = torch.trunc(x + 0.5 * x.sign())",
        note="MXNet rounds halves away from zero, torch.round to even numbers",
    ),
    Rule("fix", "op fix", "torch.trunc({data})", "y = nd.fix(x)", "y = torch.trunc(x)"),
    Rule(
        "rint",
        "op rint",
        "torch.ceil({data} - 0.5)",
        "y = nd.rint(x)",
        "y = torch.ceil(x - 0.5)",
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
        "op log_softmax",
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
        "where",
        "call mx.nd.where",
        "torch.where({condition} != 0, {x}, {y})",
        "z = nd.where(c, x, y)",
        "z = torch.where(c != 0, x, y)",
    ),
    Rule(
        "maximum",
        "call mx.nd.maximum",
        lambda m: extreme(m, "maximum", "min"),
        "z = nd.maximum(x, 0)",
        "z = x.clamp(min=0)",
        params="lhs, rhs",
    ),
    Rule(
        "minimum",
        "call mx.nd.minimum",
        lambda m: extreme(m, "minimum", "max"),
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


REGISTRY.add(*_functions(), *_binaries(), *_comparisons(), *_reductions(), *_MATH)
