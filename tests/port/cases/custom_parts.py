"""A program with classes of its own for everything that MXNet lets one subclass."""
import math

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


@mx.init.register
class Wave(mx.init.Initializer):
    """Weights along a sine."""

    def __init__(self, scale=0.1):
        super(Wave, self).__init__(scale=scale)
        self.scale = scale

    def _init_weight(self, name, arr):
        n = int(np.prod(arr.shape))
        arr[:] = nd.array(self.scale * np.sin(np.arange(n))).reshape(arr.shape)

    def _init_bias(self, name, arr):
        arr[:] = 0.01


class WarmupScheduler(mx.lr_scheduler.LRScheduler):
    """A linear warm-up, then a half cosine."""

    def __init__(self, base_lr, warmup, total):
        super(WarmupScheduler, self).__init__(base_lr=base_lr)
        self.warmup, self.total = warmup, total

    def __call__(self, num_update):
        if num_update < self.warmup:
            return self.base_lr * (num_update + 1) / self.warmup
        part = (num_update - self.warmup) / (self.total - self.warmup)
        return self.base_lr * 0.5 * (1 + math.cos(math.pi * min(part, 1.0)))


class WithinOne(mx.metric.EvalMetric):
    """The share of predictions that are at most one off."""

    def __init__(self, name='within-one', **kwargs):
        super(WithinOne, self).__init__(name, **kwargs)

    def update(self, labels, preds):
        for label, pred in zip(labels, preds):
            found = pred.asnumpy().argmax(axis=1)
            self.sum_metric += (np.abs(found - label.asnumpy()) <= 1).sum()
            self.num_inst += len(found)


class FocalLoss(gluon.loss.Loss):
    """Cross entropy that looks away from what is easy."""

    def __init__(self, gamma=2.0, weight=None, batch_axis=0, **kwargs):
        super(FocalLoss, self).__init__(weight, batch_axis, **kwargs)
        self._gamma = gamma

    def hybrid_forward(self, F, pred, label, sample_weight=None):
        logp = F.log_softmax(pred)
        picked = F.pick(logp, label, axis=-1, keepdims=True)
        loss = -((1 - F.exp(picked)) ** self._gamma) * picked
        return F.mean(loss, axis=self._batch_axis, exclude=True)


class Spin(nn.HybridBlock):
    """Rotates channels by an angle that is learned."""

    def __init__(self, **kwargs):
        super(Spin, self).__init__(**kwargs)
        with self.name_scope():
            self.angle = self.params.get('angle', shape=(1,), init=mx.init.Constant(0.3))

    def hybrid_forward(self, F, x, angle):
        a, b = F.split(x, num_outputs=2, axis=1)
        c, s = F.cos(angle), F.sin(angle)
        return F.concat(F.broadcast_mul(a, c) - F.broadcast_mul(b, s),
                        F.broadcast_mul(a, s) + F.broadcast_mul(b, c), dim=1)


rng = np.random.RandomState(4)
X = rng.normal(0, 1, (48, 6)).astype('float32')
Y = np.clip(np.round(X[:, 0] + X[:, 1] + 2), 0, 4).astype('float32')
net = nn.HybridSequential()
with net.name_scope():
    net.add(nn.Dense(8, activation='tanh', in_units=6))
    net.add(Spin())
    net.add(nn.Dense(5, in_units=8))
net.initialize(Wave(0.3))
net.hybridize()
loss_fn = FocalLoss(gamma=1.5)
data = gluon.data.DataLoader(gluon.data.ArrayDataset(X, Y), 12)


def fit(trainer, epochs):
    metric = mx.metric.CompositeEvalMetric()
    metric.add(mx.metric.Accuracy())
    metric.add(WithinOne())
    for epoch in range(epochs):
        metric.reset()
        total = 0.0
        for x, y in data:
            with autograd.record():
                out = net(x)
                loss = loss_fn(out, y)
            loss.backward()
            trainer.step(x.shape[0])
            total += loss.mean().asscalar()
            metric.update([y], [out])
        names, values = metric.get()
        print(epoch, 'loss %.4f' % total, ' '.join('%s=%.3f' % nv for nv in zip(names, values)))


schedule = WarmupScheduler(0.5, 3, 12)
fit(gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.5, 'lr_scheduler': schedule}), 2)
fit(gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.01}), 2)
print([round(schedule(i), 4) for i in (0, 2, 5, 12)])
