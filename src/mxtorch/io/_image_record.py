"""`mx.io.ImageRecordIter` and its kin: batches of images from record files, decoded by threads.

Pixels without chance, and the order of shuffled images, are MXNet's. So is random augmentation, as
one thread of MXNet's does it (`preprocess_threads=1`; here it depends neither on that nor on the
machine), where each image takes as many random numbers: not with `random_resized_crop`,
`pca_noise`, `random_h` and its like, `inter_method=10`, nor where images are shuffled without an
index.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, get_type_hints

import numpy as np
import torch

from mxtorch import ndarray as nd
from mxtorch._core.attrs import Hint
from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetValueError, NotSupportedError
from mxtorch._front.handle import wrap_new
from mxtorch._pixels import codec
from mxtorch._pixels.augment import Augmentation
from mxtorch._pixels.chance import STREAM, Chance, Stream, words
from mxtorch.io._native import iterator
from mxtorch.io._record_order import Records, find_files
from mxtorch.ndarray.ndarray import NDArray
from mxtorch.recordio import unpack

_DTypes = Literal[
    None, "bfloat16", "float16", "float32", "float64", "int32", "int64", "int8", "uint8"
]


@dataclass(kw_only=True, init=False, repr=False, eq=False)
class _Source:
    """Which images, with which labels, in which order."""

    order_base: ClassVar[int | None] = None  # what the order's seed is added to
    path_imglist: str = ""
    path_imgrec: str = ""
    path_imgidx: str = ""
    label_width: int = 1
    num_parts: int = 1
    part_index: int = 0
    shuffle_chunk_size: int = 0
    shuffle_chunk_seed: int = 0
    shuffle: bool = False
    seed: int = 0

    def open_records(self) -> Records:
        """The records, with those options."""
        base = {} if self.order_base is None else {"base": self.order_base}
        return Records(
            find_files(self.path_imgrec),
            self.path_imgidx,
            shuffle=self.shuffle,
            seed=self.seed,
            num_parts=self.num_parts,
            part_index=self.part_index,
            chunk_size=self.shuffle_chunk_size,
            chunk_seed=self.shuffle_chunk_seed,
            **base,
        )

    def read_labels(self) -> dict[int, list[float]] | None:
        """The labels of a list, by image number; None without a list."""
        if not self.path_imglist:
            return None
        labels = {}
        with open(self.path_imglist, encoding="utf-8") as file:
            for place, line in enumerate(file, 1):
                fields = line.split()
                try:
                    last = 1 + self.label_width if self.label_width > 0 else -1
                    numbers = [float(text) for text in fields[1:last]]
                    labels[int(fields[0])] = numbers
                except (ValueError, IndexError) as error:
                    raise MXNetError(f"{self.path_imglist}, line {place}: {error}") from None
        return labels


@dataclass(kw_only=True, init=False, repr=False, eq=False)
class _Normalization:
    """(x - mean) * scale / std; a deviation of 0 counts as 1."""

    mean_img: str = ""
    mean_r: float = 0.0
    mean_g: float = 0.0
    mean_b: float = 0.0
    mean_a: float = 0.0
    std_r: float = 1.0
    std_g: float = 1.0
    std_b: float = 1.0
    std_a: float = 1.0
    scale: float = 1.0

    def channels(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Mean and scale / std, each (channels, 1, 1)."""
        mean = (self.mean_r, self.mean_g, self.mean_b, self.mean_a)[:count]
        std = (self.std_r, self.std_g, self.std_b, self.std_a)[:count]
        factor = np.float32(self.scale) / np.array([s or 1.0 for s in std], np.float32)
        return np.array(mean, np.float32).reshape(-1, 1, 1), factor.reshape(-1, 1, 1)


class _Batch(NamedTuple):
    """A batch on its way: its arrays, which threads fill, and what they still have to do."""

    data: torch.Tensor
    label: np.ndarray
    numbers: np.ndarray
    pad: int
    jobs: list[Future[None]]
    before: dict[str, Any]  # where the loader was


