"""Another size, a border: arrays (height, width, channels) with the pixels of MXNet's OpenCV."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from mxtorch._core.errors import MXNetShapeError, MXNetValueError, NotSupportedError
from mxtorch._pixels.opencv import plain

NEAREST, BILINEAR, BICUBIC, AREA, LANCZOS, BILINEAR_EXACT = range(6)
AUTO, ANY = 9, 10  # choices that `interp_method` makes
_BORDERS = 5  # constant, replicate, reflect, wrap, reflect without the edge
_ISOLATED = 16  # look at nothing beyond the image: for parts of larger ones
_RESIZABLE = ("uint8", "uint16", "int16", "float32", "float64")


def interp_method(interp: int, sizes: Sequence[int] = ()) -> int:
    """OpenCV's code for one of MXNet's: 9 chooses by (old h, old w, new h, new w), 10 by chance.

    The chance is Python's generator.
    """
    if interp == AUTO:
        if not sizes:
            return BICUBIC
        old_height, old_width, height, width = sizes
        if height > old_height and width > old_width:
            return BICUBIC
        return AREA if height < old_height and width < old_width else BILINEAR
    if interp == ANY:
        return random.randint(0, 4)
    if interp not in (NEAREST, BILINEAR, BICUBIC, AREA, LANCZOS):
        raise MXNetValueError(f"Unknown interp method {interp}: it must be 0 to 4, 9 or 10")
    return interp


def resize(image: np.ndarray, width: int, height: int, interp: int = BILINEAR) -> np.ndarray:
    """The image in another size. `interp`: 0 nearest, 1 bilinear, 2 bicubic, 3 area, 4 Lanczos."""
    _check(image)
    if width < 1 or height < 1:
        raise MXNetShapeError(f"the new size {width} x {height} must be 1 or more either way")
    if image.shape[:2] == (height, width):
        return image.copy()
    if interp not in range(6):
        raise MXNetValueError(f"interp={interp}: it must be 0 to 5")
    if image.dtype.name not in _RESIZABLE:
        raise NotSupportedError(
            f"images of {image.dtype} cannot be resized; convert it to uint8 or float32"
        )
    with plain() as cv2:
        resized: np.ndarray = cv2.resize(image, (width, height), interpolation=interp)
    return resized.reshape(height, width, image.shape[2])


def border(
    image: np.ndarray,
    edges: tuple[int, int, int, int],
    kind: int = 0,
    values: Sequence[float] = (),
) -> np.ndarray:
    """The image with a border of `edges` (top, bottom, left, right) pixels.

    `kind`: 0 constant (`values`, one for each channel; 0 for those left out), 1 the edge repeated,
    2 mirrored, 3 wrapped around, 4 mirrored without the edge; and 16 more, which changes nothing
    here.
    """
    _check(image)
    if min(edges) < 0:
        raise MXNetValueError(f"the border {edges} must not be negative")
    if kind & ~_ISOLATED not in range(_BORDERS):
        raise MXNetValueError(f"type={kind} must be 0 to {_BORDERS - 1}")
    if image.shape[2] > 4:
        raise MXNetShapeError(f"an image with a border has up to 4 channels, not {image.shape[2]}")
    value = (*values, 0.0, 0.0, 0.0, 0.0)[:4]
    with plain() as cv2:
        bordered: np.ndarray = cv2.copyMakeBorder(image, *edges, kind, value=value)
    return bordered.reshape(*bordered.shape[:2], image.shape[2])


def warp(
    image: np.ndarray, matrix: np.ndarray, size: tuple[int, int], interp: int, value: float
) -> np.ndarray:
    """The image moved by a 2 x 3 matrix, into `size` (width, height); `value` where nothing lands.

    Places are rounded to 32nds of a pixel, as OpenCV did until version 4.11. `interp` is 1, 2 or 4;
    3 counts as 1.
    """
    _check(image)
    across, down = _sources(matrix.astype(np.float64), *size)
    places = np.stack([across >> 5, down >> 5], axis=-1).clip(-(2**15), 2**15 - 1)
    within = (down & 31) * 32 + (across & 31)
    with plain() as cv2:
        warped: np.ndarray = cv2.remap(
            image,
            places.astype(np.int16),
            within.astype(np.uint16),
            BILINEAR if interp == AREA else interp,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(value,) * 4,
        )
    return warped.reshape(size[1], size[0], image.shape[2])


def _sources(matrix: np.ndarray, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Where each new pixel comes from, in 32nds: x and y, each (height, width)."""
    a, b, e = matrix[0]
    c, d, f = matrix[1]
    area = a * d - b * c
    scale = 1 / area if area else 0.0
    back = np.array([[d * scale, -b * scale], [-c * scale, a * scale]])
    start = -back[:, 0] * e - back[:, 1] * f
    columns = np.rint(back[:, :1] * np.arange(width) * 1024).astype(np.int64)
    rows = np.rint((back[:, 1:] * np.arange(height) + start[:, None]) * 1024).astype(np.int64) + 16
    x, y = (rows[i][:, None] + columns[i] >> 5 for i in (0, 1))
    return x, y


def _check(image: np.ndarray) -> None:
    if image.ndim != 3:
        raise MXNetShapeError(
            f"an image is (height, width, channels), got shape {tuple(image.shape)}"
        )
    if not image.size:
        raise MXNetShapeError(f"the image is empty: shape {tuple(image.shape)}")
