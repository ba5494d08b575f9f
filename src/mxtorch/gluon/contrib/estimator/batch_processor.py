"""What the estimator does with one batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxtorch import autograd
from mxtorch._core.device import Context
from mxtorch.gluon.utils import split_and_load

__all__ = ["BatchProcessor"]

Lists = tuple[list[Any], list[Any], list[Any], list[Any]]


class BatchProcessor:
    """Forward and backward of a batch; subclasses do otherwise. Updates are a handler's affair."""

    def __init__(self) -> None:
        pass

    def _get_data_and_label(
        self, batch: Sequence[Any], ctx: Sequence[Context], batch_axis: int = 0
    ) -> tuple[list[Any], list[Any]]:
        """The batch's two arrays, in pieces on the contexts."""
        data, label = batch[0], batch[1]
        return (
            split_and_load(data, ctx_list=ctx, batch_axis=batch_axis),
            split_and_load(label, ctx_list=ctx, batch_axis=batch_axis),
        )

    def evaluate_batch(self, estimator: Any, val_batch: Any, batch_axis: int = 0) -> Lists:
        """(data, labels, predictions, losses), a list of each with a piece a context."""
        data, label = self._get_data_and_label(val_batch, estimator.context, batch_axis)
        pred = [estimator.val_net(x) for x in data]
        loss = [estimator.val_loss(p, y) for p, y in zip(pred, label, strict=True)]
        return data, label, pred, loss

    def fit_batch(self, estimator: Any, train_batch: Any, batch_axis: int = 0) -> Lists:
        """As `evaluate_batch`, recorded, with the losses' backward."""
        data, label = self._get_data_and_label(train_batch, estimator.context, batch_axis)
        with autograd.record():
            pred = [estimator.net(x) for x in data]
            loss = [estimator.loss(p, y) for p, y in zip(pred, label, strict=True)]
        for one in loss:
            one.backward()
        return data, label, pred, loss
