"""Operators that rearrange, cut, join and repeat without computing."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxtorch._core.attrs import Axes, Count, Shape, Slots
from mxtorch._core.errors import MXNetShapeError, MXNetValueError
from mxtorch._core.op import Attrs, Dims, op
from mxtorch._ops._gradients import constant, without_gradient, without_slope
from mxtorch._ops._partial import concat as partial_concat
from mxtorch._ops._partial import expanded, reshaped, transposed, unchanged
from mxtorch._ops._partial import split as partial_split
from mxtorch._ops._partial import stack as partial_stack
from mxtorch._ops._shapes import (
    at_least_1d,
    at_least_1d_unless_np,
    even_sizes,
    flipped,
    require,
    resolve_codes,
    slice_view,
    wrap_axes,
    wrap_axis,
)


@op("reshape", method=("reshape",), view=True, infer=reshaped)
def Reshape(
    data: Tensor,
    *,
    shape: Shape = (),
    reverse: bool = False,
    target_shape: Shape = (),
    keep_highest: bool = False,
) -> Tensor:
    """The array with another shape; 0, -1, -2, -3 and -4 are shape codes.

    0 keeps an axis, -1 is worked out, -2 keeps all axes that are left, -3 merges two axes, -4
    splits one into the two numbers that follow. With `reverse` codes are matched from the right.
    `target_shape` is the older form, in which 0 is worked out.
    """
    if shape:
        return data.reshape(resolve_codes(data.shape, shape, reverse))
    wanted = list(target_shape)
    if keep_highest and wanted:
        wanted[0] = data.shape[0]
    return data.reshape([-1 if n == 0 else n for n in wanted])


@op("_npx_batch_flatten", "flatten", method=("flatten",), view=True)
def Flatten(data: Tensor) -> Tensor:
    """Two axes: the first one, and all others in one."""
    return data.reshape(data.shape[0], prod(data.shape[1:]))


def _from_front(axes: Shape) -> None:
    if axes and min(axes) < 0:
        raise MXNetValueError(f"axes are counted from the front, got {tuple(axes)}")


def _order(axes: Shape, ndim: int) -> Shape:
    _from_front(axes)
    return axes or tuple(range(ndim))[::-1]


def _transposed_copy(data: Tensor, *, axes: Shape = ()) -> Tensor:
    return torch.permute_copy(data, _order(axes, data.ndim))


@op(method=True, view=True, direct=_transposed_copy, infer=transposed)
def transpose(data: Tensor, *, axes: Shape = ()) -> Tensor:
    """The axes in the order `axes`, or reversed."""
    return data.permute(_order(axes, data.ndim))


@op("_npi_expand_dims", method=True, view=True, infer=expanded)
def expand_dims(data: Tensor, *, axis: int) -> Tensor:
    """The array with an axis of length 1 put in at `axis`."""
    return data.unsqueeze(axis)


@op(method=True, view=True, lists_input=True)
def squeeze(data: Tensor, *, axis: Axes | None = None) -> Tensor:
    """The array without its axes of length 1, or without those of `axis`."""
    if axis is None:
        return at_least_1d(data.squeeze())
    axes = wrap_axes(axis, data.ndim)
    if not isinstance(axis, int) and len(axes) != len(axis):
        raise MXNetValueError(f"axis {axis} names an axis twice")
    if any(data.shape[a] != 1 for a in axes):
        raise MXNetShapeError(f"cannot squeeze axis {axis} of {tuple(data.shape)}: it is not 1")
    return at_least_1d(data.squeeze(axes))


@op(
    "_npi_swapaxes",
    "swapaxes",
    method=("swapaxes",),
    view=True,
    output_names=("output",),
    lists_input=True,
)
def SwapAxis(data: Tensor, *, dim1: int = 0, dim2: int = 0) -> Tensor:
    """The array with two axes exchanged."""
    return data.transpose(dim1, dim2)


@op("_sparse_concat", "concat", infer=partial_concat, output_names=("output",))
def Concat(*data: Tensor, dim: int = 1) -> Tensor:
    """The arrays one after the other along axis `dim`."""
    return torch.cat(data, dim)


@op("_npi_rnn_param_concat", infer=partial_concat, output_names=("output",))
def _rnn_param_concat(*data: Tensor, dim: int = 1) -> Tensor:
    """`Concat`, for the parameters of a recurrent layer."""
    return torch.cat(data, dim)


@op(infer=partial_stack)
def stack(*data: Tensor, axis: int = 0) -> Tensor:
    """The arrays side by side along a new axis."""
    return torch.stack(data, axis)


@op(
    "split",
    method=("split",),
    outputs=lambda attrs: attrs["num_outputs"],
    output_names=lambda attrs: tuple(f"output{i}" for i in range(attrs["num_outputs"])),
    view=True,
    infer=partial_split,
    lists_input=True,
)
def SliceChannel(
    data: Tensor, *, num_outputs: Count, axis: int = 1, squeeze_axis: bool = False
) -> tuple[Tensor, ...]:
    """`num_outputs` equal pieces along `axis`; with `squeeze_axis` without that axis."""
    length = data.shape[axis]
    if length % num_outputs:
        raise MXNetShapeError(f"axis {axis} of length {length} does not split into {num_outputs}")
    return _pieces(data, [length // num_outputs] * num_outputs, axis, squeeze_axis)


def _pieces(data: Tensor, sizes: list[int], axis: int, squeeze_axis: bool) -> tuple[Tensor, ...]:
    pieces: tuple[Tensor, ...] = data.split(sizes, axis)
    if not squeeze_axis:
        return pieces
    if any(n != 1 for n in sizes):
        raise MXNetShapeError(f"squeeze_axis needs pieces of length 1, they have {sizes}")
    return tuple(at_least_1d_unless_np(piece.squeeze(axis)) for piece in pieces)


def _count_pieces(attrs: Any) -> int:
    count: int = attrs["sections"] or len(attrs["indices"])
    return count


@op("_npi_split", outputs=_count_pieces, view=True, lists_input=True)
def _split_v2(
    data: Tensor,
    *,
    indices: Shape,
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
) -> tuple[Tensor, ...]:
    """`sections` pieces along `axis`, as equal as they can be, or pieces from the `indices` on."""
    length = data.shape[axis]
    if sections:
        return _pieces(data, even_sizes(length, sections), axis, squeeze_axis)
    ends = (*indices[1:], length)
    sizes = [(end - start) if length else 0 for start, end in zip(indices, ends, strict=True)]
    return _pieces(data, sizes, axis, squeeze_axis)


@op(
    "_npi_slice",
    "_npx_slice",
    "_sparse_slice",
    "crop",
    name="slice",
    method=("slice",),
    view=True,
)
def slice_(data: Tensor, *, begin: Slots, end: Slots, step: Slots = ()) -> Tensor:
    """The part from `begin` to before `end` on each axis; None is the axis' own end."""
    view, flips = slice_view(data, begin, end, step)
    return flipped(view, flips)


