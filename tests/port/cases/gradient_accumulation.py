"""A large batch in small pieces: gradients are added up and used every few pieces."""
from mxnet import nd, gluon, autograd
import mxnet as mx
import numpy as np

rng = np.random.RandomState(18)
FEATURES, PIECE, PIECES = 8, 10, 4

inputs = rng.uniform(-1, 1, size=(160, FEATURES))
outputs = np.tanh(inputs[:, :3].sum(axis=1)) + 0.1 * rng.normal(size=160)
first_weights = rng.normal(scale=0.4, size=(12, FEATURES)), rng.normal(scale=0.4, size=(1, 12))


def make_net():
    net = gluon.nn.Sequential()
    net.add(gluon.nn.Dense(12, activation='softrelu', in_units=FEATURES))
    net.add(gluon.nn.Dense(1, in_units=12))
    net.initialize(mx.init.Zero(), ctx=mx.cpu())
    net[0].weight.set_data(nd.array(first_weights[0]))
    net[1].weight.set_data(nd.array(first_weights[1]))
    return net


def pieces(size):
    for start in range(0, len(inputs), size):
        yield nd.array(inputs[start:start + size]), nd.array(outputs[start:start + size])


square = gluon.loss.L2Loss()


def whole(epochs):
    """The large batch at once."""
    net = make_net()
    trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.3, 'momentum': 0.8})
    for _ in range(epochs):
        for x, y in pieces(PIECE * PIECES):
            with autograd.record():
                l = square(net(x), y)
            l.backward()
            trainer.step(PIECE * PIECES)
    return net


def accumulated(epochs):
    """The same in pieces."""
    net = make_net()
    params = [p for p in net.collect_params().values() if p.grad_req != 'null']
    for p in params:
        p.grad_req = 'add'
    trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.3, 'momentum': 0.8})
    for epoch in range(epochs):
        total = 0
        for i, (x, y) in enumerate(pieces(PIECE)):
            with autograd.record():
                l = square(net(x), y)
            l.backward()
            total += l.sum().asscalar()
            if (i + 1) % PIECES == 0:
                trainer.step(PIECE * PIECES)
                # start again from nothing
                for p in params:
                    p.zero_grad()
        print('epoch %d: loss %.5f' % (epoch, total / len(inputs)))
    return net


a, b = whole(4), accumulated(4)
x = nd.array(inputs)
print('they differ by less than 1e-5:', (a(x) - b(x)).abs().max().asscalar() < 1e-5)
print('norm %.5f' % b[0].weight.data().norm().asscalar())

# The same with plain arrays
w = nd.array(first_weights[0][0])
w.attach_grad('add')
for x, y in pieces(40):
    with autograd.record():
        e = ((nd.dot(x, w) - y) ** 2).sum()
    e.backward()
print('summed', w.grad.asnumpy().round(3).tolist())
w -= 0.002 * w.grad
w.grad[:] = 0
with autograd.record():
    e = sum(((nd.dot(x, w) - y) ** 2).sum() for x, y in pieces(40))
e.backward()
print('after a step %.4f, gradient %.4f' % (e.asscalar(), w.grad.norm().asscalar()))

# Bounds on gradients: on each number, and on the norm of all
net = make_net()
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.5, 'clip_gradient': 0.02})
for step in range(6):
    with autograd.record():
        l = square(net(nd.array(inputs)), nd.array(outputs))
    l.backward()
    trainer.step(160)
print('clipped numbers %.5f' % l.mean().asscalar())
net = make_net()
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.02, 'epsilon': 1e-6})
norms = []
for step in range(6):
    with autograd.record():
        l = square(net(nd.array(inputs)), nd.array(outputs)).mean()
    l.backward()
    trainer.allreduce_grads()
    norms.append(gluon.utils.clip_global_norm(
        [p.grad() for p in net.collect_params().values()], 0.1))
    trainer.update(1)
print('clipped norms', ' '.join('%.4f' % n for n in norms), 'loss %.5f' % l.asscalar())
