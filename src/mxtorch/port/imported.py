"""The names that imports bind."""

from __future__ import annotations

import ast

from mxtorch.port import names, results
from mxtorch.port.values import Value


def modules(node: ast.Import) -> dict[str, Value]:
    """What `import a.b as c, d` binds."""
    found = {}
    for alias in node.names:
        full = alias.name
        root = full.partition(".")[0]
        if root in names.PACKAGES:
            target = full.replace(root, names.ROOT, 1) if alias.asname else names.ROOT
            found[alias.asname or root] = results.of_mxnet(target)
        else:
            found[alias.asname or root] = Value("python", full if alias.asname else root)
    return found


def is_star(node: ast.ImportFrom) -> bool:
    """Whether it imports everything from a module of MXNet."""
    return _is_mxnet(node) and any(alias.name == "*" for alias in node.names)


def members(node: ast.ImportFrom) -> dict[str, Value]:
    """What `from a import b as c` binds."""
    module = node.module or ""
    root = module.partition(".")[0]
    ours = _is_mxnet(node)
    found = {}
    for alias in node.names:
        full = f"{module}.{alias.name}"
        if alias.name == "*":
            found.update(_star(module.replace(root, names.ROOT, 1)) if ours else {})
        elif ours:
            found[alias.asname or alias.name] = results.of_mxnet(full.replace(root, names.ROOT, 1))
        else:
            found[alias.asname or alias.name] = Value("python", full)
    return found


def _is_mxnet(node: ast.ImportFrom) -> bool:
    return (node.module or "").partition(".")[0] in names.PACKAGES and not node.level


def _star(module: str) -> dict[str, Value]:
    try:
        found = names.find(names.canonical(module))
    except LookupError:
        return {}
    every = getattr(found, "__all__", None) or [n for n in vars(found) if n[0] != "_"]
    return {name: results.of_mxnet(f"{module}.{name}") for name in every}
