"""Where classes are defined, also while they call another module their home.

Under `import mxnet` the classes of MXNet's modules say `mxnet.…` as `__module__` (run/names.py).
Whoever looks for the source of a class, or asks whether it is ours, asks here; so does `inspect`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

_defined: dict[type, str] = {}
_others: list[Callable[[Any], str]] = []  # the getfile that was there before ours


def defined_in(cls: type) -> str:
    """The module whose text defines the class."""
    return _defined.get(cls, cls.__module__)


def rename(cls: type, module: str) -> None:
    """Let the class name `module` as its home."""
    if not _defined:
        _others[:] = [inspect.getfile]
        vars(inspect)["getfile"] = _getfile
    _defined.setdefault(cls, cls.__module__)
    _move(cls, module)


def _move(cls: type, module: str) -> None:
    line = vars(cls).get("__firstlineno__")  # since Python 3.13, which drops it with the module
    cls.__module__ = module
    if line is not None:
        cls.__firstlineno__ = line  # type: ignore[attr-defined]


def restore() -> None:
    """Every class names its own module again."""
    for cls, module in _defined.items():
        _move(cls, module)
    if _defined and inspect.getfile is _getfile:
        vars(inspect)["getfile"] = _others[0]
    _defined.clear()


def _getfile(object: Any) -> str:
    """`inspect.getfile`, which for a class that has moved would look where it says it lives."""
    if isinstance(object, type) and object in _defined:
        file: str = sys.modules[_defined[object]].__file__ or ""
        return file
    return _others[0](object)
