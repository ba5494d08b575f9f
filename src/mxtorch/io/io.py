"""`mx.io.io`: MXNet's file of data iterators."""

from mxtorch.io._array_iter import NDArrayIter
from mxtorch.io._base import DataBatch, DataDesc, DataIter
from mxtorch.io._csv import CSVIter
from mxtorch.io._image_det_record import ImageDetRecordIter
from mxtorch.io._image_record import (
    ImageRecordInt8Iter,
    ImageRecordIter,
    ImageRecordIter_v1,
    ImageRecordUInt8Iter,
    ImageRecordUInt8Iter_v1,
)
from mxtorch.io._libsvm import LibSVMIter
from mxtorch.io._mnist import MNISTIter
from mxtorch.io._native import MXDataIter
from mxtorch.io._wrapping import PrefetchingIter, ResizeIter

__all__ = [
    "CSVIter",
    "DataBatch",
    "DataDesc",
    "DataIter",
    "ImageDetRecordIter",
    "ImageRecordInt8Iter",
    "ImageRecordIter",
    "ImageRecordIter_v1",
    "ImageRecordUInt8Iter",
    "ImageRecordUInt8Iter_v1",
    "LibSVMIter",
    "MNISTIter",
    "MXDataIter",
    "NDArrayIter",
    "PrefetchingIter",
    "ResizeIter",
]
