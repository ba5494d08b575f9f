"""Executor: a Symbol bound to arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mxtorch._core.binder import BODY_ERRORS
from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetTypeError, MXNetValueError
from mxtorch._core.modes import modes
from mxtorch._front.handle import find_kind, wrap
from mxtorch._graph.lower import explain
from mxtorch._graph.modules import Modules
from mxtorch._graph.node import Entry, variables
from mxtorch.ndarray.ndarray import NDArray

__all__ = ["Executor"]


class Executor:
    """Runs a graph on its own arrays: `forward`, then `backward` into the gradient arrays.

    `arg_arrays`, `grad_arrays` (None where no gradient is wanted) and `aux_arrays` follow
    `list_arguments()` and `list_auxiliary_states()`; the dicts have the same arrays by name.
    """

    def __init__(
        self,
        symbol: Any,
        ctx: Context,
        args: Sequence[NDArray],
        grads: Sequence[NDArray | None],
        grad_reqs: Sequence[str],
        states: Sequence[NDArray],
    ) -> None:
        self._symbol = symbol
        self._ctx = ctx
        self._outputs_of: list[Entry] = symbol._outputs
        self._arguments, self._states = variables(self._outputs_of)
        nodes = [*self._arguments, *self._states]
        self._modules = Modules(self._outputs_of, nodes, keep=True)
        self.arg_arrays = list(args)
        self.grad_arrays = list(grads)
        self.aux_arrays = list(states)
        self._grad_reqs = list(grad_reqs)
        self._leaves: list[Tensor | None] = []
        self._results: tuple[Tensor, ...] = ()
        self._is_trained = False  # whether the results are those of a forward for training
        self.outputs: list[NDArray] = []

    @property
    def arg_dict(self) -> dict[str, NDArray]:
        """The arguments' arrays by name."""
        return dict(zip((n.name for n in self._arguments), self.arg_arrays, strict=True))

    @property
    def grad_dict(self) -> dict[str, NDArray | None]:
        """The gradients' arrays by the argument's name."""
        return dict(zip((n.name for n in self._arguments), self.grad_arrays, strict=True))

    @property
    def aux_dict(self) -> dict[str, NDArray]:
        """The auxiliary states' arrays by name."""
        return dict(zip((n.name for n in self._states), self.aux_arrays, strict=True))

    @property
    def output_dict(self) -> dict[str, NDArray]:
        """The outputs of the last forward by name."""
        return dict(zip(self._symbol.list_outputs(), self.outputs, strict=True))

    def forward(self, is_train: bool = False, **kwargs: Any) -> list[NDArray]:
        """Compute the outputs; keyword arguments are copied into the arguments of that name."""
        by_name = self.arg_dict
        for name, value in kwargs.items():
            _check_argument(name, value, by_name)
            by_name[name][:] = value
        wanted = [is_train and r != "null" and g is not None for r, g in self._wishes()]
        self._leaves = []
        tensors = []
        for array, want in zip(self.arg_arrays, wanted, strict=True):
            tensor = array.storage()
            if want and tensor.is_floating_point():
                tensor = tensor.data
                tensor.requires_grad_(True)
                self._leaves.append(tensor)
            else:
                self._leaves.append(None)
            tensors.append(tensor)
        tensors += [array.storage() for array in self.aux_arrays]
        self._results = self._run(tensors, is_train)
        self._is_trained = is_train
        kind = find_kind(NDArray, torch.float32, self._ctx)
        self.outputs = [wrap(kind, t.detach()) for t in self._results]
        return self.outputs

    def _wishes(self) -> Any:
        return zip(self._grad_reqs, self.grad_arrays, strict=True)

    def _run(self, tensors: list[Tensor], is_train: bool) -> tuple[Tensor, ...]:
        module = self._modules.get(is_train, tensors)
        before = modes.training, modes.recording
        modes.training, modes.recording = is_train, is_train
        try:
            with self._ctx, torch.set_grad_enabled(is_train):
                results: tuple[Tensor, ...] = module(*tensors)
        except BODY_ERRORS as error:
            raise explain(module, tensors, error) from error
        finally:
            modes.training, modes.recording = before
        return results

    def backward(self, out_grads: Any = None, is_train: bool = True) -> None:
        """Gradients of the outputs (weighted by `out_grads`, ones by default) into grad_arrays."""
        if not self._is_trained:
            raise MXNetError("backward: call forward(is_train=True) before it")
        if isinstance(out_grads, NDArray):
            out_grads = [out_grads]
        seeds = [None] * len(self._results) if out_grads is None else list(out_grads)
        heads = [
            (t, torch.ones_like(t) if s is None else s.storage())
            for t, s in zip(self._results, seeds, strict=True)
            if t.requires_grad
        ]
        leaves = [leaf for leaf in self._leaves if leaf is not None]
        if not heads or not leaves:
            return
        before, modes.training = modes.training, is_train
        try:
            gradients = torch.autograd.grad(
                [t for t, _ in heads],
                leaves,
                [s for _, s in heads],
                retain_graph=True,
                allow_unused=True,
            )
        finally:
            modes.training = before
        self._deliver(iter(gradients))

    def _deliver(self, gradients: Any) -> None:
        for leaf, (request, target) in zip(self._leaves, self._wishes(), strict=True):
            if leaf is None or target is None:
                continue
            gradient = next(gradients)
            store = target.storage()
            with torch.no_grad():
                if gradient is None:
                    if request == "write":
                        store.zero_()
                elif request == "add":
                    store.add_(gradient)
                else:
                    store.copy_(gradient)

    def copy_params_from(
        self,
        arg_params: Mapping[str, NDArray],
        aux_params: Mapping[str, NDArray] | None = None,
        allow_extra_params: bool = False,
    ) -> None:
        """Copy values into the arrays of the same names; unknown names raise unless allowed."""
        for source, target in ((arg_params, self.arg_dict), (aux_params or {}, self.aux_dict)):
            for name, array in source.items():
                if name in target:
                    array.astype(target[name].dtype).copyto(target[name])
                elif not allow_extra_params:
                    raise ValueError(f"Find name {name!r} that is not in the arguments")

    def reshape(
        self, partial_shaping: bool = False, allow_up_sizing: bool = False, **kwargs: Any
    ) -> Executor:
        """An executor for other input shapes that shares the arrays whose shape stays."""
        arg_shapes, _, aux_shapes = self._symbol.infer_shape(**kwargs)
        if arg_shapes is None:
            raise ValueError("Insufficient argument shapes provided.")
        args = [_resized(a, s) for a, s in zip(self.arg_arrays, arg_shapes, strict=True)]
        grads = [
            None if g is None else _resized(g, s)
            for g, s in zip(self.grad_arrays, arg_shapes, strict=True)
        ]
        states = [_resized(a, s) for a, s in zip(self.aux_arrays, aux_shapes, strict=True)]
        return Executor(self._symbol, self._ctx, args, grads, self._grad_reqs, states)


def _check_argument(name: str, value: Any, arguments: Mapping[str, NDArray]) -> None:
    if not isinstance(value, (NDArray, np.ndarray)):
        raise MXNetValueError(
            f"forward: {name} must be an NDArray or a NumPy array, not {type(value).__name__}"
        )
    if name not in arguments:
        raise MXNetTypeError(
            f"forward: {name!r} is not an argument; they are {', '.join(arguments)}"
        )
    wanted = arguments[name].shape
    if value.shape != wanted:
        raise MXNetShapeError(f"forward: {name} has shape {value.shape}, it was bound as {wanted}")


def _resized(array: NDArray, shape: tuple[int, ...]) -> NDArray:
    if array.shape == tuple(shape):
        return array
    store = array.storage()
    return wrap(array._kind, torch.zeros(shape, dtype=store.dtype, device=store.device))