def _bounds(length: int, begin: int, end: int | None) -> tuple[int, int]:
    """Where a part of an axis starts and how long it is."""
    first = begin + length if begin < 0 else begin
    last = length if end is None else end + length if end < 0 else end
    if not 0 <= first < last <= length:
        raise MXNetShapeError(f"begin={begin}, end={end} is no part of an axis of {length}")
    return first, last - first


def _sliced_copy(data: Tensor, *, axis: int, begin: int, end: int | None) -> Tensor:
    return torch.narrow_copy(data, axis, *_bounds(data.shape[axis], begin, end))


@op(method=True, view=True, direct=_sliced_copy)
def slice_axis(data: Tensor, *, axis: int, begin: int, end: int | None) -> Tensor:
    """The part from `begin` to before `end` on one axis."""
    return data.narrow(axis, *_bounds(data.shape[axis], begin, end))


@op(method=True, view=True, mixed=True)
def slice_like(data: Tensor, shape_like: Tensor, *, axes: Shape | None = ()) -> Tensor:
    """The first elements of each axis (or of those of `axes`, which may be None: of no axis), as
    many as `shape_like` has."""
    if axes is None:
        return data
    if not axes and data.ndim != shape_like.ndim:
        raise MXNetShapeError(f"without axes, {data.ndim} axes cannot be cut as {shape_like.ndim}")
    for axis in wrap_axes(axes, data.ndim) if axes else range(data.ndim):
        data = data.narrow(axis, 0, shape_like.shape[axis])
    return data


@op("_npi_tile", method=True, lists_input=True)
def tile(data: Tensor, *, reps: Shape | None) -> Tensor:
    """The whole array repeated `reps` times along each axis."""
    return data.tile(reps or ())


@op("_np_repeat", method=True, lists_input=True)
def repeat(data: Tensor, *, repeats: int, axis: int | None = None) -> Tensor:
    """Each element repeated along `axis`; without one the array is flattened first."""
    if not repeats:
        if axis is not None:
            wrap_axis(axis, data.ndim)
        return without_slope(data.new_empty(0), data)
    return data.repeat_interleave(repeats, axis)


