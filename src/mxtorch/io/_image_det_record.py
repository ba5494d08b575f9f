"""`mx.io.ImageDetRecordIter`: batches of images with objects from record files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mxtorch._core.errors import MXNetShapeError, NotSupportedError
from mxtorch._pixels.objects import ObjectAugmentation, Random, split_label
from mxtorch.io._image_record import ImageLoader, _Batching, _Normalization, _Source, function_of
from mxtorch.recordio import unpack


@dataclass(kw_only=True, repr=False, eq=False)
class DetRecordOptions(_Source, ObjectAugmentation, _Normalization, _Batching):
    """Iterates over the images of a record file and their objects.

    Batches (batch_size, *data_shape), float32 RGB, and labels (batch_size, 4 + width): channels,
    height and width of the image, how many numbers its label has, these numbers, `label_pad_value`.
    `width` is that of the longest label, or `label_pad_width`. A label is [A, B, …, object, object,
    …]: A numbers before the objects, B for each: its class, then left, top, right, bottom as parts
    of the image's sides. An image is resized to `data_shape` (`resize_mode` 'force'), or made to
    fit into its upper left corner ('shrink': only if it is larger; 'fit').

    `shuffle` has MXNet's order; what else is random does not have MXNet's numbers.
    """

    order_base: ClassVar[int | None] = 233

    path_imgrec: str = "./data/imgrec.rec"
    aug_seq: str = "det_aug_default"
    label_width: int = -1
    label_pad_width: int = 0
    label_pad_value: float = -1.0
    std_r: float = 0.0
    std_g: float = 0.0
    std_b: float = 0.0
    std_a: float = 0.0

    def __post_init__(self) -> None:
        self.check()
        self.check_batches("float32")
        if self.aug_seq != "det_aug_default":
            raise NotSupportedError(f"aug_seq={self.aug_seq!r}: there is 'det_aug_default' only")


class DetLoader(ImageLoader):
    """Makes batches of images and their objects."""

    def __init__(self, options: DetRecordOptions) -> None:
        self._width = 0
        super().__init__(options, numbers=True)
        longest = 0
        for record in options.open_records().epoch():
            values = self._label_of(unpack(record)[0])
            split_label(values)
            if options.label_width > 0 and len(values) != options.label_width:
                raise MXNetShapeError(
                    f"{options.path_imgrec}: a label has {len(values)} numbers; "
                    "pass label_width=-1 for labels of any length"
                )
            longest = max(longest, len(values))
        if 0 < options.label_pad_width < longest:
            raise MXNetShapeError(
                f"label_pad_width={options.label_pad_width} is less than the longest label's "
                f"{longest} numbers"
            )
        self._width = max(options.label_pad_width, longest)

    def _draws(self) -> int:
        return 0

    def _random(self, count: int, number: int) -> Random:
        """Numbers that depend on the seed and on how many images came before."""
        return np.random.Generator(np.random.PCG64([abs(self._options.seed), count]))

    def _label_shape(self) -> tuple[int, ...]:
        return (4 + self._width,)

    def _write_mean(self, path: str) -> None:
        raise NotSupportedError(
            f"mean_img={path!r}: there is no such file, and only ImageRecordIter makes one"
        )

    def _make(
        self, encoded: bytes, values: np.ndarray, random: Random, data: np.ndarray
    ) -> np.ndarray:
        before, objects = split_label(values)
        pixels, objects = self._options.apply(self._decode(encoded), objects, random)
        height, width, channels = pixels.shape
        whole = np.zeros((*self._options.data_shape[1:], channels), np.uint8)
        whole[:height, :width] = pixels
        self._normalize(whole.transpose(2, 0, 1), data)
        label = np.concatenate([before, objects.ravel()])
        row = np.full(4 + self._width, self._options.label_pad_value, np.float32)
        row[:4] = channels, height, width, len(label)
        row[4 : 4 + len(label)] = label
        return row


ImageDetRecordIter: Any = function_of("ImageDetRecordIter", DetRecordOptions, DetLoader)
