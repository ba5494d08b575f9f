"""What the rules' functions share."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
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
        if owner.kind == "python" and owner.name == "numpy":
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
