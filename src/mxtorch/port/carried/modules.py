"""Training of a net whose outputs have heads: `fit`, `score`, `predict`, and their single steps."""

from __future__ import annotations

import logging
import time
from types import SimpleNamespace

import torch
from torch import nn

from mxtorch.port.carried.files import load_params, read_arrays, save_checkpoint
from mxtorch.port.carried.heads import with_scores
from mxtorch.port.helpers import initialize, parameters_by_name, running_statistics


class ModuleTrainer:
    """A net, its optimizer, and the outputs and the loss of the last batch."""

    def __init__(self, net, data_names=("data",), label_names=("softmax_label",), logger=logging):
        self.net, self.logger = net, logger
        self.data_names, self.label_names = list(data_names), list(label_names or [])
        self.device = next((p.device for p in net.parameters()), torch.device("cpu"))
        self.optimizer = None
        self.batch_size, self.is_bound, self.is_filled = 1, False, False
        self.for_training, self.states = True, None
        self.scores, self.outputs = (), []

    def bind(self, data_shapes, label_shapes=None, for_training=True):
        """Give lazy layers their shapes; the first axis is the batch."""
        shapes = [s if isinstance(s[0], str) else ("data", s) for s in data_shapes]
        self.batch_size = shapes[0][1][0]
        self.is_bound, self.for_training = True, for_training
        if any(isinstance(p, nn.UninitializedParameter) for p in self.net.parameters()):
            was = self.net.training
            with torch.no_grad():
                self.net.eval()
                self.try_out([torch.zeros(tuple(s[1]), device=self.device) for s in shapes])
            self.net.train(was)

    def try_out(self, zeros):
        """Run the net once."""
        self.net(*zeros)

    def init_params(
        self, weight_init, arg_params=None, aux_params=None, allow_missing=False, force_init=False
    ):
        """Fill what is not given; again only with `force_init`."""
        if self.is_filled and not force_init:
            return
        if not self.is_filled:
            initialize(self.net, weight_init)
            for module in self.net.modules():
                if hasattr(module, "forget_bias"):  # cells of which `named_cell` knows it
                    module.bias_ih.data.chunk(4)[1].fill_(module.forget_bias)
        self.is_filled = True
        self.set_params(arg_params, aux_params)

    def set_params(self, arg_params, aux_params=None, allow_missing=False, allow_extra=False):
        """Copy values by Gluon's names into parameters and running statistics."""
        own = {**parameters_by_name(self.net), **running_statistics(self.net)}
        with torch.no_grad():
            for name, value in {**(arg_params or {}), **(aux_params or {})}.items():
                value = torch.as_tensor(value)
                if name not in own and allow_extra:
                    continue
                if nn.parameter.is_lazy(own[name]):
                    own[name].materialize(value.shape)
                own[name].copy_(value.reshape(own[name].shape))
        self.is_filled = True

    def get_params(self):
        """Copies of the parameters and of the running statistics, by Gluon's names."""
        found = parameters_by_name(self.net), running_statistics(self.net)
        return tuple({k: v.detach().clone() for k, v in part.items()} for part in found)

    def init_optimizer(self, make, scale=None, clip=None):
        """`make` makes the optimizer of groups of parameters, biases without decay.

        Gradients count `scale`, or 1 / batch size; then they are cut at `clip`.
        """
        own = parameters_by_name(self.net).items()
        weights = [p for name, p in own if name.endswith(("weight", "gamma"))]
        others = [p for name, p in own if not name.endswith(("weight", "gamma"))]
        self.optimizer = make([{"params": weights}, {"params": others, "weight_decay": 0.0}])
        self.scale = 1 / self.batch_size if scale is None else scale
        self.clip = clip
        if self.states is not None:
            self.optimizer.load_state_dict(self.states)

    def forward(self, batch, is_train=None):
        """Compute the outputs of a batch."""
        is_train = self.for_training if is_train is None else is_train
        self.net.train(is_train)
        with torch.set_grad_enabled(is_train):
            found = self.compute(batch)
        self.scores = found if isinstance(found, tuple) else (found,)
        with torch.no_grad():
            heads = with_scores(self.net, self.scores)
            self.outputs = [h(s) for h, s in heads] or list(self.scores)
        self.labels = dict(zip(self.label_names, batch.label or [], strict=False))

    def compute(self, batch):
        """The net's scores of a batch."""
        return self.net(*(torch.as_tensor(a).to(self.device) for a in batch.data))

    def get_outputs(self):
        """The outputs of the last batch, as the heads give them."""
        return self.outputs

    def backward(self, out_grads=None):
        """Compute gradients: of the heads' losses, or from gradients of the outputs."""
        self.net.zero_grad()
        if out_grads is not None:
            torch.autograd.backward(self.scores, out_grads)
            return
        heads = with_scores(self.net, self.scores)
        loss = sum(h.loss(s, self.labels.get(h.label)) for h, s in heads)
        (loss * self.scale).backward()

    def update(self):
        """One step of the optimizer."""
        if self.clip is not None:
            nn.utils.clip_grad_value_(self.net.parameters(), self.clip)
        self.optimizer.step()

    def forward_backward(self, batch):
        """Outputs and gradients of a batch."""
        self.forward(batch, is_train=True)
        self.backward()

    def update_metric(self, metric, labels):
        """Count the last batch."""
        metric.update([torch.as_tensor(a) for a in labels], self.get_outputs())

    def fit(
        self,
        train_data,
        make,
        weight_init,
        metric,
        num_epoch,
        eval_data=None,
        scale=None,
        clip=None,
        arg_params=None,
        aux_params=None,
        allow_missing=False,
        begin_epoch=0,
        batch_end_callback=None,
        epoch_end_callback=None,
        eval_end_callback=None,
        monitor=None,
    ):
        """Train for some epochs; measure on `eval_data` after each."""
        if not self.is_bound:
            self.bind(train_data.provide_data)
        if monitor is not None:
            monitor.install(self.net)
        self.init_params(weight_init, arg_params, aux_params)
        if self.optimizer is None:
            self.init_optimizer(make, scale, clip)
        for epoch in range(begin_epoch, num_epoch):
            start = time.time()
            metric.reset()
            for number, batch in enumerate(train_data):
                if monitor is not None:
                    monitor.tic()
                self.forward_backward(batch)
                self.update()
                self.update_metric(metric, batch.label)
                if monitor is not None:
                    monitor.toc_print()
                call_all(batch_end_callback, epoch, number, metric)
            for name, value in metric.get_name_value():
                self.logger.info("Epoch[%d] Train-%s=%f", epoch, name, value)
            self.logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - start)
            for callback in as_list(epoch_end_callback):
                callback(epoch, self.net, *self.get_params())
            if eval_data is not None:
                found = self.score(eval_data, metric)
                call_all(eval_end_callback, epoch, None, metric)
                for name, value in found:
                    self.logger.info("Epoch[%d] Validation-%s=%f", epoch, name, value)
            train_data.reset()

    def score(self, data, metric, num_batch=None):
        """Measure on data; the metric's names and values."""
        data.reset()
        metric.reset()
        for number, batch in enumerate(data):
            if number == num_batch:
                break
            self.forward(batch, is_train=False)
            self.update_metric(metric, batch.label)
        return metric.get_name_value()

    def iter_predict(self, data, num_batch=None):
        """The outputs of each batch without what only fills it up, its number, and the batch."""
        data.reset()
        for number, batch in enumerate(data):
            if number == num_batch:
                break
            self.forward(batch, is_train=False)
            yield [o[: len(o) - (batch.pad or 0)] for o in self.get_outputs()], number, batch

    def predict(self, data, num_batch=None, merge_batches=True, always_output_list=False):
        """The outputs of all data, joined."""
        found = [outputs for outputs, _, _ in self.iter_predict(data, num_batch)]
        if not merge_batches:
            return found
        joined = [torch.cat(parts) for parts in zip(*found, strict=True)]
        return joined[0] if len(joined) == 1 and not always_output_list else joined

    def save_checkpoint(self, prefix, epoch, save_optimizer_states=False):
        """Write parameters and running statistics; `load` reads them."""
        save_checkpoint(prefix, epoch, *self.get_params())
        if save_optimizer_states:
            torch.save(self.optimizer.state_dict(), f"{prefix}-{epoch:04d}.states")

    def load(self, prefix, epoch, load_optimizer_states=False):
        """Take parameters from a checkpoint, and what its optimizer kept for the next one."""
        self.set_params(*load_params(prefix, epoch))
        if load_optimizer_states:
            self.states = torch.load(f"{prefix}-{epoch:04d}.states")
        return self

    def save_params(self, path):
        """Write parameters and running statistics to one file."""
        args, states = self.get_params()
        named = {f"arg:{k}": v for k, v in args.items()} | {
            f"aux:{k}": v for k, v in states.items()
        }
        torch.save(named, path)

    def load_params(self, path):
        """Take parameters and running statistics from a file."""
        self.set_params({k.partition(":")[2]: v for k, v in read_arrays(path).items()})


