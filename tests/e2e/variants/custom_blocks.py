"""HybridBlocks with parameters of their own, scopes, shared parameters, and `F` in both worlds."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


class Scale(gluon.HybridBlock):
    def __init__(self, units, **kwargs):
        super(Scale, self).__init__(**kwargs)
        with self.name_scope():
            self.scale = self.params.get('scale', shape=(1, units), init=mx.init.Constant(2))
            self.shift = self.params.get('shift', shape=(1, units), init='zeros', wd_mult=0)
            self.fixed = self.params.get_constant('fixed', nd.array([[0.5] * units]))

    def hybrid_forward(self, F, x, scale, shift, fixed):
        return F.broadcast_add(F.broadcast_mul(x, scale), shift) + F.broadcast_mul(x, fixed)


class Deferred(gluon.HybridBlock):
    def __init__(self, units, **kwargs):
        super(Deferred, self).__init__(**kwargs)
        self.units = units
        with self.name_scope():
            self.weight = self.params.get('weight', shape=(units, 0), allow_deferred_init=True)

    def hybrid_forward(self, F, x, weight):
        return F.FullyConnected(x, weight, num_hidden=self.units, no_bias=True)


class Residual(gluon.HybridBlock):
    def __init__(self, units, **kwargs):
        super(Residual, self).__init__(**kwargs)
        with self.name_scope():
            self.body = nn.HybridSequential(prefix='body_')
            with self.body.name_scope():
                self.body.add(nn.Dense(units, activation='tanh'), nn.Dense(units))
            self.scale = Scale(units)

    def hybrid_forward(self, F, x):
        y = self.body(x)
        return F.tanh(self.scale(x + y)) * 0.5 + F.mean(y, axis=1, keepdims=True).broadcast_like(x)


class Attention(gluon.HybridBlock):
    def __init__(self, units, **kwargs):
        super(Attention, self).__init__(**kwargs)
        self.units = units
        with self.name_scope():
            self.qkv = nn.Dense(3 * units, flatten=False, use_bias=False)

    def hybrid_forward(self, F, x):
        q, k, v = F.split(self.qkv(x), num_outputs=3, axis=2)
        scores = F.batch_dot(q, k, transpose_b=True) / self.units ** 0.5
        return F.batch_dot(F.softmax(scores, axis=-1), v)


class TwoOut(gluon.HybridBlock):
    def hybrid_forward(self, F, x, y=None):
        if y is None:
            return x * 2, [x + 1, x - 1]
        return x * y, [x + y, x - y]


def train(block, shape, hybrid, steps=4):
    mx.random.seed(33)
    block.initialize(mx.init.Xavier())
    if hybrid:
        block.hybridize()
    x = nd.random.normal(shape=shape)
    trainer = gluon.Trainer(block.collect_params(), 'sgd', {'learning_rate': 0.1, 'wd': 0.01})
    curve = []
    for _ in range(steps):
        with autograd.record():
            loss = (block(x) ** 2).mean()
        loss.backward()
        trainer.step(1)
        curve.append(loss.asscalar())
    return curve


for hybrid in (False, True):
    show('Scale %d' % hybrid, train(Scale(3, prefix='scale_'), (4, 3), hybrid))
    show('Deferred %d' % hybrid, train(Deferred(3, prefix='deferred_'), (4, 5), hybrid))
    show('Residual %d' % hybrid, train(Residual(5, prefix='res_'), (4, 5), hybrid))
    show('Attention %d' % hybrid, train(Attention(4, prefix='att_'), (2, 3, 6), hybrid))
    block = TwoOut()
    if hybrid:
        block.hybridize()
    a, (b, c) = block(nd.array([1, 2]))
    show('TwoOut %d' % hybrid, [a.sum().asscalar(), b.sum().asscalar(), c.sum().asscalar()])
    block = TwoOut()
    if hybrid:
        block.hybridize()
    a, (b, c) = block(nd.array([1, 2]), nd.array([3, 4]))
    show('TwoOut two %d' % hybrid, [a.sum().asscalar(), b.sum().asscalar(), c.sum().asscalar()])

block = Residual(5, prefix='res_')
block.initialize()
block(nd.ones((2, 5)))
for name, p in block.collect_params().items():
    print(name, p.shape, p.wd_mult, p.grad_req)
print(sorted(block.collect_params('.*weight').keys()))
print(sorted(block.collect_params('.*scale|.*bias').keys()))
print(sorted(block._collect_params_with_prefix().keys()))
print(block)

# shared parameters
with mx.name.Prefix('shared_'):
    first = nn.Dense(3, in_units=3)
second = nn.Dense(3, in_units=3, params=first.params)
first.initialize(mx.init.One())
show('shared', second(nd.ones((1, 3))).asnumpy())
print(first.weight is second.weight, sorted(second.collect_params().keys()) == sorted(first.collect_params().keys()))
net = nn.Sequential()
net.add(first, nn.Activation('tanh'), second)
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
with autograd.record():
    loss = net(nd.ones((1, 3)) * 0.1).sum()
loss.backward()
trainer.step(1)
show('shared step', first.weight.data().asnumpy()[0])


# a plain Block with Python control flow
class Recursive(gluon.Block):
    def __init__(self, **kwargs):
        super(Recursive, self).__init__(**kwargs)
        with self.name_scope():
            self.cell = nn.Dense(4, in_units=4, activation='tanh')

    def forward(self, x):
        for _ in range(int(abs(x.sum().asscalar())) % 3 + 1):
            x = self.cell(x)
        return x


mx.random.seed(2)
net = Recursive(prefix='rec_')
net.initialize(mx.init.Uniform(1))
for k in (1, 2, 3):
    show('control flow %d' % k, net(nd.ones((1, 4)) * k).asnumpy())
