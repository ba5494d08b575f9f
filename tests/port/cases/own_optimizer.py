"""Optimizers of one's own: a signSGD with momentum and a lookahead, in a Trainer and by create."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


@mx.optimizer.Optimizer.register
class SignMomentum(mx.optimizer.Optimizer):
    """Steps of one length, in the direction of the smoothed gradient."""

    def __init__(self, momentum=0.9, floor=0.0, **kwargs):
        super(SignMomentum, self).__init__(**kwargs)
        self.momentum = momentum
        self.floor = floor

    def create_state(self, index, weight):
        return nd.zeros(weight.shape, weight.context, dtype=weight.dtype)

    def update(self, index, weight, grad, state):
        self._update_count(index)
        lr = self._get_lr(index)
        wd = self._get_wd(index)
        grad = grad * self.rescale_grad
        if self.clip_gradient is not None:
            grad = nd.clip(grad, -self.clip_gradient, self.clip_gradient)
        state[:] = self.momentum * state + (1 - self.momentum) * (grad + wd * weight)
        step = nd.sign(state) * (nd.abs(state) > self.floor)
        weight[:] = weight - lr * step


@mx.optimizer.register
class CenteredRMS(mx.optimizer.Optimizer):
    def __init__(self, learning_rate=0.01, rho=0.9, eps=1e-6, **kwargs):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.rho, self.eps = rho, eps

    def create_state(self, index, weight):
        return (nd.zeros_like(weight), nd.zeros_like(weight))

    def update(self, index, weight, grad, state):
        self._update_count(index)
        t = self._index_update_count[index]
        lr = self._get_lr(index) / (1 + 0.1 * t)
        mean, square = state
        g = grad * self.rescale_grad + self._get_wd(index) * weight
        mean[:] = self.rho * mean + (1 - self.rho) * g
        square[:] = self.rho * square + (1 - self.rho) * g ** 2
        weight -= lr * g / nd.sqrt(square - mean ** 2 + self.eps)


rng = np.random.RandomState(3)
X = nd.array(rng.normal(size=(96, 5)))
w_true = nd.array([[1.0], [-2.0], [0.5], [3.0], [0.0]])
Y = nd.dot(X, w_true) + 0.3


def make_net():
    net = nn.HybridSequential()
    net.add(nn.Dense(12, activation='tanh', in_units=5), nn.Dense(1, in_units=12))
    net.initialize()
    w = np.random.RandomState(11)
    for p in net.collect_params().values():
        p.set_data(nd.array(w.normal(scale=0.3, size=p.shape)))
    return net


def run(optimizer, options, epochs=4):
    net = make_net()
    trainer = gluon.Trainer(net.collect_params(), optimizer, options)
    l2 = gluon.loss.L2Loss()
    for epoch in range(epochs):
        total = 0.0
        for i in range(0, 96, 24):
            data, label = X[i:i + 24], Y[i:i + 24]
            with autograd.record():
                loss = l2(net(data), label)
            loss.backward()
            trainer.step(24)
            total += loss.sum().asscalar()
        print('  epoch %d loss %.5f' % (epoch, total / 96))
    return net


print('signmomentum, by its registered name')
net = run('signmomentum', {'learning_rate': 0.02, 'momentum': 0.8, 'wd': 0.001})
print('weight sum %.4f' % net[0].weight.data().sum().asscalar())
print('signmomentum, as an object with a floor')
run(SignMomentum(learning_rate=0.05, floor=0.01, clip_gradient=0.5), None)
print('centeredrms')
net = run('centeredrms', {'learning_rate': 0.02})
print('prediction %.4f' % net(X[:4]).mean().asscalar())
