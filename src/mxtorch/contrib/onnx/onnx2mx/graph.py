"""The walk over an ONNX graph: values as symbols, constants as arrays, weights as parameters."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from mxtorch import ndarray, symbol
from mxtorch._core.errors import MXNetError, NotSupportedError
from mxtorch.contrib.onnx.onnx2mx.operators import FOLDED, MOVED, OPERATORS
from mxtorch.ndarray import NDArray
from mxtorch.symbol import Symbol

Value = Any  # a Symbol, or an array that is known
Length = Any  # a number, the name of one, or None


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

    def lengths(self, position: int) -> list[Length] | None:
        """A shape that is an input, with the names of lengths that are not numbers."""
        name = self.inputs[position] if self.has(position) else ""
        found = self.importer.known.get(name, self.importer.shapes.get(name))
        return None if found is None else found.reshape(-1).tolist()

    def dims(self, position: int) -> list[Length] | None:
        """The shape of an input, as far as the file says."""
        return self.importer.dims_of(self.inputs[position])

    def size(self, position: int, axis: int) -> int:
        """A length of an input, where the operator has no counterpart that goes without."""
        dims = self.dims(position)
        length = dims[axis] if dims is not None and axis < len(dims) else None
        if not isinstance(length, int):
            raise NotSupportedError(
                f"{self.kind} {self.outputs[0]!r}: the file does not say how long axis {axis} of "
                "its input is; export it with fixed shapes"
            )
        return length

    def rank(self, position: int) -> int | None:
        """How many axes an input has, if the file says so."""
        found = self.known(position)
        if found is not None:
            return found.ndim
        dims = self.dims(position)
        return None if dims is None else len(dims)

    def axis(self, position: int, axis: int) -> int:
        """An axis counted from the front."""
        rank = self.rank(position)
        if axis >= 0 or rank is None:
            return axis
        return axis + rank

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
        return [part.decode() if isinstance(part, bytes) else part for part in value]
    return value


class Importer:
    """Reads a model."""

    def __init__(self, model: Any) -> None:
        import onnx

        if model.functions:
            model = onnx.inliner.inline_local_functions(model)
        self.graph = model.graph
        versions = [o.version for o in model.opset_import if o.domain in ("", "ai.onnx")]
        self.opset = max(versions, default=1)
        self.known: dict[str, np.ndarray] = {}
        # shapes of which some lengths are names, or None
        self.shapes: dict[str, np.ndarray] = {}
        self.dims = _dims(model)
        self._asked: set[str] = set()
        self.values: dict[str, Symbol] = {}
        self.weights: dict[str, np.ndarray] = {}
        held = {tensor.name for tensor in self.graph.initializer}
        self.inputs = [i.name for i in self.graph.input if i.name not in held]

    def run(self) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
        """The symbol, its arguments, its auxiliary states."""
        for name in self.inputs:
            self.values[name] = symbol.Variable(name)
        unknown = sorted(_kinds(self.graph) - OPERATORS.keys() - FOLDED.keys())
        if unknown:
            raise NotSupportedError(f"no counterpart of the ONNX operators {', '.join(unknown)}")
        self.read(self.graph)
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

    def read(self, graph: Any) -> None:
        """The nodes of a graph, or of one inside a node, which sees the values around it."""
        import onnx

        for tensor in graph.initializer:
            self.give(tensor.name, np.array(onnx.numpy_helper.to_array(tensor)))
        for node in graph.node:
            self._node(Call(self, node))

    def give(self, name: str, value: Value) -> None:
        """Say what a name stands for; a loop says it again each time."""
        for table in (self.known, self.shapes, self.values):
            table.pop(name, None)
        if isinstance(value, Symbol):
            self.values[name] = value
        elif value.dtype == object:
            whole = all(isinstance(n, int) for n in value.reshape(-1).tolist())
            (self.known if whole else self.shapes)[name] = (
                value.astype(np.int64) if whole else value
            )
        else:
            self.known[name] = value

    def value(self, name: str) -> Value:
        """What a name stands for: an array that is known, or a symbol."""
        for table in (self.known, self.shapes):
            if name in table:
                return table[name]
        return self.as_symbol(name)

    def _node(self, call: Call) -> None:
        folded = self._folded(call)
        if folded is not None:
            self.give(call.outputs[0], folded)
            return
        if call.kind not in OPERATORS:
            raise NotSupportedError(
                f"{call.kind} {call.outputs[0]!r} of values that are not in the file"
            )
        made = OPERATORS[call.kind](call)
        results: Sequence[Value] = made if isinstance(made, (list, tuple)) else [made]
        for name, result in zip(call.outputs, results, strict=False):
            if name:
                self.give(name, result)

    def _folded(self, call: Call) -> np.ndarray | None:
        """What is worked out here: what depends on numbers of the file, and on shapes, alone."""
        if call.kind == "Shape":
            dims = call.dims(0)
            return None if dims is None else _shape_of(call, dims)
        if call.kind not in FOLDED:
            return None
        names = [name for name in call.inputs if name]
        values = [self.known.get(name, self.shapes.get(name)) for name in names]
        if any(value is None for value in values):
            return None
        given = [value for value in values if value is not None]
        if any(value.dtype == object for value in given) and call.kind not in MOVED:
            return None
        folded = FOLDED[call.kind](call, given)
        if folded is None or all(value.dtype != object for value in given):
            return None if folded is None else np.asarray(folded)
        named = np.empty(np.shape(folded), object)
        named[...] = folded
        return named

    def dims_of(self, name: str) -> list[Length] | None:
        """The shape of a value: as the file says, or worked out of those of the graph's inputs."""
        found = self.dims.get(name)
        if found is not None and all(isinstance(n, int) for n in found):
            return found
        made = self.values.get(name)
        if made is None or name in self._asked or not all(n in self.dims for n in self.inputs):
            return found
        self._asked.add(name)
        free = {n: i for i, n in enumerate(dict.fromkeys(self._names()))}
        # lengths that are free are given two lengths that nothing else is likely to have
        runs = [self._inferred(made, {n: 89 + 2 * i + k for n, i in free.items()}) for k in (0, 60)]
        if runs[0] is None or runs[1] is None or len(runs[0]) != len(runs[1]):
            return found
        known = {(89 + 2 * i, 149 + 2 * i): n for n, i in free.items()}
        self.dims[name] = [a if a == b else known.get((a, b)) for a, b in zip(*runs, strict=True)]
        return self.dims[name]

    def _names(self) -> list[Length]:
        return [n for name in self.inputs for n in self.dims[name] if not isinstance(n, int)]

    def _inferred(self, made: Symbol, lengths: dict[Length, int]) -> Sequence[int] | None:
        names = set(made.list_arguments())
        given = {
            name: tuple(lengths.get(n, n) for n in self.dims[name])
            for name in self.inputs
            if name in names and self.dims[name]
        }
        try:
            _, shapes, _ = made.infer_shape_partial(**given)
        except MXNetError:
            return None
        found: Sequence[int] = shapes[0] if shapes else ()
        return found if found and all(found) else None

    def as_symbol(self, name: str) -> Symbol:
        """A value of the graph; what the file has becomes a weight."""
        if name not in self.values:
            if name in self.shapes:
                raise NotSupportedError(
                    f"{name!r} is worked out of lengths that the file does not say; export it with "
                    "fixed shapes"
                )
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


def _dims(model: Any) -> dict[str, list[Length]]:
    """The shapes that the file says, and those that follow from them."""
    import onnx

    found, inference = model, onnx.shape_inference
    # it fails on more than 2 GB, and on operators that onnx does not know
    with contextlib.suppress(ValueError, RuntimeError, inference.InferenceError):
        found = inference.infer_shapes(model, data_prop=True)
    graph = found.graph
    dims = {}
    for value in (*graph.value_info, *graph.input, *graph.output):
        shape = value.type.tensor_type
        if shape.HasField("shape"):
            dims[value.name] = [
                d.dim_value if d.HasField("dim_value") else d.dim_param or None
                for d in shape.shape.dim
            ]
    for tensor in graph.initializer:
        dims[tensor.name] = list(tensor.dims)
    return dims


def _shape_of(call: Call, dims: list[Length]) -> np.ndarray:
    part = dims[call.attrs.get("start", 0) : call.attrs.get("end")]
    found = np.empty(len(part), object)
    found[:] = part
    return found


def _kinds(graph: Any) -> set[str]:
    """The operators of a graph and of those inside its nodes."""
    found = set()
    for node in graph.node:
        found.add(node.op_type)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                found |= _kinds(attribute.g)
    return found
