"""Gluon's norms as torch's."""

from __future__ import annotations

import ast

from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, operand
from mxtorch.port.rules.layers import BLOCK, INIT, features_before, size_text, sizes_before


def batch_norm(match: Match) -> str | None:
    """MXNet's momentum is the share that stays, its eps 1e-5; the layer works on 2 to 5 axes."""
    if not match.only(
        "axis", "momentum", "epsilon", "in_channels", "center", "scale", "num_devices", *BLOCK
    ):
        return None
    if match.has("axis") and match.constant("axis") != 1:
        return None
    share = _new_share(match)
    kept = [match.constant(n) if match.has(n) else True for n in ("scale", "center")]
    if share is None or not all(isinstance(k, bool) for k in kept):
        return None
    match.need("nn")
    rest = f"momentum={share}"
    if match.has("epsilon"):
        rest = f"eps={match.text('epsilon')}, {rest}"
    if not any(kept):
        rest += ", affine=False"
    return _trained(match, _sized(match, rest), bool(kept[0]), bool(kept[1]))


def _new_share(match: Match) -> str | None:
    """torch's momentum, the share of the new statistics."""
    node = match.given.get("momentum")
    if node is None:
        return "0.1"
    if not isinstance(node, ast.Constant):
        return f"1 - {operand(match.text(node))}"
    value = node.value
    return str(round(1 - value, 12)) if isinstance(value, (int, float)) else None


def _trained(match: Match, layer: str, scale: bool, shift: bool) -> str:
    """A norm of which only the scale or only the shift is trained."""
    if scale is shift:
        return layer
    return f"{match.helper('fixed')}({layer}, {'bias' if scale else 'weight'!r})"


def _sized(match: Match, rest: str) -> str:
    """A BatchNorm of as many axes and features as is known."""
    seen = match.layer
    axes = max(1, len(seen.input_shape) - 2) if seen.input_shape else _axes_before(match)
    if match.has("in_channels") and match.constant("in_channels") != 0:
        return f"nn.BatchNorm{axes}d({match.text('in_channels')}, {rest})"
    features = features_before(match, (f"Conv{axes}D", "Dense"), ("channels",), pools=True)
    features = features or size_text(seen.size("in_channels"))
    if features is not None:
        return f"nn.BatchNorm{axes}d({features}, {rest})"
    match.note(Code.SIZE, "in_channels")
    return f"nn.LazyBatchNorm{axes}d({rest})"


_NORM = {"gamma": "weight", "beta": "bias"}


def _layer_norm(match: Match) -> str | None:
    """torch's needs the size of the axis that it normalizes, the last."""
    if not match.only("axis", "epsilon", "center", "scale", "in_channels", *INIT, *_GAMMA):
        return None
    if match.has("axis") and match.text("axis") != "-1":
        return None
    if any(match.has(a) and match.constant(a) is not True for a in ("center", "scale")):
        return None
    size = match.text("in_channels") if match.has("in_channels") else None
    if size in (None, "0"):
        size = sizes_before(match) or size_text(match.layer.size("in_channels"))
    if size is None:
        return None
    eps = f", eps={match.text('epsilon')}" if match.has("epsilon") else ""
    return f"nn.LayerNorm({size}{eps})"


_GAMMA = ("beta_initializer", "gamma_initializer")


def _instance_norm(match: Match) -> str | None:
    """MXNet's has a shift, and a scale only if asked for."""
    if not match.only("axis", "epsilon", "center", "scale", "in_channels", *BLOCK, *_GAMMA):
        return None
    scale = match.constant("scale") if match.has("scale") else False
    center = match.constant("center") if match.has("center") else True
    if not isinstance(scale, bool) or not isinstance(center, bool):
        return None
    if match.has("axis") and match.constant("axis") != 1:
        return None
    return _trained(match, _sized_instance_norm(match, scale or center), scale, center)


