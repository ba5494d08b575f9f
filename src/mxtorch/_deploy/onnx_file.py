"""An exported program as an ONNX file, by torch's exporter."""

from __future__ import annotations

import logging
import os
import re
import stat
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np
import torch

from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import MXNetError
from mxtorch._deploy.export import place_of
from mxtorch._deploy.onnx_functions import translations

# Loggers that tell users what torch's developers want to know.
_TALKATIVE = ("torch.onnx._internal.exporter", "onnxscript", "onnx_ir")
# The most bytes of weights in the file itself: protobuf's messages end at 2 GiB.
LARGEST = 2**31 - 2**26
# Up to so many bytes a tensor stays in the graph: shapes are worked out from its numbers.
_SMALL = 1024
# Where a tensor begins in the file beside the model: pages, so that it can be mapped.
_PAGE = 4096
# Rules of onnxscript's that shorten a graph and leave its weights as they are. Those of `x + 0` and
# `x * 1` are not among them: they take 1e-10 for 0, the eps of a norm.
_RULES = (
    "materialize_reshape_shape",
    "no_op_cast",
    "no_op_expand",
    "no_op_transpose",
    "cast_cast",
    "reshape_reshape",
    "transpose_transpose",
    "unsqueeze_unsqueeze",
    "collapse_slice",
    "collapse_slice2",
)
# Fields of ONNX' messages, with protobuf's mark of a field with a length.
_GRAPH_OF_MODEL = 7 << 3 | 2
_INITIALIZER_OF_GRAPH = 5 << 3 | 2
_RAW_DATA_OF_TENSOR = 9 << 3 | 2


def save_onnx(
    program: torch.export.ExportedProgram,
    path: str | os.PathLike[str],
    inputs: Sequence[str],
    outputs: Sequence[str] = (),
) -> None:
    """Write an ONNX file, whole or not at all; needs the extra `onnx`.

    Weights of more than 2 GB lie beside it, in `NAME.onnx.data`. Raises MXNetError where torch.onnx
    does not take the program, or onnxruntime, if it is installed, the file.
    """
    try:
        import onnxscript  # noqa: F401 - what torch.onnx needs
    except ImportError as error:
        raise MXNetError(
            "ONNX files need onnx and onnxscript: pip install 'mxtorch[onnx]'"
        ) from error
    converted = _to_onnx(program, inputs, outputs)
    held = converted.model.graph.initializers
    weights = {n: v for n, v in held.items() if v.const_value.nbytes > _SMALL}
    for name in weights:
        del held[name]
    graph = converted.model_proto.SerializeToString()
    del converted, held
    size = len(graph) + sum(value.const_value.nbytes for value in weights.values())
    with atomic_write(path) as file:
        file.write(graph)
        if size > LARGEST:
            places = _write_beside(weights, f"{os.fspath(path)}.data")
            file.write(places)
        else:
            places = _write_inside(file, weights)
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.flush()
            types = {tensor.dtype for tensor in program.state_dict.values()}
            hint = "" if types <= {torch.float32} else "; it may take --dtype float32"
            _check(graph + places, os.path.dirname(file.name), os.fspath(path), hint)


def _write_inside(file: BinaryIO, weights: Mapping[str, Any]) -> bytes:
    """Write the weights as pieces of a model: messages that follow one another are merged.

    Gives where they are, as such a piece: as if they were in a file beside the model.
    """
    places = []
    for name, value in weights.items():
        tensor, data = _serialized(name, value)
        head = tensor.SerializeToString() + _field(_RAW_DATA_OF_TENSOR, data.nbytes)
        initializer = _field(_INITIALIZER_OF_GRAPH, len(head) + data.nbytes)
        inner = len(initializer) + len(head) + data.nbytes
        file.write(_field(_GRAPH_OF_MODEL, inner) + initializer + head)
        places.append(_placed(tensor, file, os.path.basename(str(file.name)), data))
    return _as_model(places)


def _write_beside(weights: Mapping[str, Any], path: str) -> bytes:
    """Write the weights to a file of their own; gives where they are, as a piece of a model."""
    places = []
    with atomic_write(path) as file:
        for name, value in weights.items():
            tensor, data = _serialized(name, value)
            file.write(b"\0" * (-file.tell() % _PAGE))
            places.append(_placed(tensor, file, os.path.basename(path), data))
    return _as_model(places)