@dataclass(kw_only=True, init=False, repr=False, eq=False)
class _Batching:
    """How batches are made."""

    preprocess_threads: int = 4
    verbose: Hint[bool] = True
    batch_size: int
    round_batch: bool = True
    prefetch_buffer: int = 4
    ctx: Hint[Literal["cpu", "gpu"]] = "gpu"
    dtype: _DTypes = None

    def check_batches(self, *dtypes: str) -> None:
        """MXNetError for what cannot be."""
        if self.batch_size < 1 or self.preprocess_threads < 1:
            raise MXNetValueError("batch_size and preprocess_threads must be 1 or more")
        if self.dtype is not None and self.dtype not in dtypes:
            raise NotSupportedError(f"dtype={self.dtype}: use {', '.join(dtypes)}")


@dataclass(kw_only=True, repr=False, eq=False)
class ImageRecordOptions(_Source, Augmentation, _Normalization, _Batching):
    """Iterates over the images of a record file (`tools/im2rec.py` makes them).

    Batches (batch_size, *data_shape), float32 RGB, and labels (batch_size,) or (batch_size,
    label_width). An image is resized (`resize`: its shorter side), cropped to `data_shape` (in the
    middle, or with `rand_crop` anywhere; a smaller one is enlarged), mirrored, normalized: (x -
    mean) * scale / std. `shuffle` has MXNet's order. `round_batch` fills the last batch from the
    next epoch's start; without it the rows left are 0 and counted in `pad` (MXNet leaves them
    unset and counts none). `num_parts` and `part_index` divide the file. Threads decode ahead.
    """

    aug_seq: str = "aug_default"
    device_id: Hint[int] = 0
    seed_aug: int | None = None
    mirror: bool = False
    rand_mirror: bool = False
    max_random_contrast: float = 0.0
    max_random_illumination: float = 0.0

    def __post_init__(self) -> None:
        self.check()
        self.check_batches("float32", "uint8", "int8")
        if self.aug_seq != "aug_default":
            raise NotSupportedError(f"aug_seq={self.aug_seq!r}: there is 'aug_default' only")


