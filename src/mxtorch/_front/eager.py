"""Operators as users call them on arrays: `nd.sum(x, axis=1)`.

Each operator gets one function, made when its namespace is filled: a short one for the regular
forms (one or two arrays, attributes by keyword), a general one for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxtorch._core import binder
from mxtorch._core.device import Context, context_to_device
from mxtorch._core.device import place as place_of
from mxtorch._core.errors import MXNetError, MXNetTypeError
from mxtorch._core.modes import modes
from mxtorch._core.op import Op
from mxtorch._front.handle import Handle, find_kind, is_handle, wrap

# What a body may raise: torch's errors and Python's for bad values.
BODY_ERRORS = (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError)


def make_function(op: Op, cls: type[Handle]) -> Callable[..., Any]:
    """The function that users call; `cls` is the array class of the namespace."""
    general = _general(op, cls)
    regular = not (op.variadic or op.ambient or op.mutates or op.view) and op.outputs == 1
    call = general
    if regular and [i.optional for i in op.inputs] == [False]:
        call = _one(op, cls, general)
    elif regular and [i.optional for i in op.inputs] == [False, False]:
        call = _two(op, cls, general)
    call.__name__ = call.__qualname__ = op.name
    call.__doc__ = op.doc
    call.__signature__ = op.signature  # type: ignore[attr-defined]
    return call


def _one(op: Op, cls: type[Handle], general: Callable[..., Any]) -> Callable[..., Any]:
    body, attrs = op.body, op.attrs
    fast = {name: attr.kind.fast for name, attr in attrs.items() if attr.mark is None}
    required = frozenset(name for name, attr in attrs.items() if attr.required)
    nothing: frozenset[type] = frozenset()

    def call(data: Any = None, /, *rest: Any, **kwargs: Any) -> Any:
        try:
            kind = data._kind
        except AttributeError:
            return general(data, *rest, **kwargs)
        if rest or kind.cls is not cls or (required and not required <= kwargs.keys()):
            return general(data, *rest, **kwargs)
        for name in kwargs:
            if type(kwargs[name]) not in fast.get(name, nothing):
                return general(data, **kwargs)
        try:
            return wrap(kind, body(data._data if kind.plain else data.live(), **kwargs))
        except BODY_ERRORS as error:
            raise binder.body_error(op, error, [data]) from error

    return call


def _two(op: Op, cls: type[Handle], general: Callable[..., Any]) -> Callable[..., Any]:
    body, attrs = op.body, op.attrs
    fast = {name: attr.kind.fast for name, attr in attrs.items() if attr.mark is None}
    required = frozenset(name for name, attr in attrs.items() if attr.required)
    nothing: frozenset[type] = frozenset()

    def call(lhs: Any = None, rhs: Any = None, /, *rest: Any, **kwargs: Any) -> Any:
        try:
            kind = lhs._kind
            same = kind is rhs._kind
        except AttributeError:
            return general(lhs, rhs, *rest, **kwargs)
        if not same or rest or kind.cls is not cls or (required and not required <= kwargs.keys()):
            return general(lhs, rhs, *rest, **kwargs)
        for name in kwargs:
            if type(kwargs[name]) not in fast.get(name, nothing):
                return general(lhs, rhs, **kwargs)
        try:
            if kind.plain:
                return wrap(kind, body(lhs._data, rhs._data, **kwargs))
            return wrap(kind, body(lhs.live(), rhs.live(), **kwargs))
        except BODY_ERRORS as error:
            raise binder.body_error(op, error, [lhs, rhs]) from error

    return call


def _general(op: Op, cls: type[Handle]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        while args and args[-1] is None:
            args = args[:-1]
        bound = binder.bind(op, args, kwargs, is_handle)
        ctx = bound.control.get("ctx") or bound.attrs.get("ctx")
        return invoke(op, bound.inputs, bound.attrs, cls, out=bound.control.get("out"), ctx=ctx)

    return call


def invoke(
    op: Op,
    handles: Sequence[Handle | None],
    attrs: Mapping[str, Any],
    cls: type[Handle],
    out: Any = None,
    ctx: Context | str | None = None,
) -> Any:
    """Run an operator on handles, its attributes already read; results are new handles, or `out`."""
    present = [h for h in handles if h is not None]
    _check_inputs(op, handles, attrs)
    place = present[0]._kind.ctx if present else _place(ctx, out)
    tensors = [_tensor(op, i, handle) for i, handle in enumerate(handles)]
    if op.ambient:
        attrs = {**attrs, **ambient_values(op, place, out)}
    try:
        results = op.body(*tensors, **attrs)
    except BODY_ERRORS as error:
        raise binder.body_error(op, error, tensors) from error
    single = isinstance(results, Tensor)
    outputs: list[Tensor] = [results] if single else list(results)
    if op.visible is not None:
        outputs = outputs[: op.count_visible(attrs)]
    if op.view:
        outputs = [_own(t, tensors) for t in outputs]
    if out is not None:
        return write_out(op, out, outputs)
    kind = find_kind(present[0]._kind.cls if present else cls, torch.float32, place)
    wrapped = [wrap(kind, t) for t in outputs]
    return wrapped[0] if len(wrapped) == 1 else wrapped


def ambient_values(op: Op, place: Context, out: Any = None) -> dict[str, Any]:
    """The values of a body's ambient parameters for a call on this context."""
    values = {}
    for name, ambient in op.ambient.items():
        if ambient.name == "device":
            values[name] = context_to_device(place)
        elif ambient.name == "out" and isinstance(out, Handle):
            values[name] = out.storage()
        else:
            values[name] = ambient.get()
    return values


