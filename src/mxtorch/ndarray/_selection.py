"""Any index key, taken apart for torch.

torch knows neither negative steps nor MXNet's places for new axes beside index arrays, so both are
taken out of the key and applied to what torch gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mxtorch._core.errors import MXNetIndexError, MXNetShapeError, MXNetValueError
from mxtorch._front.handle import Handle

Dims = tuple[int, ...]
_ALL = slice(None)


@dataclass(frozen=True)
class Selection:
    """What torch is asked for, and what is done to the result after that."""

    keys: tuple[Any, ...]
    # axes of torch's result that are reversed
    flips: tuple[int, ...]
    # where axes of length 1 are put in then, in ascending order
    inserts: tuple[int, ...]
    # the shape of torch's result; empty for a basic key, whose result is a view
    block: Dims
    is_basic: bool

    def take(self, tensor: Tensor) -> Tensor:
        """The selected elements; for a basic key without flips a view."""
        result = _index(tensor, self.keys)
        if self.flips:
            result = result.flip(self.flips)
        for place in self.inserts:
            result = result.unsqueeze(place)
        return result

    def put(self, target: Tensor, value: Tensor) -> None:
        """Write `value`, broadcast to the selection, into `target`."""
        if self.is_basic:
            view = _index(target, self.keys)
            view.copy_(fit(value, view.shape).flip(self.flips))
            return
        shape = list(self.block)
        for place in self.inserts:
            shape.insert(place, 1)
        value = fit(value, tuple(shape))
        for place in reversed(self.inserts):
            value = value.squeeze(place)
        target[self.keys] = value.flip(self.flips)


def _index(tensor: Tensor, keys: tuple[Any, ...]) -> Tensor:
    try:
        return tensor[keys]
    except IndexError as error:
        raise MXNetIndexError(f"{error} (shape {tuple(tensor.shape)})") from None


def fit(value: Tensor, shape: Sequence[int]) -> Tensor:
    """The value broadcast to `shape`; it may have too many axes of 1 in front."""
    while value.ndim > len(shape) and value.shape[0] == 1:
        value = value[0]
    if not value.numel() and 0 in shape:
        return value.new_empty(tuple(shape))
    try:
        return value.expand(shape)
    except RuntimeError:
        raise MXNetShapeError(
            f"cannot write an array of shape {tuple(value.shape)} into {tuple(shape)}"
        ) from None


def select(tensor: Tensor, key: Any) -> Selection:
    """The key taken apart; raises IndexError, TypeError or ValueError as MXNet does."""
    return selection(tensor, [_entry(k) for k in (key if isinstance(key, tuple) else (key,))])


def selection(tensor: Tensor, entries: list[Any]) -> Selection:
    """The same for the entries of a key: ints, slices, None, Ellipsis and int64 index arrays."""
    entries = _every_axis(tensor, entries)
    axis = 0
    for i, entry in enumerate(entries):
        if entry is not None:
            entries[i] = _in_bounds(entry, axis, tensor)
            axis += 1
    if any(isinstance(entry, Tensor) for entry in entries):
        return _advanced(entries)
    keys, flips, place = [], [], 0
    for entry in entries:
        if isinstance(entry, range):
            flips += [place] if entry.step < 0 and len(entry) > 1 else []
            entry = _forward(entry)
        place += not isinstance(entry, int)
        keys.append(entry)
    return Selection(tuple(keys), tuple(flips), (), (), is_basic=True)


def _entry(key: Any) -> Any:
    """An int, a slice, None, Ellipsis or an int64 index array."""
    if key is None or key is Ellipsis or isinstance(key, slice):
        return key
    if isinstance(key, (int, np.integer)):
        return int(key)
    if isinstance(key, Handle):
        if key._kind.dtype is torch.bool:
            raise MXNetValueError(
                "a boolean array is no mask in legacy mode; use nd.contrib.boolean_mask"
            )
        index = key.storage().to(torch.int64)
    elif isinstance(key, (list, tuple, range, np.ndarray)):
        index = torch.from_numpy(np.asarray(key).astype(np.int64))
    else:
        raise MXNetValueError(
            f"NDArray does not support slicing with key {key} of type {type(key)}."
        )
    return index if index.ndim else index.reshape(1)


def _every_axis(tensor: Tensor, entries: list[Any]) -> list[Any]:
    """The entries with slices for `...` and for the axes that are left out at the end."""
    used = sum(entry is not None and entry is not Ellipsis for entry in entries)
    if used > tensor.ndim:
        raise MXNetIndexError(f"too many indices ({used}) for an array of {tensor.ndim} dimensions")
    missing = [_ALL] * (tensor.ndim - used)
    places = [i for i, entry in enumerate(entries) if entry is Ellipsis]
    if not places:
        return entries + missing
    if len(places) > 1:
        raise MXNetIndexError("Cannot use more than one ellipsis (`...`) for indexing")
    return entries[: places[0]] + missing + entries[places[0] + 1 :]


def _in_bounds(entry: Any, axis: int, tensor: Tensor) -> Any:
    """A slice as the range of its indices; an index array on the array's device."""
    length = tensor.shape[axis]
    if isinstance(entry, slice):
        return range(*entry.indices(length))
    low = high = entry
    if isinstance(entry, Tensor):
        if tensor.is_cpu or entry.numel() == 0:
            return entry.to(tensor.device)  # torch checks it; on an accelerator it would abort
        low, high = (int(n) for n in entry.aminmax())
        entry = entry.to(tensor.device)
    if low < -length or high >= length:
        wrong = low if low < -length else high
        raise MXNetIndexError(f"index {wrong} is out of bounds for axis {axis} with size {length}")
    return entry


def _forward(picked: range) -> slice:
    """The elements of a range from the front."""
    if not picked:
        return slice(0, 0)
    if len(picked) == 1:
        return slice(picked[0], picked[0] + 1, 1)
    picked = picked if picked.step > 0 else picked[::-1]
    return slice(picked.start, picked.stop, picked.step)


def _advanced(entries: list[Any]) -> Selection:
    """Index arrays side by side give their axes in place of the first one's, else in front.

    Numbers are index arrays here. Where the arrays are side by side, new axes behind them are
    placed as if the arrays gave no axes: MXNet's rule, not NumPy's.
    """
    arrays = [torch.tensor([e]) if isinstance(e, int) else e for e in entries]
    places = [i for i, entry in enumerate(arrays) if isinstance(entry, Tensor)]
    together = places[-1] - places[0] + 1 == len(places)
    device = next(e.device for e in entries if isinstance(e, Tensor))
    try:
        # NumPy's: torch's imports sympy, for seconds
        block = np.broadcast_shapes(*(tuple(arrays[i].shape) for i in places))
    except ValueError as error:
        raise MXNetShapeError(f"index arrays of different shapes: {error}") from None
    keys: list[Any] = []
    shape: list[int] = [] if together else list(block)
    flips, inserts, new = [], [], 0
    for i, entry in enumerate(arrays):
        if isinstance(entry, Tensor):
            keys.append(entry.to(device))
            if together and i == places[0]:
                shape += block
        elif entry is None and together:
            inserts.append(len(shape) - (len(block) if i > places[0] else 0) + new)
            new += 1
        elif entry is None:
            keys.append(None)
            shape.append(1)
        else:
            flips += [len(shape)] if entry.step < 0 else []
            keys.append(_forward(entry))
            shape.append(len(entry))
    return Selection(tuple(keys), tuple(flips), tuple(inserts), tuple(shape), is_basic=False)
