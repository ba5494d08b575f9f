"""ONNX files as Symbols with their weights."""

from __future__ import annotations

import os
from typing import Any

from mxtorch._core.errors import MXNetError
from mxtorch._core.file_kinds import HEAD, what_is
from mxtorch.contrib.onnx.onnx2mx.graph import Importer
from mxtorch.ndarray import NDArray
from mxtorch.symbol import Symbol

Arrays = dict[str, NDArray]
# What reading raises where a node has too few inputs, or a tensor not the numbers of its shape.
_NONSENSE = (ValueError, TypeError, LookupError, AttributeError, AssertionError)


def _load(model_file: str | os.PathLike[str]) -> Any:
    try:
        import onnx
    except ImportError as error:
        raise MXNetError("ONNX files need onnx: pip install 'mxtorch[onnx]'") from error
    from google.protobuf import json_format, text_format
    from google.protobuf.message import DecodeError

    path = os.fspath(model_file)
    with open(path, "rb") as file:
        other = what_is(file.read(HEAD), "onnx")
    try:
        model = onnx.load(path)
    except (DecodeError, json_format.ParseError, text_format.ParseError) as error:
        why = f"it {other}" if other else f"or it is damaged: {error}"
        raise MXNetError(f"{path}: this is no ONNX file, {why}") from error
    if not model.graph.output:
        raise MXNetError(f"{path}: this is no ONNX file: it has no graph with outputs")
    return model


def import_model(model_file: str | os.PathLike[str]) -> tuple[Symbol, Arrays, Arrays]:
    """The Symbol of an ONNX file, its arguments and its auxiliary states.

    Raises NotSupportedError with the names of operators that have no counterpart, MXNetError for a
    file that is damaged.
    """
    model = _load(model_file)
    try:
        return Importer(model).run()
    except MXNetError:
        raise
    except _NONSENSE as error:
        raise MXNetError(
            f"{os.fspath(model_file)}: its graph makes no sense, so it is damaged, or not as any "
            f"exporter writes it: {error}"
        ) from error


def get_model_metadata(model_file: str | os.PathLike[str]) -> dict[str, list[tuple[Any, ...]]]:
    """Name, shape and element type of each input; name and shape of each output."""
    graph = _load(model_file).graph
    weights = {tensor.name for tensor in graph.initializer}
    inputs = [i for i in graph.input if i.name not in weights]
    return {
        "input_tensor_data": [(i.name, _shape(i), i.type.tensor_type.elem_type) for i in inputs],
        "output_tensor_data": [(o.name, _shape(o)) for o in graph.output],
    }


def _shape(value: Any) -> tuple[int, ...]:
    return tuple(int(dim.dim_value) for dim in value.type.tensor_type.shape.dim)
