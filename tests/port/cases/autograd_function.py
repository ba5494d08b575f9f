"""Derivatives: functions with gradients of their own, heads, higher orders, and control flow."""
import mxnet as mx
import numpy as np
from mxnet import autograd, nd

rng = np.random.RandomState(6)


class Sigmoid(mx.autograd.Function):
    """The logistic function; what backward needs is kept."""

    def forward(self, x):
        y = 1 / (1 + mx.nd.exp(-x))
        self.save_for_backward(y)
        return y

    def backward(self, dy):
        y, = self.saved_tensors
        return dy * y * (1 - y)


class Straight(autograd.Function):
    """Rounds forward, and lets the gradient through where |x| is small."""

    def __init__(self, limit):
        super(Straight, self).__init__()
        self.limit = limit

    def forward(self, x):
        self.inside = nd.abs(x) < self.limit
        return nd.sign(x)

    def backward(self, dy):
        return dy * self.inside


class Scaled(autograd.Function):
    """Two arrays in, two out."""

    def forward(self, x, w):
        self.save_for_backward(x, w)
        return x * w, x + w

    def backward(self, da, db):
        x, w = self.saved_tensors
        return da * w + db, da * x + 2 * db


def text(a):
    return a.asnumpy().round(5).tolist()


x = nd.array(rng.uniform(size=(3, 2)))
x.attach_grad()
sigmoid = Sigmoid()
with autograd.record():
    y = sigmoid(x)
y.backward()
print('sigmoid', text(y), text(x.grad))

v = nd.array([-2.0, -0.3, 0.2, 1.5])
v.attach_grad()
with autograd.record():
    hard = Straight(1.0)
    z = (hard(v) * nd.array([1, 2, 3, 4])).sum()
z.backward()
print('straight', z.asscalar(), text(v.grad))

a, b = nd.array([1.0, 2.0]), nd.array([3.0, 4.0])
for array in (a, b):
    array.attach_grad()
with autograd.record():
    p, s = Scaled()(a, b)
    out = p * 2 + s
out.backward(nd.array([1.0, 0.5]))
print('scaled', text(a.grad), text(b.grad))

# a head gradient
x = nd.array([1.0, 2.0, 3.0])
x.attach_grad()
with autograd.record():
    y = x * x
y.backward(out_grad=nd.array([1.0, 10.0, 100.0]))
print('head', text(x.grad))

# gradients without buffers, and of gradients
w = nd.array([0.5, -1.0, 2.0])
w.attach_grad()
with autograd.record():
    f = (w ** 3).sum() + (2 * w).sin().sum()
    g = autograd.grad(f, w, create_graph=False, retain_graph=True)[0]
print('grad', text(g))
w.attach_grad()
with autograd.record():
    f = nd.log(nd.sigmoid(w))
    dw = autograd.grad(heads=f, variables=w, create_graph=True, retain_graph=True)[0]
    h = dw.sum()
h.backward()
print('second order', text(w.grad))


def doubled(a, limit=30):
    b = a * 2
    while b.norm().asscalar() < limit:
        b = b * 2
    if b.sum().asscalar() > 0:
        c = b
    else:
        c = 100 * b
    return c


a = nd.array([rng.normal()])
a.attach_grad()
with autograd.record():
    c = doubled(a)
c.backward()
print('loop', (a.grad == c / a).asscalar(), '%.4f' % a.grad.asscalar())

# what is detached counts as a constant
x = nd.arange(4).reshape((4, 1))
x.attach_grad()
with autograd.record():
    y = x * x
    u = y.detach()
    z = u * x
    with autograd.pause():
        total = z.sum()
z.backward()
print('detached', text(x.grad.reshape(4)), total.asscalar())
with autograd.record():
    q = nd.BlockGrad(x * 3) * x + nd.stop_gradient(x)
    kept = autograd.is_recording(), autograd.is_training()
q.backward()
print('blocked', x.grad.sum().asscalar(), kept, autograd.is_recording())
