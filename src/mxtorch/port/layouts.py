"""Which modules the layers of a Sequential become, and where a layer's number leads then.

`nn.Dense(8, activation='relu')` is two modules of torch's. They stand side by side in the
`nn.Sequential`, and numbers of layers move; where the file goes over the layers or counts them,
each layer stays one module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mxtorch.port.engine import FilePort
from mxtorch.port.results import SEQUENTIAL, origin_of
from mxtorch.port.values import Value

_COUNTS = frozenset(["enumerate", "zip", "len", "list", "tuple", "reversed", "iter", "next"])
ANY = "*"


def origin(value: Value) -> str:
    """The call that made a Sequential; `*` if that may be several."""
    return value.items[1].name if len(value.items) > 1 else ANY


def one_to_one(port: FilePort) -> frozenset[str]:
    """The Sequentials whose layers stay one module each."""
    if port.one_to_one is None:
        # nets of one file may read each other's parameters: all or none
        port.one_to_one = frozenset([ANY] if any(_gone_over(port)) else [])
    return port.one_to_one


def joins(port: FilePort, sequence: str) -> bool:
    """Whether a layer of that Sequential may become several modules side by side."""
    return not one_to_one(port) & {sequence, ANY}


def _gone_over(port: FilePort) -> Iterator[ast.expr]:
    for node in port.nodes:
        found: list[ast.expr] = []
        if isinstance(node, (ast.For, ast.comprehension)):
            found = [node.iter]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found = node.args if node.func.id in _COUNTS else []
        elif isinstance(node, ast.Starred):
            found = [node.value]
        elif isinstance(node, ast.Subscript):
            found = [node.value] if number(node.slice) is None else []
        for expression in found:
            value = port.flow.value(expression)
            if value.kind == "instance" and value.name in SEQUENTIAL:
                yield expression


def number(node: ast.expr) -> int | None:
    """An index that is written out."""
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int) else None


def layers_of(port: FilePort, sequence: str) -> list[ast.expr]:
    """The layers of a Sequential that was filled in one go."""
    return [layer for layer, made in port.sequence.items() if origin_of(made) == sequence]


def modules(port: FilePort, layer: ast.expr) -> list[str]:
    """What a layer becomes, module by module."""
    tree = ast.parse(f"[{port.render(layer)}]", mode="eval").body
    assert isinstance(tree, ast.List)
    if len(tree.elts) == 1 and isinstance(tree.elts[0], ast.Call):
        call = tree.elts[0]
        if ast.unparse(call.func) == "nn.Sequential" and call.args:
            return [ast.unparse(a) for a in call.args]
    return [ast.unparse(e) for e in tree.elts]


def main(texts: list[str]) -> int:
    """Which of a layer's modules has the weights."""
    return 1 if len(texts) > 1 and texts[0].startswith("nn.Flatten(") else 0


# Methods that blocks have for all that is in them.
_ABOUT_ALL = frozenset(
    ["collect_params", "initialize", "hybridize", "cast", "save_parameters", "load_parameters"]
)


def is_for_weights(port: FilePort, node: ast.expr) -> bool:
    """Whether a layer is named for what is in it, and not to be called."""
    parent = port.parents.get(node)
    if isinstance(parent, ast.Attribute):
        return parent.attr not in _ABOUT_ALL
    if isinstance(parent, ast.Call) and parent.func is node:
        return False
    name = _bound_to(port, node)
    if name is None:
        return False
    uses = [
        port.parents[n]
        for n in port.nodes
        if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
    ]
    return bool(uses) and all(
        isinstance(use, ast.Attribute) and use.attr not in _ABOUT_ALL for use in uses
    )


def _bound_to(port: FilePort, node: ast.expr) -> str | None:
    """The name under which a loop or an assignment holds it."""
    outer = port.parents.get(node)
    if isinstance(outer, ast.Assign):
        target = outer.targets[0]
        return target.id if isinstance(target, ast.Name) else None
    if isinstance(outer, (ast.Tuple, ast.List)):
        loop = port.parents.get(outer)
        if isinstance(loop, (ast.For, ast.comprehension)) and loop.iter is outer:
            return loop.target.id if isinstance(loop.target, ast.Name) else None
    return None
