"""Operators that are OpenCV's functions: one image (height, width, channels) on the CPU.

They have no gradient, and no graph can know the shape of an image that is still encoded.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from mxtorch._core.attrs import Count, Floats, Natural
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError, NotSupportedError
from mxtorch._core.op import op
from mxtorch._pixels import codec, geometry


def _tensor(image: np.ndarray) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(image))


@op("_npi_cvimdecode")
def _cvimdecode(buf: Tensor, *, flag: Natural = 1, to_rgb: bool = True) -> Tensor:
    """The image of a file's bytes: (H, W, 3) with `flag` 1, (H, W, 1) gray with 0."""
    if buf.is_meta:
        raise NotSupportedError("the shape of an encoded image is known only once it is decoded")
    if buf.dtype is not torch.uint8 or buf.ndim != 1:
        raise MXNetTypeError("the bytes of a file must be a uint8 array of one axis")
    return _tensor(codec.decode(_numpy(buf), flag, to_rgb))


@op("_npi_cvimread")
def _cvimread(*, filename: str, flag: Natural = 1, to_rgb: bool = True) -> Tensor:
    """The image of a file: (H, W, 3) with `flag` 1, (H, W, 1) gray with 0."""
    return _tensor(codec.read(filename, flag, to_rgb))


@op("_npi_cvimresize")
def _cvimresize(src: Tensor, *, w: Count, h: Count, interp: int = 1) -> Tensor:
    """The image in another size. `interp`: 0 nearest, 1 bilinear, 2 bicubic, 3 area, 4 Lanczos."""
    return _changed(src, (h, w), lambda image: geometry.resize(image, w, h, interp))


@op(lists_input=False)
def _cvcopyMakeBorder(
    src: Tensor,
    *,
    top: int,
    bot: int,
    left: int,
    right: int,
    type: int = 0,
    value: float = 0.0,
    values: Floats = (),
) -> Tensor:
    """The image with a border: `type` 0 of `value` or of `values`, one for each channel; 1 the edge
    repeated, 2 mirrored, 3 wrapped around, 4 mirrored without the edge.
    """
    edges = (top, bot, left, right)
    fill = values or (value,) * 4
    height, width = top + bot + src.shape[0], left + right + src.shape[1]
    return _changed(src, (height, width), lambda image: geometry.border(image, edges, type, fill))


def _changed(
    src: Tensor, size: tuple[int, int], change: Callable[[np.ndarray], np.ndarray]
) -> Tensor:
    if src.ndim != 3:
        raise MXNetShapeError(
            f"an image is (height, width, channels), got shape {tuple(src.shape)}"
        )
    if src.is_meta:
        return src.new_empty((*size, src.shape[2]))
    return _tensor(change(_numpy(src)))


def _numpy(tensor: Tensor) -> np.ndarray:
    if tensor.device.type != "cpu":
        raise NotSupportedError(
            f"OpenCV works on the CPU, not on {tensor.device.type}; use x.as_in_context(mx.cpu())"
        )
    return tensor.detach().numpy()
