"""Warnings that point at the program's line, not at ours."""

from __future__ import annotations

import sys
import warnings


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn; the line shown is the first one outside of this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("mxtorch."):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)
