"""Elements of arrays by number: taken, picked, sliced, sorted."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules._common import after_colons, index, is_false, is_true

_RANGE = "indices out of range raise"


def _take(match: Match) -> str | None:
    if not match.only("a", "indices", "axis"):
        return None
    axis = match.constant("axis") if match.has("axis") else 0
    if not isinstance(axis, int) or axis < 0:
        return None
    return f"{parenthesized(match.text('a'))}[{after_colons(axis)}{index(match, 'indices')}]"


def _pick(match: Match) -> str | None:
    if not match.only("data", "index", "axis", "keepdims"):
        return None
    axis = match.text("axis", "-1")
    found = f"{parenthesized(match.text('data'))}.gather({axis}, "
    found += f"{index(match, 'index')}.unsqueeze({axis}))"
    if not match.has("keepdims") or is_false(match, "keepdims"):
        return f"{found}.squeeze({axis})"
    return found if is_true(match, "keepdims") else None


def _at(match: Match) -> str | None:
    """An array of numbers as an index: MXNet's may be floats."""
    node = match.node
    assert isinstance(node, ast.Subscript)
    if match.value(node.value).name == "scalar" and _is_first(node.slice):
        return match.text(node.value)  # a number has one axis in MXNet, none in torch
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    texts = [_index(match, part) for part in parts]
    if not any(texts):
        return None
    owner = parenthesized(match.text(node.value))
    given = (text or match.text(part) for text, part in zip(texts, parts, strict=True))
    return f"{owner}[{', '.join(given)}]"


def _index(match: Match, node: ast.expr) -> str:
    """An array that is an index; one of booleans stays, which only `mx.np` has."""
    value = match.value(node)
    if value.kind != "array" or (value.name == "mask" and match.port.flow.is_numpy):
        return ""
    return f"{parenthesized(match.text(node))}.long()"


