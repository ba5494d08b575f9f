"""What an iterator gives, what describes it, and the iterators' base class."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from typing import Any

import numpy as np

from mxtorch._core.errors import MXNetAssertionError


class DataDesc(namedtuple("DataDesc", ["name", "shape"])):
    """Name and shape of an input, a pair, with `dtype` and `layout` as attributes."""

    dtype: Any
    layout: str | None

    def __new__(
        cls, name: str, shape: Any, dtype: Any = np.float32, layout: str | None = "NCHW"
    ) -> DataDesc:
        self = super().__new__(cls, name, shape)
        self.dtype = dtype
        self.layout = layout
        return self

    def __repr__(self) -> str:
        return f"DataDesc[{self.name},{self.shape},{self.dtype},{self.layout}]"

    @staticmethod
    def get_batch_axis(layout: str | None) -> int:
        """The axis of `N` in a layout: 0 without a layout, -1 where it has none."""
        return 0 if layout is None else layout.find("N")

    @staticmethod
    def get_list(shapes: Any, types: Any) -> list[DataDesc]:
        """Descriptions of (name, shape) pairs, with the types of (name, dtype) pairs if any."""
        if types is None:
            return [DataDesc(pair[0], pair[1]) for pair in shapes]
        known = dict(types)
        return [DataDesc(pair[0], pair[1], known[pair[0]]) for pair in shapes]


class DataBatch:
    """A batch: lists of arrays, and how many of the last samples are padding.

    AssertionError where `data` or `label` is a single array.
    """

    def __init__(
        self,
        data: Any,
        label: Any = None,
        pad: int | None = None,
        index: Any = None,
        bucket_key: Any = None,
        provide_data: Any = None,
        provide_label: Any = None,
    ) -> None:
        for what, arrays in (("Data", data), ("Label", label)):
            if arrays is not None and not isinstance(arrays, (list, tuple)):
                raise MXNetAssertionError(
                    f"{what} must be list of NDArrays, got {type(arrays).__name__}; "
                    "put a single array into a list"
                )
        self.data = data
        self.label = label
        self.pad = pad
        self.index = index
        self.bucket_key = bucket_key
        self.provide_data = provide_data
        self.provide_label = provide_label

    def __str__(self) -> str:
        labels = [array.shape for array in self.label] if self.label else None
        data = [array.shape for array in self.data]
        return f"{type(self).__name__}: data shapes: {data} label shapes: {labels}"


class DataIter:
    """Base class: subclasses have `next`, or `iter_next` with `getdata`, `getlabel`, `getpad`.

    They also have `provide_data` and `provide_label`, lists of `DataDesc`, if a Module reads them.
    """

    def __init__(self, batch_size: int = 0) -> None:
        self.batch_size = batch_size

    def __iter__(self) -> Iterator[Any]:
        return self

    def reset(self) -> None:
        """Start again at the first batch."""

    def next(self) -> Any:
        """The next batch; StopIteration at the end."""
        if not self.iter_next():
            raise StopIteration
        return DataBatch(
            data=self.getdata(), label=self.getlabel(), pad=self.getpad(), index=self.getindex()
        )

    def __next__(self) -> Any:
        return self.next()

    def iter_next(self) -> bool:
        """Go to the next batch; False at the end."""
        return None  # type: ignore[return-value]  # MXNet's base class gives None everywhere

    def getdata(self) -> Any:
        """The arrays of the current batch."""
        return None

    def getlabel(self) -> Any:
        """The labels of the current batch."""
        return None

    def getindex(self) -> Any:
        """The numbers of the samples in the current batch, where the iterator knows them."""
        return None

    def getpad(self) -> Any:
        """How many samples at the end of the current batch are padding."""
        return None
