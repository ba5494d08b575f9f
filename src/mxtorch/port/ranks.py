"""How many axes arrays have, where reading tells: two, or more than that.

It decides whether a `Dense`, which joins all axes but the first, needs a flatten before it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mxtorch.port.values import ARRAY, DEEP, ELEMENT, FLAT, NUMBERS, NUMPY, Value

# Where functions have their shape, if not by keyword: the argument's position.
_SHAPES = {
    "zeros": 0, "ones": 0, "full": 0, "empty": 0,
    "uniform": 2, "normal": 2, "gamma": 2, "randint": 2, "random_uniform": 2, "random_normal": 2,
}  # fmt: skip
_COUNTED = frozenset(["randn", "rand"])
# Functions and methods whose result has as many axes as their first array.
_ALIKE = frozenset([
    "Activation", "Dropout", "LeakyReLU", "BatchNorm", "LayerNorm", "InstanceNorm", "GroupNorm",
    "L2Normalization", "relu", "sigmoid", "tanh", "softmax", "log_softmax", "softrelu",
    "softsign", "abs", "exp", "log", "sqrt", "square", "sign", "clip", "astype", "cast",
    "copy", "as_in_context", "as_nd_ndarray", "copyto", "zeros_like", "ones_like", "concat",
    "concatenate", "detach", "BlockGrad", "stop_gradient", "identity", "broadcast_add",
    "broadcast_sub", "broadcast_mul", "broadcast_div", "elemwise_add", "elemwise_sub",
    "elemwise_mul", "elemwise_div", "float32",
])  # fmt: skip
_IMAGES = frozenset(["Convolution", "Deconvolution", "Pooling", "UpSampling"])
# Layers that leave the number of axes as it is.
_THROUGH = frozenset([
    "Activation", "Dropout", "BatchNorm", "SyncBatchNorm", "LayerNorm", "InstanceNorm", "GroupNorm",
    "LeakyReLU", "PReLU", "ELU", "SELU", "GELU", "Swish", "SiLU",
])  # fmt: skip


def ranked(count: int, like: Value = ARRAY) -> Value:
    """An array, or a NumPy array, with so many axes."""
    if count < 2:
        return like
    return Value(like.kind, (FLAT if count == 2 else DEEP).name)


def made(name: str, node: ast.Call, arguments: Sequence[Value], like: Value) -> Value:
    """An array as a function gives it; `like` is what is known otherwise."""
    if like.kind not in ("array", "numpy") or like.name:
        return like
    short = name.rpartition(".")[2]
    first = arguments[0] if arguments else ARRAY
    if short == "array":
        literal = _depth(node.args[0]) if node.args else 0
        return ranked(literal, like) if literal else Value(like.kind, rank(first))
    if short in _COUNTED:
        return ranked(len(node.args), like)
    if short in _SHAPES or (short in _ALIKE and first.kind == "scalar"):
        return ranked(_length(_argument(node, ("shape", "size"), _SHAPES.get(short))), like)
    if short in _ALIKE:
        return _alike(short, first, like)
    if short in _IMAGES:
        return DEEP
    if short in ("FullyConnected", "flatten", "Flatten"):
        return ranked(0 if _is_false(node, "flatten") else 2, like)
    if short == "dot" and all(a.name == FLAT.name for a in arguments[:2]):
        return FLAT
    if short in ("reshape", "Reshape"):
        return reshaped(node, 0 if arguments and name.startswith("method.") else 1, like)
    return like


def method(name: str, owner: Value, node: ast.Call, like: Value) -> Value:
    """An array as a method of `owner` gives it."""
    if like.kind not in ("array", "numpy") or like.name:
        return like
    if name in ("reshape", "Reshape"):
        return reshaped(node, 0, like)
    if name == "flatten" and like.kind == "array":
        return FLAT
    return _alike(name, owner, like) if name in _ALIKE else like


def _alike(name: str, first: Value, like: Value) -> Value:
    """As many axes as the first array has; also none, but for what is joined."""
    if first.kind == like.kind and first.name in NUMBERS and not name.startswith("concat"):
        return first
    return Value(like.kind, rank(first))


def element(owner: Value, index: ast.expr, scalars: bool) -> Value | None:
    """What `x[i, j]` is: a number, as far as one can tell; `scalars`: all parts are numbers."""
    several = isinstance(index, ast.Tuple) and len(index.elts) > 1
    if owner.kind != "array" or owner.name == DEEP.name or not several or not scalars:
        return None
    return ELEMENT


def reshaped(node: ast.Call, position: int, like: Value) -> Value:
    """The result of a reshape whose target is written out, without codes for several axes."""
    wanted = _argument(node, ("shape", "newshape"), position)
    entries = wanted.elts if isinstance(wanted, (ast.Tuple, ast.List)) else node.args[position:]
    if len(entries) < 2 or any(_is_code(e) for e in entries):
        return like
    return ranked(len(entries), like)


def layer(name: str, node: ast.Call) -> Value | None:
    """What a layer of Gluon gives; None if that is as deep as what it is given."""
    short = name.rpartition(".")[2]
    if short == "Dense":
        return ARRAY if _is_false(node, "flatten") else FLAT
    if short == "Flatten":
        return FLAT
    if "Conv" in short or "Pool" in short:
        return DEEP
    return None if short in _THROUGH else ARRAY


def both(left: Value, right: Value) -> Value:
    """The result of an operator of two values, one of which is an array."""
    if left == right:
        return left
    if left.kind in ("scalar", "builtin"):
        return right
    if right.kind in ("scalar", "builtin"):
        return left
    name = DEEP.name if DEEP.name in (left.name, right.name) else ""
    return Value(NUMPY.kind if left.kind == right.kind == "numpy" else ARRAY.kind, name)


def rank(value: Value) -> str:
    """The name of a value's number of axes, if it is known."""
    known = value.kind in ("array", "numpy") and value.name in (FLAT.name, DEEP.name)
    return value.name if known else ""


def _depth(node: ast.expr) -> int:
    count = 0
    while isinstance(node, (ast.List, ast.Tuple)) and node.elts:
        count, node = count + 1, node.elts[0]
    return count if isinstance(node, (ast.Constant, ast.UnaryOp)) else 0


def _argument(node: ast.Call, names: tuple[str, ...], position: int | None) -> ast.expr | None:
    for keyword in node.keywords:
        if keyword.arg in names:
            return keyword.value
    if position is not None and position < len(node.args):
        return node.args[position]
    return None


def _length(node: ast.expr | None) -> int:
    return len(node.elts) if isinstance(node, (ast.Tuple, ast.List)) else 0


def _is_false(node: ast.Call, name: str) -> bool:
    return any(
        k.arg == name and isinstance(k.value, ast.Constant) and not k.value.value
        for k in node.keywords
    )


def _is_code(node: ast.expr) -> bool:
    """-2, -3 and -4 stand for several axes; what is unpacked, for any number."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        return node.operand.value != 1
    return isinstance(node, ast.Starred)
