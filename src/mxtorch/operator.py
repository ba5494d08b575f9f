"""Operators written in Python: CustomOp, CustomOpProp, register, and the older NumpyOp, NDArrayOp.

What a user's method raises reaches the caller as an MXNetError that is also of its own class, with
the original as its cause.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple, TypeVar

import torch

from mxtorch._core.device import Context
from mxtorch._core.dtypes import dtype_flag, dtype_to_numpy, dtype_to_torch
from mxtorch._core.errors import (
    MXNetAssertionError,
    MXNetTypeError,
    NotSupportedError,
    user_code,
)
from mxtorch._core.modes import modes
from mxtorch._core.op import Dtypes, all_names, find_op
from mxtorch._core.spans import inside
from mxtorch._core.storage import SparseValue
from mxtorch._front.handle import is_sparse, sparse_classes, wrap_new
from mxtorch._ops.custom import (
    Dims,
    Maker,
    Runner,
    Value,
    Values,
    custom_operators,
    native_operators,
)
from mxtorch.ndarray.ndarray import NDArray
from mxtorch.symbol import Symbol
from mxtorch.symbol._namespace import compose

__all__ = [
    "CustomOp",
    "CustomOpProp",
    "NDArrayOp",
    "NumpyOp",
    "OperatorArguments",
    "PythonOp",
    "get_all_registered_operators",
    "get_operator_arguments",
    "register",
]

P = TypeVar("P", bound=type)


class CustomOp:
    """Base of operators written in Python: override `forward` and `backward`."""

    def forward(self, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        """Compute the outputs: write to the arrays of `out_data` through `assign`.

        All arguments but `is_train` (0 or 1) are lists. Nothing is recorded inside.
        """

    def backward(
        self, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
    ) -> None:
        """Compute the inputs' gradients: write to the arrays of `in_grad` through `assign`."""

    def assign(self, dst: NDArray, req: str, src: Any) -> None:
        """Put `src` into `dst`: 'write' and 'inplace' overwrite, 'add' adds, else nothing."""
        if req in ("write", "inplace"):
            dst[:] = src
        elif req == "add":
            dst[:] += src


class CustomOpProp:
    """What a custom operator is called with: names, shapes and dtypes of its arrays.

    `need_top_grad` says whether backward uses the gradient from above; a loss does not.
    """

    def __init__(self, need_top_grad: bool = True) -> None:
        self.need_top_grad_ = need_top_grad

    def infer_shape(self, in_shape: Any) -> Any:
        """(shapes of the inputs, of the outputs, of the states); by default all as the first."""
        return in_shape, (in_shape[0],) * len(self.list_outputs()), ()

    def infer_type(self, in_type: Any) -> Any:
        """The same for NumPy types."""
        first = in_type[0]
        outputs = [first] * len(self.list_outputs())
        return in_type, outputs, [first] * len(self.list_auxiliary_states())

    def infer_storage_type(self, in_stype: Any) -> Any:
        """The same for storage types: 'default' unless overridden."""
        self._check_dense("infer_storage_type", {"in_stype": in_stype})
        outputs = ["default"] * len(self.list_outputs())
        return in_stype, outputs, ["default"] * len(self.list_auxiliary_states())

    def infer_storage_type_backward(
        self, ograd_stype: Any, in_stype: Any, out_stype: Any, igrad_stype: Any, aux_stype: Any
    ) -> Any:
        """Storage types of gradients, inputs, outputs and states in backward: all 'default'."""
        given = {"ograd_stype": ograd_stype, "igrad_stype": igrad_stype}
        self._check_dense("infer_storage_type_backward", given)
        parts = ograd_stype, in_stype, out_stype, igrad_stype, aux_stype
        return tuple(["default"] * len(part) for part in parts)

    @staticmethod
    def _check_dense(method: str, given: dict[str, Any]) -> None:
        for name, stypes in given.items():
            for i, stype in enumerate(stypes):
                if stype != "default":
                    raise MXNetAssertionError(
                        f"{method}: {name}[{i}] is {stype!r}; the default implementation is for "
                        f"'default' alone. Override {method} to take other storage types"
                    )

    def list_outputs(self) -> list[str]:
        """The outputs' names."""
        return ["output"]

    def list_arguments(self) -> list[str]:
        """The inputs' names."""
        return ["data"]

    def list_auxiliary_states(self) -> list[str]:
        """The names of states, which forward and backward may change in place."""
        return []

    def declare_backward_dependency(self, out_grad: Any, in_data: Any, out_data: Any) -> list[Any]:
        """What backward reads; all of it is kept whatever this says."""
        heads = list(out_grad) if self.need_top_grad_ else []
        return [*heads, *in_data, *out_data]

    def create_operator(self, ctx: Context, in_shapes: Any, in_dtypes: Any) -> CustomOp:
        """The CustomOp for a context, and shapes and type numbers of inputs and states."""
        return CustomOp()


