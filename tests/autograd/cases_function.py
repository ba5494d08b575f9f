"""`autograd.grad`, higher orders, and custom functions."""

from __future__ import annotations

from tests.snippets import snippets

_GRAD = snippets("""
## grad()/simple
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
    g = autograd.grad(y, x)
out += [g, x.grad]

## grad()/returns-list
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
    g = autograd.grad(y, [x])
out += [type(g).__name__, g[0]]

## grad()/two-variables
x, w = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
w.attach_grad()
with autograd.record():
    y = x * w
out += autograd.grad(y, [x, w])

## grad()/head-grads
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
out += autograd.grad([y], [x], head_grads=[nd.array([1, 10])])

## grad()/head-grad-single
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
out.append(autograd.grad(y, x, head_grads=nd.array([1, 10])))

## grad()/does-not-touch-buffer
x = nd.array([1, 2])
x.attach_grad()
x.grad[:] = 9
with autograd.record():
    y = x * x
autograd.grad(y, x)
out.append(x.grad)

## grad()/without-attach
x = nd.array([1, 2])
with autograd.record():
    y = x * x
autograd.grad(y, x)

## grad()/second-order-exp
x = nd.array([0.5, 1])
x.attach_grad()
with autograd.record():
    y = nd.exp(x)
    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
    z = (g * g).sum()
z.backward()
out += [g, x.grad]

## grad()/second-order-sin
x = nd.array([0.5, 1])
x.attach_grad()
with autograd.record():
    y = nd.sin(x)
    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
g.backward()
out += [g, x.grad]

## grad()/second-order-log
x = nd.array([0.5, 1])
x.attach_grad()
with autograd.record():
    y = nd.log(x)
    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
g.backward()
out += [g, x.grad]

## grad()/second-order-sigmoid
x = nd.array([0.5, 1])
x.attach_grad()
with autograd.record():
    y = nd.sigmoid(x)
    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
g.backward()
out += [g, x.grad]

## grad()/fully-connected-second
x, w = nd.array([[1, 2]]), nd.array([[0.5, -1]])
x.attach_grad()
w.attach_grad()
with autograd.record():
    y = nd.FullyConnected(x, w, num_hidden=1, no_bias=True)
    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
    p = (g * g).sum()
p.backward()
out += [g, w.grad]

## grad()/fully-connected-twice-second
# xfail: MXNet loses what comes through the first layer's head gradient; w2 has a gradient
x, w = nd.array([[1, 2]]), nd.array([[0.5, -1], [2, 1]])
w2 = nd.array([[3, -1]])
for each in (x, w, w2):
    each.attach_grad()
with autograd.record():
    h = nd.FullyConnected(x, w, num_hidden=2, no_bias=True)
    y = nd.FullyConnected(h, w2, num_hidden=1, no_bias=True)
    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
    p = (g * g).sum()
p.backward()
out += [g, w.grad, w2.grad]

## grad()/retain
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
g = autograd.grad(y, x, retain_graph=True)
y.backward()
out += [g[0], x.grad]

## grad()/not-retained
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
autograd.grad(y, x)
y.backward()

## grad()/unreached
x, w = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
w.attach_grad()
with autograd.record():
    y = x * x
    z = w * 2
autograd.grad(y, [w])[0].asnumpy()

## get_symbol
# xfail: the history is torch's and holds no MXNet operators; it is refused with that text
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * 2
s = autograd.get_symbol(y)
out.append(type(s).__name__)
""")

_FUNCTION = """
class Scale(autograd.Function):
    def __init__(self, k=2):
        super().__init__()
        self.k = k

    def forward(self, x):
        self.save_for_backward(x)
        return x * self.k

    def backward(self, dy):
        x, = self.saved_tensors
        return dy * x * 100

class Two(autograd.Function):
    def forward(self, a, b):
        self.save_for_backward(a, b)
        return a + b, a * b

    def backward(self, ds, dp):
        a, b = self.saved_tensors
        return ds + dp * b, ds + dp * a

"""

_CUSTOM = snippets(
    """
## Function/simple
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = Scale()(x)
y.backward()
out += [y, x.grad]

## Function/in-a-chain
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = (Scale(3)(x * 2) * 5).sum()
y.backward()
out += [y, x.grad]

## Function/outside-record
out.append(Scale()(nd.array([1, 2])))

## Function/several-outputs
a, b = nd.array([1, 2]), nd.array([3, 4])
a.attach_grad()
b.attach_grad()
with autograd.record():
    s, p = Two()(a, b)
    y = s * 10 + p
y.backward()
out += [s, p, a.grad, b.grad]

## Function/one-output-used
a, b = nd.array([1, 2]), nd.array([3, 4])
a.attach_grad()
b.attach_grad()
with autograd.record():
    s, p = Two()(a, b)
p.backward()
out += [a.grad, b.grad]

## Function/outputs-are-a-list
r = Two()(nd.array([1]), nd.array([2]))
out.append(type(r).__name__)

## Function/head-grad
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = Scale()(x)
y.backward(nd.array([1, 10]))
out.append(x.grad)

## Function/reused-object
f = Scale()
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = f(x)
with autograd.record():
    y = f(x)
""",
    before=_FUNCTION,
) + snippets("""
## Function/not-recorded-inside
class F(autograd.Function):
    def forward(self, x):
        self.seen = autograd.is_recording(), autograd.is_training()
        return x * 2
    def backward(self, dy):
        return dy
f = F()
x = nd.array([1])
x.attach_grad()
with autograd.record():
    y = f(x)
out += [f.seen]

## Function/numpy-inside
class F(autograd.Function):
    def forward(self, x):
        a = x.asnumpy()
        self.save_for_backward(x)
        return nd.array(a**2)
    def backward(self, dy):
        (x,) = self.saved_tensors
        return nd.array(2 * x.asnumpy() * dy.asnumpy())
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = F()(x)
y.backward()
out += [y, x.grad]

## Function/straight-through
class Sign(autograd.Function):
    def forward(self, x):
        return nd.sign(x)
    def backward(self, dy):
        return dy
x = nd.array([-1.5, 2])
x.attach_grad()
with autograd.record():
    y = Sign()(x) * 3
y.backward()
out += [y, x.grad]

## Function/attribute-kept
class F(autograd.Function):
    def forward(self, x):
        self.y = nd.sigmoid(x)
        return self.y
    def backward(self, dy):
        return dy * self.y * (1 - self.y)
x = nd.array([0, 1])
x.attach_grad()
with autograd.record():
    y = F()(x)
y.backward()
out += [y, x.grad]

## Function/wrong-count
class F(autograd.Function):
    def forward(self, a, b):
        return a * b
    def backward(self, dy):
        return dy
a, b = nd.array([1]), nd.array([2])
a.attach_grad()
b.attach_grad()
with autograd.record():
    y = F()(a, b)
y.backward()
a.grad.asnumpy()

## Function/what-backward-raises
def run(error):
    class F(autograd.Function):
        def forward(self, x):
            return x * 2
        def backward(self, dy):
            raise error
    x = nd.array([1])
    x.attach_grad()
    with autograd.record():
        y = F()(x)
    try:
        y.backward()
        x.grad.asnumpy()
    except mx.base.MXNetError:
        out.append('MXNetError')
for error in (ValueError('no'), RuntimeError(), NotImplementedError, AssertionError, KeyError(3)):
    run(error)
""")


CASES = _GRAD + _CUSTOM
