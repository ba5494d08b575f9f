"""What tensors do not have."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TypeGuard

import torch

from mxtorch.port.flow import Flow
from mxtorch.port.values import ARRAY


def is_missing(
    node: ast.expr, flow: Flow, parents: Mapping[ast.AST, ast.AST]
) -> TypeGuard[ast.Attribute]:
    """Whether an array's attribute is read, not called, that tensors do not have."""
    if not isinstance(node, ast.Attribute):
        return False
    parent = parents.get(node)
    if isinstance(parent, ast.Call) and parent.func is node:
        return False
    return flow.value(node.value) == ARRAY and not hasattr(torch.Tensor, node.attr)
