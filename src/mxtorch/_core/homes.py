"""Where classes are defined, also while they call another module their home.

Under `import mxnet` the classes of MXNet's modules say `mxnet.…` as `__module__` (run/names.py).
Whoever looks for the source of a class, or asks whether it is ours, asks here.
"""

from __future__ import annotations

_defined: dict[type, str] = {}
_lines: dict[type, int] = {}  # where the class begins in its file, for Python 3.13


def defined_in(cls: type) -> str:
    """The module whose text defines the class."""
    return _defined.get(cls, cls.__module__)


def rename(cls: type, module: str, moved: bool) -> None:
    """Let the class name `module` as its home; `moved`: that module's file does not define it."""
    _defined.setdefault(cls, cls.__module__)
    cls.__module__ = module
    if moved and "__firstlineno__" in vars(cls):  # a line of another file
        _lines[cls] = vars(cls)["__firstlineno__"]
        del cls.__firstlineno__  # type: ignore[attr-defined] # since Python 3.13


def restore() -> None:
    """Every class names its own module again."""
    for cls, module in _defined.items():
        cls.__module__ = module
    for cls, line in _lines.items():
        cls.__firstlineno__ = line  # type: ignore[attr-defined] # since Python 3.13
    _defined.clear()
    _lines.clear()
