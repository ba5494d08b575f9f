"""What writes ONNX files."""

from mxtorch.onnx.mx2onnx._export_model import export_model, get_operator_support
