"""`mx.io.MNISTIter`: the digits' own files."""

from __future__ import annotations

import sys
from typing import Literal

import numpy as np

from mxtorch._core.attrs import Hint
from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._core.idx import read_idx
from mxtorch._core.rng import Generator
from mxtorch.io._csv import OutputType
from mxtorch.io._native import Loader, RowLoader, iterator


class _Digits(RowLoader):
    """Rows whose numbers are not told, as in MXNet."""

    def _fill(self, found: np.ndarray) -> None:
        super()._fill(found)
        self.index = np.zeros_like(self.index)


def _load(
    *,
    image: str = "./train-images-idx3-ubyte",
    label: str = "./train-labels-idx1-ubyte",
    batch_size: int = 128,
    shuffle: bool = True,
    flat: bool = False,
    seed: int = 0,
    silent: bool = False,
    num_parts: int = 1,
    part_index: int = 0,
    prefetch_buffer: Hint[int] = 4,
    ctx: Hint[Literal["cpu", "gpu"]] = "gpu",
    dtype: OutputType = None,
) -> Loader:
    """Batches (batch, 1, height, width) of an uncompressed MNIST file, float32 in [0, 1).

    With `flat` they are (batch, height * width). `shuffle` orders the samples once, by `seed`, as
    MXNet does. The last samples that do not fill a batch are left out. `silent` suppresses a line
    on stderr. The samples are one of `num_parts` parts.
    """
    if not 0 <= part_index < num_parts:
        raise MXNetValueError(f"MNISTIter: part_index={part_index} is none of {num_parts} parts")
    if dtype not in (None, "float32"):
        raise MXNetError(f"{dtype} is not supported for MNISTIter: its batches are float32")
    pixels, digits = read_idx(image, 3, zipped=False), read_idx(label, 1, zipped=False)
    if len(digits) < len(pixels):
        raise MXNetError(f"{label} has {len(digits)} labels for {len(pixels)} images of {image}")
    count = len(pixels)
    part = slice(count * part_index // num_parts, count * (part_index + 1) // num_parts)
    pixels, digits = pixels[part], digits[:count][part]
    shape = (-1,) if flat else (1, *pixels.shape[1:])
    data = pixels.reshape(len(pixels), *shape).astype(np.float32) * np.float32(1 / 256)
    labels = digits.astype(np.float32)
    if shuffle:
        generator = Generator()
        generator.seed_ctx(seed)
        order = generator.shuffle_index(len(data))
        data, labels = data[order], labels[order]
    if not silent:
        batch = [batch_size, *data.shape[1:]]
        text = f"MNISTIter: load {len(data)} images, shuffle={int(shuffle)}, shape={batch}"
        print(text, file=sys.stderr)
    return _Digits(data, labels, batch_size, drop_last=True)


MNISTIter = iterator("MNISTIter", _load)