def register(reg_name: str) -> Callable[[P], P]:
    """A class decorator that makes a CustomOpProp known as `op_type=reg_name`."""

    def enter(prop_cls: P) -> P:
        custom_operators.enter(reg_name, lambda attrs: _CustomMaker(reg_name, prop_cls, attrs))
        return prop_cls

    return enter


class PythonOp:
    """Base of the older operators in Python; `forward` and `backward` copy unless overridden."""

    _ref_holder: ClassVar[list[Any]] = []

    def __init__(self, need_top_grad: bool = True) -> None:
        self.info_: Any = None
        self.need_top_grad_ = need_top_grad
        warnings.warn("PythonOp has been deprecated. Please use CustomOp", stacklevel=2)

    def __call__(self, *args: Any, **kwargs: Any) -> Symbol:
        return self.get_symbol(*args, **kwargs)

    def get_symbol(self, *args: Any, **kwargs: Any) -> Symbol:
        """The symbol of this operator on symbols."""
        raise NotImplementedError("Must override this")

    def forward(self, in_data: Any, out_data: Any) -> None:
        """Compute the outputs: write into the arrays of `out_data`."""
        out_data[0][:] = in_data[0]

    def backward(self, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any) -> None:
        """Compute the inputs' gradients: write into the arrays of `in_grad`."""
        in_grad[0][:] = 1.0

    def infer_shape(self, in_shape: Any) -> Any:
        """(shapes of the inputs, shapes of the outputs); by default one output like the first."""
        return in_shape, [in_shape[0]]

    def list_outputs(self) -> list[str]:
        """The outputs' names."""
        return ["output"]

    def list_arguments(self) -> list[str]:
        """The inputs' names."""
        return ["data"]

    def need_top_grad(self) -> bool:
        """Whether backward uses the gradient from above."""
        return self.need_top_grad_

    def _compose(self, op_name: str, runner: Any, args: Any, kwargs: Any, **attrs: Any) -> Symbol:
        info = f"{id(self):x}"
        PythonOp._ref_holder.append(self)  # symbols name it by number, so it must stay
        native_operators.enter(info, lambda _: _PythonMaker(self, runner))
        self.info_ = info
        return compose(op_name, *args, info=info, **attrs, **kwargs)


class NumpyOp(PythonOp):
    """An operator on NumPy arrays, float32 alone. CustomOp came after it."""

    def __init__(self, need_top_grad: bool = True) -> None:
        super().__init__(need_top_grad)
        warnings.warn("NumpyOp has been deprecated. Please use CustomOp", stacklevel=2)

    def get_symbol(self, *args: Any, **kwargs: Any) -> Symbol:
        """The symbol of this operator on symbols."""
        need = self.need_top_grad()
        return self._compose("_Native", _NumpyRunner, args, kwargs, need_top_grad=need)


class NDArrayOp(PythonOp):
    """An operator on NDArrays, float32 alone. CustomOp came after it."""

    def __init__(self, need_top_grad: bool = True) -> None:
        super().__init__(need_top_grad)
        warnings.warn("NDArrayOp has been deprecated. Please use CustomOp", stacklevel=2)

    def get_symbol(self, *args: Any, **kwargs: Any) -> Symbol:
        """The symbol of this operator on symbols."""
        return self._compose("_NDArray", _NDArrayRunner, args, kwargs)

    def declare_backward_dependency(self, out_grad: Any, in_data: Any, out_data: Any) -> list[Any]:
        """What backward reads; all of it is kept whatever this says."""
        heads = list(out_grad) if self.need_top_grad() else []
        return [*heads, *in_data, *out_data]


class OperatorArguments(NamedTuple):
    """How many arguments an operator has, their names and their types in words."""

    narg: int
    names: list[str]
    types: list[str]


