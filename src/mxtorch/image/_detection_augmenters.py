"""Augmenters of images with objects: (image, labels) → (image, labels).

Labels are a NumPy array, a row an object: its class, then left, top, right, bottom as parts of the
image's width and height, then whatever else. They draw from Python's generator, in MXNet's order.
"""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any

import numpy as np

from mxtorch._core.errors import MXNetTypeError
from mxtorch.image._augmenters import (
    _MEAN,
    _STD,
    Augmenter,
    CastAug,
    ColorNormalizeAug,
    ForceResizeAug,
    RandomGrayAug,
    ResizeAug,
    color_augmenters,
    plain,
)
from mxtorch.image._functions import copyMakeBorder, fixed_crop

Labels = np.ndarray
Range = tuple[float, float]
_LEFT_RIGHT, _TOP_BOTTOM = (1, 3), (2, 4)


class DetAugmenter:
    """Base class: a subclass has `__call__(src, label)`, and hands its arguments to `__init__`."""

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = plain(kwargs)

    def dumps(self) -> Any:
        """The name in small letters and the arguments, as JSON."""
        return json.dumps([self.__class__.__name__.lower(), self._kwargs])

    def __call__(self, src: Any, label: Labels) -> Any:
        """The changed image and labels."""
        raise NotImplementedError("a DetAugmenter must have __call__")


class DetBorrowAug(DetAugmenter):
    """An augmenter that moves nothing (of colour, say), for images with objects."""

    def __init__(self, augmenter: Augmenter) -> None:
        if not isinstance(augmenter, Augmenter):
            raise TypeError("Borrowing from invalid Augmenter")
        super().__init__(augmenter=augmenter.dumps())
        self.augmenter = augmenter

    def dumps(self) -> Any:
        """The name and what the augmenter dumps: a list, not text."""
        return [self.__class__.__name__.lower(), self.augmenter.dumps()]

    def __call__(self, src: Any, label: Labels) -> Any:
        """The changed image, the labels as they are."""
        return self.augmenter(src), label


class DetRandomSelectAug(DetAugmenter):
    """One of several augmenters, or with probability `skip_prob` none."""

    def __init__(self, aug_list: Any, skip_prob: float = 0) -> None:
        super().__init__(skip_prob=skip_prob)
        if not isinstance(aug_list, (list, tuple)):
            aug_list = [aug_list]
        for augmenter in aug_list:
            if not isinstance(augmenter, DetAugmenter):
                raise ValueError("Allow DetAugmenter in list only")
        self.aug_list = aug_list
        self.skip_prob = skip_prob if aug_list else 1

    def dumps(self) -> Any:
        """The name and what the parts dump: a list, not text."""
        return [self.__class__.__name__.lower(), [aug.dumps() for aug in self.aug_list]]

    def __call__(self, src: Any, label: Labels) -> Any:
        """The image and labels, changed or not."""
        if random.random() < self.skip_prob:
            return src, label
        random.shuffle(self.aug_list)
        return self.aug_list[0](src, label)


class DetHorizontalFlipAug(DetAugmenter):
    """Mirrored left to right, with probability `p`; the labels themselves are changed."""

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p

    def __call__(self, src: Any, label: Labels) -> Any:
        """The image and labels, mirrored or not."""
        if random.random() < self.p:
            src = src.flip(axis=1)
            label[:, _LEFT_RIGHT] = 1.0 - label[:, _LEFT_RIGHT[::-1]]
        return src, label


def _areas(boxes: Labels) -> np.ndarray:
    """The areas of (left, top, right, bottom); 0 where a side is negative."""
    widths = np.maximum(0, boxes[:, 2] - boxes[:, 0])
    areas: np.ndarray = widths * np.maximum(0, boxes[:, 3] - boxes[:, 1])
    return areas


def _range(value: Any, name: str) -> Any:
    """A pair of limits for a number or a pair."""
    if isinstance(value, (tuple, list)):
        return value
    logging.info("%s has one number, %s, for both limits", name, value)
    return (value, value)


