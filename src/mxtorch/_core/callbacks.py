"""Calls of a program's own functions that MXNet makes from its C library."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any


def notify(callback: Callable[..., Any], *arguments: Any) -> None:
    """Call a function whose exceptions reach nobody.

    In MXNet they are shown on stderr, by `sys.unraisablehook`, and the program goes on.
    """
    try:
        callback(*arguments)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - MXNet lets none of them through
        shown: Any = SimpleNamespace(
            exc_type=type(error),
            exc_value=error,
            exc_traceback=error.__traceback__,
            err_msg="Exception ignored on calling callback function",
            object=callback,
        )
        sys.unraisablehook(shown)