def get_all_registered_operators() -> list[str]:
    """The names of all operators, aliases too; custom ones are all called 'Custom'."""
    return list(all_names())


def get_operator_arguments(op_name: str) -> OperatorArguments:
    """The arguments of an operator: arrays, then attributes."""
    op = find_op(op_name)
    kind = "NDArray-or-Symbol[]" if op.variadic else "NDArray-or-Symbol"
    names = [i.name for i in op.inputs]
    types = [kind] * len(names)
    for attr in op.attrs.values():
        names.append(attr.name)
        rest = "required" if attr.required else f"optional, default={attr.default!r}"
        types.append(f"{attr.kind.text}, {rest}")
    return OperatorArguments(len(names), names, types)


# what `_ops.custom` wants, around the user's objects -----------------------------------------


@contextmanager
def _inside(ctx: Context, training: bool) -> Iterator[None]:
    """The scopes in which forward and backward run."""
    before = modes.recording, modes.training
    modes.recording, modes.training = False, training
    try:
        with ctx, torch.no_grad():
            yield
    finally:
        modes.recording, modes.training = before


def _three(where: str, result: Any, counts: Sequence[int]) -> list[Any]:
    """What infer_shape or infer_type returned, as lists for inputs, outputs and states."""
    if not isinstance(result, (tuple, list)) or len(result) not in (2, 3):
        raise MXNetTypeError(f"{where} must return 2 or 3 lists (inputs, outputs, states)")
    parts = [list(part) for part in result] + [[]] * (3 - len(result))
    for what, part, count in zip(("inputs", "outputs", "states"), parts, counts, strict=True):
        if len(part) != count:
            raise MXNetTypeError(f"{where} returned {len(part)} entries for {count} {what}")
    return parts


def _dims(where: str, shape: Any) -> Dims:
    try:
        return tuple(n.__index__() for n in shape)
    except (TypeError, AttributeError):
        raise MXNetTypeError(f"{where} returned {shape!r} where a shape of ints belongs") from None


def _home(prop_cls: Any) -> str:
    """Where the class can be imported from, 'package.module:Class'; '' if nowhere."""
    module = getattr(prop_cls, "__module__", "__main__")
    name = getattr(prop_cls, "__qualname__", "<locals>")
    return "" if module == "__main__" or "<locals>" in name else f"{module}:{name}"


def _accepted(prop_cls: Any, attrs: dict[str, str]) -> dict[str, str]:
    """The attributes without those of scopes (`__ctx_group__`) that the class does not take."""
    try:
        taken = inspect.signature(prop_cls).parameters
    except (TypeError, ValueError):  # a class that says nothing
        return attrs
    if any(p.kind is p.VAR_KEYWORD for p in taken.values()):
        return attrs
    return {k: v for k, v in attrs.items() if k in taken or not k.startswith("__")}


