"""What all modules have in common: training, scoring and predicting over an iterator."""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from mxtorch import metric, ndarray
from mxtorch._core.errors import MXNetAssertionError, MXNetValueError
from mxtorch._core.warn import warn
from mxtorch.context import cpu
from mxtorch.initializer import Uniform
from mxtorch.io import DataBatch, DataDesc
from mxtorch.model import BatchEndParam
from mxtorch.ndarray import NDArray

__all__ = ["BaseModule"]

SMALL = Uniform(0.01)  # the initializer where none is given
_PARAMETER_ENDINGS = ("_weight", "_bias", "_gamma", "_beta")


def _as_list(obj: Any) -> Any:
    """Lists and tuples as they are, anything else as a list of one."""
    return obj if isinstance(obj, (list, tuple)) else [obj]


def _check_input_names(symbol: Any, names: Sequence[str], typename: str, throw: bool) -> None:
    """Every name must be an argument of the symbol: ValueError, or a warning without `throw`."""
    arguments = symbol.list_arguments()
    for name in names:
        if name in arguments:
            continue
        candidates = [a for a in arguments if not a.endswith(_PARAMETER_ENDINGS)]
        text = (
            f"\033[91mYou created Module with Module(..., {typename}_names={names}) but input with "
            f"name '{name}' is not found in symbol.list_arguments(). Did you mean one of:\n\t"
            + "\n\t".join(candidates)
            + "\033[0m"
        )
        if throw:
            raise MXNetValueError(text)
        warn(text)


def _check_names_match(
    data_names: Sequence[str], data_shapes: Sequence[Any], name: str, throw: bool
) -> None:
    """The names that come with the shapes must be the module's, in any order."""
    if sorted(data_names) == sorted(shape[0] for shape in data_shapes):
        return
    text = (
        f"Data provided by {name}_shapes don't match names specified by {name}_names "
        f"({data_shapes} vs. {data_names})"
    )
    if throw:
        raise MXNetValueError(text)
    warn(text)


def _parse_data_desc(
    data_names: Sequence[str],
    label_names: Sequence[str],
    data_shapes: Sequence[Any],
    label_shapes: Sequence[Any] | None,
) -> tuple[list[DataDesc], list[DataDesc] | None]:
    """Pairs of name and shape as `DataDesc`s; wrong names of data raise, of labels warn."""
    data = [d if isinstance(d, DataDesc) else DataDesc(*d) for d in data_shapes]
    _check_names_match(data_names, data, "data", True)
    if label_shapes is None:
        _check_names_match(label_names, [], "label", False)
        return data, None
    labels = [d if isinstance(d, DataDesc) else DataDesc(*d) for d in label_shapes]
    _check_names_match(label_names, labels, "label", False)
    return data, labels


def check(condition: Any, text: str) -> None:
    """AssertionError with `text` unless the condition holds."""
    if not condition:
        raise MXNetAssertionError(text)


def call_each(callbacks: Any, *args: Any) -> None:
    """Call one callback, or each of a list."""
    for callback in _as_list(callbacks):
        callback(*args)


