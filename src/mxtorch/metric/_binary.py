"""Metrics of two classes, and PCC for more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy

from mxtorch.metric._base import EvalMetric, check_label_shapes, register


class _Counts:
    """Right and wrong decisions between two classes."""

    def __init__(self) -> None:
        self.true_positives: Any = 0
        self.false_positives: Any = 0
        self.true_negatives: Any = 0
        self.false_negatives: Any = 0

    def add(self, wanted: numpy.ndarray, found: numpy.ndarray) -> None:
        """Count a batch of 0 and 1."""
        self.true_positives += ((found == 1) & (wanted == 1)).sum()
        self.false_positives += ((found == 1) & (wanted != 1)).sum()
        self.false_negatives += ((found != 1) & (wanted == 1)).sum()
        self.true_negatives += ((found != 1) & (wanted != 1)).sum()

    @property
    def total(self) -> Any:
        """All decisions."""
        return (
            self.true_positives + self.false_positives + self.true_negatives + self.false_negatives
        )

    @property
    def precision(self) -> Any:
        """The right ones of those that were found; 0 without any."""
        found = self.true_positives + self.false_positives
        return float(self.true_positives) / found if found > 0 else 0.0

    @property
    def recall(self) -> Any:
        """The found ones of those that are right; 0 without any."""
        wanted = self.true_positives + self.false_negatives
        return float(self.true_positives) / wanted if wanted > 0 else 0.0

    @property
    def f1(self) -> Any:
        """Twice precision times recall over their sum; 0 where that is not defined."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both > 0 else 0.0

    @property
    def mcc(self) -> float:
        """Matthews correlation; 0 factors of the denominator are left out."""
        if not self.total:
            return 0.0
        tp, fp = float(self.true_positives), float(self.false_positives)
        tn, fn = float(self.true_negatives), float(self.false_negatives)
        product = 1.0
        for factor in (tp + fp, tp + fn, tn + fp, tn + fn):
            product *= factor or 1.0
        return (tp * tn - fp * fn) / math.sqrt(product)


def _shown(which: str, quantity: str) -> Any:
    """A number of one of the two counts, as an attribute."""
    return property(lambda self: getattr(getattr(self, which), quantity))


class _BinaryClassificationMetrics:
    """What `F1` and `MCC` have counted, since the last local reset and since the last reset."""

    def __init__(self) -> None:
        self.reset_stats()

    def update_binary_stats(self, label: Any, pred: Any) -> None:
        """Count labels (batch,) of 0 and 1 and scores (batch, 2); ValueError for more classes."""
        found = pred.asnumpy().argmax(axis=1)
        wanted = label.asnumpy().astype("int32")
        check_label_shapes(wanted, found)
        if len(numpy.unique(wanted)) > 2:
            raise ValueError(
                f"{type(self).__name__} currently only supports binary classification."
            )
        self.local.add(wanted, found)
        self.overall.add(wanted, found)

    def local_reset_stats(self) -> None:
        """Forget what was counted since the last local reset."""
        self.local = _Counts()

    def reset_stats(self) -> None:
        """Forget everything."""
        self.local, self.overall = _Counts(), _Counts()

    def matthewscc(self, use_global: bool = False) -> float:
        """Matthews correlation."""
        return (self.overall if use_global else self.local).mcc

    true_positives = _shown("local", "true_positives")
    false_positives = _shown("local", "false_positives")
    true_negatives = _shown("local", "true_negatives")
    false_negatives = _shown("local", "false_negatives")
    precision = _shown("local", "precision")
    recall = _shown("local", "recall")
    fscore = _shown("local", "f1")
    total_examples = _shown("local", "total")
    global_true_positives = _shown("overall", "true_positives")
    global_false_positives = _shown("overall", "false_positives")
    global_true_negatives = _shown("overall", "true_negatives")
    global_false_negatives = _shown("overall", "false_negatives")
    global_precision = _shown("overall", "precision")
    global_recall = _shown("overall", "recall")
    global_fscore = _shown("overall", "f1")
    global_total_examples = _shown("overall", "total")


