"""What a graph of MXNet's ends with: how an output is read, and the loss whose gradient it has."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


class SoftmaxHead(nn.Module):
    """Probabilities; the cross entropy with class numbers, summed over samples."""

    def __init__(
        self,
        label="softmax_label",
        grad_scale=1.0,
        ignore_label=-1,
        use_ignore=False,
        multi_output=False,
        preserve_shape=False,
        normalization="null",
    ):
        super().__init__()
        self.label, self.scale = label, grad_scale
        self.ignored = ignore_label if use_ignore else None
        self.axis = 1 if multi_output or not preserve_shape else -1
        self.normalization = normalization

    def forward(self, scores):
        return torch.softmax(scores, self.axis)

    def loss(self, scores, label):
        label = label.to(scores.device).long()
        if self.axis == 1 and scores.dim() > 2:
            label = label.reshape(len(scores), *scores.shape[2:])
        else:
            label = label.reshape(-1)
            scores = scores.reshape(-1, scores.shape[-1])
        ignored = -100 if self.ignored is None else int(self.ignored)
        loss = F.cross_entropy(scores, label, ignore_index=ignored, reduction="sum")
        if self.normalization == "valid":
            loss = loss / (label != ignored).sum().clamp(min=1)
        elif self.normalization == "batch":
            loss = loss / len(label)
        return self.scale * loss


class LinearHead(nn.Module):
    """The output itself; half the squared error, a mean over the features of a sample."""

    def __init__(self, label, grad_scale=1.0):
        super().__init__()
        self.label, self.scale = label, grad_scale

    def forward(self, prediction):
        return prediction

    def error(self, prediction, label):
        return (prediction - label).square().sum() / 2

    def loss(self, prediction, label):
        label = label.to(prediction.device).reshape(prediction.shape)
        features = label.numel() // len(label)
        return self.scale * self.error(prediction, label) / features


class LogisticHead(LinearHead):
    """The sigmoid; the binary cross entropy, a mean over the features of a sample."""

    def forward(self, prediction):
        return torch.sigmoid(prediction)

    def error(self, prediction, label):
        return F.binary_cross_entropy_with_logits(prediction, label, reduction="sum")


class AbsoluteHead(LinearHead):
    """The output itself; the absolute error, a mean over the features of a sample."""

    def error(self, prediction, label):
        return (prediction - label).abs().sum()


class LossHead(nn.Module):
    """An output that is a loss."""

    label = None

    def __init__(self, grad_scale=1.0, normalization="null"):
        super().__init__()
        self.scale, self.normalization = grad_scale, normalization

    def forward(self, value):
        return value

    def loss(self, value, label):
        total = self.scale * value.sum()
        return total / len(value) if self.normalization == "batch" else total


class ConstantHead(nn.Module):
    """An output that no gradient goes through."""

    label = None

    def forward(self, value):
        return value

    def loss(self, value, label):
        return 0.0


def with_scores(net, scores):
    """The heads of a net, with what goes into them."""
    heads = getattr(net, "heads", ())
    return list(zip(heads, scores, strict=True)) if heads else []
