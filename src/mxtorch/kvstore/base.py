"""The base of key-value stores, their registry, and a store for tests."""

from __future__ import annotations

from typing import Any, ClassVar

from mxtorch._core.errors import MXNetTypeError, NotSupportedError

__all__ = ["KVStoreBase", "TestStore", "create"]


class KVStoreBase:
    """What Trainer asks of a store; register subclasses of your own with `register`."""

    OPTIMIZER = "optimizer"
    # whether `pushpull` takes lists of keys
    takes_lists: ClassVar[bool] = False
    kv_registry: ClassVar[dict[str, type]] = {}

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Keep a value and copy it to all of `out`."""
        raise NotImplementedError

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Sum the values and copy the sum to all of `out` (the values themselves by default)."""
        raise NotImplementedError

    def set_optimizer(self, optimizer: Any) -> None:
        """Let the store update its values with an optimizer."""
        raise NotImplementedError

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Whether the store can do 'optimizer': update values itself."""
        raise NotImplementedError

    def save_optimizer_states(self, fname: str, dump_optimizer: bool = False) -> None:
        """Write the optimizer's states to a file."""
        raise NotImplementedError

    def load_optimizer_states(self, fname: str) -> None:
        """Read the optimizer's states from a file."""
        raise NotImplementedError

    @property
    def type(self) -> str:
        """The name the store was made with."""
        raise NotImplementedError

    @property
    def rank(self) -> int:
        """The number of this worker."""
        raise NotImplementedError

    @property
    def num_workers(self) -> int:
        """The number of workers."""
        raise NotImplementedError

    @staticmethod
    def register(klass: Any) -> Any:
        """Enter a store under its class's name in lower case; a decorator."""
        KVStoreBase.kv_registry[klass.__name__.lower()] = klass
        return klass


@KVStoreBase.register
class TestStore(KVStoreBase):
    """A store without memory, for tests."""

    __test__ = False  # for pytest: no test case

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Copy the value to all of `out`."""
        for array in out if isinstance(out, list) else [out]:
            array[:] = value

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Sum the values and copy the sum to all of `out`, or into the values."""
        values = value if isinstance(value, list) else [value]
        total = sum(v.as_in_context(values[0].context) for v in values)
        targets = values if out is None else out
        for array in targets if isinstance(targets, list) else [targets]:
            array[:] = total.as_in_context(array.context)

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Not capable of 'optimizer'; MXNetError for anything else."""
        if capability.lower() == KVStoreBase.OPTIMIZER:
            return False
        raise ValueError(f"Unknown capability: {capability}")

    @property
    def type(self) -> str:
        """'teststore'."""
        return "teststore"

    @property
    def rank(self) -> int:
        """0."""
        return 0

    @property
    def num_workers(self) -> int:
        """1."""
        return 1


def create(name: str = "local") -> Any:
    """A store by name: 'local', 'device' and 'nccl' sum over the contexts of this process, names
    with 'dist' over the processes of the group too, 'horovod' as Horovod does.

    MXNetError for a `dist` store in a process that no launcher started.
    """
    if not isinstance(name, str):
        raise MXNetTypeError("name must be a string")
    name = name.lower()
    if name in KVStoreBase.kv_registry:
        return KVStoreBase.kv_registry[name]()
    if name == "byteps":
        raise NotSupportedError("kvstore 'byteps': BytePS is not available; use 'dist_sync'")
    return KVStoreBase.kv_registry["kvstore"](name)
