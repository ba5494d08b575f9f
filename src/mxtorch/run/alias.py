"""`import mxnet` gives mxtorch: each `mxnet.x` is the module object `mxtorch.x`.

Loaded by child processes before anything else: neither torch nor the rest of mxtorch here.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from mxtorch._core.errors import MXNetError
from mxtorch._core.warn import note
from mxtorch.run.loading import Action, AfterImport, SameModuleLoader

Load = Callable[[str], Any]

# mxtorch's own rooms, which MXNet does not have; underscored ones at the top are private too.
_PRIVATE = {"cli", "convert", "interop", "ops", "parallel", "port", "report", "run", "verify"}
_PRIVATE |= {"__main__", "pytest_plugin", "version"}


class AliasFinder:
    """Finds `mxnet` and `mxnet.*`; what mxtorch lacks then fails under the name asked for."""

    mxtorch_alias = True

    def __init__(self, load: Load = importlib.import_module) -> None:
        self.load = load

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """The spec of an alias, or None for any other module."""
        parts = fullname.split(".")
        if parts[0] == "horovod":
            return _horovod_spec(fullname)
        if parts[0] != "mxnet":
            return None
        if _is_private(parts[1:]):
            # Answering None, Python would find the file through mxtorch.__path__ and run it twice.
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        real = _real_spec(_real_name(fullname))
        if real is None:
            return None
        kind = SameModuleLoader if parts[1:] else _RootLoader
        loader: Any = kind(_real_name(fullname))
        spec = ModuleSpec(fullname, loader, origin=real.origin)
        spec.submodule_search_locations = real.submodule_search_locations
        return spec

    def find_distributions(self, context: Any = None) -> Any:
        """What importlib.metadata shall know of mxnet."""
        if context is None or context.name is None or context.name.lower() == "mxnet":
            return self.load("mxtorch.run.metadata").find(context)
        return ()


def _horovod_spec(fullname: str) -> ModuleSpec | None:
    """The spec of Horovod's functions for MXNet, and of its package where none is installed."""
    is_package = fullname == "horovod" and PathFinder.find_spec(fullname) is None
    if not is_package and fullname != "horovod.mxnet":
        return None
    loader: Any = SameModuleLoader(_real_name(fullname))
    return ModuleSpec(fullname, loader, is_package=is_package)


class _RootLoader(SameModuleLoader):
    """Loads mxtorch as `mxnet`: now MXNet's environment variables count."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        if _told:  # the program's own folder is on the path by now
            tell_of_another()
        importlib.import_module("mxtorch.run.settings").apply()
        importlib.import_module("mxtorch.run.names").give_all()


class _MirroredModules:
    """The modules of mxtorch that MXNet has too, each with what to do when it has been imported."""

    def __init__(self, load: Load) -> None:
        self.load = load

    def __contains__(self, name: str) -> bool:
        return name.startswith("mxtorch.") and "mxnet" in sys.modules and is_mirrored(name)

    def __getitem__(self, name: str) -> Action:
        return self.named

    def named(self, module: ModuleType, name: str) -> None:
        """Give the module's classes their names in MXNet."""
        self.load("mxtorch.run.names").give(module)


class _Naming(AfterImport):
    """Names the classes of modules that are imported later than `mxnet` itself."""

    mxtorch_alias = True


class _PackageResources(AfterImport):
    """Tells a real `pkg_resources` of mxnet."""

    mxtorch_alias = True

    def __init__(self, load: Load) -> None:
        super().__init__({"pkg_resources": self.tell})
        self.load = load

    def tell(self, module: ModuleType, name: str) -> None:
        """Add mxnet to the packages that it knows."""
        self.load("mxtorch.run.metadata").tell_pkg_resources(module, name)


def install(load: Load = importlib.import_module) -> None:
    """Let `import mxnet` in this process mean mxtorch. Calling it again changes nothing.

    load: how this module imports its neighbours when they are needed.
    Raises MXNetError if another mxnet has been imported before.
    """
    if is_installed():
        return
    loaded = sys.modules.get("mxnet")
    if loaded is not None and loaded is not sys.modules.get("mxtorch"):
        raise MXNetError(
            f"another mxnet is imported already, from {getattr(loaded, '__file__', None)}; "
            "call mxtorch.install() before the first `import mxnet`"
        )
    resources = _PackageResources(load)
    naming = _Naming(_MirroredModules(load))
    sys.meta_path[:0] = [resources, naming, AliasFinder(load)]
    if "pkg_resources" in sys.modules:
        resources.tell(sys.modules["pkg_resources"], "pkg_resources")


def is_installed() -> bool:
    """Whether `import mxnet` means mxtorch, perhaps by another copy of this module."""
    return any(getattr(finder, "mxtorch_alias", False) for finder in sys.meta_path)


def uninstall() -> None:
    """Undo `install`: `mxnet` is again what is installed under that name, if anything."""
    _told.clear()
    sys.meta_path[:] = [f for f in sys.meta_path if not getattr(f, "mxtorch_alias", False)]
    for name in list(sys.modules):
        if name.split(".")[0] in ("mxnet", "horovod") and (
            sys.modules[name] is sys.modules.get(_real_name(name))
        ):
            del sys.modules[name]
    homes = sys.modules.get("mxtorch._core.homes")
    if homes is not None:
        homes.restore()


def installed_mxnet() -> str | None:
    """Where another mxnet lies on the path, or None."""
    spec = PathFinder.find_spec("mxnet")
    return spec.origin if spec else None


def is_mirrored(name: str) -> bool:
    """Whether a module of mxtorch's has its counterpart in MXNet."""
    parts = name.split(".")[1:]
    return not _is_private(parts) and not any(part.startswith("_") for part in parts)


_told: list[bool] = []  # in the process that the user started


def tell_of_another() -> None:
    """Say that another mxnet on the path is not used, if there is one; from now on at `import
    mxnet` too. Children of this process say nothing."""
    _told[:] = [True]
    other = installed_mxnet()
    if other is not None:
        note(f"`import mxnet` gives mxtorch; the mxnet in {os.path.dirname(other)} is not used")


def _is_private(parts: list[str]) -> bool:
    return bool(parts) and (parts[0] in _PRIVATE or parts[0].startswith("_"))


def _real_name(fullname: str) -> str:
    """mxtorch's module; the generated `gen_op` and its like are one with `op` here."""
    if fullname.startswith("horovod"):
        return f"mxtorch.run.{fullname}"
    path = fullname.removeprefix("mxnet")
    return "mxtorch" + re.sub(r"^(\.ndarray|\.symbol)\.gen_", r"\1.", path)


def _real_spec(name: str) -> ModuleSpec | None:
    module = sys.modules.get(name)
    if module is not None:  # made by code, it may lack a spec
        return module.__spec__ or ModuleSpec(name, None)
    return importlib.util.find_spec(name)
