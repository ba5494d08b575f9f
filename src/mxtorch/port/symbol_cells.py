"""In Symbol code: cells of `mx.rnn`, which the block keeps, and nets made anew for each bucket.

A function that `BucketingModule` calls with the key of each bucket becomes one block whose
`hybrid_forward` takes the key; cells made outside of it, whose weights all keys share, are its own.
"""

from __future__ import annotations

import ast
import textwrap
from typing import TYPE_CHECKING

from mxtorch.port import names
from mxtorch.port.flow import Flow
from mxtorch.port.values import Value

if TYPE_CHECKING:
    from mxtorch.port.edits import Source

_CELL = "mx.rnn.BaseRNNCell"
_GIVING = ("unroll", "begin_state")
BUCKETING = "mx.mod.BucketingModule"
_RESHAPES = ("reshape", "Reshape", "flatten", "Flatten")


def _is_cell(flow: Flow, value: Value) -> bool:
    return value.kind == "instance" and _CELL in flow.lineage(value.name)


def is_cell(flow: Flow, node: ast.AST) -> bool:
    """Whether an expression is a cell of `mx.rnn`."""
    return _is_cell(flow, flow.value(node))


def is_list_of_cells(flow: Flow, node: ast.AST) -> bool:
    """Whether an expression is a list of cells."""
    value = flow.value(node)
    return value.kind == "list" and _is_cell(flow, value.item)


def gives_symbol(flow: Flow, call: ast.Call) -> bool:
    """Whether a call of a cell, or of its method, gives symbols."""
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr in _GIVING:
        return is_cell(flow, function.value)
    return is_cell(flow, function)


def makes_cells(flow: Flow, node: ast.stmt) -> bool:
    """Whether a statement does nothing but make cells."""
    if isinstance(node, ast.Assign):
        return isinstance(node.value, ast.Call) and is_cell(flow, node.value)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        function = node.value.func
        return (
            isinstance(function, ast.Attribute)
            and function.attr == "add"
            and is_cell(flow, function.value)
        )
    if isinstance(node, (ast.For, ast.If)):
        return all(makes_cells(flow, s) for s in (*node.body, *node.orelse))
    return False


def moved(source: Source, node: ast.stmt) -> str:
    """A statement's text for another place, with its comments; where it was it goes."""
    start, end = source.whole_lines(node)
    source.replace(start, end, "")
    return textwrap.dedent(source.text[start:end]).rstrip("\n")


def generators(flow: Flow, nodes: list[ast.AST]) -> dict[ast.Name, str]:
    """The functions that make nets for buckets, where they are given to BucketingModule."""
    found: dict[ast.Name, str] = {}
    for node in nodes:
        if isinstance(node, ast.Call):
            value = flow.value(node.func)
            if value.kind == "member" and names.canonical(value.name) == BUCKETING:
                given = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "sym_gen")]
                found.update({n: n.id for n in given if isinstance(n, ast.Name)})
    return found


def before_reshape(operator: str, node: ast.Call) -> ast.expr | None:
    """What a reshape that keeps the order is of: `operator` is its name in `mx.sym`, or empty."""
    if operator in _RESHAPES:
        given = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "data")]
        return given[0] if given else None
    function = node.func
    if not operator and isinstance(function, ast.Attribute) and function.attr in _RESHAPES:
        return function.value
    return None
