"""The order in which MXNet's CPU operators leave equal values, and values with nan among them.

They sort with C++'s `std::sort`, or `std::partial_sort` where few are wanted, and a plain `<` or
`>`. Neither keeps equal elements in place, and nan is neither before nor after anything, so what
comes out depends on the steps of these algorithms as GCC's library has them. `std::sort`: median of
three as pivot down to pieces of 16, a heap where the pieces do not get smaller, insertion at last.
They are retraced here for rows where it matters.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import torch
from torch import Tensor

_PIECE = 16
# Rows with more elements in all keep equal values in place: retracing them would take a second.
_MOST_SORTED, _MOST_SELECTED = 1 << 15, 1 << 18
Before = Callable[[float, float], bool]


def sorted_along(
    source: Tensor, axis: int, descending: bool, count: int | None = None
) -> tuple[Tensor, Tensor]:
    """Values and indices of the first `count` (or all) in order along an axis."""
    found = torch.sort(source, dim=axis, descending=descending, stable=True)
    length = source.shape[axis]
    wanted = length if count is None else count
    values, indices = (t.narrow(axis, 0, wanted).contiguous() for t in found)
    if source.is_meta or torch.compiler.is_compiling() or source.numel() == 0:
        return values, indices
    matters = _is_open(found.values.detach(), axis, wanted)
    if matters is None:
        return values, indices
    before: Before = operator.gt if descending else operator.lt
    rows = source.detach().movedim(axis, -1).reshape(-1, length)[matters]
    if rows.numel() > (_MOST_SORTED if _is_full(wanted, length) else _MOST_SELECTED):
        return values, indices
    order = [_Sort(row, before).first(wanted) for row in rows.tolist()]
    moved = indices.movedim(axis, -1)
    flat = moved.reshape(-1, wanted).clone()
    flat[matters] = torch.tensor(order, dtype=torch.int64, device=source.device)
    indices = flat.reshape(moved.shape).movedim(-1, axis).contiguous()
    return source.gather(axis, indices), indices


def _is_open(ordered: Tensor, axis: int, wanted: int) -> Tensor | None:
    """Which rows have equal values among those wanted (and the next one), or nan; None if none."""
    rows = ordered.movedim(axis, -1).reshape(-1, ordered.shape[axis])
    head = rows[:, : wanted + 1]
    is_open = (head[:, 1:] == head[:, :-1]).any(1)
    if rows.is_floating_point():
        is_open |= torch.isnan(rows).any(1)
    return is_open if bool(is_open.any()) else None


def _is_full(wanted: int, length: int) -> bool:
    """Whether MXNet sorts a whole row for the elements that are wanted."""
    return wanted * 8 > length


class _Sort:
    """One row, put in order step by step."""

    def __init__(self, values: list[float], before: Before) -> None:
        self.values = values
        self.order = list(range(len(values)))
        self._is_before = before

    def before(self, one: int, other: int) -> bool:
        """Whether the element at one place of the order goes before that at another."""
        return self._is_before(self.values[self.order[one]], self.values[self.order[other]])

    def first(self, count: int) -> list[int]:
        """The indices of the first `count` elements."""
        length = len(self.order)
        if _is_full(count, length):
            self._introsort(0, length, 2 * (length.bit_length() - 1))
            self._insertion(length)
        else:
            self._select(0, count, length)
        return self.order[:count]

    # std::sort ---------------------------------------------------------------------------------

    def _introsort(self, start: int, end: int, depth: int) -> None:
        while end - start > _PIECE:
            if depth == 0:
                self._select(start, end, end)
                return
            depth -= 1
            cut = self._partition(start, end)
            self._introsort(cut, end, depth)
            end = cut

    def _partition(self, start: int, end: int) -> int:
        self._median_to(start, start + 1, start + (end - start) // 2, end - 1)
        order, values, is_before = self.order, self.values, self._is_before
        pivot = values[order[start]]
        low, high, limit = start + 1, end, len(order)
        while True:
            # nan may carry either index beyond the piece, in C++ beyond the array
            while low < limit and is_before(values[order[low]], pivot):
                low += 1
            high -= 1
            while high > 0 and is_before(pivot, values[order[high]]):
                high -= 1
            if low >= high:
                return low
            order[low], order[high] = order[high], order[low]
            low += 1

    def _median_to(self, target: int, a: int, b: int, c: int) -> None:
        if self.before(a, b):
            chosen = b if self.before(b, c) else c if self.before(a, c) else a
        else:
            chosen = a if self.before(a, c) else c if self.before(b, c) else b
        order = self.order
        order[target], order[chosen] = order[chosen], order[target]

    def _insertion(self, length: int) -> None:
        order, values, is_before = self.order, self.values, self._is_before
        for place in range(1, length):
            index = order[place]
            value = values[index]
            if place < _PIECE and is_before(value, values[order[0]]):
                order[1 : place + 1] = order[:place]
                order[0] = index
                continue
            at = place
            while at and is_before(value, values[order[at - 1]]):
                order[at] = order[at - 1]
                at -= 1
            order[at] = index

    # std::partial_sort, and std::sort on pieces that do not get smaller --------------------------

    def _select(self, start: int, middle: int, end: int) -> None:
        """The first elements of a piece into [start, middle), in order, by a heap."""
        size = middle - start
        order, values = self.order, self.values
        for parent in range(size // 2 - 1, -1, -1):
            self._sift(start, parent, size, order[start + parent])
        for place in range(middle, end):
            if self._is_before(values[order[place]], values[order[start]]):
                index, order[place] = order[place], order[start]
                self._sift(start, 0, size, index)
        for last in range(size - 1, 0, -1):
            index, order[start + last] = order[start + last], order[start]
            self._sift(start, 0, last, index)

    def _sift(self, start: int, hole: int, size: int, index: int) -> None:
        """Put an element into a hole of the heap: down to a leaf, and up again to its place."""
        order, top, child = self.order, hole, hole
        while child < (size - 1) // 2:
            child = 2 * (child + 1)
            if self.before(start + child, start + child - 1):
                child -= 1
            order[start + hole] = order[start + child]
            hole = child
        if size % 2 == 0 and child == (size - 2) // 2:
            child = 2 * (child + 1)
            order[start + hole] = order[start + child - 1]
            hole = child - 1
        value = self.values[index]
        while hole > top:
            parent = (hole - 1) // 2
            if not self._is_before(self.values[order[start + parent]], value):
                break
            order[start + hole] = order[start + parent]
            hole = parent
        order[start + hole] = index
