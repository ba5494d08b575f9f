"""How a symbol gets its arrays: those given to `bind`, or new and shared ones of `simple_bind`."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from mxtorch._core.device import Context, context_to_device
from mxtorch._core.dtypes import dtype_to_torch
from mxtorch._core.errors import MXNetError, MXNetTypeError, MXNetValueError
from mxtorch._core.storage import STYPES, empty_value, gradient_rule
from mxtorch._front.handle import sparse_classes, wrap, wrap_new
from mxtorch._graph import infer as inference
from mxtorch._graph.infer import as_shape
from mxtorch._graph.node import Entry, Node, variables, walk
from mxtorch._graph.place import Groups, Places, group_of, place
from mxtorch.executor import Executor
from mxtorch.ndarray._create import too_large
from mxtorch.ndarray.ndarray import NDArray

Dims = tuple[int, ...]
_REQUESTS = ("null", "write", "add")


def bind(
    symbol: Any,
    ctx: Context,
    args: Any,
    args_grad: Any,
    grad_req: Any,
    aux_states: Any,
    groups: Groups | None = None,
) -> Executor:
    """An executor over the given arrays, each on its node's context."""
    _check_context(ctx)
    names, states = symbol.list_arguments(), symbol.list_auxiliary_states()
    arrays = _by_position("args", args, names)
    gradients = None
    if args_grad is not None:
        gradients = _by_position("args_grad", args_grad, names, optional=True)
    requests = _requests(grad_req, names)
    if gradients is None:
        requests = ["null"] * len(names)
    else:
        requests = [
            r if g is not None else "null" for r, g in zip(requests, gradients, strict=True)
        ]
    aux = _by_position("aux_states", aux_states, states)
    _check(symbol, {**dict(zip(names, arrays, strict=True)), **dict(zip(states, aux, strict=True))})
    places = None
    if groups:
        arguments, auxiliary = variables(symbol._outputs)
        where = zip([*arguments, *auxiliary], [*arrays, *aux], strict=True)
        places = place(symbol._outputs, groups, {id(n): a._kind.ctx for n, a in where})
    _check_places(ctx, [*names, *states], [*arrays, *aux], bool(groups))
    return Executor(symbol, ctx, arrays, gradients, requests, aux, places)


def _check_places(
    ctx: Context, names: Sequence[str], arrays: Sequence[NDArray], has_groups: bool
) -> None:
    for name, array in zip(names, arrays, strict=True):
        if array._kind.ctx != ctx and not has_groups:
            raise MXNetError(
                f"bind: {name} is in {array._kind.ctx} while binding with ctx={ctx}. All arrays "
                "must be there unless group2ctx is given"
            )


def _check(symbol: Any, arrays: Mapping[str, NDArray]) -> None:
    """Shapes and dtypes that do not fit raise here, not at the first forward."""
    shapes = {name: a.shape for name, a in arrays.items()}
    inference.infer(symbol._outputs, shapes, {n: a._kind.dtype for n, a in arrays.items()})


def _check_context(ctx: Any) -> None:
    if not isinstance(ctx, Context):
        raise MXNetTypeError(f"Context type error: a Context is needed, not {type(ctx).__name__}")


def _by_position(what: str, given: Any, names: Sequence[str], optional: bool = False) -> list[Any]:
    """Arrays in the order of `names`, from a list, a dict or nothing."""
    if given is None and what != "args":
        given = {}
    if isinstance(given, Mapping):
        missing = [n for n in names if n not in given]
        if missing and not optional:
            raise MXNetValueError(f"key `{missing[0]}` is missing in `{what}`")
        arrays = [given.get(n) for n in names]
    elif isinstance(given, (list, tuple)):
        if len(given) != len(names):
            raise MXNetValueError(
                f"Length of {what} does not match the number of arguments: {len(given)} came, the "
                f"graph has {len(names)} ({', '.join(names)})"
            )
        arrays = list(given)
    else:
        raise MXNetTypeError("Only accept list of NDArrays or dict of str to NDArray")
    for array in arrays:
        if not isinstance(array, NDArray) and not (optional and array is None):
            raise MXNetTypeError("Only accept list of NDArrays or dict of str to NDArray")
    return arrays


