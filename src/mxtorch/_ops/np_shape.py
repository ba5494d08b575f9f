"""Shapes of `mx.np` arrays: reshaping, joining, splitting, repeating."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Annotated, Any, Literal

import torch
from torch import Tensor

from mxtorch._core.attrs import Axes, IntKind, Shape, TupleKind
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError, MXNetValueError
from mxtorch._core.op import op, rows
from mxtorch._core.pending import Function
from mxtorch._ops._gradients import follows, run_function, without_slope
from mxtorch._ops._shapes import even_sizes, wrap_axis
from mxtorch._ops.shape import _count_pieces

Dims = tuple[int, ...]


def _checked(source: Dims, wanted: Sequence[int]) -> Dims:
    """The shape with its one -1 worked out."""
    shape = list(wanted)
    if shape.count(-1) > 1 or min(shape, default=0) < -1:
        raise MXNetShapeError(f"{tuple(wanted)} is no shape: only one axis may be -1, none less")
    total = prod(source)
    if -1 in shape:
        known = prod(n for n in shape if n != -1)
        if not known:
            raise MXNetShapeError(f"the -1 of {tuple(wanted)} may be any length: 0 is beside it")
        shape[shape.index(-1)] = total // known
    if prod(shape) != total:
        raise MXNetShapeError(f"cannot reshape array of size {total} into shape {tuple(wanted)}")
    return tuple(shape)


def check_order(order: str) -> None:
    """Memory is in C order throughout."""
    if order != "C":
        raise MXNetValueError(f"order={order!r} is not supported; use 'C'")


@op(view=True)
def _np_reshape(a: Tensor, *, newshape: Shape, order: str = "C") -> Tensor:
    """The array in another shape; one axis may be -1."""
    return a.reshape(_checked(tuple(a.shape), newshape))


def resolve_np_codes(source: Dims, codes: Sequence[int]) -> Dims:
    """The shape that `npx.reshape`'s codes name: -1 is worked out, -2 keeps an axis, -3 drops one
    of length 1, -4 keeps all that are left, -5 merges two, -6 splits one into the next two."""
    if list(codes).count(-1) > 1:
        raise MXNetShapeError(f"{tuple(codes)} is no shape: only one number may be -1")
    result: list[int] = []
    left = list(source)
    todo = list(codes)

    def take() -> int:
        if not left:
            raise MXNetShapeError(f"{tuple(codes)} asks for more axes than {source} has")
        return left.pop(0)

    while todo:
        code = todo.pop(0)
        if code >= -1:
            result.append(code)
            del left[:1]
        elif code == -2:
            result.append(take())
        elif code == -3:
            if (length := take()) != 1:
                raise MXNetShapeError(f"-3 drops axes of length 1, this one has {length}")
        elif code == -4:
            result += left
            left = []
        elif code == -5:
            result.append(take() * take())
        elif code == -6:
            result += _split_axis(take(), todo, codes)
        else:
            raise MXNetValueError(f"{code} is not a shape code (-1 to -6)")
    return _checked(source, result)


def _split_axis(length: int, todo: list[int], codes: Sequence[int]) -> list[int]:
    if len(todo) < 2:
        raise MXNetValueError(f"-6 in {tuple(codes)} must be followed by two numbers")
    first, second = todo.pop(0), todo.pop(0)
    if first == second == -1:
        raise MXNetValueError("only one of the numbers after -6 may be -1")
    first = length // second if first == -1 else first
    second = length // first if second == -1 else second
    if first * second != length:
        raise MXNetShapeError(f"an axis of {length} does not split into {first} and {second}")
    return [first, second]


@op("_npi_reshape", view=True)
def _npx_reshape(a: Tensor, *, newshape: Shape, reverse: bool = False, order: str = "C") -> Tensor:
    """The array in the shape that the codes name; with `reverse` they are read from the right."""
    source = tuple(a.shape)
    if reverse:
        return a.reshape(resolve_np_codes(source[::-1], newshape[::-1])[::-1])
    return a.reshape(resolve_np_codes(source, newshape))


@op(view=True)
def _np_transpose(a: Tensor, *, axes: Shape | None = None) -> Tensor:
    """The axes in another order; without `axes` reversed."""
    if axes is None:
        return a.permute(tuple(reversed(range(a.ndim))))
    if len(axes) != a.ndim:
        raise MXNetShapeError(f"axes={axes} do not name the {a.ndim} axes of the array")
    return a.permute(axes)


@op(view=True)
def _np_squeeze(a: Tensor, *, axis: Axes | None = None) -> Tensor:
    """The array without axes of length 1, or without those named."""
    if axis is None:
        return a.squeeze()
    axes = [wrap_axis(d, a.ndim) for d in ((axis,) if isinstance(axis, int) else axis)]
    for d in axes:
        if a.shape[d] != 1:
            raise MXNetShapeError(f"axis {d} has length {a.shape[d]}; only those of 1 can go")
    return a.squeeze(tuple(axes))


@op(view=True)
def _np_moveaxis(a: Tensor, *, source: Shape, destination: Shape) -> Tensor:
    """Axes moved to other places."""
    return torch.movedim(a, source, destination)


@op(view=True)
def _np_copy(a: Tensor) -> Tensor:
    """The same values in an array of their own."""
    return a


@op()
def _np_roll(data: Tensor, *, shift: Axes | None = None, axis: Axes | None = None) -> Tensor:
    """The elements moved along an axis; what leaves at the end comes in at the front."""
    if shift is None:
        raise MXNetTypeError("shift must be given")
    return torch.roll(data, shift, () if axis is None else axis)


@op()
def _npi_flip(data: Tensor, *, axis: Axes | None) -> Tensor:
    """The array with the given axes (None: all) reversed."""
    everywhere = tuple(range(data.ndim))
    axes = everywhere if axis is None else (axis,) if isinstance(axis, int) else axis
    return torch.flip(data, [wrap_axis(d, data.ndim) for d in axes])


@op(gradient="turned in the direction of forward, as in MXNet 1.9.1")
def _npi_rot90(data: Tensor, *, k: int = 1, axes: Shape | None = None) -> Tensor:
    """Turned by k quarters in the plane of two axes; the gradient is turned the same way."""
    plane = axes or (0, 1)
    if not follows(data):
        return torch.rot90(data, k, plane).contiguous()
    return run_function(_Turned, data, k, plane)


class _Turned(Function):
    """MXNet 1.9.1 turns the gradient forward too, not back."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, k: int, plane: Dims) -> Tensor:
        ctx.how = k, plane
        return torch.rot90(data, k, plane).contiguous()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        return torch.rot90(gradient, *ctx.how), None, None


