"""Sums of gradients over the processes that begin while backward still computes other gradients.

A gradient is copied into a flat row when backward has it; a bucket of the row is sent as soon as
all of it is there, the last one when the sums are asked for. What a program does with gradients in
between is not lost: a process whose gradients have changed since they were sent says so before it
sends the last bucket, and then all of them send everything once more, and no longer so early.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from mxtorch._core import env
from mxtorch._core.device import accelerator_type, wire_device
from mxtorch._dist import collectives
from mxtorch._dist.group import Begun, Group
from mxtorch._front.handle import is_sparse
from mxtorch.ndarray import NDArray

_NAME = "all_reduce"
_numbers = itertools.count()  # alike in all processes, which make the same ones


def begin_together(group: Group, arrays: Sequence[NDArray]) -> EarlySums | None:
    """Sums of arrays' gradients that begin early, if that suits every process; all call this."""
    if group.size == 1:
        return None
    suits = EarlySums.suits(group, arrays)
    if any(text != "1" for text in group.gather_text(str(int(suits)))):
        return None
    return EarlySums(group, arrays)


@dataclass(eq=False)
class _Bucket:
    """A piece of a row. missing: positions of the gradients that are not in it yet."""

    row: Tensor
    positions: set[int]
    missing: set[int] = field(default_factory=set)
    begun: Begun | None = None


class EarlySums:
    """The sums over all processes of the gradients of some arrays, step for step.

    arrays: what is trained, on one context, in the same order in every process.
    """

    def __init__(self, group: Group, arrays: Sequence[NDArray]) -> None:
        self._group, self._beside = group, group.beside()
        self._arrays = list(arrays)
        self._handles: list[Any] = []
        self._leaves: list[Tensor | None] = [None] * len(arrays)
        self._places: list[Tensor] = [torch.empty(0)] * len(arrays)
        self._buckets: list[_Bucket] = []
        self._sent: dict[int, tuple[Tensor, int]] = {}
        self._number = next(_numbers)
        self._step = 0
        self._lay_out()
        self._begin_step()

    @staticmethod
    def suits(group: Group, arrays: Sequence[NDArray]) -> bool:
        """Whether there is something to gain, as far as this process can tell."""
        mode = env.OVERLAP.get()
        if group.size == 1 or not group.can_say or mode == "0":
            return False
        if any(is_sparse(a) or a._grad_req != "write" or is_sparse(a._grad) for a in arrays):
            return False
        kinds = {array.storage().device.type for array in arrays}
        size = sum(a.storage().numel() * a.storage().element_size() for a in arrays)
        return size > env.BUCKET_BYTES.get() and (mode == "1" or kinds == {accelerator_type()})

    def _lay_out(self) -> None:
        """Rows for the gradients, a dtype and device each, in the order that backward has them."""
        kinds: dict[tuple[torch.dtype, torch.device], list[int]] = {}
        for position in reversed(range(len(self._arrays))):
            tensor = self._arrays[position].storage()
            kinds.setdefault((tensor.dtype, tensor.device), []).append(position)
        for (dtype, device), positions in kinds.items():
            tensors = [self._arrays[i].storage() for i in positions]
            ends = torch.tensor([t.numel() for t in tensors]).cumsum(0).tolist()
            row = torch.empty(ends[-1], dtype=dtype, device=wire_device(device))
            for i, place in zip(positions, collectives.unflatten(row, tensors), strict=True):
                self._places[i] = place
            begin = 0
            for piece in collectives.buckets(row):
                end = begin + piece.numel()
                inside = {
                    i
                    for i, last, tensor in zip(positions, ends, tensors, strict=True)
                    if last > begin and last - tensor.numel() < end
                }
                self._buckets.append(_Bucket(piece, inside))
                begin = end

    def _begin_step(self) -> None:
        self._sent.clear()
        for bucket in self._buckets:
            bucket.missing, bucket.begun = set(bucket.positions), None
        for position, array in enumerate(self._arrays):
            leaf = array._hist
            if leaf is not None and leaf is not self._leaves[position]:  # new since the last step
                self._leaves[position] = leaf
                hook = _Hook(self, position)
                self._handles.append(leaf.register_post_accumulate_grad_hook(hook))

    def end(self) -> None:
        """Look at gradients no longer."""
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

    # backward -----------------------------------------------------------------------------------

    def arrived(self, position: int) -> None:
        """The gradient of an array has been computed: take it, if it is the first of this step."""
        gradient = self._gradient(position)
        if position in self._sent or gradient is None:
            return
        self._take(position, gradient)
        for bucket in self._buckets[:-1]:
            if bucket.missing:
                return
            self._send(bucket)

    def _gradient(self, position: int) -> Tensor | None:
        buffer = self._arrays[position]._grad
        if buffer is None or is_sparse(buffer):
            return None
        gradient = buffer.storage()
        return gradient if gradient.shape == self._places[position].shape else None

    def _take(self, position: int, gradient: Tensor) -> None:
        self._sent[position] = gradient, gradient._version
        with torch.no_grad():
            self._places[position].copy_(gradient)
        for bucket in self._buckets:
            bucket.missing.discard(position)

    def _send(self, bucket: _Bucket) -> None:
        if bucket.begun is None:
            number = self._step * len(self._buckets) + self._buckets.index(bucket)
            bucket.begun = self._group.begin(
                _NAME,
                bucket.row,
                lambda row: dist.all_reduce(row, group=self._beside(), async_op=True),
                number,
            )

    # the step -----------------------------------------------------------------------------------

    def take(self, gradients: Sequence[Tensor]) -> tuple[list[Tensor], bool]:
        """The sums, valid until the next backward, and whether the next ones may be early again."""
        word = f"changed/{self._number}/{self._step}"
        changed = False
        for position, gradient in enumerate(gradients):
            if not self._is_as_sent(position, gradient):
                is_gone = any(b.begun and position in b.positions for b in self._buckets)
                changed = changed or is_gone
                if not is_gone:
                    self._take(position, gradient)
        if changed:
            self._group.say(word)
        for bucket in self._buckets:
            self._send(bucket)
        for bucket in self._buckets:
            assert bucket.begun is not None
            self._group.end(bucket.begun)
        if again := self._group.is_said(word):
            self._send_again(gradients)
        self._step += 1
        self._begin_step()
        sums = [
            place.to(gradient.device)
            for place, gradient in zip(self._places, gradients, strict=True)
        ]
        return sums, not again

    def _is_as_sent(self, position: int, gradient: Tensor) -> bool:
        """Whether nobody has had the gradient in hands since it was taken."""
        sent, version = self._sent.get(position, (None, 0))
        is_same = sent is gradient and gradient._version == version
        return is_same and not self._arrays[position]._grad_shared

    def _send_again(self, gradients: Sequence[Tensor]) -> None:
        with torch.no_grad():
            for place, gradient in zip(self._places, gradients, strict=True):
                place.copy_(gradient)
        rows = [bucket.row for bucket in self._buckets]
        self._group.run(_NAME, rows, lambda row: dist.all_reduce(row, async_op=True))


class _Hook:
    """Tells the sums that an array's gradient is there; torch calls it after autograd's own."""

    def __init__(self, sums: EarlySums, position: int) -> None:
        self.sums, self.position = weakref.ref(sums), position

    def __call__(self, leaf: Tensor) -> None:
        sums = self.sums()
        if sums is not None and sums._arrays[self.position]._hist is leaf:
            sums.arrived(self.position)
