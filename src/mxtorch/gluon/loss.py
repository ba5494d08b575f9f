"""Losses: one value for each sample of the batch, the mean over the sample's own axes.

`weight` multiplies every loss; `sample_weight` is an array that broadcasts to it.
"""

from __future__ import annotations

import math
from typing import Any

from mxtorch import ndarray
from mxtorch._core.modes import modes
from mxtorch._front.handle import is_handle, wrap
from mxtorch._ops.loss import class_losses
from mxtorch.gluon.block import HybridBlock

__all__ = [
    "CTCLoss",
    "CosineEmbeddingLoss",
    "HingeLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "L2Loss",
    "LogisticLoss",
    "Loss",
    "PoissonNLLLoss",
    "SDMLLoss",
    "SigmoidBCELoss",
    "SigmoidBinaryCrossEntropyLoss",
    "SoftmaxCELoss",
    "SoftmaxCrossEntropyLoss",
    "SquaredHingeLoss",
    "TripletLoss",
]


def _times(F: Any, a: Any, b: Any) -> Any:
    """a * b; arrays of `mx.np` may be of different types."""
    return a * b if modes.np_array else F.broadcast_mul(a, b)


def _apply_weighting(F: Any, loss: Any, weight: Any = None, sample_weight: Any = None) -> Any:
    """The loss times both weights, where they are given."""
    if sample_weight is not None:
        loss = _times(F, loss, sample_weight)
    if weight is not None:
        assert isinstance(weight, (int, float)), "weight must be a number"
        loss = loss * weight
    return loss


def _reshape_like(F: Any, x: Any, y: Any) -> Any:
    """x in the shape of y."""
    return x.reshape(y.shape) if F is ndarray else F.reshape_like(x, y)


