"""Operators as users call them on arrays: `nd.sum(x, axis=1)`.

Each operator gets one function, made when its namespace is filled: a short one for the regular
forms (one or two arrays, attributes by keyword), a general one for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import torch
from torch import Tensor

from mxtorch._core import binder
from mxtorch._core.attrs import RefusedMark
from mxtorch._core.device import Context, context_to_device, current_context
from mxtorch._core.device import place as place_of
from mxtorch._core.errors import MXNetError, MXNetTypeError
from mxtorch._core.modes import modes
from mxtorch._core.op import Op
from mxtorch._core.spans import noted, spans
from mxtorch._core.storage import SparseValue, find_kernel, is_for_dense
from mxtorch._core.writes import note
from mxtorch._front.handle import (
    Handle,
    Kind,
    find_kind,
    hold,
    is_handle,
    is_sparse,
    wrap,
    wrap_value,
    written_while_recording,
)
from mxtorch._front.joined import in_graph
from mxtorch._front.stored import run_stored, values_of, wrap_stored

_functions: dict[tuple[Op, type[Handle]], Callable[..., Any]] = {}


def make_function(op: Op, cls: type[Handle]) -> Callable[..., Any]:
    """The function that users call; `cls` is the array class of the namespace.

    Namespaces, methods and Python operators share it.
    """
    made = _functions.get((op, cls))
    if made is None:
        made = _functions[op, cls] = _make(op, cls)
    return made


def _make(op: Op, cls: type[Handle]) -> Callable[..., Any]:
    call = _planned(op, cls, _general(op, cls))
    if not op.inputs and not op.variadic:
        call = _sourced(op, cls, call)
    if op.mutates or op.sparse or find_kernel(op.name) is not None:
        call = _by_storage(op, cls, call)
    optional = [i.optional for i in op.inputs]
    regular = not (op.variadic or op.ambient or op.mutates or is_for_dense(op.name))
    regular = regular and op.outputs == 1
    if regular and optional and not optional[0] and all(optional[1:]):
        call = _one(op, cls, call)
    elif regular and optional == [False, False] and not op.view:
        call = _two(op, cls, call)
    call.__name__ = call.__qualname__ = op.name
    call.__doc__ = op.doc
    call.__signature__ = op.signature  # type: ignore[attr-defined]
    return call


def _fast_types(op: Op) -> dict[str, frozenset[type]]:
    """For each attribute the exact types that need no reading."""
    unread = {name: a for name, a in op.attrs.items() if not isinstance(a.mark, RefusedMark)}
    return {name: attr.kind.fast for name, attr in unread.items()}


def _required(op: Op) -> frozenset[str]:
    return frozenset(name for name, attr in op.attrs.items() if attr.required)


_NOTHING: frozenset[type] = frozenset()


class _Defaults(dict[str, Any]):
    """An operator's attributes at their defaults, and which of them were looked at."""

    def __init__(self, op: Op) -> None:
        super().__init__(op.complete({}))
        self.seen: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.seen.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.seen.add(name)
        return super().get(name, default)


def _deciding(op: Op) -> frozenset[str] | None:
    """The attributes that may ask for an optional input; None if one is there by default."""
    defaults = _Defaults(op)
    try:
        wanted = op.needs(defaults) if op.needs else ()
    except KeyError:  # it depends on an attribute that every call has
        return None
    return None if wanted else frozenset(defaults.seen)


