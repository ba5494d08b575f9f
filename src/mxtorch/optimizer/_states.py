"""Optimizer states as bytes: MXNet's pickles, written and read.

Real MXNet reads what is written here: classes are named as MXNet names them. Reading makes
arrays, containers, numbers, and optimizers and schedulers that are known already; anything else
in a pickle is refused, for it could run code, unless MXTORCH_TRUST_STATES allows it.
"""

from __future__ import annotations

import io
import pickle
import pickletools
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from mxtorch._core import env
from mxtorch._core.errors import MXNetError, MXNetTypeError
from mxtorch._front.handle import Handle
from mxtorch.lr_scheduler import LRScheduler
from mxtorch.optimizer import _plain
from mxtorch.optimizer._base import Optimizer

# Where a class of a private module is at home in MXNet.
_HOMES = {
    "mxtorch.optimizer._": "mxnet.optimizer.optimizer",
    "mxtorch._core.device": "mxnet.context",
}
# What a pickle of NumPy or of an old protocol says to call, and what is called for it: the same,
# but nothing that takes more memory than the pickle itself has.
_PLAIN: dict[tuple[str, str], Callable[..., Any]] = {
    ("builtins", "bytearray"): _plain.bytes_of_text,
    ("__builtin__", "bytearray"): _plain.bytes_of_text,
    ("_codecs", "encode"): _plain.encode,
    ("collections", "OrderedDict"): OrderedDict,
    ("numpy", "dtype"): _plain.number_type,
    ("numpy", "ndarray"): _plain.named_array,
}
for _core in ("numpy.core", "numpy._core"):
    _PLAIN[f"{_core}.multiarray", "scalar"] = _plain.scalar
    _PLAIN[f"{_core}.multiarray", "_reconstruct"] = _plain.empty_array
# What `pickle` raises for bytes that are no pickle.
_UNREADABLE = (
    pickle.UnpicklingError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
    Warning,  # of text with odd escapes, where warnings are errors
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


class _Reader(pickle._Unpickler):  # the C unpickler does not say what it is about to set
    """Unpickles what optimizer states are made of, and nothing else."""

    dispatch: ClassVar[dict[int, Callable[..., Any]]] = dict(pickle._Unpickler.dispatch)
    stack: list[Any]

    def load_build(self) -> None:
        """Set an object's state; of NumPy's types only the byte order, all else is not checked."""
        made, state = self.stack[-2:]
        if isinstance(made, np.dtype):
            self.stack[-1] = _plain.plain_state(state)
        pickle._Unpickler.load_build(self)  # type: ignore[attr-defined] # typeshed lacks it

    dispatch[pickle.BUILD[0]] = load_build

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return _PLAIN[module, name]
        found = _known(module, name)
        if isinstance(found, type) and issubclass(found, _BASES):
            return found
        if env.TRUST_STATES.get():
            return super().find_class(module, name) if found is None else found
        raise MXNetError(
            f"set_states: the states name {module}.{name}, which is no array, optimizer or "
            "learning rate scheduler that is loaded. Import its module first if it is one. If you "
            f"trust the file with running code, set {env.TRUST_STATES.name}=1."
        )


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
    """Read such bytes, also MXNet's own; MXNetError for anything else."""
    if not isinstance(data, (bytes, bytearray)):
        raise MXNetTypeError(f"set_states: states are bytes, not {type(data).__name__}")
    try:
        for _ in pickletools.genops(bytes(data)):  # lengths that the file does not have
            pass
        return _Reader(io.BytesIO(data), encoding="latin1").load()
    except _UNREADABLE as error:
        raise MXNetError(f"set_states: these are no optimizer states: {error}") from error
