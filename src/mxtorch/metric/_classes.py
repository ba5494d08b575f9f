"""Metrics of classes and of probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from mxtorch.metric._base import (
    EvalMetric,
    alias,
    check_label_shapes,
    exponent,
    flat,
    register,
)


@register
@alias("acc")
class Accuracy(EvalMetric):
    """The share of labels that are predicted: classes, or scores along `axis`."""

    def __init__(
        self,
        axis: int = 1,
        name: str = "accuracy",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(
            name,
            axis=axis,
            output_names=output_names,
            label_names=label_names,
            has_global_stats=True,
        )
        self.axis = axis

    def update(self, labels: Any, preds: Any) -> None:
        """Add a batch; labels and predictions are lists or single arrays."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=True):
            if pred.shape != label.shape:
                pred = pred.argmax(axis=self.axis)
            found, wanted = flat(pred, "int32"), flat(label, "int32")
            check_label_shapes(wanted, found)
            self._add((found == wanted).sum(), len(found))


@register
@alias("top_k_accuracy", "top_k_acc")
class TopKAccuracy(EvalMetric):
    """The share of labels that are among the `top_k` highest scores."""

    def __init__(
        self,
        top_k: int = 1,
        name: str = "top_k_accuracy",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(
            name,
            top_k=top_k,
            output_names=output_names,
            label_names=label_names,
            has_global_stats=True,
        )
        self.top_k = top_k
        assert self.top_k > 1, "Please use Accuracy if top_k is no more than 1"
        self.name += f"_{self.top_k}"

    def update(self, labels: Any, preds: Any) -> None:
        """Add a batch of labels (batch,) and scores (batch, classes)."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=True):
            assert len(pred.shape) <= 2, "Predictions should be no more than 2 dims"
            # only which are the highest matters, not their order
            order = numpy.argpartition(pred.asnumpy().astype("float32"), -self.top_k)
            wanted = label.asnumpy().astype("int32")
            check_label_shapes(wanted, order)
            if order.ndim == 1:
                correct = (order.flat == wanted.flat).sum()
            else:
                count = min(order.shape[1], self.top_k)
                correct = sum(
                    (order[:, order.shape[1] - 1 - j].flat == wanted.flat).sum()
                    for j in range(count)
                )
            self._add(correct, order.shape[0])


@register
class Perplexity(EvalMetric):
    """exp of the mean -log probability of the labels; `ignore_label` is left out."""

    def __init__(
        self,
        ignore_label: int | None,
        axis: int = -1,
        name: str = "perplexity",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(
            name,
            ignore_label=ignore_label,
            output_names=output_names,
            label_names=label_names,
            has_global_stats=True,
        )
        self.ignore_label = ignore_label
        self.axis = axis

    def update(self, labels: Any, preds: Any) -> None:
        """Add lists of labels and of probabilities (…, classes)."""
        assert len(labels) == len(preds)
        loss, count = 0.0, 0
        for label, pred in zip(labels, preds, strict=True):
            assert label.size == pred.size / pred.shape[-1], (
                f"shape mismatch: {label.shape} vs. {pred.shape}"
            )
            label = label.as_in_context(pred.context).reshape((label.size,))
            chosen = pred.as_nd_ndarray().pick(label.as_nd_ndarray(), axis=self.axis).asnumpy()
            if self.ignore_label is not None:
                ignored = (label.asnumpy() == self.ignore_label).astype(chosen.dtype)
                count -= int(ignored.sum())
                chosen = chosen * (1 - ignored) + ignored
            loss -= float(numpy.log(numpy.maximum(1e-10, chosen)).sum())
            count += chosen.size
        self._add(loss, count)

    def get(self) -> tuple[Any, Any]:
        """(name, perplexity); nan before the first update."""
        return exponent(super().get(), self.num_inst)

    def get_global(self) -> tuple[Any, Any]:
        """(name, perplexity) since the last `reset`."""
        return exponent(super().get_global(), self.global_num_inst)


class _LogProbability(EvalMetric):
    """Base: the mean of -log(probability of the label + eps)."""

    def __init__(
        self,
        eps: float,
        name: str,
        output_names: Sequence[str] | None,
        label_names: Sequence[str] | None,
    ) -> None:
        super().__init__(
            name,
            eps=eps,
            output_names=output_names,
            label_names=label_names,
            has_global_stats=True,
        )
        self.eps = eps

    def update(self, labels: Any, preds: Any) -> None:
        """Add labels (batch,) and probabilities (batch, classes)."""
        labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=True):
            wanted, scores = flat(label), pred.asnumpy()
            assert wanted.shape[0] == scores.shape[0], (wanted.shape[0], scores.shape[0])
            chosen = scores[numpy.arange(wanted.shape[0]), numpy.int64(wanted)]
            self._add((-numpy.log(chosen + self.eps)).sum(), wanted.shape[0])


@register
@alias("ce")
class CrossEntropy(_LogProbability):
    """The mean of -log(probability of the label + eps)."""

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "cross-entropy",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(eps, name, output_names, label_names)


@register
@alias("nll_loss")
class NegativeLogLikelihood(_LogProbability):
    """The mean of -log(probability of the label + eps)."""

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "nll-loss",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(eps, name, output_names, label_names)