def write_out(op: Op, out: Any, outputs: Sequence[Tensor]) -> Any:
    """Write results into the arrays that the caller gave as `out=`."""
    targets = list(out) if isinstance(out, (list, tuple)) else [out]
    if len(targets) > len(outputs):
        raise MXNetTypeError(f"{op.name}: out has {len(targets)} arrays, there are {len(outputs)}")
    for target, tensor in zip(targets, outputs, strict=False):
        if not isinstance(target, Handle):
            raise MXNetTypeError(f"{op.name}: out must be an array, got {type(target).__name__}")
        store = target.write_storage()
        if store.shape != tensor.shape:
            raise binder.body_error(
                op,
                MXNetTypeError(
                    f"out has shape {tuple(store.shape)}, the result {tuple(tensor.shape)}"
                ),
                [store],
            )
        with torch.no_grad():
            store.copy_(tensor)
        if tensor.requires_grad and modes.recording:
            target.set_history(tensor)
    return out


def _place(ctx: Context | str | None, out: Any) -> Context:
    """The context of a call without input arrays: that of `out`, the one named, the current one."""
    return out._kind.ctx if isinstance(out, Handle) else place_of(ctx or None)


def _tensor(op: Op, position: int, handle: Handle | None) -> Tensor | None:
    if handle is None:
        return None
    if op.mutates and not op.variadic and op.inputs[position].name in op.mutates:
        return handle.storage()
    return handle.live()


def _own(tensor: Tensor, inputs: Sequence[Tensor | None]) -> Tensor:
    """A result of its own memory: MXNet's operators never give back a view."""
    if tensor._base is not None or any(tensor is t for t in inputs):
        return tensor.clone(memory_format=torch.contiguous_format)
    return tensor


def _check_inputs(op: Op, handles: Sequence[Handle | None], attrs: Mapping[str, Any]) -> None:
    if not op.variadic:
        wanted = op.input_names(attrs)
        missing = [
            spec.name
            for spec, handle in zip(op.inputs, handles, strict=False)
            if handle is None and spec.name in wanted
        ]
        if missing:
            raise MXNetTypeError(
                f"{op.name}: takes the arrays {', '.join(wanted)}; missing: {', '.join(missing)}"
            )
    present = [h for h in handles if h is not None]
    if len(present) > 1 and not op.mixed:
        first = present[0]._kind.dtype
        for handle in present[1:]:
            if handle._kind.dtype is not first:
                names = ", ".join(str(h._kind.dtype).removeprefix("torch.") for h in present)
                raise MXNetError(
                    f"{op.name}: all arrays must have one dtype, got {names}. "
                    "Convert them first, e.g. x.astype('float32')."
                )


def graph_inputs(handles: Sequence[Handle], recording: bool | None = None) -> list[Tensor]:
    """The tensors of many handles at once, for a whole graph."""
    if modes.recording if recording is None else recording:
        return [h._hist if not h._kind.plain else h._data for h in handles]  # type: ignore[misc]
    return [h.storage() for h in handles]
