"""MXNet's autograd on torch's.

Recording is a switch of this package, off outside `record()`. torch's own gradient mode is touched
only while `record()` lasts and put back after it.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mxtorch._core import freed, joint, whole
from mxtorch._core.device import context_to_device
from mxtorch._core.errors import (
    MXNetAssertionError,
    MXNetError,
    MXNetKeyError,
    MXNetShapeError,
    MXNetValueError,
    first_line,
    user_code,
)
from mxtorch._core.modes import modes
from mxtorch._core.pending import settled
from mxtorch._core.storage import (
    STYPES,
    empty_value,
    gradient_rows,
    mark_rows,
)
from mxtorch._front.handle import (
    Handle,
    find_kind,
    is_sparse,
    receive_gradient,
    wrap,
    wrap_new,
    wrap_value,
)
from mxtorch.ndarray.ndarray import NDArray

__all__ = [
    "Function",
    "backward",
    "get_symbol",
    "grad",
    "is_recording",
    "is_training",
    "mark_variables",
    "pause",
    "predict_mode",
    "record",
    "set_recording",
    "set_training",
    "train_mode",
]


def set_recording(is_recording: bool) -> bool:
    """Switch recording; returns what it was."""
    before, modes.recording = modes.recording, bool(is_recording)
    return before


def set_training(train_mode: bool) -> bool:
    """Switch training mode; returns what it was."""
    before, modes.training = modes.training, bool(train_mode)
    return before


def is_recording() -> bool:
    """Whether operators are being recorded in this thread."""
    return modes.recording


def is_training() -> bool:
    """Whether operators behave as in training (Dropout drops) in this thread."""
    return modes.training


class _Scope:
    """Switches for the length of a `with`; None leaves a switch as it is. May be entered again."""

    __slots__ = ("_before", "recording", "training")

    def __init__(self, recording: bool | None, training: bool | None) -> None:
        self.recording = recording
        self.training = training
        self._before: list[tuple[bool, bool, bool]] = []

    def __enter__(self) -> None:
        switches = modes.__dict__  # each look at a thread's own attribute costs as much as this
        recording = was_recording = switches["recording"]
        grad_mode = torch.is_grad_enabled()
        self._before.append((was_recording, switches["training"], grad_mode))
        if self.recording is not None:
            recording = switches["recording"] = self.recording
        if self.training is not None:
            switches["training"] = self.training
        if recording and not grad_mode:
            torch._C._set_grad_enabled(True)

    def __exit__(self, *exc: object) -> None:
        switches = modes.__dict__
        switches["recording"], switches["training"], grad_mode = self._before.pop()
        if torch.is_grad_enabled() is not grad_mode:
            torch._C._set_grad_enabled(grad_mode)


_RecordingStateScope = _Scope  # MXNet's name of it


def record(train_mode: bool = True) -> _Scope:
    """A scope in which operators are recorded, in training mode unless told otherwise."""
    return _Scope(True, train_mode)


def pause(train_mode: bool = False) -> _Scope:
    """A scope in which nothing is recorded."""
    return _Scope(False, train_mode)


def train_mode() -> _Scope:
    """A scope in training mode; recording stays as it is."""
    return _Scope(None, True)


def predict_mode() -> _Scope:
    """A scope in prediction mode; recording stays as it is."""
    return _Scope(None, False)


# leaves -------------------------------------------------------------------------------------


# arrays whose buffer nothing writes, grad_req='null': a backward takes it away, as in MXNet
_unasked: list[weakref.ref[Handle]] = []


def _forget_unasked() -> None:
    for reference in _unasked:
        array = reference()
        if array is not None and array._grad_req == "null":
            array._grad = None
    _unasked.clear()


def attach(array: Handle, grad_req: str, buffer: Handle | None) -> None:
    """Make an array a leaf whose gradient goes to `buffer`."""
    if grad_req not in ("write", "add", "null"):
        raise MXNetKeyError(f"grad_req must be 'write', 'add' or 'null', got {grad_req!r}")
    data = array.storage()
    kind = array._kind
    if not kind.is_sparse:
        array._data = data
    array._grad_req = grad_req
    array._grad_shared = False
    array._fresh = False
    array._grad = buffer
    if grad_req == "null" and buffer is not None:
        _unasked.append(weakref.ref(array))
    if grad_req == "null" or not kind.is_float:
        array._hist = None
        array._kind = find_kind(kind.cls, kind.dtype, kind.ctx, plain=not kind.is_sparse)
        if grad_req != "null" and not kind.is_sparse:
            _attach_whole(array)
        return
    leaf = data.data
    leaf.requires_grad_(True)
    if buffer is not None and is_sparse(buffer):
        mark_rows(leaf)
    leaf.register_post_accumulate_grad_hook(_Deliver(array))
    array._hist = leaf
    array._kind = find_kind(kind.cls, kind.dtype, kind.ctx, plain=False)


def _attach_whole(array: Handle) -> None:
    """Make an array of whole numbers a leaf: a float twin is, where casts take gradients."""
    leaf = torch.zeros((), dtype=torch.float64, device=array.storage().device)
    leaf = leaf.expand(array.shape).requires_grad_(True)
    leaf.register_post_accumulate_grad_hook(_Deliver(array))
    array._hist = leaf
    array._data = array.storage().detach()  # the numbers alone have no such twin
    whole.pair_up(array._data, leaf, recorded=True)


class _Deliver:
    """Takes the gradient that torch has gathered in a leaf to the array's own buffer."""

    __slots__ = ("array",)

    def __init__(self, array: Handle) -> None:
        self.array = weakref.ref(array)

    def __call__(self, leaf: Tensor) -> None:
        gradient, leaf.grad = leaf.grad, None
        array = self.array()
        if array is None or array._hist is not leaf:
            return
        buffer = array._grad
        assert buffer is not None
        array._fresh = True
        if gradient is not None and gradient._is_zerotensor():
            gradient = torch.zeros_like(leaf)  # torch's zeros without memory
        if is_sparse(buffer) or (gradient is not None and gradient.is_sparse):
            receive_gradient(buffer, gradient, array._grad_req)
        elif gradient is None:
            # reached only through operators that block the gradient: MXNet writes zeros
            if array._grad_req == "write":
                buffer.storage().zero_()
        elif array._grad_req == "add":
            buffer.storage().add_(gradient.to(buffer._kind.dtype))
        elif array._grad_shared or gradient.dtype is not buffer._kind.dtype:
            buffer.storage().copy_(gradient)
        else:
            buffer._data = gradient


