"""One array of a `.params` file: what the file says, as NumPy arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from mxtorch._core.dtypes import BFLOAT16_NUMPY, dtype_name, dtype_to_torch
from mxtorch._core.errors import MXNetError

Array = npt.NDArray[Any]

LIST_MAGIC = 0x112
V1, V2, V3 = 0xF993FAC8, 0xF993FAC9, 0xF993FACA
INDICES = {"row_sparse": 1, "csr": 2}


@dataclass(frozen=True, eq=False)
class Entry:
    """One array of a file.

    data: the values, or the stored values of a sparse array; bfloat16 in MXNet's record type.
    shape: the dense shape.
    indices: of row_sparse the rows; of csr the row pointers and the columns.
    context: MXNet's device type and number; (1, 0) is cpu(0).
    version: 0 to 3; 3 was saved under `np_shape`.
    offset: where in the file the array starts.
    """

    name: str | None
    data: Array
    shape: tuple[int, ...]
    stype: str = "default"
    indices: tuple[Array, ...] = ()
    context: tuple[int, int] = (1, 0)
    version: int = 2
    offset: int = 0

    @classmethod
    def dense(cls, name: str | None, data: Array, context: tuple[int, int] = (1, 0)) -> Entry:
        """An entry of a dense array, to be written."""
        return cls(name, data, data.shape, context=context)

    @property
    def dtype(self) -> str:
        """MXNet's name of the element type: 'float32', …, 'bfloat16'."""
        return dtype_name(dtype_to_torch(self.data.dtype))

    @property
    def nbytes(self) -> int:
        """Bytes of the values and indices in the file."""
        return self.data.nbytes + sum(index.nbytes for index in self.indices)

    def to_dense(self) -> Array:
        """The array with the zeros filled in; `data` itself if it is dense already."""
        if self.stype == "default":
            return self.data
        try:
            dense = np.zeros(self.shape, self.data.dtype)
        except (MemoryError, ValueError) as error:
            raise MXNetError(
                f"{self.name or 'array'}: a dense array of shape {self.shape} does not fit into "
                f"memory; keep it {self.stype}"
            ) from error
        if self.stype == "row_sparse":
            dense[self.indices[0]] = self.data
        else:
            pointers, columns = self.indices
            rows = np.repeat(np.arange(self.shape[0]), np.diff(pointers))
            stored = len(rows)
            dense[rows, columns[:stored]] = self.data[:stored]
        return dense


def to_tensor(array: Array) -> torch.Tensor:
    """A tensor of the array's values; shares its memory where the array is writable and aligned."""
    if array.dtype == BFLOAT16_NUMPY:
        return to_tensor(array.view(np.int16)).view(torch.bfloat16)
    if not (array.flags.writeable and array.flags.aligned):
        array = array.copy()
    tensor = torch.from_numpy(array)
    # NumPy's strides of no elements are 0; torch.export takes a layout of its own for granted
    return tensor if array.size else torch.empty(tensor.shape, dtype=tensor.dtype)


def from_tensor(tensor: torch.Tensor) -> Array:
    """The tensor's values as a NumPy array on the CPU; shares its memory where it can."""
    tensor = tensor.detach().cpu().contiguous()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(BFLOAT16_NUMPY)
    return tensor.numpy()


def little_endian_bytes(array: Array) -> memoryview:
    """The values in C order as files have them; no copy where they lie so already."""
    if array.dtype.fields is None:
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