@op(view=True)
def _npi_broadcast_to(array: Tensor, *, shape: Shape = ()) -> Tensor:
    """The array repeated along axes of length 1 and new leading ones up to `shape`; -2 keeps."""
    lead = len(shape) - array.ndim
    if lead < 0 or any(
        own not in (1, n) and n != -2 for own, n in zip(array.shape, shape[lead:], strict=False)
    ):
        raise MXNetShapeError(f"shape {tuple(array.shape)} does not broadcast to {tuple(shape)}")
    own = (1,) * lead + tuple(array.shape)
    return array.expand([o if n == -2 else n for o, n in zip(own, shape, strict=True)])


# joining ------------------------------------------------------------------------------------------


def _one_type(data: Sequence[Tensor]) -> None:
    if not data:
        raise MXNetValueError("there must be at least one array")


def joined(data: Sequence[Tensor], axis: int) -> Tensor:
    """The arrays one after the other; torch alone would take empty vectors of any shape."""
    _one_type(data)
    axis = wrap_axis(axis, data[0].ndim)
    rest = {(*t.shape[:axis], *t.shape[axis + 1 :]) for t in data}
    if len(rest) > 1 or len({t.ndim for t in data}) > 1:
        shapes = ", ".join(str(tuple(t.shape)) for t in data)
        raise MXNetShapeError(f"the shapes {shapes} differ beside axis {axis}")
    return torch.cat(list(data), axis)


@op(output_names=("out",))
def _npi_concatenate(*data: Tensor, axis: int | None = 0) -> Tensor:
    """The arrays one after the other along `axis`; None: all elements in one row."""
    if axis is None:
        return torch.cat([t.reshape(-1) for t in data])
    return joined(data, axis)


@op()
def _npi_stack(*data: Tensor, axis: int = 0) -> Tensor:
    """The arrays beside one another along a new axis."""
    _one_type(data)
    if len({t.shape for t in data}) > 1:
        shapes = ", ".join(str(tuple(t.shape)) for t in data)
        raise MXNetShapeError(f"arrays that are stacked must have one shape, got {shapes}")
    return torch.stack(data, axis)


@op()
def _npi_vstack(*data: Tensor) -> Tensor:
    """The arrays below one another; vectors are rows."""
    return joined([torch.atleast_2d(t) for t in data], 0)


@op(output_names=("out",))
def _npi_hstack(*data: Tensor, dim: int = 1) -> Tensor:
    """The arrays side by side: along the second axis, vectors along the first."""
    _one_type(data)
    arrays = [torch.atleast_1d(t) for t in data]
    return joined(arrays, 0 if arrays[0].ndim == 1 else 1)


@op(output_names=("out",))
def _npi_dstack(*data: Tensor, dim: int = 1) -> Tensor:
    """The arrays one behind the other, along the third axis."""
    return joined([torch.atleast_3d(t) for t in data], 2)


@op()
def _npi_column_stack(*data: Tensor) -> Tensor:
    """Vectors as columns, and matrices, side by side."""
    return joined([t.reshape(-1, 1) if t.ndim < 2 else t for t in data], 1)


def _at_least(fn: Callable[..., Tensor], count: int) -> Callable[..., Any]:
    def body(*arys: Tensor) -> tuple[Tensor, ...]:
        return tuple(without_slope(fn(t), t) for t in arys)

    body.__doc__ = f"Each array with at least {count} axes."
    return body


