"""A graph with its weights as a torch module: for export, and to compare with."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._graph.modules import Modules
from mxtorch.convert.graph import Dims, Model


class SymbolModule(nn.Module):
    """The graph of a symbol file; `forward` takes its inputs in the order of `inputs`.

    Weights are parameters, auxiliary states buffers, under MXNet's names (dots become `_`).
    """

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.inputs = list(model.inputs)
        self._modules_of = Modules(model.outputs, model.variables)
        self._order: list[tuple[bool, str]] = []
        for node in model.variables:
            given = node.name in model.inputs
            self._order.append((given, node.name if given else node.name.replace(".", "_")))
        for name, value in model.weights.items():
            weight = nn.Parameter(value, requires_grad=value.is_floating_point())
            self.register_parameter(name.replace(".", "_"), weight)
        for name, value in model.states.items():
            self.register_buffer(name.replace(".", "_"), value)

    def forward(self, *data: Tensor) -> Any:
        """The outputs: a tensor, or a tuple of several."""
        given = dict(zip(self.inputs, data, strict=True))
        tensors = [given[n] if is_input else getattr(self, n) for is_input, n in self._order]
        results = self._modules_of.get(False, tensors)(*tensors)
        return results[0] if len(results) == 1 else results


def example(model: Model, shapes: Mapping[str, Dims]) -> tuple[Tensor, ...]:
    """Random inputs of these shapes; raises MXNetValueError if one is missing or unknown."""
    unknown = sorted(set(shapes) - set(model.inputs))
    missing = [name for name in model.inputs if name not in shapes]
    if unknown or missing:
        what = f"no input is called {unknown[0]!r}" if unknown else f"the shape of {missing[0]!r}"
        raise MXNetValueError(
            f"{what}{'' if unknown else ' is not given'}; the inputs are "
            f"{', '.join(model.inputs)}: give --shape NAME=1,3,224,224 for each"
        )
    generator = torch.Generator().manual_seed(0)
    return tuple(torch.rand(shapes[name], generator=generator) for name in model.inputs)


@dataclass(frozen=True)
class Exported:
    """A `torch.export` program; `fixed` says why its batch size is fixed, if it is."""

    program: torch.export.ExportedProgram
    fixed: str = ""


def export_program(module: SymbolModule, data: Sequence[Tensor]) -> Exported:
    """The module as a `torch.export` program that takes any batch size on axis 0.

    Where the graph allows one size only, that of `data`. Raises MXNetError if torch.export does
    not take the graph.
    """
    module.eval()
    reason = "the inputs have no common batch axis"
    size = data[0].shape[0] if data and data[0].ndim else 0
    if size and all(t.ndim and t.shape[0] == size for t in data):
        # a size of 1 would be taken for a constant
        two = [t if size > 1 else torch.cat([t, t]) for t in data]
        batch = torch.export.Dim("batch")
        shapes = (tuple({0: batch} for _ in two),)
        try:
            return Exported(torch.export.export(module, tuple(two), dynamic_shapes=shapes))
        except (RuntimeError, ValueError, torch._dynamo.exc.UserError) as error:
            reason = str(error).strip().splitlines()[0]
    try:
        return Exported(torch.export.export(module, tuple(data)), reason)
    except (RuntimeError, torch._dynamo.exc.UserError) as error:
        raise MXNetError(f"torch.export does not take the graph: {error}") from error


def save_program(program: torch.export.ExportedProgram, path: str | os.PathLike[str]) -> None:
    """Write a `.pt2` file, whole or not at all."""
    with atomic_write(path) as file:
        torch.export.save(program, file)


def save_onnx(
    program: torch.export.ExportedProgram, path: str | os.PathLike[str], inputs: Sequence[str]
) -> None:
    """Write an ONNX file; needs the extra `onnx`."""
    try:
        import onnxscript  # noqa: F401 - what torch.onnx needs
    except ImportError as error:
        raise MXNetError(
            "ONNX files need onnx and onnxscript: pip install 'mxtorch[onnx]'"
        ) from error
    converted = _to_onnx(program, inputs)
    with atomic_write(path) as file:
        file.write(converted.model_proto.SerializeToString())


def _to_onnx(program: torch.export.ExportedProgram, inputs: Sequence[str]) -> Any:
    """torch's exporter, without what it says to its own developers."""
    logger = logging.getLogger("torch.onnx._internal.exporter")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            return torch.onnx.export(
                program, input_names=list(inputs), dynamo=True, verbose=False
            )
    finally:
        logger.setLevel(level)
