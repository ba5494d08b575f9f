"""Functions of one image: an NDArray (height, width, channels), RGB."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from mxtorch import ndarray as nd
from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import find_op
from mxtorch._front.handle import wrap_new
from mxtorch._pixels.geometry import interp_method as _get_interp_method
from mxtorch.ndarray._namespace import make
from mxtorch.ndarray.ndarray import NDArray
from mxtorch.ndarray.numpy._array import in_mode

_cvimread, _cvimdecode, _cvimresize = (
    make(find_op(name)) for name in ("_cvimread", "_cvimdecode", "_cvimresize")
)
Size = Sequence[int]  # (width, height)
Crop = tuple[int, int, int, int]  # (x, y, width, height)


def imread(filename: Any, *args: Any, **kwargs: Any) -> NDArray:
    """The image of a file, (H, W, 3) uint8: `imread(filename, flag=1, to_rgb=True)`.

    `flag=0` gives (H, W, 1) in gray, `to_rgb=False` BGR. A turn noted in the file (EXIF) is not
    applied. The result is on cpu(0). MXNetError where there is no image.
    """
    where = {"ctx": Context("cpu", 0)}
    image: NDArray = in_mode(_cvimread(str(filename), *args, **{**where, **kwargs}))
    return image


def imdecode(buf: Any, *args: Any, **kwargs: Any) -> NDArray:
    """The image of a file's bytes: `imdecode(buf, flag=1, to_rgb=True)`; see `imread`.

    `buf`: bytes, bytearray, a uint8 array.
    """
    if not isinstance(buf, NDArray):
        if not isinstance(buf, (bytes, bytearray, np.ndarray)):
            raise ValueError(
                "buf must be of type bytes, bytearray or numpy.ndarray, "
                f"not {type(buf).__name__}; if it is text, encode it"
            )
        data = torch.from_numpy(np.frombuffer(buf, np.uint8).copy())
        buf = in_mode(wrap_new(NDArray, data, Context("cpu", 0)))
    image: NDArray = _cvimdecode(buf, *args, **kwargs)
    return image


def imresize(src: NDArray, w: int, h: int, *args: Any, **kwargs: Any) -> NDArray:
    """The image in another size: `imresize(src, w, h, interp=1)`.

    `interp`: 0 nearest, 1 bilinear, 2 bicubic, 3 area, 4 Lanczos. uint8, float32 or float64.
    """
    resized: NDArray = _cvimresize(src, w, h, *args, **kwargs)
    return resized


# The image with a border of top, bot, left, right pixels: see the operator.
copyMakeBorder = make(find_op("_cvcopyMakeBorder"))


def scale_down(src_size: Size, size: Size) -> tuple[int, int]:
    """The size (width, height), made smaller, in proportion, where it exceeds `src_size`."""
    width, height = map(float, size)
    most_width, most_height = src_size
    if most_height < height:
        width, height = width * most_height / height, most_height
    if most_width < width:
        width, height = most_width, height * most_width / width
    return int(width), int(height)


def resize_short(src: NDArray, size: int, interp: int = 2) -> NDArray:
    """The image in the size whose shorter side is `size`, its proportions kept.

    `interp` 9 chooses by the sizes, 10 by chance; the others are those of `imresize`.
    """
    old_height, old_width, _ = src.shape
    if old_height > old_width:
        height, width = size * old_height // old_width, size
    else:
        height, width = size, size * old_width // old_height
    method = _get_interp_method(interp, (old_height, old_width, height, width))
    return imresize(src, width, height, interp=method)


def fixed_crop(
    src: Any, x0: int, y0: int, w: int, h: int, size: Size | None = None, interp: int = 2
) -> Any:
    """The part of `w` x `h` at (x0, y0), then resized to `size` (width, height) if that differs."""
    out = src[y0 : y0 + h, x0 : x0 + w]
    if size is None or (w, h) == (size[0], size[1]):
        return out
    method = _get_interp_method(interp, (h, w, size[1], size[0]))
    return imresize(out, *size, interp=method)


def random_crop(src: NDArray, size: Size, interp: int = 2) -> tuple[NDArray, Crop]:
    """A part at a place from Python's generator, (image, (x, y, width, height)).

    The part has `size` (width, height); a smaller image gives what it has, enlarged.
    """
    height, width, _ = src.shape
    new_width, new_height = scale_down((width, height), size)
    x = random.randint(0, width - new_width)
    y = random.randint(0, height - new_height)
    return fixed_crop(src, x, y, new_width, new_height, size, interp), (x, y, new_width, new_height)


def center_crop(src: NDArray, size: Size, interp: int = 2) -> tuple[NDArray, Crop]:
    """The middle: (image, (x, y, width, height)); see `random_crop`."""
    height, width, _ = src.shape
    new_width, new_height = scale_down((width, height), size)
    x, y = int((width - new_width) / 2), int((height - new_height) / 2)
    return fixed_crop(src, x, y, new_width, new_height, size, interp), (x, y, new_width, new_height)


def color_normalize(src: Any, mean: Any, std: Any = None) -> Any:
    """(src - mean) / std, in `src` itself; None leaves that step out."""
    if mean is not None:
        src -= mean
    if std is not None:
        src /= std
    return src


def random_size_crop(
    src: NDArray,
    size: Size,
    area: float | Sequence[float],
    ratio: Sequence[float],
    interp: int = 2,
    **kwargs: Any,
) -> tuple[NDArray, Crop]:
    """A part of random area and proportions, resized to `size`: (image, (x, y, width, height)).

    `area`: limits of its share of the image, or the lower one; `ratio`: limits of width / height.
    Draws from Python's generator; where ten attempts do not fit, the middle is taken.
    """
    height, width, _ = src.shape
    if "min_area" in kwargs:
        area = kwargs.pop("min_area")
    assert not kwargs, "unexpected keyword arguments for `random_size_crop`."
    low, high = (area, 1.0) if isinstance(area, (int, float)) else area
    for _ in range(10):
        wanted = random.uniform(low, high) * height * width
        new_ratio = np.exp(random.uniform(np.log(ratio[0]), np.log(ratio[1])))
        new_width = round(np.sqrt(wanted * new_ratio))
        new_height = round(np.sqrt(wanted / new_ratio))
        if new_width <= width and new_height <= height:
            x = random.randint(0, width - new_width)
            y = random.randint(0, height - new_height)
            part = fixed_crop(src, x, y, new_width, new_height, size, interp)
            return part, (x, y, new_width, new_height)
    return center_crop(src, size, interp)


def imrotate(
    src: NDArray, rotation_degrees: Any, zoom_in: bool = False, zoom_out: bool = False
) -> NDArray:
    """Images (C, H, W) or (N, C, H, W) of float32, turned around their middle; outside it is 0.

    `rotation_degrees`: a number, or an NDArray with one for each of N images. `zoom_in` enlarges
    until no corner is empty, `zoom_out` shrinks until nothing is cut off.
    """
    if zoom_in and zoom_out:
        raise ValueError("`zoom_in` and `zoom_out` cannot be both True")
    if src.dtype is not np.float32:
        raise TypeError("Only `float32` images are supported by this function")
    if src.ndim not in (3, 4):
        raise ValueError("Only 3D and 4D are supported by this function")
    images = src.storage() if src.ndim == 4 else src.storage()[None]
    degrees = _degrees(src, rotation_degrees)
    grid = _turned_grid(images.shape[2], images.shape[3], degrees, zoom_in, zoom_out)
    turned = torch.nn.functional.grid_sample(
        images, grid, mode="bilinear", padding_mode="zeros", align_corners=True
    )
    return wrap_new(type(src), turned if src.ndim == 4 else turned[0], src.context)


def _degrees(src: NDArray, rotation_degrees: Any) -> torch.Tensor:
    if src.ndim == 3:
        if not isinstance(rotation_degrees, (int, float, np.number)):
            raise TypeError(
                "When a single image is passed the rotation angle is required to be a scalar."
            )
        return src.storage().new_tensor([float(rotation_degrees)])
    if isinstance(rotation_degrees, (int, float, np.number)):
        return src.storage().new_full((len(src),), float(rotation_degrees))
    degrees: torch.Tensor = rotation_degrees.as_in_context(src.context).storage().float()
    if degrees.numel() != len(src):
        raise MXNetShapeError(
            "The number of images must be equal to the number of rotation angles: "
            f"{len(src)} images, {degrees.numel()} angles"
        )
    return degrees.reshape(-1)


def _turned_grid(
    height: int, width: int, degrees: torch.Tensor, zoom_in: bool, zoom_out: bool
) -> torch.Tensor:
    """Where each new pixel comes from: (N, H, W, 2), -1 and 1 being the middles of the edges."""
    radians = degrees * math.pi / 180
    cos, sin = radians.cos()[:, None, None], radians.sin()[:, None, None]
    half_height, half_width = (height - 1) / 2, (width - 1) / 2
    y = (torch.arange(height).to(degrees) - half_height)[:, None]
    x = (torch.arange(width).to(degrees) - half_width)[None, :]
    new_x, new_y = x * cos - y * sin, x * sin + y * cos
    if zoom_in or zoom_out:
        across = (width * cos.abs() + height * sin.abs()) / width
        down = (width * sin.abs() + height * cos.abs()) / height
        factor = torch.maximum(across, down)
        factor = 1 / factor if zoom_in else factor
        new_x, new_y = new_x * factor, new_y * factor
    return torch.stack([new_x / half_width, new_y / half_height], dim=-1)


def random_rotate(
    src: NDArray, angle_limits: Sequence[float], zoom_in: bool = False, zoom_out: bool = False
) -> NDArray:
    """`imrotate` by angles from NumPy's generator, one for each image, between two limits."""
    low, high = angle_limits
    if src.ndim == 3:
        angle: Any = np.random.uniform(low, high)
    else:
        angle = nd.array(np.random.uniform(low, high, size=len(src)))
    return imrotate(src, angle, zoom_in=zoom_in, zoom_out=zoom_out)
