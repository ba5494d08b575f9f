"""torch's functions on arrays: `torch.add(x, y)` of NDArrays gives an NDArray."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.device import device_to_context
from mxtorch._core.writes import note
from mxtorch._front.handle import Handle, find_kind, wrap


def call(func: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The function on the arrays' tensors; tensors that come out become arrays of their class.

    Inside `autograd.record()` the call is part of the graph. An array that comes back as it went
    in (`out=`, functions in place) stays the object that it was.
    """
    handles = list(_handles([*args, *kwargs.values()]))
    first = handles[0]
    given = {id(h.live()): h for h in handles}

    def back(value: Any) -> Any:
        if isinstance(value, Tensor):
            if id(value) in given:
                return given[id(value)]
            ctx = first._kind.ctx
            if value.device.type != first.live().device.type:
                ctx = device_to_context(value.device)
            return wrap(find_kind(first._kind.cls, value.dtype, ctx), value)
        if isinstance(value, (list, tuple)):
            parts = [back(v) for v in value]
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        return value

    return back(func(*(_unwrap(a) for a in args), **{k: _unwrap(v) for k, v in kwargs.items()}))


def _handles(value: Any) -> Iterator[Handle]:
    if isinstance(value, Handle):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _handles(part)


def _unwrap(value: Any) -> Any:
    if isinstance(value, Handle):
        note([value.storage()])  # the function may write in place
        return value.live()
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        parts = [_unwrap(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value
