"""`mx.io.CSVIter`: rows of numbers in text files."""

from __future__ import annotations

from typing import Literal

import numpy as np

from mxtorch._core.attrs import Hint, Shape
from mxtorch._core.errors import MXNetError, MXNetShapeError
from mxtorch.io._native import Loader, RowLoader, iterator
from mxtorch.io._text import floats, integers, lines_of

OutputType = (
    Literal["bfloat16", "float16", "float32", "float64", "int32", "int64", "int8", "uint8"] | None
)
_KINDS = (None, "float32", "int32", "int64")


def _load(
    *,
    data_csv: str,
    data_shape: Shape,
    label_csv: str = "NULL",
    label_shape: Shape = (1,),
    batch_size: int,
    round_batch: bool = True,
    prefetch_buffer: Hint[int] = 4,
    ctx: Hint[Literal["cpu", "gpu"]] = "gpu",
    dtype: OutputType = None,
) -> Loader:
    """Batches of the rows of CSV files, each of shape `data_shape`; float32, int32 or int64.

    `data_csv` is a file, a folder, or several files separated by `;`. Labels come from the rows of
    `label_csv`, or are 0. With `round_batch` the last batch is filled up from the start and the
    next epoch goes on behind that. Floats have MXNet's bits. A cell that is no number raises.
    """
    if dtype not in _KINDS:
        raise MXNetError(f"{dtype} is not supported for CSVIter: use float32, int32 or int64")
    kind = dtype or "float32"
    data = _table(data_csv, data_shape, kind)
    if label_csv == "NULL":
        labels = np.zeros(len(data), kind)
    else:
        labels = _table(label_csv, label_shape, kind)
        labels = labels.reshape(-1) if tuple(label_shape) == (1,) else labels
    if len(labels) < len(data):
        raise MXNetError(f"{label_csv} has {len(labels)} rows, {data_csv} has {len(data)}")
    return RowLoader(data, labels, batch_size, round_batch)


def _table(path: str, shape: tuple[int, ...], kind: str) -> np.ndarray:
    size = int(np.prod(shape))
    cells: list[str] = []
    where: list[str] = []
    for place, line in lines_of(path):
        row = line.split(",")
        if len(row) > 1 and not row[-1].strip():
            row.pop()  # a comma at the end
        if len(row) != size:
            raise MXNetShapeError(f"{place}: {len(row)} numbers, shape {shape} needs {size}")
        cells += row
        where.append(place)
    if not cells:
        return np.zeros((0, *shape), kind)

    def at(cell: int) -> str:
        return where[cell // size]

    values = floats(cells, at) if kind == "float32" else integers(cells, at, kind)
    return values.reshape(-1, *shape)


CSVIter = iterator("CSVIter", _load)
