"""Methods of NDArray that differ from the operator of the same name: `inplace=` makes a view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor

from mxtorch._core.errors import MXNetShapeError, MXNetValueError, first_line
from mxtorch._core.op import find_op
from mxtorch._front.handle import Handle, wrap


def _viewed(array: Handle, change: Callable[[Tensor], Tensor], inplace: bool) -> Any:
    tensor = array.live()
    try:
        result = change(tensor)
    except (IndexError, RuntimeError) as error:
        raise MXNetValueError(f"{first_line(error)} (shape {tuple(tensor.shape)})") from None
    if result.ndim == 0:
        result = result.reshape(1)
    return wrap(array._kind, result if inplace else result.clone())


def _read(name: str, axis: Any) -> Any:
    """An axis as the operator of that name takes it: '1' is 1."""
    return axis if type(axis) is int else find_op(name).attrs["axis"].read(axis)


def squeeze(array: Handle, axis: Any, inplace: bool) -> Any:
    """`x.squeeze(axis, inplace)`."""
    axis = _read("squeeze", axis)
    if axis is None:
        return _viewed(array, lambda t: t.squeeze(), inplace)
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    tensor = array.storage()
    for one in axes:
        if not -tensor.ndim <= one < tensor.ndim or tensor.shape[one] != 1:
            raise MXNetShapeError(
                f"squeeze: axis {one} of shape {tuple(tensor.shape)} is not of length 1"
            )
    return _viewed(array, lambda t: t.squeeze(axes), inplace)


def expand_dims(array: Handle, axis: int, inplace: bool) -> Any:
    """`x.expand_dims(axis, inplace)`."""
    place = _read("expand_dims", axis)
    return _viewed(array, lambda t: t.unsqueeze(place), inplace)


def flatten(array: Handle, inplace: bool) -> Any:
    """`x.flatten(inplace)`."""
    return _viewed(array, lambda t: t.reshape(t.shape[0], -1), inplace)


def broadcast_to(array: Handle, shape: Any) -> Any:
    """`x.broadcast_to(shape)`: unlike in the operator, 0 is no code and axes come in front."""
    wanted = (shape,) if isinstance(shape, int) else tuple(int(n) for n in shape)
    tensor = array.live()
    own = (1,) * (len(wanted) - tensor.ndim) + tuple(tensor.shape)
    if len(own) != len(wanted) or any(a not in (1, b) for a, b in zip(own, wanted, strict=True)):
        raise MXNetShapeError(f"broadcast_to: {tuple(tensor.shape)} does not broadcast to {wanted}")
    return wrap(array._kind, tensor.expand(wanted).clone())
