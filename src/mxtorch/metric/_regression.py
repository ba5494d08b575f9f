"""Metrics of numbers: errors and correlation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from mxtorch.metric._base import EvalMetric, alias, check_label_shapes, flat, register


class _Error(EvalMetric):
    """Base: the mean over batches of an error of each batch."""

    def __init__(
        self,
        name: str,
        output_names: Sequence[str] | None,
        label_names: Sequence[str] | None,
    ) -> None:
        super().__init__(
            name, output_names=output_names, label_names=label_names, has_global_stats=True
        )

    def _error(self, difference: numpy.ndarray) -> Any:
        raise NotImplementedError

    def update(self, labels: Any, preds: Any) -> None:
        """Add a batch; labels and predictions are lists or single arrays."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=True):
            wanted, found = label.asnumpy(), pred.asnumpy()
            if wanted.ndim == 1:
                wanted = wanted.reshape(-1, 1)
            if found.ndim == 1:
                found = found.reshape(-1, 1)
            self._add(self._error(wanted - found), 1)


@register
class MAE(_Error):
    """The mean absolute error."""

    def __init__(
        self,
        name: str = "mae",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names)

    def _error(self, difference: numpy.ndarray) -> Any:
        return numpy.abs(difference).mean()


@register
class MSE(_Error):
    """The mean squared error."""

    def __init__(
        self,
        name: str = "mse",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names)

    def _error(self, difference: numpy.ndarray) -> Any:
        return (difference**2.0).mean()


@register
class RMSE(_Error):
    """The mean over batches of the root of the mean squared error."""

    def __init__(
        self,
        name: str = "rmse",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names)

    def _error(self, difference: numpy.ndarray) -> Any:
        return numpy.sqrt((difference**2.0).mean())


@register
@alias("pearsonr")
class PearsonCorrelation(EvalMetric):
    """Pearson's correlation: 'macro' is the mean over batches, 'micro' that of all samples."""

    def __init__(
        self,
        name: str = "pearsonr",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        average: str = "macro",
    ) -> None:
        self.average = average
        super().__init__(
            name, output_names=output_names, label_names=label_names, has_global_stats=True
        )
        if self.average == "micro":
            self.reset_micro()

    def reset_micro(self) -> None:
        """Forget the sums over all samples."""
        self._sse_p: Any = 0
        self._mean_p: Any = 0
        self._sse_l: Any = 0
        self._mean_l: Any = 0
        self._pred_nums: Any = 0
        self._label_nums: Any = 0
        self._conv: Any = 0

    def reset(self) -> None:
        """Forget everything."""
        super().reset()
        if self.average == "micro":
            self.reset_micro()

    def update_variance(self, new_values: Any, *aggregate: Any) -> Any:
        """(count, mean, sum of squared deviations) with more values in it."""
        count, mean, deviations = aggregate
        count += len(new_values)
        delta = new_values - mean
        mean += numpy.sum(delta / count)
        deviations += numpy.sum(delta * (new_values - mean))
        return count, mean, deviations

    def update_cov(self, label: Any, pred: Any) -> None:
        """Add to the sum of products of deviations."""
        self._conv = self._conv + numpy.sum((label - self._mean_l) * (pred - self._mean_p))

    def update(self, labels: Any, preds: Any) -> None:
        """Add a batch; labels and predictions have one shape."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=True):
            check_label_shapes(label, pred, False, True)
            wanted, found = flat(label), flat(pred)
            if self.average == "macro":
                self._add(_correlation(found, wanted), 1)
            else:
                wanted, found = wanted.astype(numpy.float64), found.astype(numpy.float64)
                self.global_num_inst += 1
                self.num_inst += 1
                self._label_nums, self._mean_l, self._sse_l = self.update_variance(
                    wanted, self._label_nums, self._mean_l, self._sse_l
                )
                self.update_cov(wanted, found)
                self._pred_nums, self._mean_p, self._sse_p = self.update_variance(
                    found, self._pred_nums, self._mean_p, self._sse_p
                )

    def get(self) -> tuple[Any, Any]:
        """(name, correlation); nan before the first update."""
        if self.num_inst == 0:
            return self.name, float("nan")
        if self.average == "macro":
            return self.name, self.sum_metric / self.num_inst
        n = self._label_nums
        covariance = self._conv / (n - 1)
        spread = numpy.sqrt(self._sse_p / (n - 1)) * numpy.sqrt(self._sse_l / (n - 1))
        return self.name, numpy.float64(covariance / spread)


def _correlation(one: numpy.ndarray, other: numpy.ndarray) -> Any:
    """Pearson's correlation of two vectors; nan where one of them is constant."""
    a, b = (v.astype(numpy.float64) - v.mean(dtype=numpy.float64) for v in (one, other))
    with numpy.errstate(invalid="ignore", divide="ignore"):
        return numpy.clip((a @ b) / numpy.sqrt((a @ a) * (b @ b)), -1, 1)
