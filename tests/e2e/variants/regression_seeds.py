"""Linear regression and a small MLP on other seeds, sizes and batch sizes, with SGD."""
import random

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.loss import L1Loss, L2Loss


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


def seed_all(seed):
    mx.random.seed(seed)
    np.random.seed(seed)
    random.seed(seed)


def train(seed, units, batch_size, loss, momentum, wd, epochs=4):
    seed_all(seed)
    net = nn.Sequential()
    for u in units:
        net.add(nn.Dense(u, activation='sigmoid'))
    net.add(nn.Dense(1))
    net.initialize(mx.init.Normal(sigma=0.1))
    features = nd.random.normal(scale=1, shape=(60, 5))
    w = nd.array([2, -3.4, 1.5, 0.3, -1])
    labels = nd.dot(features, w) + 4.2
    labels += nd.random.normal(scale=0.01, shape=labels.shape)
    data = gluon.data.DataLoader(gluon.data.ArrayDataset(features, labels), batch_size, shuffle=True)
    trainer = gluon.Trainer(net.collect_params(), 'sgd',
                            {'learning_rate': 0.03, 'momentum': momentum, 'wd': wd})
    curve = []
    for epoch in range(epochs):
        total = 0
        for X, y in data:
            with autograd.record():
                l = loss(net(X), y.reshape((-1, 1)))
            l.backward()
            trainer.step(batch_size)
            total += l.sum().asscalar()
        curve.append(total / 60)
    return curve, net, features


for seed in (0, 1, 7, 2020, 123456789):
    curve, _, _ = train(seed, (), 10, L2Loss(), 0, 0)
    show('linear seed=%d' % seed, curve)
for units in ((4,), (16,), (8, 8), (32, 16, 8)):
    curve, net, features = train(3, units, 12, L2Loss(), 0.9, 1e-3)
    show('mlp %s' % 'x'.join(map(str, units)), curve)
    show('mlp %s weights' % 'x'.join(map(str, units)),
         [p.data().norm().asscalar() for p in net.collect_params().values()])
for batch_size in (1, 7, 60, 100):
    curve, _, _ = train(11, (6,), batch_size, L2Loss(), 0.5, 0)
    show('batch %d' % batch_size, curve)
curve, net, features = train(5, (6,), 10, L1Loss(), 0.9, 0)
show('l1', curve)
show('l1 predictions', net(features[:5]).asnumpy())
seed_all(2)
show('draw normal', nd.random.normal(shape=(5,)).asnumpy())
show('draw uniform', nd.random.uniform(-1, 1, shape=(5,)).asnumpy())
show('draw numpy', np.random.uniform(size=3))
mx.random.seed(-5)
show('draw negative seed', nd.random.uniform(shape=(4,)).asnumpy())
show('draw python', [random.random(), random.randint(0, 100)])
