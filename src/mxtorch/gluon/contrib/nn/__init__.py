"""`mx.gluon.contrib.nn`: further layers."""

from mxtorch.gluon.contrib.nn import basic_layers
from mxtorch.gluon.contrib.nn.basic_layers import (
    Concurrent,
    HybridConcurrent,
    Identity,
    PixelShuffle1D,
    PixelShuffle2D,
    PixelShuffle3D,
    SparseEmbedding,
    SyncBatchNorm,
)
