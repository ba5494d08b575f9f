"""One net, one data set, a dozen optimizer settings."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


def train(optimizer, params, steps=8):
    mx.random.seed(17)
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation='tanh', in_units=6), nn.Dense(3, in_units=8))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    x = nd.random.normal(shape=(24, 6))
    y = nd.random.randint(0, 3, shape=(24,)).astype('float32')
    loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), optimizer, params)
    curve = []
    for _ in range(steps):
        with autograd.record():
            loss = loss_fn(net(x), y)
        loss.backward()
        trainer.step(24)
        curve.append(loss.mean().asscalar())
    return curve, net


SETTINGS = [
    ('sgd', {'learning_rate': 0.1}),
    ('sgd', {'learning_rate': 0.1, 'momentum': 0.9}),
    ('sgd', {'learning_rate': 0.1, 'momentum': 0.9, 'wd': 0.01}),
    ('sgd', {'learning_rate': 0.5, 'clip_gradient': 0.02}),
    ('sgd', {'learning_rate': 0.5, 'clip_gradient': 0.02, 'wd': 0.05, 'momentum': 0.5}),
    ('sgd', {}),
    ('adam', {'learning_rate': 0.01}),
    ('adam', {'learning_rate': 0.01, 'beta1': 0.5, 'beta2': 0.9, 'epsilon': 1e-3}),
    ('adam', {'learning_rate': 0.01, 'wd': 0.1}),
    ('adam', {'learning_rate': 0.01, 'clip_gradient': 0.01, 'wd': 0.1}),
    ('adam', {}),
]
for name, params in SETTINGS:
    curve, net = train(name, params)
    label = name + ' ' + ','.join('%s=%g' % kv for kv in sorted(params.items()))
    show(label.strip(), curve)
    show(label.strip() + ' weights', [p.data().norm().asscalar() for p in net.collect_params().values()])
curve, _ = train(mx.optimizer.SGD(learning_rate=0.2, momentum=0.3), None)
show('instance', curve)
curve, _ = train(mx.optimizer.Adam(learning_rate=0.02), None)
show('instance adam', curve)

# the learning rate changes on the way
mx.random.seed(4)
net = nn.Dense(2, in_units=3)
net.initialize(mx.init.Uniform(0.5))
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'momentum': 0.9})
x = nd.random.normal(shape=(4, 3))
for lr in (0.1, 0.1, 0.01, 0.01, 0.2):
    trainer.set_learning_rate(lr)
    with autograd.record():
        loss = (net(x) ** 2).sum()
    loss.backward()
    trainer.step(4)
    show('lr %g' % trainer.learning_rate, [loss.asscalar()])
show('final', net.weight.data().asnumpy())

# multipliers
net = nn.Dense(2, in_units=3)
net.initialize(mx.init.One())
net.bias.lr_mult = 0
net.weight.wd_mult = 10
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'wd': 0.01})
for _ in range(3):
    with autograd.record():
        loss = net(x).sum()
    loss.backward()
    trainer.step(4)
show('multipliers', np.concatenate([net.weight.data().asnumpy().ravel(), net.bias.data().asnumpy()]))