def _requests(grad_req: Any, names: Sequence[str]) -> list[str]:
    """The request of each argument; those that a dict leaves out want no gradient."""
    if isinstance(grad_req, str):
        found = [grad_req] * len(names)
    elif isinstance(grad_req, Mapping):
        found = [grad_req.get(n, "null") for n in names]
    elif isinstance(grad_req, (list, tuple)):
        found = list(grad_req)
    else:
        raise MXNetTypeError(f"grad_req must be a text, a list or a dict, not {grad_req!r}")
    if len(found) != len(names):
        raise MXNetValueError(
            f"grad_req has {len(found)} entries, the graph {len(names)} arguments"
        )
    for request in found:
        if request not in _REQUESTS:
            raise MXNetValueError(f"grad_req={request!r} must be one of {', '.join(_REQUESTS)}")
    return found


def _storage_types(arguments: Sequence[Node], given: Mapping[str, str]) -> dict[str, str]:
    """The storage type of each argument: the given one, or the one its variable was made with."""
    found = {}
    for node in arguments:
        number = node.attrs.get("__storage_type__", "0")
        own = STYPES[int(number)] if number.isdigit() and int(number) < len(STYPES) else "default"
        found[node.name] = given.get(node.name) or own
        if found[node.name] not in STYPES:
            raise MXNetValueError(
                f"simple_bind: storage type {found[node.name]!r} of {node.name} is none of "
                f"{', '.join(STYPES)}"
            )
    return found


def _by_rows(outputs: Sequence[Entry], stypes: Mapping[str, str]) -> set[str]:
    """The arguments whose gradients are row_sparse."""
    found = set()
    for node in walk(outputs):
        rule = None if node.is_variable else gradient_rule(node.operator().name)
        if rule is None:
            continue
        inputs = [stypes.get(c.name, "default") if c.is_variable else "" for c, _ in node.inputs]
        for position in rule(inputs, node.operator().complete(node.parsed())):
            child, _ = node.inputs[position]
            if child.is_variable:
                found.add(child.name)
    return found