class BucketingTrainer(ModuleTrainer):
    """The same with a net that is also told the key of a batch's bucket."""

    def __init__(self, net, default_bucket_key, logger=logging):
        super().__init__(net, net.data_names, net.label_names, logger)
        self.default_bucket_key = default_bucket_key

    def try_out(self, zeros):
        self.net(*zeros, self.default_bucket_key)

    def compute(self, batch):
        arrays = [torch.as_tensor(a).to(self.device) for a in batch.data]
        return self.net(*arrays, batch.bucket_key)


def as_list(given):
    """What may be None, one thing, or a list of them."""
    if given is None:
        return []
    return list(given) if isinstance(given, (list, tuple)) else [given]


def call_all(callbacks, epoch, number, metric):
    """Call each with what it may want to know."""
    for callback in as_list(callbacks):
        callback(SimpleNamespace(epoch=epoch, nbatch=number, eval_metric=metric, locals=None))


class Speedometer:
    """Logs samples a second and the metric, every `frequent` batches."""

    def __init__(self, batch_size, frequent=50, auto_reset=True):
        self.batch_size, self.frequent, self.auto_reset = batch_size, frequent, auto_reset
        self.start = time.time()

    def __call__(self, param):
        if param.nbatch == 0:
            self.start = time.time()
        elif param.nbatch % self.frequent == 0:
            speed = self.frequent * self.batch_size / max(time.time() - self.start, 1e-9)
            found = param.eval_metric.get_name_value()
            values = "\t".join(f"{name}={value:f}" for name, value in found)
            logging.info(
                "Epoch[%d] Batch [%d]\tSpeed: %.2f samples/sec\t%s",
                param.epoch,
                param.nbatch,
                speed,
                values,
            )
            if self.auto_reset:
                param.eval_metric.reset()
            self.start = time.time()


def save_every(prefix, period=1):
    """A callback that writes the parameters after each `period` epochs."""

    def save(epoch, net, arg_params, aux_params):
        if (epoch + 1) % period == 0:
            save_checkpoint(prefix, epoch + 1, arg_params, aux_params)

    return save
