"""Handlers of the training loop's events."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from mxtorch._core.errors import MXNetValueError
from mxtorch.gluon.contrib.estimator._checkpoint import CheckpointHandler
from mxtorch.gluon.contrib.estimator._early_stopping import EarlyStoppingHandler
from mxtorch.gluon.contrib.estimator._events import (
    BatchBegin,
    BatchEnd,
    EpochBegin,
    EpochEnd,
    EventHandler,
    TrainBegin,
    TrainEnd,
)
from mxtorch.gluon.contrib.estimator.utils import _check_metrics
from mxtorch.metric import EvalMetric
from mxtorch.metric import Loss as metric_loss

__all__ = [
    "BatchBegin",
    "BatchEnd",
    "CheckpointHandler",
    "EarlyStoppingHandler",
    "EpochBegin",
    "EpochEnd",
    "EventHandler",
    "GradientUpdateHandler",
    "LoggingHandler",
    "MetricHandler",
    "StoppingHandler",
    "TrainBegin",
    "TrainEnd",
    "ValidationHandler",
]


class StoppingHandler(TrainBegin, BatchEnd, EpochEnd):
    """Ends training after `max_epoch` epochs or `max_batch` batches."""

    def __init__(self, max_epoch: int | None = None, max_batch: int | None = None) -> None:
        self.max_epoch = max_epoch
        self.max_batch = max_batch
        self.current_batch = 0
        self.current_epoch = 0
        self.stop_training = False

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Start counting; the limits are the estimator's."""
        self.max_epoch = estimator.max_epoch
        self.max_batch = estimator.max_batch
        self.current_batch = 0
        self.current_epoch = 0

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Count a batch; True after the last one."""
        self.current_batch += 1
        if self.current_batch == self.max_batch:
            self.stop_training = True
        return self.stop_training

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Count an epoch; True after the last one."""
        self.current_epoch += 1
        if self.current_epoch == self.max_epoch:
            self.stop_training = True
        return self.stop_training

    def _state_dict(self) -> dict[str, int]:
        return {"epochs": self.current_epoch, "batches": self.current_batch}

    def _load_state_dict(self, state: dict[str, int]) -> None:
        """Go on counting; the limits are those of now."""
        self.current_epoch, self.current_batch = state["epochs"], state["batches"]
        pairs = (self.current_epoch, self.max_epoch), (self.current_batch, self.max_batch)
        self.stop_training = any(limit is not None and count >= limit for count, limit in pairs)


class MetricHandler(EpochBegin, BatchEnd):
    """Resets metrics at each epoch and updates them at each batch."""

    def __init__(self, metrics: Any, priority: float = -1000) -> None:
        self.metrics = _check_metrics(metrics) if isinstance(metrics, EvalMetric) else list(metrics)
        self.priority = priority

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Reset the metrics."""
        for metric in self.metrics:
            metric.reset()

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Update the metrics from the batch's predictions, labels and losses."""
        for metric in self.metrics:
            if isinstance(metric, metric_loss):
                metric.update(0, kwargs["loss"])
            else:
                metric.update(kwargs["label"], kwargs["pred"])