class ImageLoader:
    """Makes batches as `MXDataIter` wants them; `dtype` and the numbering are the iterator's."""

    def __init__(self, options: Any, dtype: str | None = None, numbers: bool = False) -> None:
        self._options = options
        self._kind = np.dtype(dtype or options.dtype or "float32")
        self._numbers = numbers
        self._labels = options.read_labels()
        self._records = options.open_records()
        self._pool = ThreadPoolExecutor(options.preprocess_threads)
        self._mean, self._factor = options.channels(options.data_shape[0])
        self._count = 0  # images so far
        self._number = 0  # what is added to seed_aug for the next image
        self._stream_of_chance = Stream(self._draws())
        self._under_way: deque[_Batch] = deque()
        self._open_stream()
        self._has_begun = False  # the stream has given images to the batch before it
        self._is_over = False
        if options.mean_img:
            self._mean = self._mean_image(options.mean_img)
        self.data: Any = None
        self.label: Any = None
        self.index = np.zeros(options.batch_size, np.uint64)
        self.pad = 0

    def __del__(self) -> None:
        pool = getattr(self, "_pool", None)
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    # the protocol of MXDataIter ---------------------------------------------------------------

    def rewind(self) -> None:
        """Start a new epoch, behind the images that the last one has used to fill up.

        That counts, as in MXNet, when the threads ahead have used them, wherever the caller is.
        """
        for batch in self._under_way:
            for job in batch.jobs:
                job.cancel()
        self._under_way.clear()
        if not (self._is_over and self._has_begun):
            self._open_stream()
        self._has_begun = self._is_over = False

    def advance(self) -> bool:
        """Load the next batch; False at the end."""
        while not self._is_over and len(self._under_way) <= self._options.prefetch_buffer:
            batch = self._start()
            if batch is not None:
                self._under_way.append(batch)
        if not self._under_way:
            return False
        batch = self._under_way.popleft()
        for job in batch.jobs:
            job.result()
        self.data = wrap_new(NDArray, batch.data, Context("cpu", 0))
        self.label = batch.label
        self.index = batch.numbers
        self.pad = batch.pad
        return True

    # the place ----------------------------------------------------------------------------------

    def _open_stream(self, filled: int = 0) -> None:
        self._began, self._taken = self._records.state_dict(), 0
        self._number = filled  # MXNet counts from the place in the batch where an epoch begins
        self._stream = self._records.epoch()

    def _place(self) -> dict[str, Any]:
        return {
            "began": self._began,
            "taken": self._taken,
            "count": self._count,
            "number": self._number,
            "has_begun": self._has_begun,
            "is_over": self._is_over,
        }

    def state_dict(self) -> dict[str, Any]:
        """The place before the batches that are under way, and how far ahead these are."""
        place = self._under_way[0].before if self._under_way else self._place()
        return {**place, "ahead": len(self._under_way), "is_over_ahead": self._is_over}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave, with the same files."""
        self.rewind()
        self._records.load_state_dict(state["began"])
        self._open_stream()
        while self._taken < state["taken"]:
            if not self._take(1):
                raise MXNetError(f"{state['taken']} images had been read; there are fewer now")
        self._count, self._number = state["count"], state["number"]
        self._has_begun, self._is_over = state["has_begun"], state["is_over"]
        while len(self._under_way) < state["ahead"] and (batch := self._start()) is not None:
            self._under_way.append(batch)
        if state["is_over_ahead"] and not self._is_over:
            self._start()

    # batches ----------------------------------------------------------------------------------

    def _start(self) -> _Batch | None:
        """Hand the next batch's images to the threads; None at the end of the epoch."""
        before = self._place()
        found = self._take(self._options.batch_size)
        pad = self._options.batch_size - len(found)
        if pad:
            self._is_over = True
            if not found:
                return None
            self._open_stream(len(found) if self._options.round_batch else 0)
            if self._options.round_batch:
                self._has_begun = True
                found += self._take(pad)
                if len(found) < self._options.batch_size:
                    raise MXNetError(
                        "number of input images must be bigger than the batch size: "
                        f"{self._options.batch_size} images cannot be had; pass round_batch=False"
                    )
        return self._hand_over(found, pad, before)

    def _take(self, count: int) -> list[tuple[bytes, int]]:
        found = []
        for record in self._stream:
            found.append((record, self._number))
            self._taken += 1
            self._number += 1
            if len(found) == count:
                break
        return found

    def _hand_over(
        self, records: list[tuple[bytes, int]], pad: int, before: dict[str, Any]
    ) -> _Batch:
        new = np.zeros if len(records) < self._options.batch_size else np.empty
        data = new((self._options.batch_size, *self._options.data_shape), self._kind)
        batch = _Batch(
            torch.from_numpy(data),
            np.zeros((self._options.batch_size, *self._label_shape()), np.float32),
            np.zeros(self._options.batch_size, np.uint64),
            pad,
            [],
            before,
        )
        for i, (record, number) in enumerate(records):
            random = self._random(self._count, number)
            arguments = (record, random, data[i], batch.label[i : i + 1], batch.numbers[i:])
            batch.jobs.append(self._pool.submit(self._fill, *arguments))
            self._count += 1
        return batch

    def _label_shape(self) -> tuple[int, ...]:
        """The shape of an image's labels."""
        return (self._options.label_width,) if self._options.label_width > 1 else ()

    # one image --------------------------------------------------------------------------------

    def _fill(
        self, record: bytes, random: Any, data: np.ndarray, label: np.ndarray, index: np.ndarray
    ) -> None:
        """Decode a record into its places in a batch; runs in a thread."""
        header, encoded = unpack(record)
        if self._numbers:
            index[0] = header.id
        try:
            label[:] = self._make(encoded, self._label_of(header), random, data)
        except MXNetError as error:
            where = f"{self._options.path_imgrec}, image {header.id}"
            raise type(error)(f"{where}: {error}") from error

    def _draws(self) -> int:
        """How many of the shared random numbers an image takes."""
        options = self._options
        return int(options.draws()) + 2 * options.rand_mirror + 2 * (self._kind.kind == "f")

    def _random(self, count: int, number: int) -> Any:
        """What augments the image after `count` others, the epoch's `number`-th."""
        if self._options.seed_aug is None:
            return self._stream_of_chance.chance(count)
        return Chance(words(STREAM + self._options.seed_aug + number))

    def _label_of(self, header: Any) -> np.ndarray:
        if self._labels is None:
            return np.atleast_1d(np.asarray(header.label, np.float32))
        if header.id not in self._labels:
            raise MXNetError(f"{self._options.path_imglist} has no labels of it")
        return np.array(self._labels[header.id], np.float32)

    def _make(
        self, encoded: bytes, values: np.ndarray, random: Any, data: np.ndarray
    ) -> np.ndarray:
        """Write an image into its place; gives its row of labels."""
        options = self._options
        if len(values) != options.label_width:
            raise MXNetShapeError(f"there are {len(values)} labels; pass label_width={len(values)}")
        pixels = options.apply(self._decode(encoded), random)
        if options.mirror or (options.rand_mirror and random.coin()):
            data = data[..., ::-1]
        contrast = illumination = 0.0
        if self._kind.kind == "f":
            width = options.max_random_contrast
            contrast = random.uniform(-width, width)
            width = options.max_random_illumination
            illumination = random.uniform(-width, width)
        self._normalize(pixels.transpose(2, 0, 1), data, 1 + contrast, illumination)
        return values

    def _decode(self, encoded: bytes) -> np.ndarray:
        channels = self._options.data_shape[0]
        if channels == 4:
            return codec.decode_alpha(encoded)
        return codec.decode(encoded, int(channels == 3), upright=True)

    def _normalize(
        self, pixels: np.ndarray, data: np.ndarray, contrast: float = 1, illumination: float = 0
    ) -> None:
        """Write pixels (C, H, W) as the batch wants them."""
        if self._kind == np.uint8:
            data[:] = pixels
        elif self._kind == np.int8:
            data[:] = np.clip(np.rint(pixels - self._mean), -128, 127)
        else:
            np.subtract(pixels, self._mean, out=data)
            data *= self._factor if contrast == 1 else self._factor * np.float32(contrast)
            if illumination:
                data += np.float32(illumination * self._options.scale)

    def _mean_image(self, path: str) -> np.ndarray:
        """The array in a file; if there is none, it is computed and written."""
        if not os.path.exists(path):
            self._write_mean(path)
        found = nd.load(path)
        arrays = list(found.values()) if isinstance(found, dict) else found
        if not arrays or arrays[0].shape != tuple(self._options.data_shape):
            shape = arrays[0].shape if arrays else "nothing"
            raise MXNetShapeError(
                f"{path} has {shape}, the images have {tuple(self._options.data_shape)}"
            )
        mean: np.ndarray = arrays[0].asnumpy()
        return mean

    def _write_mean(self, path: str) -> None:
        total, count = np.zeros(self._options.data_shape), 0
        for record in self._options.open_records().epoch():
            random = self._random(count, count)
            pixels = self._options.apply(self._decode(unpack(record)[1]), random)
            total += pixels.transpose(2, 0, 1)
            count += 1
        nd.save(path, {"mean_img": nd.array(total / max(count, 1))})


