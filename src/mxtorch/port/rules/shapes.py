"""Shapes of arrays: reshape with its codes, transpose, joining, slices."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules._common import is_simple


def _codes(data: str, wanted: ast.expr, match: Match) -> str | None:
    """`reshape`'s arguments without MXNet's codes; None where a code has no short counterpart."""
    if not isinstance(wanted, (ast.Tuple, ast.List)):
        negative = isinstance(wanted, ast.UnaryOp) and isinstance(wanted.operand, ast.Constant)
        if isinstance(wanted, ast.Constant) and wanted.value == 0:
            return None
        if negative and match.text(wanted) != "-1":
            return None
        return match.text(wanted)
    texts = []
    for position, entry in enumerate(wanted.elts):
        text = match.text(entry)
        if isinstance(entry, ast.UnaryOp) and text in ("-2", "-3", "-4"):
            return None
        if isinstance(entry, ast.Constant) and entry.value == 0:
            if "-1" in texts:
                return None
            text = f"{data}.shape[{position}]"
        texts.append(text)
    return ", ".join(texts)


def _reshape(match: Match) -> str | None:
    """Codes that name one axis become `shape[i]`; the rest stay MXNet's operator."""
    node = match.node
    assert isinstance(node, ast.Call)
    keywords = {k.arg: k.value for k in node.keywords}
    arguments = list(node.args)
    receiver = match.receiver
    if receiver is None:
        receiver = arguments.pop(0) if arguments else keywords.pop("data", None)
    if receiver is None or set(keywords) - {"shape"} or (arguments and keywords):
        return None
    if len(arguments) > 1:
        wanted: ast.expr = ast.Tuple(arguments)
    elif arguments or keywords:
        wanted = arguments[0] if arguments else keywords["shape"]
    else:
        return None
    zero = isinstance(wanted, ast.Tuple) and any(
        isinstance(e, ast.Constant) and e.value == 0 for e in wanted.elts
    )
    if zero and not is_simple(receiver):
        return None
    data = parenthesized(match.text(receiver))
    codes = _codes(data, wanted, match)
    if codes is None:
        return None
    if codes == f"{data}.shape[0], -1":
        return f"{data}.flatten(1)"
    return f"{data}.reshape({codes})"


def _transpose(match: Match) -> str | None:
    node = match.node
    assert isinstance(node, ast.Call)
    arguments = list(node.args)
    receiver = match.receiver or (arguments.pop(0) if arguments else None)
    keywords = {k.arg: k.value for k in node.keywords}
    axes = keywords.get("axes", arguments[0] if len(arguments) == 1 else None)
    if receiver is None or set(keywords) - {"axes"}:
        return None
    data = parenthesized(match.text(receiver))
    if len(arguments) > 1:
        return f"{data}.permute({', '.join(match.text(a) for a in arguments)})"
    if axes is not None:
        text = match.text(axes)
        return f"{data}.permute({text.strip('()') if isinstance(axes, ast.Tuple) else text})"
    match.need("torch")
    return f"{data}.permute(*reversed(range({data}.dim())))" if is_simple(receiver) else None


def _joined(to: str, keyword: str, default: str) -> Writer:
    """`concat(a, b, dim=1)` and `stack(a, b, axis=0)`: the arrays one by one or unpacked."""

    def write(match: Match) -> str | None:
        node = match.node
        assert isinstance(node, ast.Call)
        keywords = {k.arg: k.value for k in node.keywords}
        if set(keywords) - {keyword} or not node.args:
            return None
        match.need("torch")
        axis = match.text(keywords[keyword]) if keyword in keywords else default
        if len(node.args) == 1 and isinstance(node.args[0], ast.Starred):
            arrays = match.text(node.args[0].value)
        else:
            arrays = "[" + ", ".join(match.text(a) for a in node.args) + "]"
        return f"torch.{to}({arrays}, dim={axis})"

    return write


def _slice_axis(match: Match) -> str | None:
    axis = match.constant("axis")
    if not match.only("data", "self", "axis", "begin", "end") or axis not in (0, 1, 2, 3):
        return None
    data = match.text("self" if match.receiver is not None else "data")
    end = "" if match.constant("end") is None and match.text("end") == "None" else match.text("end")
    begin = "" if match.text("begin") == "0" else match.text("begin")
    lead = ":, " * int(str(axis))
    return f"{parenthesized(data)}[{lead}{begin}:{end}]"


