"""Trainer: an optimizer applied to a set of parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mxtorch import optimizer as opt
from mxtorch._core import env, joint
from mxtorch._core.atomic import atomic_write
from mxtorch._core.device import Context
from mxtorch._core.errors import (
    MXNetAssertionError,
    MXNetTypeError,
    MXNetUserWarning,
    MXNetValueError,
)
from mxtorch._front.handle import is_sparse
from mxtorch.gluon.parameter import Parameter, ParameterDict
from mxtorch.kvstore import KVStore, KVStoreBase
from mxtorch.kvstore import create as create_store
from mxtorch.ndarray import NDArray

__all__ = ["Trainer"]


class Trainer:
    """Updates parameters from their gradients.

    `step(batch_size)` divides the gradients by the batch size. With several contexts gradients
    are summed over them; where the sums are made (`kvstore`) does not change results, but
    `kvstore=None` leaves each context to its own gradients. With a `dist_*` store they are summed
    over all processes too, which start from the values of rank 0: divide by the batch of all.
    Parameters given as a dict are taken in the order of their names.
    """

    def __init__(
        self,
        params: ParameterDict | Mapping[str, Parameter] | Sequence[Parameter],
        optimizer: str | opt.Optimizer,
        optimizer_params: Mapping[str, Any] | None = None,
        kvstore: str | None = "device",
        compression_params: Mapping[str, Any] | None = None,
        update_on_kvstore: bool | None = None,
    ) -> None:
        self._params = _list_parameters(params)
        self._param2idx = {p.name: i for i, p in enumerate(self._params)}
        for parameter in self._params:
            parameter._trainer = self
        options = dict(optimizer_params or {})
        self._scale = float(options.get("rescale_grad", 1.0))
        self._contexts = self._find_contexts()
        self._init_optimizer(optimizer, options)
        _check_store(kvstore, several=len(self._contexts) > 1)
        self._kvstore_params = {"kvstore": kvstore, "update_on_kvstore": update_on_kvstore}
        self._compression_params = compression_params
        self._reset_kvstore()

    def _find_contexts(self) -> list[Context]:
        contexts: list[Context] | None = None
        for parameter in self._params:
            own = parameter.list_ctx()
            if contexts is not None and contexts != own:
                raise MXNetAssertionError(
                    "All Parameters must be initialized on the same set of contexts, "
                    f"but Parameter {parameter.name} is initialized on {own} while previous "
                    f"Parameters are initialized on {contexts}."
                )
            contexts = own
        assert contexts is not None
        return contexts

    def _init_optimizer(self, optimizer: Any, options: dict[str, Any]) -> None:
        by_index = dict(enumerate(self._params))
        if isinstance(optimizer, opt.Optimizer):
            if options:
                raise MXNetAssertionError(
                    "optimizer_params must be None if optimizer is an instance of Optimizer "
                    "instead of str"
                )
            self._optimizer = optimizer
            self._optimizer.param_dict = by_index
        else:
            self._optimizer = opt.create(optimizer, param_dict=by_index, **options)
        self._updaters = [opt.get_updater(self._optimizer) for _ in self._contexts]

    # the store -------------------------------------------------------------------------------

    def _reset_kvstore(self) -> None:
        if isinstance(getattr(self, "_kvstore", None), KVStore):
            self._kvstore._end_early()
        self._kv_initialized = False
        self._early_was_asked = False
        self._kvstore: Any = None
        self._update_on_kvstore: bool | None = None
        self._distributed = False
        self._checked_batch: float | None = None
        self._params_to_init = list(self._params)

    def _parameter_was_set(self) -> None:
        """A parameter got new values: a store that updates starts anew, without states."""
        if self._kv_initialized and self._update_on_kvstore:
            self._reset_kvstore()

    def _has_sparse_weight(self) -> bool:
        return any(p._stype != "default" for p in self._params)

    def _check_sparse(self, store: Any) -> None:
        """Parameters that are row_sparse live in a store, which updates them."""
        if not isinstance(store, (str, KVStoreBase)):
            raise MXNetTypeError(
                f"Cannot create '{store}' KVStore with row_sparse parameters. "
                "The type must be KVStore or str."
            )
        if self._kvstore_params["update_on_kvstore"] is False:
            raise MXNetValueError(
                "Cannot set update_on_kvstore=False when sparse weights are present."
            )

    def _init_kvstore(self) -> None:
        self._kv_initialized = True
        store = self._kvstore_params["kvstore"]
        sparse = self._has_sparse_weight()
        if sparse:
            self._check_sparse(store)
        elif store is None or (
            isinstance(store, str) and len(self._contexts) == 1 and not _is_over_processes(store)
        ):
            return
        self._kvstore = create_store(store) if isinstance(store, str) else store
        self._distributed = _is_over_processes(self._kvstore.type)
        if self._compression_params:
            self._kvstore.set_gradient_compression(self._compression_params)
        update = self._kvstore_params["update_on_kvstore"]
        if update is False and "async" in self._kvstore.type:
            raise MXNetValueError("Please set update_on_kvstore=True when training in async mode.")
        if update is None:
            wanted = env.UPDATE_ON_KVSTORE.get()
            update = sparse or (wanted and self._kvstore.is_capable(KVStoreBase.OPTIMIZER))
        self._update_on_kvstore = bool(update)
        if update:
            self._kvstore.set_optimizer(self._optimizer)

    def _init_params(self) -> None:
        """Hand the parameters that are initialized by now to the store."""
        waiting: list[Parameter] = []
        ready: list[tuple[int, list[NDArray]]] = []
        for parameter in self._params_to_init:
            if parameter._deferred_init:
                waiting.append(parameter)
            elif self._kvstore is not None:
                values = parameter._check_and_get(parameter._data, list)
                if parameter._stype != "default":
                    values[0].whole()
                ready.append((self._param2idx[parameter.name], values))
        self._params_to_init = waiting
        if isinstance(self._kvstore, KVStore) and ready:
            keys, rows = [index for index, _ in ready], [values for _, values in ready]
            self._kvstore.init(keys, [values[0] for values in rows])
            if self._distributed or any(len(values) > 1 for values in rows):
                self._kvstore.pull(keys, out=rows, ignore_sparse=False)
        else:
            for index, values in ready:
                self._kvstore.broadcast(index, values[0], out=values)

    def _prepare(self) -> None:
        joint.flush()
        if not self._kv_initialized:
            self._init_kvstore()
        if self._params_to_init:
            self._init_params()

    # learning rate -----------------------------------------------------------------------------

    @property
    def learning_rate(self) -> float:
        """The optimizer's learning rate now."""
        return self._optimizer.learning_rate

    @property
    def optimizer(self) -> opt.Optimizer:
        """The optimizer."""
        return self._optimizer

    def set_learning_rate(self, lr: float) -> None:
        """Set the learning rate; UserWarning (raised) if the optimizer has a scheduler."""
        self._optimizer.set_learning_rate(lr)

    # steps -------------------------------------------------------------------------------

    def step(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Sum gradients over contexts and update; gradients are divided by `batch_size`.

        Raises UserWarning for a parameter that backward has not reached since the last step;
        with `ignore_stale_grad` it is left as it is.
        """
        self._set_batch_size(batch_size)
        self._prepare()
        self._check_batch_size(batch_size)
        self._allreduce_grads()
        self._update(ignore_stale_grad)

    def _set_batch_size(self, batch_size: float) -> None:
        """Divide gradients by it from now on; MXNet's servers would not hear of a change."""
        scale = self._scale / batch_size
        on_store = self._update_on_kvstore and self._distributed and self._kv_initialized
        if on_store and self._optimizer.rescale_grad != scale:
            raise MXNetUserWarning(
                "Possible change in the `batch_size` from previous `step` detected. Optimizer "
                "gradient normalizing factor will not change w.r.t new batch_size when "
                "update_on_kvstore=True and when distributed kvstore is used."
            )
        self._optimizer.rescale_grad = scale

    def _check_batch_size(self, batch_size: float) -> None:
        """At the first step, refuse another batch size than the other processes have."""
        if self._checked_batch is None and self._distributed and isinstance(self._kvstore, KVStore):
            self._checked_batch = batch_size
            self._kvstore.check_same("Trainer.step", {"batch_size": batch_size})

    def allreduce_grads(self) -> None:
        """Sum gradients over contexts, without an update (see `update`)."""
        self._prepare()
        self._refuse_store("allreduce_grads")
        self._allreduce_grads()

    def update(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Update from gradients that `allreduce_grads` has summed."""
        self._prepare()
        self._refuse_store("update")
        self._optimizer.rescale_grad = self._scale / batch_size
        self._check_batch_size(batch_size)
        self._update(ignore_stale_grad)

    def _refuse_store(self, method: str) -> None:
        if self._update_on_kvstore:
            raise MXNetAssertionError(
                f"{method}() when parameters are updated on kvstore is not supported. Try setting "
                "`update_on_kvstore` to False when creating trainer."
            )

    def _row_sparse_pull(
        self, parameter: Parameter, out: Sequence[NDArray], row_id: NDArray, full_idx: bool = False
    ) -> None:
        """Get rows of a row_sparse parameter from the store; with `full_idx` all of them."""
        self._prepare()
        index = self._param2idx[parameter.name]
        if full_idx:
            self._kvstore.pull(index, out=list(out), ignore_sparse=False)
        else:
            self._kvstore.row_sparse_pull(index, out=list(out), row_ids=row_id)

    def _trained(self) -> list[tuple[int, Parameter]]:
        return [(i, p) for i, p in enumerate(self._params) if p._grad_req != "null"]

    def _allreduce_grads(self) -> None:
        if self._kvstore is None:
            return
        trained = self._trained()
        rows = [p._check_and_get(p._grad, list) for _, p in trained]
        keys = [i for i, _ in trained]
        if self._update_on_kvstore:
            self._kvstore.push(keys, rows)
        elif self._kvstore.takes_lists:
            self._kvstore.pushpull(keys, rows)
        else:
            for key, row in zip(keys, rows, strict=True):
                self._kvstore.pushpull(key, row, priority=-key)
        if self._distributed and not self._early_was_asked and isinstance(self._kvstore, KVStore):
            self._early_was_asked = True
            self._begin_early(trained)

    def _begin_early(self, trained: Sequence[tuple[int, Parameter]]) -> None:
        """After the first step: let the store sum gradients while backward computes others."""
        if len(self._contexts) == 1:
            pairs = [(i, p._check_and_get(p._data, list)[0]) for i, p in trained]
            dense = [(i, array) for i, array in pairs if not is_sparse(array._grad)]
            self._kvstore._begin_early([i for i, _ in dense], [array for _, array in dense])

    def _update(self, ignore_stale_grad: bool) -> None:
        scaler = getattr(self, "_amp_loss_scaler", None)  # AMP puts it there
        if scaler is not None and scaler.has_overflow(self._params):
            return
        trained = self._trained()
        rows = [p._check_and_get(p._data, list) for _, p in trained]
        if self._update_on_kvstore:
            for (_, parameter), arrays in zip(trained, rows, strict=True):
                _check_fresh(parameter, () if ignore_stale_grad else arrays)
            dense = [k for k, (_, p) in enumerate(trained) if p._stype == "default"]
            self._kvstore.pull([trained[k][0] for k in dense], out=[rows[k] for k in dense])
            return
        work: list[tuple[list[Any], list[Any], list[Any]]] = [([], [], []) for _ in self._updaters]
        # A stale gradient raises here; the parameters before it have used theirs up, as in MXNet.
        for (index, parameter), arrays in zip(trained, rows, strict=True):
            _check_fresh(parameter, () if ignore_stale_grad else arrays)
            for position, array in enumerate(arrays):
                if array._fresh or not ignore_stale_grad:
                    indices, grads, weights = work[position]
                    indices.append(index)
                    assert parameter._grad is not None
                    grads.append(parameter._grad[position])
                    weights.append(array)
                    array._fresh = False
        for updater, lists in zip(self._updaters, work, strict=True):
            updater(*lists)

    # files -------------------------------------------------------------------------------

    def save_states(self, fname: str) -> None:
        """Write the optimizer and its states to a file that real MXNet can read."""
        self._prepare()
        if self._kvstore is not None and self._params_to_init:
            raise MXNetAssertionError(
                "Cannot save trainer states when some parameters are not yet initialized in "
                "kvstore."
            )
        updater = self._kvstore._updater if self._update_on_kvstore else self._updaters[0]
        with atomic_write(fname) as file:
            file.write(updater.get_states(dump_optimizer=True))

    def load_states(self, fname: str) -> None:
        """Take over optimizer and states from such a file."""
        self._prepare()
        with open(fname, "rb") as file:
            states = file.read()
        updaters = [self._kvstore._updater] if self._update_on_kvstore else self._updaters
        for updater in updaters:
            updater.set_states(states)
            updater.optimizer = updaters[0].optimizer
        self._optimizer = updaters[0].optimizer
        self._optimizer.param_dict = dict(enumerate(self._params))


def _list_parameters(params: Any) -> list[Parameter]:
    if isinstance(params, (dict, ParameterDict)):
        params = [params[name] for name in sorted(params.keys())]
    if not isinstance(params, (list, tuple)):
        raise MXNetValueError(
            f"First argument must be a list or dict of Parameters, got {type(params)}."
        )
    for parameter in params:
        if not isinstance(parameter, Parameter):
            raise MXNetValueError(
                "First argument must be a list or dict of Parameters, "
                f"got list of {type(parameter)}."
            )
    if not params:
        raise MXNetTypeError("Trainer: there are no parameters to train")
    return list(params)


def _check_fresh(parameter: Parameter, arrays: Sequence[NDArray]) -> None:
    for array in arrays:
        if not array._fresh:
            raise _stale(parameter, array)


def _stale(parameter: Parameter, array: NDArray) -> MXNetUserWarning:
    return MXNetUserWarning(
        f"Gradient of Parameter `{parameter.name}` on context {array.context} has not been updated "
        "by backward since last `step`. This could mean a bug in your model that made it only use "
        "a subset of the Parameters (Blocks) for this iteration. If you are intentionally only "
        "using a subset, call step with ignore_stale_grad=True to suppress this warning and skip "
        "updating of Parameters with stale gradient"
    )


def _is_over_processes(store: str) -> bool:
    return "dist" in store or store == "horovod"


# MXNet's stores within a process; they differ in where the sums are made, not in the sums.
_LOCAL = ("device", "local", "local_allreduce_cpu", "local_allreduce_device", "nccl")


def _check_store(store: Any, several: bool) -> None:
    """Refuse stores that are not available here."""
    if store is None or isinstance(store, KVStoreBase):
        return
    if not isinstance(store, str):
        raise MXNetTypeError(f"kvstore must be a name, a store or None, not {type(store).__name__}")
    known = store in _LOCAL or store in KVStoreBase.kv_registry or "dist" in store
    if several and not known:
        raise MXNetValueError(
            f"kvstore={store!r} is not a store that mxtorch knows; use one of "
            f"{', '.join(_LOCAL)}, or None"
        )
