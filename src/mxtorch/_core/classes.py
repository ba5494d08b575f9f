"""Registries of classes by name: register, alias, create (optimizers, initializers, metrics, …)."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from mxtorch._core.errors import MXNetAssertionError, MXNetKeyError, MXNetTypeError

C = TypeVar("C", bound=type)


class ClassRegistry:
    """Names (case does not matter) of the subclasses of `base`, and how to create one."""

    def __init__(self, base: type, nickname: str) -> None:
        self.base = base
        self.nickname = nickname
        self.classes: dict[str, type] = {}

    def register(self, cls: C, name: str | None = None) -> C:
        """Enter a class under its own name or `name`; a decorator. A clash warns."""
        if not isinstance(cls, type):
            raise MXNetTypeError(f"a {self.nickname} must be a class, got {type(cls).__name__}")
        if not issubclass(cls, self.base):
            raise MXNetAssertionError(
                f"{cls} must be a subclass of {self.base.__name__} to be a {self.nickname}"
            )
        key = (name or cls.__name__).lower()
        old = self.classes.get(key)
        if old is not None:
            warnings.warn(
                f"New {self.nickname} {cls.__module__}.{cls.__name__} registered with name {key} "
                f"is overriding existing {self.nickname} {old.__module__}.{old.__name__}",
                UserWarning,
                stacklevel=2,
            )
        self.classes[key] = cls
        return cls

    def alias(self, *names: str) -> Callable[[C], C]:
        """A decorator that enters a class under further names."""

        def enter(cls: C) -> C:
            for name in names:
                self.register(cls, name)
            return cls

        return enter

    def find(self, name: str) -> type:
        """The class of that name, or an error that lists the names there are."""
        try:
            return self.classes[name.lower()]
        except KeyError:
            raise MXNetAssertionError(
                f"{name!r} is not a known {self.nickname}; "
                f"registered are {', '.join(sorted(self.classes))}"
            ) from None

    def create(self, *args: Any, **kwargs: Any) -> Any:
        """An instance from a name, a `["name", {arguments}]` JSON text, or an instance as it is."""
        if args:
            spec, *args_left = args
        elif self.nickname in kwargs:
            spec, args_left = kwargs.pop(self.nickname), []
        else:
            raise MXNetKeyError(f"create: the name of the {self.nickname} is missing")
        if isinstance(spec, self.base):
            if args_left or kwargs:
                raise MXNetAssertionError(
                    f"create: {self.nickname} is already an instance; further arguments are invalid"
                )
            return spec
        if isinstance(spec, dict):
            return self.create(**spec)
        if not isinstance(spec, str):
            raise MXNetAssertionError(
                f"create: {self.nickname} must be a name, got {type(spec).__name__}"
            )
        if spec.startswith("["):
            name, options = json.loads(spec)
            return self.create(name, **options)
        if spec.startswith("{"):
            return self.create(**json.loads(spec))
        return self.find(spec)(*args_left, **kwargs)


_registries: dict[type, ClassRegistry] = {}


def registry_of(base: type, nickname: str) -> ClassRegistry:
    """The one registry of a base class, made when first asked for."""
    if base not in _registries:
        _registries[base] = ClassRegistry(base, nickname)
    return _registries[base]


def registered(base: type) -> dict[str, type]:
    """A copy of what is registered below a base class, by name."""
    found = _registries.get(base)
    return dict(found.classes) if found else {}
