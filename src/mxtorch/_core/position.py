"""Where an iterator or a sampler is, for `mxtorch.checkpoint`.

Objects of programs say it with torch's two methods, `state_dict()` and `load_state_dict(state)`.
MXNet's classes have no such names, so ours have them with an underscore. A state is None, or made
of numbers, text, arrays, lists, tuples and dicts; None means that the object cannot say.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

_METHODS = (("_state_dict", "_load_state_dict"), ("state_dict", "load_state_dict"))


def _methods(source: Any) -> tuple[Any, Any] | None:
    for names in _METHODS:
        get, put = (getattr(source, name, None) for name in names)
        if get is not None and put is not None:
            return get, put
    return None


def state_of(source: Any) -> Any:
    """The state of an object; None where it cannot say."""
    found = _methods(source)
    return None if found is None else found[0]()


def load_state(source: Any, state: Any) -> None:
    """Have the object go on from what `state_of` gave."""
    found = _methods(source)
    if found is not None:
        found[1](state)


class Resumable(ABC):
    """Batches of a run that goes on where it was interrupted, as `mxtorch.checkpoint` gives them.

    data: the batches' source.
    """

    data: Any

    @abstractmethod
    def follow(self, handlers: Any, metrics: Any) -> None:
        """Save and restore the states of event handlers and metrics, too."""

    @abstractmethod
    def restore(self) -> None:
        """Give everything the state that was saved, if there is one."""

    @abstractmethod
    def finish(self) -> None:
        """Save the end of the run."""