class ValidationHandler(TrainBegin, BatchEnd, EpochEnd):
    """Evaluates every `epoch_period` epochs and every `batch_period` batches."""

    def __init__(
        self,
        val_data: Any,
        eval_fn: Callable[..., Any],
        epoch_period: int | None = 1,
        batch_period: int | None = None,
        priority: float = -1000,
        event_handlers: Any = None,
    ) -> None:
        self.val_data = val_data
        self.eval_fn = eval_fn
        self.epoch_period = epoch_period
        self.batch_period = batch_period
        self.current_batch = 0
        self.current_epoch = 0
        self.priority = priority
        self.event_handlers = event_handlers

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Start counting."""
        self.current_batch = 0
        self.current_epoch = 0

    def _evaluate(self, estimator: Any) -> None:
        self.eval_fn(val_data=self.val_data, event_handlers=self.event_handlers)

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Count a batch, and evaluate if it is time."""
        self.current_batch += 1
        if self.batch_period and self.current_batch % self.batch_period == 0:
            self._evaluate(estimator)

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Count an epoch, and evaluate if it is time."""
        self.current_epoch += 1
        if self.epoch_period and self.current_epoch % self.epoch_period == 0:
            self._evaluate(estimator)


class LoggingHandler(TrainBegin, TrainEnd, EpochBegin, EpochEnd, BatchBegin, BatchEnd):
    """Writes times and metrics to the estimator's logger, every epoch or some batches as well."""

    def __init__(
        self,
        log_interval: int | str = "epoch",
        metrics: Any = None,
        priority: float = float("inf"),
    ) -> None:
        if not isinstance(log_interval, int) and log_interval != "epoch":
            raise MXNetValueError("log_interval must be either an integer or string 'epoch'")
        if metrics is None or isinstance(metrics, EvalMetric):
            metrics = _check_metrics(metrics)
        self.metrics: list[EvalMetric] = list(metrics)
        self.batch_index = 0
        self.current_epoch = 0
        self.processed_samples = 0
        self.priority = priority
        self.log_interval = log_interval
        self.log_interval_time = 0.0

    def _with_metrics(self, text: str) -> str:
        for metric in self.metrics:
            name, value = metric.get()
            text += f"{name}: {value:.4f}, "
        return text.rstrip(", ")

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Tell the optimizer, its learning rate and for how long."""
        self.train_start = time.time()
        trainer = estimator.trainer
        estimator.logger.info(
            "Training begin: using optimizer %s with current learning rate %.4f ",
            type(trainer.optimizer).__name__,
            trainer.learning_rate,
        )
        if estimator.max_epoch:
            estimator.logger.info("Train for %d epochs.", estimator.max_epoch)
        else:
            estimator.logger.info("Train for %d batches.", estimator.max_batch)
        self.current_epoch = 0
        self.batch_index = 0
        self.processed_samples = 0
        self.log_interval_time = 0.0

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Tell the whole time and the metrics."""
        seconds = time.time() - self.train_start
        text = f"Train finished using total {int(seconds)}s with {self.current_epoch} epochs. "
        estimator.logger.info(self._with_metrics(text).rstrip())

    def batch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Start the batch's clock."""
        if isinstance(self.log_interval, int):
            self.batch_start = time.time()

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Tell the metrics, if it is time."""
        if not isinstance(self.log_interval, int):
            return
        self.log_interval_time += time.time() - self.batch_start
        self.processed_samples += len(kwargs["batch"][0])
        if self.batch_index % self.log_interval == 0:
            text = (
                f"[Epoch {self.current_epoch}][Batch {self.batch_index}]"
                f"[Samples {self.processed_samples}] "
                f"time/interval: {self.log_interval_time:.3f}s "
            )
            self.log_interval_time = 0.0
            estimator.logger.info(self._with_metrics(text).rstrip())
        self.batch_index += 1

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Start the epoch's clock."""
        self.epoch_start = time.time()
        if any("training" in str(metric.name) for metric in self.metrics):
            estimator.logger.info(
                "[Epoch %d] Begin, current learning rate: %.4f",
                self.current_epoch,
                estimator.trainer.learning_rate,
            )
        else:
            estimator.logger.info("Validation Begin")

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Tell the epoch's time and the metrics."""
        seconds = time.time() - self.epoch_start
        text = f"[Epoch {self.current_epoch}] Finished in {seconds:.3f}s, "
        estimator.logger.info(self._with_metrics(text))
        self.current_epoch += 1
        self.batch_index = 0


class GradientUpdateHandler(BatchEnd):
    """Updates the parameters after each batch, before metrics are looked at."""

    def __init__(self, priority: float = -2000) -> None:
        self.priority = priority

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """The trainer's step, for as many samples as there are losses."""
        loss = kwargs["loss"]
        pieces = loss if isinstance(loss, list) else [loss]
        estimator.trainer.step(sum(piece.shape[0] for piece in pieces))
