"""Gradients through views, indexing and the operators of arrays."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

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
nd.L2Normalization(x) * nd.arange(3)
nd.Embedding(nd.array([1, 1, 0]), x, input_dim=2, output_dim=3)
nd.SequenceMask(x, nd.array([1, 2, 1]), use_sequence_length=True, value=0)
nd.cast(x, 'float64')
nd.identity(x)
nd.pad(x.reshape((1, 1, 2, 3)), mode='edge', pad_width=(0, 0, 0, 0, 1, 1, 1, 1))
"""

_TIES = snippets("""
## ties/max
x = nd.array([[3, 3, 1]])
x.attach_grad()
with autograd.record():
    y = x.max(axis=1)
y.backward()
out.append(x.grad)

## ties/maximum
x, y = nd.array([1, 2]), nd.array([1, 3])
x.attach_grad()
y.attach_grad()
with autograd.record():
    z = nd.maximum(x, y)
z.backward()
out += [x.grad, y.grad]

## ties/minimum
x, y = nd.array([1, 2]), nd.array([1, 3])
x.attach_grad()
y.attach_grad()
with autograd.record():
    z = nd.minimum(x, y)
z.backward()
out += [x.grad, y.grad]

## ties/maximum-scalar
x = nd.array([1, 2, 3])
x.attach_grad()
with autograd.record():
    z = nd.maximum(x, 2)
z.backward()
out.append(x.grad)

## ties/minimum-scalar
x = nd.array([1, 2, 3])
x.attach_grad()
with autograd.record():
    z = nd.minimum(x, 2)
z.backward()
out.append(x.grad)

## ties/clip-bounds
x = nd.array([-1, 0, 0.5, 1, 2])
x.attach_grad()
with autograd.record():
    z = x.clip(0, 1)
z.backward()
out.append(x.grad)

## ties/relu-zero
x = nd.array([-1, 0, 1])
x.attach_grad()
with autograd.record():
    z = nd.relu(x)
z.backward()
out.append(x.grad)

## ties/abs-zero
x = nd.array([-1, 0, 1])
x.attach_grad()
with autograd.record():
    z = nd.abs(x)
z.backward()
out.append(x.grad)

## ties/norm-zero
x = nd.zeros((3,))
x.attach_grad()
with autograd.record():
    z = nd.norm(x)
z.backward()
out.append(x.grad)

## ties/sqrt-zero
x = nd.array([0, 4])
x.attach_grad()
with autograd.record():
    z = nd.sqrt(x)
z.backward()
out.append(x.grad)

## ties/leaky-relu-zero
x = nd.array([-1, 0, 1])
x.attach_grad()
with autograd.record():
    z = nd.LeakyReLU(x, slope=0.1)
z.backward()
out.append(x.grad)

## ties/prod-with-zero
x = nd.array([0, 2, 3])
x.attach_grad()
with autograd.record():
    z = x.prod()
z.backward()
out.append(x.grad)

## ties/power-zero
x = nd.array([0, 2])
x.attach_grad()
with autograd.record():
    z = x**2 + x**1
z.backward()
out.append(x.grad)

## ties/topk-value
x = nd.array([2, 2, 1])
x.attach_grad()
with autograd.record():
    z = x.topk(k=2, ret_typ='value')
z.backward()
out.append(x.grad)
""")


def _through(line: str) -> C:
    code = (
        f"with autograd.record():\n    y = {line}\n    z = y * y\nz.backward()\nout += [y, x.grad]"
    )
    return C("through/" + line, _M + code)


CASES = [_through(line) for line in _THROUGH.splitlines() if line] + _TIES
