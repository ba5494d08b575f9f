"""FeedForward, the model of MXNet's first years. `mxtorch.model` has it."""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mxtorch import io, metric, ndarray
from mxtorch import optimizer as opt
from mxtorch._checkpoint import BatchEndParam, load_checkpoint, save_checkpoint
from mxtorch._core.errors import MXNetAssertionError, MXNetTypeError, MXNetValueError
from mxtorch._updates import (
    _create_kvstore,
    _initialize_kvstore,
    _update_params,
    _update_params_on_kvstore,
)
from mxtorch.context import Context, cpu
from mxtorch.executor import Executor
from mxtorch.executor_manager import DataParallelExecutorManager, _load_data
from mxtorch.executor_manager import _check_arguments as check_arguments
from mxtorch.initializer import Uniform
from mxtorch.io import DataDesc, DataIter
from mxtorch.ndarray import NDArray

__all__ = ["FeedForward"]

_SMALL = Uniform(0.01)  # the initializer where none is given


class LogValidationMetricsCallback:
    """At the end of an epoch: log the validation metric (`callback` has it too)."""

    def __call__(self, param: Any) -> None:
        if not param.eval_metric:
            return
        for name, value in param.eval_metric.get_name_value():
            logging.info("Epoch[%d] Validation-%s=%f", param.epoch, name, value)


_LOG_VALIDATION = LogValidationMetricsCallback()


def _multiple_callbacks(callbacks: Any, *args: Any, **kwargs: Any) -> None:
    """Call one callback, each of a list, or none."""
    if isinstance(callbacks, list):
        for callback in callbacks:
            callback(*args, **kwargs)
    elif callbacks:
        callbacks(*args, **kwargs)


def _train_multi_device(
    symbol: Any,
    ctx: Sequence[Context],
    arg_names: Sequence[str],
    param_names: Sequence[str],
    aux_names: Sequence[str],
    arg_params: dict[str, NDArray],
    aux_params: dict[str, NDArray],
    begin_epoch: int,
    end_epoch: int,
    epoch_size: int | None,
    optimizer: Any,
    kvstore: Any,
    update_on_kvstore: bool,
    train_data: Any,
    eval_data: Any = None,
    eval_metric: Any = None,
    epoch_end_callback: Any = None,
    batch_end_callback: Any = None,
    logger: Any = None,
    work_load_list: Sequence[float] | None = None,
    monitor: Any = None,
    eval_end_callback: Any = None,
    eval_batch_end_callback: Any = None,
    sym_gen: Callable[[Any], Any] | None = None,
) -> None:
    """Train on several contexts; the trained values are written into the given parameters."""
    scope = dict(locals())
    logger = logger or logging
    manager = DataParallelExecutorManager(
        symbol, ctx, train_data, arg_names, param_names, aux_names, work_load_list, logger, sym_gen
    )
    if monitor:
        manager.install_monitor(monitor)
    manager.set_params(arg_params, aux_params)
    updater = None
    if update_on_kvstore:
        kvstore.set_optimizer(optimizer)
    else:
        updater = opt.get_updater(optimizer)
    if kvstore:
        _initialize_kvstore(
            kvstore, manager.param_arrays, arg_params, manager.param_names, update_on_kvstore
        )
    scope.update(logger=logger, executor_manager=manager, updater=updater)
    training = _Training(scope)
    train_data.reset()
    for epoch in range(begin_epoch, end_epoch):
        begun = time.time()
        eval_metric.reset()
        training.run_epoch(epoch)
        logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - begun)
        if epoch_end_callback or epoch + 1 == end_epoch:
            manager.copy_to(arg_params, aux_params)
        _multiple_callbacks(epoch_end_callback, epoch, symbol, arg_params, aux_params)
        if eval_data:
            training.validate(epoch)


