"""Functions of `mx.np` and `mx.npx` that are called otherwise in torch."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules.elementwise import reduction
from mxtorch.port.rules.np_arrays import called, mean, spread
from mxtorch.port.rules.shapes import flip, repeat, transpose

_REDUCED = "data, axis=None, dtype=None, out=None, keepdims=False"
_COMPARED = {
    "equal": "==",
    "not_equal": "!=",
    "greater": ">",
    "greater_equal": ">=",
    "less": "<",
    "less_equal": "<=",
}


def _gone(match: Match) -> str | None:
    """A switch that a statement turns."""
    return "" if isinstance(match.parent, ast.Expr) else None


def _reshape(match: Match) -> str | None:
    if not match.only("a", "newshape"):
        return None
    wanted = match.given["newshape"]
    listed = isinstance(wanted, (ast.Tuple, ast.List))
    text = ", ".join(match.text(e) for e in wanted.elts) if listed else match.text(wanted)  # type: ignore[attr-defined]
    return f"{parenthesized(match.text('a'))}.reshape({text})"


def _where(match: Match) -> str | None:
    """torch asks for booleans, and keeps whole numbers whole."""
    if not match.has("x", "y"):
        return None
    condition = match.text("condition")
    if match.value("condition").name != "mask":
        condition = f"{parenthesized(condition)}.bool()"
    text = f"torch.where({condition}, {match.text('x')}, {match.text('y')})"
    numbers = all(match.value(a).kind == "scalar" for a in ("x", "y"))
    return f"{text}.float()" if numbers else text


def _dot(match: Match) -> str | None:
    """The last axis with the last but one; torch has that for two axes of the second."""
    if not match.only("a", "b") or match.value("b").name == "deep":
        return None
    return f"torch.matmul({match.text('a')}, {match.text('b')})"


def _norm(match: Match) -> str | None:
    if not match.only("x", "ord", "axis", "keepdims"):
        return None
    given = [match.text("ord")] if match.has("ord") else []
    given += [f"dim={match.text('axis')}"] if match.has("axis") else []
    given += [f"keepdim={match.text('keepdims')}"] if match.has("keepdims") else []
    return f"torch.linalg.norm({', '.join([match.text('x'), *given])})"


def _concatenate(match: Match) -> str | None:
    if not match.only("seq", "axis"):
        return None
    return f"torch.cat({match.text('seq')}, dim={match.text('axis', '0')})"


def _append(match: Match) -> str | None:
    pair = [match.text("arr"), match.text("values")]
    if not match.has("axis"):
        pair = [f"{parenthesized(text)}.flatten()" for text in pair]
    return f"torch.cat([{', '.join(pair)}], dim={match.text('axis', '0')})"


def _meshgrid(match: Match) -> str | None:
    node = match.node
    if not isinstance(node, ast.Call) or [k.arg for k in node.keywords] not in ([], ["indexing"]):
        return None
    given = ", ".join(match.text(a) for a in node.args)
    wanted = match.text(node.keywords[0].value) if node.keywords else '"xy"'
    match.need("torch")
    return f"torch.meshgrid({given}, indexing={wanted})"


def _pad(match: Match) -> str | None:
    """torch counts from the last axis."""
    widths = match.given.get("pad_width")
    if not match.only("x", "pad_width", "mode") or not isinstance(widths, (ast.Tuple, ast.List)):
        return None
    pairs = [e for e in widths.elts if isinstance(e, (ast.Tuple, ast.List)) and len(e.elts) == 2]
    if len(pairs) != len(widths.elts) or match.constant("mode") not in (None, "constant"):
        return None
    turned = ", ".join(match.text(e) for pair in reversed(pairs) for e in pair.elts)
    match.need("F")
    return f"F.pad({match.text('x')}, ({turned}))"


def _take(match: Match) -> str | None:
    axis = match.constant("axis") if match.has("axis") else None
    if not match.only("a", "indices", "axis", "mode") or not (isinstance(axis, int) and axis >= 0):
        return None
    lead = ":, " * axis
    indices = f"{parenthesized(match.text('indices'))}.long()"
    return f"{parenthesized(match.text('a'))}[{lead}{indices}]"


def _pi(text: str) -> Writer:
    def write(match: Match) -> str | None:
        match.need("math")
        return text

    return write


def _save(match: Match) -> str | None:
    match.need("torch")
    return f"torch.save({match.text('arr')}, {match.text('file')})"


_TEMPLATES = {
    # name: what it becomes, what it is called with, what it is written like
    "matmul": ("torch.matmul({a}, {b})", "x, x.T", "x, x.t()"),
    "tensordot": ("torch.tensordot({a}, {b}, dims={axes})", "x, y, axes=2", "x, y, dims=2"),
    "outer": ("torch.outer({a}, {b})", "x[0], y[0]", "x[0], y[0]"),
    "inner": ("torch.inner({a}, {b})", "x, y", "x, y"),
    "vstack": ("torch.vstack({arrays})", "[x, y]", "[x, y]"),
    "hstack": ("torch.hstack({arrays})", "[x, y]", "[x, y]"),
    "tile": ("torch.tile({A}, {reps})", "x, (2, 1)", "x, (2, 1)"),
    "clip": ("torch.clamp({a}, {a_min}, {a_max})", "x, 0, 1", "x, 0, 1"),
    "moveaxis": ("torch.movedim({a}, {source}, {destination})", "x, 0, 1", "x, 0, 1"),
    "broadcast_to": ("torch.broadcast_to({array}, {shape})", "x[0], (2, 3)", "x[0], (2, 3)"),
    "trace": ("torch.trace({data})", "x", "x"),
    "isnan": ("torch.isnan({x})", "x", "x"),
    "isinf": ("torch.isinf({x})", "x", "x"),
    "isfinite": ("torch.isfinite({x})", "x", "x"),
    "logical_not": ("torch.logical_not({x})", "x", "x"),
    "arctan2": ("torch.arctan2({x1}, {x2})", "x, y", "x, y"),
    "hypot": ("torch.hypot({x1}, {x2})", "x, y", "x, y"),
    "ravel": ("torch.ravel({x})", "x", "x"),
}
_RENAMED = {"clip": "clamp", "moveaxis": "movedim"}
_SPLIT = "ary, indices_or_sections, axis=0"
REGISTRY.add(
    *(
        Rule(f"npx-{name}", f"call mx.npx.{name}", _gone, f"npx.{name}()", "", needs=())
        for name in ("set_np", "reset_np")
    ),
    *(
        Rule(
            f"np-{name}",
            f"call mx.np.{name}",
            to,
            f"z = np.{name}({given})",
            f"z = torch.{_RENAMED.get(name, name)}({written})",
        )
        for name, (to, given, written) in _TEMPLATES.items()
    ),
    *(
        Rule(
            f"np-{name}",
            f"call mx.np.{name}",
            f"{{x1}} {sign} {{x2}}",
            f"z = np.{name}(x, y)",
            f"z = x {sign} y",
            needs=(),
        )
        for name, sign in _COMPARED.items()
    ),
    *(
        Rule(
            f"np-{name}",
            f"call mx.np.{name}",
            reduction(to, name),
            f"z = np.{name}(x, axis=1)",
            f"z = x.{to}(dim=1)",
            params=_REDUCED,
        )
        for name, to in (
            ("sum", "sum"), ("prod", "prod"), ("max", "amax"), ("min", "amin"),
            ("argmax", "argmax"), ("argmin", "argmin"), ("any", "any"), ("all", "all"),
        )
    ),
    Rule(
        "np-mean",
        "call mx.np.mean",
        mean,
        "z = np.mean(x, axis=1, keepdims=True)",
        "z = x.mean(dim=1, keepdim=True)",
        params=_REDUCED,
    ),
    *(
        Rule(
            f"np-{name}",
            f"call mx.np.{name}",
            spread(name),
            f"z = np.{name}(x)",
            f"z = x.{name}(correction=0)",
        )
        for name in ("std", "var")
    ),
    Rule("np-dot", "call mx.np.dot", _dot, "z = np.dot(x, y.T)", "z = torch.matmul(x, y.t())"),
    Rule(
        "np-einsum",
        "call mx.np.einsum",
        lambda m: (
            f"torch.einsum({', '.join(m.text(a) for a in m.node.args)})"
            if isinstance(m.node, ast.Call) and not m.node.keywords
            else None
        ),
        "z = np.einsum('ij,kj->ik', x, y)",
        "z = torch.einsum('ij,kj->ik', x, y)",
    ),
    Rule(
        "np-norm",
        "call mx.np.linalg.norm",
        _norm,
        "z = np.linalg.norm(x)",
        "z = torch.linalg.norm(x)",
    ),
    Rule(
        "np-concatenate",
        "call mx.np.concatenate",
        _concatenate,
        "z = np.concatenate([x, y], axis=1)",
        "z = torch.cat([x, y], dim=1)",
    ),
    Rule(
        "np-append",
        "call mx.np.append",
        _append,
        "z = np.append(x, y, axis=0)",
        "z = torch.cat([x, y], dim=0)",
    ),
    Rule(
        "np-stack",
        "call mx.np.stack",
        ("torch.stack({arrays})", "torch.stack({arrays}, dim={axis})"),
        "z = np.stack([x, y], axis=1)",
        "z = torch.stack([x, y], dim=1)",
    ),
    *(
        Rule(
            f"np-{name}",
            f"call mx.np.{name}",
            (
                "torch.tensor_split({ary}, {indices_or_sections})",
                "torch.tensor_split({ary}, {indices_or_sections}, dim={axis})",
            ),
            f"z = np.{name}(x, 3, axis=1)",
            "z = torch.tensor_split(x, 3, dim=1)",
            params=_SPLIT,
        )
        for name in ("split", "array_split")
    ),
    Rule(
        "np-squeeze",
        "call mx.np.squeeze",
        ("{a}.squeeze()", "{a}.squeeze({axis})"),
        "z = np.squeeze(x[:1], axis=0)",
        "z = x[:1].squeeze(0)",
        needs=(),
    ),
    Rule(
        "np-transpose",
        "call mx.np.transpose",
        transpose,
        "z = np.transpose(x, (1, 0))",
        "z = x.permute(1, 0)",
        needs=(),
    ),
    Rule(
        "np-reshape",
        "call mx.np.reshape",
        _reshape,
        "z = np.reshape(x, (3, -1))",
        "z = x.reshape(3, -1)",
        needs=(),
    ),
    Rule(
        "np-repeat",
        "call mx.np.repeat",
        repeat,
        "z = np.repeat(x, 2, axis=0)",
        "z = x.repeat_interleave(2, dim=0)",
        params="data, repeats, axis=None",
        needs=(),
    ),
    Rule(
        "np-flip",
        "call mx.np.flip",
        lambda m: called(flip, m="data")(m) if m.has("axis") else None,
        "z = np.flip(x, 1)",
        "z = torch.flip(x, (1,))",
    ),
    Rule(
        "np-where",
        "call mx.np.where",
        _where,
        "z = np.where(x > 2, x, 0)",
        "z = torch.where(x > 2, x, 0)",
    ),
    Rule(
        "np-cumsum",
        "call mx.np.cumsum",
        ("{a}.flatten().cumsum(0)", "{a}.cumsum({axis})"),
        "z = np.cumsum(x, axis=1)",
        "z = x.cumsum(1)",
        needs=(),
    ),
    Rule(
        "np-meshgrid",
        "call mx.np.meshgrid",
        _meshgrid,
        "z = np.meshgrid(x[0], y[0])[0]",
        'z = torch.meshgrid(x[0], y[0], indexing="xy")[0]',
    ),
    Rule(
        "np-pad",
        "call mx.np.pad",
        _pad,
        "z = np.pad(x, ((1, 2), (3, 4)))",
        "z = F.pad(x, (3, 4, 1, 2))",
        needs=(),
    ),
    Rule(
        "np-sort", "call mx.np.sort",
        ("torch.sort({a}).values", "torch.sort({a}, dim={axis}).values"),
        "z = np.sort(x, axis=0)", "z = torch.sort(x, dim=0).values",
    ),
    Rule(
        "np-argsort", "call mx.np.argsort",
        ("torch.argsort({a})", "torch.argsort({a}, dim={axis})"),
        "z = np.argsort(x)", "z = torch.argsort(x)",
    ),
    Rule(
        "np-take", "call mx.np.take", _take,
        "z = np.take(x, np.array([1, 0]), axis=1)",
        "z = x[:, torch.tensor([1, 0], dtype=torch.float32).long()]",
        needs=(),
    ),
    Rule("np-unique", "call mx.np.unique", "torch.unique({ar})", "z = np.unique(x)",
         "z = torch.unique(x)"),
    Rule(
        "np-around", "call mx.np.around",
        ("torch.round({x})", "torch.round({x}, decimals={decimals})"),
        "z = np.around(x, 1)", "z = torch.round(x, decimals=1)",
    ),
    Rule(
        "np-round", "call mx.np.round",
        ("torch.round({x})", "torch.round({x}, decimals={decimals})"),
        "z = np.round(x)", "z = torch.round(x)",
    ),
    Rule("np-pi", "name mx.np.pi", _pi("math.pi"), "z = np.pi * 2", "z = math.pi * 2", needs=()),
    Rule("np-inf", "name mx.np.inf", _pi("math.inf"), "z = -np.inf", "z = -math.inf", needs=()),
    Rule("np-newaxis", "name mx.np.newaxis", "None", "z = x[:, np.newaxis]", "z = x[:, None]",
         needs=()),
    Rule("np-ndarray", "name mx.np.ndarray", "torch.Tensor", "z = isinstance(x, np.ndarray)",
         "z = isinstance(x, torch.Tensor)"),
    Rule(
        "npx-save", "call mx.npx.save", _save,
        "npx.save('a.npy', [x, y])", "torch.save([x, y], 'a.npy')",
        note="the file is torch's; `mxtorch convert` reads MXNet's",
    ),
)  # fmt: skip
