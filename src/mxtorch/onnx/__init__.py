"""`mx.onnx`: graphs to ONNX."""

from mxtorch.onnx import mx2onnx
from mxtorch.onnx.mx2onnx import export_model, get_operator_support
