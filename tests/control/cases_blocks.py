"""Control flow in `hybrid_forward`: the same program on arrays and traced."""

from __future__ import annotations

from tests.snippets import snippets

CASES = snippets("""
## block/foreach
class Net(gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix="net_")
        with self.name_scope():
            self.fc = nn.Dense(2, flatten=False)
    def hybrid_forward(self, F, x, h):
        o, s = F.contrib.foreach(lambda x, h: (x + h[0], [self.fc(x + h[0])]), x, [h])
        return o * 2, s[0]

x, h = nd.arange(6).reshape((3, 1, 2)) / 6, nd.ones((1, 2))
x.attach_grad()
for hybrid in (False, True):
    net = Net()
    net.initialize(mx.init.One())
    if hybrid:
        net.hybridize()
    with autograd.record():
        o, s = net(x, h)
        loss = o.sum() + s.sum()
    loss.backward()
    out += [o, s, x.grad.copy(), net.fc.weight.grad(), net.fc.weight.shape]

## block/foreach-parameter
class Net(gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix="net_")
        with self.name_scope():
            self.w = self.params.get("w", shape=(2,), init="ones")
    def hybrid_forward(self, F, x, w):
        return F.contrib.foreach(lambda a, b: (a * w, b + w), x, F.zeros_like(w))[0]

for hybrid in (False, True):
    net = Net()
    net.initialize()
    if hybrid:
        net.hybridize()
    with autograd.record():
        y = net(nd.arange(6).reshape((3, 2)))
    y.backward()
    out += [y, net.w.grad()]

## block/foreach-lstm-cell
class Net(gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix="net_")
        with self.name_scope():
            self.cell = gluon.rnn.LSTMCell(3, input_size=2)
    def hybrid_forward(self, F, x, h, c):
        o, states = F.contrib.foreach(self.cell, x, [h, c])
        return o, states[0], states[1]

net = Net()
net.initialize(mx.init.Xavier())
x, h = nd.arange(12).reshape((3, 2, 2)) / 12, nd.zeros((2, 3))
plain = net(x, h, h)
net.hybridize()
out += [plain, net(x, h, h)]

## block/cond
class Net(gluon.HybridBlock):
    def hybrid_forward(self, F, a, b):
        return F.contrib.cond(a < b, lambda: a * 2, lambda: b + 1)

net = Net()
one, three = nd.array([1]), nd.array([3])
one.attach_grad()
for hybrid in (False, True):
    if hybrid:
        net.hybridize()
    for other in (three, nd.array([0])):
        with autograd.record():
            y = net(one, other)
        y.backward()
        out += [y, one.grad.copy()]

## block/while
class Net(gluon.HybridBlock):
    def hybrid_forward(self, F, i, x):
        o, v = F.contrib.while_loop(lambda i, x: i < 3, lambda i, x: (x * 2, [i + 1, x * x]),
                                    [i, x], max_iterations=3)
        return o, v[1]

net = Net()
i, x = nd.array([0]), nd.array([1.5])
plain = net(i, x)
net.hybridize()
out += [plain, net(i, x)]

## block/rnn-unroll-of-a-loop
class Inner(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.contrib.foreach(lambda a, b: (a + b, b * 2), x, F.ones((1,)))[0]

net = nn.HybridSequential(prefix="seq_")
with net.name_scope():
    net.add(Inner(), nn.Dense(1, in_units=1, prefix="d_"))
net.initialize(mx.init.One())
net.hybridize()
out += [net(nd.array([[1], [2], [3]]))]
""")