def _sized_instance_norm(match: Match, affine: bool) -> str:
    axes = _axes_before(match)
    eps = f", eps={match.text('epsilon')}" if match.has("epsilon") else ""
    given = ", affine=True" if affine else ""
    if match.has("in_channels") and match.constant("in_channels") != 0:
        return f"nn.InstanceNorm{axes}d({match.text('in_channels')}{eps}{given})"
    features = features_before(match, (f"Conv{axes}D",), ("channels",), pools=True)
    if features is not None:
        return f"nn.InstanceNorm{axes}d({features}{eps}{given})"
    match.note(Code.SIZE, "in_channels")
    return f"nn.LazyInstanceNorm{axes}d({f'{eps}{given}'.removeprefix(', ')})"


def _group_norm(match: Match) -> str | None:
    """MXNet 1.9.1's scale and shift are one a group; torch's are one a channel."""
    if not match.only("num_groups", "epsilon", "center", "scale", *BLOCK, *_GAMMA):
        return None
    if any(match.has(a) and match.constant(a) is not True for a in ("center", "scale")):
        return None
    eps = f", eps={match.text('epsilon')}" if match.has("epsilon") else ""
    return f"{match.helper('GroupNorm')}({match.text('num_groups', '1')}{eps})"


def _axes_before(match: Match) -> int:
    """2 after a convolution, 1 after a dense layer, by the layers nearby in the same scope."""
    scope = _scope(match, match.node)
    own = (match.node.lineno, match.node.col_offset)
    before: list[tuple[tuple[int, int], int]] = []
    after: list[tuple[tuple[int, int], int]] = []
    for _, node, name in match.port.layers:
        axes = _axes_of(name)
        if node is not match.node and axes and _scope(match, node) is scope:
            place = (node.lineno, node.col_offset)
            (before if place < own else after).append((place, axes))
    if before:
        return max(before)[1]
    return min(after)[1] if after else 2


def _axes_of(name: str) -> int:
    """How many axes besides samples and channels a layer's input has; 0 if any."""
    if name.endswith("Dense"):
        return 1
    if "Conv" in name or "Pool" in name:
        return int(name[-2]) if name[-2].isdigit() else 2
    return 0


def _scope(match: Match, node: ast.AST) -> ast.AST:
    """The class around a layer, the function or the module."""
    found: ast.AST = node
    while not isinstance(found, (ast.ClassDef, ast.Module)):
        node, found = found, match.port.parents[found]
        if isinstance(node, ast.FunctionDef) and isinstance(found, ast.Module):
            return node
    return found


REGISTRY.add(
    Rule(
        "BatchNorm",
        "call mx.gluon.nn.BatchNorm",
        batch_norm,
        "layer = nn.BatchNorm(in_channels=8)",
        "layer = nn.BatchNorm2d(8, momentum=0.1)",
        note="MXNet keeps the biased running variance",
    ),
    Rule(
        "LayerNorm",
        "call mx.gluon.nn.LayerNorm",
        _layer_norm,
        "layer = nn.LayerNorm(in_channels=8)",
        "layer = nn.LayerNorm(8)",
        needs=("nn",),
    ),
    Rule(
        "InstanceNorm",
        "call mx.gluon.nn.InstanceNorm",
        _instance_norm,
        "layer = nn.InstanceNorm(in_channels=8, scale=True)",
        "layer = nn.InstanceNorm2d(8, affine=True)",
        needs=("nn",),
    ),
    Rule(
        "GroupNorm",
        "call mx.gluon.nn.GroupNorm",
        _group_norm,
        "layer = nn.GroupNorm(num_groups=2)",
        "layer = GroupNorm(2)",
        needs=(),
    ),
    *(
        Rule(
            f"{cls}-{name}",
            f"attr mx.gluon.nn.{cls}.{name}",
            f"{{self}}.{to}",
            f"p = nn.{cls}({size}).{name}",
            f"p = {made}.{to}",
            needs=(),
        )
        for cls, size, made, pairs in (
            ("BatchNorm", "in_channels=8", "nn.BatchNorm2d(8, momentum=0.1)", _NORM),
            ("LayerNorm", "in_channels=8", "nn.LayerNorm(8)", _NORM),
            ("PReLU", "", "nn.PReLU()", {"alpha": "weight"}),
        )
        for name, to in pairs.items()
    ),
)
