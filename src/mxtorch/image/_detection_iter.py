"""ImageDetIter: batches of images with objects."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mxtorch import ndarray as nd
from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._pixels.opencv import opencv
from mxtorch.image._detection_augmenters import CreateDetAugmenter
from mxtorch.image._iter import ImageIter
from mxtorch.ndarray.ndarray import NDArray
from mxtorch.ndarray.numpy._array import in_mode


class ImageDetIter(ImageIter):
    """Batches of images (N, C, H, W) and of their objects (N, most objects, width of an object).

    A label is [A, B, …, object, object, …]: A numbers before the objects, B for each object. An
    object is its class, then left, top, right, bottom as parts of the image's sides. Where an
    image has fewer objects than another, the rows left are -1. Images without a valid object are
    skipped. `aug_list` holds `DetAugmenter`s; without it, `CreateDetAugmenter(data_shape,
    **kwargs)` says. The other arguments are those of `ImageIter`.
    """

    def __init__(
        self,
        batch_size: int,
        data_shape: Sequence[int],
        path_imgrec: str | None = None,
        path_imglist: str | None = None,
        path_root: str | None = None,
        path_imgidx: str | None = None,
        shuffle: bool = False,
        part_index: int = 0,
        num_parts: int = 1,
        aug_list: list[Any] | None = None,
        imglist: list[Any] | None = None,
        data_name: str = "data",
        label_name: str = "label",
        last_batch_handle: str = "pad",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            batch_size=batch_size,
            data_shape=data_shape,
            path_imgrec=path_imgrec,
            path_imglist=path_imglist,
            path_root=path_root,
            path_imgidx=path_imgidx,
            shuffle=shuffle,
            part_index=part_index,
            num_parts=num_parts,
            aug_list=[],
            imglist=imglist,
            data_name=data_name,
            label_name=label_name,
            last_batch_handle=last_batch_handle,
        )
        if aug_list is None:
            self.auglist = CreateDetAugmenter(data_shape, **kwargs)
        else:
            self.auglist = aug_list
        self.label_shape = self._estimate_label_shape()
        self.provide_label = [(label_name, (batch_size, *self.label_shape))]

    def _estimate_label_shape(self) -> tuple[int, int]:
        """(most objects of an image, width of an object), found by going through all images."""
        most, width = 0, 0
        self.reset()
        try:
            while True:
                objects = self._parse_label(self.next_sample()[0])
                most, width = max(most, objects.shape[0]), objects.shape[1]
        except StopIteration:
            pass
        self.reset()
        return most, width

    def _parse_label(self, label: Any) -> np.ndarray:
        """The objects of a label, a row each, without those of no area."""
        raw = (label.asnumpy() if isinstance(label, NDArray) else np.asarray(label)).ravel()
        if raw.size < 7:
            raise MXNetError(f"Label shape is invalid: {raw.shape}")
        start, width = int(raw[0]), int(raw[1])
        if start < 2 or width < 1 or (raw.size - start) % width:
            raise MXNetError(f"Label shape {raw.shape} inconsistent with annotation width {width}.")
        objects = raw[start:].reshape(-1, width)
        kept = objects[(objects[:, 3] > objects[:, 1]) & (objects[:, 4] > objects[:, 2])]
        if not len(kept):
            raise MXNetError("Encounter sample with no valid label.")
        return kept

    def _check_valid_label(self, label: np.ndarray) -> None:
        if label.ndim != 2 or label.shape[1] < 5:
            raise MXNetError(f"Label with shape (1+, 5+) required, {label} received.")
        corners = (label[:, 3] > label[:, 1]) & (label[:, 4] > label[:, 2])
        if not ((label[:, 0] >= 0) & corners).any():
            raise MXNetError("Invalid label occurs.")

    def _next_valid(self) -> tuple[Any, np.ndarray]:
        """The next image that has objects, augmented, and these."""
        while True:
            label, encoded = self.next_sample()
            data = self.imdecode(encoded)
            try:
                self.check_valid_image([data])
                objects = self._parse_label(label)
                self._check_valid_label(objects)
            except RuntimeError as error:
                logging.debug("Invalid image, skipping: %s", error)
                continue
            data, objects = self.augmentation_transform(data, objects)
            return data, objects

    def _batchify(self, batch_data: Any, batch_label: Any, start: int = 0) -> int:
        """Fill a batch from position `start` on; how far that went before the end."""
        i = start
        try:
            while i < self.batch_size:
                data, objects = self._next_valid()
                batch_data[i] = self.postprocess_data(data)
                rows = np.full(batch_label.shape[1:], -1.0, np.float32)
                rows[: len(objects)] = objects
                batch_label[i] = in_mode(nd.array(rows))
                i += 1
        except StopIteration:
            if not i:
                raise
        return i

    def augmentation_transform(self, data: Any, label: Any) -> Any:  # type: ignore[override]
        """The image and its objects through all augmenters."""
        augmenters: list[Any] = self.auglist
        for augmenter in augmenters:
            data, label = augmenter(data, label)
        return data, label

    def reshape(
        self, data_shape: Sequence[int] | None = None, label_shape: Sequence[int] | None = None
    ) -> None:
        """Give batches of another shape; the augmenters must make images of it."""
        if data_shape is not None:
            self.check_data_shape(data_shape)
            name, (batch_size, *_) = self.provide_data[0]
            self.provide_data = [(name, (batch_size, *data_shape))]
            self.data_shape = data_shape
        if label_shape is not None:
            self.check_label_shape(label_shape)
            name, (batch_size, *_) = self.provide_label[0]
            self.provide_label = [(name, (batch_size, *label_shape))]
            self.label_shape = (label_shape[0], label_shape[1])

    def check_label_shape(self, label_shape: Sequence[int]) -> None:
        """ValueError unless it has room for all objects."""
        if len(label_shape) != 2:
            raise MXNetValueError("label_shape should have length 2")
        most, width = self.label_shape
        if label_shape[0] < most:
            raise MXNetValueError(
                f"Attempts to reduce label count from {most} to {label_shape[0]}, not allowed."
            )
        if label_shape[1] != width:
            raise MXNetValueError(
                f"label_shape object width inconsistent: {width} vs {label_shape[1]}."
            )

    def sync_label_shape(self, it: ImageDetIter, verbose: bool = False) -> ImageDetIter:
        """Give both iterators the larger label shape of the two; returns `it`."""
        assert isinstance(it, ImageDetIter), "Synchronize with invalid iterator."
        shape = (max(self.label_shape[0], it.label_shape[0]), self.label_shape[1])
        for iterator in (self, it):
            if iterator.label_shape[0] < shape[0]:
                iterator.reshape(None, shape)
        if verbose:
            logging.info("Resized label_shape to %s.", shape)
        return it

    def draw_next(
        self,
        color: Sequence[float] | None = None,
        thickness: int = 2,
        mean: Any = None,
        std: Any = None,
        clip: bool = True,
        waitKey: int | None = None,
        window_name: str = "draw_next",
        id2labels: Mapping[int, str] | None = None,
    ) -> Iterator[np.ndarray]:
        """Generates the next images with boxes around their objects: (H, W, 3) uint8, RGB.

        `color` (RGB) is random by default. `mean` and `std` (True: ImageNet's) undo an
        augmenter's. `waitKey` shows each in a window for so many milliseconds (0: until a key is
        pressed). `id2labels` names the classes.
        """
        shift, scale = _undo(mean, (123.68, 116.28, 103.53)), _undo(std, (58.395, 57.12, 57.375))
        cv2 = opencv()
        try:
            while True:
                data, objects = self._next_valid()
                pixels = data.asnumpy().astype(np.float64)
                pixels = pixels if scale is None else pixels * scale
                pixels = pixels if shift is None else pixels + shift
                picture = (np.clip(pixels, 0, 255) if clip else pixels).astype(np.uint8)
                for row in objects:
                    _draw(cv2, picture, row, color, thickness, id2labels)
                if waitKey is not None:
                    cv2.imshow(window_name, picture[..., ::-1])
                    cv2.waitKey(waitKey)
                yield picture
        except StopIteration:
            return


def _undo(value: Any, standard: tuple[float, ...]) -> Any:
    return np.array(standard) if value is True else value


def _draw(
    cv2: Any,
    picture: np.ndarray,
    row: np.ndarray,
    color: Sequence[float] | None,
    thickness: int,
    names: Mapping[int, str] | None,
) -> None:
    height, width = picture.shape[:2]
    left, top, right, bottom = (row[1:5] * (width, height, width, height)).astype(int).tolist()
    paint = [float(c) for c in (np.random.rand(3) * 255 if color is None else color)]
    cv2.rectangle(picture, (left, top), (right, bottom), paint, thickness)
    name = None if names is None else names.get(int(row[0]))
    if name is not None:
        at = (left + 5, top + 15)
        cv2.putText(picture, name, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, paint, 1)
