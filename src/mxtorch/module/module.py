"""Module: a symbol, its parameters and its optimizer."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mxtorch import ndarray
from mxtorch import optimizer as opt
from mxtorch._core.atomic import atomic_write, numbered
from mxtorch._core.errors import MXNetError
from mxtorch._core.warn import warn
from mxtorch._updates import (
    _create_kvstore,
    _initialize_kvstore,
    _update_params,
    _update_params_on_kvstore,
)
from mxtorch.context import Context, cpu
from mxtorch.initializer import InitDesc
from mxtorch.io import DataDesc
from mxtorch.model import load_checkpoint
from mxtorch.module.base_module import (
    SMALL,
    BaseModule,
    _check_input_names,
    _parse_data_desc,
    check,
)
from mxtorch.module.executor_group import DataParallelExecutorGroup
from mxtorch.ndarray import NDArray

__all__ = ["Module"]


class Module(BaseModule):
    """A symbol whose arguments are data, labels, states and parameters.

    With several contexts a batch is split over them, by `work_load_list`. Parameters in
    `fixed_param_names` are not trained.
    """

    def __init__(
        self,
        symbol: Any,
        data_names: Sequence[str] | None = ("data",),
        label_names: Sequence[str] | None = ("softmax_label",),
        logger: Any = logging,
        context: Any = None,
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
        compression_params: Any = None,
    ) -> None:
        super().__init__(logger=logger)
        if context is None:
            context = cpu()
        self._context = [context] if isinstance(context, Context) else context
        if work_load_list is None:
            work_load_list = [1] * len(self._context)
        check(
            len(work_load_list) == len(self._context),
            f"work_load_list has {len(work_load_list)} entries for {len(self._context)} contexts",
        )
        self._work_load_list = work_load_list
        self._group2ctxs = group2ctxs
        self._symbol = symbol
        names = [list(n or ()) for n in (data_names, label_names, state_names, fixed_param_names)]
        data_names, label_names, state_names, fixed_param_names = names
        _check_input_names(symbol, data_names, "data", True)
        _check_input_names(symbol, label_names, "label", False)
        _check_input_names(symbol, state_names, "state", True)
        _check_input_names(symbol, fixed_param_names, "fixed_param", True)
        inputs = {*data_names, *label_names, *state_names}
        self._param_names = [n for n in symbol.list_arguments() if n not in inputs]
        self._fixed_param_names = fixed_param_names
        self._aux_names = symbol.list_auxiliary_states()
        self._data_names = data_names
        self._label_names = label_names
        self._state_names = state_names
        self._output_names = symbol.list_outputs()
        self._arg_params: Any = None
        self._aux_params: Any = None
        self._params_dirty = False  # whether the executors have newer values than _arg_params
        self._compression_params = compression_params
        self._optimizer: Any = None
        self._kvstore: Any = None
        self._update_on_kvstore: bool | None = None
        self._updater: Any = None
        self._preload_opt_states: str | None = None
        self._grad_req: Any = None
        self._exec_group: Any = None
        self._data_shapes: Any = None
        self._label_shapes: Any = None

    # files -----------------------------------------------------------------------------------

    @staticmethod
    def load(prefix: str, epoch: int, load_optimizer_states: bool = False, **kwargs: Any) -> Module:
        """A module from a checkpoint; `kwargs` are the arguments of `Module`."""
        symbol, arguments, states = load_checkpoint(prefix, epoch)
        module = Module(symbol=symbol, **kwargs)
        module._arg_params, module._aux_params = arguments, states
        module.params_initialized = True
        if load_optimizer_states:
            module._preload_opt_states = numbered(prefix, epoch, "states")
        return module

    def save_checkpoint(
        self,
        prefix: str,
        epoch: int,
        save_optimizer_states: bool = False,
        remove_amp_cast: bool = True,
    ) -> None:
        """Write `prefix-symbol.json`, `prefix-0001.params` and, if asked, `prefix-0001.states`."""
        self._symbol.save(f"{prefix}-symbol.json", remove_amp_cast=remove_amp_cast)
        name = numbered(prefix, epoch, "params")
        self.save_params(name)
        logging.info('Saved checkpoint to "%s"', name)
        if save_optimizer_states:
            name = numbered(prefix, epoch, "states")
            self.save_optimizer_states(name)
            logging.info('Saved optimizer state to "%s"', name)

    def save_optimizer_states(self, fname: str) -> None:
        """Write the optimizer's states."""
        check(self.optimizer_initialized, "call init_optimizer first")
        if self._update_on_kvstore:
            self._kvstore.save_optimizer_states(fname)
            return
        with atomic_write(fname) as file:
            file.write(self._updater.get_states())

    def load_optimizer_states(self, fname: str) -> None:
        """Read the optimizer's states."""
        check(self.optimizer_initialized, "call init_optimizer first")
        if self._update_on_kvstore:
            self._kvstore.load_optimizer_states(fname)
            return
        with open(fname, "rb") as file:
            self._updater.set_states(file.read())

    # names and shapes ------------------------------------------------------------------------

    @property
    def data_names(self) -> list[str]:
        """The names of the data."""
        return self._data_names

    @property
    def label_names(self) -> list[str]:
        """The names of the labels."""
        return self._label_names

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs."""
        return self._output_names

    @property
    def data_shapes(self) -> Any:
        """The descriptions of the data."""
        self._check_binded()
        return self._data_shapes

    @property
    def label_shapes(self) -> Any:
        """The descriptions of the labels; None if bound without."""
        self._check_binded()
        return self._label_shapes

    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Pairs (name, shape) of the outputs."""
        self._check_binded()
        shapes: list[tuple[str, tuple[int, ...]]] = self._exec_group.get_output_shapes()
        return shapes

    def _check_binded(self) -> None:
        check(self.binded, "call bind first: the module has no arrays yet")

    # parameters ------------------------------------------------------------------------------

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """(arguments, auxiliary states) by name: the module's own arrays on the CPU."""
        self._check_ready()
        if self._params_dirty:
            self._sync_params_from_devices()
        return self._arg_params, self._aux_params

    def _sync_params_from_devices(self) -> None:
        self._exec_group.get_params(self._arg_params, self._aux_params)
        if self._kvstore and self._update_on_kvstore:
            # Executors hold the rows of the last batch: the store has them all.
            for name, array in sorted(self._arg_params.items()):
                if array.stype == "row_sparse":
                    rows = ndarray.arange(array.shape[0], dtype="int64")
                    self._kvstore.row_sparse_pull(name, array, row_ids=rows)
        self._params_dirty = False

    def init_params(
        self,
        initializer: Any = SMALL,
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Take values from `arg_params` and `aux_params`, the others from the initializer.

        With dicts given, a name that they lack raises RuntimeError unless `allow_missing`.
        """
        if self.params_initialized and not force_init:
            warn("Parameters already initialized and force_init=False. init_params call ignored.")
            return
        check(self.binded, "call bind before initializing the parameters")
        attributes = self._symbol.attr_dict()
        for own, given in ((self._arg_params, arg_params), (self._aux_params, aux_params)):
            for name, array in sorted(own.items()):
                desc = InitDesc(name, attributes.get(name))
                _fill(desc, array, given, initializer, allow_missing)
        self.params_initialized = True
        self._params_dirty = False
        self._exec_group.set_params(self._arg_params, self._aux_params, allow_extra=allow_extra)

    def set_params(
        self,
        arg_params: Mapping[str, NDArray],
        aux_params: Mapping[str, NDArray],
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Take these values; with `allow_missing`, the other parameters keep theirs."""
        if not allow_missing:
            self.init_params(
                initializer=None,
                arg_params=arg_params,
                aux_params=aux_params,
                allow_missing=allow_missing,
                force_init=force_init,
                allow_extra=allow_extra,
            )
            return
        if self.params_initialized and not force_init:
            warn("Parameters already initialized and force_init=False. set_params call ignored.")
            return
        self._exec_group.set_params(arg_params, aux_params, allow_extra=allow_extra)
        self._params_dirty = True
        self.params_initialized = True

    # binding ---------------------------------------------------------------------------------

    def _reset_bind(self) -> None:
        self.binded = False
        self._exec_group = None
        self._data_shapes = None
        self._label_shapes = None

    def bind(
        self,
        data_shapes: Any,
        label_shapes: Any = None,
        for_training: bool = True,
        inputs_need_grad: bool = False,
        force_rebind: bool = False,
        shared_module: Any = None,
        grad_req: Any = "write",
    ) -> None:
        """Make executors for these shapes; a second call does nothing without `force_rebind`.

        With `shared_module` parameters (and their values) are that module's.
        """
        if force_rebind:
            self._reset_bind()
        if self.binded:
            self.logger.warning("Already bound, ignoring bind()")
            return
        check(for_training or not inputs_need_grad, "inputs_need_grad needs for_training=True")
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        self._grad_req = grad_req
        self._data_shapes, self._label_shapes = _parse_data_desc(
            self._data_names, self._label_names, data_shapes, label_shapes
        )
        shared_group = None
        if shared_module is not None:
            check(
                shared_module.binded and shared_module.params_initialized,
                "shared_module must be bound and have parameters",
            )
            shared_group = shared_module._exec_group
            check(len(shared_group.execs) >= len(self._context), "shared_module has fewer contexts")
        self._exec_group = DataParallelExecutorGroup(
            self._symbol,
            self._context,
            self._work_load_list,
            self._data_shapes,
            self._label_shapes,
            self._param_names,
            for_training,
            inputs_need_grad,
            shared_group,
            logger=self.logger,
            fixed_param_names=self._fixed_param_names,
            grad_req=grad_req,
            group2ctxs=self._group2ctxs,
            state_names=self._state_names,
        )
        self.binded = True
        self._bind_params(shared_module)

    def _bind_params(self, shared_module: Any) -> None:
        """The arrays on the CPU that `get_params` gives, and their values if there are any."""
        if shared_module is not None:
            self.params_initialized = True
            self._arg_params = shared_module._arg_params
            self._aux_params = shared_module._aux_params
        elif self.params_initialized:
            # loaded, or bound before
            self._exec_group.set_params(self._arg_params, self._aux_params)
        else:
            self._arg_params = _like(self._param_names, self._exec_group.param_arrays)
            self._aux_params = _like(self._aux_names, self._exec_group.aux_arrays)
        if shared_module is not None and shared_module.optimizer_initialized:
            self.borrow_optimizer(shared_module)

    def reshape(self, data_shapes: Any, label_shapes: Any = None) -> None:
        """Bind for other shapes; parameters and optimizer stay."""
        self._check_binded()
        self._data_shapes, self._label_shapes = _parse_data_desc(
            self._data_names, self._label_names, data_shapes, label_shapes
        )
        self._exec_group.reshape(self._data_shapes, self._label_shapes)

    # optimizer -------------------------------------------------------------------------------

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        force_init: bool = False,
    ) -> None:
        """Make the optimizer, which divides gradients by the batch size unless told otherwise."""
        self._check_ready()
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring...")
            return
        if self._params_dirty:
            self._sync_params_from_devices()
        group = self._exec_group
        store, on_store = _create_kvstore(kvstore, len(self._context), self._arg_params)
        batch_size = group.batch_size
        if store is not None and "dist" in store.type and "_sync" in store.type:
            batch_size *= store.num_workers
        self._optimizer = self._make_optimizer(
            optimizer, optimizer_params, 1.0 / batch_size, on_store
        )
        self._kvstore = store
        self._update_on_kvstore = on_store
        self._updater = None
        if store is not None:
            if self._compression_params:
                store.set_gradient_compression(self._compression_params)
            if on_store:
                store.set_optimizer(self._optimizer)
            _initialize_kvstore(
                kvstore=store,
                param_arrays=group.param_arrays,
                arg_params=self._arg_params,
                param_names=self._param_names,
                update_on_kvstore=on_store,
            )
        if not on_store:
            self._updater = opt.get_updater(self._optimizer)
        self.optimizer_initialized = True
        if self._preload_opt_states is not None:
            self.load_optimizer_states(self._preload_opt_states)
            self._preload_opt_states = None

    def _make_optimizer(self, optimizer: Any, params: Any, scale: float, on_store: bool) -> Any:
        names, count = self._exec_group.param_names, len(self._context)
        if on_store:
            by_index = dict(enumerate(names))
        else:
            # each context's copy of a parameter has a number of its own
            by_index = {i * count + k: n for k in range(count) for i, n in enumerate(names)}
        if isinstance(optimizer, str):
            options = dict(params)
            options.setdefault("rescale_grad", scale)
            return opt.create(optimizer, sym=self.symbol, param_idx2name=by_index, **options)
        check(
            isinstance(optimizer, opt.Optimizer),
            f"optimizer must be a name or an Optimizer, not {type(optimizer).__name__}",
        )
        if optimizer.rescale_grad != scale:
            warn(
                "Optimizer created manually outside Module but rescale_grad is not normalized to "
                f"1.0/batch_size/num_workers ({optimizer.rescale_grad} vs. {scale}). Is this "
                "intended?"
            )
        if not optimizer.idx2name:
            optimizer.idx2name = by_index
        return optimizer

    def borrow_optimizer(self, shared_module: Any) -> None:
        """Use another module's optimizer and its states."""
        check(shared_module.optimizer_initialized, "shared_module has no optimizer")
        self._optimizer = shared_module._optimizer
        self._kvstore = shared_module._kvstore
        self._update_on_kvstore = shared_module._update_on_kvstore
        self._updater = shared_module._updater
        self.optimizer_initialized = True

    # steps -----------------------------------------------------------------------------------

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Compute the outputs for a batch; executors are bound again if its shapes are others."""
        self._check_ready()
        shapes = _shapes_of(data_batch)
        if tuple(d.shape for d in self._data_shapes) != shapes:
            self.reshape(*self._described(data_batch, shapes))
        self._exec_group.forward(data_batch, is_train)

    def _described(self, batch: Any, shapes: Sequence[tuple[int, ...]]) -> tuple[Any, Any]:
        """What a batch of other shapes holds, by its own account or by its arrays."""
        data = getattr(batch, "provide_data", None)
        if not data:
            data = [
                DataDesc(d.name, shape, d.dtype, d.layout)
                for d, shape in zip(self._data_shapes, shapes, strict=False)
            ]
        labels = getattr(batch, "provide_label", None)
        if not labels:
            labels = None
            if getattr(batch, "label", None):
                known = self._label_shapes or [DataDesc(n, ()) for n in self._label_names]
                labels = [
                    DataDesc(d.name, array.shape, d.dtype, d.layout)
                    for d, array in zip(known, batch.label, strict=False)
                ]
        return data, labels

    def backward(self, out_grads: Any = None) -> None:
        """Compute the gradients; `out_grads` for outputs that are not losses."""
        self._check_ready()
        self._exec_group.backward(out_grads=out_grads)

    def update(self) -> None:
        """Update the parameters from the gradients."""
        self._check_ready(optimizer=True)
        self._params_dirty = True
        group = self._exec_group
        if self._update_on_kvstore:
            _update_params_on_kvstore(
                group.param_arrays, group.grad_arrays, self._kvstore, group.param_names
            )
        else:
            _update_params(
                group.param_arrays,
                group.grad_arrays,
                updater=self._updater,
                num_device=len(self._context),
                kvstore=self._kvstore,
                param_names=group.param_names,
            )

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """The outputs of the last forward: joined over contexts, or a list over them for each."""
        self._check_ready()
        return self._exec_group.get_outputs(merge_multi_context=merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """The gradients of the data, if bound with `inputs_need_grad`."""
        self._check_ready()
        check(self.inputs_need_grad, "bind with inputs_need_grad=True to get gradients of data")
        return self._exec_group.get_input_grads(merge_multi_context=merge_multi_context)

    def get_states(self, merge_multi_context: bool = True) -> Any:
        """The states, a list over contexts for each; pass `merge_multi_context=False`."""
        self._check_ready()
        return self._exec_group.get_states(merge_multi_context=merge_multi_context)

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states to arrays, or all to one number."""
        self._check_ready()
        self._exec_group.set_states(states, value)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Add labels and outputs of the last batch to a metric."""
        self._exec_group.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Any) -> None:
        """Let a monitor watch the executors."""
        self._check_binded()
        self._exec_group.install_monitor(mon)

    def prepare(self, data_batch: Any, sparse_row_id_fn: Callable[..., Any] | None = None) -> None:
        """With `sparse_row_id_fn`: pull the rows of parameters that it names for the batch."""
        self._check_binded()
        if sparse_row_id_fn is None:
            return
        if not self._kvstore or not self._update_on_kvstore:
            warnings.warn(
                UserWarning(
                    "Parameters are not updated in the KVStore. No need to call sparse_row_id_fn."
                ),
                stacklevel=2,
            )
            return
        row_ids = sparse_row_id_fn(data_batch)
        check(isinstance(row_ids, dict), "Expected dict output from sparse_row_id_fn")
        for name, ids in row_ids.items():
            index = self._exec_group.param_names.index(name)
            arrays = self._exec_group.param_arrays[index]
            self._kvstore.row_sparse_pull(name, arrays, row_ids=ids, priority=-index)


def _fill(
    desc: InitDesc,
    array: NDArray,
    given: Mapping[str, NDArray] | None,
    initializer: Any,
    allow_missing: bool,
) -> None:
    """One parameter's first value."""
    if given is not None and desc in given:
        source = given[desc]
        if source is not array:
            source.copyto(array)
        return
    if given is not None and not allow_missing:
        raise MXNetError(f"{desc} is not presented")
    if initializer is not None:
        initializer(desc, array)


def _like(names: Sequence[str], rows: Sequence[Sequence[NDArray]]) -> dict[str, NDArray]:
    return {
        name: ndarray.zeros(row[0].shape, dtype=row[0].dtype, stype=row[0].stype)
        for name, row in zip(names, rows, strict=True)
    }


def _shapes_of(batch: Any) -> tuple[tuple[int, ...], ...]:
    """The shapes of a batch's data; of a list of batches, one a context, of all together."""
    if not isinstance(batch, list):
        return tuple([array.shape for array in batch.data])
    check(batch, "Encountered empty data batch")
    shapes = []
    for i, first in enumerate(batch[0].data):
        check(
            all(each.data[i].shape == first.shape for each in batch),
            "All data batches in a list need to have the same shape",
        )
        shapes.append((len(batch) * first.shape[0], *first.shape[1:]))
    return tuple(shapes)