def _arrays_given(attrs: Any) -> int:
    count: int = attrs["num_args"]
    return count


# splitting ----------------------------------------------------------------------------------------


def _pieces(data: Tensor, axis: int, indices: Dims, sections: int) -> tuple[Tensor, ...]:
    length = data.shape[axis]
    if sections:
        sizes = even_sizes(length, sections)
    else:
        starts = [min(i, length) for i in indices]
        sizes = [max(b - a, 0) for a, b in zip(starts, (*starts[1:], length), strict=True)]
    pieces: tuple[Tensor, ...] = data.split(sizes, axis)
    return pieces


def _splitting(axis_of: Callable[[Tensor], int], text: str) -> Callable[..., Any]:
    def body(
        data: Tensor,
        *,
        indices: Shape,
        axis: int = 1,
        squeeze_axis: bool = False,
        sections: int = 0,
    ) -> tuple[Tensor, ...]:
        return _pieces(data, axis_of(data), indices, sections)

    body.__doc__ = f"Pieces along the {text} axis."
    return body


rows(
    _splitting,
    ("_npi_hsplit", lambda t: 0 if t.ndim == 1 else 1, "second"),
    ("_npi_dsplit", lambda t: 2, "third"),
    outputs=_count_pieces,
    view=True,
)


# diagonals and padding ----------------------------------------------------------------------------


@op(view=True)
def _np_diag(data: Tensor, *, k: int = 0) -> Tensor:
    """The k-th diagonal of a matrix, or a matrix with the vector on that diagonal."""
    if data.ndim not in (1, 2):
        raise MXNetShapeError(f"diag takes a vector or a matrix, got {data.ndim} axes")
    return torch.diag(data, k)


@op()
def _np_diagflat(data: Tensor, *, k: int = 0) -> Tensor:
    """A matrix with all elements on its k-th diagonal."""
    return torch.diagflat(data, k)


@op(view=True)
def _np_diagonal(data: Tensor, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonals of the planes of two axes."""
    return torch.diagonal(data, offset, axis1, axis2)


@op()
def _np_trace(data: Tensor, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The sums of the diagonals of the planes of two axes."""
    return torch.diagonal(data, offset, axis1, axis2).sum(-1, dtype=data.dtype)


@op()
def _npi_tril(data: Tensor, *, k: int = 0) -> Tensor:
    """The matrices with zeros above their k-th diagonal."""
    if data.ndim == 1:
        return torch.tril(data.expand(len(data), -1), k)
    return torch.tril(data, k)


PadWidth = Annotated[tuple[Dims, ...], TupleKind(TupleKind(IntKind()))]


@op()
def _npi_pad(
    data: Tensor,
    *,
    pad_width: PadWidth,
    mode: Literal["constant", "edge", "maximum", "minimum", "reflect", "symmetric"] = "constant",
    constant_value: float = 0.0,
    reflect_type: str = "even",
) -> Tensor:
    """The array made longer by (before, after) on each axis."""
    if len(pad_width) != data.ndim:
        raise MXNetShapeError(f"pad_width has {len(pad_width)} pairs, the array {data.ndim} axes")
    if reflect_type != "even":
        raise MXNetValueError("only reflect_type='even' is supported")
    for axis, (before, after) in enumerate(pad_width):
        if before or after:
            data = _pad_axis(data, axis, before, after, mode, constant_value)
    return data.clone() if not any(map(any, pad_width)) else data


def _pad_axis(data: Tensor, axis: int, before: int, after: int, mode: str, fill: float) -> Tensor:
    length = data.shape[axis]
    if mode == "constant":
        parts = []
        for count in (before, after):
            shape = list(data.shape)
            shape[axis] = count
            parts.append(data.new_full(shape, fill))
        return torch.cat([parts[0], data, parts[1]], axis)
    if mode in ("maximum", "minimum"):
        fn = torch.amax if mode == "maximum" else torch.amin
        value = fn(data, axis, True)
        edges = [value.repeat_interleave(n, axis) for n in (before, after)]
        return torch.cat([edges[0], data, edges[1]], axis)
    place = torch.arange(-before, length + after, device=data.device)
    if mode == "edge":
        place = place.clamp(0, length - 1)
    elif mode == "symmetric":
        place = place % (2 * length)
        place = torch.where(place < length, place, 2 * length - 1 - place)
    elif length > 1:
        place = place % (2 * length - 2)
        place = torch.where(place < length, place, 2 * length - 2 - place)
    else:
        place = torch.zeros_like(place)
    return data.index_select(axis, place)


rows(
    _at_least,
    ("_np_atleast_1d", torch.atleast_1d, 1),
    ("_np_atleast_2d", torch.atleast_2d, 2),
    ("_np_atleast_3d", torch.atleast_3d, 3),
    outputs=_arrays_given,
    view=True,
    gradient="zero: MXNet 1.9.1 has none for atleast_1d, atleast_2d and atleast_3d",
)
