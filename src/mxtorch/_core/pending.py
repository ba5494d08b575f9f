"""Tensors whose values wait for calls that are still to come.

A call that needs what other devices bring (SyncBatchNorm) gives a `Pending` at once. Functions of
torch that get one are not run but noted, and give Pendings too: shape and type are known, values
are not. When the last device's call has come, all that was noted is run, in its order, and every
Pending stands for its value from then on.

`Function` is torch's, which takes part in this; operators derive theirs from it.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.utils import _pytree as pytree

from mxtorch._core.errors import MXNetError
from mxtorch._core.modes import modes


class _State:
    """is_used: whether this process has made a Pending."""

    is_used = False


_state = _State()
_lock = threading.RLock()
_noted: list[_Call] = []
# What else to drop when a loop over the devices was left in the middle.
on_forget: list[Callable[[], None]] = []


class Pending(Tensor):
    """A tensor that is not there yet; `why` says what it waits for."""

    value: Tensor | None
    why: str

    @staticmethod
    def like(twin: Tensor, device: torch.device, requires_grad: bool, why: str) -> Pending:
        """A Pending of the shape and type of `twin`."""
        with torch._C.DisableTorchFunctionSubclass():
            made: Any = Tensor._make_wrapper_subclass(
                Pending, twin.shape, dtype=twin.dtype, device=device, requires_grad=requires_grad
            )
        made.value, made.why = None, why
        _state.is_used = True
        result: Pending = made
        return result

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _call(func, args, kwargs or {})

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        raise _not_yet(_pendings((args, kwargs))[0])


@dataclass(eq=False)
class _Call:
    """A call that was noted: what it makes, and the modes that it was made in."""

    run: Callable[..., Any]
    args: Any
    kwargs: Any
    outputs: list[Pending]
    grad_mode: bool
    modes: dict[str, Any]


_KNOWN = {
    Tensor.size,
    Tensor.dim,
    Tensor.numel,
    Tensor.nelement,
    Tensor.element_size,
    Tensor.is_floating_point,
    Tensor.is_complex,
    Tensor.is_contiguous,
    Tensor.stride,
    Tensor.__len__,
    Tensor.ndimension,
    torch.is_floating_point,
    torch.is_complex,
    torch.numel,
} | {
    getattr(Tensor, name).__get__
    for name in (
        *("shape", "dtype", "device", "ndim", "requires_grad", "layout", "is_cpu", "is_cuda"),
        *(
            "is_meta",
            "is_sparse",
            "is_mps",
            "is_xpu",
            "is_quantized",
            "is_sparse_csr",
            "itemsize",
            "_base",
            "grad_fn",
        ),
    )
}


_WITHOUT_HISTORY = {Tensor.detach, torch.detach, Tensor.data.__get__}  # type: ignore[attr-defined]


class Function(torch.autograd.Function):
    """`torch.autograd.Function` whose `apply` takes Pendings."""

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """As in torch; noted where an argument is pending."""
        if _state.is_used and any(type(arg) is Pending for arg in args):
            return _call(super().apply, args, {})
        return super().apply(*args)


def settled(tensor: Tensor) -> Tensor:
    """The tensor itself, or what a Pending stands for; MXNetError if that is not there yet."""
    if type(tensor) is not Pending:
        return tensor
    if tensor.value is None:
        raise _not_yet(tensor)
    return tensor.value


def note_call(run: Callable[..., Any], args: Sequence[Any], outputs: list[Pending]) -> None:
    """Let `run(*args)` give the values of `outputs` as soon as its arguments are there."""
    with _lock:
        _noted.append(_noted_call(run, tuple(args), {}, outputs))
        go_on()


def go_on() -> None:
    """Run everything noted whose arguments are there."""
    with _lock:
        ran = True
        while ran:
            ran = False
            for call in list(_noted):
                if call in _noted and _is_ready(call):
                    _noted.remove(call)
                    _run(call)
                    ran = True


def _forget() -> None:
    """Drop what was noted: later calls shall not meet those of a loop that has failed."""
    with _lock:
        _noted.clear()
        for drop in on_forget:
            drop()


def _is_ready(call: _Call) -> bool:
    own = _pendings((call.args, call.kwargs))
    if not all(pending.value is not None for pending in own):
        return False
    if call.outputs:
        return True
    # it writes in place: what was to read the old value comes first
    names = {id(pending) for pending in own}
    earlier = itertools.takewhile(lambda other: other is not call, _noted)
    return not any(id(p) in names for other in earlier for p in _pendings(other.args))


def _pendings(values: Any) -> list[Pending]:
    return [leaf for leaf in pytree.tree_leaves(values) if type(leaf) is Pending]


def _run(call: _Call) -> None:
    before = dict(vars(modes))
    grad_mode = torch.is_grad_enabled()
    vars(modes).update(call.modes)
    torch._C._set_grad_enabled(call.grad_mode)
    try:
        args, kwargs = pytree.tree_map(_value, (call.args, call.kwargs))
        results = _tensors(call.run(*args, **kwargs))
    finally:
        vars(modes).clear()
        vars(modes).update(before)
        torch._C._set_grad_enabled(grad_mode)
    if call.outputs:
        for pending, result in zip(call.outputs, results, strict=True):
            pending.value = result


def _value(leaf: Any) -> Any:
    return leaf.value if type(leaf) is Pending and leaf.value is not None else leaf


def _tensors(results: Any) -> list[Tensor]:
    return [leaf for leaf in pytree.tree_leaves(results) if isinstance(leaf, Tensor)]


def _noted_call(run: Any, args: Any, kwargs: Any, outputs: list[Pending]) -> _Call:
    return _Call(run, args, kwargs, outputs, torch.is_grad_enabled(), dict(vars(modes)))


def _call(func: Any, args: Any, kwargs: Any) -> Any:
    """A function of torch with a Pending among its arguments."""
    if func in _KNOWN:
        with torch._C.DisableTorchFunctionSubclass():
            return func(*args, **kwargs)
    with _lock:
        args, kwargs = pytree.tree_map(_value, (args, kwargs))
        waiting = _pendings((args, kwargs))
        if waiting:
            return _note(func, args, kwargs, waiting[0])
    return func(*args, **kwargs)


def _note(func: Any, args: Any, kwargs: Any, first: Pending) -> Any:
    """Note a call; Pendings of the shapes that it gives on tensors without values."""
    given: dict[int, Tensor] = {}  # by the id of the twin without values
    twins: dict[int, Tensor] = {}  # by the id of the tensor

    def twin_of(leaf: Any) -> Any:
        if not isinstance(leaf, Tensor):
            return leaf
        if id(leaf) not in twins:
            with torch._C.DisableTorchFunctionSubclass():
                twin = torch.empty(leaf.shape, dtype=leaf.dtype, device="meta")
            twins[id(leaf)] = twin
            given[id(twin)] = leaf
        return twins[id(leaf)]

    meta_args, meta_kwargs = pytree.tree_map(twin_of, (args, kwargs))
    with torch.no_grad():
        try:
            results = func(*meta_args, **meta_kwargs)
        except (RuntimeError, TypeError, NotImplementedError, ValueError) as error:
            raise _not_yet(first) from error
    if any(twin._version for twin in twins.values()):
        written = [given[id(twin)] for twin in twins.values() if twin._version]
        if not all(type(tensor) is Pending for tensor in written):
            raise _not_yet(first)  # it would be written too late
        _noted.append(_noted_call(func, args, kwargs, []))
        return written[0]
    leaves, structure = pytree.tree_flatten(results)
    tensors = [leaf for leaf in pytree.tree_leaves((args, kwargs)) if isinstance(leaf, Tensor)]
    follows = torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)
    follows = follows and func not in _WITHOUT_HISTORY
    outputs: list[Pending] = []
    for place, leaf in enumerate(leaves):
        if isinstance(leaf, Tensor):
            differentiable = follows and leaf.is_floating_point()
            leaves[place] = Pending.like(leaf, first.device, differentiable, first.why)
            outputs.append(leaves[place])
    if not outputs:
        raise _not_yet(first)
    _noted.append(_noted_call(func, args, kwargs, outputs))
    return pytree.tree_unflatten(leaves, structure)


def _not_yet(pending: Pending) -> MXNetError:
    _forget()
    return MXNetError(
        f"a value is asked for that is not there yet: {pending.why}. Call the net on every "
        "device's part of the batch before looking at results."
    )
