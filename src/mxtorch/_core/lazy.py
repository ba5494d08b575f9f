"""Rooms of a package that are loaded when they are first asked for (PEP 562)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

GetAttr = Callable[[str], Any]
Dir = Callable[[], list[str]]


def rooms(package: str, **where: str) -> tuple[GetAttr, Dir, list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package, some of whose modules load on use.

    where: attribute of the package → the module's name in it, or "module:name" for a name in that.
    Call it last: `__all__` has the public names that are there by then, and those.
    """
    names = vars(sys.modules[package])

    def get(name: str) -> Any:
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        place, _, inner = where[name].partition(":")
        module = importlib.import_module(f"{package}.{place}")
        found = names[name] = getattr(module, inner) if inner else module
        return found

    def public() -> list[str]:
        return sorted({*names, *where})

    return get, public, [n for n in public() if not n.startswith("_")]


def borrowed(module: str, lender: str) -> GetAttr:
    """`__getattr__` of a module that has the public names of another one, loaded on use, too."""

    def get(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return getattr(importlib.import_module(lender), name)

    return get
