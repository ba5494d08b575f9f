"""Warnings that point at the program's line, not at ours; lines on stderr.

Loaded by child processes before anything else: only the standard library here.
"""

from __future__ import annotations

import sys
import warnings
from contextlib import suppress
from typing import Any

_noted: set[str] = set()


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn; the line shown is the first one outside of this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("mxtorch."):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def note(text: str) -> None:
    """Say something once on stderr; the workers that multiprocessing starts say nothing."""
    if text not in _noted and not is_worker():
        _noted.add(text)
        say(text)


def is_worker() -> bool:
    """Whether multiprocessing has started this process: its parent has said it all."""
    process: Any = sys.modules.get("multiprocessing.process")
    return process is not None and process.parent_process() is not None


def say(text: str) -> None:
    """A line on stderr; no line where the process has none, or none that takes it."""
    with suppress(AttributeError, OSError, ValueError):  # None under pythonw and 2>&-; full; closed
        sys.stderr.write(f"mxtorch: {text}\n")
