"""A Gluon block as an nn.Module over the same storage."""

from __future__ import annotations

import contextlib
import inspect
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from mxtorch import autograd, symbol
from mxtorch._core.device import Context, current_context, device_to_context
from mxtorch._core.dtypes import dtype_to_numpy
from mxtorch._core.errors import MXNetError, MXNetTypeError, MXNetValueError
from mxtorch._core.modes import modes
from mxtorch._core.torch_compat import after_backward
from mxtorch._core.writes import share
from mxtorch._front.handle import find_kind, wrap_new
from mxtorch._graph.modules import Modules
from mxtorch._graph.node import variables
from mxtorch.gluon import Block, Constant, HybridBlock, Parameter
from mxtorch.gluon._trace import regroup, trace
from mxtorch.ndarray import NDArray


def as_module(block: Block, *example: Tensor, ctx: Context | None = None) -> BlockModule:
    """The block as an nn.Module: tensors in and out, parameters in the same memory.

    `state_dict` has the names of `save_parameters`. What either side writes, the other sees:
    updates of an optimizer, `load_state_dict`, `set_data`, `.to()`, `.double()`, `cast`. A torch
    backward also fills the gradients that a Gluon Trainer reads. Statistics (of BatchNorm) and
    constants are buffers.

    `example` are inputs that the block is run on first, for parameters whose shapes are not known
    yet. A block on several contexts needs `ctx`. MXNetError for a block that is not initialized.
    """
    if not isinstance(block, Block):
        raise MXNetTypeError(f"as_module takes a Gluon Block, got {type(block).__name__}")
    if example:
        with autograd.pause():
            block(*(_to_array(x, device_to_context(x.device)) for x in example))
    return BlockModule(block, _find_context(block, ctx))


def _find_context(block: Block, ctx: Context | None) -> Context:
    contexts: list[Context] = []
    for parameter in block.collect_params().values():
        if parameter._data is None:
            raise MXNetError(
                f"as_module: parameter {parameter.name} has no values yet. Call "
                "block.initialize(), and run the block on one batch or pass an example: "
                "as_module(block, x)."
            )
        contexts += [c for c in parameter.list_ctx() if c not in contexts]
    if ctx is None and len(contexts) > 1:
        raise MXNetValueError(
            f"as_module: the block is on {len(contexts)} contexts, {contexts}; say which with ctx="
        )
    if ctx is not None and contexts and ctx not in contexts:
        raise MXNetValueError(f"as_module: the block is on {contexts}, not on {ctx}")
    return ctx or (contexts[0] if contexts else current_context())


def _to_array(value: Any, ctx: Context) -> Any:
    if isinstance(value, Tensor):
        return wrap_new(NDArray, value, ctx)
    if isinstance(value, (list, tuple)):
        return type(value)(_to_array(v, ctx) for v in value)
    return value


def _to_tensor(value: Any) -> Any:
    if isinstance(value, NDArray):
        return value.as_torch()
    if isinstance(value, (list, tuple)):
        return type(value)(_to_tensor(v) for v in value)
    return value


class _Pair:
    """A Gluon parameter and the place of the torch one, with what they last agreed on."""

    def __init__(self, parameter: Parameter, owner: nn.Module, name: str, ctx: Context) -> None:
        self.parameter, self.owner, self.name, self.ctx = parameter, owner, name, ctx
        self.agreed = share(self.array().storage())
        self.grad_req = parameter.grad_req
        self.own: Tensor | None = None  # the module's tensor

    def array(self) -> NDArray:
        return self.parameter.data(self.ctx)

    def tensor(self) -> Tensor:
        found: Tensor = getattr(self.owner, self.name)
        return found

    def sync(self, passing: bool) -> None:
        """Hand on what one side has replaced; writes in place need no handing on.

        `passing`: another tensor in the own one's place may be there for one call only.
        """
        tensor = self.tensor()
        if passing and tensor is not self.own and not isinstance(tensor, nn.Parameter):
            return
        self.own = tensor
        if not _is_same(tensor.data, self.agreed):
            self._adopt(tensor.data)
        elif self.parameter._ctx_list != [self.ctx] and self.ctx not in self._contexts():
            self.ctx = self._contexts()[0]
            tensor.data = self.array().storage()
        elif not _is_same(self.array().storage(), self.agreed):
            tensor.data = self.array().storage()
        if tensor.grad is not None and tensor.grad.dtype is not tensor.dtype:
            tensor.grad = None  # of the type that it had
        self.agreed = share(tensor.data)
        if self.parameter.grad_req != self.grad_req:
            self.grad_req = self.parameter.grad_req
            if isinstance(tensor, nn.Parameter):
                tensor.requires_grad_(self.grad_req != "null")

    def _contexts(self) -> list[Context]:
        return self.parameter.list_ctx()

    def _adopt(self, tensor: Tensor) -> None:
        """The block takes over a tensor of another type or device."""
        if len(self._contexts()) > 1:
            raise MXNetError(
                f"{self.parameter.name} is on several contexts: its module cannot be moved or "
                "cast; use block.reset_ctx() and block.cast()"
            )
        if tensor.device != self.agreed.device:
            self.ctx = device_to_context(tensor.device)
        self.parameter._dtype = dtype_to_numpy(tensor.dtype)
        self.parameter._set_replicas([wrap_new(NDArray, tensor, self.ctx)])
        self.parameter._init_grad()

    def deliver(self, leaf: Tensor) -> None:
        """After a torch backward: the gradient, for a Gluon Trainer."""
        array = self.array()
        if leaf.grad is not None and array._grad is not None:
            array._grad.storage().copy_(leaf.grad)
            array._fresh = True