def _one(op: Op, cls: type[Handle], longer: Callable[..., Any]) -> Callable[..., Any]:
    """The call of an operator of one array, for attributes that need no reading.

    Inputs besides the first are optional, and left out as long as no attribute decides on them.
    """
    body, kernel, fast, required = op.body, op.kernel, _fast_types(op), _required(op)
    view, direct, count = op.view, op.direct, len(op.attrs) if required else 0
    strict, deciding = cls._strict, _deciding(op)
    if deciding is None:
        return longer
    fast = {name: types for name, types in fast.items() if name not in deciding}
    order = tuple(op.attrs)

    def call(data: Any = None, /, *rest: Any, **kwargs: Any) -> Any:
        try:
            kind = data._kind
        except AttributeError:
            kind = None
        if kind is None:
            return longer(data, *rest, **kwargs)
        if (kind.cls is not cls and (strict or kind.is_sparse)) or spans.report is not None:
            return longer(data, *rest, **kwargs)
        if rest:  # attributes by position, unless an array follows
            named = dict(zip(order, rest, strict=False))
            if rest[0] is None or len(named) < len(rest) or not named.keys().isdisjoint(kwargs):
                return longer(data, *rest, **kwargs)
            if any(type(v) not in fast.get(k, _NOTHING) for k, v in named.items()):
                return longer(data, *rest, **kwargs)
            kwargs.update(named)
        elif kernel is not None and not kwargs and kind.is_plain_float:
            return kind.wrap(kernel(data._data))
        for name, value in kwargs.items():
            if type(value) not in fast.get(name, _NOTHING):
                return longer(data, **kwargs)
        if count and len(kwargs) < count and not required <= kwargs.keys():
            return longer(data, **kwargs)
        tensor = data._data if kind.plain else data.live()
        try:
            if direct is not None and kind.is_plain_float:
                short = direct(tensor, **kwargs)
                if short is not None:
                    return kind.wrap(short)
            result = body(tensor, **kwargs)
            if view:
                result = _own(result, (tensor,))
            if kind.plain and result.dtype is kind.dtype:
                return kind.wrap(result)
            return wrap(kind, result)
        except binder.BODY_ERRORS as error:
            raise binder.body_error(op, error, [data], kwargs) from error

    return call


def _two(op: Op, cls: type[Handle], longer: Callable[..., Any]) -> Callable[..., Any]:
    """The call of an operator of two arrays of one kind, likewise."""
    body, kernel, fast, required = op.body, op.kernel, _fast_types(op), _required(op)
    strict = cls._strict

    def call(lhs: Any = None, rhs: Any = None, /, *rest: Any, **kwargs: Any) -> Any:
        try:
            kind = lhs._kind
            same = kind is rhs._kind
        except AttributeError:
            same = False
        if not same or rest or (kind.cls is not cls and (strict or kind.is_sparse)):
            return longer(lhs, rhs, *rest, **kwargs)
        if spans.report is not None:
            return longer(lhs, rhs, **kwargs)
        if kernel is not None and not kwargs and kind.is_plain_float:
            try:
                return kind.wrap(kernel(lhs._data, rhs._data))
            except RuntimeError:
                pass  # the body does what a kernel does not, and knows what to say
        for name in kwargs:
            if type(kwargs[name]) not in fast.get(name, _NOTHING):
                return longer(lhs, rhs, **kwargs)
        if required and not required <= kwargs.keys():
            return longer(lhs, rhs, **kwargs)
        try:
            if kind.plain:
                return wrap(kind, body(lhs._data, rhs._data, **kwargs))
            return wrap(kind, body(lhs.live(), rhs.live(), **kwargs))
        except binder.BODY_ERRORS as error:
            raise binder.body_error(op, error, [lhs, rhs], kwargs) from error

    return call


# Calls of one operator that are remembered; a loop over many attribute values starts anew.
_PLANS = 256


def _planned(op: Op, cls: type[Handle], general: Callable[..., Any]) -> Callable[..., Any]:
    """The call for arrays by position and attributes by keyword.

    What follows from the number of arrays and from the attributes is worked out once for each
    combination and remembered.
    """
    plans: dict[Any, dict[str, Any]] = {}
    strict = cls._strict
    named = () if op.variadic or callable(op.mutates) else op.mutates
    written = frozenset(i for i, spec in enumerate(op.inputs) if spec.name in named)

    def call(*args: Any, **kwargs: Any) -> Any:
        if strict:
            _check_class(op, args, cls)
        if "dtype" in kwargs:
            kwargs = binder.with_dtype(kwargs, strict)
        # with the types, for 0, 0.0 and False are one key
        key = (len(args), *kwargs.items(), *map(type, kwargs.values()))
        try:
            attrs = plans.get(key)
        except (TypeError, NotImplementedError):  # no hash; the last: an mx.np array's
            attrs = None
        if attrs is None:
            if not all(is_handle(a) for a in args) or not _plannable(kwargs):
                return general(*args, **kwargs)
            bound = binder.bind(op, args, kwargs, is_handle)
            _check_present(op, bound.inputs, bound.attrs)
            _check_count(op, bound)
            if bound.control or any(a is not b for a, b in zip(args, bound.inputs, strict=False)):
                return general(*args, **kwargs)  # the call lacks an input in between, or has more
            attrs = bound.attrs
            if len(plans) >= _PLANS:
                plans.clear()
            with suppress(TypeError):  # an attribute that cannot be a key
                plans[key] = attrs
        try:
            kind = args[0]._kind
            is_mixed = False
            for handle in args:
                if handle._kind.dtype is not kind.dtype:
                    is_mixed = True
        except (AttributeError, IndexError):
            kind = None
        if kind is None:
            return general(*args, **kwargs)
        if is_mixed and not op.mixed:
            raise _mixed_dtypes(op, args)
        if written:
            pairs = enumerate(args)
            tensors = [h.storage() if i in written else h.live() for i, h in pairs]
        else:
            tensors = [h._data if h._kind.plain else h.live() for h in args]
        result = _run(op, tensors, attrs, kind)
        if modes.recording:
            hold(args, result)
        return result

    return call


