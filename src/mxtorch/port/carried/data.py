"""Data sets and iterators."""

from __future__ import annotations

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, RandomSampler, SequentialSampler


class Transformed(Dataset):
    """The items of a data set after `function`; with `first`, their first part after it."""

    def __init__(self, items, function, first=False):
        self.items, self.function, self.first = items, function, first

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        item = self.items[index]
        if not isinstance(item, tuple):
            return self.function(item)
        if self.first:
            return (self.function(item[0]), *item[1:])
        return self.function(*item)


class Images(Dataset):
    """The images of one of torchvision's data sets as arrays (height, width, channels)."""

    def __init__(self, dataset):
        self.dataset = dataset

    def __len__(self):
        return len(self.dataset)

    def __getitem__(self, index):
        if isinstance(index, slice):
            pairs = [self[i] for i in range(*index.indices(len(self)))]
            labels = np.array([label for _, label in pairs], dtype="int32")
            return torch.stack([image for image, _ in pairs]), labels
        image, label = self.dataset[index]
        image = torch.from_numpy(np.array(image))
        return image.reshape(image.shape[0], image.shape[1], -1), label


class RollingBatches:
    """Batches of a sampler's numbers; what is too little for one comes first the next time."""

    def __init__(self, sampler, batch_size):
        self.sampler, self.batch_size, self.rest = sampler, batch_size, []

    def __iter__(self):
        rows, self.rest = self.rest, []
        for number in self.sampler:
            rows.append(number)
            if len(rows) == self.batch_size:
                yield rows
                rows = []
        self.rest = rows

    def __len__(self):
        return (len(self.rest) + len(self.sampler)) // self.batch_size


def rolling_loader(dataset, batch_size, shuffle=False, **options):
    """A loader whose last samples, too few for a batch, come first the next time."""
    sampler = RandomSampler(dataset) if shuffle else SequentialSampler(dataset)
    return DataLoader(dataset, batch_sampler=RollingBatches(sampler, batch_size), **options)


class Batch:
    """Arrays of one step: `data`, `label`, and how many of the last rows only fill it up."""

    def __init__(self, data, label=None, pad=0, bucket_key=None):
        self.data, self.label, self.pad, self.bucket_key = data, label, pad, bucket_key


class ArrayIter:
    """Batches of arrays; iterating does not start again: `reset` does."""

    def __init__(
        self,
        data,
        label=None,
        batch_size=1,
        shuffle=False,
        last_batch_handle="pad",
        data_name="data",
        label_name="softmax_label",
    ):
        self.data, self.label = self.arrays(data), self.arrays(label)
        self.names = self.named(data, data_name), self.named(label, label_name)
        self.batch_size, self.handle = batch_size, last_batch_handle
        self.num_data = len(self.data[0])
        self.order = torch.randperm(self.num_data) if shuffle else torch.arange(self.num_data)
        self.shuffle, self.position, self.rolled = shuffle, 0, 0

    @staticmethod
    def arrays(given):
        """What is given as a list of float tensors."""
        if given is None:
            return []
        if isinstance(given, dict):
            given = [given[name] for name in sorted(given)]
        given = given if isinstance(given, (list, tuple)) else [given]
        return [torch.as_tensor(a, dtype=torch.float32) for a in given]

    @staticmethod
    def named(given, name):
        """The names of what is given."""
        if given is None:
            return []
        if isinstance(given, dict):
            return sorted(given)
        count = len(given) if isinstance(given, (list, tuple)) else 1
        return [name] if count == 1 else [f"_{i}_{name}" for i in range(count)]

    def described(self, names, arrays):
        """Names and shapes in a batch."""
        shapes = [(self.batch_size, *a.shape[1:]) for a in arrays]
        return list(zip(names, shapes, strict=True))

    @property
    def provide_data(self):
        """Names and shapes of a batch's data."""
        return self.described(self.names[0], self.data)

    @property
    def provide_label(self):
        """Names and shapes of a batch's labels."""
        return self.described(self.names[1], self.label)

    def reset(self):
        rest = self.order[self.position :]
        self.rolled = len(rest) if self.handle == "roll_over" and len(rest) < self.batch_size else 0
        if self.shuffle:
            self.order = torch.randperm(self.num_data)
        elif self.handle == "roll_over":  # what was too little for a batch comes first
            rolled = rest[: self.rolled]
            self.order = torch.cat([rolled, torch.arange(self.num_data)])
        self.position = 0

    def __iter__(self):
        return self

    def __next__(self):
        left = len(self.order) - self.position
        if left <= 0 or (left < self.batch_size and self.handle != "pad"):
            raise StopIteration
        rows = self.order[self.position : self.position + self.batch_size]
        pad = self.batch_size - len(rows)
        rows = torch.cat([rows, self.order.repeat(1 + pad // self.num_data)[:pad]])
        pad += self.rolled if self.position == 0 else 0
        self.position += self.batch_size
        return Batch([a[rows] for a in self.data], [a[rows] for a in self.label], pad)

    next = __next__
