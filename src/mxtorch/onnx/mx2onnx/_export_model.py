"""A Symbol and its weights as an ONNX file, by torch's exporter."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mxtorch import ndarray
from mxtorch._core.atomic import writing
from mxtorch._core.dtypes import dtype_to_torch
from mxtorch._core.errors import MXNetAssertionError, MXNetValueError
from mxtorch._core.op import Op, all_ops
from mxtorch._deploy.export import SymbolModule, export_static
from mxtorch._deploy.model import Dims, Model, make_model, read_arrays
from mxtorch._deploy.onnx_file import save_onnx
from mxtorch.symbol import Symbol, load

Shapes = Sequence[Sequence[Any]]


def export_model(
    sym: Any,
    params: Any,
    in_shapes: Shapes | None = None,
    in_types: Any = np.float32,
    onnx_file_path: str | os.PathLike[str] = "model.onnx",
    verbose: bool = False,
    dynamic: bool = False,
    dynamic_input_shapes: Shapes | None = None,
    run_shape_inference: bool = False,
    input_type: Any = None,
    input_shape: Shapes | None = None,
) -> str | os.PathLike[str]:
    """Write an ONNX file, and give its path.

    `sym`: a Symbol or its file; `params`: a dictionary of arrays, [arg_params, aux_params], or a
    file. `in_shapes` and `in_types` are those of the inputs without weights, in the graph's order;
    labels of losses are none. `dynamic`: lengths that are None (or a text) in
    `dynamic_input_shapes` may be any; by default all that the graph leaves open.

    It writes torch.onnx's current opset, and takes every operator that torch exports.
    """
    in_types = in_types if input_type is None else input_type
    in_shapes = in_shapes if input_shape is None else input_shape
    model = _read(sym, params)
    if in_shapes is None:
        raise MXNetValueError(f"in_shapes: give the shape of each of {', '.join(model.inputs)}")
    data = _example(model, in_shapes, in_types)
    open_axes = _open_axes(data, dynamic_input_shapes) if dynamic else None
    exported = export_static(SymbolModule(model), data, open_axes)
    names = [node.name if node.count_visible() == 1 else f"{node.name}{i}" for node, i in
             model.outputs]  # fmt: skip
    with writing(onnx_file_path):
        save_onnx(exported, onnx_file_path, model.inputs, names)
    if run_shape_inference:
        _infer_shapes(onnx_file_path)
    if verbose:
        logging.info("%s: inputs %s, outputs %s", onnx_file_path, model.inputs, names)
    return onnx_file_path


def _read(sym: Any, params: Any) -> Model:
    if isinstance(sym, Symbol) and isinstance(params, (Mapping, list, tuple)):
        parts = [params] if isinstance(params, Mapping) else params
        arrays = {name: _tensor(value) for part in parts for name, value in part.items()}
        return make_model(sym._outputs, arrays)
    if isinstance(sym, (str, os.PathLike)) and isinstance(params, (str, os.PathLike)):
        if not os.path.isfile(sym) or not os.path.isfile(params):
            names = [os.fspath(file) for file in (sym, params) if not os.path.isfile(file)]
            raise MXNetValueError(f"there is no file {' and no file '.join(names)}")
        return make_model(load(os.fspath(sym))._outputs, read_arrays(params))
    raise MXNetValueError(
        "sym and params must both be files, or a Symbol and its arrays; got "
        f"{type(sym).__name__} and {type(params).__name__}"
    )


def _tensor(value: Any) -> Tensor:
    if isinstance(value, ndarray.NDArray):
        return value.storage()
    return torch.as_tensor(value)


def _example(model: Model, shapes: Shapes, types: Any) -> tuple[Tensor, ...]:
    count = len(model.inputs)
    if len(shapes) < count:
        raise MXNetValueError(
            f"in_shapes has {len(shapes)} shapes; the inputs are {', '.join(model.inputs)}"
        )
    many = isinstance(types, (list, tuple))
    if many and len(types) != len(shapes):
        raise MXNetAssertionError("in_types and in_shapes must be of one length")
    kinds = list(types) if many else [types] * count
    found = []
    for shape, kind in zip(shapes, kinds, strict=False):
        dtype = torch.float32 if kind is None else dtype_to_torch(np.dtype(kind))
        found.append(torch.rand(tuple(int(n) for n in shape)).to(dtype))
    return tuple(found[:count])


def _open_axes(data: Sequence[Tensor], shapes: Shapes | None) -> list[Dims]:
    """The axes of each input that may have any length."""
    if shapes is None:
        return [tuple(range(tensor.ndim)) for tensor in data]
    if len(shapes) != len(data):
        raise MXNetValueError("dynamic_input_shapes and in_shapes must be of one length")
    return [tuple(i for i, n in enumerate(shape) if not isinstance(n, int)) for shape in shapes]


def _infer_shapes(path: str | os.PathLike[str]) -> None:
    import onnx

    onnx.save(onnx.shape_inference.infer_shapes(onnx.load(os.fspath(path))), os.fspath(path))


def get_operator_support(opset_version: int | None = None) -> list[str]:
    """The operators that can be exported; the opset does not matter."""
    return sorted(op.name for op in all_ops() if _is_exportable(op))


def _is_exportable(op: Op) -> bool:
    """Whether a call depends on its inputs alone."""
    runs_graphs = any(a.name in ("graphs", "context") for a in op.ambient.values())
    return bool(op.inputs) and not runs_graphs and op.keep is None and not op.mutates
