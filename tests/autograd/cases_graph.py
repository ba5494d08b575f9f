"""Gradients through views, indexing and writes; higher orders; `grad()`; custom functions."""

from __future__ import annotations

from tests.cases import C

_M = "x = nd.arange(1, 7).reshape((2, 3))\nx.attach_grad()\n"

# y = expression over x (2, 3); backward of y * y
_THROUGH = """
x[0]
x[1]
x[-1]
x[0:1]
x[1:]
x[:, 0]
x[:, 1:]
x[:, -1]
x[0, 1]
x[1, 2]
x[::-1]
x[:, ::-1]
x[:, ::2]
x[...]
x[None]
x[:, None]
x[[0]]
x[[1, 0]]
x[[0, 0, 1]]
x[[0, 1], [2, 0]]
x[:, [0, 2]]
x[:, [0, 0]]
x[[[0, 1], [1, 1]]]
x[nd.array([1, 1])]
x[nd.array([0, 1]), nd.array([1, 1])]
x[onp.array([1, 0])]
x[0][1]
x[0][1:3]
x[1:][0][::2]
x.reshape((3, 2))
x.reshape((-1,))
x.reshape((-1,))[2:5]
x.reshape((3, 2))[1]
x.reshape((0, -1, 1))
x.T
x.T[1]
x.transpose((1, 0))
x.swapaxes(0, 1)
x.flatten()
x.expand_dims(0)
x.expand_dims(1)[0]
x.squeeze()
x.copy()
x.slice_axis(1, 0, 2)
x.slice((0, 1), (2, 3))
x.flip(axis=1)
x.tile((2, 1))
x.repeat(2, axis=0)
x.split(3)[1]
nd.concat(*x.split(3)[:2])
nd.concat(x, x * 2, dim=0)
nd.stack(x, x)
nd.add_n(x, x, x)
x.sum()
x.sum(axis=0)
x.mean(axis=1, keepdims=True)
x.max()
x.max(axis=1)
x.min(axis=0)
x.prod()
x.norm()
x.norm(axis=1)
x.softmax()
x.log_softmax()
x.topk(k=2, ret_typ='value')
x.pick(nd.array([0, 2]))
x.take(nd.array([1, 1]))
x.take(nd.array([0, 5]), axis=1)
x.clip(2, 5)
x.astype('float64')
x.astype('float32', copy=False) * 2
x.broadcast_to((2, 3))
x[0:1].broadcast_to((4, 3))
x.as_in_context(mx.cpu(1))
x.copyto(mx.cpu(0))
-x
abs(x - 3)
x + 1
1 - x
x * 2
x / 2
2 / x
x ** 2
2 ** x
x % 4
7 % x
x * x / (x + 1)
x + nd.arange(3)
x - nd.array([[1], [2]])
x * x[0]
x[0] * x[1]
x * x.sum()
x - x.mean(axis=1, keepdims=True)
nd.maximum(x, 3)
nd.maximum(x, x)
nd.minimum(x, nd.array([3, 3, 3]))
nd.broadcast_maximum(x, x)
nd.broadcast_minimum(x, x)
nd.where(x > 3, x, x * 10)
nd.dot(x, x.T)
nd.dot(x, x, transpose_b=True)
nd.dot(x, x[0])
nd.batch_dot(x.expand_dims(0), x.expand_dims(0), transpose_b=True)
nd.sqrt(x)
nd.exp(x / 4)
nd.log(x)
nd.relu(x - 3)
nd.sigmoid(x)
nd.tanh(x)
nd.square(x)
nd.smooth_l1(x - 3)
nd.LeakyReLU(x - 3)
nd.Activation(x, 'softrelu')
nd.elemwise_mul(x, x)
nd.broadcast_div(x, x[0:1])
nd.zeros_like(x) + x
nd.ones_like(x) * x
nd.round(x / 4) * x
nd.sign(x) * x
nd.floor(x / 2) * x
(x > 2) * x
(x == 2) + x
nd.one_hot(nd.array([0, 1, 2]), 3).sum() * x
nd.gather_nd(x, nd.array([[0, 1, 1], [1, 2, 2]]))
nd.L2Normalization(x)
nd.Embedding(nd.array([1, 1, 0]), x, input_dim=2, output_dim=3)
nd.SequenceMask(x, nd.array([1, 2, 1]), use_sequence_length=True, value=0)
nd.cast(x, 'float64')
nd.identity(x)
nd.pad(x.reshape((1, 1, 2, 3)), mode='edge', pad_width=(0, 0, 0, 0, 1, 1, 1, 1))
"""

