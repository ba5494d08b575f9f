"""`mx.io`: iterators that give batches of data."""

from mxtorch.io import io, utils
from mxtorch.io.io import (
    CSVIter,
    DataBatch,
    DataDesc,
    DataIter,
    ImageDetRecordIter,
    ImageRecordInt8Iter,
    ImageRecordIter,
    ImageRecordIter_v1,
    ImageRecordUInt8Iter,
    ImageRecordUInt8Iter_v1,
    LibSVMIter,
    MNISTIter,
    MXDataIter,
    NDArrayIter,
    PrefetchingIter,
    ResizeIter,
)
from mxtorch.io.utils import _getdata_by_idx, _has_instance, _init_data
