"""ImageIter: batches of images from files or a record file, through augmenters."""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from mxtorch import ndarray as nd
from mxtorch import recordio
from mxtorch._core import env
from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch.image._augmenters import CreateAugmenter
from mxtorch.image._functions import imdecode
from mxtorch.io import DataBatch, DataIter
from mxtorch.ndarray.numpy._array import in_mode

_LABEL_DTYPES = ("int32", "float32", "int64", "float64")


class ImageIter(DataIter):
    """Batches (N, C, H, W) of float32, and labels (N,) or (N, label_width).

    Images come from a record file (`path_imgrec`, with `path_imgidx` to shuffle or divide it), or
    from files below `path_root` that a list names: a file (`path_imglist`: number, labels, path,
    with tabs) or a Python list of [label, path]. `aug_list` is how they are made `data_shape`
    (channels, height, width); without it, `CreateAugmenter(data_shape, **kwargs)` says.

    `last_batch_handle`: 'pad' fills the last batch from the start, 'discard' leaves it out,
    'roll_over' puts it before the next epoch. A subclass may replace `next_sample`, `read_image`,
    `imdecode`, `check_valid_image`, `augmentation_transform`, `postprocess_data`.
    """

    def __init__(
        self,
        batch_size: int,
        data_shape: Sequence[int],
        label_width: int = 1,
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
        label_name: str = "softmax_label",
        dtype: str = "float32",
        last_batch_handle: str = "pad",
        **kwargs: Any,
    ) -> None:
        super().__init__()
        assert path_imgrec or path_imglist or isinstance(imglist, list), (
            "ImageIter needs path_imgrec, path_imglist, or a list imglist"
        )
        assert dtype in _LABEL_DTYPES, f"{dtype} label not supported"
        if batch_size < 1:
            raise MXNetValueError(f"batch_size={batch_size} must be 1 or more")
        self._tell_sources(path_imgrec, path_imglist)
        self.imgrec: Any = None
        self.imgidx: Any = None
        self.seq: list[Any] | None = None
        self.path_root = path_root
        if path_imgrec:
            self._open(path_imgrec, path_imgidx)
        self.imglist = (
            read_list(path_imglist, dtype) if path_imglist else number_list(imglist, dtype)
        )
        if self.imgrec is None and self.imglist is not None:
            self.seq = list(self.imglist)
        self.check_data_shape(data_shape)
        self.provide_data: list[Any] = [(data_name, (batch_size, *_tuple(data_shape)))]
        labels = (batch_size, label_width) if label_width > 1 else (batch_size,)
        self.provide_label: list[Any] = [(label_name, labels)]
        self.batch_size = batch_size
        self.data_shape = data_shape
        self.label_width = label_width
        self.shuffle = shuffle
        self._take_part(part_index, num_parts)
        self.auglist: list[Any] = (
            CreateAugmenter(data_shape, **kwargs) if aug_list is None else aug_list
        )
        self.cur = 0
        self._allow_read = True
        self.last_batch_handle = last_batch_handle
        self.num_image = None if self.seq is None else len(self.seq)
        self._cache_data: Any = None
        self._cache_label: Any = None
        self._cache_idx: int | None = None
        self.reset()

    def _tell_sources(self, path_imgrec: str | None, path_imglist: str | None) -> None:
        threads = env.CPU_WORKER_NTHREADS
        logging.info("Using %s threads for decoding...", threads.get())
        logging.info(
            "Set enviroment variable %s to a larger number to use more threads.", threads.name
        )
        own = type(self).__name__
        if path_imgrec:
            logging.info("%s: loading recordio %s...", own, path_imgrec)
        if path_imglist:
            logging.info("%s: loading image list %s...", own, path_imglist)
        elif not path_imgrec:
            logging.info("%s: loading image list...", own)

    def _open(self, path_imgrec: str, path_imgidx: str | None) -> None:
        if path_imgidx:
            self.imgrec = recordio.MXIndexedRecordIO(path_imgidx, path_imgrec, "r")
            self.imgidx = list(self.imgrec.keys)
            self.seq = self.imgidx
        else:
            self.imgrec = recordio.MXRecordIO(path_imgrec, "r")

    def _take_part(self, part_index: int, num_parts: int) -> None:
        if self.shuffle or num_parts > 1:
            assert self.seq is not None, (
                "a record file can be shuffled or divided with its index only: pass path_imgidx"
            )
        if num_parts > 1:
            assert self.seq is not None
            assert part_index < num_parts, f"part_index={part_index} must be below {num_parts}"
            size = len(self.seq) // num_parts
            self.seq = self.seq[part_index * size : (part_index + 1) * size]

    def reset(self) -> None:
        """Start again, shuffled anew; samples that roll over stay."""
        if self.seq is not None and self.shuffle:
            random.shuffle(self.seq)
        if self.last_batch_handle != "roll_over" or self._cache_data is None:
            if self.imgrec is not None:
                self.imgrec.reset()
            self.cur = 0
            self._allow_read = True

    def hard_reset(self) -> None:
        """Start again, and forget samples that roll over."""
        if self.seq is not None and self.shuffle:
            random.shuffle(self.seq)
        if self.imgrec is not None:
            self.imgrec.reset()
        self.cur = 0
        self._allow_read = True
        self._cache_data = None
        self._cache_label = None
        self._cache_idx = None

    def _state_dict(self) -> dict[str, Any] | None:
        """The place and the order, for `mxtorch.checkpoint`; None without an index or a list."""
        if self.seq is None:
            return None
        return {
            "seq": list(self.seq),
            "cur": self.cur,
            "allow_read": self._allow_read,
            "left_over": [self._cache_data, self._cache_label, self._cache_idx],
        }

    def _load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `_state_dict` gave, with the same images; MXNetError for others."""
        if self.seq is None or sorted(state["seq"]) != sorted(self.seq):
            raise MXNetError(f"{type(self).__name__}: the saved order is of other images")
        self.seq[:] = state["seq"]
        self.cur, self._allow_read = state["cur"], state["allow_read"]
        self._cache_data, self._cache_label, self._cache_idx = state["left_over"]

    def next_sample(self) -> tuple[Any, Any]:
        """The next (label, bytes of an image file); StopIteration at the end."""
        if self._allow_read is False:
            raise StopIteration
        if self.seq is None:
            record = self.imgrec.read()
            if record is None:
                if self.last_batch_handle != "discard":
                    self.imgrec.reset()
                raise StopIteration
            header, image = recordio.unpack(record)
            return header.label, image
        if self.num_image is not None and self.cur >= self.num_image:
            if self.last_batch_handle != "discard":
                self.cur = 0
            raise StopIteration
        number = self.seq[self.cur]
        self.cur += 1
        if self.imgrec is None:
            assert self.imglist is not None
            label, path = self.imglist[number]
            return label, self.read_image(path)
        header, image = recordio.unpack(self.imgrec.read_idx(number))
        return header.label if self.imglist is None else self.imglist[number][0], image

    def _batchify(self, batch_data: Any, batch_label: Any, start: int = 0) -> int:
        """Fill a batch from position `start` on; how far that went before the end."""
        i = start
        try:
            while i < self.batch_size:
                label, encoded = self.next_sample()
                data = self.imdecode(encoded)
                try:
                    self.check_valid_image([data])
                except RuntimeError as error:
                    logging.debug("Invalid image, skipping: %s", error)
                    continue
                datum = self.postprocess_data(self.augmentation_transform(data))
                batch_data[i] = datum
                batch_label[i] = label
                i += 1
        except StopIteration:
            if not i:
                raise
        return i

    def next(self) -> DataBatch:
        """The next batch; StopIteration at the end."""
        shape = (self.batch_size, *self.data_shape)
        if self._cache_data is not None:
            assert self._cache_idx is not None
            batch_data, batch_label, i = self._cache_data, self._cache_label, self._cache_idx
        else:
            batch_data = in_mode(nd.zeros(shape))
            batch_label = in_mode(nd.zeros(self.provide_label[0][1]))
            i = self._batchify(batch_data, batch_label)
        pad = self.batch_size - i
        if pad:
            if self.last_batch_handle == "discard":
                raise StopIteration
            if self.last_batch_handle == "roll_over" and self._cache_data is None:
                self._cache_data, self._cache_label = batch_data, batch_label
                self._cache_idx = i
                raise StopIteration
            self._batchify(batch_data, batch_label, i)
            if self.last_batch_handle == "pad":
                self._allow_read = False
            else:
                self._cache_data = self._cache_label = self._cache_idx = None
        return DataBatch([batch_data], [batch_label], pad=pad)

    def check_data_shape(self, data_shape: Sequence[int]) -> None:
        """ValueError unless it is (3, height, width)."""
        if len(data_shape) != 3:
            raise ValueError("data_shape should have length 3, with dimensions CxHxW")
        if data_shape[0] != 3:
            raise ValueError("This iterator expects inputs to have 3 channels.")

    def check_valid_image(self, data: Any) -> None:
        """RuntimeError if there is no image in `data`, a list of one: it is then skipped."""
        if len(data[0].shape) == 0:
            raise RuntimeError("Data shape is wrong")

    def imdecode(self, s: Any) -> Any:
        """The image of a file's bytes, (H, W, 3)."""
        try:
            return imdecode(s)
        except MXNetError as error:
            raise MXNetError(f"Broken image {self._where()}: {error}") from error

    def _where(self) -> str:
        """Which image the last sample was."""
        if self.seq is None:
            return "in the record file"
        number = self.seq[self.cur - 1]
        if self.imglist is not None:
            return f"filename: {self.imglist[number][1]}"
        return f"index: {number}"

    def read_image(self, fname: str) -> bytes:
        """The bytes of a file below `path_root`."""
        with open(os.path.join(self.path_root or "", fname), "rb") as file:
            return file.read()

    def augmentation_transform(self, data: Any) -> Any:
        """The image through all augmenters."""
        for augmenter in self.auglist:
            data = augmenter(data)
        return data

    def postprocess_data(self, datum: Any) -> Any:
        """(H, W, C) → (C, H, W)."""
        return datum.transpose((2, 0, 1))


def _tuple(data_shape: Any) -> tuple[int, ...]:
    if not isinstance(data_shape, tuple):
        raise TypeError(f"data_shape must be a tuple, not a {type(data_shape).__name__}")
    return data_shape


def read_list(path: str, dtype: str) -> dict[Any, Any]:
    """The lines of a list: number → (labels, path of the image)."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            number, *labels, name = line.strip().split("\t")
            values = in_mode(nd.array([float(label) for label in labels], dtype=dtype))
            found[int(number)] = (values, name)
    return found


def number_list(items: Any, dtype: str) -> dict[Any, Any] | None:
    """A list of [label, path] or [label, label, …, path]: '1' → (labels, path)."""
    if not isinstance(items, list):
        return None
    found = {}
    for i, item in enumerate(items, 1):
        labels, name = item[:-1], item[-1]
        if len(labels) == 1 and not isinstance(labels[0], (int, float, np.number)):
            labels = labels[0]
        found[str(i)] = (in_mode(nd.array(labels, dtype=dtype)), name)
    return found