class _Training:
    """The batches of an epoch; `scope` is what callbacks find in `param.locals`."""

    def __init__(self, scope: dict[str, Any]) -> None:
        self.scope = scope
        self.manager: DataParallelExecutorManager = scope["executor_manager"]

    def run_epoch(self, epoch: int) -> None:
        """Train on all batches, or on as many as an epoch has."""
        scope = self.scope
        size, nbatch = scope["epoch_size"], 0
        while True:
            exhausted = True
            for batch in scope["train_data"]:
                self.step(batch)
                nbatch += 1
                scope.update(epoch=epoch, nbatch=nbatch, data_batch=batch)
                param = BatchEndParam(epoch, nbatch, scope["eval_metric"], scope)
                _multiple_callbacks(scope["batch_end_callback"], param)
                if size is not None and nbatch >= size:
                    exhausted = False
                    break
            if exhausted:
                scope["logger"].info("Epoch[%d] Resetting Data Iterator", epoch)
                scope["train_data"].reset()
            if size is None or nbatch >= size:
                return

    def step(self, batch: Any) -> None:
        """One batch: forward, backward, update, metric."""
        scope, manager = self.scope, self.manager
        monitor, kvstore = scope["monitor"], scope["kvstore"]
        manager.load_data_batch(batch)
        if monitor is not None:
            monitor.tic()
        manager.forward(is_train=True)
        manager.backward()
        if scope["update_on_kvstore"]:
            _update_params_on_kvstore(
                manager.param_arrays, manager.grad_arrays, kvstore, manager.param_names
            )
        else:
            _update_params(
                manager.param_arrays,
                manager.grad_arrays,
                updater=scope["updater"],
                num_device=len(scope["ctx"]),
                kvstore=kvstore,
                param_names=manager.param_names,
            )
        if monitor is not None:
            monitor.toc_print()
        manager.update_metric(scope["eval_metric"], batch.label)

    def validate(self, epoch: int) -> None:
        """The metric over the data for validation."""
        scope, eval_metric = self.scope, self.scope["eval_metric"]
        eval_metric.reset()
        scope["eval_data"].reset()
        total = 0
        for i, batch in enumerate(scope["eval_data"]):
            self.manager.load_data_batch(batch)
            self.manager.forward(is_train=False)
            self.manager.update_metric(eval_metric, batch.label)
            scope.update(i=i, eval_batch=batch)
            param = BatchEndParam(epoch, i, eval_metric, scope)
            _multiple_callbacks(scope["eval_batch_end_callback"], param)
            total += 1
        param = BatchEndParam(epoch, total, eval_metric, scope)
        _multiple_callbacks(scope["eval_end_callback"], param)
        scope["eval_data"].reset()


