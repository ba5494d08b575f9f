"""Arrays of `mx.np`: making them, their methods, random ones."""

from __future__ import annotations

import ast
from dataclasses import replace

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules._common import options
from mxtorch.port.rules.arrays import arange, filled, full
from mxtorch.port.rules.elementwise import reduction
from mxtorch.port.rules.random import STREAM, normal, uniform

_OPTIONS = "dtype=None, order='C', ctx=None"
_SIZE = "size=None, dtype=None, ctx=None"


def called(write: Writer, **names: str) -> Writer:
    """A rule's function for arguments that are called otherwise here."""

    def renamed(match: Match) -> str | None:
        given = {names.get(name, name): node for name, node in match.given.items()}
        return write(replace(match, given=given))

    return renamed


def _array(match: Match) -> str | None:
    """An array of NumPy's keeps its type, numbers and lists are float32."""
    if not match.only("object", "dtype", "ctx"):
        return None
    value, text = match.value("object"), match.text("object")
    if value.kind == "array":
        kept = f"{parenthesized(text)}.clone()"
        return kept if match.only("object") else None
    if value.kind in ("list", "tuple") and value.item.kind == "array":
        return f"torch.stack({text})" if match.only("object") else None
    if value.kind == "unknown" and not match.has("dtype"):
        match.note_guess("numbers or a list, not an array of NumPy's")
    default = None if value.kind == "numpy" else "torch.float32"
    return f"torch.tensor({text}{options(match, default_dtype=default)})"


def _reshape(match: Match) -> str | None:
    """The new shape as numbers or as a tuple."""
    node = match.node
    assert isinstance(node, ast.Call)
    if node.keywords or not node.args or match.receiver is None:
        return None
    sizes = node.args
    if len(sizes) == 1 and isinstance(sizes[0], (ast.Tuple, ast.List)):
        sizes = sizes[0].elts
    texts = ", ".join(match.text(s) for s in sizes)
    return f"{parenthesized(match.text(match.receiver))}.reshape({texts})"


def spread(name: str) -> Writer:
    """`std` and `var`, which divide by the number of elements."""

    def write(match: Match) -> str | None:
        data = "self" if "self" in match.given else "a"
        if not match.only(data, "axis", "keepdims", "ddof"):
            return None
        given = [f"dim={match.text('axis')}"] if match.has("axis") else []
        given.append(f"correction={match.text('ddof', '0')}")
        given += [f"keepdim={match.text('keepdims')}"] if match.has("keepdims") else []
        return f"{parenthesized(match.text(data))}.{name}({', '.join(given)})"

    return write


def mean(match: Match) -> str | None:
    """Of a comparison: the share that is true."""
    data = "self" if "self" in match.given else "data"
    written = reduction("mean", "mean")(match)
    if written is None or match.value(match.given[data]).name != "mask":
        return written
    text = parenthesized(match.text(data))
    return f"{text}.float(){written.removeprefix(text)}"


def _random(write: Writer) -> Writer:
    """A single number has no axes."""

    def sized(match: Match) -> str | None:
        written = called(write, size="shape")(match)
        if written is None or match.has("size"):
            return written
        return written.replace("(1,)", "()", 1)

    return sized


def _normal(match: Match) -> str | None:
    """torch has a function of its own for means or deviations that are arrays."""
    if not any(match.has(a) and match.value(a).kind == "array" for a in ("loc", "scale")):
        return _random(normal)(match)
    if not match.only("loc", "scale"):
        return None
    return f"torch.normal({match.text('loc', '0.0')}, {match.text('scale', '1.0')})"


def _randint(match: Match) -> str | None:
    """Whole numbers are int64, and begin with 0 if one bound is given."""
    low, high = match.text("low"), match.text("high", "")
    if not high:
        low, high = "0", low
    if not match.only("low", "high", "size", "dtype", "ctx"):
        return None
    size = match.given.get("size")
    text = match.text("size") if size is not None else "()"
    if isinstance(size, ast.Constant):
        text = f"({text},)"
    return f"torch.randint({low}, {high}, {text}{options(match)})"


def _unpacked(name: str) -> Writer:
    def write(match: Match) -> str | None:
        node = match.node
        if not isinstance(node, ast.Call) or node.keywords:
            return None
        match.need("torch")
        return f"torch.{name}({', '.join(match.text(a) for a in node.args) or '()'})"

    return write


def _shuffle(match: Match) -> str | None:
    """The elements of the first axis change places."""
    if not isinstance(match.parent, ast.Expr):
        return None
    text = parenthesized(match.text("x"))
    return f"{text}[:] = {text}[torch.randperm(len({text}))]"


