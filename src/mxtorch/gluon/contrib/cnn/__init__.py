"""`mx.gluon.contrib.cnn`: deformable convolutions."""

from mxtorch.gluon.contrib.cnn import conv_layers
from mxtorch.gluon.contrib.cnn.conv_layers import (
    DeformableConvolution,
    ModulatedDeformableConvolution,
)