@op("pad", method=("pad",), output_names=("output",), lists_input=True)
def Pad(
    data: Tensor,
    *,
    mode: Literal["constant", "edge", "reflect"],
    pad_width: Shape,
    constant_value: float = 0.0,
) -> Tensor:
    """The last axes of a 4-D or 5-D array made longer; `pad_width` has two numbers an axis."""
    if data.ndim not in (4, 5) or len(pad_width) != 2 * data.ndim:
        raise MXNetValueError(
            f"4-D and 5-D arrays are padded by two numbers an axis, not {data.ndim}-D ones by "
            f"{len(pad_width)}"
        )
    if any(pad_width[:4]):
        raise MXNetValueError(f"pad_width must be 0 for the first two axes, got {pad_width[:4]}")
    pairs = [pad_width[i : i + 2] for i in range(4, len(pad_width), 2)]
    widths = [n for pair in reversed(pairs) for n in pair]
    if mode == "constant":
        return F.pad(data, widths, value=constant_value)
    return F.pad(data, widths, mode="replicate" if mode == "edge" else "reflect")


@op("flip", name="reverse", method=("flip",), infer=unchanged, lists_input=True)
def reverse(data: Tensor, *, axis: Shape | None) -> Tensor:
    """The array with the given axes reversed; a graph may hold None, which does not run."""
    if axis is None:
        raise MXNetValueError("axis=None: say which axes are to be reversed")
    _from_front(axis)
    return torch.flip(data, axis)


@op(method=True, view=True)
def broadcast_to(data: Tensor, *, shape: Shape = ()) -> Tensor:
    """The array repeated along its axes of length 1; 0 keeps an axis."""
    if len(shape) != data.ndim:
        raise MXNetShapeError(f"shape={shape} must have {data.ndim} axes")
    check_lengths(shape)
    return data.expand([n or data.shape[i] for i, n in enumerate(shape)])


def check_lengths(shape: Sequence[int]) -> None:
    """Lengths to broadcast to; -1 is no length, though torch takes it for the one that is there."""
    if any(n < 0 for n in shape):
        raise MXNetShapeError(f"{tuple(shape)}: a length cannot be negative")


@op("broadcast_axes", method=("broadcast_axes",), view=True)
def broadcast_axis(data: Tensor, *, axis: Shape | None = (), size: Shape | None = ()) -> Tensor:
    """The given axes of length 1 repeated `size` times."""
    check_lengths(size or ())
    wanted = list(data.shape)
    for a, n in zip(axis or (), size or (), strict=True):
        if not 0 <= a < data.ndim or wanted[a] != 1:
            raise MXNetShapeError(f"axis {a} of {tuple(wanted)} does not have length 1")
        wanted[a] = n
    return data.expand(wanted)


@op(method=True, view=True, mixed=True)
def broadcast_like(
    lhs: Tensor, rhs: Tensor, *, lhs_axes: Axes | None = None, rhs_axes: Axes | None = None
) -> Tensor:
    """`lhs` broadcast to the shape of `rhs`, or its `lhs_axes` to the lengths of `rhs_axes`."""
    if lhs_axes is None or rhs_axes is None:
        if lhs.ndim != rhs.ndim:
            raise MXNetShapeError(f"{tuple(lhs.shape)} and {tuple(rhs.shape)}: unequal axes")
        return lhs.expand(rhs.shape)
    if lhs_axes == ():
        raise MXNetShapeError("lhs_axes=(): no axis is named")
    left = (lhs_axes,) if isinstance(lhs_axes, int) else lhs_axes
    right = (rhs_axes,) if isinstance(rhs_axes, int) else rhs_axes
    wanted = list(lhs.shape)
    for a, b in zip(left, right, strict=True):
        wanted[a] = rhs.shape[b]
    return lhs.expand(wanted)


@op("_npx_reshape_like", method=True, view=True, mixed=True)
def reshape_like(
    lhs: Tensor,
    rhs: Tensor,
    *,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
) -> Tensor:
    """`lhs` in the shape of `rhs`; with bounds, some of its axes in the shape of some of those."""
    if lhs_begin is lhs_end is rhs_begin is rhs_end is None:
        return lhs.reshape(rhs.shape)
    first, last = _between(lhs_begin, lhs_end, lhs.ndim)
    start, stop = _between(rhs_begin, rhs_end, rhs.ndim)
    return lhs.reshape(lhs.shape[:first] + rhs.shape[start:stop] + lhs.shape[last:])