def _is_same(one: Tensor, other: Tensor) -> bool:
    return (
        one.data_ptr() == other.data_ptr()
        and one.dtype is other.dtype
        and one.shape == other.shape
        and one.device == other.device
    )


class BlockModule(nn.Module):
    """What `as_module` gives; `block` is the block.

    A HybridBlock runs as one graph of torch functions, which torch.compile and torch.export take;
    another Block runs as it is written.
    """

    def __init__(self, block: Block, ctx: Context) -> None:
        super().__init__()
        self.block = block
        self._ctx = ctx
        self._pairs: list[_Pair] = []
        made: dict[int, Tensor] = {}
        for path, parameter in block._collect_params_with_prefix().items():
            self._register(path, parameter, made)
        self._graph: _Graph | None = None
        count = _count_inputs(block)
        if count is not None:
            self._trace([symbol.var(f"data{i}") for i in range(count)])

    def _register(self, path: str, parameter: Parameter, made: dict[int, Tensor]) -> None:
        owner: nn.Module = self
        *parents, name = path.split(".")
        for parent in parents:
            if parent not in owner._modules:
                owner.add_module(parent, nn.Module())
            owner = owner._modules[parent]  # type: ignore[assignment]
        pair = _Pair(parameter, owner, name, self._ctx)
        tensor = made.get(id(parameter))
        if tensor is None:
            tensor = pair.agreed
            if parameter._differentiable and not isinstance(parameter, Constant):
                trained = parameter.grad_req != "null" and tensor.is_floating_point()
                tensor = nn.Parameter(tensor, requires_grad=trained)
                if trained:
                    tensor.register_post_accumulate_grad_hook(pair.deliver)
            made[id(parameter)] = tensor
        if isinstance(tensor, nn.Parameter):
            owner.register_parameter(name, tensor)
        else:
            owner.register_buffer(name, tensor)
        pair.own = tensor
        self._pairs.append(pair)

    def sync(self, passing: bool = False) -> None:
        """Hand on what one side has replaced since the last call (a cast, another device).

        With `passing`, tensors of `torch.func.functional_call` are left alone.
        """
        for pair in self._pairs:
            pair.sync(passing)
        if self._pairs:
            self._ctx = self._pairs[0].ctx

    def _apply(self, fn: Any, recurse: bool = True) -> BlockModule:
        self.sync()
        super()._apply(fn, recurse)
        self.sync()
        return self

    def state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """The parameters and statistics, by the names of `save_parameters`."""
        self.sync()
        return super().state_dict(*args, **kwargs)

    # running -----------------------------------------------------------------------------

    def _trace(self, inputs: Sequence[Any]) -> None:
        assert isinstance(self.block, HybridBlock)
        self._graph = _Graph(self.block, inputs, self._pairs)

    def forward(self, *inputs: Any) -> Any:
        """The block's outputs, as tensors; training mode is the module's."""
        compiling = torch.compiler.is_compiling()
        if not compiling:
            _check_inputs(inputs)
            self.sync(passing=True)
            if not isinstance(self.block, HybridBlock):
                return self._run_block(inputs)
            if self._graph is None:
                self._trace([_to_array(x, self._ctx) for x in inputs])
        graph = self._graph
        if graph is None:
            raise MXNetError(
                f"{type(self.block).__name__}: call the module once before torch.compile or "
                "torch.export; a Block that is no HybridBlock can do neither"
            )
        if compiling:
            return graph.run(inputs, self.training)
        with self._ctx:
            return self._watched(graph.run(inputs, self.training))

    def _watched(self, outputs: Any) -> Any:
        """The outputs, whose backward runs in the mode that their forward ran in.

        BatchNorm's statistics move in backward, if that is in training mode.
        """
        hook = _enter_mode_for_backward if self.training else _leave_mode_for_backward
        for tensor in _flatten(outputs if isinstance(outputs, (list, tuple)) else [outputs]):
            if isinstance(tensor, Tensor) and tensor.requires_grad:
                tensor.register_hook(hook)
        return outputs

    def _run_block(self, inputs: Sequence[Any]) -> Any:
        arrays = [_to_array(x, self._ctx) for x in inputs]
        scope = autograd.record if torch.is_grad_enabled() else autograd.pause
        with _swapped(self._pairs), self._ctx, scope(train_mode=self.training):
            return self._watched(_to_tensor(self.block(*arrays)))


