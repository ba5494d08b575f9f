"""What reads ONNX files."""

from mxtorch.contrib.onnx.onnx2mx import import_model, import_to_gluon
