"""Augmenters: objects that change an image, (H, W, C) → (H, W, C), many of them by chance.

They draw from Python's generator (light from NumPy's), in MXNet's order. Those of colours take
float32 images, and may change the one they are given.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from mxtorch import ndarray as nd
from mxtorch._core.op import find_op
from mxtorch.image._functions import (
    Size,
    center_crop,
    color_normalize,
    imresize,
    random_crop,
    random_size_crop,
    resize_short,
)
from mxtorch.image._functions import _get_interp_method as _interp
from mxtorch.ndarray._namespace import make
from mxtorch.ndarray.ndarray import NDArray

_dot = make(find_op("dot"))
_GRAY = np.array([[[0.299, 0.587, 0.114]]])
# AlexNet's directions of light in RGB, and how far photographs vary along each
_EIGVAL = np.array([55.46, 4.794, 1.148])
_EIGVEC = np.array(
    [[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]
)
_MEAN, _STD = (123.68, 116.28, 103.53), (58.395, 57.12, 57.375)


def plain(arguments: dict[str, Any]) -> dict[str, Any]:
    """An augmenter's arguments as JSON can write them: arrays become lists."""
    lists = {}
    for name, value in arguments.items():
        array = value.asnumpy() if isinstance(value, NDArray) else value
        lists[name] = array.tolist() if isinstance(array, np.ndarray) else value
    return lists


class Augmenter:
    """Base class: a subclass has `__call__(src)`, and hands its arguments to `__init__`."""

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = plain(kwargs)

    def dumps(self) -> Any:
        """The name in small letters and the arguments, as JSON."""
        return json.dumps([self.__class__.__name__.lower(), self._kwargs])

    def __call__(self, src: Any) -> Any:
        """The changed image."""
        raise NotImplementedError("an Augmenter must have __call__")


class _Several(Augmenter):
    """Augmenters one after the other."""

    def __init__(self, ts: list[Augmenter]) -> None:
        super().__init__()
        self.ts = ts

    def dumps(self) -> Any:
        """The name and what the parts dump: a list, not text."""
        return [self.__class__.__name__.lower(), [t.dumps() for t in self.ts]]

    def __call__(self, src: Any) -> Any:
        """The image through all of them."""
        for augmenter in self.ts:
            src = augmenter(src)
        return src


class SequentialAug(_Several):
    """Augmenters one after the other."""


class RandomOrderAug(_Several):
    """Augmenters in an order drawn anew for each image (`ts` is shuffled)."""

    def __call__(self, src: Any) -> Any:
        """The image through all of them."""
        random.shuffle(self.ts)
        return super().__call__(src)


