"""Checks of metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxtorch._core.errors import MXNetValueError
from mxtorch.gluon.loss import Loss, SoftmaxCrossEntropyLoss
from mxtorch.metric import Accuracy, CompositeEvalMetric, EvalMetric


def _check_metrics(metrics: Any) -> list[EvalMetric]:
    """A list of metrics from one, several or none."""
    if isinstance(metrics, CompositeEvalMetric):
        metrics = list(metrics.metrics)
    if isinstance(metrics, (list, tuple)):
        found = list(metrics)
    else:
        found = [metrics] if isinstance(metrics, EvalMetric) else []
    if metrics and not (found and all(isinstance(metric, EvalMetric) for metric in found)):
        raise MXNetValueError(
            "metrics must be a Metric or a list of Metric, refer to mxnet.metric.EvalMetric: "
            f"{metrics}"
        )
    return found


def _check_handler_metric_ref(handler: Any, known_metrics: Sequence[EvalMetric]) -> None:
    """ValueError for a handler that holds a metric which the estimator does not know."""
    for value in vars(handler).values():
        held = value if isinstance(value, (list, tuple)) else [value]
        for metric in held:
            if isinstance(metric, CompositeEvalMetric):
                for part in metric.metrics:
                    _check_metric_known(handler, part, known_metrics)
            elif isinstance(metric, EvalMetric):
                _check_metric_known(handler, metric, known_metrics)


def _check_metric_known(
    handler: Any, metric: EvalMetric, known_metrics: Sequence[EvalMetric]
) -> None:
    if not any(metric is known for known in known_metrics):
        raise MXNetValueError(
            f"Event handler {type(handler).__name__} refers to a metric instance {metric} outside "
            "of the known training and validation metrics. Please use the metrics from "
            "estimator.train_metrics and estimator.val_metrics instead."
        )


def _suggest_metric_for_loss(loss: Loss) -> EvalMetric | None:
    """Accuracy for the loss of classes, none for others."""
    return Accuracy() if isinstance(loss, SoftmaxCrossEntropyLoss) else None
