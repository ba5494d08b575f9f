"""Hybridized blocks: the same numbers, what is traced once, what is refused."""

from __future__ import annotations

from tests.snippets import snippets

CASES = snippets("""
## hybridize/same-numbers
mx.random.seed(1)
net = nn.HybridSequential()
net.add(nn.Dense(4, activation='tanh'), nn.BatchNorm(), nn.Dense(2))
net.initialize()
x = nd.random.normal(shape=(3, 5))
a = net(x)
net.hybridize()
b = net(x)
out += [a, b]

## hybridize/F-is
class B(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        self.seen = (F is mx.nd, F is mx.sym)
        return x
b = B()
b(nd.ones((1,)))
out.append(b.seen)
b.hybridize()
b(nd.ones((1,)))
out.append(b.seen)

## hybridize/runs-python-once
class B(gluon.HybridBlock):
    calls = 0
    def hybrid_forward(self, F, x):
        B.calls += 1
        return x * 2
b = B()
b.hybridize()
for n in (1, 2, 3):
    out.append(b(nd.ones((n,))))
out.append(B.calls)

## hybridize/off-again
class B(gluon.HybridBlock):
    calls = 0
    def hybrid_forward(self, F, x):
        B.calls += 1
        return x * 2
b = B()
b.hybridize()
b(nd.ones((1,)))
b.hybridize(active=False)
b(nd.ones((1,)))
b(nd.ones((1,)))
out.append(B.calls)

## hybridize/gradient
mx.random.seed(2)
net = nn.HybridSequential()
net.add(nn.Dense(3, activation='sigmoid', in_units=2), nn.Dense(1, in_units=3))
net.initialize(mx.init.Uniform(1))
net.hybridize()
x = nd.array([[1, 2], [3, 4]])
x.attach_grad()
with autograd.record():
    y = net(x)
y.backward()
out += [x.grad, net[0].weight.grad(), net[1].bias.grad()]

## hybridize/new-parameter-values-used
net = nn.Dense(1, in_units=2)
net.initialize(mx.init.One())
net.hybridize()
out.append(net(nd.ones((1, 2))))
net.weight.set_data(nd.array([[2, 3]]))
out.append(net(nd.ones((1, 2))))

## hybridize/dropout-follows-mode
mx.random.seed(3)
net = nn.HybridSequential()
net.add(nn.Dropout(0.5))
net.hybridize()
x = nd.ones((8,))
out.append(net(x))
with autograd.record():
    out.append(net(x))
out.append(net(x))

## hybridize/batchnorm-moves-in-backward
net = nn.BatchNorm(in_channels=2)
net.initialize()
net.hybridize()
x = nd.array([[1, 2], [3, 6]])
with autograd.record():
    y = net(x)
out.append(net.running_mean.data().copy())
y.backward()
out += [net.running_mean.data(), net.running_var.data()]

## hybridize/nested-outputs
class B(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return x, [x + 1, (x + 2,)]
b = B()
b.hybridize()
y = b(nd.ones((1,)))
out += [type(y).__name__, type(y[1]).__name__, y[0], y[1][0], y[1][1][0]]

## hybridize/input-list
class B(gluon.HybridBlock):
    def hybrid_forward(self, F, x, states):
        return x + states[0] * states[1]
b = B()
a = b(nd.ones((2,)), [nd.ones((2,)) * 2, nd.ones((2,)) * 3])
b.hybridize()
out += [a, b(nd.ones((2,)), [nd.ones((2,)) * 2, nd.ones((2,)) * 3])]

## hybridize/structure-change-refused
class B(gluon.HybridBlock):
    def hybrid_forward(self, F, x, y=None):
        return x if y is None else x + y
b = B()
b.hybridize()
b(nd.ones((1,)))
b(nd.ones((1,)), nd.ones((1,)))

## hybridize/shape-attribute-refused
class B(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return x.reshape((x.shape[0], -1))
b = B()
b.hybridize()
b(nd.ones((1, 2)))

## hybridize/asnumpy-refused
class B(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * x.sum().asscalar()
b = B()
b.hybridize()
b(nd.ones((1, 2)))

## hybridize/plain-block-passes-on [warns]
net = nn.Sequential()
net.add(nn.Dense(1, in_units=2))
net.hybridize()
net.initialize(mx.init.One())
out += [net[0]._active, net(nd.ones((1, 2)))]

## hybridize/static-alloc
net = nn.Dense(1, in_units=2)
net.initialize(mx.init.One())
net.hybridize(static_alloc=True, static_shape=True)
out += [net(nd.ones((1, 2))), net(nd.ones((1, 2)) * 2)]

## hybridize/unused-parameter [warns]
class B(gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix='b_')
        with self.name_scope():
            self.w = self.params.get('w', shape=(2,), init='ones')
            self.v = self.params.get('v', shape=(2,), init='ones')
    def hybrid_forward(self, F, x, w, v):
        return x * w
b = B()
b.initialize()
b.hybridize()
out.append(b(nd.ones((2,))))

## hybridize/child-called-twice
class B(gluon.HybridBlock):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, in_units=2, weight_initializer='ones')
    def hybrid_forward(self, F, x):
        return self.fc(self.fc(x))
b = B()
b.initialize()
b.hybridize()
out.append(b(nd.ones((1, 2))))

## hybridize/symbol-in
net = nn.Dense(2, in_units=3, prefix='d_')
y = net(sym.var('data'))
out += [type(y).__name__, tuple(y.list_arguments()), tuple(y.list_outputs())]

## hybridize/symbol-in-net
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Conv2D(2, 3), nn.BatchNorm(), nn.Activation('relu'), nn.Flatten(), nn.Dense(2))
y = net(sym.var('data'))
out += [tuple(y.list_arguments()), tuple(y.list_auxiliary_states()), tuple(y.list_outputs())]

## hybridize/forward-not-implemented
gluon.HybridBlock()(nd.ones((1,)))

## hybridize/wrong-input-type
nn.Dense(2, in_units=2)(onp.ones((1, 2)))
""")
