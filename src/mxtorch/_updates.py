"""How trained parameters are updated from gradients: through a key-value store or an updater.

MXNet has these in `mxnet.model`, and so does `mxtorch.model`; they stand here so that both it and
the executor managers may use them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mxtorch._core import env
from mxtorch._core.errors import MXNetTypeError
from mxtorch.kvstore import KVStore, KVStoreBase
from mxtorch.kvstore import create as create_store
from mxtorch.ndarray import NDArray

Row = Sequence[Any]  # one array for each context
# A 'local' store does not update larger arrays itself.
_LARGE = 16 * 1024 * 1024


def _create_kvstore(
    kvstore: Any, num_device: int, arg_params: Mapping[str, NDArray]
) -> tuple[Any, bool]:
    """(store or None, whether the store updates), for a name, a store or None.

    One context needs no store, unless it is one over several processes.
    """
    update = env.UPDATE_ON_KVSTORE.get()
    if kvstore is None:
        return None, False
    if isinstance(kvstore, KVStoreBase):
        store = kvstore
    elif isinstance(kvstore, str):
        if num_device == 1 and "dist" not in kvstore and kvstore != "horovod":
            return None, False
        store = create_store(kvstore)
        if kvstore == "local":
            largest = max((array.size for array in arg_params.values()), default=0)
            update = update and largest <= _LARGE
    else:
        raise MXNetTypeError("kvstore must be KVStore, str or None")
    return store, update and store.is_capable(KVStoreBase.OPTIMIZER)


def _create_sparse_kvstore(kvstore: Any) -> tuple[Any, bool]:
    """(store, True): arrays by rows are always updated by the store."""
    if isinstance(kvstore, KVStoreBase):
        return kvstore, True
    if isinstance(kvstore, str):
        return create_store(kvstore), True
    raise MXNetTypeError(
        f"Cannot create '{kvstore}' KVStore with row_sparse parameters. The type must be KVStore "
        "or str."
    )


def _initialize_kvstore(
    kvstore: Any,
    param_arrays: Sequence[Row],
    arg_params: Mapping[str, NDArray],
    param_names: Sequence[str],
    update_on_kvstore: bool,
) -> None:
    """Hand the parameters to the store and copy them to all contexts."""
    pairs = list(zip(param_names, param_arrays, strict=False))
    if isinstance(kvstore, KVStore):
        names, rows = [name for name, _ in pairs], [list(row) for _, row in pairs]
        kvstore.init(names, [arg_params[name] for name in names])
        if update_on_kvstore or "dist" in kvstore.type:
            kvstore.pull(names, rows)
        return
    for name, row in pairs:
        kvstore.broadcast(name, arg_params[name], out=list(row))


def _trained(param_arrays: Sequence[Row], grad_arrays: Sequence[Row]) -> list[tuple[int, Row, Row]]:
    """(position, weights, gradients) of the parameters that have gradients."""
    pairs = enumerate(zip(param_arrays, grad_arrays, strict=False))
    return [(i, weights, grads) for i, (weights, grads) in pairs if grads[0] is not None]


def _update_params_on_kvstore(
    param_arrays: Sequence[Row],
    grad_arrays: Sequence[Row],
    kvstore: Any,
    param_names: Sequence[str],
) -> None:
    """Push the gradients; the store updates its parameters, which are copied to all contexts."""
    rows = _trained(param_arrays, grad_arrays)
    if isinstance(kvstore, KVStore):
        names = [param_names[i] for i, _, _ in rows]
        kvstore.push(names, [list(grads) for _, _, grads in rows])
        kvstore.pull(names, [list(weights) for _, weights, _ in rows])
        return
    for i, weights, grads in rows:
        kvstore.pushpull(param_names[i], list(grads), out=list(weights), priority=-i)


def _update_params(
    param_arrays: Sequence[Row],
    grad_arrays: Sequence[Row],
    updater: Callable[..., Any],
    num_device: int,
    kvstore: Any = None,
    param_names: Sequence[str] | None = None,
) -> None:
    """Sum the gradients over the contexts (with a store), then update the copy on each."""
    rows = _trained(param_arrays, grad_arrays)
    if kvstore is not None:
        assert param_names is not None
        if kvstore.takes_lists:
            kvstore.pushpull(
                [param_names[i] for i, _, _ in rows], [list(grads) for _, _, grads in rows]
            )
        else:
            for i, _, grads in rows:
                kvstore.pushpull(param_names[i], list(grads), priority=-i)
    updates: list[list[tuple[int, Any, Any]]] = [[] for _ in range(num_device)]
    for i, weights, grads in rows:
        for k, (weight, grad) in enumerate(zip(weights, grads, strict=False)):
            # a number of its own for each copy: each has its own optimizer state
            updates[k].append((i * num_device + k, grad, weight))
    for update in updates:
        if update:
            indices, gradients, arrays = zip(*update, strict=True)
            updater(indices, gradients, arrays)
