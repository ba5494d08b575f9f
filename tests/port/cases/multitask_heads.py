"""One body, three heads with losses of their own: class, value, and whether it is unusual."""
import numpy as np
from mxnet import autograd, init, nd
from mxnet import gluon
from mxnet.gluon import nn
from mxnet.gluon.loss import L1Loss, SigmoidBCELoss, SoftmaxCELoss
import mxnet as mx

rng = np.random.RandomState(77)
x = rng.uniform(-1, 1, size=(240, 6)).astype('float32')
kind = (x[:, 0] > 0).astype(int) + (x[:, 1] > 0.3)
amount = x[:, 2] * x[:, 3] + 0.5 * x[:, 4]
unusual = (np.abs(x[:, 5]) > 0.7).astype('float32')


class Heads(nn.HybridBlock):
    def __init__(self, classes, **kwargs):
        super(Heads, self).__init__(**kwargs)
        with self.name_scope():
            self.body = nn.HybridSequential(prefix='body_')
            with self.body.name_scope():
                self.body.add(nn.Dense(24, 'relu', in_units=6))
                self.body.add(nn.Dense(16, 'tanh', in_units=24))
            self.kind = nn.Dense(classes, in_units=16)
            self.amount = nn.Dense(1, in_units=16)
            self.unusual = nn.Dense(1, in_units=16, use_bias=False)

    def hybrid_forward(self, F, x):
        h = self.body(x)
        # three results
        return self.kind(h), self.amount(h), F.squeeze(self.unusual(h), axis=1)


class Sums(object):
    """Running sums by name."""

    def __init__(self):
        self.values = {}

    def add(self, **losses):
        for name, value in losses.items():
            self.values[name] = self.values.get(name, 0.0) + value.sum().asscalar()

    def line(self, n):
        return ' '.join('%s %.4f' % (k, v / n) for k, v in sorted(self.values.items()))


net = Heads(3)
net.initialize(init.Xavier())
for dense in (net.body[0], net.body[1], net.kind, net.amount, net.unusual):
    dense.weight.set_data(nd.array(rng.normal(0, 0.3, size=dense.weight.shape)))
print(sum(int(np.prod(p.shape)) for p in net.collect_params().values()), 'weights')

inputs = nd.array(x)
targets = nd.array(kind), nd.array(amount), nd.array(unusual)
ce, l1, bce = SoftmaxCELoss(), L1Loss(), SigmoidBCELoss()
shared = gluon.Trainer(net.body.collect_params(), 'sgd', {'learning_rate': 0.3})
heads = gluon.Trainer(
    [p for head in (net.kind, net.amount, net.unusual) for p in head.collect_params().values()],
    'sgd', {'learning_rate': 0.2, 'momentum': 0.9})
size = 40
for epoch in range(5):
    sums = Sums()
    for start in range(0, len(x), size):
        batch = inputs[start:start + size]
        k, a, u = (t[start:start + size] for t in targets)
        with autograd.record():
            k_hat, a_hat, u_hat = net(batch)
            loss_k = ce(k_hat, k)
            loss_a = l1(a_hat, a) * 2.0
            loss_u = bce(u_hat, u)
        # the gradient of their sum
        autograd.backward([loss_k, loss_a, loss_u])
        shared.step(size)
        heads.step(size)
        sums.add(kind=loss_k, amount=loss_a, unusual=loss_u)
    print('epoch %d:' % epoch, sums.line(len(x)))

k_hat, a_hat, u_hat = net(inputs)
right = mx.nd.equal(k_hat.argmax(axis=1), targets[0]).mean()
print('kind right %.3f' % right.asscalar())
print('amount off by %.4f' % nd.abs(a_hat[:, 0] - targets[1]).mean().asscalar())
flagged = u_hat.sigmoid() > 0.5
print('flagged %d, of them right %.3f' % (
    flagged.sum().asscalar(), ((flagged * targets[2]).sum() / nd.maximum(flagged.sum(), 1)).asscalar()))
confusion = nd.dot(nd.one_hot(targets[0], 3), nd.one_hot(k_hat.argmax(axis=1), 3), transpose_a=True)
print(confusion.astype('int32').asnumpy().tolist())
