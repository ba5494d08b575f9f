"""Operators that programs write in Python: `Custom` and its two forerunners.

This room knows tensors only. What makes a program's operator (`Maker`) and runs it (`Runner`) is
entered here by name from above, where arrays are known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

import torch
from torch import Tensor

from mxtorch._core.ambient import Place, Training
from mxtorch._core.device import Context, context_to_device
from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetTypeError
from mxtorch._core.op import Attrs, Body, Dtypes, op
from mxtorch._core.pending import Function
from mxtorch._core.storage import SparseValue, Tracked, cast, empty_value

Dims = tuple[int, ...]
Tensors = Sequence[Tensor]
# an array as it is stored
Value: TypeAlias = Tensor | SparseValue
Values = Sequence[Value]


class Runner(Protocol):
    """A program's operator, made for certain shapes and dtypes: it fills the given tensors; what
    is sparse it replaces in the list."""

    def forward(
        self,
        training: bool,
        requests: list[str],
        inputs: Values,
        outputs: list[Value],
        states: Values,
    ) -> None:
        """Compute the outputs."""

    def backward(
        self,
        requests: list[str],
        head_gradients: Values,
        inputs: Values,
        outputs: Values,
        gradients: list[Value],
        states: Values,
    ) -> None:
        """Compute the inputs' gradients."""


class Maker(Protocol):
    """What a program's operator with its attributes says about itself."""

    arguments: tuple[str, ...]
    outputs: tuple[str, ...]
    states: tuple[str, ...]
    # whether backward reads the gradients from above
    needs_heads: bool
    # where its class can be imported from, 'package.module:Class'; '' if nowhere
    home: str

    def shapes(self, inputs: Sequence[Dims | None]) -> tuple[list[Dims], list[Dims], list[Dims]]:
        """Shapes of the inputs, outputs and states from those of the inputs, None where unknown."""

    def dtypes(self, inputs: Dtypes) -> tuple[Dtypes, Dtypes, Dtypes]:
        """The same for dtypes."""

    def storage(self, inputs: Sequence[str]) -> Sequence[str]:
        """The storage types of the outputs from those of the inputs."""
        return ["default"] * len(self.outputs)

    def storage_backward(
        self, inputs: Sequence[str], outputs: Sequence[str]
    ) -> tuple[Sequence[str], Sequence[str]]:
        """The storage types of the gradients from above and of the inputs' gradients."""
        return ["default"] * len(outputs), ["default"] * len(inputs)

    def create(self, ctx: Context, shapes: list[Dims], dtypes: list[torch.dtype]) -> Runner:
        """The operator for inputs and states of these shapes and dtypes."""


