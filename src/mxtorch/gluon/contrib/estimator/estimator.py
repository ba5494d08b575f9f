"""Estimator: a net, its loss, trainer and metrics, and the loop over the data."""

from __future__ import annotations

import copy
import logging
import sys
from collections.abc import Sequence
from typing import Any

from mxtorch._core.device import Context, cpu, gpu, num_gpus
from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._core.position import Resumable
from mxtorch._core.warn import warn
from mxtorch.gluon.contrib.estimator.batch_processor import BatchProcessor
from mxtorch.gluon.contrib.estimator.event_handler import (
    BatchBegin,
    BatchEnd,
    EpochBegin,
    EpochEnd,
    EventHandler,
    GradientUpdateHandler,
    LoggingHandler,
    MetricHandler,
    StoppingHandler,
    TrainBegin,
    TrainEnd,
    ValidationHandler,
)
from mxtorch.gluon.contrib.estimator.utils import (
    _check_handler_metric_ref,
    _check_metrics,
    _suggest_metric_for_loss,
)
from mxtorch.gluon.data import DataLoader
from mxtorch.gluon.loss import Loss
from mxtorch.gluon.trainer import Trainer
from mxtorch.gluon.utils import split_and_load
from mxtorch.metric import EvalMetric
from mxtorch.metric import Loss as metric_loss

__all__ = ["Estimator"]

_EVENTS = (TrainBegin, EpochBegin, BatchBegin, BatchEnd, EpochEnd, TrainEnd)


