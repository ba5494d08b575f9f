"""A parameter: an array with a name, one replica per context, initialized late if need be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mxtorch import initializer, ndarray, symbol
from mxtorch._core import joint
from mxtorch._core.device import Context, are_beside, cpu, current_context, intern_context
from mxtorch._core.dtypes import dtype_to_torch
from mxtorch._core.errors import (
    MXNetAssertionError,
    MXNetError,
    MXNetValueError,
)
from mxtorch._core.modes import modes
from mxtorch._core.storage import empty_like
from mxtorch._core.warn import warn
from mxtorch._front.handle import is_sparse
from mxtorch.autograd import attach, zeros_beside
from mxtorch.gluon.utils import shape_is_known
from mxtorch.ndarray import NDArray
from mxtorch.ndarray.numpy._array import array_of_mode, in_mode
from mxtorch.symbol import Symbol

nd: Any = ndarray  # its operators come from the table, where a type checker sees none
_STORAGE_TYPES = ("default", "row_sparse", "csr")


class DeferredInitializationError(MXNetError):
    """A parameter was asked for before the first forward pass told its shape."""


class Changes:
    """Counts how often any parameter got other arrays: what was kept of them is stale then."""

    count = 0


def require(condition: Any, message: str) -> None:
    if not condition:
        raise MXNetAssertionError(message)


def _contexts(ctx: Context | Sequence[Context] | None) -> list[Context]:
    if ctx is None:
        return [current_context()]
    return [ctx] if isinstance(ctx, Context) else list(ctx)


def _places(contexts: Sequence[Context]) -> list[list[int | None]]:
    """For accelerators and for CPUs, by number: the place of a context in the list."""
    found: list[list[int | None]] = [[], []]
    for place, ctx in enumerate(contexts):
        row = found[ctx.device_typeid & 1]
        row += [None] * (ctx.device_id + 1 - len(row))
        row[ctx.device_id] = place
    return found


def _fits(old: Sequence[int] | None, new: Sequence[int]) -> bool:
    """Whether a shape may become another: 0 and -1 stand for any length."""
    if old is None:
        return True
    return len(old) == len(new) and all(a in (0, -1, b) for a, b in zip(old, new, strict=True))


class Parameter:
    """A named array that is trained: its value and its gradient on one or several contexts.

    An axis of length 0 in `shape` is found out in the first forward pass; `initialize` is put off
    until then if `allow_deferred_init`. `dtype` is kept as it was given.
    """

    def __init__(
        self,
        name: str,
        grad_req: str = "write",
        shape: int | Sequence[int] | None = None,
        dtype: Any = np.float32,
        lr_mult: float = 1.0,
        wd_mult: float = 1.0,
        init: Any = None,
        allow_deferred_init: bool = False,
        differentiable: bool = True,
        stype: str = "default",
        grad_stype: str = "default",
    ) -> None:
        self._var: Symbol | None = None
        self._data: list[NDArray] | None = None
        self._grad: list[NDArray] | None = None
        self._only: NDArray | None = None  # the replica, if there is exactly one
        # what subclasses copy from another parameter: the contexts, and where in them each is
        self._ctx_list: list[Context] | None = None
        self._ctx_map: list[list[int | None]] | None = None
        self._deferred_init: tuple[Any, ...] = ()
        self._differentiable = differentiable
        self._allow_deferred_init = allow_deferred_init
        self._grad_req: str | None = None
        self._trainer: Any = None
        self._shape: Any = (shape,) if isinstance(shape, int) else shape and tuple(shape)
        self.name = name
        self._dtype = dtype
        self.lr_mult = lr_mult
        self.wd_mult = wd_mult
        self.grad_req = grad_req
        self.init = init
        self._stype = self._storage_type("stype", stype)
        self._grad_stype = self._storage_type("grad_stype", grad_stype)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Become what a pickle says, MXNet's too."""
        self.__dict__.update(state)
        if self._data is not None:
            self._set_replicas(self._data)
            self._init_grad()

    def _storage_type(self, argument: str, value: str) -> str:
        require(
            value in _STORAGE_TYPES,
            f"{argument} for Parameter '{self.name}' must be one of 'default', 'row_sparse', or "
            f"'csr', but got '{value}'",
        )
        return value

    def __repr__(self) -> str:
        return f"{type(self).__name__} {self.name} (shape={self.shape}, dtype={self.dtype})"

    # facts ---------------------------------------------------------------------------------

    @property
    def grad_req(self) -> str | None:
        """What a backward pass does with the gradient: 'write', 'add' or 'null' (none is kept)."""
        return self._grad_req

    @grad_req.setter
    def grad_req(self, req: str) -> None:
        require(
            req in ("write", "add", "null"),
            f"grad_req must be one of 'write', 'add', or 'null', but got '{req}'",
        )
        if not self._differentiable:
            req = "null"
        if self._grad_req == req:
            return
        self._grad_req = req
        if self._data is None:
            return
        if req == "null":
            self._grad = None
            self._set_replicas([array.detach() for array in self._data])
        else:
            self._init_grad()

    @property
    def dtype(self) -> Any:
        """The element type, as it was given; setting it casts."""
        return self._dtype

    @dtype.setter
    def dtype(self, dtype: Any) -> None:
        self.cast(dtype)

    @property
    def shape(self) -> Any:
        """The lengths of the axes, 0 where not known yet; a known length cannot be changed.

        Under NumPy's shapes an unknown length is -1.
        """
        if modes.np_shape and self._shape is not None:
            return tuple(n or -1 for n in self._shape)
        return self._shape

    @shape.setter
    def shape(self, new_shape: Sequence[int]) -> None:
        new = tuple(new_shape)
        require(
            _fits(self._shape, new),
            f"Expected shape {new} is incompatible with given shape {self._shape}.",
        )
        self._shape = new

    @property
    def stype(self) -> str:
        """The storage type: 'default', or 'row_sparse' (see `row_sparse_data`)."""
        return self._stype

    def list_ctx(self) -> list[Context]:
        """The contexts on which the parameter is, or will be, initialized."""
        if self._data is not None:
            return [array.context for array in self._data]
        if self._deferred_init:
            return list(self._deferred_init[1])
        raise MXNetError(f"Parameter '{self.name}' has not been initialized")

    def var(self) -> Symbol:
        """The variable that stands for the parameter in a Symbol."""
        if self._var is None:
            self._var = in_mode(
                symbol.var(
                    self.name,
                    shape=self.shape,
                    dtype=self.dtype,
                    lr_mult=self.lr_mult,
                    wd_mult=self.wd_mult,
                    init=self.init,
                    stype=self._stype,
                )
            )
        return self._var

    # values ----------------------------------------------------------------------------------

    def data(self, ctx: Context | None = None) -> NDArray:
        """The array on `ctx` (without it: the only one, or that of the current context)."""
        only = self._only
        if only is not None and (ctx is None or ctx is only._kind.ctx):
            return only
        if self._stype == "row_sparse":
            raise MXNetError(
                f"Cannot return a copy of Parameter '{self.name}' on ctx {ctx} via data() because "
                f"its storage type is {self._stype}. Please use row_sparse_data() instead."
            )
        return self._find(self._data, ctx)

    def list_data(self) -> list[NDArray]:
        """The arrays on all contexts."""
        if self._stype == "row_sparse":
            raise MXNetError(
                f"Cannot return copies of Parameter '{self.name}' on all contexts via list_data() "
                f"because its storage type is {self._stype}. Please use row_sparse_data() instead."
            )
        return list(self._all(self._data))

    def grad(self, ctx: Context | None = None) -> NDArray:
        """The gradient on `ctx`; errors as `data`, and if `grad_req` is 'null'."""
        self._need_grad()
        found = self._find(self._grad, ctx)
        self._find(self._data, ctx)._grad_shared = True
        return found

    def list_grad(self) -> list[NDArray]:
        """The gradients on all contexts."""
        self._need_grad()
        found = list(self._all(self._grad))
        for array in self._all(self._data):
            array._grad_shared = True
        return found

    def _need_grad(self) -> None:
        joint.flush()
        if self._data is not None and self._grad is None:
            raise MXNetError(
                f"Cannot get gradient array for Parameter '{self.name}' because grad_req='null'"
            )

    def _all(self, arrays: list[NDArray] | None) -> list[NDArray]:
        if arrays is not None:
            return arrays
        if self._deferred_init:
            raise DeferredInitializationError(
                f"Parameter '{self.name}' has not been initialized yet because initialization was "
                "deferred. Actual initialization happens during the first forward pass. Please "
                "pass one batch of data through the network before accessing Parameters. You can "
                "also avoid deferred initialization by specifying in_units, num_features, etc., "
                "for network layers."
            )
        raise MXNetError(
            f"Parameter '{self.name}' has not been initialized. Note that you should initialize "
            "parameters and create Trainer with Block.collect_params() instead of Block.params "
            "because the later does not include Parameters of nested child Blocks"
        )

    def _find(self, arrays: list[NDArray] | None, ctx: Context | None) -> NDArray:
        found = self._all(arrays)
        if ctx is None:
            if len(found) == 1:
                return found[0]
            ctx = current_context()
        for array in found:
            if array._kind.ctx == ctx:
                return array
        for array in found:  # batches of worker processes are on cpu_shared
            if are_beside(array._kind.ctx, ctx):
                return array
        raise MXNetError(
            f"Parameter '{self.name}' was not initialized on context {ctx}. "
            f"It was only initialized on {[a.context for a in found]}."
        )

    def _check_and_get(self, arr_list: list[NDArray] | None, ctx: Any) -> Any:
        """The array of `arr_list` on `ctx`, or the list itself for `ctx=list`."""
        return self._all(arr_list) if ctx is list else self._find(arr_list, ctx)

    def zero_grad(self) -> None:
        """Set the gradients to zeros; nothing if there are none."""
        for buffer in self._grad or ():
            if is_sparse(buffer):
                buffer.receive(empty_like(buffer.stored()))
            else:
                buffer.storage().zero_()

    def set_data(self, data: Any) -> None:
        """Write new values into the arrays on all contexts."""
        self.shape = data.shape
        if self._data is None:
            require(self._deferred_init, f"Parameter '{self.name}' has not been initialized")
            self._deferred_init = (*self._deferred_init[:3], data)
            return
        if self._trainer is not None:
            self._trainer._parameter_was_set()
        for array in self._data:
            array[:] = data

    def row_sparse_data(self, row_id: NDArray) -> NDArray:
        """The rows `row_id` of a row_sparse parameter, on the context of `row_id`.

        Its Trainer's store has the parameter; the array holds the rows that were asked for last.
        """
        if self._stype != "row_sparse":
            raise MXNetError(
                f"Cannot return a copy of Parameter {self.name} via row_sparse_data() because its "
                f"storage type is {self._stype}. Please use data() instead."
            )
        return self._pulled([self._find(self._data, row_id.context)], row_id)[0]

    def _pulled(self, arrays: list[NDArray], row_id: NDArray) -> list[NDArray]:
        if self._trainer is None:
            raise MXNetError(
                f"Cannot get row_sparse data for Parameter '{self.name}' when no Trainer is "
                "created with it."
            )
        self._trainer._row_sparse_pull(self, arrays, row_id)
        return arrays

    def list_row_sparse_data(self, row_id: NDArray) -> list[NDArray]:
        """The rows `row_id` of a row_sparse parameter, on all contexts."""
        if self._stype != "row_sparse":
            raise MXNetError(
                f"Cannot return copies of Parameter '{self.name}' on all contexts via "
                f"list_row_sparse_data() because its storage type is {self._stype}. "
                "Please use data() instead."
            )
        return self._pulled(list(self._all(self._data)), row_id)

    # initialization ----------------------------------------------------------------------------

    def initialize(
        self,
        init: Any = None,
        ctx: Context | Sequence[Context] | None = None,
        default_init: Any = initializer.Uniform(),  # noqa: B008 - MXNet's signature; it is not changed
        force_reinit: bool = False,
    ) -> None:
        """Fill the arrays on the contexts: by `init`, the parameter's own, or the default."""
        if self._data is not None and not force_reinit:
            warn(
                f"Parameter '{self.name}' is already initialized, ignoring. "
                "Set force_reinit=True to re-initialize."
            )
            return
        self._data = self._grad = self._only = None
        if init is None:
            init = default_init if self.init is None else self.init
        if not shape_is_known(self.shape) and not self._allow_deferred_init:
            raise MXNetValueError(
                f"Cannot initialize Parameter '{self.name}' because it has "
                f"invalid shape: {self.shape}."
            )
        self._deferred_init = (init, _contexts(ctx), default_init, None)
        if shape_is_known(self.shape):
            self._finish_deferred_init()

    def _finish_deferred_init(self) -> None:
        if not self._deferred_init:
            return
        init, ctx, default_init, data = self._deferred_init
        self._deferred_init = ()
        require(
            shape_is_known(self.shape),
            f"Cannot initialize Parameter '{self.name}' because it has invalid shape: "
            f"{self.shape}. Please specify in_units, in_channels, etc for `Block`s.",
        )
        with no_recording():
            if data is None:
                data = in_mode(nd.zeros(self.shape, dtype=self._dtype, ctx=cpu()))
                description = initializer.InitDesc(self.name, {"__init__": init})
                initializer.create(default_init)(description, data)
            self._init_impl(data, ctx)

    def _stored(self, data: NDArray) -> NDArray:
        """Values in the parameter's storage type; of row_sparse every row."""
        if data.stype == self._stype:
            return data
        dense = data.tostype("default")
        if self._stype == "default":
            return dense
        sparse: NDArray = dense.tostype(self._stype)
        if self._stype == "row_sparse":
            sparse.whole()
        return sparse

    def _init_impl(self, data: NDArray, ctx_list: Iterable[Context]) -> None:
        with no_recording():
            data = self._stored(data)
            self._set_replicas([in_mode(data.copyto(intern_context(c))) for c in ctx_list])
            self._init_grad()

    def _set_replicas(self, arrays: list[NDArray]) -> None:
        self._data = arrays
        self._only = arrays[0] if len(arrays) == 1 and self._stype == "default" else None
        self._ctx_list = [array.context for array in arrays]
        self._ctx_map = _places(self._ctx_list)
        Changes.count += 1

    def _init_grad(self) -> None:
        if self._grad_req == "null":
            self._grad = None
            return
        arrays = self._all(self._data)
        self._grad = [zeros_beside(a, self._grad_stype) for a in arrays]
        self._attach()

    def _attach(self) -> None:
        for array, buffer in zip(self._data or (), self._grad or (), strict=True):
            attach(array, str(self._grad_req), buffer)

    def _load_init(
        self,
        data: NDArray,
        ctx: Context | Sequence[Context] | None,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Take saved values; shape, dtype and contexts must fit what is known."""
        require(
            dtype_source in ("current", "saved"),
            f"dtype_source must be 'current' or 'saved', got '{dtype_source}'",
        )
        require(
            _fits(self.shape, data.shape),
            f"Failed loading Parameter '{self.name}' from saved params: shape incompatible "
            f"expected {self.shape} vs saved {data.shape}",
        )
        if self._shape is not None:  # MXNet leaves an unknown shape unknown
            self.shape = data.shape
        data = in_mode(self._cast_saved(data, cast_dtype, dtype_source))
        wanted = None if ctx is None else _contexts(ctx)
        known = self.list_ctx() if self._data is not None or self._deferred_init else None
        require(
            known is None or wanted is None or set(wanted) == set(known),
            f"Failed to load Parameter '{self.name}' on {wanted} because it was previous "
            f"initialized on {known}.",
        )
        if self._data is None:
            self._init_impl(data, known or wanted or [cpu()])
        else:
            self.set_data(data)
        self._deferred_init = ()

    def _cast_saved(self, data: NDArray, cast_dtype: bool, dtype_source: str) -> NDArray:
        if self._dtype is None or dtype_to_torch(self._dtype) is data._kind.dtype:
            return data
        require(
            cast_dtype,
            f"Failed loading Parameter '{self.name}' from saved params: dtype incompatible "
            f"expected {self._dtype} vs saved {data.dtype}. "
            "Set cast_dtype=True to cast the dtype of saved params.",
        )
        if dtype_source == "saved":
            self.dtype = data.dtype
            return data
        return data.astype(self._dtype)

    def reset_ctx(self, ctx: Context | Sequence[Context] | None) -> None:
        """Move to other contexts; several replicas are averaged first."""
        contexts = _contexts(ctx)
        if self._data is not None:
            self._init_impl(self._reduce(), contexts)
        elif self._deferred_init:
            init, _, default_init, data = self._deferred_init
            self._deferred_init = (init, contexts, default_init, data)
        else:
            raise MXNetValueError(
                f"Cannot reset context for Parameter '{self.name}' because it "
                "has not been initialized."
            )

    def _reduce(self) -> NDArray:
        """The values on cpu(0): a copy of the only replica, or the average of all."""
        with no_recording():
            arrays = self._all(self._data)
            if self._stype == "row_sparse" and self._trainer is not None:
                everything = nd.arange(self.shape[0], dtype="int64", ctx=arrays[0].context)
                self._trainer._row_sparse_pull(self, arrays[:1], everything, full_idx=True)
                return arrays[0].copyto(cpu())
            replicas = [array.copyto(cpu()) for array in arrays]
            return replicas[0] if len(replicas) == 1 else nd.add_n(*replicas) / len(replicas)

    def cast(self, dtype: Any) -> None:
        """Change the element type of values and gradients."""
        self._dtype = dtype
        if self._data is None:
            return
        with no_recording():
            self._set_replicas([array.astype(dtype) for array in self._data])
            if self._grad is not None:
                self._grad = [buffer.astype(dtype) for buffer in self._grad]
                self._attach()


class no_recording:
    """A scope in which nothing is recorded and nothing trains."""

    def __enter__(self) -> None:
        self._before = modes.recording, modes.training
        modes.recording = modes.training = False

    def __exit__(self, *exc: object) -> None:
        modes.recording, modes.training = self._before


class Constant(Parameter):
    """A parameter that is not trained and starts with the given values."""

    def __init__(self, name: str, value: Any) -> None:
        if not isinstance(value, NDArray):
            value = array_of_mode(value)
        self.value = value
        super().__init__(
            name,
            grad_req="null",
            shape=value.shape,
            dtype=value.dtype,
            init=initializer.Constant(value),
        )

    @property
    def grad_req(self) -> str:
        """Always 'null'."""
        return "null"

    @grad_req.setter
    def grad_req(self, req: str) -> None:
        self._grad_req = "null"
        if req != "null":
            warn(
                f'Constant parameter "{self.name}" does not support grad_req other than "null", '
                f'and new value "{req}" is ignored.'
            )