def _placed(tensor: Any, file: BinaryIO, location: str, data: memoryview) -> Any:
    """Write a tensor's numbers; the tensor that says where they are."""
    import onnx

    for key, told in ("location", location), ("offset", file.tell()), ("length", data.nbytes):
        tensor.external_data.add(key=key, value=str(told))
    tensor.data_location = onnx.TensorProto.EXTERNAL
    file.write(data)
    return tensor


def _as_model(tensors: Sequence[Any]) -> bytes:
    import onnx

    found: bytes = onnx.ModelProto(graph=onnx.GraphProto(initializer=tensors)).SerializeToString()
    return found


def _serialized(name: str, value: Any) -> tuple[Any, memoryview]:
    """A weight without its numbers, and the numbers."""
    import onnx

    held = value.const_value
    tensor = onnx.TensorProto(name=name, data_type=int(held.dtype), dims=list(held.shape))
    array = np.ascontiguousarray(held.numpy())
    return tensor, array.reshape(-1).view(np.uint8).data


def _field(mark: int, length: int) -> bytes:
    """How a message says that a field of this length follows."""
    found = [mark]
    while length > 127:
        found.append(length & 127 | 128)
        length >>= 7
    return bytes([*found, length])


def _to_onnx(
    program: torch.export.ExportedProgram, inputs: Sequence[str], outputs: Sequence[str]
) -> Any:
    """torch's exporter, without what it says to its own developers.

    Its own optimizer would merge each BatchNorm into the convolution before it: another copy of the
    weights, under other names, of a type that need not be the convolution's.
    """
    loggers = [logging.getLogger(name) for name in _TALKATIVE]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            warnings.filterwarnings("ignore", category=UserWarning, module=r"torch\.")
            converted = torch.onnx.export(
                program,
                input_names=list(inputs),
                output_names=_distinct(outputs, [*inputs, *program.state_dict]) or None,
                dynamo=True,
                verbose=False,
                optimize=False,
                custom_translation_table=translations(),
            )
            assert converted is not None
            _tidy(converted.model)
            return converted
    except torch.onnx.OnnxExporterError as error:
        raise MXNetError(
            f"torch.onnx does not take {_place(program, error)}: {_reason(error)}; write a .pt2 "
            "or .py file, or cut the graph before it with --node"
        ) from error
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _distinct(names: Sequence[str], taken: Iterable[str]) -> list[str]:
    """Names for outputs, some of which may be an input, a weight, or one output twice."""
    found: list[str] = []
    used = set(taken)
    for name in names:
        number, free = 0, name
        while free in used:
            number += 1
            free = f"{name}_{number}"
        used.add(free)
        found.append(free)
    return found


def _tidy(model: Any) -> None:
    """Work out what is known, and leave out what changes nothing or is not read."""
    from onnx_ir.passes import common
    from onnxscript import optimizer, rewriter
    from onnxscript.rewriter.rules import common as rules

    common.InlinePass()(model)
    optimizer.fold_constants(model)
    rewriter.rewrite(model, [getattr(rules, f"{name}_rule") for name in _RULES])
    optimizer.fold_constants(model)
    optimizer.remove_unused_nodes(model)


def _place(program: torch.export.ExportedProgram, error: BaseException | None) -> str:
    """The graph's node that an error speaks of."""
    named: list[str] = []
    while error is not None:
        named += re.findall(r"%(\w+)", str(error).partition("\n")[0])
        error = error.__cause__
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        parts = program.run_decompositions().graph  # torch.onnx takes functions apart first
    for graph in (program.graph, parts):
        places = {node.name: place_of(node) for node in graph.nodes}
        for name in named:
            if places.get(name):
                return places[name]
    return "the graph"


def _reason(error: BaseException) -> str:
    """The innermost cause of an error, in a line."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error).strip().partition("\n")[0] or type(error).__name__


def _check(model: bytes, folder: str, path: str, hint: str) -> None:
    """Whether onnxruntime, where it is installed, takes a model whose weights are in a folder."""
    try:
        import onnxruntime
        from onnxruntime.capi import onnxruntime_pybind11_state as state
    except ImportError:
        return
    known = (c for c in vars(state).values() if isinstance(c, type) and issubclass(c, Exception))
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.disable_prepacking", "1")
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", folder)
    try:
        onnxruntime.InferenceSession(model, options)
    except tuple(known) as error:
        raise MXNetError(
            f"{path}: not written, for onnxruntime does not take what torch.onnx makes of the "
            f"graph: {_reason(error)}{hint}"
        ) from error
