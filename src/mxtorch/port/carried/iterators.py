"""Iterators over files, and what a program's own are made of."""

from __future__ import annotations

import gzip
from typing import NamedTuple

import numpy as np

from mxtorch.port.carried.data import ArrayIter, Batch


class DataDesc(NamedTuple):
    """What a batch has: a name and a shape."""

    name: str
    shape: tuple
    dtype: object = "float32"
    layout: str = "NCHW"


class DataIter:
    """What iterators of batches are: `next` gives one, `reset` goes back to the first."""

    def __init__(self, batch_size=0):
        self.batch_size = batch_size

    def __iter__(self):
        return self

    def __next__(self):
        return self.next()

    def next(self):
        if not self.iter_next():
            raise StopIteration
        return Batch(self.getdata(), self.getlabel(), self.getpad())

    def reset(self):
        """Go back to the first batch."""

    def iter_next(self):
        """Go on to the next batch; whether there is one."""

    def getdata(self):
        """The data of this batch."""

    def getlabel(self):
        """Its labels."""

    def getpad(self):
        """How many of its rows only fill it up."""
        return 0


class ResizeIter(DataIter):
    """Another iterator's batches, `size` an epoch."""

    def __init__(self, data_iter, size, reset_internal=True):
        super().__init__(data_iter.batch_size)
        self.data_iter, self.size, self.reset_internal = data_iter, size, reset_internal
        self.provide_data, self.provide_label = data_iter.provide_data, data_iter.provide_label
        self.count = 0

    def reset(self):
        self.count = 0
        if self.reset_internal:
            self.data_iter.reset()

    def next(self):
        if self.count == self.size:
            raise StopIteration
        self.count += 1
        try:
            return next(self.data_iter)
        except StopIteration:
            self.data_iter.reset()
            return next(self.data_iter)


class RoundIter(ArrayIter):
    """Batches of arrays, the last filled up from the beginning; there the next epoch goes on."""

    def reset(self):
        self.position = max(self.position - self.num_data, 0)


def csv_iter(
    data_csv,
    data_shape,
    label_csv=None,
    label_shape=(1,),
    batch_size=1,
    round_batch=True,
    **names,
):
    """Batches of the rows of files of numbers; without labels these are 0."""
    data = np.loadtxt(data_csv, delimiter=",", dtype="float32", ndmin=2)
    data = data.reshape(-1, *data_shape)
    label = np.zeros((len(data), *label_shape), dtype="float32")
    if label_csv is not None:
        label = np.loadtxt(label_csv, delimiter=",", dtype="float32", ndmin=2)
        label = label.reshape(-1, *label_shape)
    if tuple(label_shape) == (1,):
        label = label.reshape(-1)
    kind = RoundIter if round_batch else ArrayIter
    return kind(data, label, batch_size, **names)


def read_idx(path):
    """The array in a file of MNIST's kind, also a compressed one."""
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    with (gzip.open if packed else open)(path, "rb") as file:
        content = file.read()
    shape = np.frombuffer(content, ">i4", content[3], 4)
    return np.frombuffer(content, "u1", offset=4 + 4 * len(shape)).reshape(shape).copy()


def mnist_iter(image, label, batch_size=128, shuffle=True, flat=False, **names):
    """Batches of pictures of MNIST's kind, from 0 to 1; what is too little for one is left out."""
    images, labels = read_idx(image) / np.float32(256), read_idx(label)
    images = images.reshape(len(images), -1) if flat else images[:, None]
    return ArrayIter(images, labels, batch_size, shuffle, "discard", **names)


def get_mnist():
    """MNIST as arrays."""
    import torchvision

    found = {}
    for part, train in (("train", True), ("test", False)):
        data = torchvision.datasets.MNIST("data", train, download=True)
        found[f"{part}_data"] = (data.data[:, None].float() / 255).numpy()
        found[f"{part}_label"] = data.targets.numpy()
    return found
