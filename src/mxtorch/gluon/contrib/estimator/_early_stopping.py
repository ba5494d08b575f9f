"""Ends training when a metric no longer improves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mxtorch._core.errors import MXNetValueError
from mxtorch._core.warn import warn
from mxtorch.gluon.contrib.estimator._events import EpochEnd, TrainBegin, TrainEnd
from mxtorch.metric import CompositeEvalMetric, EvalMetric


def comparison(mode: str, monitor: EvalMetric, kind: str) -> Callable[[Any, Any], Any]:
    """np.less or np.greater: which of two values of a metric is better.

    'auto' means greater, whatever the metric, as in MXNet; a warning says so.
    """
    if mode not in ("auto", "min", "max"):
        warn(
            f"{kind} mode {mode} is unknown, fallback to auto mode. CheckpointHandler will use "
            "max mode for f1 and accuracy metric comparison and use min mode other wise",
            RuntimeWarning,
        )
        mode = "auto"
    if mode == "auto":
        warn(
            f"`greater` operator will be used to determine if {monitor.get()[0]} has improved. "
            "Please specify `mode='min'` to use the `less` operator. Specify `mode='max' to "
            "disable this warning.`",
            UserWarning,
        )
    return np.less if mode == "min" else np.greater


def is_monitor(metric: Any) -> bool:
    """Whether it is one metric, with one value."""
    return isinstance(metric, EvalMetric) and not isinstance(metric, CompositeEvalMetric)


class EarlyStoppingHandler(TrainBegin, EpochEnd, TrainEnd):
    """Ends training when `monitor` has not improved by `min_delta` for `patience` epochs."""

    def __init__(
        self,
        monitor: EvalMetric,
        min_delta: float = 0,
        patience: int = 0,
        mode: str = "auto",
        baseline: float | None = None,
    ) -> None:
        if not is_monitor(monitor):
            raise MXNetValueError(
                "Please provide one of the metric objects from estimator.train_metrics and "
                "estimator.val_metrics as monitor."
            )
        self.monitor = monitor
        self.baseline = baseline
        self.patience = patience
        self.min_delta = min_delta
        self.wait = 0
        self.stopped_epoch = 0
        self.current_epoch = 0
        self.stop_training = False
        self.monitor_op = comparison(mode, monitor, "EarlyStopping")
        if self.monitor_op is np.less:
            self.min_delta *= -1

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Start anew."""
        self.wait = 0
        self.stopped_epoch = 0
        self.current_epoch = 0
        self.stop_training = False
        worst = np.inf if self.monitor_op is np.less else -np.inf
        self.best = worst if self.baseline is None else self.baseline

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Compare the metric with its best value; True to stop."""
        name, value = self.monitor.get()
        if np.isnan(value):
            warn(
                f"{name} is not updated, make sure you pass one of the metric objects from "
                "estimator.train_metrics and estimator.val_metrics as monitor.",
                RuntimeWarning,
            )
        elif self.monitor_op(value - self.min_delta, self.best):
            self.best = value
            self.wait = 0
        else:
            self.wait += 1
            if self.wait >= self.patience:
                self.stopped_epoch = self.current_epoch
                self.stop_training = True
        self.current_epoch += 1
        return self.stop_training

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Tell why training has ended."""
        if self.stopped_epoch > 0:
            estimator.logger.info(
                "[Epoch %d] EarlyStoppingHanlder: early stopping due to %s not improving",
                self.stopped_epoch,
                self.monitor.get()[0],
            )
