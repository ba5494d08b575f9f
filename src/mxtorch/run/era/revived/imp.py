"""The module `imp` of Python before 3.12, on importlib."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import os
import sys
import tokenize
from collections.abc import Callable
from functools import partial
from importlib import reload as reload
from types import ModuleType
from typing import Any

SEARCH_ERROR, PY_SOURCE, PY_COMPILED, C_EXTENSION = 0, 1, 2, 3
PKG_DIRECTORY, C_BUILTIN, PY_FROZEN = 5, 6, 7


def new_module(name: str) -> ModuleType:
    """An empty module that is not in sys.modules."""
    return ModuleType(name)


def get_suffixes() -> list[tuple[str, str, int]]:
    """(suffix, mode of opening, type) of what can be imported."""
    extensions = [(s, "rb", C_EXTENSION) for s in importlib.machinery.EXTENSION_SUFFIXES]
    sources = [(s, "r", PY_SOURCE) for s in importlib.machinery.SOURCE_SUFFIXES]
    return extensions + sources + [(s, "rb", PY_COMPILED) for s in (".pyc",)]


def load_source(name: str, pathname: str, file: Any = None) -> ModuleType:
    """Import a Python file under a name; one already there is run again."""
    spec = importlib.util.spec_from_file_location(
        name, pathname, loader=importlib.machinery.SourceFileLoader(name, pathname)
    )
    return _load(name, spec)


def load_compiled(name: str, pathname: str, file: Any = None) -> ModuleType:
    """Import a .pyc file under a name."""
    loader = importlib.machinery.SourcelessFileLoader(name, pathname)
    return _load(name, importlib.util.spec_from_file_location(name, pathname, loader=loader))


def load_dynamic(name: str, path: str, file: Any = None) -> ModuleType:
    """Import an extension module under a name."""
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    return _load(name, importlib.util.spec_from_file_location(name, path, loader=loader))


def load_package(name: str, path: str) -> ModuleType:
    """Import a folder with an __init__.py under a name."""
    file = os.path.join(path, "__init__.py")
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=[path])
    return _load(name, spec)


def _load(name: str, spec: Any) -> ModuleType:
    module = sys.modules.get(name)
    if module is None:
        module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return sys.modules[name]


def find_module(name: str, path: list[str] | None = None) -> tuple[Any, str, tuple[str, str, int]]:
    """(open file or None, path, (suffix, mode, type)) of a module, for `load_module`."""
    if path is None and name in sys.builtin_module_names:
        return None, "", ("", "", C_BUILTIN)
    spec = importlib.machinery.PathFinder.find_spec(name, path)
    if spec is None or spec.origin is None:
        raise ImportError(f"No module named {name!r}", name=name)
    if spec.submodule_search_locations is not None:
        return None, os.path.dirname(spec.origin), ("", "", PKG_DIRECTORY)
    for suffix, mode, kind in get_suffixes():
        if spec.origin.endswith(suffix):
            # the caller closes it
            opened: Any = tokenize.open if kind == PY_SOURCE else partial(open, mode=mode)
            return opened(spec.origin), spec.origin, (suffix, mode, kind)
    raise ImportError(f"No module named {name!r}", name=name)


def load_module(name: str, file: Any, filename: str, details: tuple[str, str, int]) -> ModuleType:
    """Import what `find_module` has found."""
    loaders: dict[int, Callable[[str, str], ModuleType]] = {
        PY_SOURCE: load_source,
        PY_COMPILED: load_compiled,
        C_EXTENSION: load_dynamic,
        PKG_DIRECTORY: load_package,
    }
    if details[2] == C_BUILTIN:
        return importlib.import_module(name)
    return loaders[details[2]](name, filename)


def cache_from_source(path: str, debug_override: bool | None = None) -> str:
    """Where the .pyc file of a source lies."""
    return importlib.util.cache_from_source(path)


def acquire_lock() -> None:
    """Nothing: each module has a lock of its own."""


release_lock = acquire_lock


def lock_held() -> bool:
    """False: each module has a lock of its own."""
    return False
