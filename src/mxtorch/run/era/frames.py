"""Who asks for a removed name, and whether it would fail without it."""

from __future__ import annotations

import os
from functools import lru_cache
from opcode import opname
from types import FrameType
from typing import Any, NamedTuple

_STDLIB = os.path.normcase(os.path.dirname(os.__file__)) + os.sep
_INSTALLED = {"site-packages", "dist-packages"}
_SHARED = {"<stdin>", "<string>"}  # names of many texts; since Python 3.13 that of -c is kept
_CAUGHT = {"AttributeError", "ImportError", "ModuleNotFoundError"}


class _Span(NamedTuple):
    """Lines that cope without a name; `name` None: any name."""

    first: int
    last: int
    name: str | None


def needs(frame: FrameType | None, owner: str, name: str) -> bool:
    """Whether this code is the program's or a package's of it, and fails without the name.

    Not the standard library, not the package that removed the name, not mxtorch; and not code that
    tests for the name with hasattr or has another one ready in `except`.
    """
    if frame is None or is_stdlib(frame.f_code.co_filename):
        return False
    asking = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    if asking in (owner.partition(".")[0], "mxtorch", "torch"):
        return False
    spans = _spans(frame.f_code.co_filename)
    if spans is None:  # no source: hasattr and getattr are calls, not these instructions
        instruction = opname[frame.f_code.co_code[frame.f_lasti]]
        return instruction in ("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM", "IMPORT_NAME")
    return not any(
        span.first <= frame.f_lineno <= span.last and span.name in (None, name) for span in spans
    )


@lru_cache(maxsize=1024)
def is_stdlib(filename: str) -> bool:
    """Whether the file belongs to Python itself."""
    if filename.startswith("<frozen "):
        return True
    path = os.path.normcase(filename)
    return path.startswith(_STDLIB) and _INSTALLED.isdisjoint(path.split(os.sep))


@lru_cache(maxsize=1024)
def _spans(filename: str) -> tuple[_Span, ...] | None:
    """Where a file copes without names; None if it cannot be read."""
    if filename in _SHARED:
        return None
    import ast  # these two take longer to load than all of this, and few programs need them
    import linecache

    source = "".join(linecache.getlines(filename))
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    if not source:
        return None
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any(_copes(ast, handler) for handler in node.handlers):
            found.append(_Span(node.body[0].lineno, node.body[-1].end_lineno or 0, None))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            test = node.func.id == "hasattr" or (node.func.id == "getattr" and len(node.args) == 3)
            if test and len(node.args) > 1:
                asked = node.args[1]
                name = asked.value if isinstance(asked, ast.Constant) else None
                span = _Span(node.lineno, node.end_lineno or 0, None if name is None else str(name))
                found.append(span)
    return tuple(found)


def _copes(ast: Any, handler: Any) -> bool:
    """Whether an `except` catches a missing name and does something instead of it."""
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    if not any(isinstance(kind, ast.Name) and kind.id in _CAUGHT for kind in caught):
        return False
    instead = (ast.Pass, ast.Raise, ast.Expr)
    return any(not isinstance(statement, instead) for statement in handler.body)


def importing(frame: FrameType | None) -> FrameType | None:
    """The frame whose import statement, or call of `import_module`, this frame serves."""
    while frame is not None:
        code = frame.f_code
        by_importlib = code.co_filename.startswith("<frozen importlib")
        by_call = code.co_name == "import_module" and is_stdlib(code.co_filename)
        if not (by_importlib or by_call):
            return frame
        frame = frame.f_back
    return None


def place(frame: FrameType) -> str:
    """`train.py:12`, from the working folder if the file lies below it."""
    path = frame.f_code.co_filename
    base = os.getcwd() + os.sep
    return f"{path.removeprefix(base)}:{frame.f_lineno}"