def _sourced(op: Op, cls: type[Handle], general: Callable[..., Any]) -> Callable[..., Any]:
    """The call of an operator without inputs; attributes that it has read are remembered."""
    plans: dict[Any, tuple[dict[str, Any], Kind]] = {}

    def call(*args: Any, **kwargs: Any) -> Any:
        if args or "out" in kwargs:
            return general(*args, **kwargs)
        if "dtype" in kwargs:
            kwargs = binder.with_dtype(kwargs, cls._strict)
        here = kwargs.get("ctx") or current_context()
        key = (here, *kwargs.items(), *map(type, kwargs.values()))
        try:
            found = plans.get(key)
        except (TypeError, NotImplementedError):
            found = None
        if found is None:
            bound = binder.bind(op, (), kwargs, is_handle)
            if any(name in kwargs for name in ("attr", "name")):
                return general(**kwargs)
            where = _place(op, here, None)
            found = bound.attrs, find_kind(cls, torch.float32, where)
            if len(plans) >= _PLANS:
                plans.clear()
            with suppress(TypeError, NotImplementedError):  # an attribute that cannot be a key
                plans[key] = found
        return _run(op, (), *found)

    return call


def _check_class(op: Op, args: Sequence[Any], cls: type[Handle]) -> None:
    for value in args:
        if isinstance(value, Handle) and not isinstance(value, cls):
            raise MXNetTypeError(
                f"{op.name} takes mx.np arrays, got a legacy {type(value).__name__}; "
                "convert it with as_np_ndarray()"
            )


def _by_storage(op: Op, cls: type[Handle], longer: Callable[..., Any]) -> Callable[..., Any]:
    """The call of an operator that has more to do with sparse arrays than make them dense."""

    always = is_for_dense(op.name)

    def call(*args: Any, **kwargs: Any) -> Any:
        given = args[0] if op.variadic and args and isinstance(args[0], (list, tuple)) else args
        found = any(map(is_sparse, given)) or any(map(is_sparse, kwargs.values()))
        if not found and not always:
            return longer(*args, **kwargs)
        bound = binder.bind(op, binder.without_absent(op, args), kwargs, is_handle)
        return invoke_sparse(op, bound.inputs, bound.attrs, cls, bound.control.get("out"))

    return call


def invoke_sparse(
    op: Op, handles: Sequence[Handle | None], attrs: Mapping[str, Any], cls: type[Handle], out: Any
) -> Any:
    """Run an operator's sparse kernel or, where it has none for these arrays, its body on dense
    copies of them; what it writes goes back into the arrays."""
    _check_present(op, handles, attrs)
    present = [h for h in handles if h is not None]
    kind = find_kind(cls, torch.float32, present[0]._kind.ctx)
    if op.sparse:
        results = run_stored(op, present, {**attrs, **ambient_values(op, kind.ctx)})
        return wrap_stored(kind, results) if out is None else write_out(op, out, values_of(results))
    result = _run_kernel(op, handles, [None if h is None else h.value() for h in handles], attrs)
    if result is not None:
        values = result if isinstance(result, list) else [result]
        if out is not None:
            return write_out(op, out, values)
        arrays = [wrap_value(kind, value) for value in values]
        return arrays[0] if len(arrays) == 1 else arrays
    dense = [
        wrap(find_kind(cls, h._kind.dtype, h._kind.ctx), h.live())
        if h is not None and is_sparse(h)
        else h
        for h in handles
    ]
    result = invoke(op, dense, attrs, cls, out=out)
    written = () if op.variadic or callable(op.mutates) else op.mutates
    for spec, handle, copy in zip(op.inputs, handles, dense, strict=False):
        if spec.name in written and handle is not copy:
            assert handle is not None and copy is not None
            handle.receive(copy.storage())
    if out is None and modes.recording and isinstance(result, Handle) and result._hist is not None:
        # the gradient is that of the dense call, the storage type the kernel's
        with torch.no_grad():
            stored = [None if h is None else h.stored() for h in handles]
            value = _run_kernel(op, handles, stored, attrs)
        if isinstance(value, SparseValue):
            sparse = wrap_value(kind, value)
            sparse._hist = result._hist
            return sparse
    return result


