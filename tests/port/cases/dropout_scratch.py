import mxnet as mx
import numpy as np
from mxnet import autograd, nd
from mxnet import gluon as g

rng = np.random.RandomState(21)
mask_rng = np.random.RandomState(22)


def thinned(x, rate):
    """Zero a share of the elements and scale the others up."""
    if rate >= 1:
        return nd.zeros_like(x)
    kept = nd.array(mask_rng.uniform(size=x.shape)) >= rate
    return kept * x / (1 - rate)


class DropoutNet(g.Block):
    """Three layers; the dropout only while training."""

    def __init__(self, rates, **kwargs):
        super().__init__(**kwargs)
        self.rates = rates
        with self.name_scope():
            self.dense0 = g.nn.Dense(24, in_units=12)
            self.dense1 = g.nn.Dense(16, in_units=24)
            self.dense2 = g.nn.Dense(1, in_units=16)

    def forward(self, x):
        h1 = nd.relu(self.dense0(x))
        if autograd.is_training():
            h1 = thinned(h1, self.rates[0])
        h2 = nd.relu(self.dense1(h1))
        if autograd.is_training():
            h2 = thinned(h2, self.rates[1])
        return self.dense2(h2)


X = nd.arange(16).reshape((2, 8))
print(thinned(X, 0).asnumpy().tolist() == X.asnumpy().tolist())
print(thinned(X, 0.5).asnumpy().tolist())
print(thinned(X, 1).sum().asscalar())

# a sparse linear truth with much noise
n_train, n_test = 60, 100
w_true = np.concatenate([np.ones(3) * 0.8, np.zeros(9)])
feats = rng.randn(n_train + n_test, 12)
target = feats.dot(w_true) + 0.3 * rng.randn(n_train + n_test)
train_x, test_x = nd.array(feats[:n_train]), nd.array(feats[n_train:])
train_y, test_y = nd.array(target[:n_train]), nd.array(target[n_train:])


def run(rates, epochs=8):
    weights = np.random.RandomState(1)
    net = DropoutNet(rates)
    net.collect_params().initialize(mx.init.Zero(), ctx=mx.cpu())
    for dense in [net.dense0, net.dense1, net.dense2]:
        dense.weight.set_data(nd.array(weights.normal(0, 0.3, dense.weight.shape)))
    square_loss = g.loss.L2Loss()
    trainer = g.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.05, 'momentum': 0.5})
    for epoch in range(epochs):
        for i in range(0, n_train, 20):
            with autograd.record():
                out = net(train_x[i:i + 20])
                l = square_loss(out, train_y[i:i + 20])
            l.backward()
            trainer.step(20)
    train_l = square_loss(net(train_x), train_y).mean().asscalar()
    test_l = square_loss(net(test_x), test_y).mean().asscalar()
    return train_l, test_l, net


for rates in [(0.0, 0.0), (0.2, 0.3), (0.5, 0.5)]:
    train_l, test_l, net = run(rates)
    print('rates', rates, 'train %.5f test %.5f' % (train_l, test_l))
    first = net.dense0.weight.data()
    print('  |w| %.4f, useful share %.4f' % (
        first.abs().sum().asscalar(),
        (first[:, :3].abs().sum() / first.abs().sum()).asscalar()))
with autograd.record(train_mode=False):
    quiet = net(test_x)
print('record without training %.5f' % quiet.mean().asscalar())