_TIES = [
    C("ties/max", "x = nd.array([[3, 3, 1]])\nx.attach_grad()\nwith autograd.record():\n    y = x.max(axis=1)\ny.backward()\nout.append(x.grad)"),
    C("ties/maximum", "x, y = nd.array([1, 2]), nd.array([1, 3])\nx.attach_grad()\ny.attach_grad()\nwith autograd.record():\n"
      "    z = nd.maximum(x, y)\nz.backward()\nout += [x.grad, y.grad]"),
    C("ties/minimum", "x, y = nd.array([1, 2]), nd.array([1, 3])\nx.attach_grad()\ny.attach_grad()\nwith autograd.record():\n"
      "    z = nd.minimum(x, y)\nz.backward()\nout += [x.grad, y.grad]"),
    C("ties/maximum-scalar", "x = nd.array([1, 2, 3])\nx.attach_grad()\nwith autograd.record():\n    z = nd.maximum(x, 2)\nz.backward()\nout.append(x.grad)"),
    C("ties/minimum-scalar", "x = nd.array([1, 2, 3])\nx.attach_grad()\nwith autograd.record():\n    z = nd.minimum(x, 2)\nz.backward()\nout.append(x.grad)"),
    C("ties/clip-bounds", "x = nd.array([-1, 0, 0.5, 1, 2])\nx.attach_grad()\nwith autograd.record():\n    z = x.clip(0, 1)\nz.backward()\nout.append(x.grad)"),
    C("ties/relu-zero", "x = nd.array([-1, 0, 1])\nx.attach_grad()\nwith autograd.record():\n    z = nd.relu(x)\nz.backward()\nout.append(x.grad)"),
    C("ties/abs-zero", "x = nd.array([-1, 0, 1])\nx.attach_grad()\nwith autograd.record():\n    z = nd.abs(x)\nz.backward()\nout.append(x.grad)"),
    C("ties/norm-zero", "x = nd.zeros((3,))\nx.attach_grad()\nwith autograd.record():\n    z = nd.norm(x)\nz.backward()\nout.append(x.grad)"),
    C("ties/sqrt-zero", "x = nd.array([0, 4])\nx.attach_grad()\nwith autograd.record():\n    z = nd.sqrt(x)\nz.backward()\nout.append(x.grad)"),
    C("ties/leaky-relu-zero", "x = nd.array([-1, 0, 1])\nx.attach_grad()\nwith autograd.record():\n    z = nd.LeakyReLU(x, slope=0.1)\nz.backward()\nout.append(x.grad)"),
    C("ties/prod-with-zero", "x = nd.array([0, 2, 3])\nx.attach_grad()\nwith autograd.record():\n    z = x.prod()\nz.backward()\nout.append(x.grad)"),
    C("ties/power-zero", "x = nd.array([0, 2])\nx.attach_grad()\nwith autograd.record():\n    z = x ** 2 + x ** 1\nz.backward()\nout.append(x.grad)"),
    C("ties/topk-value", "x = nd.array([2, 2, 1])\nx.attach_grad()\nwith autograd.record():\n    z = x.topk(k=2, ret_typ='value')\nz.backward()\nout.append(x.grad)"),
]

