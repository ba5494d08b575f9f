"""HybridBlock: one `hybrid_forward` for arrays and symbols; traced and run as one graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxtorch import ndarray as nd
from mxtorch import symbol
from mxtorch._core.device import Context, current_context
from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._core.warn import warn
from mxtorch._front.handle import Handle
from mxtorch.gluon import _files
from mxtorch.gluon._block import Block
from mxtorch.gluon._trace import CachedCall, flatten, infer_parameters, regroup, same_format, trace
from mxtorch.gluon.parameter import DeferredInitializationError, ParameterDict
from mxtorch.ndarray import NDArray
from mxtorch.symbol import Symbol
from mxtorch.symbol.symbol import report_backend

# what a `hybrid_forward` that does not fit its arguments raises while it is traced
_RAISED = (MXNetError, AttributeError, LookupError, TypeError, ValueError)


class HybridBlock(Block):
    """A block whose `hybrid_forward(F, x, …)` works on arrays (F is mx.nd) and symbols (mx.sym).

    Its own parameters come as keyword arguments. After `hybridize()` it is traced once into a
    Symbol and runs as one flat graph.
    """

    # of the class: MXNet's pickles of blocks have none
    _op_hook: tuple[Any, bool] = (None, False)

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        super().__init__(prefix=prefix, params=params)
        self._cached_graph: tuple[Any, ...] = ()
        self._cached_op: CachedCall | None = None
        self._in_format: Any = None
        self._out_format: Any = None
        self._active = False
        self._flags: list[tuple[str, Any]] = []

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute as in Block; a new child makes the traced graph stale."""
        super().__setattr__(name, value)
        if isinstance(value, HybridBlock):
            self._clear_cached_op()

    def register_child(self, block: Block, name: str | None = None) -> None:
        """Make a HybridBlock a child; ValueError for any other block."""
        if not isinstance(block, HybridBlock):
            raise MXNetValueError(
                "Children of HybridBlock must also be HybridBlock, "
                f"but {block} has type {type(block)}. "
                "If you are using Sequential, please try HybridSequential instead."
            )
        super().register_child(block, name)
        self._clear_cached_op()

    def hybridize(
        self,
        active: bool = True,
        backend: str | None = None,
        clear: bool = True,
        static_alloc: bool = False,
        static_shape: bool = False,
        inline_limit: int = 2,
        forward_bulk_size: int | None = None,
        backward_bulk_size: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Switch to traced running, or back.

        The other arguments tune MXNet's engine and do not change results. A `backend` other than
        MKLDNN would rewrite the graph: as in MXNet, one that is not there is only reported.
        """
        if backend is not None:
            report_backend(backend)
        self._active = active
        self._flags = [
            ("static_alloc", static_alloc),
            ("static_shape", static_shape),
            ("inline_limit", inline_limit),
        ]
        if clear:
            self._clear_cached_op()
        if active and (self._forward_hooks or self._forward_pre_hooks):
            warn(
                f'"{self}" is being hybridized while still having forward hook/pre-hook. '
                f'If "{self}" is a child of HybridBlock, the hooks will not take effect.'
            )
        super().hybridize(
            active,
            static_alloc=static_alloc,
            static_shape=static_shape,
            inline_limit=inline_limit,
            forward_bulk_size=forward_bulk_size,
            backward_bulk_size=backward_bulk_size,
            **kwargs,
        )

    def cast(self, dtype: Any) -> None:
        """Change the element type of all parameters."""
        self._clear_cached_op()
        super().cast(dtype)

    # tracing -------------------------------------------------------------------------------------

    def _clear_cached_op(self) -> None:
        self._cached_graph = ()
        self._cached_op = None

    def _get_graph(self, *args: Any) -> tuple[list[Symbol], Symbol]:
        if not self._cached_graph:
            inputs, outputs, self._in_format, self._out_format = trace(self, args)
            self._cached_graph = inputs, outputs
        return self._cached_graph

    def _infer_attrs(self, kind: str, args: Sequence[Any]) -> None:
        inputs, outputs = self._get_graph(*args)
        arrays = [a for a in flatten(args, "input")[0] if a is not None]
        infer_parameters(kind, inputs, outputs, arrays, self)

    def infer_shape(self, *args: Any) -> None:
        """Set the shapes of all parameters from the arguments'."""
        self._infer_attrs("shape", args)

    def infer_type(self, *args: Any) -> None:
        """Set the element types of all parameters from the arguments'."""
        self._infer_attrs("dtype", args)

    def _deferred_infer_shape(self, *args: Any) -> None:
        try:
            self.infer_shape(*args)
        except _RAISED as error:
            raise MXNetValueError(
                f"Deferred initialization failed because shape cannot be inferred. {error}"
            ) from error

    def _call_cached_op(self, ctx: Context, *args: Any) -> Any:
        if self._cached_op is None:
            flags = dict(self._flags)
            if flags.get("static_shape") and not flags["static_alloc"]:
                raise MXNetError("hybridize: static_shape=True needs static_alloc=True")
            inputs, outputs = self._get_graph(*args)
            self._cached_op = CachedCall(inputs, outputs, dict(self.collect_params().items()))
            self._cached_op.watch(*self._op_hook)
        arrays: Sequence[NDArray] = args
        if len(args) > 1 or self._in_format != [0] or not isinstance(args[0], NDArray):
            flat, format_ = flatten(args, "input")
            if not same_format(format_, self._in_format):
                raise MXNetValueError(
                    "The argument structure of HybridBlock does not match the cached version. "
                    f"Stored format = {format_}, input format = {self._in_format}"
                )
            arrays = [a for a in flat if a is not None]
        cached = self._cached_op
        if self._op_hook[0] is not None:
            warn(
                "register_op_hook is experimental when static_alloc=True / static_shape=True  "
                "and may not work correctly"
            )
        try:
            result = cached.run(arrays, ctx)
        except DeferredInitializationError:
            self._deferred_infer_shape(*args)
            cached.finish_deferred()
            result = cached.run(arrays, ctx)
        if self._out_format == 0:
            return result
        return regroup([result] if isinstance(result, NDArray) else result, self._out_format)

    # running -----------------------------------------------------------------------------

    def forward(self, x: Any, *args: Any) -> Any:
        """Compute the outputs: `hybrid_forward`, or the traced graph once hybridized."""
        if not args and isinstance(x, NDArray):
            ctx = x._kind.ctx
        elif isinstance(x, Symbol) and not args:
            return self._forward_symbols(x)
        else:
            found = find_contexts((x, *args))
            if found is None:
                return self._forward_symbols(x, *args)
            if self._active and len(found) > 1:
                raise MXNetValueError(
                    "Find multiple contexts in the input, After hybridized, the HybridBlock only "
                    "supports one input context. You can print the ele.ctx in the input arguments "
                    f"to inspect their contexts. Find all contexts = {set(found)}"
                )
            ctx = found[0]
        if self._active:
            return self._call_cached_op(ctx, x, *args)
        if ctx is current_context():
            return self._forward_arrays(ctx, x, *args)
        with ctx:
            return self._forward_arrays(ctx, x, *args)

    def _forward_arrays(self, ctx: Context, x: Any, *args: Any) -> Any:
        try:
            params = {name: p.data(ctx) for name, p in self._reg_params.items()}
        except DeferredInitializationError:
            self._deferred_infer_shape(x, *args)
            for parameter in self.params.values():
                parameter._finish_deferred_init()
            params = {name: p.data(ctx) for name, p in self._reg_params.items()}
        return self.hybrid_forward(nd, x, *args, **params)

    def _forward_symbols(self, x: Any, *args: Any) -> Any:
        params = {name: parameter.var() for name, parameter in self._reg_params.items()}
        with self.name_scope():
            return self.hybrid_forward(symbol, x, *args, **params)

    def register_op_hook(self, callback: Any, monitor_all: bool = False) -> None:
        """Call `callback(name, operator, array)` for each operator's outputs once hybridized, in
        forward and in backward; with `monitor_all` for its inputs too."""
        self._op_hook = callback, monitor_all
        if self._cached_op is not None:
            self._cached_op.watch(callback, monitor_all)

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs with the operators of `F`; to be written by subclasses."""
        raise NotImplementedError

    def export(self, path: str, epoch: int = 0, remove_amp_cast: bool = True) -> None:
        """Write the traced graph (`path-symbol.json`) and the parameters (`path-0000.params`)."""
        if not self._cached_graph:
            raise MXNetError(
                "Please first call block.hybridize() and then run forward with this block at "
                "least once before calling export."
            )
        _files.export(self, path, epoch, remove_amp_cast)

    def optimize_for(
        self,
        x: Any,
        *args: Any,
        backend: str | None = None,
        clear: bool = False,
        static_alloc: bool = False,
        static_shape: bool = False,
        inline_limit: int = 2,
        forward_bulk_size: int | None = None,
        backward_bulk_size: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Hybridize and run once; `backend` as in `hybridize`."""
        if backend is None:
            raise MXNetValueError('Must specify "backend" to optimize_for')
        self.hybridize(True, backend, clear, static_alloc, static_shape, inline_limit)
        self(x, *args)


def find_contexts(args: Any) -> list[Context] | None:
    """The contexts of the arrays in nested arguments, each once; None if they hold symbols."""
    contexts: list[Context] = []
    has_symbol = False
    stack = list(args)
    while stack:
        value = stack.pop(0)
        if isinstance(value, (list, tuple)):
            stack = [*value, *stack]
        elif isinstance(value, Handle):
            if value._kind.ctx not in contexts:
                contexts.append(value._kind.ctx)
        elif isinstance(value, Symbol):
            has_symbol = True
    if has_symbol and contexts:
        raise MXNetValueError(
            "In HybridBlock, we do not support mixed NDArrays and Symbols types for the input. "
            "Please check the type of the args.\n"
        )
    if not has_symbol and not contexts:
        raise MXNetValueError(
            "In HybridBlock, there must be one NDArray or one Symbol in the input. "
            "Please check the type of the args.\n"
        )
    return None if has_symbol else contexts
