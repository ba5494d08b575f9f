"""Executor: a Symbol bound to arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor, fx

from mxtorch._core import joint
from mxtorch._core.binder import BODY_ERRORS
from mxtorch._core.callbacks import notify
from mxtorch._core.device import Context, context_to_device
from mxtorch._core.errors import (
    MXNetError,
    MXNetShapeError,
    MXNetTypeError,
    MXNetValueError,
)
from mxtorch._core.modes import modes
from mxtorch._core.pending import settled
from mxtorch._core.spans import spans
from mxtorch._core.storage import SparseValue, Tracked, is_for_dense, mark_rows
from mxtorch._front.handle import Kind, find_kind, is_sparse, receive_gradient, wrap, wrap_value
from mxtorch._graph import inference
from mxtorch._graph.by_storage import ByStorage, to_dense
from mxtorch._graph.infer import as_shape, infer
from mxtorch._graph.lower import explain
from mxtorch._graph.modules import Modules
from mxtorch._graph.node import Entry, Node, describe, variables, walk
from mxtorch._graph.place import Places
from mxtorch._graph.watch import Noted, Report, Watcher
from mxtorch._ops._gradients import needs_head
from mxtorch.ndarray._create import too_large
from mxtorch.ndarray.ndarray import NDArray

__all__ = ["Executor"]


def _without_history(result: Any) -> Any:
    if isinstance(result, Tracked):
        return result.value
    if isinstance(result, SparseValue):
        return result.with_data(result.data.detach())
    return result.detach()


Callback = Callable[[bytes, NDArray], Any]


class Executor:
    """Runs a graph on its own arrays: `forward`, then `backward` into the gradient arrays.

    `arg_arrays`, `grad_arrays` (None where no gradient is wanted) and `aux_arrays` follow
    `list_arguments()` and `list_auxiliary_states()`; the dicts have the same arrays by name.
    `outputs` are the same arrays after every forward, with new values.
    """

    def __init__(
        self,
        symbol: Any,
        ctx: Context,
        args: Sequence[NDArray],
        grads: Sequence[NDArray | None] | None,
        grad_reqs: Sequence[str],
        states: Sequence[NDArray],
        places: Places | None = None,
    ) -> None:
        self._symbol = symbol
        self._ctx = ctx
        self._places = places
        self._outputs_of: list[Entry] = symbol._outputs
        self._arguments, self._states = variables(self._outputs_of)
        nodes = [*self._arguments, *self._states]
        moves = places if len({*map(context_to_device, (places or {}).values())}) > 1 else None
        followed = self._followable(grads, grad_reqs)
        self._modules = Modules(self._outputs_of, nodes, True, followed, moves)
        self._inference = None if moves else inference.plan(self._outputs_of, nodes)
        self.arg_arrays = list(args)
        self._grads = [None] * len(args) if grads is None else list(grads)
        # as in MXNet, None where bind was given no arrays for gradients
        self.grad_arrays = None if grads is None else self._grads
        self.aux_arrays = list(states)
        self._grad_reqs = list(grad_reqs)
        # whether storage types change though all arguments may be dense
        self._casts = any(is_for_dense(n.op_name) for n in walk(self._outputs_of) if n.op_name)
        self._leaves: list[Tensor | None] = []
        self._results: tuple[Any, ...] = ()
        self._followed = False  # whether autograd followed the forward that gave the results
        self._has_run = False
        self._is_repeat = False  # whether a forward is computed again, for backward alone
        self._needs: dict[int, bool] = {}
        self._outputs: list[NDArray] | None = None
        self._monitor: Callback | None = None
        self._monitor_all = False

    def _followable(
        self, grads: Sequence[NDArray | None] | None, requests: Sequence[str]
    ) -> list[Node]:
        """The arguments that have a gradient."""
        wishes = zip(self._arguments, requests, grads or [], strict=False)
        return [node for node, request, grad in wishes if request != "null" and grad is not None]

    # arrays by name --------------------------------------------------------------------------

    @cached_property
    def arg_dict(self) -> dict[str, NDArray]:
        """The arguments' arrays by name."""
        return _by_name([n.name for n in self._arguments], self.arg_arrays)

    @cached_property
    def grad_dict(self) -> dict[str, NDArray | None]:
        """The gradients' arrays by the argument's name."""
        return _by_name([n.name for n in self._arguments], self._grads)

    @cached_property
    def aux_dict(self) -> dict[str, NDArray]:
        """The auxiliary states' arrays by name."""
        return _by_name([n.name for n in self._states], self.aux_arrays)

    @property
    def output_dict(self) -> dict[str, NDArray]:
        """The outputs by name."""
        return _by_name(self._symbol.list_outputs(), self.outputs)

    @property
    def outputs(self) -> list[NDArray]:
        """The outputs; zeros before the first forward."""
        if self._outputs is None:
            self._outputs = self._blank_outputs()
        return self._outputs

    def _blank_outputs(self) -> list[NDArray]:
        pairs = list(
            zip(
                [*self._arguments, *self._states], [*self.arg_arrays, *self.aux_arrays], strict=True
            )
        )
        known = infer(
            self._outputs_of,
            {node.name: array.shape for node, array in pairs},
            {node.name: array._kind.dtype for node, array in pairs},
        )
        made = []
        for entry in self._outputs_of:
            kind = self._kind(entry[0])
            shape, device = known.shape(entry) or (), context_to_device(kind.ctx)
            made.append(wrap(kind, torch.zeros(shape, dtype=known.dtype(entry), device=device)))
        return made

    def _kind(self, node: Node) -> Kind:
        """What the outputs of a node are: arrays on its context."""
        ctx = self._places[id(node)] if self._places else self._ctx
        return find_kind(NDArray, torch.float32, ctx)

    # running ---------------------------------------------------------------------------------

    def forward(self, is_train: bool = False, **kwargs: Any) -> list[NDArray]:
        """Compute the outputs; keyword arguments are copied into the arguments of that name."""
        by_name = self.arg_dict if kwargs else {}  # MXNet runs arguments that share a name
        for name, value in kwargs.items():
            _check_argument(name, value, by_name)
            by_name[name][:] = value
        self._results = self._compute(is_train, follow=is_train)
        self._has_run = True
        self._show([_without_history(t) for t in self._results])
        return self.outputs

    def _show(self, tensors: list[Any]) -> None:
        sparse = any(isinstance(t, SparseValue) for t in tensors)
        if self._outputs is None or sparse or any(map(is_sparse, self._outputs)):
            pairs = zip(self._outputs_of, tensors, strict=True)
            self._outputs = [wrap_value(self._kind(node), t) for (node, _), t in pairs]
            return
        for array, tensor in zip(self._outputs, tensors, strict=True):
            array.show(tensor)

    def _compute(self, is_train: bool, follow: bool, is_repeat: bool = False) -> tuple[Tensor, ...]:
        self._followed, self._is_repeat = follow, is_repeat
        self._leaves, tensors = [], []
        for array, request, grad in zip(self.arg_arrays, self._grad_reqs, self._grads, strict=True):
            tensor: Any = array.stored()
            leaf = None
            if follow and request != "null" and grad is not None and array._kind.is_float:
                leaf = array.storage().data
                leaf.requires_grad_(True)
                if is_sparse(grad):
                    mark_rows(leaf)
                tensor = Tracked(tensor, leaf) if isinstance(tensor, SparseValue) else leaf
            self._leaves.append(leaf)
            tensors.append(tensor)
        tensors += [array.storage() for array in self.aux_arrays]
        module = self._modules.get(is_train, tensors, kept=True)
        if self._inference and not (is_train or follow or self._casts or self._monitor):
            module = self._inference.get(module, tensors)
        before = modes.training, modes.recording
        modes.training, modes.recording = is_train, follow
        try:
            with self._ctx, torch.set_grad_enabled(follow):
                return self._run(module, tensors)
        except BODY_ERRORS as error:
            raise explain(module, tensors, error) from error
        finally:
            modes.training, modes.recording = before

    def _run(self, module: fx.GraphModule, tensors: list[Any]) -> tuple[Any, ...]:
        if self._casts or any(isinstance(t, (Tracked, SparseValue)) for t in tensors):
            sparse: tuple[Any, ...] = ByStorage(module).run(*tensors)
            return sparse
        if self._monitor is None:
            run = module if spans.report is None else Noted(module).run
            results: tuple[Tensor, ...] = run(*tensors)
            return results
        watcher = Watcher(module, self._reporter(self._monitor), self._monitor_all)
        watcher.is_repeat = self._is_repeat
        return watcher.run(*tensors)

    def _reporter(self, callback: Callback) -> Report:
        kind = find_kind(NDArray, torch.float32, self._ctx)

        def report(name: str, tensor: Tensor) -> None:
            notify(callback, name.encode(), wrap(kind, tensor.detach()))

        return report

    def backward(self, out_grads: Any = None, is_train: bool = True) -> None:
        """Gradients into `grad_arrays`, from those of the outputs.

        `out_grads` (an array, a list, or a dict by output) may be left out where the outputs are
        losses; MXNetError where they are not.
        """
        if not self._has_run:
            return
        heads = self._read_heads(out_grads)
        if all(g is None or r == "null" for g, r in zip(self._grads, self._grad_reqs, strict=True)):
            return
        if not self._followed:
            # MXNet keeps what backward needs in every mode; here it is computed once more
            self._results = self._compute(is_train=False, follow=True, is_repeat=True)
        # of an output that is there twice the last head counts, as in MXNet
        last = {(id(node), index): i for i, (node, index) in enumerate(self._outputs_of)}
        results = [(i, to_dense(settled(self._results[i]))) for i in last.values()]
        pairs = [(t, self._head(i, t, heads)) for i, t in results if t.requires_grad]
        leaves = [leaf for leaf in self._leaves if leaf is not None]
        if self._monitor is not None:
            self._report_heads(self._reporter(self._monitor), last.values(), heads)
        if not (pairs and leaves):
            self._deliver(iter([None] * len(leaves)))
            return
        before, modes.training = modes.training, is_train
        try:
            joint.gradients(
                [t for t, _ in pairs],
                [s for _, s in pairs],
                leaves,
                lambda gradients: self._deliver(iter(gradients)),
            )
        finally:
            modes.training = before

    def _report_heads(
        self, report: Report, outputs: Iterable[int], heads: list[NDArray | None]
    ) -> None:
        """The gradients that come from outside: MXNet hands them to the outputs in nodes."""
        for index in outputs:
            head = heads[index]
            if head is not None and needs_head(to_dense(settled(self._results[index]))):
                report(f"_head_grad_{index}_id_output", head.storage())

    def _read_heads(self, out_grads: Any) -> list[NDArray | None]:
        if isinstance(out_grads, NDArray):
            out_grads = [out_grads]
        elif isinstance(out_grads, Mapping):
            out_grads = [out_grads[name] for name in self._symbol.list_outputs()]
        heads = [] if out_grads is None else list(out_grads)
        for head in heads:
            if head is not None and not isinstance(head, NDArray):
                raise MXNetTypeError(f"backward: inputs must be NDArray, not {type(head).__name__}")
        missing = len(self._outputs_of) - len(heads)
        return heads + [None] * missing

    def _head(self, index: int, result: Tensor, heads: list[NDArray | None]) -> Tensor:
        head = heads[index]
        if head is None:
            if index not in self._needs:
                self._needs[index] = needs_head(result)
            if self._needs[index]:
                raise MXNetError(
                    f"backward: output {self._symbol.list_outputs()[index]!r} is not a loss: pass "
                    "its gradient in out_grads, or wrap it in MakeLoss if it is what to minimize"
                )
            return torch.ones_like(result)
        if head.shape != tuple(result.shape):
            raise MXNetShapeError(
                f"backward: the gradient of output {self._symbol.list_outputs()[index]!r} has "
                f"shape {head.shape}, the output {tuple(result.shape)}"
            )
        return head.storage().to(result.device, result.dtype)

    def _deliver(self, gradients: Any) -> None:
        wishes = zip(self._leaves, self._grad_reqs, self._grads, strict=True)
        for leaf, request, target in wishes:
            if leaf is None or target is None:
                continue
            gradient = next(gradients)
            if is_sparse(target) or (gradient is not None and gradient.is_sparse):
                receive_gradient(target, gradient, request)
                continue
            store = target.storage()
            with torch.no_grad():
                if gradient is None:
                    if request == "write":
                        store.zero_()
                elif request == "add":
                    store.add_(gradient)
                else:
                    store.copy_(gradient)

    # watching ----------------------------------------------------------------------------------

    def set_monitor_callback(self, callback: Callback, monitor_all: bool = False) -> None:
        """Call `callback(name, array)` with the outputs of every node, and with `monitor_all` its
        inputs, in forward and in backward; the name is bytes, as in MXNet."""
        self._monitor, self._monitor_all = callback, monitor_all

    def debug_str(self) -> str:
        """The nodes in the order in which they run, with their inputs and attributes."""
        return describe(self._outputs_of)

    def get_optimized_symbol(self) -> Any:
        """The symbol: graphs are not rewritten when they are bound."""
        return self._symbol

    # other values, other shapes ----------------------------------------------------------------

    def copy_params_from(
        self,
        arg_params: Mapping[str, NDArray],
        aux_params: Mapping[str, NDArray] | None = None,
        allow_extra_params: bool = False,
    ) -> None:
        """Copy values into the arrays of the same names; unknown names raise unless allowed."""
        for what, source, target in (
            ("arguments", arg_params, self.arg_dict),
            ("auxiliary states", aux_params or {}, self.aux_dict),
        ):
            for name, array in source.items():
                if name in target:
                    _copy_into(name, target[name], array)
                elif not allow_extra_params:
                    raise ValueError(f'Find name "{name}" that is not in the {what}')

    def reshape(
        self, partial_shaping: bool = False, allow_up_sizing: bool = False, **kwargs: Any
    ) -> Executor:
        """An executor for other input shapes, over the same memory.

        Arrays that are not named keep their shape unless `partial_shaping`; larger ones are made
        anew if `allow_up_sizing`, and raise otherwise.
        """
        known = infer(self._outputs_of, {k: as_shape(k, v) for k, v in kwargs.items()})
        shapes = [known.shape((n, 0)) for n in [*self._arguments, *self._states]]
        new = []
        arrays = [*self.arg_arrays, *self.aux_arrays]
        names = [n.name for n in [*self._arguments, *self._states]]
        for name, array, shape in zip(names, arrays, shapes, strict=True):
            if array.shape != shape and not partial_shaping and name not in kwargs:
                raise MXNetShapeError(
                    f"reshape: the shape of {name} would change from {array.shape} to {shape}, "
                    "though it is not named; pass its shape, or partial_shaping=True"
                )
            new.append(array if shape is None else _resized(name, array, shape, allow_up_sizing))
        count = len(self.arg_arrays)
        grads = None
        if self.grad_arrays is not None:
            grads = [
                None if g is None else _resized(f"grad of {name}", g, a.shape, allow_up_sizing)
                for name, g, a in zip(names[:count], self._grads, new[:count], strict=True)
            ]
        made = type(self)(
            self._symbol,
            self._ctx,
            new[:count],
            grads,
            self._grad_reqs,
            new[count:],
            self._places,
        )
        made._monitor, made._monitor_all = self._monitor, self._monitor_all
        return made


def _by_name(names: Sequence[str], arrays: Sequence[Any]) -> dict[str, Any]:
    found = dict(zip(names, arrays, strict=True))
    if len(found) < len(names):
        raise ValueError(f"Duplicate names detected, {names}")
    return found


def _copy_into(name: str, target: NDArray, array: NDArray) -> None:
    values = array.astype(target.dtype)
    if array.shape != target.shape:
        raise MXNetShapeError(
            f"copy_params_from: {name} has shape {array.shape}, it was bound as {target.shape}"
        )
    values.copyto(target)


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


def _resized(name: str, array: NDArray, shape: tuple[int, ...], larger: bool) -> NDArray:
    """The array's memory under another shape; new memory if it is too small and may be `larger`."""
    store = array.storage()
    size = int(np.prod(shape, dtype=np.int64))
    if size <= store.numel():
        return wrap(array._kind, store.reshape(-1)[:size].reshape(shape))
    if not larger:
        raise MXNetShapeError(
            f"reshape: {name} would grow from {array.shape} to {shape}; bind the largest shape "
            "first, or pass allow_up_sizing=True"
        )
    with too_large(shape):
        return wrap(array._kind, torch.zeros(shape, dtype=store.dtype, device=store.device))
