"""Arrays: making them, converting them, what they say of themselves."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules._common import dtype, is_printed, options, shape


def _array(match: Match) -> str | None:
    """`nd.array` gives float32 whatever it is made of, unless told or made of an NDArray."""
    if not match.only("source_array", "ctx", "dtype"):
        return None
    source = match.given["source_array"]
    if match.value(source).kind == "array":
        text = parenthesized(match.text(source))
        return f"{text}.clone()" if match.only("source_array") else None
    match.need("torch")
    text = match.text(source)
    if any(_steps_back(n) for n in ast.walk(source)):  # torch has no negative strides
        text = f"{parenthesized(text)}.copy()"
    return f"torch.tensor({text}{options(match, default_dtype='torch.float32')})"


def _steps_back(node: ast.AST) -> bool:
    return isinstance(node, ast.Slice) and isinstance(node.step, ast.UnaryOp)


def filled(name: str) -> Writer:
    def write(match: Match) -> str | None:
        if not match.only("shape", "ctx", "dtype"):
            return None
        match.need("torch")
        return f"torch.{name}({shape(match)}{options(match)})"

    return write


def full(match: Match) -> str | None:
    if not match.only("shape", "val", "ctx", "dtype"):
        return None
    kind = options(match, default_dtype="torch.float32")
    return f"torch.full({shape(match)}, {match.text('val')}{kind})"


def arange(match: Match) -> str | None:
    if not match.only("start", "stop", "step", "ctx", "dtype"):
        return None
    ends = [match.text(a) for a in ("start", "stop", "step") if match.has(a)]
    if match.has("step") and not match.has("stop"):
        return None
    return f"torch.arange({', '.join(ends)}{options(match, default_dtype='torch.float32')})"


def _astype(match: Match) -> str | None:
    argument = next((a for a in ("dtype",) if match.has(a)), None)
    copy = match.constant("copy") if match.has("copy") else False
    if argument is None or not isinstance(copy, bool):
        return None
    copied = ", copy=True" if copy else ""
    return f"{parenthesized(match.text('self'))}.to({dtype(match, argument)}{copied})"


# What Python's numbers have too.
_OF_NUMBERS = ("real", "imag", "conjugate", "is_integer", "hex", "as_integer_ratio")


def _scalar(match: Match) -> str:
    """MXNet's number is NumPy's; that is kept where its own methods are called."""
    text = parenthesized(match.text("self"))
    parent = match.parent
    if isinstance(parent, ast.Attribute) and parent.attr not in _OF_NUMBERS:
        return f"{text}.detach().cpu().numpy().reshape(-1)[0]"
    return f"{text}.item()"


# Calls whose result nothing else holds, so that NumPy may have its memory.
_NEW = frozenset(["sum", "mean", "max", "min", "prod", "norm", "argmax", "argmin", "softmax"])


# Methods of NumPy's that give something new, so that nothing keeps their array.
_READING = frozenset([
    "tolist", "sum", "mean", "std", "var", "max", "min", "argmax", "argmin", "round", "astype",
    "item", "all", "any", "copy", "prod", "dot", "cumsum",
])  # fmt: skip


def _is_read(match: Match) -> bool:
    """Whether the NumPy array is only computed with, where it stands."""
    parent = match.parent
    if isinstance(parent, ast.Attribute):
        call = match.port.parents.get(parent)
        return parent.attr in _READING and isinstance(call, ast.Call) and call.func is parent
    return isinstance(parent, (ast.BinOp, ast.Compare, ast.UnaryOp))


def _asnumpy(match: Match) -> str:
    """MXNet's is a copy; NumPy's view of a tensor is none."""
    node = match.receiver
    function = node.func if isinstance(node, ast.Call) else None
    is_new = isinstance(node, (ast.BinOp, ast.Compare)) or (
        isinstance(function, ast.Attribute) and function.attr in _NEW
    )
    copied = "" if is_new or _is_read(match) else ".copy()"
    return f"{parenthesized(match.text('self'))}.detach().cpu().numpy(){copied}"


def _compare(match: Match) -> str | None:
    """MXNet's comparisons give numbers, torch's give booleans."""
    node = match.node
    parent = match.parent
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return None
    text = match.port.splice(node)
    if isinstance(parent, ast.Attribute) and parent.attr == "astype":
        return text
    return f"({text}).float()"


def _compare_dtypes(match: Match) -> str | None:
    node = match.node
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return None
    sides = [
        match.text(n) if match.value(n).kind == "dtype" else dtype(match, n)
        for n in (node.left, node.comparators[0])
    ]
    if any(side.startswith("getattr(") for side in sides):
        return None
    sign = {ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is", ast.IsNot: "is not"}.get(type(node.ops[0]))
    return None if sign is None else f"{sides[0]} {sign} {sides[1]}"


def _shape(match: Match) -> str:
    """Where a shape is printed, it is printed as a tuple."""
    text = f"{parenthesized(match.text('self'))}.shape"
    return f"tuple({text})" if is_printed(match) else text


def _save(match: Match) -> str | None:
    """An array alone is kept in a list, as MXNet reads it."""
    if not match.only("fname", "data"):
        return None
    kind = match.value("data").kind
    if kind not in ("array", "list", "dict"):
        return None
    match.need("torch")
    text = match.text("data")
    return f"torch.save({f'[{text}]' if kind == 'array' else text}, {match.text('fname')})"


_MAKE = [
    Rule(
        "save",
        "call mx.nd.save",
        _save,
        "nd.save('a.nd', x)",
        "torch.save([x], 'a.nd')",
        note="the file is torch's; `mxtorch convert` reads MXNet's",
    ),
    Rule(
        "array",
        "call mx.nd.array",
        _array,
        "x = nd.array([1, 2], ctx=mx.cpu())",
        'x = torch.tensor([1, 2], dtype=torch.float32, device=torch.device("cpu"))',
    ),
    Rule(
        "zeros",
        "call mx.nd.zeros",
        filled("zeros"),
        "x = nd.zeros((2, 3))",
        "x = torch.zeros((2, 3))",
        function="torch.zeros",
    ),
    Rule(
        "ones",
        "call mx.nd.ones",
        filled("ones"),
        "x = nd.ones(3)",
        "x = torch.ones((3,))",
        function="torch.ones",
    ),
    Rule(
        "empty", "call mx.nd.empty", filled("empty"), "x = nd.empty((2,))", "x = torch.empty((2,))"
    ),
    Rule(
        "full",
        "call mx.nd.full",
        full,
        "x = nd.full((2,), 7)",
        "x = torch.full((2,), 7, dtype=torch.float32)",
    ),
    Rule(
        "arange",
        "call mx.nd.arange",
        arange,
        "x = nd.arange(3)",
        "x = torch.arange(3, dtype=torch.float32)",
    ),
    Rule(
        "zeros-like",
        "call mx.nd.zeros_like",
        "torch.zeros_like({data})",
        "y = nd.zeros_like(x)",
        "y = torch.zeros_like(x)",
    ),
    Rule(
        "ones-like",
        "call mx.nd.ones_like",
        "torch.ones_like({data})",
        "y = nd.ones_like(x)",
        "y = torch.ones_like(x)",
    ),
    Rule(
        "eye",
        "call mx.nd.eye",
        ("torch.eye({N})", "torch.eye({N}, {M})"),
        "x = nd.eye(3)",
        "x = torch.eye(3)",
    ),
    Rule(
        "linspace",
        "call mx.nd.linspace",
        lambda m: (
            f"torch.linspace({m.text('start')}, {m.text('stop')}, {m.text('num')}{options(m)})"
            if m.only("start", "stop", "num", "dtype", "ctx")
            else None
        ),
        "x = nd.linspace(0, 1, 5)",
        "x = torch.linspace(0, 1, 5)",
    ),
]
_CONVERT = [
    Rule(
        "asnumpy",
        "method array.asnumpy",
        _asnumpy,
        "a = x.asnumpy()",
        "a = x.detach().cpu().numpy().copy()",
        params="self",
    ),
    Rule(
        "asscalar",
        "method array.asscalar",
        _scalar,
        "s = x.sum().asscalar()",
        "s = x.sum().item()",
        params="self",
    ),
    Rule(
        "astype",
        "method array.astype",
        _astype,
        "y = x.astype('int32')",
        "y = x.to(torch.int32)",
        params="self, dtype, copy=True",
        note="torch does not copy an array that has the type already",
    ),
    Rule(
        "cast",
        "call mx.nd.cast",
        lambda m: f"{parenthesized(m.text('data'))}.to({dtype(m, 'dtype')})",
        "y = nd.cast(x, dtype='int32')",
        "y = x.to(torch.int32)",
    ),
    Rule(
        "copy",
        "method array.copy",
        "{self}.clone()",
        "y = x.copy()",
        "y = x.clone()",
        params="self",
    ),
    Rule("size", "attr array.size", "{self}.numel()", "n = x.size", "n = x.numel()"),
    Rule("ndim", "attr array.ndim", "{self}.ndim", "n = x.ndim", "n = x.ndim"),
    Rule("shape", "attr array.shape", _shape, "s = x.shape", "s = x.shape"),
    Rule(
        "compare-dtype",
        "compare dtype",
        _compare_dtypes,
        "ok = x.dtype == 'float32'",
        "ok = x.dtype == torch.float32",
    ),
    Rule(
        "dtype",
        "attr array.dtype",
        "{self}.dtype",
        "t = x.dtype",
        "t = x.dtype",
        note="a dtype of torch's, not of NumPy's",
    ),
    Rule("compare", "compare array", _compare, "n = (x > y).sum()", "n = (x > y).float().sum()"),
]
_ARRAYS_HAVE = ("asnumpy", "asscalar", "as_in_context", "attach_grad", "wait_to_read", "context")


def _hasattr(match: Match) -> str | None:
    """Programs tell arrays of MXNet's by what only these have."""
    if match.constant("name") not in _ARRAYS_HAVE:
        return None
    match.need("torch")
    return f"isinstance({match.text('obj')}, torch.Tensor)"


REGISTRY.add(
    *_MAKE,
    *_CONVERT,
    Rule(
        "hasattr-array",
        "builtin hasattr",
        _hasattr,
        'ok = hasattr(x, "asnumpy")',
        "ok = isinstance(x, torch.Tensor)",
        params="obj, name",
    ),
)
