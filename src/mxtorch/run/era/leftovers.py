"""Stand-ins, as in stand_ins.py, for what Python 2 had and packages dropped later."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

StringTypes = (str,)
mswindows = os.name == "nt"


@contextmanager
def nested(*managers: Any) -> Iterator[tuple[Any, ...]]:
    """Enter all of them, one after the other."""
    with ExitStack() as stack:
        yield tuple(stack.enter_context(manager) for manager in managers)


def isSequenceType(obj: Any) -> bool:
    """Whether it is a sequence."""
    return isinstance(obj, Sequence)


def isMappingType(obj: Any) -> bool:
    """Whether it is a mapping."""
    return isinstance(obj, Mapping)


def isNumberType(obj: Any) -> bool:
    """Whether it is a number."""
    from numbers import Number

    return isinstance(obj, Number)


def is_string_like(obj: Any) -> bool:
    """Whether it is a text."""
    return isinstance(obj, str)


def unescape(self: Any, s: str) -> str:
    """The text with &lt; and the like as characters."""
    import html

    return html.unescape(s)


def dense(matrix: Any) -> Any:
    """A sparse matrix as an array."""
    return matrix.toarray()


def nanstd(x: Any, axis: int | None = 0, bias: bool = False) -> Any:
    """The standard deviation without NaNs, of a sample unless `bias`."""
    import numpy as np

    return np.nanstd(x, axis=axis, ddof=0 if bias else 1)


def tostring_rgb(self: Any) -> bytes:
    """The drawn figure as bytes, three a pixel."""
    import numpy as np

    return np.asarray(self.buffer_rgba())[..., :3].tobytes()


def set_window_title(self: Any, title: str) -> None:
    """The title of the figure's window, if it has one."""
    if self.manager is not None:
        self.manager.set_window_title(title)
