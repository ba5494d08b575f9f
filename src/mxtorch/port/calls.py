"""Signatures of operators and of rules, and attributes as source."""

from __future__ import annotations

import ast
import inspect
from functools import cache

import torch

from mxtorch._core.op import Op


@cache
def as_called(op: Op) -> inspect.Signature:
    """How MXNet's function of an operator is called: `*shape` of reshape is one attribute."""
    if op.variadic:
        return inspect.Signature()
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    found = [inspect.Parameter(i.name, kind, default=None) for i in op.inputs]
    found += [inspect.Parameter(a, kind, default=None) for a in op.attrs]
    return inspect.Signature(found)


@cache
def read_signature(text: str) -> inspect.Signature:
    """A signature written as in a `def`: 'self, shape, *, reverse=False'."""
    tree = ast.parse(f"def f({text}): pass").body[0]
    assert isinstance(tree, ast.FunctionDef)
    given = tree.args
    kind = inspect.Parameter
    optional = len(given.args) - len(given.defaults)
    found = [
        kind(a.arg, kind.POSITIONAL_OR_KEYWORD, default=None if i >= optional else kind.empty)
        for i, a in enumerate(given.args)
    ]
    if given.vararg:
        found.append(kind(given.vararg.arg, kind.VAR_POSITIONAL))
    found += [kind(a.arg, kind.KEYWORD_ONLY, default=None) for a in given.kwonlyargs]
    if given.kwarg:
        found.append(kind(given.kwarg.arg, kind.VAR_KEYWORD))
    return inspect.Signature(found)


def literal(value: object) -> str:
    """Python source for an attribute as a body takes it; raises ValueError for other objects."""
    if isinstance(value, torch.dtype):
        return str(value)
    try:
        ast.literal_eval(repr(value))
    except SyntaxError as error:
        raise ValueError(value) from error
    return repr(value)
