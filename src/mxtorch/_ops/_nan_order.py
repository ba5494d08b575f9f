"""The order in which MXNet leaves values with nan among them.

It sorts with C++'s `std::stable_sort` and a plain `<` or `>`, for which nan is neither before nor
after anything: what comes out depends on the steps of the sort, which are retraced here. Halves are
sorted by insertion in runs of seven, the runs and then the halves are merged.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import torch
from torch import Tensor

_RUN = 7
Before = Callable[[float, float], bool]


def sorted_along(source: Tensor, axis: int, descending: bool) -> tuple[Tensor, Tensor]:
    """Values and indices in order along an axis; equal ones keep theirs."""
    found = torch.sort(source, dim=axis, descending=descending, stable=True)
    is_float = source.is_floating_point() and not (source.is_meta or torch.compiler.is_compiling())
    if not is_float or not bool(torch.isnan(source.detach()).any()):
        return found.values, found.indices
    before: Before = operator.gt if descending else operator.lt
    rows = source.detach().movedim(axis, -1)
    order = [_order(row, before) for row in rows.reshape(-1, rows.shape[-1]).tolist()]
    indices = torch.tensor(order, device=source.device).reshape(rows.shape).movedim(-1, axis)
    return source.gather(axis, indices), indices.contiguous()


def _order(values: list[float], before: Before) -> list[int]:
    """The indices that put a row in order."""
    half = (len(values) + 1) // 2
    indices = list(range(len(values)))
    left, right = (_sorted(part, values, before) for part in (indices[:half], indices[half:]))
    return _merged(left, right, values, before)


def _sorted(part: list[int], values: list[float], before: Before) -> list[int]:
    runs = [_inserted(part[i : i + _RUN], values, before) for i in range(0, len(part), _RUN)]
    while len(runs) > 1:
        pairs = [runs[i : i + 2] for i in range(0, len(runs), 2)]
        runs = [_merged(p[0], p[1], values, before) if len(p) == 2 else p[0] for p in pairs]
    return runs[0] if runs else []


def _inserted(run: list[int], values: list[float], before: Before) -> list[int]:
    result: list[int] = []
    for index in run:
        value = values[index]
        place = len(result)
        if result and before(value, values[result[0]]):
            place = 0
        else:
            while place and before(value, values[result[place - 1]]):
                place -= 1
        result.insert(place, index)
    return result


def _merged(left: list[int], right: list[int], values: list[float], before: Before) -> list[int]:
    result: list[int] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if before(values[right[j]], values[left[i]]):
            result.append(right[j])
            j += 1
        else:
            result.append(left[i])
            i += 1
    return result + left[i:] + right[j:]