class Makers:
    """Makers by name; one that is entered again replaces the former."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._make: dict[str, Callable[[dict[str, str]], Maker]] = {}
        self._made: dict[Any, Maker] = {}

    def enter(self, name: str, make: Callable[[dict[str, str]], Maker]) -> None:
        """Enter what makes the operators of that name from attributes."""
        self._make[name] = make
        self._made.clear()

    def make(self, name: str, attrs: dict[str, str]) -> Maker:
        """A new maker for these attributes."""
        if not name:
            raise MXNetTypeError(f"the name of the {self._what} (op_type) is missing")
        if name not in self._make:
            known = ", ".join(self._make) or "none"
            raise MXNetError(
                f"Cannot find {self._what} {name!r}; registered are: {known}. Import the module "
                "that registers it first (mxtorch convert: --import MODULE)"
            )
        return self._make[name](attrs)

    def find(self, name: str, attrs: dict[str, str]) -> Maker:
        """A maker for these attributes, the same one for the same attributes."""
        key = name, frozenset(attrs.items())
        if key not in self._made:
            self._made[key] = self.make(name, attrs)
        return self._made[key]


custom_operators = Makers("custom operator")
native_operators = Makers("Python operator")


class _Call:
    """One call on tensors, and its backward; `runner` is made when it is first needed."""

    def __init__(self, maker: Maker, training: bool, ctx: Context) -> None:
        self.maker = maker
        self.training = training
        self.ctx = ctx
        self.runner: Runner | None = None
        self.stypes: Sequence[str] = ()  # of the outputs, once there is a runner
        self.sparse: list[SparseValue | None] = []  # the inputs that are stored so
        self.results: list[Value] = []

    def stored(self, tensors: Tensors) -> list[Value]:
        """The inputs as they are stored."""
        return [s or t for s, t in zip(self.sparse, tensors, strict=True)]

    def layout(self, tensors: Tensors) -> list[tuple[Dims, torch.dtype]]:
        """Shapes and dtypes of the outputs; raises where those of the inputs do not fit."""
        maker = self.maker
        count = len(maker.arguments)
        names = (*maker.arguments, *maker.states)
        if len(tensors) != len(names):
            raise MXNetTypeError(
                f"takes the arrays {', '.join(names) or 'none'}, {len(tensors)} were given"
            )
        shapes = maker.shapes([tuple(t.shape) for t in tensors[:count]])
        dtypes = maker.dtypes([t.dtype for t in tensors[:count]])
        wanted = zip([*shapes[0], *shapes[2]], [*dtypes[0], *dtypes[2]], strict=True)
        for name, tensor, (shape, dtype) in zip(names, tensors, wanted, strict=True):
            if shape and tuple(tensor.shape) != shape:
                raise MXNetShapeError(f"{name} has shape {tuple(tensor.shape)}, not {shape}")
            if dtype not in (None, tensor.dtype):
                raise MXNetTypeError(f"{name} is {tensor.dtype}, not {dtype}")
        kinds = [dtype or torch.float32 for dtype in dtypes[1]]
        return list(zip(shapes[1], kinds, strict=True))

    def forward(self, layout: Sequence[tuple[Dims, torch.dtype]], tensors: Tensors) -> list[Value]:
        count = len(self.maker.arguments)
        inputs = self.stored(tensors)
        if self.runner is None:
            shapes = [tuple(t.shape) for t in tensors]
            self.stypes = self.maker.storage([_stype(v) for v in inputs[:count]])
            self.runner = self.maker.create(self.ctx, shapes, [t.dtype for t in tensors])
        device = tensors[0].device if tensors else context_to_device(self.ctx)
        outputs = [
            _blank(stype, shape, dtype, device)
            for stype, (shape, dtype) in zip(self.stypes, layout, strict=True)
        ]
        requests = ["write"] * len(outputs)
        given = [t.data if isinstance(t, Tensor) else t for t in outputs]
        self.runner.forward(self.training, requests, inputs[:count], given, inputs[count:])
        pairs = zip(outputs, given, strict=True)
        return [made if isinstance(made, Tensor) else new for made, new in pairs]


class _Differentiable(Function):
    """A call inside torch's graph: what it has seen stays as MXNet keeps it, the arrays' memory."""

    @staticmethod
    def forward(ctx: Any, call: _Call, layout: Any, *tensors: Tensor) -> tuple[Tensor, ...]:
        given = [t.data for t in tensors]
        call.results = call.forward(layout, given)
        outputs = [_dense(value) for value in call.results]
        ctx.call, ctx.count = call, len(given)
        ctx.headless = not call.maker.needs_heads
        ctx.stored = [None if isinstance(r, Tensor) else r for r in call.results]
        ctx.save_for_backward(*given, *(t.data for t in outputs))
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *heads: Tensor) -> tuple[Tensor | None, ...]:
        saved = [t.data for t in ctx.saved_tensors]
        call: _Call = ctx.call
        given = call.stored(saved[: ctx.count])
        outputs = [s or t for s, t in zip(ctx.stored, saved[ctx.count :], strict=True)]
        count = len(call.maker.arguments)
        above, below = call.maker.storage_backward(
            [_stype(v) for v in given[:count]], [_stype(v) for v in outputs]
        )
        wanted = ctx.needs_input_grad[2 : 2 + count]
        gradients = [
            _blank(stype, tuple(t.shape), t.dtype, t.device)
            for stype, t in zip(below, saved[:count], strict=True)
        ]
        plain = [h.detach().to_dense().contiguous() for h in heads]
        assert call.runner is not None
        call.runner.backward(
            ["write" if want else "null" for want in wanted],
            [h if s == "default" else cast(h, s) for h, s in zip(plain, above, strict=True)],
            given[:count],
            outputs,
            gradients,
            given[count:],
        )
        pairs = zip(gradients, wanted, strict=True)
        results = [_dense(g) if want else None for g, want in pairs]
        return (None, None, *results, *[None] * (len(given) - count))


def _stype(value: Value) -> str:
    return value.stype if isinstance(value, SparseValue) else "default"


def _dense(value: Value) -> Tensor:
    return value.to_dense() if isinstance(value, SparseValue) else value


def _blank(stype: str, shape: Dims, dtype: torch.dtype, device: torch.device) -> Value:
    """An array of zeros."""
    if stype == "default":
        return torch.zeros(shape, dtype=dtype, device=device)
    return empty_value(stype, shape, dtype, device)


def _run(call: _Call, arrays: Sequence[Value | Tracked]) -> tuple[Value | Tracked, ...]:
    """Sparse arrays give their values; their gradients are those of what is dense beside them."""
    stored = [a.value if isinstance(a, Tracked) else a for a in arrays]
    tensors = [a.dense if isinstance(a, Tracked) else _dense(a) for a in arrays]
    call.sparse = [a if isinstance(a, SparseValue) else None for a in stored]
    layout = call.layout(tensors)
    if any(t.is_meta for t in tensors):
        return tuple(torch.empty(s, dtype=d, device="meta") for s, d in layout)
    if torch.is_grad_enabled() and any(t.requires_grad for t in tensors):
        results: tuple[Tensor, ...] = _Differentiable.apply(call, layout, *tensors)
        pairs = zip(call.results, results, strict=True)
        call.results = []
        return tuple(Tracked(r, d) if isinstance(r, SparseValue) else d for r, d in pairs)
    return tuple(call.forward(layout, [t.data for t in tensors]))


class _NodeBody:
    """The body of one node of a graph: one maker for all its runs.

    With `keep` also one runner for each context, shapes and dtypes.
    """

    def __init__(self, maker: Maker, keep: bool) -> None:
        self.home = maker.home
        self._maker = maker
        self._keep = keep
        self._runners: dict[Any, tuple[Runner | None, Sequence[str]]] = {}

    def __call__(
        self,
        *arrays: Value | Tracked,
        training_: bool = False,
        place_: Context | None = None,
        **_: Any,
    ) -> tuple[Value | Tracked, ...]:
        assert place_ is not None
        call = _Call(self._maker, training_, place_)
        key = str(place_), tuple(_sort(a) for a in arrays)
        call.runner, call.stypes = self._runners.get(key, (None, ()))
        try:
            return _run(call, arrays)
        finally:
            if self._keep:
                self._runners[key] = call.runner, call.stypes


def _sort(array: Value | Tracked) -> tuple[Any, ...]:
    """What an operator is made for: shape, dtype, storage type."""
    if isinstance(array, Tracked):
        array = array.value
    if isinstance(array, SparseValue):
        return array.shape, array.data.dtype, array.stype
    return array.shape, array.dtype


def _split(attrs: Attrs) -> tuple[str, dict[str, str]]:
    return attrs["op_type"], {k: v for k, v in attrs.items() if k != "op_type"}


def _facts(find: Callable[[Attrs], Maker]) -> dict[str, Any]:
    """The entry of an operator whose names, shapes and dtypes its maker tells."""

    def names(attrs: Attrs) -> tuple[str, ...]:
        maker = find(attrs)
        return (*maker.arguments, *maker.states)

    def fill(shapes: Sequence[Dims | None], attrs: Attrs) -> Sequence[Dims | None]:
        maker = find(attrs)
        found = maker.shapes(shapes[: len(maker.arguments)])
        return [shape or None for shape in (*found[0], *found[2])]

    def dtypes(given: Dtypes, attrs: Attrs) -> tuple[Dtypes, Dtypes]:
        maker = find(attrs)
        count = len(maker.arguments)
        if all(dtype is None for dtype in given[:count]):
            return given, [None] * len(maker.outputs)
        inputs, outputs, states = maker.dtypes(given[:count])
        return [*inputs, *states], outputs

    def keep(attrs: Attrs, runners: bool) -> Body:
        return _NodeBody(find(attrs), runners)

    return {
        "outputs": lambda attrs: len(find(attrs).outputs),
        "output_names": lambda attrs: find(attrs).outputs,
        "needs": names,
        "mutates": lambda attrs: find(attrs).states,
        "fill": fill,
        "dtypes": dtypes,
        "keep": keep,
        "count": "",
        "mixed": True,
        "gradient": "what the program's own backward computes",
    }


@op("_npi_Custom", sparse=True, **_facts(lambda attrs: custom_operators.find(*_split(attrs))))
def Custom(
    *data: Tensor, op_type: str = "", training_: Training = False, place_: Place, **free: str
) -> tuple[Value | Tracked, ...]:
    """An operator registered with `mx.operator.register`, named by `op_type`.

    All other keyword arguments go to its CustomOpProp, as texts.
    """
    # a call makes its own; to tell a graph's shapes one for all is enough
    is_shape_wanted = any(isinstance(t, Tensor) and t.is_meta for t in data)
    get = custom_operators.find if is_shape_wanted else custom_operators.make
    return _run(_Call(get(op_type, free), training_, place_), data)


def _native(attrs: Attrs) -> Maker:
    return native_operators.find(attrs["info"], {})


@op(**_facts(_native))
def _Native(
    *data: Tensor,
    info: str,
    need_top_grad: bool = True,
    training_: Training = False,
    place_: Place,
) -> tuple[Value | Tracked, ...]:
    """An `mx.operator.NumpyOp`, named by `info`: only in the process that made it."""
    return _run(_Call(_native({"info": info}), training_, place_), data)


@op(**_facts(_native))
def _NDArray(
    *data: Tensor, info: str, training_: Training = False, place_: Place
) -> tuple[Value | Tracked, ...]:
    """An `mx.operator.NDArrayOp`, named by `info`: only in the process that made it."""
    return _run(_Call(_native({"info": info}), training_, place_), data)
