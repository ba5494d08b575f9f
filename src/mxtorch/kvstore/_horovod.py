"""The store 'horovod': sums over the processes, without keeping values."""

from __future__ import annotations

from typing import Any

from mxtorch._dist import collectives, group
from mxtorch.kvstore._sums import sum_contexts
from mxtorch.kvstore.base import KVStoreBase


@KVStoreBase.register
class Horovod(KVStoreBase):
    """Sums over the group's processes, of a process on its own where nothing launched several."""

    takes_lists = True

    def __init__(self) -> None:
        self._group = group.join()

    @property
    def type(self) -> str:
        """'horovod'."""
        return "horovod"

    @property
    def rank(self) -> int:
        """The number of this process."""
        return self._group.rank

    @property
    def local_rank(self) -> int:
        """Its number among the processes of its host."""
        return self._group.local_rank

    @property
    def num_workers(self) -> int:
        """The number of processes."""
        return self._group.size

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Not capable of 'optimizer'; ValueError for anything else."""
        if capability.lower() == KVStoreBase.OPTIMIZER:
            return False
        raise ValueError(f"Unknown capability: {capability}")

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Copy rank 0's value to all of `out`."""
        shared = value.copy()
        collectives.broadcast(self._group, [shared.storage()])
        for array in out if isinstance(out, (list, tuple)) else [out]:
            array[:] = shared

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Sum over contexts and processes into all of `out`, or into the values; lists of keys,
        with a value or list for each, travel together.
        """
        many = isinstance(key, (list, tuple))
        rows = [_row(each) for each in (value if many else [value])]
        outs = rows if out is None else [_row(each) for each in (out if many else [out])]
        for length in {len(row) for row in rows}:
            places = [i for i, row in enumerate(rows) if len(row) == length]
            columns = [[rows[i][k].storage() for i in places] for k in range(length)]
            totals = sum_contexts(columns)
            collectives.all_reduce(self._group, totals)
            for i, total in zip(places, totals, strict=True):
                for array in outs[i]:
                    array.receive(total)


def _row(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]
