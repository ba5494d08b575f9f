"""`import mxnet` gives mxtorch: each `mxnet.x` is the module object `mxtorch.x`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from mxtorch._core.errors import MXNetError

# mxtorch's own rooms, which MXNet does not have; underscored ones at the top are private too.
_PRIVATE = {"cli", "convert", "interop", "ops", "parallel", "port", "report", "run", "verify"}
_PRIVATE |= {"__main__", "pytest_plugin", "version"}


class AliasFinder(MetaPathFinder):
    """Finds `mxnet` and `mxnet.*`; what mxtorch lacks then fails under the name asked for."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """The spec of an alias, or None for any other module."""
        parts = fullname.split(".")
        if parts[0] != "mxnet":
            return None
        if _is_private(parts[1:]):
            # Answering None, Python would find the file through mxtorch.__path__ and run it twice.
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        real = _real_spec(_real_name(fullname))
        if real is None:
            return None
        spec = ModuleSpec(fullname, _AliasLoader(_real_name(fullname)), origin=real.origin)
        spec.submodule_search_locations = real.submodule_search_locations
        return spec


class _AliasLoader(Loader):
    def __init__(self, real: str) -> None:
        self.real = real

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self.real)
        self.spec = module.__spec__
        self.loader = module.__loader__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # It has run already; the import system has just overwritten these two.
        module.__spec__ = self.spec
        module.__loader__ = self.loader


def install() -> None:
    """Let `import mxnet` in this process mean mxtorch. Calling it again changes nothing.

    Raises MXNetError if another mxnet has been imported before.
    """
    if any(isinstance(finder, AliasFinder) for finder in sys.meta_path):
        return
    loaded = sys.modules.get("mxnet")
    if loaded is not None and loaded is not sys.modules.get("mxtorch"):
        raise MXNetError(
            f"another mxnet is imported already, from {getattr(loaded, '__file__', None)}; "
            "call mxtorch.install() before the first `import mxnet`"
        )
    sys.meta_path.insert(0, AliasFinder())


def uninstall() -> None:
    """Undo `install`: `mxnet` is again what is installed under that name, if anything."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, AliasFinder)]
    for name in list(sys.modules):
        if name.split(".")[0] == "mxnet" and (
            sys.modules[name] is sys.modules.get(_real_name(name))
        ):
            del sys.modules[name]


def installed_mxnet() -> str | None:
    """Where another mxnet lies on the path, or None."""
    spec = PathFinder.find_spec("mxnet")
    return spec.origin if spec else None


def _is_private(parts: list[str]) -> bool:
    return bool(parts) and (parts[0] in _PRIVATE or parts[0].startswith("_"))


def _real_name(fullname: str) -> str:
    return "mxtorch" + fullname.removeprefix("mxnet")


def _real_spec(name: str) -> ModuleSpec | None:
    module = sys.modules.get(name)
    if module is not None:  # made by code, it may lack a spec
        return module.__spec__ or ModuleSpec(name, None)
    return importlib.util.find_spec(name)
