"""The names that a program gives to things of its own."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping

from mxtorch.port.names import PACKAGES

# What may give a name to something.
NAMING = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.arg, ast.Name, ast.Import,
    ast.ImportFrom,
)  # fmt: skip


def own_names(
    nodes: Iterable[ast.AST], parents: Mapping[ast.AST, ast.AST], without: Collection[ast.arg]
) -> frozenset[str]:
    """The names that nodes of these types give, but for some parameters and MXNet's imports."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if not isinstance(parents[node], ast.ClassDef):
                found.add(node.name)
        elif isinstance(node, ast.arg):
            if node not in without:
                found.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            module = getattr(node, "module", None) or ""
            for alias in node.names:
                full = module or alias.name
                if full.partition(".")[0] not in PACKAGES:
                    found.add(alias.asname or alias.name.partition(".")[0])
    return frozenset(found)
