"""`mx.io.LibSVMIter`: sparse rows in text files."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from mxtorch._core.attrs import Hint, Shape
from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetError, MXNetShapeError
from mxtorch.io._csv import OutputType
from mxtorch.io._native import BatchLoader, Loader, iterator
from mxtorch.io._text import floats, lines_of
from mxtorch.ndarray.sparse import csr_matrix


class _Rows:
    """The rows of a file: labels, and a csr matrix of `width` columns."""

    def __init__(self, path: str, width: int, num_parts: int, part_index: int) -> None:
        self.width = width
        labels: list[str] = []
        values: list[str] = []
        columns: list[int] = []
        pointers = [0]
        where: list[str] = []  # of each label
        rows: list[int] = []  # of each value
        for place, line in lines_of(path, num_parts, part_index):
            words = line.partition("#")[0].split()
            if not words:
                continue
            labels.append(words[0].partition(":")[0])  # a weight behind a colon has no effect
            for word in words[1:]:
                name, _, value = word.partition(":")
                if name == "qid":
                    continue
                columns.append(self._column(name, value, word, place))
                values.append(value)
                rows.append(len(where))
            where.append(place)
            pointers.append(len(values))
        self.labels = floats(labels, where.__getitem__)
        self.values = floats(values, lambda i: where[rows[i]])
        self.columns = np.array(columns, np.int64)
        self.pointers = np.array(pointers, np.int64)

    def __len__(self) -> int:
        return len(self.labels)

    def _column(self, name: str, value: str, word: str, place: str) -> int:
        if not (name.isascii() and name.isdigit() and value):
            raise MXNetError(f"{place}: expected index:value, got {word!r}")
        column = int(name)
        if column >= self.width:
            raise MXNetShapeError(
                f"{place}: index {column} is outside of {self.width} columns; the first one is 0"
            )
        return column

    def batch(self, found: np.ndarray) -> Any:
        """The csr matrix of these rows, on cpu(0)."""
        counts = (self.pointers[1:] - self.pointers[:-1])[found]
        pointers = np.concatenate([[0], np.cumsum(counts)])
        inside = np.arange(pointers[-1]) - np.repeat(pointers[:-1], counts)
        places = np.repeat(self.pointers[found], counts) + inside
        parts = self.values[places], self.columns[places], pointers
        shape = (len(found), self.width)
        return csr_matrix(parts, shape, Context("cpu", 0), np.float32)


class _Loader(BatchLoader):
    """Batches of csr matrices; labels are a csr matrix too if they have a file of their own."""

    def __init__(self, rows: _Rows, labels: _Rows | None, batch_size: int) -> None:
        super().__init__(len(rows), batch_size)
        self.rows = rows
        self.labels = labels

    def _fill(self, found: np.ndarray) -> None:
        super()._fill(found)
        self.data = self.rows.batch(found)
        self.label = self.labels.batch(found) if self.labels else self.rows.labels[found]


def _load(
    *,
    data_libsvm: str,
    data_shape: Shape,
    label_libsvm: str = "NULL",
    label_shape: Shape = (1,),
    num_parts: int = 1,
    part_index: int = 0,
    batch_size: int,
    round_batch: bool = True,
    prefetch_buffer: Hint[int] = 4,
    ctx: Hint[Literal["cpu", "gpu"]] = "gpu",
    dtype: OutputType = None,
) -> Loader:
    """Batches of csr matrices, float32, from lines `label index:value …`; indices start at 0.

    `data_shape` is the number of columns. Labels are an array, or csr matrices of the rows of
    `label_libsvm`, `label_shape` wide. The last batch is filled up from the start, and the next
    epoch goes on behind that. The rows are one of `num_parts` parts. What is no number, and an
    index that is too large, raise.
    """
    if len(data_shape) != 1:
        raise MXNetShapeError(f"LibSVMIter: data_shape={data_shape} must have one axis")
    if not round_batch:
        raise MXNetError("LibSVMIter does not support round_batch=False, neither does MXNet's")
    if dtype not in (None, "float32"):
        raise MXNetError(f"{dtype} is not supported for LibSVMIter: its batches are float32")
    size = int(np.prod(label_shape))
    if (size == 1) != (label_libsvm == "NULL"):
        raise MXNetShapeError(
            f"LibSVMIter: label_shape={label_shape} must be (1,), or wider with label_libsvm"
        )
    rows = _Rows(data_libsvm, data_shape[0], num_parts, part_index)
    labels = None
    if label_libsvm != "NULL":
        labels = _Rows(label_libsvm, label_shape[0], num_parts, part_index)
        if len(labels) < len(rows):
            raise MXNetError(f"{label_libsvm} has {len(labels)} rows, {data_libsvm} {len(rows)}")
    return _Loader(rows, labels, batch_size)


LibSVMIter = iterator("LibSVMIter", _load)
