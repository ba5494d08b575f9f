"""`mx.io.io`: MXNet's file of data iterators."""

from mxtorch.io._array_iter import NDArrayIter
from mxtorch.io._base import DataBatch, DataDesc, DataIter

__all__ = [
    "DataBatch",
    "DataDesc",
    "DataIter",
    "NDArrayIter",
]
