"""Names of MXNet's as names in Python source, and the weights that training leaves."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Sequence

from torch import nn

from mxtorch.convert.syntax import call, lift, method, name_of, own

# What a module has before it is given anything: a layer of such a name could not be reached.
_OF_MODULES = frozenset(dir(nn.Module()))


def identifier(name: str) -> str:
    """A name as Python takes it; two underscores before it would make it another within a class."""
    base = re.sub(r"^__+", "_", re.sub(r"\W", "_", name, flags=re.ASCII))
    if not base or base[0].isdigit() or keyword.iskeyword(base):
        base = f"_{base}" if base else "x"
    return base


def attribute_of_module(name: str) -> str:
    """A name that a module's layer or weight can have."""
    base = identifier(name)
    return f"{base}_" if base in _OF_MODULES else base


def leave_out(weights: Sequence[str], cls: ast.stmt) -> None:
    """Let a class keep weights of its layers, by their paths, out of training."""
    assert isinstance(cls, ast.ClassDef) and isinstance(cls.body[0], ast.FunctionDef)
    parameter = call(own("get_parameter"), name_of("name"))
    body: list[ast.stmt] = [ast.Expr(method(parameter, "requires_grad_", False))]
    cls.body[0].body.append(ast.For(name_of("name", True), lift(tuple(weights)), body, []))
    ast.fix_missing_locations(cls)
