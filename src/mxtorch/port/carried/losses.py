"""Gluon's losses: one value a sample, with a weight of the loss and of the elements."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


def weighted(loss, weight=None, sample_weight=None):
    """A loss times a weight of its elements and a weight of all."""
    if sample_weight is not None:
        loss = loss * sample_weight
    return loss if weight is None else loss * weight


class SampleLoss(nn.Module):
    """A loss with one value a sample."""

    def __init__(self, weight=None, batch_axis=0):
        super().__init__()
        self._weight, self._batch_axis = weight, batch_axis

    def by_sample(self, loss, sample_weight=None):
        loss = weighted(loss, self._weight, sample_weight)
        loss = loss.transpose(0, self._batch_axis)
        return loss.reshape(len(loss), -1).mean(1)


class L2Loss(SampleLoss):
    """Half the squared error."""

    def forward(self, pred, label, sample_weight=None):
        return self.by_sample(0.5 * (pred - label.reshape(pred.shape)).square(), sample_weight)


class L1Loss(SampleLoss):
    """The absolute error."""

    def forward(self, pred, label, sample_weight=None):
        return self.by_sample((pred - label.reshape(pred.shape)).abs(), sample_weight)


class HuberLoss(SampleLoss):
    """Half the squared error by `rho` up to `rho`, the absolute error beyond."""

    def __init__(self, rho=1, weight=None, batch_axis=0):
        super().__init__(weight, batch_axis)
        self._rho = rho

    def forward(self, pred, label, sample_weight=None):
        label = label.reshape(pred.shape)
        loss = F.smooth_l1_loss(pred, label, beta=self._rho, reduction="none")
        return self.by_sample(loss, sample_weight)


class SoftmaxLoss(SampleLoss):
    """Cross entropy of class scores and class numbers."""

    def __init__(self, axis=-1, sparse_label=True, from_logits=False, weight=None, batch_axis=0):
        super().__init__(weight, batch_axis)
        self._axis, self._sparse, self._from_logits = axis, sparse_label, from_logits

    def forward(self, pred, label, sample_weight=None):
        if not self._from_logits:
            pred = pred.log_softmax(self._axis)
        if self._sparse:
            shape = list(pred.shape)
            shape[self._axis] = 1
            loss = -pred.gather(self._axis, label.long().reshape(shape))
        else:
            loss = -(pred * label.reshape(pred.shape)).sum(self._axis, keepdim=True)
        return self.by_sample(loss, sample_weight)


class SigmoidBCELoss(SampleLoss):
    """Binary cross entropy of scores, or of probabilities if `from_sigmoid`."""

    def __init__(self, from_sigmoid=False, weight=None, batch_axis=0):
        super().__init__(weight, batch_axis)
        self._from_sigmoid = from_sigmoid

    def forward(self, pred, label, sample_weight=None, pos_weight=None):
        label = label.reshape(pred.shape).to(pred.dtype)
        if self._from_sigmoid:
            positive = 1.0 if pos_weight is None else pos_weight
            loss = -(pred + 1e-12).log() * label * positive
            loss = loss - (1 - pred + 1e-12).log() * (1 - label)
        else:
            loss = F.binary_cross_entropy_with_logits(
                pred, label, pos_weight=pos_weight, reduction="none"
            )
        return self.by_sample(loss, sample_weight)


class KLDivLoss(SampleLoss):
    """The divergence of distributions; `pred` is logarithms if `from_logits`."""

    def __init__(self, from_logits=True, axis=-1, weight=None, batch_axis=0):
        super().__init__(weight, batch_axis)
        self._from_logits, self._axis = from_logits, axis

    def forward(self, pred, label, sample_weight=None):
        if not self._from_logits:
            pred = pred.log_softmax(self._axis)
        loss = label * ((label + 1e-12).log() - pred)
        return self.by_sample(loss, sample_weight) * (loss.numel() / len(loss))


class HingeLoss(SampleLoss):
    """What is missing to the margin, for labels -1 and 1."""

    power = 1

    def __init__(self, margin=1, weight=None, batch_axis=0):
        super().__init__(weight, batch_axis)
        self._margin = margin

    def forward(self, pred, label, sample_weight=None):
        missing = (self._margin - pred * label.reshape(pred.shape)).clamp(min=0)
        return self.by_sample(missing**self.power, sample_weight)


class SquaredHingeLoss(HingeLoss):
    """The square of what is missing to the margin."""

    power = 2


class LogisticLoss(SampleLoss):
    """Binary cross entropy of scores, for labels -1 and 1, or 0 and 1 if `binary`."""

    def __init__(self, weight=None, batch_axis=0, label_format="signed"):
        super().__init__(weight, batch_axis)
        self._signed = label_format == "signed"

    def forward(self, pred, label, sample_weight=None):
        label = label.reshape(pred.shape).to(pred.dtype)
        label = (label + 1) / 2 if self._signed else label
        loss = F.binary_cross_entropy_with_logits(pred, label, reduction="none")
        return self.by_sample(loss, sample_weight)


class TripletLoss(SampleLoss):
    """How much nearer, in squares, the positive should be than the negative."""

    def __init__(self, margin=1, weight=None, batch_axis=0):
        super().__init__(weight, batch_axis)
        self._margin = margin

    def forward(self, pred, positive, negative, sample_weight=None):
        positive, negative = positive.reshape(pred.shape), negative.reshape(pred.shape)
        far = (
            ((positive - pred).square() - (negative - pred).square()).reshape(len(pred), -1).sum(1)
        )
        loss = (far + self._margin).clamp(min=0)
        if sample_weight is not None:
            loss = loss * sample_weight
        return loss if self._weight is None else loss * self._weight


class CosineEmbeddingLoss(SampleLoss):
    """One minus the cosine where the label is 1, the cosine above the margin where it is -1."""

    def __init__(self, weight=None, batch_axis=0, margin=0):
        super().__init__(weight, batch_axis)
        self._margin = margin

    def forward(self, input1, input2, label, sample_weight=None):
        cosine = F.cosine_similarity(input1, input2.reshape(input1.shape), dim=-1).unsqueeze(1)
        label = label.reshape(-1, 1)
        loss = torch.where(label == 1, 1 - cosine, (cosine - self._margin).clamp(min=0))
        if sample_weight is not None:
            loss = loss * sample_weight
        return loss if self._weight is None else loss * self._weight


class PoissonNLLLoss(SampleLoss):
    """The negative log likelihood of counts, one value for all."""

    def __init__(self, weight=None, from_logits=True, batch_axis=0, compute_full=False):
        super().__init__(weight, batch_axis)
        self._from_logits, self._full = from_logits, compute_full

    def forward(self, pred, target, sample_weight=None, epsilon=1e-08):
        loss = F.poisson_nll_loss(
            pred, target.reshape(pred.shape), self._from_logits, self._full,
            eps=epsilon, reduction="none",
        )  # fmt: skip
        if sample_weight is not None:
            loss = loss * sample_weight
        return (loss if self._weight is None else loss * self._weight).mean()


def smooth_l1(data, scalar=1.0):
    """Half the square of `scalar` times `data` near 0, and the distance from 0 elsewhere."""
    zero = torch.zeros_like(data)
    return F.smooth_l1_loss(data, zero, reduction="none", beta=1 / scalar**2)


class CTCLoss(SampleLoss):
    """Of texts in a longer sequence; the last class is the blank, -1 fills labels up."""

    def __init__(self, layout="NTC", label_layout="NT", weight=None):
        super().__init__(weight)
        self._time_first, self._label_time_first = layout == "TNC", label_layout == "TN"

    def forward(self, pred, label, pred_lengths=None, label_lengths=None, sample_weight=None):
        pred = pred if self._time_first else pred.transpose(0, 1)
        label = label.t() if self._label_time_first else label
        if pred_lengths is None:
            pred_lengths = torch.full((pred.shape[1],), pred.shape[0])
        if label_lengths is None:
            label_lengths = (label >= 0).cumprod(1).sum(1)
        loss = F.ctc_loss(
            pred.log_softmax(-1),
            label.long().clamp(min=0),
            pred_lengths.long(),
            label_lengths.long(),
            blank=pred.shape[-1] - 1,
            reduction="none",
        )
        loss = loss if sample_weight is None else loss * sample_weight
        return loss if self._weight is None else loss * self._weight
