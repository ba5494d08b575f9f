"""Operators that programs write in Python: `Custom` and its two forerunners.

This room knows tensors only. What makes a program's operator (`Maker`) and runs it (`Runner`) is
entered here by name from above, where arrays are known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from mxtorch._core.ambient import Place, Training
from mxtorch._core.device import Context, context_to_device
from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetTypeError
from mxtorch._core.op import Attrs, Body, Dtypes, op
from mxtorch._core.pending import Function

Dims = tuple[int, ...]
Tensors = Sequence[Tensor]


class Runner(Protocol):
    """A program's operator, made for certain shapes and dtypes: it fills the given tensors."""

    def forward(
        self,
        training: bool,
        requests: list[str],
        inputs: Tensors,
        outputs: Tensors,
        states: Tensors,
    ) -> None:
        """Compute the outputs."""

    def backward(
        self,
        requests: list[str],
        head_gradients: Tensors,
        inputs: Tensors,
        outputs: Tensors,
        gradients: Tensors,
        states: Tensors,
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

    def forward(self, layout: Sequence[tuple[Dims, torch.dtype]], tensors: Tensors) -> list[Tensor]:
        count = len(self.maker.arguments)
        if self.runner is None:
            shapes = [tuple(t.shape) for t in tensors]
            self.runner = self.maker.create(self.ctx, shapes, [t.dtype for t in tensors])
        device = tensors[0].device if tensors else context_to_device(self.ctx)
        outputs = [torch.zeros(shape, dtype=dtype, device=device) for shape, dtype in layout]
        requests = ["write"] * len(outputs)
        self.runner.forward(
            self.training, requests, tensors[:count], [t.data for t in outputs], tensors[count:]
        )
        return outputs


class _Differentiable(Function):
    """A call inside torch's graph: what it has seen stays as MXNet keeps it, the arrays' memory."""

    @staticmethod
    def forward(ctx: Any, call: _Call, layout: Any, *tensors: Tensor) -> tuple[Tensor, ...]:
        given = [t.data for t in tensors]
        outputs = call.forward(layout, given)
        ctx.call, ctx.count = call, len(given)
        ctx.headless = not call.maker.needs_heads
        ctx.save_for_backward(*given, *(t.data for t in outputs))
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *heads: Tensor) -> tuple[Tensor | None, ...]:
        saved = [t.data for t in ctx.saved_tensors]
        given, outputs = saved[: ctx.count], saved[ctx.count :]
        call: _Call = ctx.call
        count = len(call.maker.arguments)
        wanted = ctx.needs_input_grad[2 : 2 + count]
        gradients = [torch.zeros_like(t) for t in given[:count]]
        assert call.runner is not None
        call.runner.backward(
            ["write" if want else "null" for want in wanted],
            [h.detach().contiguous() for h in heads],
            given[:count],
            outputs,
            gradients,
            given[count:],
        )
        results = [g if want else None for g, want in zip(gradients, wanted, strict=True)]
        return (None, None, *results, *[None] * (len(given) - count))


def _run(call: _Call, tensors: Tensors) -> tuple[Tensor, ...]:
    layout = call.layout(tensors)
    if any(t.is_meta for t in tensors):
        return tuple(torch.empty(s, dtype=d, device="meta") for s, d in layout)
    if torch.is_grad_enabled() and any(t.requires_grad for t in tensors):
        results: tuple[Tensor, ...] = _Differentiable.apply(call, layout, *tensors)
        return results
    return tuple(call.forward(layout, [t.data for t in tensors]))


class _NodeBody:
    """The body of one node of a graph: one maker for all its runs.

    With `keep` also one runner for each context, shapes and dtypes.
    """

    def __init__(self, maker: Maker, keep: bool) -> None:
        self.home = maker.home
        self._maker = maker
        self._keep = keep
        self._runners: dict[Any, Runner | None] = {}

    def __call__(
        self, *tensors: Tensor, training_: bool = False, place_: Context | None = None, **_: Any
    ) -> tuple[Tensor, ...]:
        assert place_ is not None
        call = _Call(self._maker, training_, place_)
        key = str(place_), tuple((t.shape, t.dtype) for t in tensors)
        call.runner = self._runners.get(key)
        try:
            return _run(call, tensors)
        finally:
            if self._keep:
                self._runners[key] = call.runner


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


@op("_npi_Custom", **_facts(lambda attrs: custom_operators.find(*_split(attrs))))
def Custom(
    *data: Tensor, op_type: str = "", training_: Training = False, place_: Place, **free: str
) -> tuple[Tensor, ...]:
    """An operator registered with `mx.operator.register`, named by `op_type`.

    All other keyword arguments go to its CustomOpProp, as texts.
    """
    # a call makes its own; to tell a graph's shapes one for all is enough
    get = custom_operators.find if any(t.is_meta for t in data) else custom_operators.make
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
) -> tuple[Tensor, ...]:
    """An `mx.operator.NumpyOp`, named by `info`: only in the process that made it."""
    return _run(_Call(_native({"info": info}), training_, place_), data)


@op(**_facts(_native))
def _NDArray(
    *data: Tensor, info: str, training_: Training = False, place_: Place
) -> tuple[Tensor, ...]:
    """An `mx.operator.NDArrayOp`, named by `info`: only in the process that made it."""
    return _run(_Call(_native({"info": info}), training_, place_), data)