class ResizeAug(Augmenter):
    """Resizes the shorter side to `size`."""

    def __init__(self, size: int, interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size = size
        self.interp = interp

    def __call__(self, src: Any) -> Any:
        """(H, W, C) → the shorter side is `size`."""
        return resize_short(src, self.size, self.interp)


class ForceResizeAug(Augmenter):
    """Resizes to `size` (width, height), whatever the proportions."""

    def __init__(self, size: Size, interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size = size
        self.interp = interp

    def __call__(self, src: Any) -> Any:
        """(H, W, C) → (height, width, C)."""
        sizes = (*src.shape[:2], self.size[1], self.size[0])
        return imresize(src, *self.size, interp=_interp(self.interp, sizes))


class RandomCropAug(Augmenter):
    """A part of `size` (width, height) at a random place."""

    def __init__(self, size: Size, interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size = size
        self.interp = interp

    def __call__(self, src: Any) -> Any:
        """(H, W, C) → (height, width, C)."""
        return random_crop(src, self.size, self.interp)[0]


class RandomSizedCropAug(Augmenter):
    """A part of random area and proportions, resized to `size`; see `random_size_crop`."""

    def __init__(
        self,
        size: Size,
        area: Any,
        ratio: Sequence[float],
        interp: int = 2,
        **kwargs: Any,
    ) -> None:
        super().__init__(size=size, area=area, ratio=ratio, interp=interp)
        self.size = size
        self.area = kwargs.pop("min_area", area)
        self.ratio = ratio
        self.interp = interp
        assert not kwargs, "unexpected keyword arguments for `RandomSizedCropAug`."

    def __call__(self, src: Any) -> Any:
        """(H, W, C) → (height, width, C)."""
        return random_size_crop(src, self.size, self.area, self.ratio, self.interp)[0]


class CenterCropAug(Augmenter):
    """The middle of `size` (width, height)."""

    def __init__(self, size: Size, interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size = size
        self.interp = interp

    def __call__(self, src: Any) -> Any:
        """(H, W, C) → (height, width, C)."""
        return center_crop(src, self.size, self.interp)[0]


class BrightnessJitterAug(Augmenter):
    """Times a number from [1 - brightness, 1 + brightness]."""

    def __init__(self, brightness: float) -> None:
        super().__init__(brightness=brightness)
        self.brightness = brightness

    def __call__(self, src: Any) -> Any:
        """The image itself, changed."""
        src *= 1.0 + random.uniform(-self.brightness, self.brightness)
        return src


class ContrastJitterAug(Augmenter):
    """The contrast times a number from [1 - contrast, 1 + contrast]."""

    def __init__(self, contrast: float) -> None:
        super().__init__(contrast=contrast)
        self.contrast = contrast
        self.coef = nd.array(_GRAY)

    def __call__(self, src: Any) -> Any:
        """The image itself, changed."""
        alpha = 1.0 + random.uniform(-self.contrast, self.contrast)
        gray = src * self.coef
        mean = gray.sum() * (3.0 * (1.0 - alpha) / gray.size)
        src *= alpha
        src += mean
        return src


class SaturationJitterAug(Augmenter):
    """The saturation times a number from [1 - saturation, 1 + saturation]."""

    def __init__(self, saturation: float) -> None:
        super().__init__(saturation=saturation)
        self.saturation = saturation
        self.coef = nd.array(_GRAY)

    def __call__(self, src: Any) -> Any:
        """The image itself, changed."""
        alpha = 1.0 + random.uniform(-self.saturation, self.saturation)
        gray = (src * self.coef).sum(axis=2, keepdims=True)
        gray *= 1.0 - alpha
        src *= alpha
        src += gray
        return src


class HueJitterAug(Augmenter):
    """The hue turned by a part of the half circle from [-hue, hue], in YIQ."""

    def __init__(self, hue: float) -> None:
        super().__init__(hue=hue)
        self.hue = hue
        self.tyiq = np.array(
            [[0.299, 0.587, 0.114], [0.596, -0.274, -0.321], [0.211, -0.523, 0.311]]
        )
        self.ityiq = np.array([[1.0, 0.956, 0.621], [1.0, -0.272, -0.647], [1.0, -1.107, 1.705]])

    def __call__(self, src: Any) -> Any:
        """A new image."""
        angle = random.uniform(-self.hue, self.hue) * np.pi
        cos, sin = np.cos(angle), np.sin(angle)
        turn = np.array([[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]])
        return _dot(src, nd.array((self.ityiq @ turn @ self.tyiq).T))


class ColorJitterAug(RandomOrderAug):
    """Brightness, contrast and saturation in random order; those with 0 are left out."""

    def __init__(self, brightness: float, contrast: float, saturation: float) -> None:
        parts: list[Augmenter] = []
        if brightness > 0:
            parts.append(BrightnessJitterAug(brightness))
        if contrast > 0:
            parts.append(ContrastJitterAug(contrast))
        if saturation > 0:
            parts.append(SaturationJitterAug(saturation))
        super().__init__(parts)


class LightingAug(Augmenter):
    """Light added along the directions `eigvec`, with strengths of deviation `alphastd`.

    The strengths are drawn from NumPy's generator.
    """

    def __init__(self, alphastd: float, eigval: Any, eigvec: Any) -> None:
        super().__init__(alphastd=alphastd, eigval=eigval, eigvec=eigvec)
        self.alphastd = alphastd
        self.eigval = eigval
        self.eigvec = eigvec

    def __call__(self, src: Any) -> Any:
        """The image itself, changed."""
        alpha = np.random.normal(0, self.alphastd, size=(3,))
        src += nd.array(np.dot(self.eigvec * alpha, self.eigval))
        return src


class ColorNormalizeAug(Augmenter):
    """(x - mean) / std for each channel; None leaves that step out."""

    def __init__(self, mean: Any, std: Any) -> None:
        super().__init__(mean=mean, std=std)
        self.mean = _array(mean)
        self.std = _array(std)

    def __call__(self, src: Any) -> Any:
        """The image itself, changed."""
        return color_normalize(src, self.mean, self.std)


def _array(value: Any) -> Any:
    return value if value is None or isinstance(value, NDArray) else nd.array(value)


class RandomGrayAug(Augmenter):
    """Gray, with probability `p`."""

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p
        self.mat = nd.array([[0.21] * 3, [0.72] * 3, [0.07] * 3])

    def __call__(self, src: Any) -> Any:
        """A gray image of three channels, or the image itself."""
        return _dot(src, self.mat) if random.random() < self.p else src


class HorizontalFlipAug(Augmenter):
    """Mirrored left to right, with probability `p`."""

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p

    def __call__(self, src: Any) -> Any:
        """A mirrored image, or the image itself."""
        return src.flip(axis=1) if random.random() < self.p else src


class CastAug(Augmenter):
    """Converts to another element type."""

    def __init__(self, typ: Any = "float32") -> None:
        super().__init__(type=typ)
        self.typ = typ

    def __call__(self, src: Any) -> Any:
        """The image as `typ`."""
        return src.astype(self.typ)


def channel_values(value: Any, standard: tuple[float, ...]) -> Any:
    """`mean` or `std` of a factory: True is ImageNet's, None stays, an array is checked."""
    if value is True:
        return nd.array(standard)
    if value is not None:
        assert isinstance(value, (np.ndarray, NDArray)) and value.shape[0] in (1, 3), (
            "mean and std must be arrays of 1 or 3 numbers, or True"
        )
    return value


def color_augmenters(
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    pca_noise: float,
) -> list[Augmenter]:
    """The augmenters of colour that both factories end with, those with 0 left out."""
    found: list[Augmenter] = []
    if brightness or contrast or saturation:
        found.append(ColorJitterAug(brightness, contrast, saturation))
    if hue:
        found.append(HueJitterAug(hue))
    if pca_noise > 0:
        found.append(LightingAug(pca_noise, _EIGVAL, _EIGVEC))
    return found


def CreateAugmenter(
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: bool = False,
    rand_resize: bool = False,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    hue: float = 0,
    pca_noise: float = 0,
    rand_gray: float = 0,
    inter_method: int = 2,
) -> list[Augmenter]:
    """The usual list of augmenters for images of `data_shape` (channels, height, width)."""
    augmenters: list[Augmenter] = []
    if resize > 0:
        augmenters.append(ResizeAug(resize, inter_method))
    size = (data_shape[2], data_shape[1])
    if rand_resize:
        assert rand_crop, "rand_resize needs rand_crop"
        augmenters.append(RandomSizedCropAug(size, 0.08, (3.0 / 4.0, 4.0 / 3.0), inter_method))
    else:
        augmenters.append((RandomCropAug if rand_crop else CenterCropAug)(size, inter_method))
    if rand_mirror:
        augmenters.append(HorizontalFlipAug(0.5))
    augmenters.append(CastAug())
    augmenters += color_augmenters(brightness, contrast, saturation, hue, pca_noise)
    if rand_gray > 0:
        augmenters.append(RandomGrayAug(rand_gray))
    mean, std = channel_values(mean, _MEAN), channel_values(std, _STD)
    if mean is not None or std is not None:
        augmenters.append(ColorNormalizeAug(mean, std))
    return augmenters
