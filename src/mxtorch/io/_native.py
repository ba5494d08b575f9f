"""`MXDataIter`: the iterators that MXNet has in C++, and how their functions read arguments.

A loader is what such an iterator runs on: a class with `rewind()`, `advance()` and the current
batch in `data`, `label`, `pad` and `index`. `iterator(name, make)` is its function in `mx.io`.
"""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from mxtorch._core.attrs import Attr, attr_of, read_values
from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetError, MXNetTypeError, MXNetValueError
from mxtorch._core.warn import warn
from mxtorch.io._base import DataBatch, DataDesc, DataIter
from mxtorch.ndarray import array


class Loader(Protocol):
    """What gives an MXDataIter its batches, as NumPy arrays (or NDArrays as they are)."""

    data: Any
    label: Any
    pad: int
    index: np.ndarray

    def rewind(self) -> None:
        """Start a new epoch."""

    def advance(self) -> bool:
        """Load the next batch; False at the end."""

    def state_dict(self) -> dict[str, Any]:
        """The place, from which the same loader in another process goes on."""

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""


class BatchLoader:
    """Batches of numbered rows; a subclass loads them in `_fill`.

    With `round_batch` the last batch is filled up from the start of the rows, and the next epoch
    goes on behind those. Without, it is short; with `drop_last` it is left out.
    """

    data: Any
    label: Any

    def __init__(
        self, count: int, batch_size: int, round_batch: bool = True, drop_last: bool = False
    ) -> None:
        if batch_size < 1:
            raise MXNetValueError(f"batch_size={batch_size} must be at least 1")
        self.count = count
        self.batch_size = batch_size
        self.round_batch = round_batch
        self.drop_last = drop_last
        self.at = 0
        self.overflow = 0
        self.pad = 0
        self.index = np.zeros(batch_size, np.uint64)

    def rewind(self) -> None:
        """Start a new epoch, behind the rows that the last one has used to fill up."""
        if not self.overflow:
            self.at = 0
        self.overflow = 0

    def state_dict(self) -> dict[str, Any]:
        """The place in the rows."""
        return {"at": self.at, "overflow": self.overflow}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        if not 0 <= state["at"] <= self.count:
            raise MXNetError(f"the saved place is row {state['at']}; there are {self.count} here")
        self.at, self.overflow = state["at"], state["overflow"]

    def advance(self) -> bool:
        """Load the next batch; False at the end."""
        left = self.count - self.at
        if self.overflow or left <= 0 or (self.drop_last and left < self.batch_size):
            return False
        found = np.arange(self.at, self.at + min(left, self.batch_size))
        self.at += len(found)
        self.pad = self.batch_size - len(found)
        if self.pad and self.round_batch:
            if self.pad > self.count:
                raise MXNetError(
                    f"number of input must be bigger than batch size: {self.count} rows "
                    f"cannot fill up a batch of {self.batch_size}; pass round_batch=False"
                )
            self.at = self.overflow = self.pad
            found = np.concatenate([found, np.arange(self.pad)])
        self._fill(found)
        return True

    def _fill(self, found: np.ndarray) -> None:
        """Load the rows of these numbers, at most `batch_size`."""
        self.index = self.index.copy()
        self.index[: len(found)] = found


class RowLoader(BatchLoader):
    """Batches of rows of two arrays in memory.

    A short batch has rows of the batch before at its end, as in MXNet.
    """

    def __init__(
        self,
        data: np.ndarray,
        label: np.ndarray,
        batch_size: int,
        round_batch: bool = True,
        drop_last: bool = False,
    ) -> None:
        super().__init__(len(data), batch_size, round_batch, drop_last)
        self.rows = data
        self.labels = label
        self.data = np.zeros((batch_size, *data.shape[1:]), data.dtype)
        self.label = np.zeros((batch_size, *label.shape[1:]), label.dtype)

    def state_dict(self) -> dict[str, Any]:
        """The place, and the batch whose rows a short one would end with."""
        return {**super().state_dict(), "batch": [self.data, self.label]}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        super().load_state_dict(state)
        data, label = state["batch"]
        if data.shape != self.data.shape or label.shape != self.label.shape:
            raise MXNetError(
                f"the saved batch has shapes {data.shape} and {label.shape}, those here are "
                f"{self.data.shape} and {self.label.shape}"
            )
        self.data, self.label = data, label

    def _fill(self, found: np.ndarray) -> None:
        super()._fill(found)
        self.data, self.label = self.data.copy(), self.label.copy()
        self.data[: len(found)] = self.rows[found]
        self.label[: len(found)] = self.labels[found]