def _run_kernel(
    op: Op, handles: Sequence[Handle | None], values: list[Any], attrs: Mapping[str, Any]
) -> Any:
    """What the sparse kernel makes of the values, None where it does not care for them."""
    kernel = find_kernel(op.name)
    while values and values[-1] is None:
        values.pop()
    # arrays whose gradient is wanted come as tensors
    sparse = any(isinstance(v, SparseValue) for v in values)
    if kernel is None or not (sparse or is_for_dense(op.name)):
        return None
    try:
        return kernel(*values, **attrs)
    except binder.BODY_ERRORS as error:
        raise binder.body_error(op, error, handles, attrs) from error


def _plannable(kwargs: Mapping[str, Any]) -> bool:
    return not any(is_handle(v) or k in ("out", "ctx", "attr") for k, v in kwargs.items())


def _run(op: Op, tensors: Sequence[Tensor | None], attrs: Mapping[str, Any], kind: Kind) -> Any:
    """Run the body and wrap what comes out."""
    if op.ambient:
        attrs = {**attrs, **ambient_values(op, kind.ctx)}
    return _wrapped(kind, _compute(op, tensors, attrs))


def _compute(
    op: Op, tensors: Sequence[Tensor | None], attrs: Mapping[str, Any]
) -> Tensor | Sequence[Tensor]:
    """What the caller gets of the body's results, each in memory of its own."""
    try:
        if spans.report is None:
            results = op.body(*tensors, **attrs)
        else:
            results = noted(op.name, op.body, tensors, attrs)
    except binder.BODY_ERRORS as error:
        raise binder.body_error(op, error, tensors, attrs) from error
    if op.mutates:
        note(tensors)
    elif modes.recording:
        results = in_graph(op, results, tensors, attrs)
    if isinstance(results, Tensor):
        return _own(results, tensors) if op.view else results
    outputs: Sequence[Tensor] = results
    if op.visible is not None:
        outputs = outputs[: op.count_visible(attrs)]
    return [_own(t, tensors) for t in outputs] if op.view else outputs


def _wrapped(kind: Kind, results: Tensor | Sequence[Tensor]) -> Any:
    if isinstance(results, Tensor):
        return wrap(kind, results)
    handles = [wrap(kind, t) for t in results]
    return handles[0] if len(handles) == 1 else handles


