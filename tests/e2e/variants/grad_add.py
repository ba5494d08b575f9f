"""Accumulating gradients over micro-batches, clipping them, and freezing parameters."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


def build(seed=19):
    mx.random.seed(seed)
    net = nn.HybridSequential(prefix='net_')
    with net.name_scope():
        net.add(nn.Dense(6, activation='tanh', in_units=4), nn.Dense(2, in_units=6))
    net.initialize(mx.init.Xavier())
    return net, nd.random.normal(shape=(32, 4)), nd.random.normal(shape=(32, 2))


def train(micro, hybrid, clip=None):
    net, x, y = build()
    if hybrid:
        net.hybridize()
    params = net.collect_params()
    params.setattr('grad_req', 'add')
    trainer = gluon.Trainer(params, 'sgd', {'learning_rate': 0.2, 'momentum': 0.9})
    loss_fn = gluon.loss.L2Loss()
    curve = []
    for step in range(6):
        total = 0
        params.zero_grad()
        for i in range(0, 32, micro):
            with autograd.record():
                loss = loss_fn(net(x[i:i + micro]), y[i:i + micro])
            loss.backward()
            total += loss.sum().asscalar()
        if clip:
            norm = gluon.utils.clip_global_norm([p.grad() for p in params.values()], clip)
            curve.append(norm)
        trainer.step(32)
        curve.append(total / 32)
    return curve


for micro in (4, 8, 32):
    for hybrid in (False, True):
        show('micro %d hybrid %d' % (micro, hybrid), train(micro, hybrid))
show('clipped', train(8, True, clip=1.0))
show('clipped tightly', train(8, False, clip=0.01))

# frozen layers
net, x, y = build(20)
net[0].collect_params().setattr('grad_req', 'null')
trainer = gluon.Trainer(net[1].collect_params(), 'sgd', {'learning_rate': 0.1})
before = net[0].weight.data().asnumpy()
for _ in range(3):
    with autograd.record():
        loss = gluon.loss.L2Loss()(net(x), y)
    loss.backward()
    trainer.step(32)
show('frozen', [loss.mean().asscalar(), abs(net[0].weight.data().asnumpy() - before).max()])
print([p.grad_req for p in net.collect_params().values()])
try:
    net[0].weight.grad()
except RuntimeError:
    print('no gradient:')

# gradients of two losses, by hand and in one sum
net, x, y = build(21)
for p in net.collect_params().values():
    p.grad_req = 'add'
for scale in (1.0, 0.5):
    with autograd.record():
        loss = gluon.loss.L1Loss()(net(x), y) * scale
    loss.backward()
show('two', net[1].bias.grad().asnumpy())
net.collect_params().zero_grad()
show('zeroed', net[1].bias.grad().asnumpy())
with autograd.record():
    loss = gluon.loss.L1Loss()(net(x), y) * 1.5
loss.backward()
show('sum', net[1].bias.grad().asnumpy())

# stale gradients
net, x, y = build(22)
unused = nn.Dense(1, in_units=2, prefix='unused_')
unused.initialize()
params = net.collect_params()
params.update(unused.collect_params())
trainer = gluon.Trainer(params, 'sgd', {'learning_rate': 0.1})
with autograd.record():
    loss = net(x).sum()
loss.backward()
try:
    trainer.step(1)
    print('no complaint')
except UserWarning:
    print('stale:')
trainer.step(1, ignore_stale_grad=True)
show('stale ignored', net[1].bias.data().asnumpy())