class Loss(HybridBlock):
    """Base class: `weight` is a number or None, `batch_axis` the axis of the samples."""

    def __init__(self, weight: float | None, batch_axis: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._weight: Any = weight
        self._batch_axis = batch_axis

    def __repr__(self) -> str:
        return f"{type(self).__name__}(batch_axis={self._batch_axis}, w={self._weight})"

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """The loss of each sample."""
        raise NotImplementedError

    def _mean(self, F: Any, loss: Any, sample_weight: Any, weight: float | None) -> Any:
        loss = _apply_weighting(F, loss, weight, sample_weight)
        return F.mean(loss, axis=self._batch_axis, exclude=True)


class L2Loss(Loss):
    """Half of the squared difference."""

    _weight: float

    def __init__(self, weight: float = 1.0, batch_axis: int = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """pred and label of one size → (batch,)."""
        label = _reshape_like(F, label, pred)
        return self._mean(F, F.square(label - pred), sample_weight, self._weight / 2)


class L1Loss(Loss):
    """The absolute difference."""

    def __init__(self, weight: float | None = None, batch_axis: int = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """pred and label of one size → (batch,)."""
        label = _reshape_like(F, label, pred)
        return self._mean(F, F.abs(label - pred), sample_weight, self._weight)


class SigmoidBinaryCrossEntropyLoss(Loss):
    """Cross-entropy of two classes; `pred` is a logit, or with `from_sigmoid` a probability."""

    def __init__(
        self,
        from_sigmoid: bool = False,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_sigmoid = from_sigmoid

    def hybrid_forward(
        self, F: Any, pred: Any, label: Any, sample_weight: Any = None, pos_weight: Any = None
    ) -> Any:
        """pred and label of one size → (batch,); `pos_weight` multiplies the positive class."""
        label = _reshape_like(F, label, pred)
        if self._from_sigmoid:
            loss = self._from_probability(F, pred, label, pos_weight)
        elif pos_weight is None:
            # max(x, 0) - x * z + log(1 + exp(-|x|))
            loss = F.relu(pred) - pred * label + F.Activation(-F.abs(pred), act_type="softrelu")
        else:
            positive = 1 + _times(F, pos_weight - 1, label)
            rest = F.Activation(-F.abs(pred), act_type="softrelu") + F.relu(-pred)
            loss = pred - pred * label + positive * rest
        return self._mean(F, loss, sample_weight, self._weight)

    @staticmethod
    def _from_probability(F: Any, pred: Any, label: Any, pos_weight: Any) -> Any:
        eps = 1e-12
        positive = F.log(pred + eps) * label
        if pos_weight is not None:
            positive = _times(F, positive, pos_weight)
        return -(positive + F.log(1.0 - pred + eps) * (1.0 - label))


SigmoidBCELoss = SigmoidBinaryCrossEntropyLoss


class SoftmaxCrossEntropyLoss(Loss):
    """Cross-entropy of classes along `axis`; labels are class numbers, or distributions."""

    def __init__(
        self,
        axis: int = -1,
        sparse_label: bool = True,
        from_logits: bool = False,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._axis = axis
        self._sparse_label = sparse_label
        self._from_logits = from_logits

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """pred (batch, …, classes, …), labels without that axis or, dense, with it → (batch,)."""
        if F is ndarray and sample_weight is None and self._is_plain(pred, label):
            return wrap(pred._kind, class_losses(pred.live(), label.live()))
        if not self._from_logits:
            pred = F.log_softmax(pred, self._axis)
        if self._sparse_label:
            loss = -F.pick(pred, label, axis=self._axis, keepdims=True)
        else:
            label = _reshape_like(F, label, pred)
            loss = -F.sum(pred * label, axis=self._axis, keepdims=True)
        return self._mean(F, loss, sample_weight, self._weight)

    def _is_plain(self, pred: Any, label: Any) -> bool:
        """Whether it is one class number for each row of a matrix: then one call does it all."""
        if self._from_logits or not self._sparse_label or self._weight is not None:
            return False
        if self._batch_axis != 0 or self._axis not in (-1, 1) or not is_handle(label):
            return False
        kind, other, shape = pred._kind, label._kind, pred.shape
        if not kind.is_wide or kind.cls is not other.cls or kind.ctx is not other.ctx:
            return False
        return len(shape) == 2 and 0 not in shape and label.shape in (shape[:1], (shape[0], 1))


SoftmaxCELoss = SoftmaxCrossEntropyLoss


class KLDivLoss(Loss):
    """Kullback-Leibler divergence, summed (not averaged) over the sample's own axes."""

    def __init__(
        self,
        from_logits: bool = True,
        axis: int = -1,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits = from_logits
        self._axis = axis

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """pred (log-probabilities) and label (probabilities) of one shape → (batch,)."""
        if not self._from_logits:
            pred = F.log_softmax(pred, self._axis)
        loss = label * (F.log(label + 1e-12) - pred)
        loss = _apply_weighting(F, loss, self._weight, sample_weight)
        return F.sum(loss, axis=self._batch_axis, exclude=True)


class CTCLoss(Loss):
    """Connectionist temporal classification; the last class is the blank, -1 pads labels."""

    def __init__(
        self,
        layout: str = "NTC",
        label_layout: str = "NT",
        weight: float | None = None,
        **kwargs: Any,
    ) -> None:
        assert layout in ("NTC", "TNC"), (
            f"Only 'NTC' and 'TNC' layouts for pred are supported. Got: {layout}"
        )
        assert label_layout in ("NT", "TN"), (
            f"Only 'NT' and 'TN' layouts for label are supported. Got: {label_layout}"
        )
        self._layout = layout
        self._label_layout = label_layout
        super().__init__(weight, label_layout.find("N"), **kwargs)

    def hybrid_forward(
        self,
        F: Any,
        pred: Any,
        label: Any,
        pred_lengths: Any = None,
        label_lengths: Any = None,
        sample_weight: Any = None,
    ) -> Any:
        """pred before softmax in `layout`, labels in `label_layout` → (batch,)."""
        if self._layout == "NTC":
            pred = F.swapaxes(pred, 0, 1)
        if self._batch_axis == 1:
            label = F.swapaxes(label, 0, 1)
        lengths = [x for x in (pred_lengths, label_lengths) if x is not None]
        loss = F.CTCLoss(
            pred,
            label,
            *lengths,
            use_data_lengths=pred_lengths is not None,
            use_label_lengths=label_lengths is not None,
            blank_label="last",
        )
        return _apply_weighting(F, loss, self._weight, sample_weight)


class HuberLoss(Loss):
    """Squared below `rho` (divided by 2 rho), linear above."""

    def __init__(
        self,
        rho: float = 1,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._rho = rho

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """pred and label of one size → (batch,)."""
        label = _reshape_like(F, label, pred)
        loss = F.abs(label - pred)
        rho = self._rho
        loss = F.where(loss > rho, loss - 0.5 * rho, (0.5 / rho) * F.square(loss))
        return self._mean(F, loss, sample_weight, self._weight)


class HingeLoss(Loss):
    """max(0, margin - pred * label) for labels -1 and 1."""

    def __init__(
        self,
        margin: float = 1,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """pred and label of one size → (batch,)."""
        label = _reshape_like(F, label, pred)
        return self._mean(F, F.relu(self._margin - pred * label), sample_weight, self._weight)


class SquaredHingeLoss(Loss):
    """max(0, margin - pred * label) squared, for labels -1 and 1."""

    def __init__(
        self,
        margin: float = 1,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """pred and label of one size → (batch,)."""
        label = _reshape_like(F, label, pred)
        loss = F.square(F.relu(self._margin - pred * label))
        return self._mean(F, loss, sample_weight, self._weight)


class LogisticLoss(Loss):
    """log(1 + exp(-pred * label)) for labels -1 and 1, or with 'binary' 0 and 1."""

    def __init__(
        self,
        weight: float | None = None,
        batch_axis: int = 0,
        label_format: str = "signed",
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._label_format = label_format
        if label_format not in ("signed", "binary"):
            raise ValueError(f"label_format can only be signed or binary, received {label_format}.")

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """pred and label of one size → (batch,)."""
        label = _reshape_like(F, label, pred)
        if self._label_format == "signed":
            label = (label + 1.0) / 2.0
        loss = F.relu(pred) - pred * label + F.Activation(-F.abs(pred), act_type="softrelu")
        return self._mean(F, loss, sample_weight, self._weight)


class TripletLoss(Loss):
    """max(0, margin + |positive - pred|**2 - |negative - pred|**2), squares summed."""

    def __init__(
        self,
        margin: float = 1,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F: Any, pred: Any, positive: Any, negative: Any) -> Any:
        """Three arrays of one size → (batch,)."""
        positive = _reshape_like(F, positive, pred)
        negative = _reshape_like(F, negative, pred)
        loss = F.sum(
            F.square(positive - pred) - F.square(negative - pred),
            axis=self._batch_axis,
            exclude=True,
        )
        return _apply_weighting(F, F.relu(loss + self._margin), self._weight, None)


class PoissonNLLLoss(Loss):
    """Negative log-likelihood of counts; one number for the whole batch."""

    def __init__(
        self,
        weight: float | None = None,
        from_logits: bool = True,
        batch_axis: int = 0,
        compute_full: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits = from_logits
        self._compute_full = compute_full

    def hybrid_forward(
        self, F: Any, pred: Any, target: Any, sample_weight: Any = None, epsilon: float = 1e-08
    ) -> Any:
        """pred and target of one size → (1,)."""
        target = _reshape_like(F, target, pred)
        if self._from_logits:
            loss = F.exp(pred) - target * pred
        else:
            loss = pred - target * F.log(pred + epsilon)
        if self._compute_full:
            # Stirling's formula for log(target!), from 2 on
            factorial = target * F.log(target) - target + 0.5 * F.log(2 * target * math.pi)
            loss = loss + factorial * (target > 1)
        return F.mean(_apply_weighting(F, loss, self._weight, sample_weight))


class CosineEmbeddingLoss(Loss):
    """1 - cosine for pairs labelled 1, max(0, cosine - margin) for pairs labelled -1."""

    def __init__(
        self,
        weight: float | None = None,
        batch_axis: int = 0,
        margin: float = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(
        self, F: Any, input1: Any, input2: Any, label: Any, sample_weight: Any = None
    ) -> Any:
        """Two arrays (batch, features) and labels (batch,) → (batch, 1)."""
        input1 = _reshape_like(F, input1, input2)
        label = F.reshape(label, shape=(-1, 1))
        cosine = self._cosine_similarity(F, input1, input2)
        alike = (1 - cosine) * (label == 1)
        floor = F.zeros((1, 1), dtype="float32")
        unlike = F.broadcast_maximum(floor, (label == -1) * (cosine - self._margin))
        return _apply_weighting(F, alike + unlike, self._weight, sample_weight)

    def _cosine_similarity(self, F: Any, x: Any, y: Any, axis: int = -1) -> Any:
        x_norm = F.norm(x, axis=axis).reshape((-1, 1))
        y_norm = F.norm(y, axis=axis).reshape((-1, 1))
        product = F.sum(x * y, axis=axis).reshape((-1, 1))
        norms = x_norm * y_norm
        floor = F.full((1, 1), 1e-12)
        return product / F.broadcast_maximum(norms, floor)


class SDMLLoss(Loss):
    """Smoothed deep metric learning: the rows of a batch are each other's negatives.

    `smoothing_parameter` is the probability that is spread over the negatives. Arrays only: the
    batch's size must be known, so it cannot be traced to a symbol.
    """

    def __init__(
        self,
        smoothing_parameter: float = 0.3,
        weight: float = 1.0,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self.kl_loss = KLDivLoss(from_logits=True)
        self.smoothing_parameter = smoothing_parameter

    def hybrid_forward(self, F: Any, x1: Any, x2: Any) -> Any:
        """Two arrays (batch, features) whose rows belong together → (batch,)."""
        size = x1.shape[0]
        distances = F.sum(
            F.square(F.broadcast_sub(F.expand_dims(x1, 1), F.expand_dims(x2, 0))), axis=2
        )
        gold = F.eye(size, ctx=x1.context)
        spread = self.smoothing_parameter / (size - 1)
        labels = gold * (1 - self.smoothing_parameter) + (1 - gold) * spread
        return self.kl_loss(F.log_softmax(-distances, axis=1), labels)
