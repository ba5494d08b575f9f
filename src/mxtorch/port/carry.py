"""The helpers that a ported file carries: their texts, and what these need."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import ModuleType
from typing import Any

from mxtorch.port import carried, helpers

_HOMES: tuple[ModuleType, ...] = (
    helpers,
    *(
        importlib.import_module(f"{carried.__name__}.{module.name}")
        for module in pkgutil.iter_modules(carried.__path__)
    ),
)
# Modules that a file imports under a short name, as `imports` names them.
_MODULES = {
    "torch": "torch", "nn": "nn", "F": "F", "math": "math", "re": "re", "np": "numpy", "io": "io",
    "Dataset": "Dataset", "Image": "Image", "logging": "logging", "time": "time",
    "SimpleNamespace": "SimpleNamespace", "dist": "dist", "copy": "copy", "random": "random",
    "hashlib": "hashlib", "os": "os", "sys": "sys", "urllib": "urllib", "gzip": "gzip",
    "NamedTuple": "NamedTuple", "struct": "struct", "inspect": "inspect",
    "atexit": "atexit",
    "DataLoader": "DataLoader", "RandomSampler": "samplers", "SequentialSampler": "samplers",
}  # fmt: skip


@cache
def _home(name: str) -> ModuleType | None:
    for module in _HOMES:
        if getattr(getattr(module, name, None), "__module__", "") == module.__name__:
            return module
    return None


@cache
def source(name: str) -> str:
    """The text of a helper."""
    found: Any = getattr(_home(name), name)
    return inspect.getsource(found).rstrip()


@cache
def _names(name: str) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(ast.parse(source(name))) if isinstance(n, ast.Name))


def needs(names: Iterable[str]) -> set[str]:
    """The modules that helpers use."""
    return {_MODULES[n] for name in with_parts(names) for n in _names(name) if n in _MODULES}


def with_parts(names: Iterable[str]) -> list[str]:
    """Helpers and those that they use, these first."""
    found: list[str] = []

    def add(name: str) -> None:
        if name in found or name in waiting:
            return
        waiting.add(name)
        for part in sorted(_names(name) - {name}):
            if _home(part) is not None:
                add(part)
        found.append(name)

    waiting: set[str] = set()
    for name in names:
        add(name)
    return found


def texts(finals: Mapping[str, str]) -> list[str]:
    """The texts of helpers, under the names that they have in the file."""
    found = []
    for name in with_parts(finals):
        text = source(name)
        for one, final in finals.items():
            if one != final:
                text = re.sub(rf"\b{one}\b", final, text)
        found.append(text)
    return found
