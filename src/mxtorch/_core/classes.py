"""Registries of classes by name: register, alias, create (optimizers, initializers, metrics, …)."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from mxtorch._core.errors import MXNetError, MXNetValueError

C = TypeVar("C", bound=type)


class ClassRegistry:
    """Names (case does not matter) of the subclasses of `base`, and how to create one.

    `unknown` is the class of the error for a name that is not registered.
    """

    def __init__(
        self, base: type, nickname: str, unknown: type[MXNetError] = MXNetValueError
    ) -> None:
        self.base = base
        self.nickname = nickname
        self.unknown = unknown
        self.classes: dict[str, type] = {}

    def register(self, cls: C, name: str | None = None) -> C:
        """Enter a class under its own name or `name`; a decorator. A clash warns."""
        if not issubclass(cls, self.base):
            raise MXNetValueError(
                f"{cls.__name__} must be a subclass of {self.base.__name__} to be a {self.nickname}"
            )
        key = (name or cls.__name__).lower()
        old = self.classes.get(key)
        if old is not None and old is not cls:
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
            raise self.unknown(
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
            raise MXNetValueError(f"create: the name of the {self.nickname} is missing")
        if isinstance(spec, self.base):
            if args_left or kwargs:
                raise MXNetValueError(
                    f"create: {self.nickname} is already an instance; further arguments are invalid"
                )
            return spec
        if isinstance(spec, dict):
            return self.create(**spec)
        if not isinstance(spec, str):
            raise self.unknown(f"create: {self.nickname} must be a name, got {type(spec).__name__}")
        if spec.startswith("["):
            name, options = json.loads(spec)
            return self.create(name, **options)
        if spec.startswith("{"):
            return self.create(**json.loads(spec))
        return self.find(spec)(*args_left, **kwargs)
