"""Metrics with `update(labels, preds)`, `get()` and `reset()`."""

from __future__ import annotations

import math

import torch


class Metric:
    """A mean of what `update` was given since `reset`; `get` gives it with its name."""

    def __init__(self, name, **options):
        self.name = str(name)
        vars(self).update(options)
        self.reset()

    def reset(self):
        self.sum_metric, self.num_inst = 0.0, 0

    def update(self, labels, preds):
        labels = labels if isinstance(labels, (list, tuple)) else [labels]
        preds = preds if isinstance(preds, (list, tuple)) else [preds]
        for label, pred in zip(labels, preds, strict=True):
            total, count = self.score(label.detach(), pred.detach())
            self.sum_metric += float(total)
            self.num_inst += count

    def get(self):
        return self.name, self.sum_metric / self.num_inst if self.num_inst else float("nan")

    def get_name_value(self):
        names, values = self.get()
        if isinstance(names, list):
            return list(zip(names, values, strict=True))
        return [(names, values)]

    def __str__(self):
        return f"EvalMetric: { {name: float(value) for name, value in self.get_name_value()} }"


def check_label_shapes(labels, preds, wrap=False, shape=False):
    """Labels and predictions, as many of the one as of the other."""
    counts = [tuple(part.shape) if shape else len(part) for part in (labels, preds)]
    if counts[0] != counts[1]:
        raise ValueError(f"labels {counts[0]} and predictions {counts[1]} do not fit")
    if wrap:
        return tuple([p] if isinstance(p, torch.Tensor) else p for p in (labels, preds))
    return labels, preds


class Accuracy(Metric):
    """The share of right class numbers."""

    def __init__(self, axis=1, name="accuracy"):
        super().__init__(name, axis=axis)

    def score(self, label, pred):
        if pred.shape != label.shape:
            pred = pred.argmax(self.axis)
        return (pred.flatten().int() == label.flatten().int()).sum(), label.numel()


class TopKAccuracy(Metric):
    """The share of class numbers among the `top_k` highest scores."""

    def __init__(self, top_k, name="top_k_accuracy"):
        super().__init__(f"{name}_{top_k}", top_k=top_k)

    def score(self, label, pred):
        best = pred.topk(min(self.top_k, pred.shape[1]), dim=1).indices
        return (best == label.reshape(-1, 1)).sum(), len(pred)


class CrossEntropy(Metric):
    """The mean of -log of the probability of the right class."""

    def __init__(self, eps=1e-12, name="cross-entropy"):
        super().__init__(name, eps=eps)

    def score(self, label, pred):
        chosen = pred.gather(1, label.long().reshape(-1, 1))
        return -(chosen + self.eps).log().sum(), len(pred)


class Perplexity(Metric):
    """exp of the mean of -log of the probability of the right class."""

    def __init__(self, ignore_label=None, axis=-1, name="perplexity"):
        super().__init__(name, ignore_label=ignore_label, axis=axis)

    def score(self, label, pred):
        pred = pred.movedim(self.axis, -1).reshape(-1, pred.shape[self.axis])
        label = label.long().flatten()
        chosen = pred.gather(1, label.reshape(-1, 1)).flatten()
        if self.ignore_label is not None:
            chosen = chosen[label != self.ignore_label]
        return -chosen.clamp(min=1e-10).log().sum(), chosen.numel()

    def get(self):
        name, value = super().get()
        return name, math.exp(value)


class Regression(Metric):
    """The mean over batches of an error of `label - pred`."""

    def __init__(self, name, error):
        super().__init__(name, error=error)

    def score(self, label, pred):
        label = label.reshape(-1, 1) if label.dim() == 1 else label
        pred = pred.reshape(-1, 1) if pred.dim() == 1 else pred
        return self.error(label - pred), 1


class MAE(Regression):
    """The mean over batches of the mean absolute error."""

    def __init__(self, name="mae"):
        super().__init__(name, lambda gap: gap.abs().mean())


class MSE(Regression):
    """The mean over batches of the mean squared error."""

    def __init__(self, name="mse"):
        super().__init__(name, lambda gap: gap.square().mean())


class RMSE(Regression):
    """The mean over batches of the root of the mean squared error."""

    def __init__(self, name="rmse"):
        super().__init__(name, lambda gap: gap.square().mean().sqrt())


class PearsonCorrelation(Metric):
    """The mean over batches of Pearson's correlation."""

    def __init__(self, name="pearsonr"):
        super().__init__(name)

    def score(self, label, pred):
        return torch.corrcoef(torch.stack([label.flatten(), pred.flatten()]))[0, 1], 1


class F1(Metric):
    """F1 of class 1: the mean over batches, or of all samples together (`average="micro"`)."""

    def __init__(self, name="f1", average="macro"):
        super().__init__(name, average=average)

    def reset(self):
        super().reset()
        self.right = self.found = self.wanted = 0

    def score(self, label, pred):
        found, wanted = pred.argmax(1) == 1, label.flatten() == 1
        self.right += (found & wanted).sum().item()
        self.found += found.sum().item()
        self.wanted += wanted.sum().item()
        value = 2 * self.right / max(self.found + self.wanted, 1)
        if self.average != "macro":
            self.sum_metric = self.num_inst = 0
            return value * len(label), len(label)
        self.right = self.found = self.wanted = 0
        return value, 1


class MCC(Metric):
    """Matthews' correlation of two classes: the mean over batches, or of all samples together."""

    def __init__(self, name="mcc", average="macro"):
        super().__init__(name, average=average)

    def reset(self):
        super().reset()
        self.counts = torch.zeros(2, 2, dtype=torch.float64)

    def score(self, label, pred):
        pairs = 2 * (label.flatten() == 1).int() + (pred.argmax(1) == 1).int()
        self.counts += torch.bincount(pairs.cpu(), minlength=4).reshape(2, 2)
        (tn, fp), (fn, tp) = self.counts.tolist()
        scale = 1.0
        for term in (tp + fp, tp + fn, tn + fp, tn + fn):
            scale *= term or 1.0
        value = (tp * tn - fp * fn) / math.sqrt(scale) if self.counts.sum() else 0.0
        if self.average != "macro":
            count = self.counts.sum().item()
            self.sum_metric = self.num_inst = 0
            return value * count, count
        self.counts.zero_()
        return value, 1


class Loss(Metric):
    """The mean of all elements of what is given as predictions."""

    def __init__(self, name="loss"):
        super().__init__(name)

    def update(self, labels, preds):
        for pred in preds if isinstance(preds, (list, tuple)) else [preds]:
            self.sum_metric += pred.detach().sum().item()
            self.num_inst += pred.numel()


class CustomMetric(Metric):
    """The mean over batches of `function(label, pred)`, both NumPy arrays."""

    def __init__(self, function, name=None):
        super().__init__(name or function.__name__, function=function)

    def score(self, label, pred):
        found = self.function(label.cpu().numpy(), pred.cpu().numpy())
        return found if isinstance(found, tuple) else (found, 1)


class CompositeMetric(Metric):
    """Several metrics of the same labels and predictions."""

    def __init__(self, metrics=(), name="composite"):
        super().__init__(name, metrics=list(metrics))

    def add(self, metric):
        self.metrics.append(metric)

    def reset(self):
        for metric in self.metrics:
            metric.reset()

    def update(self, labels, preds):
        for metric in self.metrics:
            metric.update(labels, preds)

    def get(self):
        return [m.get()[0] for m in self.metrics], [m.get()[1] for m in self.metrics]