def attach_grad(self: NDArray, grad_req: str = "write", stype: str | None = None) -> None:
    """Give the array a gradient buffer of zeros and make it a leaf: its history is dropped.

    The buffer has the storage type `stype`, or the array's own.
    """
    if stype is not None and stype not in STYPES:
        raise MXNetValueError(f"attach_grad: stype={stype!r} is none of {', '.join(STYPES)}")
    dtype = self._kind.dtype if stype in (None, "default") else torch.float32  # as in MXNet
    attach(self, grad_req, zeros_beside(self, stype or self.stype, dtype))


def zeros_beside(array: Handle, stype: str, dtype: torch.dtype | None = None) -> NDArray:
    """Zeros of an array's shape and context in a storage type: a buffer of gradients.

    Those of row_sparse and csr have the type `dtype`; without it, the array's.
    """
    kind = array._kind
    device = context_to_device(kind.ctx)
    if stype != "default":
        value = empty_value(stype, array.shape, dtype or kind.dtype, device)
        buffer: NDArray = wrap_value(find_kind(kind.cls, value.data.dtype, kind.ctx), value)
        return buffer
    zeros = torch.zeros(array.shape, dtype=kind.dtype, device=device)
    if not kind.is_sparse:
        zeros = torch.zeros_like(array.storage())
    dense: NDArray = wrap(find_kind(kind.cls, kind.dtype, kind.ctx), zeros)
    return dense


def mark_variables(variables: Any, gradients: Any, grad_reqs: Any = "write") -> None:
    """Make arrays leaves with the given gradient buffers."""
    if isinstance(variables, NDArray):
        variables, gradients = [variables], [gradients]
    if isinstance(grad_reqs, (str, int)):
        grad_reqs = [grad_reqs] * len(variables)
    for variable, gradient, request in zip(variables, gradients, grad_reqs, strict=False):
        attach(variable, request, gradient)
        variable._grad_shared = True


