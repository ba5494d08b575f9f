"""Names that nodes get by themselves, and attributes that a scope gives them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from typing import Any

from mxtorch._core.errors import MXNetValueError
from mxtorch._core.of_thread import OfThread

# MXNet stores these under `__key__`, so that they cannot be taken for an operator's own.
HIDDEN_KEYS = frozenset({"ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage"})


class _Stack(threading.local):
    manager: NameManager | None = None
    scope: AttrScope | None = None


_current = _Stack()


class _CurrentOf:
    """`NameManager.current` and `AttrScope.current`: the innermost one of this thread."""

    def __init__(self, kept: OfThread) -> None:
        self._kept = kept

    def __get__(self, instance: object, owner: type) -> Any:
        return self._kept.value

    def __set__(self, instance: object, value: Any) -> None:
        self._kept.value = value


class NameManager:
    """Gives a node without a name the next free one: 'convolution0', 'convolution1', …"""

    _current = OfThread(_current, "manager", lambda: NameManager())
    current = _CurrentOf(_current)

    def __init__(self) -> None:
        self._counter: Counter[str] = Counter()
        self._outer: list[NameManager | None] = []

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Become what a pickle says, MXNet's too."""
        self.__dict__.update(state, _counter=Counter(state["_counter"]), _outer=[])

    def get(self, name: str | None, hint: str) -> str:
        """`name` itself, or the next name made from `hint`."""
        if name:
            return name
        number = self._counter[hint]
        self._counter[hint] += 1
        return f"{hint}{number}"

    def __enter__(self) -> NameManager:
        self._outer.append(_current.manager)
        _current.manager = self
        return self

    def __exit__(self, *exc: object) -> None:
        _current.manager = self._outer.pop()


class Prefix(NameManager):
    """A NameManager that puts a prefix before every name, given or made."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def get(self, name: str | None, hint: str) -> str:
        """The name with the prefix before it."""
        return self._prefix + super().get(name, hint)


class AttrScope:
    """Attributes (texts) for every node that is made inside the `with`."""

    _current = OfThread(_current, "scope", lambda: AttrScope())
    current = _CurrentOf(_current)

    def __init__(self, **kwargs: str) -> None:
        for value in kwargs.values():
            if not isinstance(value, str):
                raise MXNetValueError("Attributes need to be string")
        self._attr = dict(kwargs)
        self._outer: list[tuple[AttrScope | None, dict[str, str]]] = []

    def get(self, attr: dict[str, str] | None) -> dict[str, str]:
        """The scope's attributes with `attr` on top."""
        return {**self._attr, **(attr or {})}

    def __enter__(self) -> AttrScope:
        outer = _current.scope
        self._outer.append((outer, self._attr))
        if outer is not None:
            self._attr = {**outer._attr, **self._attr}
        _current.scope = self
        return self

    def __exit__(self, *exc: object) -> None:
        _current.scope, self._attr = self._outer.pop()


def hide_keys(attrs: dict[str, str]) -> dict[str, str]:
    """Attribute names as MXNet stores them: 'lr_mult' becomes '__lr_mult__'."""
    return {f"__{k}__" if k in HIDDEN_KEYS else k: v for k, v in attrs.items()}


def show_keys(attrs: Mapping[str, str]) -> dict[str, str]:
    """Attributes as programs see them: '__lr_mult__' is there as 'lr_mult' too."""
    shown = dict(attrs)
    shown.update((k, attrs[f"__{k}__"]) for k in HIDDEN_KEYS if f"__{k}__" in attrs)
    return shown
