"""What MXNet keeps per thread, as programs reach for it: `NameManager._current.value`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class OfThread:
    """`value` is the innermost scope of this thread; `make` gives one where there is none yet."""

    def __init__(self, holder: Any, slot: str, make: Callable[[], Any] = lambda: None) -> None:
        self._holder = holder
        self._slot = slot
        self._make = make

    @property
    def value(self) -> Any:
        """The innermost scope."""
        found = getattr(self._holder, self._slot)
        if found is None:
            found = self._make()
            setattr(self._holder, self._slot, found)
        return found

    @value.setter
    def value(self, scope: Any) -> None:
        setattr(self._holder, self._slot, scope)
