"""What `mx.io.ImageDetRecordIter` does to an image with objects before it joins a batch.

Objects are rows: a class, then left, top, right, bottom as parts of the image's sides, then
whatever else. Random numbers come from the generator that is handed in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from mxtorch._core.attrs import Floats, Shape
from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetValueError
from mxtorch._pixels import geometry
from mxtorch._pixels.augment import shift_colors

Random = np.random.Generator
_ACROSS, _DOWN = (1, 3), (2, 4)


class _Sampler(NamedTuple):
    """One way to choose a crop: limits of its size, proportions, and of what it must cover."""

    scales: tuple[float, float]
    ratios: tuple[float, float]
    overlaps: tuple[float, float]
    samples: tuple[float, float]
    objects: tuple[float, float]
    trials: int


@dataclass(kw_only=True, init=False, repr=False, eq=False)
class ObjectAugmentation:
    """Colours, mirror, pad, crop, resize to `data_shape`: `apply` does it."""

    data_shape: Shape
    resize: int = -1
    rand_crop_prob: float = 0.0
    min_crop_scales: Floats = (0.0,)
    max_crop_scales: Floats = (1.0,)
    min_crop_aspect_ratios: Floats = (1.0,)
    max_crop_aspect_ratios: Floats = (1.0,)
    min_crop_overlaps: Floats = (0.0,)
    max_crop_overlaps: Floats = (1.0,)
    min_crop_sample_coverages: Floats = (0.0,)
    max_crop_sample_coverages: Floats = (1.0,)
    min_crop_object_coverages: Floats = (0.0,)
    max_crop_object_coverages: Floats = (1.0,)
    num_crop_sampler: int = 1
    crop_emit_mode: Literal["center", "overlap"] = "center"
    emit_overlap_thresh: float = 0.300000012
    max_crop_trials: Shape = (25,)
    rand_pad_prob: float = 0.0
    max_pad_scale: float = 1.0
    max_random_hue: int = 0
    random_hue_prob: float = 0.0
    max_random_saturation: int = 0
    random_saturation_prob: float = 0.0
    max_random_illumination: int = 0
    random_illumination_prob: float = 0.0
    max_random_contrast: float = 0.0
    random_contrast_prob: float = 0.0
    rand_mirror_prob: float = 0.0
    fill_value: int = 127
    inter_method: int = 1
    resize_mode: Literal["fit", "force", "shrink"] = "force"

    def check(self) -> None:
        """MXNetError for options that are not possible."""
        if (
            len(self.data_shape) != 3
            or min(self.data_shape) < 1
            or self.data_shape[0] not in (1, 3)
        ):
            raise MXNetShapeError(
                f"data_shape={self.data_shape} must be (1 or 3, height, width), all above 0"
            )
        if self.inter_method not in (0, 1, 2, 3, 4, geometry.AUTO, geometry.ANY):
            raise MXNetValueError(f"inter_method={self.inter_method} must be 0 to 4, 9 or 10")
        self._samplers = self._read_samplers() if self.rand_crop_prob > 0 else []

    def _read_samplers(self) -> list[_Sampler]:
        pairs = (
            ("crop_scales", self.min_crop_scales, self.max_crop_scales),
            ("crop_aspect_ratios", self.min_crop_aspect_ratios, self.max_crop_aspect_ratios),
            ("crop_overlaps", self.min_crop_overlaps, self.max_crop_overlaps),
            (
                "crop_sample_coverages",
                self.min_crop_sample_coverages,
                self.max_crop_sample_coverages,
            ),
            (
                "crop_object_coverages",
                self.min_crop_object_coverages,
                self.max_crop_object_coverages,
            ),
        )
        count = self.num_crop_sampler
        limits = []
        for name, low, high in pairs:
            each = zip(_spread(low, count, f"min_{name}"), _spread(high, count, name), strict=True)
            limits.append(list(each))
            if any(least > most for least, most in limits[-1]):
                raise MXNetValueError(f"min_{name}={low} must not be above max_{name}={high}")
        if any(least == most for least, most in limits[0]):
            raise MXNetValueError("max_crop_scales must be above min_crop_scales")
        trials = _spread(self.max_crop_trials, count, "max_crop_trials")
        return [_Sampler(*row) for row in zip(*limits, map(int, trials), strict=True)]

    def apply(
        self, image: np.ndarray, objects: np.ndarray, random: Random
    ) -> tuple[np.ndarray, np.ndarray]:
        """An image (H, W, C) that fits into `data_shape`, and its objects."""
        objects = objects.copy()
        if self.resize > 0:
            height, width = image.shape[:2]
            short = min(height, width)
            size = self.resize * width // short, self.resize * height // short
            image = self._resized(image, *size, random)
        image = self._colored(image, random)
        if random.random() < self.rand_mirror_prob:
            image = np.ascontiguousarray(image[:, ::-1])
            objects[:, _ACROSS] = 1 - objects[:, _ACROSS[::-1]]
        if self.max_pad_scale > 1 and random.random() < self.rand_pad_prob:
            image, objects = self._padded(image, objects, random)
        if random.random() < self.rand_crop_prob:
            image, objects = self._cropped(image, objects, random)
        return self._fitted(image, random), objects

    def _resized(self, image: np.ndarray, width: int, height: int, random: Random) -> np.ndarray:
        if self.inter_method == geometry.ANY:
            method = int(random.integers(0, 5))
        else:
            method = geometry.interp_method(self.inter_method, (*image.shape[:2], height, width))
        return geometry.resize(image, width, height, method)

    def _fitted(self, image: np.ndarray, random: Random) -> np.ndarray:
        _, height, width = self.data_shape
        if self.resize_mode == "force":
            return self._resized(image, width, height, random)
        scale = min(width / image.shape[1], height / image.shape[0])
        if self.resize_mode == "shrink" and scale >= 1:
            return image
        size = max(1, int(image.shape[1] * scale)), max(1, int(image.shape[0] * scale))
        return self._resized(image, *size, random)

    def _colored(self, image: np.ndarray, random: Random) -> np.ndarray:
        widths = (
            (self.random_hue_prob, self.max_random_hue),
            (self.random_illumination_prob, self.max_random_illumination),
            (self.random_saturation_prob, self.max_random_saturation),
        )
        shift = [
            int(random.integers(-width, width + 1)) if width and random.random() < chance else 0
            for chance, width in widths
        ]
        if any(shift):
            image = shift_colors(image, shift)
        if self.max_random_contrast and random.random() < self.random_contrast_prob:
            width = self.max_random_contrast
            contrast = 1 + random.uniform(-width, width)
            image = np.clip(np.rint(image * contrast), 0, 255).astype(np.uint8)
        return image

    def _padded(
        self, image: np.ndarray, objects: np.ndarray, random: Random
    ) -> tuple[np.ndarray, np.ndarray]:
        """The image somewhere on a larger ground of the same proportions."""
        height, width = image.shape[:2]
        scale = random.uniform(1, self.max_pad_scale)
        new_height, new_width = int(height * scale), int(width * scale)
        y = int(random.integers(0, new_height - height + 1))
        x = int(random.integers(0, new_width - width + 1))
        edges = (y, new_height - height - y, x, new_width - width - x)
        objects[:, _ACROSS] = (objects[:, _ACROSS] * width + x) / new_width
        objects[:, _DOWN] = (objects[:, _DOWN] * height + y) / new_height
        return geometry.border(image, edges, 0, (self.fill_value,) * 4), objects

    def _cropped(
        self, image: np.ndarray, objects: np.ndarray, random: Random
    ) -> tuple[np.ndarray, np.ndarray]:
        """One of the parts that the samplers have found, or everything if none has."""
        height, width = image.shape[:2]
        found = []
        for sampler in self._samplers:
            for _ in range(sampler.trials):
                box = _draw_box(sampler, width / height, random)
                if not _covers(sampler, box, objects):
                    continue
                kept = self._objects_in(box, objects)
                if len(kept):
                    found.append((box, kept))
                    break
        if not found:
            return image, objects
        (left, top, right, bottom), kept = found[int(random.integers(0, len(found)))]
        x, y = int(left * width), int(top * height)
        w, h = max(1, int((right - left) * width)), max(1, int((bottom - top) * height))
        return np.ascontiguousarray(image[y : y + h, x : x + w]), kept

    def _objects_in(self, box: np.ndarray, objects: np.ndarray) -> np.ndarray:
        """The objects that stay in a part, as parts of it."""
        left, top, right, bottom = box
        if self.crop_emit_mode == "center":
            x = objects[:, _ACROSS].mean(1)
            y = objects[:, _DOWN].mean(1)
            kept = (x >= left) & (x <= right) & (y >= top) & (y <= bottom)
        else:
            inside = _shared(box, objects)
            kept = inside > self.emit_overlap_thresh * _areas(objects[:, 1:5])
        found: np.ndarray = objects[kept].copy()
        found[:, _ACROSS] = np.clip((found[:, _ACROSS] - left) / (right - left), 0, 1)
        found[:, _DOWN] = np.clip((found[:, _DOWN] - top) / (bottom - top), 0, 1)
        return found


def _spread(values: tuple[float, ...], count: int, name: str) -> tuple[float, ...]:
    """A value for each sampler: one stands for all."""
    if len(values) == count:
        return values
    if len(values) == 1:
        return values * count
    raise MXNetValueError(f"{name}={values} must have 1 or {count} values (num_crop_sampler)")


def _draw_box(sampler: _Sampler, aspect: float, random: Random) -> np.ndarray:
    """A part (left, top, right, bottom) of the image whose width / height is `aspect`."""
    scale = random.uniform(*sampler.scales) + 1e-12
    least, most = sampler.ratios
    least, most = max(least / aspect, scale**2), min(most / aspect, 1 / scale**2)
    ratio = math.sqrt(random.uniform(min(least, most), max(least, most)))
    width, height = min(1.0, scale * ratio), min(1.0, scale / ratio)
    left, top = random.uniform(0, 1 - width), random.uniform(0, 1 - height)
    return np.array([left, top, left + width, top + height])


def _areas(boxes: np.ndarray) -> np.ndarray:
    sides = np.maximum(0, boxes[..., 2:4] - boxes[..., :2])
    areas: np.ndarray = sides[..., 0] * sides[..., 1]
    return areas


def _shared(box: np.ndarray, objects: np.ndarray) -> np.ndarray:
    """How much of each object lies in a part."""
    low = np.maximum(objects[:, 1:3], box[:2])
    high = np.minimum(objects[:, 3:5], box[2:])
    return _areas(np.concatenate([low, high], axis=1))


def _covers(sampler: _Sampler, box: np.ndarray, objects: np.ndarray) -> bool:
    """Whether some object is within all limits that the sampler sets."""
    shared, own, area = _shared(box, objects), _areas(objects[:, 1:5]), _areas(box)
    with np.errstate(divide="ignore", invalid="ignore"):
        measures = (
            (sampler.overlaps, shared / (own + area - shared)),
            (sampler.samples, shared / area),
            (sampler.objects, shared / own),
        )
    fits = np.ones(len(objects), bool)
    for (least, most), values in measures:
        if least > 0 or most < 1:
            fits &= (values >= least) & (values <= most)
    return bool(fits.any())


def split_label(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers before the objects of a label [A, B, …], and its objects, B numbers each."""
    if len(values) >= 2:
        start, width = int(values[0]), int(values[1])
        if 2 <= start <= len(values) and width >= 5 and (len(values) - start) % width == 0:
            return values[:start], values[start:].reshape(-1, width)
    raise MXNetError(
        f"{len(values)} labels are none of objects: expected [A, B, …] with A numbers before the "
        "objects and B, at least 5, for each"
    )
