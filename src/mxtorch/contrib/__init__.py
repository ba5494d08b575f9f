"""`mx.contrib`: what is not part of MXNet proper."""

from mxtorch.contrib import amp, autograd, io, ndarray, onnx, symbol, tensorboard, text
from mxtorch.contrib import ndarray as nd
from mxtorch.contrib import symbol as sym
