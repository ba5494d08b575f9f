"""A training loop as an object, and the events that its handlers are told of."""

from __future__ import annotations

import copy
import logging

import torch


class TrainBegin:
    def train_begin(self, estimator, *args, **kwargs):
        """Training begins."""


class TrainEnd:
    def train_end(self, estimator, *args, **kwargs):
        """Training has ended."""


class EpochBegin:
    def epoch_begin(self, estimator, *args, **kwargs):
        """An epoch begins."""


class EpochEnd:
    def epoch_end(self, estimator, *args, **kwargs):
        """An epoch has ended; True ends the training."""


class BatchBegin:
    def batch_begin(self, estimator, *args, **kwargs):
        """A batch begins: `batch`."""


class BatchEnd:
    def batch_end(self, estimator, *args, **kwargs):
        """A batch has ended: `batch`, `pred`, `label`, `loss`; True ends the training."""


class Estimator:
    """Trains a net with a loss; measures what comes out, before and after each epoch."""

    def __init__(self, net, loss, train_metrics=None, val_metrics=None, trainer=None, device=None):
        self.net = net if device is None else net.to(device)
        self.loss, self.trainer, self.device = loss, trainer, device
        given = train_metrics if isinstance(train_metrics, (list, tuple)) else [train_metrics]
        self.train_metrics = [m for m in given if m is not None]
        self.val_metrics = val_metrics if isinstance(val_metrics, (list, tuple)) else [val_metrics]
        if val_metrics is None:
            self.val_metrics = [copy.deepcopy(m) for m in self.train_metrics]
        for kind, metrics in (("training", self.train_metrics), ("validation", self.val_metrics)):
            for metric in metrics:
                metric.name = f"{kind} {metric.name}"

    def tell(self, event, **facts):
        """Tell the handlers that know an event; whether one of them wants to stop."""
        told = [getattr(h, event)(self, **facts) for h in self.handlers if hasattr(h, event)]
        return any(told)

    def batch(self, batch):
        """The two parts of a batch, where the net is."""
        return [torch.as_tensor(part).to(self.device) for part in batch[:2]]

    def fit(self, train_data, val_data=None, epochs=None, event_handlers=None, batches=None):
        """Train for some epochs, or some batches."""
        self.handlers = list(event_handlers or [])
        self.tell("train_begin")
        epoch, seen, stops = 0, 0, False
        while not stops and (epoch < epochs if epochs is not None else seen < batches):
            self.tell("epoch_begin")
            for metric in self.train_metrics:
                metric.reset()
            for batch in train_data:
                if stops or seen == batches:
                    break
                stops = self.train_batch(batch)
                seen += 1
            if val_data is not None:
                self.evaluate(val_data)
            self.report(epoch, self.train_metrics)
            stops = self.tell("epoch_end") or stops
            epoch += 1
        self.tell("train_end")

    def train_batch(self, batch):
        """One step; whether a handler wants to stop."""
        self.tell("batch_begin", batch=batch)
        data, label = self.batch(batch)
        self.net.train()
        pred = self.net(data)
        loss = self.loss(pred, label)
        self.trainer.zero_grad()
        (loss.sum() / len(data)).backward()
        self.trainer.step()
        for metric in self.train_metrics:
            metric.update([label], [loss if "loss" in metric.name else pred])
        return self.tell("batch_end", batch=batch, pred=[pred], label=[label], loss=[loss])

    @torch.no_grad()
    def evaluate(self, val_data):
        """Measure on other data."""
        self.net.eval()
        for metric in self.val_metrics:
            metric.reset()
        for batch in val_data:
            data, label = self.batch(batch)
            pred = self.net(data)
            for metric in self.val_metrics:
                found = self.loss(pred, label) if "loss" in metric.name else pred
                metric.update([label], [found])
        self.report(None, self.val_metrics)

    def report(self, epoch, metrics):
        """Log what was measured."""
        values = ", ".join("{}: {:.4f}".format(*metric.get()) for metric in metrics)
        logging.info("%s%s", "" if epoch is None else f"[Epoch {epoch}] ", values)
