"""A Gluon DataLoader as a data iterator, for Module."""

from __future__ import annotations

from typing import Any

from mxtorch import ndarray
from mxtorch.io import DataDesc, DataIter

__all__ = ["DataLoaderIter"]

nd: Any = ndarray


class DataLoaderIter(DataIter):
    """The batches of a loader of (data, label); the last one is filled up, `pad` says by how many.

    The loader's first batch tells the shapes.
    """

    def __init__(
        self,
        loader: Any,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self._loader = loader
        data, label = next(iter(loader))
        self.batch_size = data.shape[0]
        self.dtype = dtype
        self.provide_data = [DataDesc(data_name, data.shape, dtype)]
        self.provide_label = [DataDesc(label_name, label.shape, dtype)]
        self._current_batch: Any = None
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        self._iter = iter(self._loader)

    def iter_next(self) -> bool:
        """Go to the next batch; False after the last one."""
        self._current_batch = next(self._iter, None)
        return self._current_batch is not None

    def _whole(self, position: int) -> list[Any]:
        """The batch's array of that position, with rows of zeros where it is short."""
        array = self._current_batch[position].astype(self.dtype)
        pad = self.getpad()
        if pad:
            rest = nd.zeros((pad, *array.shape[1:]), dtype=self.dtype, ctx=array.context)
            array = nd.concat(array, rest, dim=0)
        return [array]

    def getdata(self) -> list[Any]:
        """The data of the batch."""
        return self._whole(0)

    def getlabel(self) -> list[Any]:
        """The labels of the batch."""
        return self._whole(1)

    def getpad(self) -> int:
        """How many rows the batch lacks."""
        found: int = self.batch_size - self._current_batch[0].shape[0]
        return found

    def getindex(self) -> None:
        """Nothing: a loader does not number its samples."""
        return None
