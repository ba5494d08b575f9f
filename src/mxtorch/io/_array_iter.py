"""Batches out of arrays in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxtorch import ndarray
from mxtorch._core.errors import MXNetAssertionError, MXNetError, NotSupportedError
from mxtorch.io._base import DataBatch, DataDesc, DataIter
from mxtorch.io.utils import (
    Named,
    _getdata_by_idx,
    _has_instance,
    _init_data,
    _slice_along_batch_axis,
)
from mxtorch.ndarray.sparse import CSRNDArray

nd: Any = ndarray  # its operators come from the table, where a type checker sees none


class NDArrayIter(DataIter):
    """Batches of an array, a list or a dict of arrays; NumPy arrays become float32 NDArrays.

    `last_batch_handle` says what happens to the samples left over at the end: 'pad' fills the batch
    up from the start, 'discard' drops them, 'roll_over' puts them before the next epoch. `shuffle`
    draws from NumPy's global generator, once at the start and once a reset. `layout` tells the
    batch axis. `cursor` is the number of the current batch's first sample.
    """

    __slots__ = (
        "_order",
    )  # where the samples stood in the arrays that were given; not in __dict__

    def __init__(
        self,
        data: Any,
        label: Any = None,
        batch_size: int = 1,
        shuffle: bool = False,
        last_batch_handle: str = "pad",
        data_name: str = "data",
        label_name: str = "softmax_label",
        layout: str = "NCHW",
    ) -> None:
        super().__init__(batch_size)
        self.data = _init_data(data, allow_empty=False, default_name=data_name)
        self.label = _init_data(label, allow_empty=True, default_name=label_name)
        sparse = _has_instance(self.data, CSRNDArray) or _has_instance(self.label, CSRNDArray)
        if sparse and last_batch_handle != "discard":
            raise NotSupportedError(
                "`NDArrayIter` only supports ``CSRNDArray`` with `last_batch_handle` set to "
                "`discard`."
            )
        self.idx = np.arange(self.data[0][1].shape[0])
        self._order = self.idx.copy()
        self.shuffle = shuffle
        self.last_batch_handle = last_batch_handle
        self.cursor = -self.batch_size
        self.num_data = self.idx.shape[0]
        if shuffle:
            self._shuffle_data()
        self.data_list = [array for _, array in self.data + self.label]
        self.num_source = len(self.data_list)
        self._cache_data: list[Any] | None = None
        self._cache_label: list[Any] | None = None
        self.layout = layout

    @property
    def provide_data(self) -> list[DataDesc]:
        """Names, shapes of a batch and types of the data."""
        return self._describe(self.data)

    @property
    def provide_label(self) -> list[DataDesc]:
        """Names, shapes of a batch and types of the labels."""
        return self._describe(self.label)

    def _describe(self, source: Named) -> list[DataDesc]:
        axis = self._batch_axis()
        found = []
        for name, array in source:
            shape = (*array.shape[:axis], self.batch_size, *array.shape[axis + 1 :])
            found.append(DataDesc(name, shape, array.dtype, self.layout))
        return found

    def _batch_axis(self) -> int:
        return self.layout.find("N")

    def hard_reset(self) -> None:
        """Start again at the first sample; samples to be rolled over are dropped."""
        if self.shuffle:
            self._shuffle_data()
        self.cursor = -self.batch_size
        self._cache_data = None
        self._cache_label = None

    def reset(self) -> None:
        """Start again; with 'roll_over' the next batch begins with the samples left over."""
        if self.shuffle:
            self._shuffle_data()
        left_over = self.num_data - self.batch_size < self.cursor < self.num_data
        if self.last_batch_handle == "roll_over" and left_over:
            self.cursor = self.cursor - self.num_data - self.batch_size
        else:
            self.cursor = -self.batch_size

    def _state_dict(self) -> dict[str, Any]:
        """The place and the order of the samples, for `mxtorch.checkpoint`."""
        return {
            "cursor": self.cursor,
            "idx": self.idx.copy(),
            "order": self._order,
            "left_over": [self._cache_data, self._cache_label],
        }

    def _load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `_state_dict` gave, with the same arrays; MXNetError for others."""
        order = state["order"]
        if not np.array_equal(np.sort(order), np.arange(self.num_data)):
            raise MXNetError(
                f"NDArrayIter: the saved order is of {len(order)} samples; there are "
                f"{self.num_data} here"
            )
        if not np.array_equal(order, self._order):
            moved = np.argsort(self._order)[order]
            self.data = _getdata_by_idx(self.data, moved)
            self.label = _getdata_by_idx(self.label, moved)
        self.cursor, self.idx, self._order = state["cursor"], state["idx"], order
        self._cache_data, self._cache_label = state["left_over"]

    def iter_next(self) -> bool:
        """Go to the next batch; False at the end."""
        self.cursor += self.batch_size
        return self.cursor < self.num_data

    def next(self) -> DataBatch:
        """The next batch; StopIteration at the end."""
        if not self.iter_next():
            raise StopIteration
        data = self.getdata()
        label = self.getlabel()
        if data[0].shape[self._batch_axis()] != self.batch_size:
            self._cache_data = data
            self._cache_label = label
            raise StopIteration
        return DataBatch(data=data, label=label, pad=self.getpad(), index=None)

    def getdata(self) -> list[Any]:
        """The data of the current batch; AssertionError past the end."""
        data = self._batchify(self.data, self._cache_data)
        if self._rolled_over():
            self._cache_data = None
        return data

    def getlabel(self) -> list[Any]:
        """The labels of the current batch; AssertionError past the end."""
        label = self._batchify(self.label, self._cache_label)
        if self._rolled_over():
            self._cache_label = None
        return label

    def getpad(self) -> int:
        """How many samples of the current batch stood in another one too, or before this epoch."""
        if self._padded():
            return self.cursor + self.batch_size - self.num_data
        return -self.cursor if self._rolled_over() else 0

    def _rolled_over(self) -> bool:
        return self.last_batch_handle == "roll_over" and -self.batch_size < self.cursor < 0

    def _padded(self) -> bool:
        return self.last_batch_handle == "pad" and self.cursor + self.batch_size > self.num_data

    def _batchify(self, source: Named, cache: list[Any] | None) -> list[Any]:
        if self.cursor >= self.num_data:
            raise MXNetAssertionError("DataIter needs reset.")
        if self._rolled_over():
            if cache is None:
                raise MXNetAssertionError("there are no samples to roll over: call hard_reset()")
            added = self._part(source, 0, self.cursor + self.batch_size)
            return self._join([cache, added])
        if not self._padded():
            return self._part(
                source, self.cursor, min(self.cursor + self.batch_size, self.num_data)
            )
        repeats, rest = divmod(self.getpad(), self.num_data)
        pieces = [self._part(source, self.cursor, None)]
        pieces += [[array for _, array in source]] * repeats
        if rest:
            pieces.append(self._part(source, 0, rest))
        return self._join(pieces)

    def _part(self, source: Named, start: int, stop: int | None) -> list[Any]:
        if stop is None and source:
            stop = source[0][1].shape[0]  # also where the batch axis is another one, as in MXNet
        part, axis = slice(start, stop), self._batch_axis()
        return [_slice_along_batch_axis(array, part, axis) for _, array in source]

    def _join(self, pieces: list[list[Any]]) -> list[Any]:
        axis = self._batch_axis()
        return [nd.concat(*arrays, dim=axis) for arrays in zip(*pieces, strict=True)]

    def _shuffle_data(self) -> None:
        np.random.shuffle(self.idx)
        self._order = self._order[self.idx]
        self.data = _getdata_by_idx(self.data, self.idx)
        self.label = _getdata_by_idx(self.label, self.idx)