class _Binary(EvalMetric):
    """Base: 'macro' is the mean of the batches' values, 'micro' the value of all samples."""

    _quantity: str

    def __init__(
        self,
        name: str,
        output_names: Sequence[str] | None,
        label_names: Sequence[str] | None,
        average: str,
    ) -> None:
        self.average = average
        self.metrics = _BinaryClassificationMetrics()
        super().__init__(
            name=name, output_names=output_names, label_names=label_names, has_global_stats=True
        )

    def update(self, labels: Any, preds: Any) -> None:
        """Add labels (batch,) of 0 and 1 and scores (batch, 2)."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=True):
            self.metrics.update_binary_stats(label, pred)
        counted = self.metrics.local, self.metrics.overall
        local, overall = (getattr(c, self._quantity) for c in counted)
        if self.average == "macro":
            self.sum_metric += local
            self.global_sum_metric += overall
            self.num_inst += 1
            self.global_num_inst += 1
            self.metrics.reset_stats()
        else:
            self.sum_metric = local * counted[0].total
            self.global_sum_metric = overall * counted[1].total
            self.num_inst, self.global_num_inst = counted[0].total, counted[1].total

    def reset(self) -> None:
        """Forget everything."""
        super().reset()
        self.metrics.reset_stats()

    def reset_local(self) -> None:
        """Forget what was gathered since the last `reset_local`."""
        super().reset_local()
        self.metrics.local_reset_stats()


@register
class F1(_Binary):
    """The F1 score of two classes."""

    _quantity = "f1"

    def __init__(
        self,
        name: str = "f1",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        average: str = "macro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)


@register
class MCC(_Binary):
    """Matthews correlation coefficient of two classes."""

    _quantity = "mcc"

    def __init__(
        self,
        name: str = "mcc",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        average: str = "macro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)

    # MXNet's names of them here
    _metrics = property(lambda self: self.metrics)
    _average = property(lambda self: self.average)

    def reset(self) -> None:
        """Forget everything."""
        super().reset()
        self.num_inst = self.global_num_inst = 0.0

    def reset_local(self) -> None:
        """Forget what was gathered since the last `reset_local`."""
        super().reset_local()
        self.num_inst = 0.0


@register
class PCC(EvalMetric):
    """Matthews correlation for any number of classes, from the confusion matrix."""

    k: int
    lcm: numpy.ndarray
    gcm: numpy.ndarray

    def __init__(
        self,
        name: str = "pcc",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        has_global_stats: bool = True,
    ) -> None:
        self.k = 2
        super().__init__(
            name=name,
            output_names=output_names,
            label_names=label_names,
            has_global_stats=has_global_stats,
        )

    def _grow(self, more: int) -> None:
        self.lcm = numpy.pad(self.lcm, ((0, more), (0, more)), "constant")
        self.gcm = numpy.pad(self.gcm, ((0, more), (0, more)), "constant")
        self.k += more

    @staticmethod
    def _correlation(matrix: numpy.ndarray) -> Any:
        n = matrix.sum()
        by_found, by_wanted = matrix.sum(axis=1), matrix.sum(axis=0)
        found = numpy.sum(by_found * (n - by_found))
        wanted = numpy.sum(by_wanted * (n - by_wanted))
        if found != 0 and wanted != 0:
            both = numpy.sum(matrix.diagonal() * n - by_found * by_wanted)
            return both / (found * wanted) ** 0.5
        return float("nan")

    def update(self, labels: Any, preds: Any) -> None:
        """Add labels (batch,) and scores (batch, classes), or predicted classes."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=True):
            wanted = label.asnumpy().astype("int32")
            found = pred.asnumpy()
            if pred.shape != label.shape:
                found = found.argmax(axis=1)
            found = found.astype("int32")
            most = int(max(found.max(), wanted.max()))
            if most >= self.k:
                self._grow(most + 1 - self.k)
            counts = numpy.zeros((self.k, self.k))
            numpy.add.at(counts, (found.ravel(), wanted.ravel()), 1)
            self.lcm += counts
            self.gcm += counts
        self.num_inst += 1
        self.global_num_inst += 1

    @property
    def sum_metric(self) -> Any:
        """The correlation times the number of updates."""
        return self._correlation(self.lcm) * self.num_inst

    @property
    def global_sum_metric(self) -> Any:
        """The correlation since the last `reset`, times the number of updates."""
        return self._correlation(self.gcm) * self.global_num_inst

    def reset(self) -> None:
        """Forget everything."""
        self.global_num_inst = 0.0
        self.gcm = numpy.zeros((self.k, self.k))
        self.reset_local()

    def reset_local(self) -> None:
        """Forget what was gathered since the last `reset_local`."""
        self.num_inst = 0.0
        self.lcm = numpy.zeros((self.k, self.k))
