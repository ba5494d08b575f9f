"""An ONNX file as a Gluon block."""

from __future__ import annotations

import os
from typing import Any

from mxtorch import symbol
from mxtorch.contrib.onnx.onnx2mx.import_model import get_model_metadata, import_model
from mxtorch.gluon import SymbolBlock


def import_to_gluon(model_file: str | os.PathLike[str], ctx: Any) -> SymbolBlock:
    """The model of an ONNX file as a SymbolBlock, its parameters on `ctx`."""
    graph, arg_params, aux_params = import_model(model_file)
    known = {**arg_params, **aux_params}
    told = [name for name, *_ in get_model_metadata(model_file)["input_tensor_data"]]
    names = [name for name in told if name in graph.list_inputs() and name not in known]
    block = SymbolBlock(graph, [symbol.Variable(name) for name in names])
    parameters = block.collect_params()
    for name, array in known.items():
        if name in parameters:
            parameters[name].cast(array.dtype)
            parameters[name]._load_init(array, ctx)
    return block