def _choice(match: Match) -> str | None:
    if not match.only("a", "size", "replace", "p") or match.value("a").kind == "array":
        return None
    count = match.text("size", "1")
    size = match.given.get("size")
    if size is not None and not isinstance(size, (ast.Constant, ast.Name)):
        return None
    kept = match.text("replace", "True")
    if match.has("p"):
        return f"torch.multinomial({match.text('p')}, {count}, replacement={kept})"
    if kept == "True":
        return f"torch.randint({match.text('a')}, ({count},))"
    return f"torch.randperm({match.text('a')})[:{count}]" if kept == "False" else None


def _float(match: Match) -> str | None:
    """A number of its own: what `float` makes of a tensor warns where it has gradients."""
    node = match.given["x"]
    function = node.func if isinstance(node, ast.Call) else None
    if match.value(node).name != "scalar" or not isinstance(function, ast.Attribute):
        return None
    if match.value(function.value).name == "mask":
        return None
    return f"{parenthesized(match.text(node))}.item()"


_MAKE = [
    Rule(
        "np-array",
        "call mx.np.array",
        _array,
        "z = np.array([1, 2])",
        "z = torch.tensor([1, 2], dtype=torch.float32)",
    ),
    *(
        Rule(
            f"np-{name}",
            f"call mx.np.{name}",
            filled(name),
            f"z = np.{name}((2, 3))",
            f"z = torch.{name}((2, 3))",
            params=f"shape, {_OPTIONS}",
            function=f"torch.{name}",
        )
        for name in ("zeros", "ones", "empty")
    ),
    Rule(
        "np-full",
        "call mx.np.full",
        called(full, fill_value="val"),
        "z = np.full((2,), 7)",
        "z = torch.full((2,), 7, dtype=torch.float32)",
        params=f"shape, fill_value, {_OPTIONS}",
    ),
    Rule(
        "np-arange",
        "call mx.np.arange",
        arange,
        "z = np.arange(3)",
        "z = torch.arange(3, dtype=torch.float32)",
        params="start, stop=None, step=1, dtype=None, ctx=None",
    ),
    Rule(
        "np-linspace",
        "call mx.np.linspace",
        lambda m: (
            f"torch.linspace({m.text('start')}, {m.text('stop')}, {m.text('num', '50')}"
            f"{options(m)})"
            if m.only("start", "stop", "num", "dtype", "ctx")
            else None
        ),
        "z = np.linspace(0, 1, 5)",
        "z = torch.linspace(0, 1, 5)",
    ),
    Rule(
        "np-eye",
        "call mx.np.eye",
        ("torch.eye({N})", "torch.eye({N}, {M})"),
        "z = np.eye(3)",
        "z = torch.eye(3)",
    ),
    Rule(
        "np-identity",
        "call mx.np.identity",
        "torch.eye({n})",
        "z = np.identity(3)",
        "z = torch.eye(3)",
    ),
    *(
        Rule(
            f"np-{name}_like",
            f"call mx.np.{name}_like",
            f"torch.{name}_like({{a}})",
            f"z = np.{name}_like(x)",
            f"z = torch.{name}_like(x)",
        )
        for name in ("zeros", "ones")
    ),
    Rule(
        "np-full-like",
        "call mx.np.full_like",
        "torch.full_like({a}, {fill_value})",
        "z = np.full_like(x, 2)",
        "z = torch.full_like(x, 2)",
    ),
    Rule("np-copy", "call mx.np.copy", "{a}.clone()", "z = np.copy(x)", "z = x.clone()"),
]
_DRAW = [
    Rule(
        "np-normal",
        "call mx.np.random.normal",
        _normal,
        "z = np.random.normal(0, 0.01, size=(2, 3))",
        "z = torch.empty((2, 3)).normal_(0, 0.01)",
        note=STREAM,
        params=f"loc=0, scale=1, {_SIZE}",
    ),
    Rule(
        "np-uniform",
        "call mx.np.random.uniform",
        _random(uniform),
        "z = np.random.uniform(size=(2, 3))",
        "z = torch.rand((2, 3))",
        note=STREAM,
        params=f"low=0, high=1, {_SIZE}",
    ),
    Rule(
        "np-randint",
        "call mx.np.random.randint",
        _randint,
        "z = np.random.randint(5, size=(3,))",
        "z = torch.randint(0, 5, (3,))",
        note=STREAM,
        params=f"low, high=None, {_SIZE}",
    ),
    *(
        Rule(
            f"np-{name}",
            f"call mx.np.random.{name}",
            _unpacked(name),
            f"z = np.random.{name}(2, 3)",
            f"z = torch.{name}(2, 3)",
            note=STREAM,
        )
        for name in ("rand", "randn")
    ),
    Rule(
        "np-shuffle",
        "call mx.np.random.shuffle",
        _shuffle,
        "np.random.shuffle(x)",
        "x[:] = x[torch.randperm(len(x))]",
        note=STREAM,
    ),
    Rule(
        "np-choice",
        "call mx.np.random.choice",
        _choice,
        "z = np.random.choice(5, 3)",
        "z = torch.randint(5, (3,))",
        note=STREAM,
    ),
]
_NUMBERS = [
    Rule(
        "float",
        "builtin float",
        _float,
        "z = float(x.sum())",
        "z = x.sum().item()",
        params="x",
        needs=(),
    ),
]
_AXIS = "self, axis=None, dtype=None, out=None, keepdims=False"
_METHODS = [
    Rule(
        "ndarray-reshape",
        "method ndarray.reshape",
        _reshape,
        "z = x.reshape(3, -1)",
        "z = x.reshape(3, -1)",
        params="self, *shape",
    ),
    Rule(
        "ndarray-flatten",
        "method ndarray.flatten",
        "{self}.flatten()",
        "z = x.flatten()",
        "z = x.flatten()",
        params="self",
    ),
    Rule(
        "ndarray-mean",
        "method ndarray.mean",
        mean,
        "z = (x > 2).mean()",
        "z = (x > 2).float().mean()",
        params=_AXIS,
    ),
    *(
        Rule(
            f"ndarray-{name}",
            f"method ndarray.{name}",
            reduction(to, name),
            f"z = x.{name}({given})",
            f"z = x.{to}(dim=1{kept})",
            params=_AXIS
            if name in ("sum", "prod")
            else "self, axis=None, out=None, keepdims=False",
        )
        for name, to, given, kept in (
            ("sum", "sum", "1, keepdims=True", ", keepdim=True"),
            ("prod", "prod", "axis=1", ""),
            ("max", "amax", "axis=1", ""),
            ("min", "amin", "axis=1", ""),
            ("argmax", "argmax", "axis=1", ""),
            ("argmin", "argmin", "axis=1", ""),
        )
    ),
    *(
        Rule(
            f"ndarray-{name}",
            f"method ndarray.{name}",
            spread(name),
            f"z = x.{name}(axis=1)",
            f"z = x.{name}(dim=1, correction=0)",
            params="self, axis=None, dtype=None, out=None, ddof=0, keepdims=False",
        )
        for name in ("std", "var")
    ),
    *(
        Rule(
            f"ndarray-{name}",
            f"method ndarray.{name}",
            f"{{self}}.{name}()",
            f"z = x[1, 2].{name}()",
            f"z = x[1, 2].{name}()",
            params="self",
            needs=(),
        )
        for name in ("item", "tolist")
    ),
    Rule(
        "ndarray-as-in-ctx",
        "method ndarray.as_in_ctx",
        "{self}.to({ctx})",
        "z = x.as_in_ctx(npx.cpu())",
        'z = x.to(torch.device("cpu"))',
        params="self, ctx",
    ),
    *(
        Rule(
            f"ndarray-{name}",
            f"method ndarray.{name}",
            "{self}",
            f"z = x.{name}()",
            "z = x",
            params="self",
            needs=(),
        )
        for name in ("as_nd_ndarray", "as_np_ndarray")
    ),
    Rule(
        "ndarray-cumsum",
        "method ndarray.cumsum",
        ("{self}.flatten().cumsum(0)", "{self}.cumsum({axis})"),
        "z = x.cumsum(axis=1)",
        "z = x.cumsum(1)",
        params="self, axis=None",
        needs=(),
    ),
    Rule(
        "ndarray-dot",
        "method ndarray.dot",
        "torch.matmul({self}, {b})",
        "z = x.dot(x.T)",
        "z = torch.matmul(x, x.t())",
        params="self, b",
    ),
    Rule(
        "ndarray-clip",
        "method ndarray.clip",
        "{self}.clamp(min={min}, max={max})",
        "z = x.clip(1, 2)",
        "z = x.clamp(min=1, max=2)",
        params="self, min=None, max=None",
        needs=(),
    ),
    *(
        Rule(
            f"ndarray-{name}",
            f"method ndarray.{name}",
            f"{{self}}.{name}()",
            f"z = (x > 2).{name}()",
            f"z = (x > 2).{name}()",
            params="self",
            needs=(),
        )
        for name in ("any", "all")
    ),
    Rule(
        "ndarray-round",
        "method ndarray.round",
        ("{self}.round()", "{self}.round(decimals={decimals})"),
        "z = x.round(2)",
        "z = x.round(decimals=2)",
        params="self, decimals=0",
        needs=(),
    ),
    Rule(
        "compare-ndarray",
        "compare ndarray",
        lambda m: m.port.splice(m.node),
        "z = x > 2",
        "z = x > 2",
        needs=(),
    ),
]
REGISTRY.add(*_MAKE, *_DRAW, *_NUMBERS, *_METHODS)
