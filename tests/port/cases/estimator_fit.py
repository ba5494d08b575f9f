"""Gluon's estimator trains a net, with metrics and handlers of its own."""
import logging

import mxnet as mx
import numpy as np
from mxnet import gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.contrib.estimator import (Estimator, BatchEnd, EpochEnd, TrainBegin, TrainEnd)

rng = np.random.RandomState(29)
logging.disable(logging.CRITICAL)


def spirals(count):
    """Points on three arms, and which arm."""
    arms = rng.randint(0, 3, count)
    turn = rng.rand(count)
    angle = 2.5 * turn + arms * 2 * np.pi / 3
    points = np.stack([turn * np.cos(angle), turn * np.sin(angle)], axis=1)
    points += rng.normal(0, 0.02, size=points.shape)
    return points.astype('float32'), arms.astype('float32')


train_data = gluon.data.DataLoader(gluon.data.ArrayDataset(*spirals(160)), batch_size=32)
val_data = gluon.data.DataLoader(gluon.data.ArrayDataset(*spirals(64)), batch_size=32)


class Curve(TrainBegin, BatchEnd, EpochEnd, TrainEnd):
    """Keeps the loss of every batch and the metrics of every epoch."""

    def __init__(self):
        self.losses, self.epochs = [], []

    def train_begin(self, estimator, *args, **kwargs):
        print('begin')

    def batch_end(self, estimator, *args, **kwargs):
        self.losses.append(kwargs['loss'][0].mean().asscalar())

    def epoch_end(self, estimator, *args, **kwargs):
        self.epochs.append([m.get()[1] for m in estimator.train_metrics])

    def train_end(self, estimator, *args, **kwargs):
        print('batches', len(self.losses), 'epochs', len(self.epochs))


net = nn.HybridSequential()
with net.name_scope():
    net.add(nn.Dense(24, activation='relu', in_units=2))
    net.add(nn.Dense(24, activation='tanh', in_units=24))
    net.add(nn.Dense(3, in_units=24))
net.initialize(mx.init.Xavier(), ctx=mx.cpu())
for p in net.collect_params().values():
    p.set_data(nd.array(rng.normal(0, 0.5, size=p.shape)))

trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.3, 'momentum': 0.8})
estimator = Estimator(net=net, loss=gluon.loss.SoftmaxCrossEntropyLoss(),
                      train_metrics=mx.metric.Accuracy(), trainer=trainer, context=mx.cpu())
curve = Curve()
estimator.fit(train_data=train_data, epochs=5, event_handlers=[curve])

for number, values in enumerate(curve.epochs):
    print('epoch %d:' % number, ' '.join('%.4f' % v for v in values))
print('loss from %.4f to %.4f' % (curve.losses[0], curve.losses[-1]))

# And on points that it has not seen
right = mx.metric.Accuracy()
for x, y in val_data:
    right.update([y], [net(x)])
print('%s %.4f' % right.get())