# backward --------------------------------------------------------------------------------------


def _recorded(array: Handle) -> Tensor:
    """The array's tensor with its history; raises if it has none or backward has freed it."""
    tensor = array.history()
    if tensor is None and not array._kind.is_float and not array._kind.is_sparse:
        tensor = whole.twin_of(array.storage(), recorded=True)
    if tensor is None:
        raise MXNetError(
            "Cannot differentiate node because it is not in a computational graph. Compute it "
            "inside autograd.record() from arrays with attach_grad()."
        )
    tensor = settled(tensor)
    if getattr(tensor, "_was_run", False):
        raise _engine_error(RuntimeError("a second time"))
    return tensor


def _heads(heads: Any, head_grads: Any) -> tuple[list[Tensor], list[Tensor]]:
    if head_grads is None and isinstance(heads, Handle):
        tensor = _recorded(heads)
        return [tensor], [torch.ones_like(tensor)]
    arrays = [heads] if isinstance(heads, Handle) else list(heads)
    if head_grads is None:
        gradients: list[Any] = [None] * len(arrays)
    else:
        gradients = [head_grads] if isinstance(head_grads, Handle) else list(head_grads)
    if len(gradients) != len(arrays):
        raise MXNetAssertionError(f"{len(arrays)} heads came with {len(gradients)} head gradients")
    if not arrays:
        raise MXNetError("backward: there are no heads, hence nothing to differentiate")
    seeds: dict[Tensor, Tensor] = {}  # a head that is given twice counts once, as in MXNet
    for array, gradient in zip(arrays, gradients, strict=True):
        tensor = _recorded(array)
        if gradient is None:
            seeds[tensor] = torch.ones_like(tensor)
            continue
        seed = settled(gradient.storage())
        if seed.numel() != tensor.numel():
            raise MXNetShapeError(
                f"backward: a head of shape {tuple(tensor.shape)} came with a head gradient of "
                f"shape {tuple(seed.shape)}"
            )
        if not array._kind.is_float:  # the twin of whole numbers
            seed = seed.to(tensor.dtype)
        seeds[tensor] = seed.reshape_as(tensor)  # MXNet looks at the size alone
    return list(seeds), list(seeds.values())


def _engine_error(error: RuntimeError) -> MXNetError:
    text = first_line(error)
    if "second time" in text:
        text = (
            "backward was already run through this graph and its memory is freed. "
            "Pass retain_graph=True to the first backward."
        )
    elif "not have been used" in text:
        text = "a variable is not part of the graph of the heads: there is no gradient for it"
    return MXNetError(f"backward: {text}")


def backward(
    heads: Any, head_grads: Any = None, retain_graph: bool = False, train_mode: bool = True
) -> None:
    """Gradients of the heads' sum (or of the given combination) into the leaves' buffers."""
    tensors, seeds = _heads(heads, head_grads)
    with _Scope(None, train_mode):
        try:
            joint.backward(tensors, seeds, retain_graph)
        except RuntimeError as error:
            if isinstance(error, MXNetError):
                raise
            raise _engine_error(error) from error
    if _unasked:
        _forget_unasked()
    if not retain_graph:
        freed.note(tensors)


def grad(
    heads: Any,
    variables: Any,
    head_grads: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    train_mode: bool = True,
) -> Any:
    """The gradients of the heads with respect to `variables`: a list of new arrays."""
    tensors, seeds = _heads(heads, head_grads)
    arrays: Sequence[Any] = [variables] if isinstance(variables, Handle) else list(variables)
    if not arrays:
        raise MXNetAssertionError("grad: variables cannot be an empty list.")
    for array in arrays:
        if array._hist is None:
            raise MXNetError("grad: a variable has no gradient attached; call attach_grad() on it")
    joint.flush()
    keep = create_graph if retain_graph is None else retain_graph
    with _Scope(None, train_mode):
        try:
            results = torch.autograd.grad(
                tensors,
                [a._hist for a in arrays],
                seeds,
                retain_graph=keep,
                create_graph=create_graph,
            )
        except RuntimeError as error:
            if isinstance(error, MXNetError):
                raise
            raise _engine_error(error) from error
    if not keep:
        freed.note(tensors)
    if create_graph:
        results = tuple(_linked(g, a._hist) for a, g in zip(arrays, results, strict=True))
    return [
        wrap_value(a._kind, gradient_rows(g) if g.is_sparse else g.to(a._kind.dtype))
        for a, g in zip(arrays, results, strict=True)
    ]