_SHAPES = [
    Rule(
        "method-reshape",
        "method array.reshape",
        _reshape,
        "y = x.reshape((0, -1))",
        "y = x.flatten(1)",
    ),
    Rule(
        "nd-reshape",
        "call mx.nd.reshape",
        _reshape,
        "y = nd.reshape(x, shape=(3, 4))",
        "y = x.reshape(3, 4)",
    ),
    Rule(
        "method-transpose",
        "method array.transpose",
        _transpose,
        "y = x.transpose((1, 0, 2))",
        "y = x.permute(1, 0, 2)",
    ),
    Rule(
        "nd-transpose",
        "call mx.nd.transpose",
        _transpose,
        "y = nd.transpose(x, axes=(1, 0))",
        "y = x.permute(1, 0)",
    ),
    Rule(
        "T",
        "attr array.T",
        lambda m: f"{parenthesized(m.text('self'))}.t()",
        "y = x.T",
        "y = x.t()",
        note="x.t() is for two axes at most, MXNet's T reverses all",
    ),
    Rule(
        "method-flatten",
        "method array.flatten",
        "{self}.flatten(1)",
        "y = x.flatten()",
        "y = x.flatten(1)",
        params="self",
    ),
    Rule(
        "nd-flatten",
        "call mx.nd.flatten",
        "{data}.flatten(1)",
        "y = nd.flatten(x)",
        "y = x.flatten(1)",
    ),
    Rule(
        "method-expand-dims",
        "method array.expand_dims",
        "{self}.unsqueeze({axis})",
        "y = x.expand_dims(axis=1)",
        "y = x.unsqueeze(1)",
    ),
    Rule(
        "nd-expand-dims",
        "call mx.nd.expand_dims",
        "{data}.unsqueeze({axis})",
        "y = nd.expand_dims(x, axis=1)",
        "y = x.unsqueeze(1)",
    ),
    Rule(
        "method-squeeze",
        "method array.squeeze",
        ("{self}.squeeze()", "{self}.squeeze({axis})"),
        "y = x.squeeze(axis=1)",
        "y = x.squeeze(1)",
    ),
    Rule(
        "nd-squeeze",
        "call mx.nd.squeeze",
        ("{data}.squeeze()", "{data}.squeeze({axis})"),
        "y = nd.squeeze(x)",
        "y = x.squeeze()",
    ),
    Rule(
        "method-swapaxes",
        "method array.swapaxes",
        "{self}.transpose({dim1}, {dim2})",
        "y = x.swapaxes(0, 1)",
        "y = x.transpose(0, 1)",
    ),
    Rule(
        "nd-swapaxes",
        "call mx.nd.swapaxes",
        "{data}.transpose({dim1}, {dim2})",
        "y = nd.swapaxes(x, 0, 1)",
        "y = x.transpose(0, 1)",
    ),
    Rule(
        "concat",
        "call mx.nd.concat",
        _joined("cat", "dim", "1"),
        "z = nd.concat(x, y, dim=0)",
        "z = torch.cat([x, y], dim=0)",
    ),
    Rule(
        "concatenate",
        "call mx.nd.concatenate",
        "torch.cat({arrays}, dim={axis})",
        "z = nd.concatenate([x, y], axis=1)",
        "z = torch.cat([x, y], dim=1)",
    ),
    Rule(
        "stack",
        "call mx.nd.stack",
        _joined("stack", "axis", "0"),
        "z = nd.stack(x, y)",
        "z = torch.stack([x, y], dim=0)",
    ),
    Rule(
        "method-slice-axis",
        "method array.slice_axis",
        _slice_axis,
        "y = x.slice_axis(axis=1, begin=0, end=2)",
        "y = x[:, :2]",
    ),
    Rule(
        "nd-slice-axis",
        "call mx.nd.slice_axis",
        _slice_axis,
        "y = nd.slice_axis(x, axis=0, begin=1, end=2)",
        "y = x[1:2]",
    ),
    Rule(
        "broadcast-to",
        "method array.broadcast_to",
        "{self}.expand({shape})",
        "y = x.broadcast_to((2, 3))",
        "y = x.expand((2, 3))",
        params="self, shape",
    ),
    Rule(
        "tile",
        "call mx.nd.tile",
        "torch.tile({data}, {reps})",
        "y = nd.tile(x, reps=(2, 1))",
        "y = torch.tile(x, (2, 1))",
    ),
]
REGISTRY.add(*_SHAPES)
