"""Layers with parameters of their own, in the imperative and in the hybrid way."""
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn
import numpy as np

rng = np.random.RandomState(4)


class Centered(gluon.Block):
    def forward(self, x):
        return x - nd.mean(x)


class Projection(nn.Block):
    """A dense layer, its weight the other way round."""

    def __init__(self, units, in_units, **kwargs):
        super(Projection, self).__init__(**kwargs)
        self.weight = self.params.get('weight', shape=(in_units, units))
        self.bias = self.params.get('bias', shape=(units,), init='zeros')

    def forward(self, x):
        linear = nd.dot(x, self.weight.data()) + self.bias.data()
        return nd.relu(linear)


class Gated(nn.HybridBlock):
    """A learned share of the input goes through, the rest is a constant mixture of it."""

    def __init__(self, size, **kwargs):
        super(Gated, self).__init__(**kwargs)
        mixture = nd.array(np.eye(size)[::-1])
        with self.name_scope():
            self.gate = self.params.get('gate', shape=(1, size), init=init.Constant(0.5))
            self.slope = self.params.get('slope', shape=(1, 1), init=init.One())
            self.mixture = self.params.get_constant('mixture', mixture)

    def hybrid_forward(self, F, x, gate, slope, mixture):
        share = F.sigmoid(F.broadcast_mul(slope, gate))
        other = F.dot(x, mixture)
        return F.broadcast_mul(x, share) + F.broadcast_mul(other, 1 - share)


class Stack(nn.Block):
    """Blocks in a list, each added to what went in."""

    def __init__(self, depth, size, **kwargs):
        super(Stack, self).__init__(**kwargs)
        self.layers = []
        with self.name_scope():
            for i in range(depth):
                layer = nn.Dense(size, in_units=size, activation='sigmoid')
                self.layers.append(layer)
                self.register_child(layer)
            self.scale = self.params.get('scale', shape=(depth,), init=init.One())

    def forward(self, x):
        scale = self.scale.data()
        for i, layer in enumerate(self.layers):
            x = x + layer(x) * scale[i]
        return x


print(Centered()(nd.array([1, 2, 3, 4, 5])).asnumpy().tolist())
dense = Projection(units=3, in_units=5)
dense.initialize(init=init.Uniform(0.2))
dense.weight.set_data(nd.array(rng.uniform(size=(5, 3))))
print(dense.weight.shape, dense(nd.ones((2, 5))).asnumpy().round(4).tolist())

gated = Gated(6)
gated.initialize()
gated.hybridize()
print(gated(nd.arange(6).reshape((1, 6))).asnumpy().round(4).tolist())

net = nn.Sequential()
net.add(Projection(6, in_units=4), Gated(6), Stack(2, 6), Centered(), nn.Dense(1, in_units=6))
net.initialize()
for name, param in net.collect_params('.*weight').items():
    param.set_data(nd.array(rng.normal(0, 0.4, size=param.shape)))
# biases one by one
net[0].bias.set_data(nd.ones((6,)) * 0.1)
names = list(net.collect_params().keys())
print('names differ', len(set(names)) == len(names))

x = nd.array(rng.uniform(-1, 1, size=(64, 4)))
y = nd.array(np.sin(3 * x.asnumpy()).sum(axis=1, keepdims=True))
loss = gluon.loss.L2Loss()
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.01})
for step in range(60):
    with autograd.record():
        l = loss(net(x), y)
    l.backward()
    trainer.step(64)
    if (step + 1) % 15 == 0:
        print('step %d loss %.5f' % (step + 1, l.mean().asscalar()))

gate = net[1].gate.data()
print('gate', gate.asnumpy().round(4).tolist(), 'slope %.4f' % net[1].slope.data().asscalar())
print('scale', net[2].scale.data().asnumpy().round(4).tolist())
gradient = net[2].scale.grad()
print('direction', (gradient / gradient.norm()).asnumpy().round(5).tolist())
print('mixture is still', net[1].mixture.data().sum().asscalar())
