"""Metrics of classes: accuracies, F1, correlation coefficients of confusion tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mxtorch._core.errors import MXNetAssertionError, MXNetValueError
from mxtorch._metric.base import (
    EvalMetric,
    alias,
    check_label_shapes,
    register,
    to_numpy,
)

Names = Sequence[str] | None


@register
class Accuracy(EvalMetric):
    """The share of predictions that are the label; of scores, the largest along `axis` counts."""

    def __init__(
        self,
        axis: int = 1,
        name: str = "accuracy",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(name, output_names, label_names, axis=axis, has_global_stats=True)
        self.axis = axis

    def update(self, labels: Any, preds: Any) -> None:
        """Take a batch into account."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=False):
            given, found = to_numpy(label), to_numpy(pred)
            if found.shape != given.shape:
                if not -found.ndim <= self.axis < found.ndim:
                    raise MXNetValueError(
                        f"Accuracy: predictions of shape {found.shape} have no axis {self.axis} "
                        f"of scores, and labels have another shape, {given.shape}"
                    )
                found = np.argmax(found, axis=self.axis)
            found, given = found.astype("int32").ravel(), given.astype("int32").ravel()
            check_label_shapes(given, found)
            self.add((found == given).sum().astype("float64"), len(found))


alias("acc")(Accuracy)