class BaseModule:
    """A computation with parameters that is bound to shapes, initialized, and then trained.

    Subclasses give the steps (`bind`, `init_params`, `forward`, `backward`, `update`, …); the
    loops over them (`fit`, `score`, `predict`) stand here.
    """

    def __init__(self, logger: Any = logging) -> None:
        self.logger = logger
        self.binded = False
        self.for_training = False
        self.inputs_need_grad = False
        self.params_initialized = False
        self.optimizer_initialized = False
        self._symbol: Any = None
        self._total_exec_bytes = 0

    def _check_ready(self, optimizer: bool = False) -> None:
        check(self.binded, "call bind first: the module has no arrays yet")
        check(self.params_initialized, "call init_params first: the parameters have no values yet")
        if optimizer:
            check(self.optimizer_initialized, "call init_optimizer first")

    # loops -----------------------------------------------------------------------------------

    def forward_backward(self, data_batch: Any) -> None:
        """`forward` for training, then `backward`."""
        self.forward(data_batch, is_train=True)
        self.backward()

    def score(
        self,
        eval_data: Any,
        eval_metric: Any,
        num_batch: int | None = None,
        batch_end_callback: Any = None,
        score_end_callback: Any = None,
        reset: bool = True,
        epoch: int = 0,
        sparse_row_id_fn: Callable[..., Any] | None = None,
    ) -> list[tuple[str, Any]]:
        """Pairs (name, value) of the metric over `eval_data`, or its first `num_batch` batches."""
        scope = dict(locals())
        self._check_ready()
        if reset:
            eval_data.reset()
        if not isinstance(eval_metric, metric.EvalMetric):
            eval_metric = scope["eval_metric"] = metric.create(eval_metric)
        eval_metric.reset()
        count = 0
        for nbatch, eval_batch in enumerate(eval_data):
            scope.update(nbatch=nbatch, eval_batch=eval_batch)
            if num_batch is not None and nbatch == num_batch:
                break
            self.prepare(eval_batch, sparse_row_id_fn=sparse_row_id_fn)
            self.forward(eval_batch, is_train=False)
            self._update_metric_from(eval_metric, eval_batch)
            if batch_end_callback is not None:
                call_each(batch_end_callback, BatchEndParam(epoch, nbatch, eval_metric, scope))
            count += 1
        scope["actual_num_batch"] = count
        if score_end_callback:
            call_each(score_end_callback, BatchEndParam(epoch, count, eval_metric, scope))
        pairs: list[tuple[str, Any]] = eval_metric.get_name_value()
        return pairs

    def _update_metric_from(self, eval_metric: Any, batch: Any) -> None:
        if isinstance(batch, list):
            self.update_metric(eval_metric, [b.label for b in batch], pre_sliced=True)
        else:
            self.update_metric(eval_metric, batch.label)

    def iter_predict(
        self,
        eval_data: Any,
        num_batch: int | None = None,
        reset: bool = True,
        sparse_row_id_fn: Callable[..., Any] | None = None,
    ) -> Iterator[tuple[list[NDArray], int, Any]]:
        """Yield (outputs, number, batch) of each batch, the outputs without padding."""
        self._check_ready()
        if reset:
            eval_data.reset()
        for nbatch, batch in enumerate(eval_data):
            if num_batch is not None and nbatch == num_batch:
                break
            self.prepare(batch, sparse_row_id_fn=sparse_row_id_fn)
            self.forward(batch, is_train=False)
            pad = batch.pad or 0
            yield [out[0 : out.shape[0] - pad] for out in self.get_outputs()], nbatch, batch

    def predict(
        self,
        eval_data: Any,
        num_batch: int | None = None,
        merge_batches: bool = True,
        reset: bool = True,
        always_output_list: bool = False,
        sparse_row_id_fn: Callable[..., Any] | None = None,
    ) -> Any:
        """The outputs over an iterator, or for one array.

        Batches are joined, and a single output is an array and not a list of one, unless the
        arguments say otherwise. With `merge_batches=False`: a list of outputs for each batch.
        """
        self._check_ready()
        if isinstance(eval_data, (NDArray, np.ndarray)):
            if isinstance(eval_data, np.ndarray):
                eval_data = ndarray.array(eval_data)
            self.forward(DataBatch([eval_data]))
            return self.get_outputs()[0]
        if not hasattr(eval_data, "reset"):
            raise MXNetValueError("eval_data must be of type NDArray or DataIter")
        batches = [
            [out.copy() for out in outputs]
            for outputs, _, _ in self.iter_predict(eval_data, num_batch, reset, sparse_row_id_fn)
        ]
        if not batches or not merge_batches:
            return batches
        count = len(batches[0])
        check(
            all(len(outputs) == count for outputs in batches),
            "Cannot merge batches, as num of outputs is not the same in mini-batches. "
            "Maybe bucketing is used?",
        )
        merged = [ndarray.concatenate([outputs[i] for outputs in batches]) for i in range(count)]
        return merged[0] if count == 1 and not always_output_list else merged

    def fit(
        self,
        train_data: Any,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        eval_end_callback: Any = None,
        eval_batch_end_callback: Any = None,
        initializer: Any = SMALL,
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_rebind: bool = False,
        force_init: bool = False,
        begin_epoch: int = 0,
        num_epoch: int | None = None,
        validation_metric: Any = None,
        monitor: Any = None,
        sparse_row_id_fn: Callable[..., Any] | None = None,
    ) -> None:
        """Bind, initialize and train until epoch `num_epoch`.

        Callbacks get a `BatchEndParam`, those at the end of an epoch (epoch, symbol, arguments,
        states). Progress goes to `logger`.
        """
        check(num_epoch is not None, "please specify number of epochs")
        scope = dict(locals())
        self.bind(
            data_shapes=train_data.provide_data,
            label_shapes=train_data.provide_label,
            for_training=True,
            force_rebind=force_rebind,
        )
        if monitor is not None:
            self.install_monitor(monitor)
        self.init_params(
            initializer=initializer,
            arg_params=arg_params,
            aux_params=aux_params,
            allow_missing=allow_missing,
            force_init=force_init,
        )
        self.init_optimizer(kvstore=kvstore, optimizer=optimizer, optimizer_params=optimizer_params)
        _TrainingLoop(self, scope).run()

    def _begin_epoch(self, epoch: int, train_data: Any) -> None:
        """What a subclass does before the batches of an epoch."""

    # symbol and names ------------------------------------------------------------------------

    @property
    def symbol(self) -> Any:
        """The symbol, where there is one."""
        return self._symbol

    @property
    def data_names(self) -> Any:
        """The names of the data that the module needs."""
        raise NotImplementedError

    @property
    def output_names(self) -> Any:
        """The names of the outputs."""
        raise NotImplementedError

    @property
    def data_shapes(self) -> Any:
        """The descriptions of the data."""
        raise NotImplementedError

    @property
    def label_shapes(self) -> Any:
        """The descriptions of the labels; None or empty without labels."""
        raise NotImplementedError

    @property
    def output_shapes(self) -> Any:
        """Pairs (name, shape) of the outputs."""
        raise NotImplementedError

    # parameters ------------------------------------------------------------------------------

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """(arguments, auxiliary states) by name."""
        raise NotImplementedError

    def init_params(
        self,
        initializer: Any = SMALL,
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Give the parameters their first values."""
        raise NotImplementedError

    def set_params(
        self,
        arg_params: Any,
        aux_params: Any,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Give the parameters these values."""
        self.init_params(
            initializer=None,
            arg_params=arg_params,
            aux_params=aux_params,
            allow_missing=allow_missing,
            force_init=force_init,
            allow_extra=allow_extra,
        )

    def save_params(self, fname: str) -> None:
        """Write the parameters to a file."""
        arguments, states = self.get_params()
        saved = {f"arg:{name}": value.as_in_context(cpu()) for name, value in arguments.items()}
        saved.update((f"aux:{name}", v.as_in_context(cpu())) for name, v in states.items())
        ndarray.save(fname, saved)

    def load_params(self, fname: str) -> None:
        """Take the parameters from such a file."""
        loaded = ndarray.load(fname)
        parts: dict[str, dict[str, NDArray]] = {"arg": {}, "aux": {}}
        for key, value in loaded.items():
            kind, _, name = key.partition(":")
            if kind not in parts:
                raise MXNetValueError(f"Invalid param file {fname}")
            parts[kind][name] = value
        self.set_params(parts["arg"], parts["aux"])

    def get_states(self, merge_multi_context: bool = True) -> list[Any]:
        """The states, inputs that are neither data nor labels nor parameters: none here."""
        self._check_ready()
        check(not merge_multi_context, "get_states: pass merge_multi_context=False")
        return []

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states: there are none here."""
        self._check_ready()
        check(not states and not value, "set_states: this module has no states")

    def install_monitor(self, mon: Any) -> None:
        """Let a monitor watch the computation."""
        raise NotImplementedError

    # steps -----------------------------------------------------------------------------------

    def prepare(self, data_batch: Any, sparse_row_id_fn: Callable[..., Any] | None = None) -> None:
        """Prepare for a batch; with `sparse_row_id_fn`, pull the rows that it names."""
        if sparse_row_id_fn is not None:
            warnings.warn(
                UserWarning("sparse_row_id_fn is not invoked for BaseModule."), stacklevel=2
            )

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Compute the outputs for a batch."""
        raise NotImplementedError

    def backward(self, out_grads: Any = None) -> None:
        """Compute the gradients."""
        raise NotImplementedError

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """The outputs of the last forward."""
        raise NotImplementedError

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """The gradients of the data."""
        raise NotImplementedError

    def update(self) -> None:
        """Update the parameters from the gradients."""
        raise NotImplementedError

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Add labels and outputs of the last batch to a metric."""
        raise NotImplementedError

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
        """Make the arrays for these shapes."""
        raise NotImplementedError

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        force_init: bool = False,
    ) -> None:
        """Make the optimizer."""
        raise NotImplementedError


class _TrainingLoop:
    """The epochs of `fit`; `scope` is what callbacks find in `param.locals`."""

    def __init__(self, module: BaseModule, scope: dict[str, Any]) -> None:
        self.module = module
        self.scope = scope
        if scope["validation_metric"] is None:
            scope["validation_metric"] = scope["eval_metric"]
        if not isinstance(scope["eval_metric"], metric.EvalMetric):
            scope["eval_metric"] = metric.create(scope["eval_metric"])
        self.metric = scope["eval_metric"]

    def run(self) -> None:
        """All epochs."""
        module, scope = self.module, self.scope
        for epoch in range(scope["begin_epoch"], scope["num_epoch"]):
            begun = time.time()
            scope.update(epoch=epoch, tic=begun)
            self.metric.reset()
            module._begin_epoch(epoch, scope["train_data"])
            values = self._batches(epoch)
            for name, value in values:
                module.logger.info("Epoch[%d] Train-%s=%f", epoch, name, value)
            module.logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - begun)
            arg_params, aux_params = module.get_params()
            scope.update(arg_params=arg_params, aux_params=aux_params)
            module.set_params(arg_params, aux_params)
            if scope["epoch_end_callback"] is not None:
                call_each(scope["epoch_end_callback"], epoch, module.symbol, arg_params, aux_params)
            if scope["eval_data"] is not None:
                self._validate(epoch)
            scope["train_data"].reset()

    def _batches(self, epoch: int) -> Any:
        """One epoch; the metric's pairs after its last batch."""
        module, scope, monitor = self.module, self.scope, self.scope["monitor"]
        iterator = scope["data_iter"] = iter(scope["train_data"])
        batch = next(iterator)
        nbatch, ended, values = 0, False, None
        while not ended:
            following = None
            if monitor is not None:
                monitor.tic()
            module.forward_backward(batch)
            module.update()
            module._update_metric_from(self.metric, batch)
            try:
                following = next(iterator)
                module.prepare(following, sparse_row_id_fn=scope["sparse_row_id_fn"])
            except StopIteration:
                ended = True
            if monitor is not None:
                monitor.toc_print()
            scope.update(
                nbatch=nbatch, data_batch=batch, next_data_batch=following, end_of_batch=ended
            )
            if ended:
                values = scope["eval_name_vals"] = self.metric.get_global_name_value()
            if scope["batch_end_callback"] is not None:
                param = BatchEndParam(epoch, nbatch, self.metric, scope)
                call_each(scope["batch_end_callback"], param)
            nbatch, batch = nbatch + 1, following
        return values

    def _validate(self, epoch: int) -> None:
        scope = self.scope
        values = self.module.score(
            scope["eval_data"],
            scope["validation_metric"],
            score_end_callback=scope["eval_end_callback"],
            batch_end_callback=scope["eval_batch_end_callback"],
            epoch=epoch,
        )
        for name, value in values:
            self.module.logger.info("Epoch[%d] Validation-%s=%f", epoch, name, value)
