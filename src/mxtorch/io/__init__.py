"""`mx.io`: iterators that give batches of data."""

from mxtorch.io import io, utils
from mxtorch.io.io import (
    DataBatch,
    DataDesc,
    DataIter,
    NDArrayIter,
)
from mxtorch.io.utils import _getdata_by_idx, _has_instance, _init_data