class _Before(threading.local):
    """The thread's mode before a backward changed it; empty when none has."""

    modes: tuple[bool, ...] = ()


_before = _Before()


def _set_mode_for_backward(training: bool) -> None:
    """Until the backward that is running ends, operators see that mode."""
    _before.modes = _before.modes or (modes.training,)
    modes.training = training
    after_backward(_restore_mode)


def _restore_mode() -> None:
    """Of the hooks of several outputs the first that is done puts the mode back."""
    if _before.modes:
        (modes.training,) = _before.modes
        _before.modes = ()


def _enter_mode_for_backward(gradient: Tensor) -> None:
    _set_mode_for_backward(True)


def _leave_mode_for_backward(gradient: Tensor) -> None:
    _set_mode_for_backward(False)


def _check_inputs(inputs: Sequence[Any]) -> None:
    for value in inputs:
        if isinstance(value, NDArray):
            raise MXNetTypeError(
                "a module takes tensors, not NDArrays: pass x.as_torch(), or call the block"
            )


@contextlib.contextmanager
def _swapped(pairs: Sequence[_Pair]) -> Iterator[None]:
    """For its length the block's arrays have the module's tensors as their history."""
    before = []
    for pair in pairs:
        array, tensor = pair.array(), pair.tensor()
        before.append((array, array._data, array._hist, array._kind))
        kind = array._kind
        array._data, array._hist = tensor.data, tensor
        array._kind = find_kind(kind.cls, kind.dtype, kind.ctx, plain=not tensor.requires_grad)
    try:
        yield
    finally:
        for array, data, history, kind in reversed(before):
            array._data, array._hist, array._kind = data, history, kind


def _count_inputs(block: Block) -> int | None:
    """How many inputs the block takes, if its `hybrid_forward` says so."""
    if not isinstance(block, HybridBlock) or block._cached_graph:
        return None
    found = list(inspect.signature(block.hybrid_forward).parameters.values())[1:]
    wanted = [p for p in found if p.name not in block._reg_params]
    plain = [p for p in wanted if p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty]
    return len(plain) if plain and len(plain) == len(wanted) else None


class _Graph:
    """A HybridBlock's computation as fx modules of tensors."""

    def __init__(self, block: HybridBlock, inputs: Sequence[Any], pairs: Sequence[_Pair]) -> None:
        variables_in, outputs, self._in_format, self._out_format = trace(block, inputs)
        arguments, states = variables(outputs._outputs)
        nodes = [*arguments, *states]
        self._modules = Modules(outputs._outputs, nodes)
        position = {str(v.name): i for i, v in enumerate(variables_in)}
        by_name = {pair.parameter.name: pair for pair in pairs}
        missing = [n.name for n in nodes if n.name not in position and n.name not in by_name]
        if missing:
            raise MXNetError(f"as_module: {', '.join(missing)} is no parameter of the block")
        self._slots = [(position.get(n.name), by_name.get(n.name)) for n in nodes]
        self._ready = {
            mode: self._modules.get(mode, ()) for mode in (False, True) if self._is_static()
        }

    def _is_static(self) -> bool:
        return not self._modules._unfinished

    def run(self, inputs: Sequence[Any], training: bool) -> Any:
        """The outputs for the inputs."""
        flat = [x for x in _flatten(inputs) if x is not None]
        tensors = [
            flat[place] if place is not None else getattr(pair.owner, pair.name)  # type: ignore[union-attr]
            for place, pair in self._slots
        ]
        module = self._ready[training] if self._ready else self._modules.get(training, tensors)
        return regroup(list(module(*tensors)), self._out_format)


def _flatten(values: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        found += _flatten(value) if isinstance(value, (list, tuple)) else [value]
    return found
