"""The array handle: a tensor's storage and, where autograd follows it, the tensor with history.

Operators read the storage outside `autograd.record()` and the tensor with history inside. The
storage is reached through `Tensor.data`, which has a version counter of its own: MXNet allows
writes to an array whose graph is still to be run backward, and backward then sees the new values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import torch
from torch import Tensor

from mxtorch._core import freed, writes
from mxtorch._core.device import Context, intern_context
from mxtorch._core.errors import MXNetError
from mxtorch._core.modes import modes
from mxtorch._core.storage import SparseValue, empty_like, gradient_rows

H = TypeVar("H", bound="Handle")


class Kind:
    """What handles have in common: class, dtype, context, history or not. One object each."""

    __slots__ = (
        "cls",
        "ctx",
        "dtype",
        "is_float",
        "is_plain_float",
        "is_sparse",
        "is_wide",
        "plain",
        "wrap",
    )

    def __init__(self, cls: type[Handle], dtype: torch.dtype, ctx: Context, plain: bool) -> None:
        self.cls = cls
        self.dtype = dtype
        self.ctx = ctx
        self.plain = plain
        self.is_float = dtype.is_floating_point
        self.is_plain_float = plain and self.is_float
        # wide enough that torch rounds a number just as the array's own type would
        self.is_sparse = cls.dense_class is not None
        self.is_wide = dtype in (torch.float32, torch.float64) and not self.is_sparse
        self.wrap: Callable[[Tensor], Any] = _wrapper(self)


def _wrapper(kind: Kind) -> Callable[[Tensor], Any]:
    """The shortest way to a handle of `kind` around a tensor known to fit it."""
    if kind.cls.dense_class is not None:  # what comes out of operators is dense
        return find_kind(kind.cls.dense_class, kind.dtype, kind.ctx, kind.plain).wrap
    new = partial(object.__new__, kind.cls)
    plain = kind.plain

    def wrap_same(tensor: Tensor) -> Any:
        handle = new()
        handle._data = tensor
        handle._hist = None
        handle._kind = kind
        return handle

    def wrap_same_history(tensor: Tensor) -> Any:
        handle = new()
        handle._data = None
        handle._hist = tensor
        handle._kind = kind
        handle._freed = freed.count
        return handle

    return wrap_same if plain else wrap_same_history


_kinds: dict[tuple[type, torch.dtype, int, int, bool], Kind] = {}


def find_kind(cls: type[Handle], dtype: torch.dtype, ctx: Context, plain: bool = True) -> Kind:
    """The one Kind object for these facts."""
    key = (cls, dtype, ctx.device_typeid, ctx.device_id, plain)
    kind = _kinds.get(key)
    if kind is None:
        kind = _kinds[key] = Kind(cls, dtype, intern_context(ctx), plain)
    return kind


class Handle:
    """Base of NDArray and its kin."""

    # _grad: the gradient buffer's handle; _grad_req: 'write', 'add' or 'null'; _grad_shared: the
    # buffer's memory was handed out, so gradients are copied into it; _fresh: backward wrote it;
    # _freed: the number of backwards that had freed a graph when _hist was last known not to be;
    # _held: that number when the array, without history, last became part of a graph.
    __slots__ = (
        "__weakref__",
        "_data",
        "_freed",
        "_fresh",
        "_grad",
        "_grad_req",
        "_grad_shared",
        "_held",
        "_hist",
        "_kind",
    )
    _data: Tensor | None
    _hist: Tensor | None
    _kind: Kind
    _grad: Handle | None
    _grad_req: str
    _grad_shared: bool
    _fresh: bool
    _freed: int
    _held: int
    # whether its operators refuse arrays of other classes
    _strict: ClassVar[bool] = False

    # of a class of sparse arrays: what operators without a sparse kernel give
    dense_class: ClassVar[type[Handle] | None] = None

    if TYPE_CHECKING:
        # operators become methods at run time

        def __getattr__(self, name: str) -> Any: ...

    def storage(self) -> Tensor:
        """The tensor without history, over the same memory."""
        data = self._data
        if data is None:
            assert self._hist is not None
            data = self._data = self._hist.data
        return data

    def live(self) -> Tensor:
        """The tensor that an operator reads now: with history while recording."""
        if self._kind.plain or not modes.recording:
            return self.storage()
        history = self._hist
        try:
            if self._freed is freed.count:
                return history  # type: ignore[return-value]
        except AttributeError:  # not yet known
            pass
        assert history is not None
        self._freed = freed.count
        if freed.is_freed(history):
            self.show(self.storage())
            return self.storage()
        return history

    def write_storage(self) -> Tensor:
        """The storage, for a write in place; raises while a graph that holds it is recorded.

        It has a version counter of its own, so that backward does not refuse the new values.
        """
        if modes.recording:
            if not self._kind.plain:
                self.live()  # which forgets a graph that is gone
            if not self._kind.plain or getattr(self, "_held", None) == freed.count:
                raise written_while_recording()
        store = self.storage().data
        if writes.watched:
            writes.note([store])
        return store

    def history(self) -> Tensor | None:
        """The tensor with history, if autograd has followed the array."""
        return self._hist

    def value(self) -> Tensor | SparseValue:
        """What an operator's sparse kernel takes: a dense array's tensor."""
        return self.live()

    def whole(self) -> Tensor:
        """The memory of all elements, to be written: a row_sparse array stores all rows then."""
        writes.note([self.storage()])
        return self.storage()

    def stored(self) -> Tensor | SparseValue:
        """The values as they are stored, without history."""
        return self.storage()

    def receive(self, value: Tensor | SparseValue) -> None:
        """Take the values of a result; the shape is known to be right."""
        tensor = value.to_dense() if isinstance(value, SparseValue) else value
        with torch.no_grad():
            self.write_storage().copy_(tensor)

    def set_history(self, tensor: Tensor) -> None:
        """From now on the array is part of the graph that `tensor` belongs to."""
        kind = self._kind
        self._hist = tensor
        self._kind = find_kind(kind.cls, kind.dtype, kind.ctx, plain=False)

    def show(self, tensor: Tensor) -> None:
        """From now on the array is `tensor`, which has no history."""
        kind = self._kind
        self._data, self._hist = tensor, None
        self._kind = find_kind(kind.cls, tensor.dtype, kind.ctx)


def hold(handles: Iterable[Handle | None], result: Any) -> None:
    """Note that arrays without history are part of a result's graph: until a backward that frees
    graphs, they are not written while recording."""
    first = result if isinstance(result, Handle) else result[0] if result else None
    if first is None or first._kind.plain:
        return
    for handle in handles:
        if handle is not None and handle._kind.plain:
            handle._held = freed.count


def written_while_recording() -> MXNetError:
    """The error for a write into an array that the graph needs."""
    return MXNetError(
        "Inplace operations (+=, -=, x[:]=, etc) are not supported when recording with "
        "autograd: this array is part of the graph. Write to a copy, or outside record()."
    )


def wrap(kind: Kind, tensor: Tensor) -> Any:
    """A new handle of `kind`'s class and context around a result, with or without history."""
    plain = not tensor.requires_grad
    if tensor.dtype is not kind.dtype or plain is not kind.plain:
        kind = find_kind(kind.cls, tensor.dtype, kind.ctx, plain)
    return kind.wrap(tensor)