class MXDataIter(DataIter):
    """An iterator over a loader of files; `mx.io.CSVIter` and its like return one.

    The first batch is loaded at once, for `provide_data` and `provide_label`. Batches are on
    cpu(0). Other keyword arguments are ignored.
    """

    def __init__(
        self, handle: Loader, data_name: str = "data", label_name: str = "softmax_label", **_: Any
    ) -> None:
        super().__init__()
        self.handle = handle
        self._debug_skip_load = False
        self._debug_at_begin = True
        self.first_batch: DataBatch | None = None
        first = self.next()
        self.first_batch = first
        data, label = first.data[0], first.label[0]
        self.provide_data = [DataDesc(data_name, data.shape, data.dtype)]
        self.provide_label = [DataDesc(label_name, label.shape, label.dtype)]
        self.batch_size = data.shape[0]

    def debug_skip_load(self) -> None:
        """Give the first batch again and again, to measure what a program does besides loading."""
        self._debug_skip_load = True

    def reset(self) -> None:
        """Start a new epoch."""
        self._debug_at_begin = True
        self.first_batch = None
        self.handle.rewind()

    def _state_dict(self) -> dict[str, Any]:
        """The place, for `mxtorch.checkpoint`."""
        return {"loader": self.handle.state_dict(), "has_begun": self.first_batch is None}

    def _load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave, with the same files."""
        self.handle.load_state_dict(state["loader"])
        if state["has_begun"]:
            self.first_batch = None

    def next(self) -> DataBatch:
        """The next batch; StopIteration at the end."""
        if self._debug_skip_load and not self._debug_at_begin:
            return self._batch()
        if self.first_batch is not None:
            batch, self.first_batch = self.first_batch, None
            return batch
        self._debug_at_begin = False
        if not self.handle.advance():
            raise StopIteration
        return self._batch()

    def _batch(self) -> DataBatch:
        return DataBatch(
            data=[self.getdata()],
            label=[self.getlabel()],
            pad=self.getpad(),
            index=self.getindex(),
        )

    def iter_next(self) -> bool:
        """Go to the next batch; False at the end."""
        if self.first_batch is not None:
            return True
        return self.handle.advance()

    def getdata(self) -> Any:
        """The current batch's array."""
        return _on_cpu(self.handle.data)

    def getlabel(self) -> Any:
        """The current batch's labels."""
        return _on_cpu(self.handle.label)

    def getindex(self) -> np.ndarray:
        """The numbers of the samples in the current batch, uint64."""
        return self.handle.index.copy()

    def getpad(self) -> int:
        """How many samples at the end of the current batch are padding."""
        return self.handle.pad


def _on_cpu(values: Any) -> Any:
    if not isinstance(values, np.ndarray):
        return values
    return array(values, Context("cpu", 0), values.dtype)


def iterator(name: str, make: Callable[..., Loader]) -> Callable[..., MXDataIter]:
    """The function `mx.io.<name>`: arguments by keyword, as Python values or as text.

    `make` declares them as keyword-only parameters with the kinds of `_core.attrs`. What it does
    not declare has no effect in MXNet; here it warns.
    """

    @functools.cache  # what iterates over files is rarely what a program imports MXNet for
    def read_signature() -> dict[str, Attr]:
        hints = typing.get_type_hints(make, include_extras=True)
        parameters = inspect.signature(make).parameters.values()
        defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
        return {p.name: attr_of(p.name, hints[p.name], defaults) for p in parameters}

    def create(*args: Any, **kwargs: Any) -> MXDataIter:
        attrs = read_signature()
        if args:
            raise MXNetTypeError(f"{name} takes its arguments by keyword: {', '.join(attrs)}")
        names = {key: kwargs.pop(key) for key in ("data_name", "label_name") if key in kwargs}
        unknown = sorted(key for key in kwargs if key not in attrs)
        if unknown:
            warn(f"{name} has no argument {', '.join(unknown)}: without effect, as in MXNet")
        raw = {key: value for key, value in kwargs.items() if key in attrs}
        return MXDataIter(make(**read_values(name, attrs, raw)), **names)

    create.__name__ = create.__qualname__ = name
    create.__doc__ = make.__doc__
    return create
