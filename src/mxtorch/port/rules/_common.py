"""What the rules' functions share."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import Writer, parenthesized
from mxtorch.port.values import Value

_DTYPES = frozenset(["float16", "float32", "float64", "uint8", "int8", "int32", "int64", "bool"])


def dtype(match: Match, argument: str | ast.expr) -> str:
    """A dtype as torch names it: `'float32'` and `np.float32` are `torch.float32`."""
    node = match.given[argument] if isinstance(argument, str) else argument
    match.need("torch")
    if isinstance(node, ast.Constant) and node.value in _DTYPES:
        return f"torch.{node.value}"
    if isinstance(node, ast.Attribute) and node.attr in _DTYPES:
        owner = match.port.flow.value(node.value)
        if owner.name in ("numpy", "mx.np"):
            return f"torch.{node.attr}"
    value = match.value(node)
    if isinstance(node, ast.Name) and value == Value("builtin", "float"):
        return "torch.float32"
    if isinstance(node, ast.Name) and value == Value("builtin", "int"):
        return "torch.int32"
    text = match.text(node)
    return text if value.kind == "dtype" else f"getattr(torch, {text})"


def options(match: Match, *, default_dtype: str | None = None) -> str:
    """`, dtype=…, device=…` as the call's `dtype` and `ctx` say."""
    text = ""
    if match.has("dtype"):
        text += f", dtype={dtype(match, 'dtype')}"
    elif default_dtype is not None:
        text += f", dtype={default_dtype}"
    if match.has("ctx"):
        text += f", device={match.text('ctx')}"
    return text


def shape(match: Match, argument: str = "shape") -> str:
    """A shape argument: a number stands for a vector's length."""
    node = match.given[argument]
    text = match.text(node)
    return f"({text},)" if isinstance(node, ast.Constant) and node.value is not None else text


def is_simple(node: ast.expr) -> bool:
    """Whether an expression may be written twice: a name, or an attribute of one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def is_true(match: Match, argument: str) -> bool:
    """Whether an argument is written out as a true value."""
    return match.has(argument) and bool(match.constant(argument))


def is_false(match: Match, argument: str) -> bool:
    """Whether an argument is written out as a false value."""
    node = match.given.get(argument)
    return isinstance(node, ast.Constant) and not node.value


def index(match: Match, argument: str) -> str:
    """An array of numbers that torch takes for indices."""
    return f"{parenthesized(match.text(argument))}.long()"


def after_colons(axis: int) -> str:
    """What comes before an index of that axis."""
    return ":, " * axis


# Functions of Python that give a collection with the items of another.
_HANDS_ON = frozenset(["sorted", "list", "tuple", "set", "reversed", "enumerate", "zip"])


def is_printed(match: Match) -> bool:
    """Whether an expression goes into a text: an argument of print, of format, of a template."""
    node: ast.AST = match.node
    while (outer := match.port.parents.get(node)) is not None:
        if isinstance(outer, ast.FormattedValue):
            return True
        if isinstance(outer, ast.BinOp):
            return isinstance(outer.op, ast.Mod) and match.value(outer.left).kind == "text"
        if isinstance(outer, ast.Call):
            function = outer.func
            if isinstance(function, ast.Attribute):
                return function.attr == "format" and match.value(function.value).kind == "text"
            if not isinstance(function, ast.Name) or function.id not in _HANDS_ON:
                return isinstance(function, ast.Name) and function.id in ("print", "str", "repr")
        elif not isinstance(outer, (ast.Tuple, ast.List, ast.ListComp, ast.GeneratorExp)):
            return False
        node = outer
    return False


def collected(node: ast.expr | None) -> ast.expr | None:
    """The net of a `net.collect_params()` without a pattern."""
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return None
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr == "collect_params":
        return function.value
    return None


def is_none(match: Match, argument: str) -> bool:
    """Whether an argument is written out as None."""
    node = match.given.get(argument)
    return isinstance(node, ast.Constant) and node.value is None


def same(match: Match) -> str:
    """As it stands, its parts rewritten: what it belongs to has the method or attribute too."""
    return match.port.splice(match.node)


def helper_call(name: str, *arguments: str, drop: tuple[str, ...] = ()) -> Writer:
    """A function or class of the file's own, which has these arguments by these names."""

    def write(match: Match) -> str | None:
        if not match.only(*arguments, *drop):
            return None
        texts = [match.text(a) if i == 0 else f"{a}={match.text(a)}"
                 for i, a in enumerate(arguments) if match.has(a)]  # fmt: skip
        if not match.has(*arguments[:1]):
            texts = [f"{a}={match.text(a)}" for a in arguments if match.has(a)]
        return f"{match.helper(name)}({', '.join(texts)})"

    return write


def call_in_order(name: str, *arguments: str, drop: tuple[str, ...] = ()) -> Writer:
    """The same with the first arguments in their places, as long as none is left out."""

    def write(match: Match) -> str | None:
        if not match.only(*arguments, *drop):
            return None
        given = [a for a in arguments if match.has(a)]
        placed = [match.text(a) for a, b in zip(arguments, given, strict=False) if a == b]
        texts = placed + [f"{a}={match.text(a)}" for a in given[len(placed) :]]
        return f"{match.helper(name)}({', '.join(texts)})"

    return write