class _CustomMaker(Maker):
    """A CustomOpProp with its attributes."""

    def __init__(self, name: str, prop_cls: Any, attrs: dict[str, str]) -> None:
        self._name = name
        self._where = f"custom operator {name!r}"
        self.home = _home(prop_cls)
        with user_code(f"{self._where}, {prop_cls.__name__}"):
            self._prop = prop_cls(**_accepted(prop_cls, attrs))
        self.arguments = self._names("list_arguments")
        self.outputs = self._names("list_outputs")
        self.states = self._names("list_auxiliary_states")
        self._counts = len(self.arguments), len(self.outputs), len(self.states)
        self.needs_heads = self._ask_for_heads()

    def _ask(self, method: str, *args: Any) -> Any:
        with user_code(f"{self._where}, {method}"):
            return getattr(self._prop, method)(*args)

    def _ask_for_heads(self) -> bool:
        """Whether the arrays that backward is declared to read are among the head gradients."""
        numbers = iter(range(sum(self._counts) + len(self.outputs)))
        parts = [[next(numbers) for _ in names] for names in (self.outputs, self.arguments)]
        parts.append([next(numbers) for _ in self.outputs])
        return not set(parts[0]).isdisjoint(self._ask("declare_backward_dependency", *parts))

    def _names(self, method: str) -> tuple[str, ...]:
        names = self._ask(method)
        if isinstance(names, str) or not all(isinstance(n, str) for n in names):
            raise MXNetTypeError(f"{self._where}, {method}: must be a list of names, got {names!r}")
        return tuple(names)

    def shapes(self, inputs: Sequence[Dims | None]) -> tuple[list[Dims], list[Dims], list[Dims]]:
        where = f"{self._where}, infer_shape"
        result = self._ask("infer_shape", [list(shape or ()) for shape in inputs])
        parts = _three(where, result, self._counts)
        found = [[_dims(where, shape) for shape in part] for part in parts]
        return found[0], found[1], found[2]

    def dtypes(self, inputs: Dtypes) -> tuple[Dtypes, Dtypes, Dtypes]:
        where = f"{self._where}, infer_type"
        given = [None if dtype is None else dtype_to_numpy(dtype) for dtype in inputs]
        parts = _three(where, self._ask("infer_type", given), self._counts)
        found = [[None if t is None else dtype_to_torch(t) for t in part] for part in parts]
        return found[0], found[1], found[2]

    def create(self, ctx: Context, shapes: list[Dims], dtypes: list[torch.dtype]) -> Runner:
        flags = [dtype_flag(dtype) for dtype in dtypes]
        user = self._ask("create_operator", ctx, [list(shape) for shape in shapes], flags)
        if not (hasattr(user, "forward") and hasattr(user, "backward")):
            raise MXNetTypeError(
                f"{self._where}, create_operator: must return a CustomOp, got {user!r}"
            )
        return _CustomRunner(self._name, user, ctx)

    def storage(self, inputs: Sequence[str]) -> Sequence[str]:
        _, outputs, *states = self._ask("infer_storage_type", list(inputs))
        dense = all(stype == "default" for stype in inputs)
        for part in (outputs if dense else [], *states):
            if any(stype != "default" for stype in part):
                raise NotSupportedError(
                    f"{self._where}, infer_storage_type: states, and outputs of dense inputs, are "
                    f"dense in mxtorch, got {list(part)}; return 'default' and convert with "
                    "tostype()"
                )
        return list(outputs)

    def storage_backward(
        self, inputs: Sequence[str], outputs: Sequence[str]
    ) -> tuple[Sequence[str], Sequence[str]]:
        if all(stype == "default" for stype in (*inputs, *outputs)):
            return super().storage_backward(inputs, outputs)
        states = ["default"] * len(self.states)
        answer = self._ask(
            "infer_storage_type_backward",
            list(outputs),
            list(inputs),
            list(outputs),
            list(inputs),
            states,
        )
        return list(answer[0]), list(answer[3])


class _CustomRunner(Runner):
    """A CustomOp on a context."""

    def __init__(self, name: str, user: CustomOp, ctx: Context) -> None:
        self._name = name
        self._where = f"custom operator {name!r}"
        self._user: Any = user
        self._ctx = ctx

    def _arrays(self, values: Values) -> list[NDArray]:
        return [
            sparse_classes[value.stype](value, self._ctx)
            if isinstance(value, SparseValue)
            else wrap_new(NDArray, value, self._ctx)
            for value in values
        ]

    def forward(
        self,
        training: bool,
        requests: list[str],
        inputs: Values,
        outputs: list[Value],
        states: Values,
    ) -> None:
        where = f"{self._where}, forward"
        out_data = self._arrays(outputs)
        with inside(self._name), _inside(self._ctx, training), user_code(where):
            self._user.forward(
                is_train=int(training),
                req=requests,
                in_data=self._arrays(inputs),
                out_data=out_data,
                aux=self._arrays(states),
            )
        _bring_stored(outputs, out_data)

    def backward(
        self,
        requests: list[str],
        head_gradients: Values,
        inputs: Values,
        outputs: Values,
        gradients: list[Value],
        states: Values,
    ) -> None:
        where = f"{self._where}, backward"
        in_grad = self._arrays(gradients)
        name = f"_backward_{self._name}"
        with inside(name), _inside(self._ctx, modes.training), user_code(where):
            self._user.backward(
                req=requests,
                out_grad=self._arrays(head_gradients),
                in_data=self._arrays(inputs),
                out_data=self._arrays(outputs),
                in_grad=in_grad,
                aux=self._arrays(states),
            )
        _bring_stored(gradients, in_grad)