def _between(begin: int | None, end: int | None, ndim: int) -> tuple[int, int]:
    """Axes from `begin` to before `end`, which must be there."""
    bounds = 0 if begin is None else begin, ndim if end is None else end
    first, last = (n + ndim if n < 0 else n for n in bounds)
    if not 0 <= first <= last <= ndim:
        raise MXNetShapeError(f"there are no axes from {begin} to {end} of {ndim}")
    return first, last


@op(method=True, view=True, lists_input=True)
def depth_to_space(data: Tensor, *, block_size: int) -> Tensor:
    """Channels moved into blocks of space; a channel number is (row, column, channel left)."""
    b = block_size
    n, c, h, w = data.shape
    blocks = data.reshape(n, b, b, c // b**2, h, w).permute(0, 3, 4, 1, 5, 2)
    return blocks.reshape(n, c // b**2, h * b, w * b)


@op(method=True, view=True, lists_input=True)
def space_to_depth(data: Tensor, *, block_size: int) -> Tensor:
    """Blocks of space moved into channels, numbered (row, column, channel before)."""
    b = block_size
    n, c, h, w = data.shape
    blocks = data.reshape(n, c, h // b, b, w // b, b).permute(0, 3, 5, 1, 2, 4)
    return blocks.reshape(n, c * b * b, h // b, w // b)


@op(method=True, view=True, lists_input=True)
def diag(data: Tensor, *, k: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The k-th diagonal of two axes, put last; of a vector the matrix with that diagonal."""
    if data.ndim == 1:
        return torch.diag(data, k)
    result = torch.diagonal(data, k, axis1, axis2)
    length = min(data.shape[axis1] + min(k, 0), data.shape[axis2] - max(k, 0))
    if data.numel() and length < 0:
        raise MXNetValueError(f"there is no diagonal k={k} of {tuple(data.shape)}")
    return result


@op(count="num_args", view=True, output_names=("output",))
def Crop(
    *data: Tensor,
    offset: Shape = (0, 0),
    h_w: Shape = (0, 0),
    center_crop: bool = False,
) -> Tensor:
    """Height and width of the first array cut to those of the second, or to `h_w`."""
    if len(data) > 2 or any(array.ndim != 4 for array in data):
        shapes = ", ".join(str(tuple(array.shape)) for array in data)
        raise MXNetShapeError(f"takes one or two arrays of 4 axes, got {shapes}")
    image = data[0]
    height, width = data[1].shape[2:4] if len(data) > 1 else h_w[:2]
    top, left = offset[:2]
    rows, columns = image.shape[2] - height, image.shape[3] - width
    if center_crop:
        top, left = rows // 2, columns // 2
    if min(height, width) < 1 or not (0 <= top <= rows and 0 <= left <= columns):
        raise MXNetShapeError(
            f"{height} x {width} at {(top, left)} does not lie in {tuple(image.shape)}"
        )
    return image[:, :, top : top + height, left : left + width]


def _assigned_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    lhs, rhs = shapes
    if rhs is None and lhs is not None:
        whole = torch.empty(lhs, device="meta")
        part, _ = slice_view(whole, attrs["begin"], attrs["end"], attrs["step"])
        rhs = tuple(part.shape)
    return [lhs, rhs]


@op("_crop_assign", "_npi_slice_assign", fill=_assigned_shapes)
@without_gradient
def _slice_assign(
    lhs: Tensor, rhs: Tensor, *, begin: Slots, end: Slots, step: Slots = ()
) -> Tensor:
    """`lhs` with the values of `rhs` in the part from `begin` to before `end`."""
    result = lhs.clone()
    view, flips = slice_view(result, begin, end, step)
    require(view.shape == rhs.shape, view, rhs, needs="one shape")
    view.copy_(flipped(rhs, flips))
    return result


@op("_crop_assign_scalar", "_npi_slice_assign_scalar")
@without_gradient
def _slice_assign_scalar(
    data: Tensor, *, scalar: float = 0.0, begin: Slots, end: Slots, step: Slots = ()
) -> Tensor:
    """`data` with a number in the part from `begin` to before `end`."""
    result = data.clone()
    slice_view(result, begin, end, step)[0].fill_(scalar)
    return result


@op("_npx_shape_array", method=True)
@constant
def shape_array(data: Tensor) -> Tensor:
    """The lengths of the axes, int64."""
    return torch.tensor(data.shape, dtype=torch.int64, device=data.device)


@op(method=True)
@constant
def size_array(data: Tensor) -> Tensor:
    """The number of elements, int64, shape (1,)."""
    return torch.tensor([data.numel()], dtype=torch.int64, device=data.device)