class DetRandomCropAug(DetAugmenter):
    """A random part that covers enough of its objects; the image as it is where none is found.

    `min_object_covered`: more than this share of each object in the part must lie in it.
    `aspect_ratio_range`, `area_range`: limits of width / height and of the share of the image.
    `min_eject_coverage`: objects of which no more than this remains are left out.
    """

    def __init__(
        self,
        min_object_covered: float = 0.1,
        aspect_ratio_range: Any = (0.75, 1.33),
        area_range: Any = (0.05, 1.0),
        min_eject_coverage: float = 0.3,
        max_attempts: int = 50,
    ) -> None:
        aspect_ratio_range = _range(aspect_ratio_range, "aspect_ratio_range")
        area_range = _range(area_range, "area_range")
        super().__init__(
            min_object_covered=min_object_covered,
            aspect_ratio_range=aspect_ratio_range,
            area_range=area_range,
            min_eject_coverage=min_eject_coverage,
            max_attempts=max_attempts,
        )
        self.min_object_covered = min_object_covered
        self.min_eject_coverage = min_eject_coverage
        self.max_attempts = max_attempts
        self.aspect_ratio_range = aspect_ratio_range
        self.area_range = area_range
        _check_ranges(area_range, 0, aspect_ratio_range)
        self.enabled = True

    def __call__(self, src: Any, label: Labels) -> Any:
        """The part and the labels of its objects, as parts of the part."""
        height, width = src.shape[:2]
        if self.enabled and height > 0 and width > 0:
            for box in self._proposals(height, width):
                found = self._labels_in(label, box, height, width)
                if found is not None:
                    return fixed_crop(src, *box), found
        return src, label

    def _proposals(self, height: int, width: int) -> Iterator[tuple[int, int, int, int]]:
        """Random parts (x, y, width, height) of allowed area and proportions."""
        least, most = (share * height * width for share in self.area_range)
        for _ in range(self.max_attempts):
            ratio = random.uniform(*self.aspect_ratio_range)
            if ratio <= 0:
                continue
            high = round(sqrt(most / ratio))
            if round(high * ratio) > width:
                high = int((width + 0.4999999) / ratio)
            high = min(high, height)
            h = min(round(sqrt(least / ratio)), high)
            if h < high:
                h = random.randint(h, high)
            w = round(h * ratio)
            if w * h < least:
                h += 1
                w = round(h * ratio)
            if w * h > most:
                h -= 1
                w = round(h * ratio)
            if not (least <= w * h <= most and 0 <= w <= width and 0 <= h <= height):
                continue
            y = random.randint(0, max(0, height - h))
            x = random.randint(0, max(0, width - w))
            yield x, y, w, h

    def _labels_in(
        self, label: Labels, box: tuple[int, int, int, int], height: int, width: int
    ) -> Labels | None:
        """The labels of the objects in a part; None where it does not do."""
        x, y, w, h = box
        if w * h < 2:
            return None
        sides = np.array([width, height, width, height], float)
        part = np.array([x, y, x + w, y + h]) / sides
        areas = _areas(label[:, 1:])
        large = areas * width * height > 2
        inside = label[large, 1:5].copy()
        inside[:, :2] = np.maximum(inside[:, :2], part[:2])
        inside[:, 2:] = np.minimum(inside[:, 2:], part[2:])
        covered = _areas(inside) / areas[large]
        covered = covered[covered > 0]
        if not covered.size or not np.amin(covered) > self.min_object_covered:
            return None
        return self._moved(label, areas, part)

    def _moved(self, label: Labels, areas: np.ndarray, part: np.ndarray) -> Labels | None:
        left, top, right, bottom = part
        out = label.copy()
        across, down = right - left, bottom - top
        out[:, _LEFT_RIGHT] = (out[:, _LEFT_RIGHT] - left) / across
        out[:, _TOP_BOTTOM] = (out[:, _TOP_BOTTOM] - top) / down
        out[:, 1:5] = np.clip(out[:, 1:5], 0, 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            remaining = _areas(out[:, 1:]) * across * down / areas
        kept = (out[:, 3] > out[:, 1]) & (out[:, 4] > out[:, 2])
        kept &= remaining > self.min_eject_coverage
        return out[kept] if kept.any() else None


class DetRandomPadAug(DetAugmenter):
    """The image on a larger ground of `pad_val`, at a random place.

    `aspect_ratio_range`, `area_range`: limits of width / height and of the area, in images.
    """

    def __init__(
        self,
        aspect_ratio_range: Any = (0.75, 1.33),
        area_range: Any = (1.0, 3.0),
        max_attempts: int = 50,
        pad_val: Any = (128, 128, 128),
    ) -> None:
        if not isinstance(pad_val, (list, tuple)):
            assert isinstance(pad_val, (int, float, np.number)), "pad_val must be numbers"
        aspect_ratio_range = _range(aspect_ratio_range, "aspect_ratio_range")
        area_range = _range(area_range, "area_range")
        super().__init__(
            aspect_ratio_range=aspect_ratio_range,
            area_range=area_range,
            max_attempts=max_attempts,
            pad_val=pad_val,
        )
        self.pad_val = pad_val
        self.aspect_ratio_range = aspect_ratio_range
        self.area_range = area_range
        self.max_attempts = max_attempts
        _check_ranges(area_range, 1, aspect_ratio_range)
        self.enabled = True

    def __call__(self, src: Any, label: Labels) -> Any:
        """The larger image and its labels."""
        height, width = src.shape[:2]
        box = self._proposal(height, width) if self.enabled and height > 0 and width > 0 else None
        if box is None:
            return src, label
        x, y, w, h = box
        values = self.pad_val if isinstance(self.pad_val, (list, tuple)) else (self.pad_val,)
        src = copyMakeBorder(src, y, h - y - height, x, w - x - width, 16, values=values)
        out = label.copy()
        out[:, _LEFT_RIGHT] = (out[:, _LEFT_RIGHT] * width + x) / w
        out[:, _TOP_BOTTOM] = (out[:, _TOP_BOTTOM] * height + y) / h
        return src, out

    def _proposal(self, height: int, width: int) -> tuple[int, int, int, int] | None:
        """Where the image comes to lie, (x, y), and the new width and height."""
        least, most = (share * height * width for share in self.area_range)
        for _ in range(self.max_attempts):
            ratio = random.uniform(*self.aspect_ratio_range)
            if ratio <= 0:
                continue
            h, high = round(sqrt(least / ratio)), round(sqrt(most / ratio))
            if round(h * ratio) < width:
                h = int((width + 0.499999) / ratio)
            h = min(max(h, height), high)
            if h < high:
                h = random.randint(h, high)
            w = round(h * ratio)
            if h - height < 2 or w - width < 2:
                continue  # hardly any ground
            y = random.randint(0, max(0, h - height))
            x = random.randint(0, max(0, w - width))
            return x, y, w, h
        return None


def _check_ranges(area_range: Range, least: float, aspect_ratio_range: Range) -> None:
    """Something must lie in both ranges, above `least` in that of areas; MXNet fails alike."""
    if not (area_range[1] > least and area_range[0] <= area_range[1]):
        raise MXNetTypeError(f"area_range={area_range} has nothing above {least} in it")
    if not 0 < aspect_ratio_range[0] <= aspect_ratio_range[1]:
        raise MXNetTypeError(f"aspect_ratio_range={aspect_ratio_range} has nothing above 0 in it")


def CreateMultiRandCropAugmenter(
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 1.0),
    min_eject_coverage: Any = 0.3,
    max_attempts: Any = 50,
    skip_prob: float = 0,
) -> DetRandomSelectAug:
    """One of several random crops: an argument may be a list with a value for each."""
    given = (min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts)
    count = max(len(value) if isinstance(value, list) else 1 for value in given)
    columns = []
    for value in given:
        values = value if isinstance(value, list) else [value]
        assert len(values) in (1, count), f"lists must have {count} values, got {len(values)}"
        columns.append(values if len(values) == count else values * count)
    crops = [DetRandomCropAug(*arguments) for arguments in zip(*columns, strict=True)]
    return DetRandomSelectAug(crops, skip_prob=skip_prob)


