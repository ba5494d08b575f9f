"""The optimizers beyond SGD and Adam, each for a few steps."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


SETTINGS = [
    ('nag', {'learning_rate': 0.1, 'momentum': 0.9}),
    ('nag', {'learning_rate': 0.1, 'momentum': 0.9, 'wd': 0.05}),
    ('rmsprop', {'learning_rate': 0.01}),
    ('rmsprop', {'learning_rate': 0.01, 'gamma1': 0.8, 'epsilon': 1e-3, 'wd': 0.01}),
    ('rmsprop', {'learning_rate': 0.01, 'centered': True}),
    ('rmsprop', {'learning_rate': 0.01, 'clip_weights': 0.3}),
    ('adagrad', {'learning_rate': 0.1}),
    ('adagrad', {'learning_rate': 0.1, 'wd': 0.1, 'eps': 1e-3}),
    ('adadelta', {}),
    ('adadelta', {'rho': 0.5, 'epsilon': 1e-3, 'wd': 0.01}),
    ('adamax', {'learning_rate': 0.02}),
    ('nadam', {'learning_rate': 0.02}),
    ('ftrl', {'learning_rate': 0.1}),
    ('ftrl', {'learning_rate': 0.1, 'lamda1': 0.1, 'beta': 2, 'wd': 0.01}),
    ('signum', {'learning_rate': 0.01, 'momentum': 0.9}),
    ('signum', {'learning_rate': 0.01, 'momentum': 0, 'wd': 0.1}),
    ('signum', {'learning_rate': 0.01, 'wd_lh': 0.01}),
    ('ftml', {'learning_rate': 0.01}),
    ('lamb', {'learning_rate': 0.02}),
    ('lamb', {'learning_rate': 0.02, 'wd': 0.1, 'bias_correction': False}),
    ('lars', {'learning_rate': 0.5, 'momentum': 0.9, 'wd': 0.001}),
]
for name, params in SETTINGS:
    mx.random.seed(23)
    net = nn.Dense(4, in_units=5)
    net.initialize(mx.init.Xavier())
    x = nd.random.normal(shape=(12, 5))
    y = nd.random.normal(shape=(12, 4))
    loss_fn = gluon.loss.L2Loss()
    trainer = gluon.Trainer(net.collect_params(), name, params)
    curve = []
    for _ in range(6):
        with autograd.record():
            loss = loss_fn(net(x), y)
        loss.backward()
        trainer.step(12)
        curve.append(loss.mean().asscalar())
    label = name + ' ' + ','.join('%s=%g' % kv for kv in sorted(params.items()))
    show(label.strip(), curve)
    show(label.strip() + ' weights', net.weight.data().asnumpy()[0])