def _bring_stored(values: list[Value], arrays: Sequence[NDArray]) -> None:
    """What is stored in sparse arrays now: what is written to them becomes their value."""
    for position, array in enumerate(arrays):
        if is_sparse(array):
            values[position] = array.stored()


class _PythonMaker(Maker):
    """A PythonOp: no attributes, no states, float32."""

    def __init__(self, user: PythonOp, runner: Callable[[str, PythonOp, Context], Runner]) -> None:
        self._user = user
        self._runner = runner
        self._where = type(user).__name__
        self.home = ""  # the graph names the very object
        with user_code(self._where):
            self.needs_heads = bool(user.need_top_grad())
            self.arguments = tuple(user.list_arguments())
            self.outputs = tuple(user.list_outputs())
        self.states = ()

    def shapes(self, inputs: Sequence[Dims | None]) -> tuple[list[Dims], list[Dims], list[Dims]]:
        where = f"{self._where}, infer_shape"
        with user_code(where):
            result = self._user.infer_shape([list(shape or ()) for shape in inputs])
        parts = _three(where, result, (len(self.arguments), len(self.outputs), 0))
        return (
            [_dims(where, shape) for shape in parts[0]],
            [_dims(where, shape) for shape in parts[1]],
            [],
        )

    def dtypes(self, inputs: Dtypes) -> tuple[Dtypes, Dtypes, Dtypes]:
        kind = torch.float32
        return [kind] * len(self.arguments), [kind] * len(self.outputs), []

    def create(self, ctx: Context, shapes: list[Dims], dtypes: list[torch.dtype]) -> Runner:
        return self._runner(self._where, self._user, ctx)


class _NDArrayRunner(_CustomRunner):
    """A NDArrayOp on a context."""

    def __init__(self, where: str, user: PythonOp, ctx: Context) -> None:
        self._where = where
        self._user: Any = user
        self._ctx = ctx

    def forward(
        self,
        training: bool,
        requests: list[str],
        inputs: Values,
        outputs: list[Value],
        states: Values,
    ) -> None:
        with _inside(self._ctx, training), user_code(f"{self._where}, forward"):
            self._user.forward(in_data=self._arrays(inputs), out_data=self._arrays(outputs))

    def backward(
        self,
        requests: list[str],
        head_gradients: Values,
        inputs: Values,
        outputs: Values,
        gradients: list[Value],
        states: Values,
    ) -> None:
        with _inside(self._ctx, modes.training), user_code(f"{self._where}, backward"):
            self._user.backward(
                out_grad=self._arrays(head_gradients),
                in_data=self._arrays(inputs),
                out_data=self._arrays(outputs),
                in_grad=self._arrays(gradients),
            )


class _NumpyRunner(Runner):
    """A NumpyOp: its arrays share the tensors' memory on the CPU, and are copied elsewhere."""

    def __init__(self, where: str, user: PythonOp, ctx: Context) -> None:
        self._where = where
        self._user = user
        self._ctx = ctx

    def forward(
        self,
        training: bool,
        requests: list[str],
        inputs: Values,
        outputs: list[Value],
        states: Values,
    ) -> None:
        host = _to_host(outputs)
        with _inside(self._ctx, training), user_code(f"{self._where}, forward"):
            self._user.forward(in_data=_to_numpy(inputs), out_data=_to_numpy(host))
        _bring_back(outputs, host)

    def backward(
        self,
        requests: list[str],
        head_gradients: Values,
        inputs: Values,
        outputs: Values,
        gradients: list[Value],
        states: Values,
    ) -> None:
        host = _to_host(gradients)
        with _inside(self._ctx, modes.training), user_code(f"{self._where}, backward"):
            self._user.backward(
                out_grad=_to_numpy(head_gradients),
                in_data=_to_numpy(inputs),
                out_data=_to_numpy(outputs),
                in_grad=_to_numpy(host),
            )
        _bring_back(gradients, host)


def _to_host(tensors: Sequence[Any]) -> list[Any]:
    return [t.cpu() for t in tensors]


def _to_numpy(tensors: Sequence[Any]) -> list[Any]:
    return [t.cpu().numpy() for t in tensors]


def _bring_back(tensors: Sequence[Any], host: Sequence[Any]) -> None:
    for tensor, filled in zip(tensors, host, strict=True):
        if tensor is not filled:
            tensor.copy_(filled)
