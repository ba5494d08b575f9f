"""Metrics of numbers: errors, likelihoods, correlation, losses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mxtorch._core.errors import MXNetAssertionError
from mxtorch._metric.base import (
    EvalMetric,
    alias,
    check_label_shapes,
    register,
    to_numpy,
)

Names = Sequence[str] | None


class _Error(EvalMetric):
    """The mean over batches of a batch's error."""

    def __init__(self, name: str, output_names: Names, label_names: Names) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    @staticmethod
    def _error(difference: np.ndarray) -> Any:
        raise NotImplementedError

    def update(self, labels: Any, preds: Any) -> None:
        """Take a batch into account."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=False):
            given, found = to_numpy(label), to_numpy(pred)
            given = given.reshape(-1, 1) if given.ndim == 1 else given
            found = found.reshape(-1, 1) if found.ndim == 1 else found
            self.add(self._error(given - found), 1)


@register
class MAE(_Error):
    """The mean absolute error, averaged over batches."""

    def __init__(
        self, name: str = "mae", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names)

    @staticmethod
    def _error(difference: np.ndarray) -> Any:
        return np.abs(difference).mean()


@register
class MSE(_Error):
    """The mean squared error, averaged over batches."""

    def __init__(
        self, name: str = "mse", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names)

    @staticmethod
    def _error(difference: np.ndarray) -> Any:
        return (difference**2.0).mean()


@register
class RMSE(_Error):
    """The root of each batch's mean squared error, averaged over batches."""

    def __init__(
        self, name: str = "rmse", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names)

    @staticmethod
    def _error(difference: np.ndarray) -> Any:
        return np.sqrt((difference**2.0).mean())


@register
class CrossEntropy(EvalMetric):
    """The mean of -log of the probability (plus `eps`) that the label got."""

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "cross-entropy",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(name, output_names, label_names, eps=eps, has_global_stats=True)
        self.eps = eps

    def update(self, labels: Any, preds: Any) -> None:
        """Take a batch into account."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=False):
            given, found = to_numpy(label).ravel(), to_numpy(pred)
            if given.shape[0] != found.shape[0]:
                raise MXNetAssertionError(
                    f"{given.shape[0]} labels do not match {found.shape[0]} predictions"
                )
            chosen = found[np.arange(given.shape[0]), np.int64(given)]
            self.add((-np.log(chosen + self.eps)).sum(), given.shape[0])


alias("ce")(CrossEntropy)


@register
class NegativeLogLikelihood(CrossEntropy):
    """The same under another name."""

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "nll-loss",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(eps, name, output_names, label_names)


alias("nll_loss")(NegativeLogLikelihood)


@register
class Perplexity(EvalMetric):
    """exp of the mean -log probability of the labels; `ignore_label` leaves items out."""

    def __init__(
        self,
        ignore_label: int | None,
        axis: int = -1,
        name: str = "perplexity",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(
            name, output_names, label_names, ignore_label=ignore_label, has_global_stats=True
        )
        self.ignore_label = ignore_label
        self.axis = axis

    def update(self, labels: Any, preds: Any) -> None:
        """Take a batch into account."""
        if len(labels) != len(preds):
            raise MXNetAssertionError(f"{len(labels)} labels came with {len(preds)} predictions")
        total, count = 0.0, 0
        for label, pred in zip(labels, preds, strict=True):
            found = to_numpy(pred)
            given = to_numpy(label).ravel().astype("int32")
            if given.size != found.size // found.shape[-1]:
                raise MXNetAssertionError(
                    f"shape mismatch: {to_numpy(label).shape} vs. {found.shape}"
                )
            rows = np.moveaxis(found, self.axis, -1).reshape(given.size, -1)
            chosen = rows[np.arange(given.size), given.clip(0, rows.shape[1] - 1)]
            if self.ignore_label is not None:
                ignored = given == self.ignore_label
                count -= int(ignored.sum())
                chosen = np.where(ignored, np.float32(1), chosen)
            total -= float(np.log(np.maximum(1e-10, chosen)).sum())
            count += given.size
        self.add(total, count)

    def get(self) -> tuple[str, float]:
        """(name, perplexity)."""
        name, value = super().get()
        return name, math.exp(value) if value == value else value

    def get_global(self) -> tuple[str, float]:
        """The same over everything since `reset`."""
        if not self.global_num_inst:
            return self.name, float("nan")
        return self.name, math.exp(self.global_sum_metric / self.global_num_inst)


@register
class PearsonCorrelation(EvalMetric):
    """Pearson's r: 'macro' the mean over batches, 'micro' of all values together."""

    def __init__(
        self,
        name: str = "pearsonr",
        output_names: Names = None,
        label_names: Names = None,
        average: str = "macro",
    ) -> None:
        self.average = average
        super().__init__(name, output_names, label_names, has_global_stats=True)
        self.reset_micro()

    def reset_micro(self) -> None:
        """Forget the pooled moments."""
        self._count = 0
        self._mean = np.zeros(2)
        self._moments = np.zeros((2, 2))

    def reset(self) -> None:
        """Forget everything."""
        super().reset()
        self.reset_micro()

    def update(self, labels: Any, preds: Any) -> None:
        """Take a batch into account."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=False):
            check_label_shapes(label, pred, False, True)
            given, found = to_numpy(label).ravel(), to_numpy(pred).ravel()
            if self.average == "macro":
                given, found = given.astype(np.float64), found.astype(np.float64)
                with np.errstate(invalid="ignore", divide="ignore"):
                    centred = found - found.mean(), given - given.mean()
                    spread = np.sqrt((centred[0] @ centred[0]) * (centred[1] @ centred[1]))
                    self.add((centred[0] @ centred[1]) / spread, 1)
            else:
                self.global_num_inst += 1
                self.num_inst += 1
                self._pool(np.stack([given, found]))

    def _pool(self, values: np.ndarray) -> None:
        """Chan's update of mean and second moments by a batch of pairs."""
        count = values.shape[1]
        mean = values.mean(axis=1)
        centred = values - mean[:, None]
        shift = mean - self._mean
        total = self._count + count
        self._moments += centred @ centred.T
        self._moments += np.outer(shift, shift) * self._count * count / total
        self._mean += shift * count / total
        self._count = total

    def get(self) -> tuple[str, Any]:
        """(name, correlation)."""
        if self.num_inst == 0 or self.average == "macro":
            return super().get()
        spread = math.sqrt(self._moments[0, 0] * self._moments[1, 1])
        return self.name, self._moments[0, 1] / spread


@register
class Loss(EvalMetric):
    """The mean over all elements of the outputs, whatever they are."""

    def __init__(
        self, name: str = "loss", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def update(self, _: Any, preds: Any) -> None:
        """Take a batch into account."""
        for pred in preds if isinstance(preds, (list, tuple)) else [preds]:
            self.add(pred.sum().asscalar(), pred.size)


@register
class Torch(Loss):
    """Loss under the name 'torch'."""

    def __init__(
        self, name: str = "torch", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names)


@register
class Caffe(Loss):
    """Loss under the name 'caffe'."""

    def __init__(
        self, name: str = "caffe", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names)


alias("pearsonr")(PearsonCorrelation)