class SimpleBind:
    """The arrays of `simple_bind`: shared with another executor or a buffer, or new zeros."""

    def __init__(
        self,
        symbol: Any,
        ctx: Context,
        shapes: Mapping[str, Any],
        types: Mapping[str, Any] | None,
        stypes: Mapping[str, str] | None,
    ) -> None:
        _check_context(ctx)
        self._symbol = symbol
        self._ctx = ctx
        self._arguments, self._states = variables(symbol._outputs)
        given = {n: as_shape(n, s) for n, s in shapes.items() if isinstance(s, (tuple, list))}
        dtypes = {k: dtype_to_torch(v) for k, v in (types or {}).items()}
        unknown = sorted(dtypes.keys() - set(symbol.list_inputs()))
        if unknown:
            raise MXNetValueError(
                f"simple_bind: type_dict has {unknown[0]!r}, which is not an input; they are "
                f"{', '.join(symbol.list_inputs())}"
            )
        self._known = inference.infer(symbol._outputs, given, dtypes)
        self._refuse_unknown()
        self._stypes = _storage_types(self._arguments, stypes or {})
        self._by_rows = _by_rows(symbol._outputs, self._stypes)

    def _refuse_unknown(self) -> None:
        nodes = [*self._arguments, *self._states]
        if all(self._known.shape((n, 0)) is not None for n in nodes):
            return
        parts = ", ".join(
            f"{n.name}: {self._known.part((n, 0))}"
            for n in nodes
            if self._known.shape((n, 0)) is None
        )
        raise MXNetError(
            "simple_bind error: the shapes of these arguments do not follow from those given; "
            f"pass them as well: {parts}"
        )

    def executor(
        self,
        grad_req: Any,
        shared_names: Sequence[str],
        shared: Executor | None,
        buffer: dict[str, NDArray] | None,
        groups: Groups | None,
    ) -> Executor:
        """The executor over these arrays."""
        requests = _requests(grad_req, [n.name for n in self._arguments])
        places = self._places(groups)
        args: list[NDArray] = []
        grads: list[NDArray | None] = []
        for node, request in zip(self._arguments, requests, strict=True):
            ctx = places[id(node)] if places else self._ctx
            wants = request != "null"
            if node.name in shared_names and shared is not None and node.name in shared.arg_dict:
                args.append(self._shared(node, shared.arg_dict[node.name]))
                grad = shared.grad_dict.get(node.name)
                if wants and grad is None:
                    grad = self._zeros(node, ctx)
                grads.append(self._shared(node, grad) if wants and grad is not None else None)
                continue
            pool = None if node.name in shared_names else buffer
            stype = self._stypes.get(node.name, "default")
            args.append(self._pooled(node.name, node, ctx, pool, stype))
            name = f"grad of {node.name}"
            stype = "row_sparse" if node.name in self._by_rows else "default"
            grads.append(self._pooled(name, node, ctx, pool, stype) if wants else None)
        states = [
            self._shared(node, shared.aux_dict[node.name])
            if shared is not None and node.name in shared.aux_dict
            else self._zeros(node, places[id(node)] if places else self._ctx)
            for node in self._states
        ]
        return Executor(self._symbol, self._ctx, args, grads, requests, states, places)

    def _places(self, groups: Groups | None) -> Places | None:
        """Where the nodes run: a variable on the context of its group, else on the graph's."""
        if not groups:
            return None
        own = {
            id(node): groups.get(group_of(node) or "", self._ctx)
            for node in [*self._arguments, *self._states]
        }
        return place(self._symbol._outputs, groups, own)

    def _facts(self, node: Node) -> tuple[Dims, torch.dtype]:
        entry: Entry = (node, 0)
        return self._known.shape(entry) or (), self._known.dtype(entry) or torch.float32

    def _zeros(self, node: Node, ctx: Context) -> NDArray:
        shape, dtype = self._facts(node)
        with too_large(shape):
            tensor = torch.zeros(shape, dtype=dtype, device=context_to_device(ctx))
        return wrap_new(NDArray, tensor, ctx)

    def _shared(self, node: Node, array: NDArray) -> NDArray:
        shape, dtype = self._facts(node)
        if array.shape != shape:
            raise MXNetValueError(
                f"simple_bind: {node.name} would have shape {shape} here, but {array.shape} in the "
                "executor that shares it"
            )
        if array._kind.dtype is not dtype:
            raise MXNetTypeError(
                f"simple_bind: {node.name} would have another type here than in the executor that "
                "shares it"
            )
        return array.detach()

    def _pooled(
        self, name: str, node: Node, ctx: Context, pool: dict[str, NDArray] | None, stype: str
    ) -> NDArray:
        """An array over the pool's memory of that name, which grows if it is too small."""
        if stype != "default":
            shape, dtype = self._facts(node)
            value = empty_value(stype, shape, dtype, context_to_device(ctx))
            sparse: NDArray = sparse_classes[stype](value, ctx)
            return sparse
        if pool is None:
            return self._zeros(node, ctx)
        shape, dtype = self._facts(node)
        size = torch.Size(shape).numel()
        old = pool.get(name)
        if old is not None and old._kind.dtype is dtype:
            if old.size >= size:
                return wrap(old._kind, old.storage().reshape(-1)[:size].reshape(shape))
            logging.getLogger(__name__).warning(
                "bucketing: data %s has shape %s, which is larger than the shape %s that was "
                "allocated before; let the default bucket be the largest one to save memory",
                name,
                shape,
                old.shape,
            )
        pool[name] = self._zeros(node, ctx)
        return pool[name].detach()
