"""Optimizer states as bytes: MXNet's pickles, written and read.

Real MXNet reads what is written here: classes are named as MXNet names them. Reading makes
arrays, containers, numbers, and optimizers and schedulers that are known already; anything else
in a pickle is refused, for it could run code.
"""

from __future__ import annotations

import importlib.util
import io
import pickle
import sys
from collections.abc import Callable
from typing import Any

from mxtorch._core.errors import MXNetError
from mxtorch._front.handle import Handle
from mxtorch.lr_scheduler import LRScheduler
from mxtorch.optimizer._base import Optimizer

# Where a class of a private module is at home in MXNet.
_HOMES = {
    "mxtorch.optimizer._": "mxnet.optimizer.optimizer",
    "mxtorch._core.device": "mxnet.context",
}
_PLAIN = frozenset(
    {
        ("builtins", "bytearray"),
        ("__builtin__", "bytearray"),
        ("_codecs", "encode"),
        ("collections", "OrderedDict"),
        ("numpy", "dtype"),
        ("numpy", "ndarray"),
        ("numpy.core.multiarray", "scalar"),
        ("numpy.core.multiarray", "_reconstruct"),
        ("numpy._core.multiarray", "scalar"),
        ("numpy._core.multiarray", "_reconstruct"),
    }
)
_BASES = (Optimizer, LRScheduler, Handle)


class _Writer(pickle._Pickler):  # the C pickler names no classes anew
    """Pickles with MXNet's module names for our classes."""

    save: Callable[[Any], None]
    write: Callable[[bytes], Any]
    memoize: Callable[[Any], None]

    def save_global(self, obj: Any, name: str | None = None) -> None:
        module = getattr(obj, "__module__", None) or ""
        if not module.startswith("mxtorch."):
            super().save_global(obj, name)  # type: ignore[misc] # typeshed does not list it
            return
        self.save(_home(module))
        self.save(obj.__qualname__)
        self.write(pickle.STACK_GLOBAL)
        self.memoize(obj)


def _home(module: str) -> str:
    for start, home in _HOMES.items():
        if module.startswith(start):
            return home
    return "mxnet." + module.removeprefix("mxtorch.")


class _Reader(pickle.Unpickler):
    """Unpickles what optimizer states are made of, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            if module.startswith("numpy"):
                module = module.replace("numpy.core", "numpy._core") if _has_new_core() else module
            return super().find_class(module, name)
        found = _known(module, name)
        if not (isinstance(found, type) and issubclass(found, _BASES)):
            raise MXNetError(
                f"set_states: the states name {module}.{name}, which is no array, optimizer or "
                "learning rate scheduler that is loaded. Import its module first if it is one."
            )
        return found


def _has_new_core() -> bool:
    return importlib.util.find_spec("numpy._core") is not None


def _known(module: str, name: str) -> Any:
    """A class of MXNet's or of a module that the program has loaded; nothing is imported for it."""
    if module.split(".")[0] == "mxnet":
        module = "mxtorch" + module[len("mxnet") :]
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def dump_states(states: Any) -> bytes:
    """The bytes of states, or of states and their optimizer."""
    file = io.BytesIO()
    _Writer(file, 4).dump(states)
    return file.getvalue()


def load_states(data: bytes | bytearray) -> Any:
    """Read such bytes, also MXNet's own."""
    try:
        return _Reader(io.BytesIO(data), encoding="latin1").load()
    except (pickle.UnpicklingError, EOFError, ValueError, KeyError, IndexError) as error:
        raise MXNetError(f"set_states: these are no optimizer states: {error}") from error
