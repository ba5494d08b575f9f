"""What the iterators over record files do to an image before it becomes a part of a batch.

The options are those of `mx.io.ImageRecordIter`. Random numbers come from the generator that is
handed in, in the order of the steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mxtorch._core.attrs import Shape
from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetValueError
from mxtorch._pixels import geometry
from mxtorch._pixels.chance import Chance
from mxtorch._pixels.opencv import plain

_NO_LIMIT = 1e10
# as OpenCV's order of colours has them, but of RGB, as in MXNet
_GRAY = np.array((0.114, 0.587, 0.299), np.float32)
# AlexNet's directions of light in RGB, times how far photographs vary along each
_LIGHT = np.array(
    [[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]
) * np.array([55.46, 4.794, 1.148])


@dataclass(kw_only=True, init=False, repr=False, eq=False)
class Augmentation:
    """Resize, crop at random or turn, pad, crop to `data_shape`, colour: `apply` does it."""

    data_shape: Shape
    resize: int = -1
    rand_crop: bool = False
    random_resized_crop: bool = False
    max_rotate_angle: int = 0
    max_aspect_ratio: float = 0.0
    min_aspect_ratio: float | None = None
    max_shear_ratio: float = 0.0
    max_crop_size: int = -1
    min_crop_size: int = -1
    max_random_scale: float = 1.0
    min_random_scale: float = 1.0
    max_random_area: float = 1.0
    min_random_area: float = 1.0
    max_img_size: float = _NO_LIMIT
    min_img_size: float = 0.0
    brightness: float = 0.0
    contrast: float = 0.0
    saturation: float = 0.0
    pca_noise: float = 0.0
    random_h: int = 0
    random_s: int = 0
    random_l: int = 0
    rotate: int = -1
    fill_value: int = 255
    inter_method: int = 1
    pad: int = 0

    def check(self) -> None:
        """MXNetError for options that do not go together."""
        if len(self.data_shape) != 3 or min(self.data_shape) < 1:
            raise MXNetShapeError(
                f"data_shape={self.data_shape} must be (channels, height, width), all above 0"
            )
        if self.data_shape[0] not in (1, 3, 4):
            raise MXNetShapeError(f"data_shape={self.data_shape}: images have 1, 3 or 4 channels")
        if self.inter_method not in (0, 1, 2, 3, 4, geometry.AUTO, geometry.ANY):
            raise MXNetValueError(f"inter_method={self.inter_method} must be 0 to 4, 9 or 10")
        others = self.min_crop_size != -1 or self.max_crop_size != -1 or self.rand_crop
        scales = self.min_random_scale != 1 or self.max_random_scale != 1
        if self.random_resized_crop and (others or scales):
            raise MXNetError(
                "random_resized_crop goes with none of rand_crop, min_crop_size, max_crop_size, "
                "min_random_scale, max_random_scale"
            )

    def apply(self, image: np.ndarray, random: Chance) -> np.ndarray:
        """(H, W, C) uint8 → (height, width, C) of `data_shape`."""
        height, width = image.shape[:2]
        if self.resize != -1:
            if height > width:
                image = self._resized(image, self.resize, self.resize * height // width, random)
            else:
                image = self._resized(image, self.resize * width // height, self.resize, random)
        part = self._random_part(image, random) if self.random_resized_crop else None
        if part is None:
            if self._moves() and not self.random_resized_crop:
                image = self._moved(image, random)
            if self.pad > 0:
                image = geometry.border(image, (self.pad,) * 4, 0, (self.fill_value,) * 4)
            part = self._cropped(image, random)
        return self._colored(part, random)

    # sizes ------------------------------------------------------------------------------------

    def _method(self, old: tuple[int, ...], new: tuple[int, int], random: Chance) -> int:
        """OpenCV's code for resizing from (height, width) to (height, width)."""
        if self.inter_method == geometry.ANY:
            return random.integers(0, 5)
        return geometry.interp_method(self.inter_method, (*old[:2], *new))

    def _resized(self, image: np.ndarray, width: int, height: int, random: Chance) -> np.ndarray:
        return geometry.resize(
            image, width, height, self._method(image.shape, (height, width), random)
        )

    def _ratio(self, random: Chance) -> float:
        if self.min_aspect_ratio is None:
            return random.uniform(1 - self.max_aspect_ratio, 1 + self.max_aspect_ratio)
        return random.uniform(self.min_aspect_ratio, self.max_aspect_ratio)

    def _random_part(self, image: np.ndarray, random: Chance) -> np.ndarray | None:
        """A part of random area and proportions, resized; None if ten attempts do not fit."""
        rows, columns = image.shape[:2]
        _, height, width = self.data_shape
        for _ in range(10):
            area = random.uniform(self.min_random_area, self.max_random_area) * rows * columns
            ratio = self._ratio(random)
            if ratio <= 0:
                continue
            h, w = round(math.sqrt(area / ratio)), round(math.sqrt(area * ratio))
            if 0 < h <= rows and 0 < w <= columns:
                y = random.integers(0, rows - h + 1)
                x = random.integers(0, columns - w + 1)
                return self._resized(image[y : y + h, x : x + w], width, height, random)
        return None

    def draws(self) -> int:
        """How many random numbers an image takes; where that varies, not all of them count."""
        sized = self.max_crop_size != -1 or self.min_crop_size != -1
        moved = self._moves() and not self.random_resized_crop
        colored = bool(self.random_h or self.random_s or self.random_l)
        jittered = self.brightness > 0 or self.contrast > 0 or self.saturation > 0
        return 4 * moved + sized + 2 * self.rand_crop + 5 * jittered + 3 * colored

    def _moves(self) -> bool:
        """Whether there is anything to turn, shear or stretch."""
        return (
            self.max_rotate_angle > 0
            or self.max_shear_ratio > 0
            or self.rotate > 0
            or self.min_random_scale != 1
            or self.max_random_scale != 1
            or self.min_aspect_ratio is not None
            or self.max_aspect_ratio != 0
            or self.max_img_size != _NO_LIMIT
            or self.min_img_size != 0
        )

    def _moved(self, image: np.ndarray, random: Chance) -> np.ndarray:
        """Turned, sheared and stretched around the middle, in one step."""
        shear = random.uniform(-self.max_shear_ratio, self.max_shear_ratio)
        angle = random.integers(-self.max_rotate_angle, self.max_rotate_angle + 1)
        angle = self.rotate if self.rotate > 0 else angle
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        scale = random.uniform(self.min_random_scale, self.max_random_scale)
        ratio = self._ratio(random)
        tall = 2 * scale / (1 + ratio)
        wide = ratio * tall
        rows, columns = image.shape[:2]
        width, height = (
            max(self.min_img_size, min(self.max_img_size, scale * side)) for side in (columns, rows)
        )
        matrix = np.zeros((2, 3), np.float32)
        matrix[0, :2] = tall * cos - shear * sin * wide, tall * sin + shear * cos * wide
        matrix[1, :2] = -sin * wide, cos * wide
        size = np.array([columns, rows], np.float32)
        matrix[:, 2] = (np.array([width, height], np.float32) - matrix[:, :2] @ size) / 2
        new = int(width), int(height)
        method = self._method(image.shape, new[::-1], random)
        if method == geometry.NEAREST:
            raise MXNetValueError("to turn or stretch, inter_method must be 1 to 4, 9 or 10, not 0")
        return geometry.warp(image, matrix, new, method, self.fill_value)

    def _cropped(self, image: np.ndarray, random: Chance) -> np.ndarray:
        _, height, width = self.data_shape
        if self.max_crop_size != -1 or self.min_crop_size != -1:
            rows, columns = image.shape[:2]
            if not self.min_crop_size <= self.max_crop_size <= min(rows, columns):
                raise MXNetError(
                    f"min_crop_size={self.min_crop_size}, max_crop_size={self.max_crop_size} do "
                    f"not fit an image of {columns} x {rows}"
                )
            side = random.integers(self.min_crop_size, self.max_crop_size + 1)
            return self._resized(self._part(image, side, side, random), width, height, random)
        if image.shape[0] < height or image.shape[1] < width:
            method = self._method(image.shape, (height, width), random)
        for axis, side in ((0, height), (1, width)):
            if image.shape[axis] < side:
                other = int(np.float32(side) / image.shape[axis] * image.shape[1 - axis])
                size = (other, side) if axis == 0 else (side, other)
                image = geometry.resize(image, *size, method)
        return self._part(image, height, width, random)

    def _part(self, image: np.ndarray, height: int, width: int, random: Chance) -> np.ndarray:
        """The part of that size, in the middle or with `rand_crop` anywhere."""
        y, x = image.shape[0] - height, image.shape[1] - width
        if self.rand_crop:
            y, x = random.integers(0, y + 1), random.integers(0, x + 1)
        else:
            y, x = y // 2, x // 2
        return image[y : y + height, x : x + width]

    # colours ----------------------------------------------------------------------------------

    def _colored(self, image: np.ndarray, random: Chance) -> np.ndarray:
        if self.brightness > 0 or self.contrast > 0 or self.saturation > 0:
            image = self._jittered(image, random)
        if self.random_h or self.random_s or self.random_l:
            image = self._shifted(image, random)
        if self.pca_noise > 0 and image.shape[2] == 3:
            light = _LIGHT @ np.array(random.normal(self.pca_noise, 3))
            image = _bytes(image + light)
        return image

    def _jittered(self, image: np.ndarray, random: Chance) -> np.ndarray:
        """Brightness, contrast and saturation in random order."""
        values = image.astype(np.float32)
        widths = (self.brightness, self.contrast, self.saturation)
        alphas = [1 + random.uniform(-width, width) for width in widths]
        for effect in random.order(3):
            alpha = alphas[effect]
            gray = values @ _GRAY if values.shape[2] == 3 else values[..., 0]
            rest: Any = (0.0, gray.mean(), gray[..., None])[effect]
            values = _bytes(values * alpha + rest * (1 - alpha)).astype(np.float32)
        return values.astype(np.uint8)

    def _shifted(self, image: np.ndarray, random: Chance) -> np.ndarray:
        """Hue, lightness and saturation moved."""
        limits = (self.random_h, self.random_l, self.random_s)
        shift = [random.integers(-abs(limit), abs(limit) + 1) for limit in limits]
        return shift_colors(image, shift)


def shift_colors(image: np.ndarray, shift: Sequence[int]) -> np.ndarray:
    """Hue, lightness and saturation of an RGB image moved by that many levels."""
    if image.shape[2] != 3:
        return image
    with plain() as cv2:
        hls = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_RGB2HLS).astype(int) + shift
        hls = np.clip(hls, 0, (180, 255, 255)).astype(np.uint8)
        shifted: np.ndarray = cv2.cvtColor(hls, cv2.COLOR_HLS2RGB)
    return shifted


def _bytes(values: np.ndarray) -> np.ndarray:
    whole: np.ndarray = np.clip(np.rint(values), 0, 255).astype(np.uint8)
    return whole
