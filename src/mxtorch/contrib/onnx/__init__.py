"""`mx.contrib.onnx`: graphs to ONNX, and back."""

from mxtorch.contrib.onnx import onnx2mx
from mxtorch.contrib.onnx.onnx2mx.import_model import get_model_metadata, import_model
from mxtorch.contrib.onnx.onnx2mx.import_model import get_model_metadata as get_model_metadata_
from mxtorch.contrib.onnx.onnx2mx.import_model import import_model as import_model_
from mxtorch.contrib.onnx.onnx2mx.import_to_gluon import import_to_gluon
from mxtorch.contrib.onnx.onnx2mx.import_to_gluon import import_to_gluon as import_to_gluon_
from mxtorch.onnx import export_model
from mxtorch.onnx import export_model as export_model_