class _Constant(torch.autograd.Function):
    """A gradient that does not depend on its variable, as part of the graph all the same."""

    @staticmethod
    def forward(ctx: Any, gradient: Tensor, variable: Tensor) -> Tensor:
        ctx.save_for_backward(variable)
        return gradient.clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        return None, torch.zeros_like(*ctx.saved_tensors)


def _linked(gradient: Tensor, variable: Tensor) -> Tensor:
    """A gradient from which backward can go on, giving zeros where nothing depends on anything."""
    if gradient._is_zerotensor():
        gradient = torch.zeros_like(variable)
    if gradient.requires_grad or gradient.is_sparse:
        return gradient
    linked: Tensor = _Constant.apply(gradient, variable)
    return linked


def array_backward(
    self: NDArray, out_grad: Any = None, retain_graph: bool = False, train_mode: bool = True
) -> None:
    """Gradients of this array's sum (or weighted by `out_grad`) into the leaves' buffers."""
    backward([self], None if out_grad is None else [out_grad], retain_graph, train_mode)


def get_symbol(x: NDArray) -> Any:
    """Not available: torch's history does not keep MXNet's operators."""
    raise MXNetError(
        "autograd.get_symbol: the history is torch's and holds no MXNet operators. "
        "Trace the computation with a HybridBlock or write it with mx.sym."
    )


# functions of one's own ------------------------------------------------------------------------


class _Bridge(torch.autograd.Function):
    """Runs the two halves of a user's Function inside torch's graph."""

    @staticmethod
    def forward(ctx: Any, function: Function, cells: list[Any], *tensors: Tensor) -> Any:
        ctx.function, ctx.cells = function, cells
        outputs = cells[0]
        if len(outputs) == 1:
            return outputs[0].clone()
        return tuple(t.clone() for t in outputs)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        _, kinds = ctx.cells
        arrays = [wrap_new(kinds[0].cls, g.detach(), kinds[0].ctx) for g in gradients]
        where = f"{type(ctx.function).__name__}.backward"
        with _Scope(False, modes.training), user_code(where):
            results = ctx.function.backward(*arrays)
        results = [results] if isinstance(results, Handle) or results is None else list(results)
        if len(results) != len(kinds):
            raise MXNetError(
                f"{where} must return exactly the same number of "
                f"NDArrays as inputs ({len(kinds)}), it returned {len(results)}"
            )
        return (None, None, *(None if r is None else r.storage() for r in results))


class Function:
    """A differentiable function written by the user: subclass it with `forward` and `backward`."""

    def __init__(self) -> None:
        self._used = False
        self.saved_tensors: tuple[Any, ...] = ()

    def save_for_backward(self, *args: Any) -> None:
        """Keep arrays for `backward`, which finds them in `self.saved_tensors`."""
        self.saved_tensors = args

    def __call__(self, *inputs: Any) -> Any:
        if getattr(self, "_used", False):
            raise MXNetAssertionError(
                "Each Function instance can only be called once. Please create another instance."
            )
        self._used = True
        with _Scope(False, modes.training):
            outputs = self.forward(*inputs)
        if not modes.recording:
            return outputs
        single = isinstance(outputs, Handle)
        arrays = [outputs] if single else list(outputs)
        kinds = [x._kind for x in inputs]
        tensors = [x.live() for x in inputs]
        results = _Bridge.apply(self, [[a.storage() for a in arrays], kinds], *tensors)
        results = [results] if isinstance(results, Tensor) else list(results)
        wrapped = [wrap(a._kind, t) for a, t in zip(arrays, results, strict=True)]
        return wrapped[0] if single else tuple(wrapped)

    def forward(self, *inputs: Any) -> Any:
        """Compute the outputs from NDArrays; nothing is recorded inside."""
        raise NotImplementedError

    def backward(self, *output_grads: Any) -> Any:
        """Compute the inputs' gradients from the outputs' gradients."""
        raise NotImplementedError


NDArray.attach_grad = attach_grad
NDArray.backward = array_backward
