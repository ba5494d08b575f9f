"""The walk over an ONNX graph: values as symbols, constants as arrays, weights as parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mxtorch import ndarray, symbol
from mxtorch._core.errors import MXNetError, NotSupportedError
from mxtorch.contrib.onnx.onnx2mx.operators import FOLDED, OPERATORS
from mxtorch.ndarray import NDArray
from mxtorch.symbol import Symbol

Value = Any  # a Symbol, or an array that is known


class Call:
    """One node: its attributes, and its inputs as symbols or as known arrays."""

    def __init__(self, importer: Importer, node: Any) -> None:
        import onnx

        self.importer = importer
        self.kind: str = node.op_type
        self.inputs: list[str] = list(node.input)
        self.outputs: list[str] = list(node.output)
        self.opset = importer.opset
        self.attrs: dict[str, Any] = {
            a.name: _python(onnx.helper.get_attribute_value(a)) for a in node.attribute
        }

    def has(self, position: int) -> bool:
        """Whether an optional input is there."""
        return position < len(self.inputs) and bool(self.inputs[position])

    def symbol(self, position: int) -> Symbol:
        """An input as a symbol; a weight becomes a variable."""
        return self.importer.as_symbol(self.inputs[position])

    def symbols(self) -> list[Symbol]:
        """All inputs."""
        return [self.symbol(i) for i in range(len(self.inputs))]

    def known(self, position: int) -> np.ndarray | None:
        """An input whose values are in the file."""
        return self.importer.known.get(self.inputs[position]) if self.has(position) else None

    def array(self, position: int, what: str) -> np.ndarray:
        """The same, where the operator has no counterpart for values that are computed."""
        found = self.known(position)
        if found is None:
            raise NotSupportedError(
                f"{self.kind} {self.outputs[0]!r}: {what} is computed by the graph; export it with "
                "fixed shapes, which leaves numbers"
            )
        return found

    def weight(self, position: int, values: np.ndarray) -> Symbol:
        """A weight with other values than the file's: transposed, say."""
        return self.importer.as_weight(self.inputs[position], values)

    def variable(self, position: int) -> str:
        """The name of a weight."""
        return self.inputs[position]

    def numbers(self, name: str, default: Any = None) -> Any:
        """An attribute, a list as a tuple."""
        value = self.attrs.get(name, default)
        return tuple(value) if isinstance(value, list) else value


def _python(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    if hasattr(value, "dims"):
        import onnx

        return onnx.numpy_helper.to_array(value)
    if hasattr(value, "__iter__") and not isinstance(value, (str, np.ndarray)):
        return list(value)
    return value


class Importer:
    """Reads a model."""

    def __init__(self, model: Any) -> None:
        import onnx

        self.graph = model.graph
        versions = [o.version for o in model.opset_import if o.domain in ("", "ai.onnx")]
        self.opset = max(versions, default=1)
        self.known: dict[str, np.ndarray] = {
            t.name: np.array(onnx.numpy_helper.to_array(t)) for t in self.graph.initializer
        }
        self.values: dict[str, Symbol] = {}
        self.weights: dict[str, np.ndarray] = {}
        self.functions = {f.name: f for f in model.functions}

    def run(self) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
        """The symbol, its arguments, its auxiliary states."""
        for given in self.graph.input:
            if given.name not in self.known:
                self.values[given.name] = symbol.Variable(given.name)
        unknown = sorted({n.op_type for n in self.graph.node} - OPERATORS.keys() - FOLDED.keys())
        if unknown:
            raise NotSupportedError(f"no counterpart of the ONNX operators {', '.join(unknown)}")
        for node in self.graph.node:
            self._node(Call(self, node))
        outputs = [self.as_symbol(output.name) for output in self.graph.output]
        result = outputs[0] if len(outputs) == 1 else symbol.Group(outputs)
        states = set(result.list_auxiliary_states())
        used = set(result.list_arguments()) | states
        arrays = {n: ndarray.array(v, dtype=v.dtype) for n, v in self.weights.items() if n in used}
        return (
            result,
            {name: value for name, value in arrays.items() if name not in states},
            {name: value for name, value in arrays.items() if name in states},
        )

    def _node(self, call: Call) -> None:
        values = [self.known.get(name) for name in call.inputs if name]
        if call.kind in FOLDED and all(value is not None for value in values):
            folded = FOLDED[call.kind](call, [v for v in values if v is not None])
            if folded is not None:
                self.known[call.outputs[0]] = np.asarray(folded)
                return
        if call.kind not in OPERATORS:
            raise NotSupportedError(
                f"{call.kind} {call.outputs[0]!r} of values that are not in the file"
            )
        made = OPERATORS[call.kind](call)
        results: Sequence[Symbol] = made if isinstance(made, (list, tuple)) else [made]
        for name, result in zip(call.outputs, results, strict=False):
            if name:
                self.values[name] = result

    def as_symbol(self, name: str) -> Symbol:
        """A value of the graph; what the file has becomes a weight."""
        if name not in self.values:
            if name not in self.known:
                raise MXNetError(f"the graph reads {name!r}, which nothing makes")
            self.values[name] = self.as_weight(name, self.known[name])
        return self.values[name]

    def as_weight(self, name: str, values: np.ndarray) -> Symbol:
        """A variable with its values; another name if the file's has other values already."""
        own = name
        while own in self.weights and not np.array_equal(self.weights[own], values):
            own += "_"
        self.weights[own] = values if values.ndim else values.reshape(1)
        return symbol.Variable(own, shape=self.weights[own].shape)