def function_of(name: str, options: Any, load: Callable[[Any], ImageLoader]) -> Callable[..., Any]:
    """The function `mx.io.<name>`, with the options as its arguments."""

    def make(**values: Any) -> ImageLoader:
        return load(options(**values))

    make.__doc__ = options.__doc__
    signature, make.__annotations__, make.__kwdefaults__ = _declared(options)
    make.__signature__ = signature  # type: ignore[attr-defined]
    return iterator(name, make)


@functools.cache
def _declared(options: Any) -> tuple[inspect.Signature, dict[str, Any], dict[str, Any]]:
    """The signature of a class of options, its types, its defaults."""
    signature = inspect.signature(options)
    found = signature.parameters.items()
    defaults = {name: p.default for name, p in found if p.default is not p.empty}
    return signature, get_type_hints(options, include_extras=True), defaults


def _function(name: str, dtype: str | None = None, numbers: bool = False) -> Callable[..., Any]:
    return function_of(name, ImageRecordOptions, lambda o: ImageLoader(o, dtype, numbers))


ImageRecordIter = _function("ImageRecordIter")
# without normalization
ImageRecordUInt8Iter = _function("ImageRecordUInt8Iter", "uint8")
# the mean is subtracted, what does not fit into int8 cut off
ImageRecordInt8Iter = _function("ImageRecordInt8Iter", "int8")
# these say which images a batch has
ImageRecordIter_v1 = _function("ImageRecordIter_v1", None, True)
ImageRecordUInt8Iter_v1 = _function("ImageRecordUInt8Iter_v1", "uint8", True)