def _general(op: Op, cls: type[Handle]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        bound = binder.bind(op, binder.without_absent(op, args), kwargs, is_handle)
        ctx = bound.control.get("ctx") or bound.attrs.get("ctx")
        _check_count(op, bound)
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
    """Run an operator on handles, its attributes read; gives new handles, or `out`."""
    present = [h for h in handles if h is not None]
    _check_present(op, handles, attrs)
    if not op.mixed and len({h._kind.dtype for h in present}) > 1:
        raise _mixed_dtypes(op, present)
    place = present[0]._kind.ctx if present else _place(op, ctx, out)
    tensors = [_tensor(op, i, handle) for i, handle in enumerate(handles)]
    kind = find_kind(present[0]._kind.cls if present else cls, torch.float32, place)
    if op.ambient:
        attrs = {**attrs, **ambient_values(op, place, out)}
    results = _compute(op, tensors, attrs)
    if out is None:
        result = _wrapped(kind, results)
        if modes.recording:
            hold(handles, result)
        return result
    return write_out(op, out, [results] if isinstance(results, Tensor) else results, present)


def invoke_spliced(
    op: Op, inputs: Sequence[Handle | Sequence[Handle]], attrs: Mapping[str, Any]
) -> Any:
    """Run an operator whose entry `splices` an input, with the parts of that input.

    `inputs` are those that a call with these attributes has.
    """
    first = inputs[0]
    assert isinstance(first, Handle)
    kind = first._kind
    read = binder.read_attrs(op, attrs)
    names = op.input_names(read)
    if len(names) != len(inputs):
        raise MXNetTypeError(f"{op.name}: takes {', '.join(names)}, got {len(inputs)} of them")
    given = dict(zip(names, inputs, strict=True))
    tensors: list[Any] = []
    for spec in op.inputs:
        value = given.get(spec.name)
        if value is None:
            tensors.append(None)
            continue
        handles = [value] if isinstance(value, Handle) else value
        for handle in handles:
            if handle._kind.dtype is not kind.dtype:
                raise _mixed_dtypes(op, [first, handle])
        live = [handle.live() for handle in handles]
        tensors.append(live[0] if isinstance(value, Handle) else live)
    return _run(op, tensors, read, kind)


def ambient_values(op: Op, place: Context, out: Any = None) -> dict[str, Any]:
    """The values of a body's ambient parameters for a call on this context."""
    values: dict[str, Any] = {}
    for name, ambient in op.ambient.items():
        if ambient.name == "device":
            values[name] = context_to_device(place)
        elif ambient.name == "context":
            values[name] = place
        elif ambient.name == "out" and isinstance(out, Handle):
            values[name] = out.storage()
        else:
            values[name] = ambient.get()
    return values


def write_out(op: Op, out: Any, outputs: Sequence[Any], inputs: Sequence[Any] = ()) -> Any:
    """Write results into the arrays that the caller gave as `out=`."""
    targets = list(out) if isinstance(out, (list, tuple)) else [out]
    if len(targets) > len(outputs):
        raise MXNetTypeError(f"{op.name}: out has {len(targets)} arrays, there are {len(outputs)}")
    for target, tensor in zip(targets, outputs, strict=False):
        if not isinstance(target, Handle):
            raise MXNetTypeError(f"{op.name}: out must be an array, got {type(target).__name__}")
        shape, dtype = tuple(target.shape), target._kind.dtype
        if shape != tuple(tensor.shape):
            raise MXNetTypeError(
                f"{op.name}: out has shape {shape}, the result {tuple(tensor.shape)}"
            )
        same = not isinstance(tensor, Tensor) or dtype is tensor.dtype
        if not same and (target._strict or (inputs and not op.mixed)):
            names = (str(d).removeprefix("torch.") for d in (dtype, tensor.dtype))
            raise MXNetTypeError("{}: out is {}, the result {}".format(op.name, *names))
        tracked = isinstance(tensor, Tensor) and tensor.requires_grad and modes.recording
        if tracked and any(target is handle for handle in inputs):
            raise written_while_recording()
        target.receive(tensor)
        if tracked:
            target.set_history(tensor)
    return out


def _place(op: Op, ctx: Context | str | None, out: Any) -> Context:
    """The context of a call without input arrays: that of `out`, the one named, the current one."""
    if isinstance(out, Handle):
        return out._kind.ctx
    try:
        return place_of(ctx or None)
    except MXNetError as error:
        raise type(error)(f"{op.name}: ctx: {error}") from None


def _tensor(op: Op, position: int, handle: Handle | None) -> Tensor | None:
    if handle is None:
        return None
    written = () if op.variadic or callable(op.mutates) else op.mutates
    if written and op.inputs[position].name in written:
        return handle.storage()
    return handle.live()


def _own(tensor: Tensor, inputs: Sequence[Tensor | None]) -> Tensor:
    """A result of its own memory: MXNet's operators never give back a view."""
    if tensor._base is None:
        for given in inputs:
            if tensor is given:
                break
        else:
            return tensor
    return tensor.clone() if tensor.is_contiguous() else tensor.contiguous()


def _check_present(op: Op, handles: Sequence[Handle | None], attrs: Mapping[str, Any]) -> None:
    if op.variadic:
        return
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


def _check_count(op: Op, bound: binder.Bound) -> None:
    count = bound.control.get(op.count or "")
    if not op.variadic or count is None:
        return
    named = op.needs(op.complete(bound.attrs)) if op.needs else ()
    if (len(named) or int(count)) != len(bound.inputs):
        raise MXNetTypeError(
            f"{op.name}: {op.count}={count!r}, and {len(bound.inputs)} arrays were given"
        )


def _mixed_dtypes(op: Op, handles: Sequence[Handle]) -> MXNetError:
    names = ", ".join(str(h._kind.dtype).removeprefix("torch.") for h in handles)
    return MXNetError(
        f"{op.name}: all arrays must have one dtype, got {names}. "
        "Convert them first, e.g. x.astype('float32')."
    )
