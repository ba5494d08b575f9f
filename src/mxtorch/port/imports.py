"""Imports: MXNet's go as far as nothing needs them, torch's come in their place."""

from __future__ import annotations

import ast

from mxtorch.port import carry, names
from mxtorch.port.codes import Code
from mxtorch.port.edits import blocks_of
from mxtorch.port.engine import FilePort

_LINES = {
    "copy": "import copy",
    "functools": "import functools",
    "gzip": "import gzip",
    "atexit": "import atexit",
    "hashlib": "import hashlib",
    "inspect": "import inspect",
    "io": "import io",
    "logging": "import logging",
    "math": "import math",
    "os": "import os",
    "random": "import random",
    "re": "import re",
    "struct": "import struct",
    "sys": "import sys",
    "time": "import time",
    "urllib": "import urllib.request",
    "SimpleNamespace": "from types import SimpleNamespace",
    "NamedTuple": "from typing import NamedTuple",
    "Image": "from PIL import Image",
    "numpy": "import numpy as np",
    "torch": "import torch",
    "mxtorch.ops": "import mxtorch.ops",
    "dist": "from torch import distributed as dist",
    "nn": "from torch import nn",
    "F": "from torch.nn import functional as F",
    "DataLoader": "from torch.utils.data import DataLoader",
    "Dataset": "from torch.utils.data import Dataset",
    "samplers": "from torch.utils.data import BatchSampler, RandomSampler, SequentialSampler",
    "TensorDataset": "from torch.utils.data import TensorDataset",
    "torchvision": "import torchvision",
}


def port_imports(port: FilePort) -> None:
    """Rewrite the imports of MXNet; put torch's where the first of them stood."""
    ours = [node for node in port.of(ast.Import, ast.ImportFrom) if _is_ours(node)]
    found = sorted(ours, key=lambda n: n.lineno)
    for helper in carry.with_parts(port.helpers):
        port.use_helper(helper)
    port.needs |= carry.needs(port.helpers)
    present = {port.source.of(n) for n in port.of(ast.Import)}
    bodies = port.carrier.imports() if port.carrier is not None else []
    port.needs.update(need for need, line in _LINES.items() if line in bodies)
    lines = [line for need, line in _LINES.items() if need in port.needs]
    lines = [*(line for line in bodies if line not in lines), *lines]
    new = _merged([line for line in lines if line not in present])
    left = {node: _kept(port, node) for node in found}
    hollow = _hollow(port, {node for node in found[1 if new else 0 :] if not left[node]})
    for position, node in enumerate(found):
        kept = left[node]
        lines = [*(new if position == 0 else []), *kept]
        if lines:
            indent = port.source.indent(node)
            port.source.replace(*port.source.span(node), f"\n{indent}".join(lines))
        elif node in hollow:
            port.source.replace(*port.source.span(node), "pass")
        else:
            start, end = port.source.whole_lines(node)
            alone = port.source.text[start:end].endswith("\n")
            port.source.replace(start, end, "" if alone else "pass")
        port.counts.idiomatic += 1
    texts = [*carry.texts(port.helpers), *(port.carrier.texts() if port.carrier else [])]
    if port.switches_gradients:
        texts.insert(0, "torch.set_grad_enabled(False)  # on where MXNet records")
    if texts:
        _write_helpers(port, texts)


def _hollow(port: FilePort, gone: set[ast.stmt]) -> set[ast.stmt]:
    """Of imports that go, the first in each block of which nothing remains."""
    found: set[ast.stmt] = set()
    for node in gone:
        outer = port.parents[node]
        if not isinstance(outer, ast.Module):
            block = next(b for b in blocks_of(outer) if node in b)
            if all(s in gone or s in port.removed for s in block):
                found.add(next(s for s in block if s in gone))
    return found


def imported(port: FilePort) -> set[str]:
    """The names that the file's imports of MXNet bind."""
    return {
        (alias.asname or alias.name).partition(".")[0]
        for node in port.of(ast.Import, ast.ImportFrom)
        if _is_ours(node)
        for alias in node.names
    }


def _merged(lines: list[str]) -> list[str]:
    """Several imports from one module on one line."""
    found: dict[str, list[str]] = {}
    for line in lines:
        module, _, name = line.partition(" import ")
        found.setdefault(module if name else line, []).append(name)
    return [f"{m} import {', '.join(n)}" if n[0] else m for m, n in found.items()]


def _is_head(node: ast.stmt, position: int) -> bool:
    """Whether a statement belongs to the imports that a file begins with."""
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return isinstance(node, (ast.Import, ast.ImportFrom)) or (not position and docstring)


def _is_ours(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(a.name.partition(".")[0] in names.PACKAGES for a in node.names)
    return (
        isinstance(node, ast.ImportFrom)
        and not node.level
        and (node.module or "").partition(".")[0] in names.PACKAGES
    )


def _kept(port: FilePort, node: ast.AST) -> list[str]:
    """The lines that remain of an import: other packages, and names that are still used."""
    kept = []
    if isinstance(node, ast.Import):
        for alias in node.names:
            root = alias.name.partition(".")[0]
            if root not in names.PACKAGES:
                kept.append(f"import {_alias(alias)}")
            elif (alias.asname or root) in port.roots:
                target = ast.alias(names.renamed(alias.name), alias.asname or root)
                kept.append(f"import {_alias(target)}")
        return kept
    assert isinstance(node, ast.ImportFrom) and node.module
    module = names.renamed(node.module)
    if any(a.name == "*" for a in node.names):
        port.note(node, Code.STAR, node.module)
        return []
    wanted = [a for a in node.names if (a.asname or a.name) in port.roots]
    return [f"from {module} import {', '.join(map(_alias, wanted))}"] if wanted else []


def _alias(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name


def _top(port: FilePort, node: ast.AST) -> ast.stmt:
    """The statement of the module that holds a node."""
    while not isinstance(port.parents[node], ast.Module):
        node = port.parents[node]
    assert isinstance(node, ast.stmt)
    return node


def _write_helpers(port: FilePort, texts: list[str]) -> None:
    """Put the helpers that the code calls below the imports."""
    port.block = block = "\n\n\n".join(texts)
    body = port.tree.body
    last = position = 0
    for position, node in enumerate(body):
        if not _is_head(node, position):
            break
        last = node.end_lineno or node.lineno
    ours = [_top(port, n) for n in port.of(ast.Import, ast.ImportFrom) if _is_ours(n)]
    if ours:
        last = max(last, min(n.end_lineno or 0 for n in ours))
    end = port.source.starts[last]
    port.source.replace(
        end, end, f"\n\n{block}\n\n" if body[-1].lineno > last else f"\n\n{block}\n"
    )
