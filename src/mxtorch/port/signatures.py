"""Parts of the signature that a function of the user's program has."""

from __future__ import annotations

import ast


def annotations_of(node: ast.FunctionDef) -> list[ast.expr]:
    """Its annotations, of parameters and of what it returns."""
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    found = [a.annotation for a in every if a is not None] + [node.returns]
    return [a for a in found if a is not None]


def defaults(arguments: ast.arguments) -> list[ast.expr]:
    """The defaults of its parameters."""
    return [d for d in (*arguments.defaults, *arguments.kw_defaults) if d is not None]


def default_pairs(arguments: ast.arguments) -> list[tuple[str, ast.expr]]:
    """Parameters that have a default, with it."""
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        (arg.arg, default)
        for arg, default in zip(
            positional[len(positional) - len(arguments.defaults) :],
            arguments.defaults,
            strict=True,
        )
    ]
    pairs += [
        (arg.arg, default)
        for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    ]
    return pairs


def parameters_of(node: ast.FunctionDef) -> list[str]:
    """The names of its positional parameters."""
    return [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