_INPLACE = [
    C("inplace/iadd-on-leaf", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    x += 1\n    y = x * x\ny.backward()\nout.append(x.grad)"),
    C("inplace/iadd-on-used-leaf", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\n    x += 1"),
    C("inplace/iadd-on-result", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\n    y += 1"),
    C("inplace/imul-on-result", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\n    y *= 2"),
    C("inplace/iadd-on-constant", "x, c = nd.array([1, 2]), nd.array([3, 4])\nx.attach_grad()\nwith autograd.record():\n    c += 1\n    y = x * c\n"
      "y.backward()\nout.append(x.grad)"),
    C("inplace/iadd-graph-into-constant", "x, c = nd.array([1, 2]), nd.array([3, 4])\nx.attach_grad()\nwith autograd.record():\n    c += x\n    y = c * c\n"
      "y.backward()\nout.append(x.grad)"),
    C("inplace/setitem-leaf", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    x[:] = 5"),
    C("inplace/setitem-result", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\n    y[0] = 5"),
    C("inplace/setitem-result-whole", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\n    y[:] = 5"),
    C("inplace/setitem-constant", "x, c = nd.array([1, 2]), nd.array([3, 4])\nx.attach_grad()\nwith autograd.record():\n    c[0] = 9\n    y = x * c\n"
      "y.backward()\nout.append(x.grad)"),
    C("inplace/setitem-graph-into-constant", "x, c = nd.array([1, 2]), nd.zeros((2, 2))\nx.attach_grad()\nwith autograd.record():\n    c[0] = x\n    y = c * c\n"
      "y.backward()\nout.append(x.grad)"),
    C("inplace/setitem-used-constant", "x, c = nd.array([1, 2]), nd.array([3, 4])\nx.attach_grad()\nwith autograd.record():\n    y = x * c\n    c[0] = 9\n"
      "y.backward()\nout.append(x.grad)"),
    C("inplace/leaf-outside-before-backward", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\nx += 10\ny.backward()\n"
      "out += [x.grad, y]"),
    C("inplace/leaf-setitem-outside-before-backward", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\nx[:] = 7\n"
      "y.backward()\nout.append(x.grad)"),
    C("inplace/result-outside-before-backward", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = nd.exp(x)\n    z = y * y\n"
      "y += 10\nz.backward()\nout += [x.grad, y]"),
    C("inplace/constant-outside-before-backward", "x, c = nd.array([1, 2]), nd.array([3, 4])\nx.attach_grad()\nwith autograd.record():\n    y = x * c\n"
      "c[:] = 100\ny.backward()\nout.append(x.grad)"),
    C("inplace/view-of-leaf-outside", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\nx[0:1][:] = 50\ny.backward()\nout.append(x.grad)"),
    C("inplace/out-argument-recorded", "x, y = nd.array([1, 2]), nd.zeros((2,))\nx.attach_grad()\nwith autograd.record():\n    nd.exp(x, out=y)\n"
      "y.backward()\nout.append(x.grad)"),
    C("inplace/grad-as-weight", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\ny.backward()\n"
      "with autograd.record():\n    z = x * x.grad\nz.backward()\nout.append(x.grad)"),
    C("inplace/two-graphs-update-between", "w = nd.array([1.0])\nw.attach_grad('add')\nls = []\nfor k in (1, 2):\n    with autograd.record():\n"
      "        l = w * w * k\n    l.backward()\n    w -= 0.1 * w.grad\nout += [w, w.grad]"),
]

_GRAD = [
    C("grad()/simple", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\n    g = autograd.grad(y, x)\n"
      "out += [g, x.grad]"),
    C("grad()/returns-list", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\n    g = autograd.grad(y, [x])\n"
      "out += [type(g).__name__, g[0]]"),
    C("grad()/two-variables", "x, w = nd.array([1, 2]), nd.array([3, 4])\nx.attach_grad()\nw.attach_grad()\nwith autograd.record():\n    y = x * w\n"
      "out += autograd.grad(y, [x, w])"),
    C("grad()/head-grads", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\n"
      "out += autograd.grad([y], [x], head_grads=[nd.array([1, 10])])"),
    C("grad()/head-grad-single", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\n"
      "out.append(autograd.grad(y, x, head_grads=nd.array([1, 10])))"),
    C("grad()/does-not-touch-buffer", "x = nd.array([1, 2])\nx.attach_grad()\nx.grad[:] = 9\nwith autograd.record():\n    y = x * x\n"
      "autograd.grad(y, x)\nout.append(x.grad)"),
    C("grad()/without-attach", "x = nd.array([1, 2])\nwith autograd.record():\n    y = x * x\nautograd.grad(y, x)"),
    C("grad()/second-order-exp", "x = nd.array([0.5, 1])\nx.attach_grad()\nwith autograd.record():\n    y = nd.exp(x)\n"
      "    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]\n    z = (g * g).sum()\nz.backward()\nout += [g, x.grad]"),
    C("grad()/second-order-sin", "x = nd.array([0.5, 1])\nx.attach_grad()\nwith autograd.record():\n    y = nd.sin(x)\n"
      "    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]\ng.backward()\nout += [g, x.grad]"),
    C("grad()/second-order-log", "x = nd.array([0.5, 1])\nx.attach_grad()\nwith autograd.record():\n    y = nd.log(x)\n"
      "    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]\ng.backward()\nout += [g, x.grad]"),
    C("grad()/second-order-sigmoid", "x = nd.array([0.5, 1])\nx.attach_grad()\nwith autograd.record():\n    y = nd.sigmoid(x)\n"
      "    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]\ng.backward()\nout += [g, x.grad]"),
    C("grad()/fully-connected-second", "x, w = nd.array([[1, 2]]), nd.array([[0.5, -1]])\nx.attach_grad()\nw.attach_grad()\nwith autograd.record():\n"
      "    y = nd.FullyConnected(x, w, num_hidden=1, no_bias=True)\n"
      "    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]\n    p = (g * g).sum()\np.backward()\nout += [g, w.grad]"),
    C("grad()/retain", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\ng = autograd.grad(y, x, retain_graph=True)\n"
      "y.backward()\nout += [g[0], x.grad]"),
    C("grad()/not-retained", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * x\nautograd.grad(y, x)\ny.backward()"),
    C("grad()/unreached", "x, w = nd.array([1, 2]), nd.array([3, 4])\nx.attach_grad()\nw.attach_grad()\nwith autograd.record():\n    y = x * x\n"
      "    z = w * 2\nautograd.grad(y, [w])[0].asnumpy()"),
    C("get_symbol", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = x * 2\n"
      "s = autograd.get_symbol(y)\nout.append(type(s).__name__)"),
]

_FUNCTION = '''
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

'''

_CUSTOM = [
    C("Function/simple", _FUNCTION + "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = Scale()(x)\ny.backward()\nout += [y, x.grad]"),
    C("Function/in-a-chain", _FUNCTION + "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = (Scale(3)(x * 2) * 5).sum()\n"
      "y.backward()\nout += [y, x.grad]"),
    C("Function/outside-record", _FUNCTION + "out.append(Scale()(nd.array([1, 2])))"),
    C("Function/several-outputs", _FUNCTION + "a, b = nd.array([1, 2]), nd.array([3, 4])\na.attach_grad()\nb.attach_grad()\nwith autograd.record():\n"
      "    s, p = Two()(a, b)\n    y = s * 10 + p\ny.backward()\nout += [s, p, a.grad, b.grad]"),
    C("Function/one-output-used", _FUNCTION + "a, b = nd.array([1, 2]), nd.array([3, 4])\na.attach_grad()\nb.attach_grad()\nwith autograd.record():\n"
      "    s, p = Two()(a, b)\np.backward()\nout += [a.grad, b.grad]"),
    C("Function/outputs-are-a-list", _FUNCTION + "r = Two()(nd.array([1]), nd.array([2]))\nout.append(type(r).__name__)"),
    C("Function/head-grad", _FUNCTION + "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = Scale()(x)\n"
      "y.backward(nd.array([1, 10]))\nout.append(x.grad)"),
    C("Function/not-recorded-inside", "class F(autograd.Function):\n    def forward(self, x):\n        self.seen = autograd.is_recording(), autograd.is_training()\n"
      "        return x * 2\n    def backward(self, dy):\n        return dy\nf = F()\nx = nd.array([1])\nx.attach_grad()\nwith autograd.record():\n"
      "    y = f(x)\nout += [f.seen]"),
    C("Function/numpy-inside", "class F(autograd.Function):\n    def forward(self, x):\n        a = x.asnumpy()\n        self.save_for_backward(x)\n"
      "        return nd.array(a ** 2)\n    def backward(self, dy):\n        x, = self.saved_tensors\n        return nd.array(2 * x.asnumpy() * dy.asnumpy())\n"
      "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = F()(x)\ny.backward()\nout += [y, x.grad]"),
    C("Function/straight-through", "class Sign(autograd.Function):\n    def forward(self, x):\n        return nd.sign(x)\n    def backward(self, dy):\n        return dy\n"
      "x = nd.array([-1.5, 2])\nx.attach_grad()\nwith autograd.record():\n    y = Sign()(x) * 3\ny.backward()\nout += [y, x.grad]"),
    C("Function/attribute-kept", "class F(autograd.Function):\n    def forward(self, x):\n        self.y = nd.sigmoid(x)\n        return self.y\n"
      "    def backward(self, dy):\n        return dy * self.y * (1 - self.y)\nx = nd.array([0, 1])\nx.attach_grad()\nwith autograd.record():\n"
      "    y = F()(x)\ny.backward()\nout += [y, x.grad]"),
    C("Function/reused-object", _FUNCTION + "f = Scale()\nx = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n    y = f(x)\nwith autograd.record():\n    y = f(x)"),
    C("Function/wrong-count", "class F(autograd.Function):\n    def forward(self, a, b):\n        return a * b\n    def backward(self, dy):\n        return dy\n"
      "a, b = nd.array([1]), nd.array([2])\na.attach_grad()\nb.attach_grad()\nwith autograd.record():\n    y = F()(a, b)\ny.backward()\na.grad.asnumpy()"),
]


def _through(line: str) -> C:
    code = f"with autograd.record():\n    y = {line}\n    z = y * y\nz.backward()\nout += [y, x.grad]"
    return C("through/" + line, _M + code)


CASES = [_through(line) for line in _THROUGH.splitlines() if line] + _TIES + _INPLACE + _GRAD + _CUSTOM