@register
class TopKAccuracy(EvalMetric):
    """The share of labels that are among the `top_k` largest scores."""

    def __init__(
        self,
        top_k: int = 1,
        name: str = "top_k_accuracy",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(name, output_names, label_names, top_k=top_k, has_global_stats=True)
        self.top_k = top_k
        if top_k <= 1:
            raise MXNetAssertionError("Please use Accuracy if top_k is no more than 1")
        self.name += f"_{top_k}"

    def update(self, labels: Any, preds: Any) -> None:
        """Take a batch into account."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=False):
            scores, given = to_numpy(pred).astype("float32"), to_numpy(label).astype("int32")
            if scores.ndim > 2:
                raise MXNetAssertionError("Predictions should be no more than 2 dims")
            order = np.argsort(scores, axis=-1) if scores.ndim == 2 else np.argsort(scores)
            check_label_shapes(given, order)
            if order.ndim == 1:
                self.add((order == given.ravel()).sum(), len(order))
                continue
            chosen = order[:, -min(order.shape[1], self.top_k) :]
            self.add((chosen == given.reshape(-1, 1)).sum(), len(order))


alias("top_k_accuracy", "top_k_acc")(TopKAccuracy)


class _Binary:
    """The four counts of a binary confusion table."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.true_positives = self.false_positives = 0
        self.true_negatives = self.false_negatives = 0

    def update(self, label: Any, pred: Any) -> None:
        given, scores = to_numpy(label).astype("int32"), to_numpy(pred)
        found = np.argmax(scores, axis=1)
        check_label_shapes(given, scores)
        if len(np.unique(given)) > 2:
            raise ValueError(
                "_BinaryClassificationMetrics currently only supports binary classification."
            )
        given = given.ravel()
        self.true_positives += int(((found == 1) & (given == 1)).sum())
        self.false_positives += int(((found == 1) & (given != 1)).sum())
        self.false_negatives += int(((found != 1) & (given == 1)).sum())
        self.true_negatives += int(((found != 1) & (given != 1)).sum())

    @property
    def total(self) -> int:
        """How many were counted."""
        return (
            self.true_positives + self.false_positives + self.true_negatives + self.false_negatives
        )

    @property
    def fscore(self) -> float:
        """The harmonic mean of precision and recall; 0 where neither is defined."""
        positives = self.true_positives + self.false_positives
        actual = self.true_positives + self.false_negatives
        precision = self.true_positives / positives if positives else 0.0
        recall = self.true_positives / actual if actual else 0.0
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    def matthews(self) -> float:
        """Matthews' correlation coefficient; factors of 0 in its denominator count as 1."""
        if not self.total:
            return 0.0
        tp, fp = float(self.true_positives), float(self.false_positives)
        tn, fn = float(self.true_negatives), float(self.false_negatives)
        denominator = 1.0
        for factor in (tp + fp, tp + fn, tn + fp, tn + fn):
            denominator *= factor or 1.0
        return (tp * tn - fp * fn) / math.sqrt(denominator)


class _BinaryMetric(EvalMetric):
    """'macro': the mean of the batches' scores; 'micro': the score of all counts pooled."""

    def __init__(self, name: str, output_names: Names, label_names: Names, average: str) -> None:
        self._average = average
        self._counts = _Binary()
        self._global_counts = _Binary()
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def _score(self, counts: _Binary) -> float:
        raise NotImplementedError

    def update(self, labels: Any, preds: Any) -> None:
        """Take a batch into account."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=False):
            self._counts.update(label, pred)
            self._global_counts.update(label, pred)
        if self._average == "macro":
            self.add(self._score(self._counts), 1)
            self._counts.reset()
            self._global_counts.reset()
            return
        self.sum_metric = self._score(self._counts) * self._counts.total
        self.num_inst = self._counts.total
        self.global_sum_metric = self._score(self._global_counts) * self._global_counts.total
        self.global_num_inst = self._global_counts.total

    def reset(self) -> None:
        """Forget everything."""
        super().reset()
        self._counts.reset()
        self._global_counts.reset()

    def reset_local(self) -> None:
        """Forget what `get` tells."""
        super().reset_local()
        self._counts.reset()


@register
class F1(_BinaryMetric):
    """The F1 score of a binary classification."""

    def __init__(
        self,
        name: str = "f1",
        output_names: Names = None,
        label_names: Names = None,
        average: str = "macro",
    ) -> None:
        self.average = average
        super().__init__(name, output_names, label_names, average)

    @property
    def metrics(self) -> _Binary:
        """The counts since the last batch ('macro') or reset ('micro')."""
        return self._counts

    def _score(self, counts: _Binary) -> float:
        return counts.fscore


@register
class MCC(_BinaryMetric):
    """Matthews' correlation coefficient of a binary classification."""

    def __init__(
        self,
        name: str = "mcc",
        output_names: Names = None,
        label_names: Names = None,
        average: str = "macro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)

    def _score(self, counts: _Binary) -> float:
        return counts.matthews()


@register
class PCC(EvalMetric):
    """Matthews' coefficient for any number of classes, of all counts pooled."""

    def __init__(
        self,
        name: str = "pcc",
        output_names: Names = None,
        label_names: Names = None,
        has_global_stats: bool = True,
    ) -> None:
        self.k = 2
        super().__init__(name, output_names, label_names, has_global_stats=has_global_stats)

    def _grow(self, classes: int) -> None:
        more = classes - self.k
        if more > 0:
            self.lcm = np.pad(self.lcm, ((0, more), (0, more)))
            self.gcm = np.pad(self.gcm, ((0, more), (0, more)))
            self.k = classes

    def update(self, labels: Any, preds: Any) -> None:
        """Take a batch into account."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=False):
            given, found = to_numpy(label).astype("int32"), to_numpy(pred)
            found = found.argmax(axis=1) if found.shape != given.shape else found
            found = found.astype("int32")
            self._grow(int(max(found.max(), given.max())) + 1)
            counts = np.zeros((self.k, self.k))
            np.add.at(counts, (found.ravel(), given.ravel()), 1)
            self.lcm += counts
            self.gcm += counts
        self.num_inst += 1
        self.global_num_inst += 1

    @staticmethod
    def _coefficient(counts: np.ndarray) -> float:
        total = counts.sum()
        predicted, actual = counts.sum(axis=1), counts.sum(axis=0)
        by_predicted = (predicted * (total - predicted)).sum()
        by_actual = (actual * (total - actual)).sum()
        if by_predicted == 0 or by_actual == 0:
            return float("nan")
        together = (counts.diagonal() * total - predicted * actual).sum()
        return float(together / math.sqrt(by_predicted * by_actual))

    @property
    def sum_metric(self) -> float:
        """The coefficient times the number of batches."""
        return self._coefficient(self.lcm) * self.num_inst

    @sum_metric.setter
    def sum_metric(self, value: float) -> None:
        """Only a reset writes it, and that clears the counts."""

    @property
    def global_sum_metric(self) -> float:
        """The same since `reset`."""
        return self._coefficient(self.gcm) * self.global_num_inst

    @global_sum_metric.setter
    def global_sum_metric(self, value: float) -> None:
        """Only a reset writes it, and that clears the counts."""

    def reset(self) -> None:
        """Forget everything."""
        super().reset()
        self.lcm = np.zeros((self.k, self.k))
        self.gcm = np.zeros((self.k, self.k))

    def reset_local(self) -> None:
        """Forget what `get` tells."""
        self.num_inst = 0
        self.lcm = np.zeros((self.k, self.k))