class FeedForward:
    """A symbol that is trained by `fit(X, y)` and asked by `predict(X)`.

    `symbol` may be a function of a bucket's key. `X` is an iterator or an array; `kwargs` are
    arguments of the optimizer.
    """

    def __init__(
        self,
        symbol: Any,
        ctx: Any = None,
        num_epoch: int | None = None,
        epoch_size: int | None = None,
        optimizer: Any = "sgd",
        initializer: Any = _SMALL,
        numpy_batch_size: int = 128,
        arg_params: Any = None,
        aux_params: Any = None,
        allow_extra_params: bool = False,
        begin_epoch: int = 0,
        **kwargs: Any,
    ) -> None:
        warnings.warn(
            "mxnet.model.FeedForward has been deprecated. Please use mxnet.mod.Module instead.",
            DeprecationWarning,
            stacklevel=2,  # `load` and `create` say nothing, as in MXNet
        )
        self.symbol: Any = None
        self.sym_gen: Any = None
        if hasattr(symbol, "list_arguments"):
            self.symbol = symbol
        elif callable(symbol):
            self.sym_gen = symbol
        else:
            raise MXNetAssertionError("symbol must be a Symbol or a function of the bucket's key")
        self.arg_params = arg_params
        self.aux_params = aux_params
        self.allow_extra_params = allow_extra_params
        self.argument_checked = False
        if self.sym_gen is None:
            self._check_arguments()
        if ctx is None:
            ctx = [cpu()]
        self.ctx = [ctx] if isinstance(ctx, Context) else ctx
        self.num_epoch = num_epoch
        self.epoch_size = epoch_size
        self.kwargs = kwargs.copy()
        self.optimizer = optimizer
        self.initializer = initializer
        self.numpy_batch_size = numpy_batch_size
        self._pred_exec: Executor | None = None
        self.begin_epoch = begin_epoch

    def _check_arguments(self) -> None:
        """Check names once, and drop parameters that the symbol does not have if allowed."""
        if self.argument_checked:
            return
        self.argument_checked = True
        check_arguments(self.symbol)
        if self.allow_extra_params:
            names = set(self.symbol.list_arguments())
            states = set(self.symbol.list_auxiliary_states())
            self.arg_params = _only(self.arg_params, names)
            self.aux_params = _only(self.aux_params, states)

    @staticmethod
    def _is_data_arg(name: str) -> bool:
        """Whether a name is that of data or of a label."""
        return name.endswith(("data", "label"))

    def _init_params(
        self, inputs: Sequence[Any], overwrite: bool = False
    ) -> tuple[list[str], list[str], list[str]]:
        """First values for parameters that have none; (arguments, parameters, states)."""
        described = [d if isinstance(d, DataDesc) else DataDesc(*d) for d in inputs]
        shapes = {d.name: d.shape for d in described}
        types = {d.name: d.dtype for d in described}
        arg_names = self.symbol.list_arguments()
        aux_names = self.symbol.list_auxiliary_states()
        param_names = [name for name in arg_names if name not in shapes]
        arg_shapes, _, aux_shapes = self.symbol.infer_shape(**shapes)
        if arg_shapes is None:
            raise MXNetAssertionError(f"the shapes of {shapes} do not tell those of the parameters")
        arg_types, _, aux_types = self.symbol.infer_type(**types)
        arguments = dict(zip(arg_names, zip(arg_shapes, arg_types, strict=True), strict=True))
        states = dict(zip(aux_names, zip(aux_shapes, aux_types, strict=True), strict=True))
        wanted = {name: arguments[name] for name in param_names}
        self.arg_params = self._initialized(wanted, self.arg_params, overwrite)
        self.aux_params = self._initialized(states, self.aux_params, overwrite)
        return arg_names, param_names, aux_names

    def _initialized(
        self, wanted: dict[str, Any], known: dict[str, NDArray] | None, overwrite: bool
    ) -> dict[str, NDArray]:
        made = {name: ndarray.zeros(shape, dtype=t) for name, (shape, t) in wanted.items()}
        for name, array in made.items():
            if known and name in known and not overwrite:
                array[:] = known[name]
            else:
                self.initializer(name, array)
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the executor of `predict`."""
        return {**self.__dict__, "_pred_exec": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    # data ------------------------------------------------------------------------------------

    def _init_iter(self, X: Any, y: Any, is_train: bool) -> Any:
        """An iterator over arrays, or the iterator as it is."""
        if isinstance(X, (np.ndarray, NDArray)):
            if y is None:
                if is_train:
                    raise MXNetValueError("y must be specified when X is numpy.ndarray")
                y = np.zeros(X.shape[0])
            if not isinstance(y, (np.ndarray, NDArray)):
                raise MXNetTypeError("y must be ndarray when X is numpy.ndarray")
            if X.shape[0] != y.shape[0]:
                raise MXNetValueError("The numbers of data points and labels not equal")
            if y.ndim == 2 and y.shape[1] == 1:
                y = y.flatten()
            if y.ndim != 1:
                raise MXNetValueError("Label must be 1D or 2D (with 2nd dimension being 1)")
            size = min(X.shape[0], self.numpy_batch_size)
            if is_train:
                return io.NDArrayIter(X, y, size, shuffle=True, last_batch_handle="roll_over")
            return io.NDArrayIter(X, y, size, shuffle=False)
        if not isinstance(X, DataIter):
            raise MXNetTypeError("X must be DataIter, NDArray or numpy.ndarray")
        return X

    def _init_eval_iter(self, eval_data: Any) -> Any:
        """An iterator over a pair of arrays, or the iterator as it is."""
        if isinstance(eval_data, (tuple, list)) and len(eval_data) == 2:
            data, label = eval_data
            if data is None:
                raise MXNetValueError("Eval data is NONE")
            if label is None and isinstance(data, DataIter):
                return data
            data, label = [np.array(p) if isinstance(p, list) else p for p in (data, label)]
            return self._init_iter(data, label, is_train=True)
        if eval_data is not None and not isinstance(eval_data, DataIter):
            raise MXNetTypeError(
                "Eval data must be DataIter, or NDArray/numpy.ndarray/list pair "
                "(i.e. tuple/list of length 2)"
            )
        return eval_data

    # prediction ------------------------------------------------------------------------------

    def _init_predictor(self, input_shapes: Any, type_dict: Any = None) -> Executor:
        """An executor on the first context, with the parameters; kept while shapes stay."""
        shapes = {name: array.shape for name, array in self.arg_params.items()}
        shapes.update(dict(input_shapes))
        if self._pred_exec is not None:
            arg_shapes, _, _ = self.symbol.infer_shape(**shapes)
            if arg_shapes is None:
                raise MXNetAssertionError("Incomplete input shapes")
            if list(arg_shapes) == [a.shape for a in self._pred_exec.arg_arrays]:
                return self._pred_exec
        executor: Executor = self.symbol.simple_bind(
            self.ctx[0], grad_req="null", type_dict=type_dict, **shapes
        )
        executor.copy_params_from(self.arg_params, self.aux_params)
        self._pred_exec = executor
        return executor

    def _start(self, X: Any, reset: bool) -> tuple[Any, Executor, list[NDArray]]:
        """(iterator, executor, its arrays for the data)."""
        data = self._init_iter(X, None, is_train=False)
        if reset:
            data.reset()
        types = {name: array.dtype for name, array in self.arg_params.items()}
        types.update(
            (d[0], d.dtype if isinstance(d, DataDesc) else np.float32) for d in data.provide_data
        )
        executor = self._init_predictor(data.provide_data, types)
        return data, executor, [executor.arg_dict[d[0]] for d in data.provide_data]

    def predict(
        self, X: Any, num_batch: int | None = None, return_data: bool = False, reset: bool = True
    ) -> Any:
        """The outputs as NumPy arrays, without padding; with `return_data` (outputs, X, y)."""
        data, executor, targets = self._start(X, reset)
        outputs: list[list[Any]] = []
        inputs: list[list[Any]] = []
        labels: list[list[Any]] = []
        for i, batch in enumerate(data):
            if num_batch is not None and i == num_batch:
                break
            _load_data(batch, targets)
            executor.forward(is_train=False)
            size = data.batch_size - (batch.pad or 0)
            outputs.append([out[0:size].asnumpy() for out in executor.outputs])
            if return_data:
                inputs.append([array[0:size].asnumpy() for array in batch.data])
                labels.append([array[0:size].asnumpy() for array in batch.label])
        joined = _joined(outputs)
        return (joined, _joined(inputs), _joined(labels)) if return_data else joined

    def score(
        self,
        X: Any,
        eval_metric: Any = "acc",
        num_batch: int | None = None,
        batch_end_callback: Any = None,
        reset: bool = True,
    ) -> Any:
        """The value of a metric over an iterator."""
        if not isinstance(eval_metric, metric.EvalMetric):
            eval_metric = metric.create(eval_metric)
        data, executor, targets = self._start(X, reset)
        scope = dict(locals())
        for i, batch in enumerate(data):
            if num_batch is not None and i == num_batch:
                break
            _load_data(batch, targets)
            executor.forward(is_train=False)
            eval_metric.update(batch.label, executor.outputs)
            scope.update(i=i, batch=batch)
            _multiple_callbacks(batch_end_callback, BatchEndParam(0, i, eval_metric, scope))
        return eval_metric.get()[1]

    # training --------------------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        y: Any = None,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        logger: Any = None,
        work_load_list: Sequence[float] | None = None,
        monitor: Any = None,
        eval_end_callback: Any = _LOG_VALIDATION,
        eval_batch_end_callback: Any = None,
    ) -> None:
        """Train for `num_epoch` epochs; `eval_data` is an iterator or a pair of arrays."""
        data = self._init_iter(X, y, is_train=True)
        eval_data = self._init_eval_iter(eval_data)
        if self.sym_gen:
            self.symbol = self.sym_gen(data.default_bucket_key)
            self._check_arguments()
        self.kwargs["sym"] = self.symbol
        arg_names, param_names, aux_names = self._init_params(
            [*data.provide_data, *data.provide_label]
        )
        if not isinstance(eval_metric, metric.EvalMetric):
            eval_metric = metric.create(eval_metric)
        store, on_store = _create_kvstore(kvstore, len(self.ctx), self.arg_params)
        optimizer = self._make_optimizer(data.batch_size, store, on_store, param_names)
        _train_multi_device(
            self.symbol,
            self.ctx,
            arg_names,
            param_names,
            aux_names,
            self.arg_params,
            self.aux_params,
            begin_epoch=self.begin_epoch,
            end_epoch=self.num_epoch,  # type: ignore[arg-type]  # None raises there, as in MXNet
            epoch_size=self.epoch_size,
            optimizer=optimizer,
            train_data=data,
            eval_data=eval_data,
            eval_metric=eval_metric,
            epoch_end_callback=epoch_end_callback,
            batch_end_callback=batch_end_callback,
            kvstore=store,
            update_on_kvstore=on_store,
            logger=logger,
            work_load_list=work_load_list,
            monitor=monitor,
            eval_end_callback=eval_end_callback,
            eval_batch_end_callback=eval_batch_end_callback,
            sym_gen=self.sym_gen,
        )

    def _make_optimizer(
        self, batch_size: int, store: Any, on_store: bool, names: Sequence[str]
    ) -> Any:
        count = len(self.ctx)
        if on_store:
            by_index = dict(enumerate(names))
        else:
            by_index = {i * count + k: n for k in range(count) for i, n in enumerate(names)}
        self.kwargs["param_idx2name"] = by_index
        if store is not None and "dist" in store.type and "_async" not in store.type:
            batch_size *= store.num_workers
        if isinstance(self.optimizer, str):
            return opt.create(self.optimizer, rescale_grad=1.0 / batch_size, **self.kwargs)
        if not isinstance(self.optimizer, opt.Optimizer):
            return self.optimizer
        if not self.optimizer.idx2name:
            self.optimizer.idx2name = by_index.copy()
        return self.optimizer

    # files -----------------------------------------------------------------------------------

    def save(self, prefix: str, epoch: int | None = None, remove_amp_cast: bool = True) -> None:
        """Write a checkpoint, of epoch `num_epoch` by default."""
        if epoch is None:
            epoch = self.num_epoch
        if epoch is None:
            raise MXNetAssertionError("save: there is no num_epoch; pass epoch")
        save_checkpoint(
            prefix, epoch, self.symbol, self.arg_params, self.aux_params, remove_amp_cast
        )

    @staticmethod
    def load(prefix: str, epoch: int, ctx: Any = None, **kwargs: Any) -> FeedForward:
        """A model from a checkpoint; training goes on from that epoch."""
        loaded, arguments, states = load_checkpoint(prefix, epoch)
        return FeedForward(
            loaded, ctx=ctx, arg_params=arguments, aux_params=states, begin_epoch=epoch, **kwargs
        )

    @staticmethod
    def create(
        symbol: Any,
        X: Any,
        y: Any = None,
        ctx: Any = None,
        num_epoch: int | None = None,
        epoch_size: int | None = None,
        optimizer: Any = "sgd",
        initializer: Any = _SMALL,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        logger: Any = None,
        work_load_list: Sequence[float] | None = None,
        eval_end_callback: Any = _LOG_VALIDATION,
        eval_batch_end_callback: Any = None,
        **kwargs: Any,
    ) -> FeedForward:
        """A model that is trained on `X` and `y` at once."""
        model = FeedForward(
            symbol,
            ctx=ctx,
            num_epoch=num_epoch,
            epoch_size=epoch_size,
            optimizer=optimizer,
            initializer=initializer,
            **kwargs,
        )
        model.fit(
            X,
            y,
            eval_data=eval_data,
            eval_metric=eval_metric,
            epoch_end_callback=epoch_end_callback,
            batch_end_callback=batch_end_callback,
            kvstore=kvstore,
            logger=logger,
            work_load_list=work_load_list,
            eval_end_callback=eval_end_callback,
            eval_batch_end_callback=eval_batch_end_callback,
        )
        return model


def _only(params: dict[str, NDArray] | None, names: set[str]) -> dict[str, NDArray] | None:
    return params and {k: v for k, v in params.items() if k in names}


def _joined(batches: Sequence[Sequence[Any]]) -> Any:
    """Arrays of batches joined; one output alone is not in a list."""
    joined = [np.concatenate(parts) for parts in zip(*batches, strict=True)]
    return joined[0] if len(joined) == 1 else joined


FeedForward.__module__ = "mxtorch.model"  # where pickles look for it