def wrap_new(cls: type[H], tensor: Tensor, ctx: Context) -> H:
    """A new handle of class `cls` on context `ctx`."""
    handle: H = wrap(find_kind(cls, tensor.dtype, ctx), tensor)
    return handle


# Makes the array of a storage type: (sparse value, context) → handle.
sparse_classes: dict[str, Callable[[Any, Context], Any]] = {}


def wrap_value(kind: Kind, value: Tensor | SparseValue) -> Any:
    """A new handle around a kernel's result, which may be sparse."""
    if isinstance(value, SparseValue):
        return sparse_classes[value.stype](value, kind.ctx)
    return wrap(kind, value)


def is_sparse(value: Any) -> bool:
    """Whether a value is an array of ours whose storage type is not the default."""
    return isinstance(value, Handle) and value._kind.is_sparse


def is_handle(value: Any) -> bool:
    """Whether a value is an array of ours."""
    return isinstance(value, Handle)


def receive_gradient(buffer: Handle, gradient: Tensor | None, request: str) -> None:
    """A gradient by rows, or one for a sparse buffer, into the buffer."""
    if not is_sparse(buffer):
        assert gradient is not None
        dense = gradient.to_dense()
        buffer.receive(dense if request == "write" else buffer.storage() + dense)
        return
    if gradient is None:
        if request == "write":
            buffer.receive(empty_like(buffer.value()))
        return
    if request == "add":
        gradient = gradient.to_dense() + buffer.storage()
    buffer.receive(gradient_rows(gradient) if gradient.is_sparse else gradient)
