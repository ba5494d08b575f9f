"""CachedGraph: a Symbol's lowered module, called on arrays under the scopes of autograd."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, fx

from mxtorch import ndarray
from mxtorch._core.binder import BODY_ERRORS
from mxtorch._core.callbacks import notify
from mxtorch._core.device import Context, current_context
from mxtorch._core.errors import MXNetTypeError
from mxtorch._core.modes import modes
from mxtorch._core.spans import spans
from mxtorch._front.handle import Handle, Kind, find_kind, hold, wrap
from mxtorch._graph import inference
from mxtorch._graph.infer import infer
from mxtorch._graph.lower import explain
from mxtorch._graph.modules import Modules
from mxtorch._graph.node import Node, variables
from mxtorch._graph.watch import Noted, OpWatcher
from mxtorch.ndarray import numpy as np_array
from mxtorch.ndarray import op
from mxtorch.ndarray.ndarray import NDArray
from mxtorch.symbol import numpy as np_symbol
from mxtorch.symbol.symbol import Symbol

Hook = Callable[[bytes, bytes, Any], Any]


class CachedGraph:
    """Runs a Symbol on NDArrays: `graph({'data': x, 'w': w})` or `graph.run([x, w])`.

    `names` is the order of `run`: arguments, then auxiliary states. The result is one NDArray,
    or a list if the symbol has several outputs. Inference works weights that do not change into
    the graph.
    """

    def __init__(self, symbol: Symbol) -> None:
        self.symbol = symbol
        arguments, states = variables(symbol._outputs)
        self._variables: list[Node] = [*arguments, *states]
        self._argument_count = len(arguments)
        self.names = [n.name for n in self._variables]
        self._modules = Modules(symbol._outputs, self._variables)
        self._inference = inference.plan(symbol._outputs, self._variables)
        self._checked: set[tuple[Kind, ...]] = set()
        # what is called with (name, operator, array) for the outputs of every node, if anything,
        # and whether for the inputs too
        self.hook: Hook | None = None
        self.hook_inputs = False

    def __call__(self, values: Mapping[str, Handle]) -> Any:
        return self.run([values[name] for name in self.names])

    def run(self, handles: Sequence[Handle]) -> Any:
        """The outputs for the arrays in the order of `names`."""
        kinds = tuple([h._kind for h in handles])
        if kinds not in self._checked:
            self._check(handles)
            self._checked.add(kinds)
        if modes.recording:
            count = self._argument_count
            tensors = [h.live() for h in handles[:count]]
            tensors += [h.storage() for h in handles[count:]]
        else:
            tensors = [h.storage() for h in handles]
        module = self._modules.get(modes.training, tensors, kept=modes.recording)
        ctx = kinds[0].ctx if kinds else None
        if self._inference and not (modes.recording or modes.training or self.hook or spans.report):
            module = self._inference.get(module, tensors)
        try:
            results = self._call(module, tensors, ctx)
        except BODY_ERRORS as error:
            raise explain(module, tensors, error) from error
        kind = kinds[0] if kinds else find_kind(self._class(), torch.float32, current_context())
        wrapped = [wrap(kind, t) for t in results]
        if modes.recording:
            hold(handles, wrapped)
        return wrapped[0] if len(wrapped) == 1 else wrapped

    @staticmethod
    def _class() -> type[NDArray]:
        """The class of what is computed from nothing."""
        return np_array.ndarray if modes.np_array else NDArray

    def _call(
        self, module: fx.GraphModule, tensors: list[Tensor], ctx: Context | None
    ) -> tuple[Tensor, ...]:
        results: tuple[Tensor, ...]
        run = module.forward if spans.report is None else Noted(module).run
        if self.hook is not None:
            run = self._watched(module, self.hook, ctx)
        if ctx is None or ctx is current_context():
            results = run(*tensors)
        else:
            with ctx:
                results = run(*tensors)
        return results

    def _watched(
        self, module: fx.GraphModule, hook: Hook, ctx: Context | None
    ) -> Callable[..., tuple[Tensor, ...]]:
        kind = find_kind(self._class(), torch.float32, ctx or current_context())

        def report(name: str, op: str, tensor: Tensor) -> None:
            notify(hook, name.encode(), op.encode(), wrap(kind, tensor.detach()))

        return OpWatcher(module, report, self.hook_inputs).run

    def _check(self, handles: Sequence[Handle]) -> None:
        """Shapes and dtypes must fit: torch alone would broadcast or promote where MXNet raises."""
        shapes = {
            n.name: tuple(h.storage().shape) for n, h in zip(self._variables, handles, strict=True)
        }
        dtypes = {n.name: h._kind.dtype for n, h in zip(self._variables, handles, strict=True)}
        infer(self.symbol._outputs, shapes, dtypes)


class CachedOp:
    """A symbol as a function of arrays, in the order of `list_inputs`: `CachedOp(sym)(x, w)`.

    `flags` tune MXNet's engine and do not change results.
    """

    __slots__ = ("_graph", "_order", "is_np_sym")

    def __init__(self, sym: Symbol, flags: Sequence[tuple[str, Any]] = ()) -> None:
        self._graph = CachedGraph(sym)
        place = {name: i for i, name in enumerate(sym.list_inputs())}
        self._order = [place[name] for name in self._graph.names]
        self.is_np_sym = isinstance(sym, np_symbol._Symbol)

    def __call__(self, *args: Handle, out: Any = None, default_ctx: Context | None = None) -> Any:
        """The output, or the list of them; into `out` if it is given."""
        if len(args) != len(self._order):
            raise MXNetTypeError(f"CachedOp takes {len(self._order)} arrays, got {len(args)}")
        result = self._graph.run([args[i] for i in self._order])
        if out is None:
            return result
        targets = out if isinstance(out, (list, tuple)) else [out]
        results = result if isinstance(result, list) else [result]
        for target, value in zip(targets, results, strict=True):
            target[:] = value
        return out


ndarray.CachedOp = CachedOp  # type: ignore[attr-defined] # stands above arrays, is named there
op.CachedOp = CachedOp  # type: ignore[attr-defined]
