"""Ways to load a module: under a second name, or with something done right after its import.

Finders and loaders here have no base class: importlib.abc takes longer to load than all of this.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Protocol

Action = Callable[[ModuleType, str], None]


class Actions(Protocol):
    """What to do after the import of a module, by its name."""

    def __contains__(self, name: str, /) -> bool: ...

    def __getitem__(self, name: str, /) -> Action: ...


class SameModuleLoader:
    """Loads the module `real` under whatever name the spec has: the same object, run once."""

    def __init__(self, real: str) -> None:
        self.real = real

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module itself; it is imported if it has not been."""
        module = importlib.import_module(self.real)
        self.spec = module.__spec__
        self.loader = module.__loader__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has run already; the import system has just overwritten these two."""
        module.__spec__ = self.spec
        module.__loader__ = self.loader


class AfterImport:
    """A finder that lets the others find, and calls `actions[name](module, name)` afterwards."""

    def __init__(self, actions: Actions) -> None:
        self.actions = actions

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The other finders' spec, with a loader that runs the action."""
        if fullname not in self.actions:
            return None
        for finder in sys.meta_path:
            if finder is not self and hasattr(finder, "find_spec"):
                spec = finder.find_spec(fullname, path, target)
                if spec is not None:
                    if hasattr(spec.loader, "exec_module"):
                        loader: Any = _ThenLoader(spec.loader, self.actions[fullname])
                        spec.loader = loader
                    return spec
        return None


class _ThenLoader:
    def __init__(self, loader: Any, action: Action) -> None:
        self.loader, self.action = loader, action

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        spec.loader = self.loader  # a loader may look at it
        module: ModuleType | None = self.loader.create_module(spec)
        own: Any = self
        spec.loader = own
        return module

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        name = module.__spec__.name
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        self.action(sys.modules.get(name, module), name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)