def _is_first(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (0, -1)


def _number(match: Match) -> str | None:
    """`x.sum().asnumpy()[0]`: NumPy's number of a single value."""
    node = match.node
    assert isinstance(node, ast.Subscript)
    call = node.value
    if not _is_first(node.slice) or not isinstance(call, ast.Call):
        return None
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "asnumpy":
        return None
    if match.value(call.func.value).name != "scalar":
        return None
    return f"{parenthesized(match.text(call.func.value))}.item()"


def _slice(match: Match) -> str | None:
    """`begin`, `end` and `step` by axis, as Python writes them."""
    if not match.only("data", "begin", "end", "step"):
        return None
    columns = []
    for argument in ("begin", "end", "step"):
        node = match.given.get(argument)
        if node is not None and not isinstance(node, (ast.Tuple, ast.List)):
            if not isinstance(node, (ast.Constant, ast.Name)):
                return None
            node = ast.Tuple([node])
        columns.append(list(node.elts) if node is not None else [])
    starts, ends, steps = columns
    parts = []
    for position, (start, end) in enumerate(zip(starts, ends, strict=False)):
        step = steps[position] if position < len(steps) else None
        texts = ["" if _is_none(n) else match.text(n) for n in (start, end)]
        if step is not None and not _is_none(step):
            texts.append(match.text(step))
            if texts[-1].startswith("-"):
                return None
        if texts[0] == "0":
            texts[0] = ""
        parts.append(":".join(texts))
    return f"{parenthesized(match.text('data'))}[{', '.join(parts)}]" if parts else None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _slice_like(match: Match) -> str | None:
    if not match.only("data", "shape_like", "axes"):
        return None
    data, like = (parenthesized(match.text(a)) for a in ("data", "shape_like"))
    if not match.has("axes") or match.constant("axes") == ():
        return f"{data}[tuple(slice(n) for n in {like}.shape)]"
    axes = match.constant("axes")
    if not isinstance(axes, tuple) or any(a < 0 for a in axes):
        return None
    parts = [f":{like}.shape[{a}]" if a in axes else ":" for a in range(max(axes) + 1)]
    return f"{data}[{', '.join(parts)}]"


def _gather(match: Match) -> str:
    return f"{parenthesized(match.text('data'))}[tuple({index(match, 'indices')})]"


def _scatter(match: Match) -> str:
    match.need("torch")
    return (
        f"torch.zeros({match.text('shape')}).index_put("
        f"tuple({index(match, 'indices')}), {match.text('data')})"
    )


def _mask(match: Match) -> str | None:
    axis = match.constant("axis") if match.has("axis") else 0
    if not isinstance(axis, int) or axis < 0:
        return None
    mask = f"{parenthesized(match.text('index'))}.bool()"
    return f"{parenthesized(match.text('data'))}[{after_colons(axis)}{mask}]"


def _one_hot(match: Match) -> str | None:
    if not match.only("indices", "depth"):
        return None
    match.need("F")
    return f"F.one_hot({index(match, 'indices')}, {match.text('depth')}).float()"


def _order(match: Match, default: str) -> str | None:
    """`descending=…` for an `is_ascend`; None if that shows only at run time."""
    if not match.has("is_ascend"):
        return default
    if is_true(match, "is_ascend"):
        return ""
    return ", descending=True" if is_false(match, "is_ascend") else None


def _sorted(name: str, suffix: str) -> Writer:
    def write(match: Match) -> str | None:
        order = _order(match, "")
        if not match.only("data", "axis", "is_ascend") or order is None:
            return None
        data, axis = parenthesized(match.text("data")), match.text("axis", "-1")
        if axis == "None":
            data, axis = f"{data}.flatten()", "0"
        dim = "" if axis == "-1" else f"dim={axis}"
        arguments = f"{dim}{order}" if dim else order.removeprefix(", ")
        return f"{data}.{name}({arguments}){suffix}"

    return write


def _topk(match: Match) -> str | None:
    if not match.only("data", "axis", "k", "ret_typ", "is_ascend"):
        return None
    wanted = match.constant("ret_typ") if match.has("ret_typ") else "indices"
    if wanted not in ("indices", "value", "both"):
        return None
    if match.has("is_ascend") and not (is_true(match, "is_ascend") or is_false(match, "is_ascend")):
        return None
    data = parenthesized(match.text("data"))
    axis = match.text("axis", "-1")
    if axis == "None":
        data, axis = f"{data}.flatten()", "0"
    dim = "" if axis == "-1" else f", dim={axis}"
    smallest = ", largest=False" if is_true(match, "is_ascend") else ""
    found = f"{data}.topk({match.text('k', '1')}{dim}{smallest})"
    return found + {"indices": ".indices", "value": ".values", "both": ""}[str(wanted)]


REGISTRY.add(
    Rule("take", "op take", _take, "y = nd.take(w, x)", "y = w[x.long()]", note=_RANGE),
    Rule(
        "pick",
        "op pick",
        _pick,
        "y = nd.pick(x, i)",
        "y = x.gather(-1, i.long().unsqueeze(-1)).squeeze(-1)",
        note=_RANGE,
    ),
    Rule("item", "item array", _at, "y = x[nd.array([1, 0])]", "", note=_RANGE),
    Rule(
        "item-of-number",
        "item numpy",
        _number,
        "s = x.sum().asnumpy()[0]",
        "s = x.sum().item()",
        needs=(),
    ),
    Rule(
        "slice",
        "op slice",
        _slice,
        "y = nd.slice(x, begin=(0, 1), end=(2, None))",
        "y = x[:2, 1:]",
    ),
    Rule(
        "slice-like",
        "op slice_like",
        _slice_like,
        "z = x.slice_like(y, axes=(1,))",
        "z = x[:, :y.shape[1]]",
    ),
    Rule(
        "gather-nd",
        "op gather_nd",
        _gather,
        "y = nd.gather_nd(x, i)",
        "y = x[tuple(i.long())]",
        note=_RANGE,
    ),
    Rule(
        "scatter-nd",
        "op scatter_nd",
        _scatter,
        "z = nd.scatter_nd(d, i, shape=(2, 3))",
        "z = torch.zeros((2, 3)).index_put(tuple(i.long()), d)",
    ),
    Rule(
        "boolean-mask",
        "op _contrib_boolean_mask",
        _mask,
        "y = nd.contrib.boolean_mask(x, i)",
        "y = x[i.bool()]",
    ),
    Rule(
        "one-hot",
        "op one_hot",
        _one_hot,
        "y = nd.one_hot(x, 10)",
        "y = F.one_hot(x.long(), 10).float()",
    ),
    Rule(
        "sort",
        "op sort",
        _sorted("sort", ".values"),
        "y = x.sort(axis=0, is_ascend=False)",
        "y = x.sort(dim=0, descending=True).values",
    ),
    Rule(
        "argsort",
        "op argsort",
        _sorted("argsort", ""),
        "y = nd.argsort(x)",
        "y = x.argsort()",
        note="argsort gives int64, MXNet's float32",
    ),
    Rule(
        "topk",
        "op topk",
        _topk,
        "y = nd.topk(x, k=2, ret_typ='value')",
        "y = x.topk(2).values",
        note="indices are int64, MXNet's are float32",
    ),
)