def CreateDetAugmenter(
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: float = 0,
    rand_pad: float = 0,
    rand_gray: float = 0,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    pca_noise: float = 0,
    hue: float = 0,
    inter_method: int = 2,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 3.0),
    min_eject_coverage: Any = 0.3,
    max_attempts: Any = 50,
    pad_val: Any = (127, 127, 127),
) -> list[DetAugmenter]:
    """The usual list of augmenters for images of `data_shape` (channels, height, width).

    `rand_crop` and `rand_pad` are probabilities.
    """
    augmenters: list[DetAugmenter] = []
    if resize > 0:
        augmenters.append(DetBorrowAug(ResizeAug(resize, inter_method)))
    if rand_crop > 0:
        augmenters.append(
            CreateMultiRandCropAugmenter(
                min_object_covered,
                aspect_ratio_range,
                area_range,
                min_eject_coverage,
                max_attempts,
                skip_prob=1 - rand_crop,
            )
        )
    if rand_mirror > 0:
        augmenters.append(DetHorizontalFlipAug(0.5))
    if rand_pad > 0:
        pad = DetRandomPadAug(aspect_ratio_range, (1.0, area_range[1]), max_attempts, pad_val)
        augmenters.append(DetRandomSelectAug([pad], 1 - rand_pad))
    colors: list[Augmenter] = [ForceResizeAug((data_shape[2], data_shape[1]), inter_method)]
    colors.append(CastAug())
    colors += color_augmenters(brightness, contrast, saturation, hue, pca_noise)
    if rand_gray > 0:
        colors.append(RandomGrayAug(rand_gray))
    mean, std = _channel_values(mean, _MEAN), _channel_values(std, _STD)
    if mean is not None or std is not None:
        colors.append(ColorNormalizeAug(mean, std))
    return augmenters + [DetBorrowAug(augmenter) for augmenter in colors]


def _channel_values(value: Any, standard: tuple[float, ...]) -> Any:
    if value is True:
        return np.array(standard)
    if value is not None:
        assert isinstance(value, np.ndarray) and value.shape[0] in (1, 3), (
            "mean and std must be NumPy arrays of 1 or 3 numbers, or True"
        )
    return value
