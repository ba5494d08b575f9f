"""Which memory was written, for what was computed from it once and kept (packed weights).

torch's own counters do not tell: arrays write through `Tensor.data`, which has a counter of its own
(ADR 4). So the places that write say so here, as long as somebody watches.
"""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary, WeakSet

import torch
from torch import Tensor

# Memory → who watches it. Empty nearly always: then noting costs one look.
watched: WeakKeyDictionary[torch.UntypedStorage, WeakSet[Watch]] = WeakKeyDictionary()
# Memory that others than arrays may write: it was handed to torch, NumPy or another library.
_shared: WeakSet[torch.UntypedStorage] = WeakSet()


class Watch:
    """Watches the memory of tensors; `stale` once any of it was written or handed out."""

    __slots__ = ("__weakref__", "stale", "tensors")

    def __init__(self, tensors: Iterable[Tensor]) -> None:
        self.tensors = tuple(tensors)
        self.stale = False
        for tensor in self.tensors:
            memory = tensor.untyped_storage()
            watched.setdefault(memory, WeakSet()).add(self)
            self.stale = self.stale or memory in _shared

    def end(self) -> None:
        """Watch no longer."""
        for tensor in self.tensors:
            memory = tensor.untyped_storage()
            watchers = watched.get(memory)
            if watchers is not None:
                watchers.discard(self)
                if not watchers:
                    del watched[memory]


def note(tensors: Iterable[Tensor | None]) -> None:
    """The tensors' memory is written: now, or by what the caller does next."""
    if not watched:
        return
    for tensor in tensors:
        if tensor is not None and _has_memory(tensor):
            for watch in tuple(watched.get(tensor.untyped_storage(), ())):
                watch.stale = True


def share(tensor: Tensor) -> Tensor:
    """The tensor, to be handed out: from now on writes to its memory go unseen."""
    if _has_memory(tensor):
        _shared.add(tensor.untyped_storage())
        note([tensor])
    return tensor


def _has_memory(tensor: Tensor) -> bool:
    """Whether it is no sparse tensor and none of those that stand for others in a trace."""
    return type(tensor) in (Tensor, torch.nn.Parameter) and tensor.layout is torch.strided