class Estimator:
    """Trains `net` with `loss`; what happens around the batches is the handlers' affair.

    Without `trainer` it is SGD with a learning rate of 0.001. Metrics are named 'training …' and
    'validation …'; by default there are the accuracy (of classes) and the loss.
    """

    logger: logging.Logger

    def __init__(
        self,
        net: Any,
        loss: Loss,
        train_metrics: Any = None,
        val_metrics: Any = None,
        initializer: Any = None,
        trainer: Trainer | None = None,
        context: Context | Sequence[Context] | None = None,
        val_net: Any = None,
        val_loss: Loss | None = None,
        batch_processor: Any = None,
    ) -> None:
        self.net = net
        self.loss = self._check_loss(loss)
        self._train_metrics = _check_metrics(train_metrics)
        self._val_metrics = _check_metrics(val_metrics)
        self._add_default_training_metrics()
        self._add_validation_metrics()
        self.val_loss = self.loss if val_loss is None else self._check_loss(val_loss)
        self.val_net = self.net if val_net is None else val_net
        self.logger = logging.Logger(name="Estimator", level=logging.INFO)
        self.logger.addHandler(logging.StreamHandler(sys.stdout))
        self.context = self._check_context(context)
        self._initialize(initializer)
        self.trainer = self._check_trainer(trainer)
        self.batch_processor = self._check_batch_processor(batch_processor)

    # arguments ---------------------------------------------------------------------------

    def _check_loss(self, loss: Any) -> Loss:
        if not isinstance(loss, Loss):
            raise MXNetValueError(f"loss must be a Loss, refer to gluon.loss.Loss:{loss}")
        return loss

    def _check_context(self, context: Any) -> list[Context]:
        if not context:
            return [gpu(0)] if num_gpus() > 0 else [cpu()]
        if isinstance(context, Context):
            return [context]
        if isinstance(context, list) and all(isinstance(c, Context) for c in context):
            return context
        raise MXNetValueError(
            "context must be a Context or a list of Context, for example mx.cpu() or [mx.gpu(0), "
            f"mx.gpu(1)], refer to mxnet.Context:{context}"
        )

    def _check_batch_processor(self, batch_processor: Any) -> Any:
        if batch_processor is None:
            return BatchProcessor()
        has_both = all(
            callable(getattr(batch_processor, n, None)) for n in ("fit_batch", "evaluate_batch")
        )
        if not has_both:
            raise MXNetValueError(
                "Customized Batch Processor must contain fit_batch() and evaluate_batch() methods"
            )
        return batch_processor

    def _initialize(self, initializer: Any) -> None:
        if not self._is_initialized():
            if initializer:
                self.net.initialize(init=initializer, ctx=self.context)
            else:
                self.net.initialize(ctx=self.context)
        elif initializer:
            warn(
                "Network already fully initialized, skipping initialization. You don't need to "
                "pass initializer if you already initialized your net. You can use "
                "net.initialize(init=your_initializer, force_reinit=True)to force re-initialize.",
                UserWarning,
            )

    def _check_trainer(self, trainer: Any) -> Trainer:
        if not trainer:
            warn(
                "No trainer specified, default SGD optimizer with learning rate 0.001 is used.",
                UserWarning,
            )
            return Trainer(self.net.collect_params(), "sgd", {"learning_rate": 0.001})
        if not isinstance(trainer, Trainer):
            raise MXNetValueError(
                f"Trainer must be a Gluon Trainer instance, refer to gluon.Trainer:{trainer}"
            )
        return trainer

    def _is_initialized(self) -> bool:
        for parameter in self.net.collect_params().values():
            try:
                parameter.list_ctx()
            except MXNetError:
                return False
        return True

    def _get_data_and_label(
        self, batch: Sequence[Any], ctx: Sequence[Context], batch_axis: int = 0
    ) -> tuple[list[Any], list[Any]]:
        return (
            split_and_load(batch[0], ctx_list=ctx, batch_axis=batch_axis),
            split_and_load(batch[1], ctx_list=ctx, batch_axis=batch_axis),
        )

    # metrics -----------------------------------------------------------------------------

    def _add_default_training_metrics(self) -> None:
        if not self._train_metrics:
            suggested = _suggest_metric_for_loss(self.loss)
            self._train_metrics = [] if suggested is None else [suggested]
            name = str(self.loss.name).rstrip("1234567890")
            self._train_metrics.append(metric_loss(name))
        for metric in self._train_metrics:
            _name(metric, "training")

    def _add_validation_metrics(self) -> None:
        if not self._val_metrics:
            self._val_metrics = [copy.deepcopy(metric) for metric in self._train_metrics]
        for metric in self._val_metrics:
            _name(metric, "validation")

    @property
    def train_metrics(self) -> list[EvalMetric]:
        """The metrics of the batches that are trained on."""
        return self._train_metrics

    @property
    def val_metrics(self) -> list[EvalMetric]:
        """The metrics of the batches that are evaluated."""
        return self._val_metrics

    # loops -------------------------------------------------------------------------------

    def evaluate(
        self, val_data: DataLoader, batch_axis: int = 0, event_handlers: Any = None
    ) -> None:
        """Run `val_net` over the data and update `val_metrics`."""
        if not isinstance(val_data, DataLoader):
            raise _no_loader("gluon.data.DataLoader")
        for metric in self.val_metrics:
            metric.reset()
        handlers = self._prepare_default_validation_handlers(event_handlers)
        _, epoch_begin, batch_begin, batch_end, epoch_end, _ = self._categorize_handlers(handlers)
        for handler in epoch_begin:
            handler.epoch_begin(self)
        for batch in val_data:
            for handler in batch_begin:
                handler.batch_begin(self, batch=batch)
            _, label, pred, loss = self.batch_processor.evaluate_batch(self, batch, batch_axis)
            for handler in batch_end:
                handler.batch_end(self, batch=batch, pred=pred, label=label, loss=loss)
        for handler in epoch_end:
            handler.epoch_end(self)

    def fit(
        self,
        train_data: DataLoader,
        val_data: DataLoader | None = None,
        epochs: int | None = None,
        event_handlers: Any = None,
        batches: int | None = None,
        batch_axis: int = 0,
    ) -> None:
        """Train for `epochs` epochs or `batches` batches, evaluating on `val_data`.

        `train_data` may be what `mxtorch.checkpoint` gives for a DataLoader: training goes on
        where it was interrupted, metrics and handlers included, up to `epochs` in all.
        """
        run = train_data if isinstance(train_data, Resumable) else None
        if not isinstance(train_data if run is None else run.data, DataLoader):
            raise _no_loader("gluon.data.dataloader")
        if bool(epochs) == bool(batches):
            raise MXNetValueError(
                "Fit only support exactly one type of iteration, train by number of epochs or "
                "number of batches.Please specify one and only one of: epochs or batches."
            )
        self.max_epoch, self.max_batch = epochs, batches
        handlers = self._prepare_default_handlers(val_data, event_handlers)
        groups = self._categorize_handlers(handlers)
        train_begin, epoch_begin, batch_begin, batch_end, epoch_end, train_end = groups
        for handler in train_begin:
            handler.train_begin(self)
        if run is not None:
            run.follow(handlers, [*self.train_metrics, *self.val_metrics])
            run.restore()
        while run is None or not _have_ended(handlers):
            for handler in epoch_begin:
                handler.epoch_begin(self)
            for batch in train_data:
                for handler in batch_begin:
                    handler.batch_begin(self, batch=batch)
                _, label, pred, loss = self.batch_processor.fit_batch(self, batch, batch_axis)
                facts = {"batch": batch, "pred": pred, "label": label, "loss": loss}
                ends = [handler.batch_end(self, **facts) for handler in batch_end]
                if any(ends):
                    break
            ends = [handler.epoch_end(self) for handler in epoch_end]
            if any(ends):
                break
        if run is not None:
            run.finish()
        for handler in train_end:
            handler.train_end(self)

    # handlers ----------------------------------------------------------------------------

    def _prepare_default_handlers(self, val_data: Any, event_handlers: Any) -> list[EventHandler]:
        handlers = _check_handlers(event_handlers)
        handlers.append(StoppingHandler(self.max_epoch, self.max_batch))
        if not _has(handlers, GradientUpdateHandler):
            handlers.append(GradientUpdateHandler())
        if not _has(handlers, MetricHandler):
            handlers.append(MetricHandler(metrics=self.train_metrics))
        if not _has(handlers, ValidationHandler) and val_data:
            handlers.append(ValidationHandler(val_data=val_data, eval_fn=self.evaluate))
        if not _has(handlers, LoggingHandler):
            handlers.append(LoggingHandler(metrics=self.train_metrics))
        return self._checked_and_sorted(handlers)

    def _prepare_default_validation_handlers(self, event_handlers: Any) -> list[EventHandler]:
        handlers = _check_handlers(event_handlers)
        if not _has(handlers, MetricHandler):
            handlers.append(MetricHandler(metrics=self.val_metrics))
        if not _has(handlers, LoggingHandler):
            handlers.append(LoggingHandler(metrics=self.val_metrics))
        return self._checked_and_sorted(handlers)

    def _checked_and_sorted(self, handlers: list[EventHandler]) -> list[EventHandler]:
        for handler in handlers:
            _check_handler_metric_ref(handler, self.train_metrics + self.val_metrics)
        return sorted(handlers, key=lambda handler: getattr(handler, "priority", 0))

    def _categorize_handlers(self, event_handlers: Sequence[EventHandler]) -> tuple[Any, ...]:
        """The handlers of each event."""
        return tuple([h for h in event_handlers if isinstance(h, event)] for event in _EVENTS)


def _name(metric: EvalMetric, role: str) -> None:
    """Say in a metric's name what it is taken from."""
    name = str(metric.name)
    if "training" in name and role == "validation":
        metric.name = name.replace("training", role)
    elif role not in name:
        metric.name = f"{role} {name}"


def _no_loader(where: str) -> MXNetValueError:
    return MXNetValueError(
        "Estimator only support input as Gluon DataLoader. Alternatively, you can transform your "
        f"DataIter or any NDArray into Gluon DataLoader. Refer to {where}"
    )


def _check_handlers(event_handlers: Any) -> list[EventHandler]:
    handlers = event_handlers or []
    found = list(handlers) if isinstance(handlers, (list, tuple)) else [handlers]
    if not all(isinstance(handler, EventHandler) for handler in found):
        raise MXNetValueError(
            f"handlers must be an EventHandler or a list of EventHandler, got: {event_handlers}"
        )
    return found


def _have_ended(handlers: Sequence[EventHandler]) -> bool:
    """Whether a handler has ended the training, of an earlier run it may be."""
    return any(getattr(handler, "stop_training", False) for handler in handlers)


def _has(handlers: Sequence[EventHandler], kind: type) -> bool:
    return any(isinstance(handler, kind) for handler in handlers)
