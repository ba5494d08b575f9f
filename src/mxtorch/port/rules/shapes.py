"""Shapes of arrays: reshape with its codes, transpose, joining, slices."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, operand, parenthesized
from mxtorch.port.rules._common import is_false, is_simple, is_true
from mxtorch.port.values import DEEP, NUMBERS


def _reshape(match: Match) -> str | None:
    """Codes that copy, merge or split axes become `shape[i]`, `flatten` and `unflatten`."""
    node = match.node
    assert isinstance(node, ast.Call)
    keywords = {k.arg: k.value for k in node.keywords}
    arguments = list(node.args)
    receiver = match.receiver
    if receiver is None:
        receiver = arguments.pop(0) if arguments else keywords.pop("data", None)
    if receiver is None or set(keywords) - {"shape"} or (arguments and keywords):
        return None
    if not arguments and not keywords:
        return None
    data = parenthesized(match.text(receiver))
    wanted = arguments[0] if arguments else keywords["shape"]
    if len(arguments) > 1:
        wanted = ast.Tuple(arguments)
    if isinstance(wanted, (ast.Tuple, ast.List)):
        return _coded(match, data, wanted.elts, receiver)
    code = _code(wanted)
    if code in (0, -2, -3, -4):
        return None
    return f"{data}.reshape({match.text(wanted)})"


def _code(node: ast.expr) -> int | None:
    """A number that is written out."""
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int) else None


def _coded(match: Match, data: str, entries: list[ast.expr], receiver: ast.expr) -> str | None:
    simple = is_simple(receiver)
    codes = [_code(e) for e in entries]
    texts = [match.text(e) for e in entries]
    if any(c in (-2, -3, -4) for c in codes):
        return _merged(data, codes, texts) or (_sized(data, codes, texts) if simple else None)
    leading = 0
    while leading < len(codes) and codes[leading] == 0:
        leading += 1
    if leading and texts[leading:] == ["-1"]:
        return f"{data}.flatten({leading})"
    if 0 in codes and not simple:
        rest = texts[leading:]
        if not leading or len(rest) < 2 or 0 in codes[leading:]:
            return None
        flat = leading == 1 and match.value(receiver).name == "flat"
        joined = data if flat else f"{data}.flatten({leading})"
        return f"{joined}.unflatten({leading}, ({', '.join(rest)}))"
    sizes = [f"{data}.shape[{i}]" if codes[i] == 0 else t for i, t in enumerate(texts)]
    return f"{data}.reshape({', '.join(sizes)})"


def _sized(data: str, codes: list[int | None], texts: list[str]) -> str | None:
    """The new sizes, the old ones taken one after the other."""
    sizes: list[str] = []
    position = axis = 0
    while position < len(codes):
        code = codes[position]
        if code == 0:
            sizes.append(f"{data}.shape[{axis}]")
        elif code == -2:
            sizes.append(f"*{data}.shape[{axis}:]")
        elif code == -3:
            sizes.append(f"{data}.shape[{axis}] * {data}.shape[{axis + 1}]")
            axis += 1
        elif code == -4:
            pair = texts[position + 1 : position + 3]
            if "-1" in pair:
                known = operand(pair[1 - pair.index("-1")])
                pair[pair.index("-1")] = f"{data}.shape[{axis}] // {known}"
            sizes += pair
            position += 2
        else:
            sizes.append(texts[position])
        axis += 1
        position += 1
    return f"{data}.reshape({', '.join(sizes)})"


def _merged(data: str, codes: list[int | None], texts: list[str]) -> str | None:
    """-3 joins two axes, -4 splits one in two, 0 and a last -2 leave the rest as it is."""
    position = axis = 0
    while position < len(codes):
        code = codes[position]
        if code == -3:
            data += f".flatten({axis}, {axis + 1})"
            axis += 1
        elif code == -4 and position + 2 < len(codes):
            data += f".unflatten({axis}, ({texts[position + 1]}, {texts[position + 2]}))"
            axis += 2
            position += 2
        elif code == 0:
            axis += 1
        elif not (code == -2 and position == len(codes) - 1):
            return None
        position += 1
    return data


def transpose(match: Match) -> str | None:
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
        if to == "cat" and axis == "0" and any(_may_be_number(match, a) for a in node.args):
            return f"torch.hstack({_listed(match, node)})"  # numbers have no axes in torch
        return f"torch.{to}({_listed(match, node)}, dim={axis})"

    return write


def _listed(match: Match, node: ast.Call) -> str:
    """The arrays of a call as a list."""
    if len(node.args) == 1 and isinstance(node.args[0], ast.Starred):
        return match.text(node.args[0].value)
    return "[" + ", ".join(match.text(a) for a in node.args) + "]"


def _may_be_number(match: Match, node: ast.expr) -> bool:
    """Whether an array, or what is unpacked, may be a number of an array."""
    if isinstance(node, ast.Starred):
        value = match.value(node.value)
        if value.kind == "array":  # its rows, or its numbers
            return value.name != "deep"
        return value.item.name in NUMBERS
    return match.value(node).name in NUMBERS


def _slice_axis(match: Match) -> str | None:
    axis = match.constant("axis")
    if not match.only("data", "self", "axis", "begin", "end") or axis not in (0, 1, 2, 3):
        return None
    data = match.text("self" if match.receiver is not None else "data")
    end = "" if match.constant("end") is None and match.text("end") == "None" else match.text("end")
    begin = "" if match.text("begin") == "0" else match.text("begin")
    lead = ":, " * int(str(axis))
    return f"{parenthesized(data)}[{lead}{begin}:{end}]"


def split(match: Match) -> str | None:
    if not match.only("data", "num_outputs", "axis", "squeeze_axis"):
        return None
    match.need("torch")
    axis, count = match.text("axis", "1"), match.text("num_outputs")
    if match.constant("num_outputs") == 1:
        return None
    if is_true(match, "squeeze_axis"):
        return f"torch.unbind({match.text('data')}, dim={axis})"
    if match.has("squeeze_axis") and not is_false(match, "squeeze_axis"):
        return None
    return f"torch.chunk({match.text('data')}, {count}, dim={axis})"


def repeat(match: Match) -> str:
    data, count = parenthesized(match.text("data")), match.text("repeats")
    if not match.has("axis") or match.text("axis") == "None":
        return f"{data}.flatten().repeat_interleave({count})"
    return f"{data}.repeat_interleave({count}, dim={match.text('axis')})"


def flip(match: Match) -> str:
    axis = match.given["axis"]
    text = match.text(axis)
    match.need("torch")
    several = isinstance(axis, (ast.Tuple, ast.List))
    return f"torch.flip({match.text('data')}, {text if several else f'({text},)'})"


_PAD_MODES = {"constant": "constant", "edge": "replicate", "reflect": "reflect"}


def _pad(match: Match) -> str | None:
    """torch counts from the last axis."""
    mode = _PAD_MODES.get(str(match.constant("mode")) if match.has("mode") else "constant")
    widths = match.given.get("pad_width")
    if mode is None or not isinstance(widths, (ast.Tuple, ast.List)) or len(widths.elts) % 2:
        return None
    texts = [match.text(e) for e in widths.elts]
    pairs = [texts[i : i + 2] for i in range(4, len(texts), 2)]
    turned = ", ".join(t for pair in reversed(pairs) for t in pair)
    rest = "" if mode == "constant" else f', mode="{mode}"'
    if match.has("constant_value"):
        rest += f", value={match.text('constant_value')}"
    match.need("F")
    return f"F.pad({match.text('data')}, ({turned}){rest})"


def _diag(match: Match) -> str | None:
    if not match.only("data", "k"):
        return None
    match.need("torch")
    k = f", {match.text('k')}" if match.has("k") else ""
    return f"torch.diag({match.text('data')}{k})"


def _reversed(match: Match) -> str:
    """`x.t()` for two axes at most, which most arrays have that are transposed so."""
    data = match.text("self")
    receiver = match.given["self"]
    seen = match.shape(receiver)
    deep = len(seen) > 2 if seen is not None else match.value(receiver) == DEEP
    if deep and is_simple(receiver):
        return f"{data}.permute(*reversed(range({data}.dim())))"
    return f"{parenthesized(data)}.t()"


_SHAPES = [
    Rule(
        "split",
        "op SliceChannel",
        split,
        "y = nd.split(x, num_outputs=3, axis=1)",
        "y = torch.chunk(x, 3, dim=1)",
    ),
    Rule(
        "repeat",
        "op repeat",
        repeat,
        "y = x.repeat(2, axis=0)",
        "y = x.repeat_interleave(2, dim=0)",
    ),
    Rule(
        "flip",
        "op reverse",
        flip,
        "y = nd.flip(x, axis=1)",
        "y = torch.flip(x, (1,))",
    ),
    Rule(
        "pad",
        "op Pad",
        _pad,
        "y = nd.pad(x, mode='edge', pad_width=(0, 0, 0, 0, 1, 2, 3, 4))",
        'y = F.pad(x, (3, 4, 1, 2), mode="replicate")',
        needs=(),
    ),
    Rule("diag", "op diag", _diag, "y = nd.diag(x)", "y = torch.diag(x)"),
    Rule(
        "reshape-like",
        "op reshape_like",
        "{lhs}.reshape({rhs}.shape)",
        "z = nd.reshape_like(x, y)",
        "z = x.reshape(y.shape)",
    ),
    Rule(
        "broadcast-like",
        "op broadcast_like",
        "{lhs}.expand_as({rhs})",
        "z = nd.broadcast_like(x, y)",
        "z = x.expand_as(y)",
    ),
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
        transpose,
        "y = x.transpose((1, 0, 2))",
        "y = x.permute(1, 0, 2)",
    ),
    Rule(
        "nd-transpose",
        "call mx.nd.transpose",
        transpose,
        "y = nd.transpose(x, axes=(1, 0))",
        "y = x.permute(1, 0)",
    ),
    Rule(
        "T",
        "attr array.T",
        _reversed,
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
