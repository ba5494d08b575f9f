"""Registries of a program's own classes: by name, with aliases, created from a name or JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxtorch._core.classes import registered, registry_of

__all__ = ["get_alias_func", "get_create_func", "get_register_func", "get_registry"]


def get_registry(base_class: type) -> dict[str, type]:
    """A copy of what is registered below `base_class`: classes by lowercase name."""
    return registered(base_class)


def get_register_func(base_class: type, nickname: str) -> Callable[..., Any]:
    """A decorator that enters subclasses of `base_class` under their own or a given name."""
    found = registry_of(base_class, nickname)

    def register(klass: Any, name: str | None = None) -> Any:
        return found.register(klass, name)

    register.__doc__ = f"Register {nickname} to the {nickname} factory"
    return register


def get_alias_func(base_class: type, nickname: str) -> Callable[..., Any]:
    """`alias(name, …)`: a decorator that enters a class under further names."""
    found = registry_of(base_class, nickname)

    def alias(*aliases: str) -> Callable[[Any], Any]:
        return found.alias(*aliases)

    return alias


def get_create_func(base_class: type, nickname: str) -> Callable[..., Any]:
    """`create(…)`: an instance from a name and arguments, a dict, or a JSON text."""
    found = registry_of(base_class, nickname)

    def create(*args: Any, **kwargs: Any) -> Any:
        return found.create(*args, **kwargs)

    create.__doc__ = f"Create a {nickname} instance from config."
    return create
