"""What shares memory with what: writes through views, and copies that must not be seen."""

from __future__ import annotations

from tests.cases import C

# expression over x (2, 3, 4); a write into it is read back through x, and the other way round
_DERIVED = """
x[0]
x[1]
x[-1]
x[0:1]
x[1:]
x[:]
x[...]
x[()]
x[0:2]
x[0, 1]
x[0, 1:3]
x[0, 1, 2]
x[0, 1, 1:3]
x[0:1, 1]
x[:, 1]
x[:, 1:]
x[:, 0:3]
x[:, :, 0]
x[..., 0]
x[0, :, 0]
x[0, ::2]
x[::1]
x[::2]
x[::-1]
x[None]
x[None, 0]
x[0, None]
x[:, None]
x[[0]]
x[[0, 1]]
x[nd.array([0])]
x[0][1]
x[0][1][2:]
x[1:][0]
x.reshape((6, 4))
x.reshape((-1,))
x.reshape((0, -1))
x.reshape(-1)
x.reshape(4, 6)
x.reshape(shape=(2, 12))
x.reshape((2, 3, 4))
x.reshape((-1,))[5:7]
x[1].reshape((-1,))
x.flatten()
x.T
x.transpose()
x.transpose((1, 0, 2))
x.transpose((0, 1, 2))
x.swapaxes(0, 1)
x.expand_dims(0)
x.expand_dims(axis=1)
x.reshape((1, 2, 3, 4)).squeeze()
x.squeeze()
x.slice_axis(0, 0, 1)
x.slice((0,), (1,))
x.astype('float32')
x.astype('float32', copy=False)
x.as_in_context(mx.cpu(0))
x.as_in_context(mx.cpu(1))
x.copyto(mx.cpu(0))
x.copy()
x.detach()
x.as_nd_ndarray()
x.reshape_like(nd.zeros((6, 4)))
x.broadcast_to((2, 3, 4))
x.tile((1,))
x.split(1, axis=0)
x.split(2, axis=0)[0]
x.asnumpy()
x.asnumpy()[0]
x.tostype('default')
nd.array(x)
nd.identity(x)
nd.BlockGrad(x)
nd.reshape(x, (6, 4))
nd.expand_dims(x, axis=0)
nd.flatten(x)
nd.split_v2(x, 2)[0]
nd.moveaxis(x, 0, 2)
nd.concatenate([x])
nd.concat(x, dim=0)
nd.stack(x)
nd.cast(x, dtype='float32')
nd.from_numpy(onp.zeros((2, 3, 4), 'float32'))
"""

_WRITE = """
x = nd.arange(24).reshape((2, 3, 4))
y = {}
out.append(y.shape)
y[:] = -1
out.append(x.asnumpy())
x[:] = 7
out.append(y.copy())
"""

_OTHER = [
    C("write/view-of-view", "x = nd.zeros((4, 3))\nx[1:3][1][0:2] = 5\nout.append(x)"),
    C("write/reshape-of-slice", "x = nd.zeros((4, 3))\nx[1:3].reshape((3, 2))[1] = 5\nout.append(x)"),
    C("write/slice-of-reshape", "x = nd.zeros((4, 3))\nx.reshape((6, 2))[2:4] = 5\nout.append(x)"),
    C("write/iadd-through-view", "x = nd.zeros((4, 3))\ny = x[1:3]\ny += 5\nout += [x, y]"),
    C("write/iteration", "x = nd.zeros((2, 3))\nfor i, r in enumerate(x):\n    r[:] = i + 1\nout.append(x)"),
    C("write/view-survives-parent", "x = nd.zeros((4, 3))\ny = x[1]\ndel x\ny[:] = 3\nout.append(y)"),
    C("write/parent-after-view", "x = nd.zeros((4, 3))\ny = x[1]\nx += 2\nout.append(y)"),
    C("write/two-views-overlap", "x = nd.arange(6)\na, b = x[0:4], x[2:6]\na[:] = 9\nout += [b, x]"),
    C("write/overlapping-copy", "x = nd.arange(6)\nx[0:3] = x[3:6]\nout.append(x)"),
    C("write/view-with-out", "x = nd.zeros((2, 3))\nnd.broadcast_add(nd.arange(3), nd.ones((1,)), out=x[0])\n"
      "out.append(x)"),
    C("write/view-copyto", "x = nd.zeros((2, 3))\nnd.arange(3).copyto(x[0])\nout.append(x)"),
    C("write/setitem-from-own-view", "x = nd.arange(6).reshape((2, 3))\nx[0] = x[1] * 2\nout.append(x)"),
    C("asnumpy/is-a-copy", "x = nd.zeros((2,))\na = x.asnumpy()\na[:] = 1\nout += [x, a, bool(a.flags.writeable)]"),
    C("asnumpy/fresh-each-time", "x = nd.zeros((2,))\na, b = x.asnumpy(), x.asnumpy()\na += 1\nout += [a, b]"),
    C("array/copies-numpy", "a = onp.zeros(2, 'float32')\nx = nd.array(a)\na[:] = 1\nout.append(x)"),
    C("from_numpy/shares", "a = onp.zeros(2, 'float32')\nx = nd.from_numpy(a)\nx[:] = 1\nout += [x, a]"),
    C("from_numpy/zero_copy-false", "a = onp.zeros(2, 'float32')\nx = nd.from_numpy(a, zero_copy=False)\n"
      "a[:] = 1\nout += [x, x.dtype is onp.float32]"),
    C("from_numpy/keeps-dtype", "x = nd.from_numpy(onp.arange(3))\nout += [x, onp.dtype(x.dtype).name]"),
    C("from_numpy/makes-readonly", "a = onp.zeros(2, 'float32')\nnd.from_numpy(a)\nout.append(bool(a.flags.writeable))"),
    C("from_numpy/not-contiguous", "nd.from_numpy(onp.zeros((2, 3), 'float32').T)"),
    C("dlpack/round-trip-read", "x = nd.arange(3)\ny = nd.from_dlpack(x.to_dlpack_for_read())\nout.append(y)"),
    C("dlpack/round-trip-write", "x = nd.arange(3)\ny = nd.from_dlpack(x.to_dlpack_for_write())\ny += 1\nout += [x, y]"),
    C("dlpack/functions", "x = nd.arange(3)\ny = nd.from_dlpack(nd.to_dlpack_for_read(x))\nout.append(y)"),
    C("astype/same-copy-true", "x = nd.zeros((2,))\ny = x.astype('float32')\nout.append(y is x)"),
    C("astype/same-copy-false", "x = nd.zeros((2,))\ny = x.astype('float32', copy=False)\nout.append(y is x)"),
    C("astype/other-copy-false", "x = nd.array([1.9, -1.9])\ny = x.astype('int32', copy=False)\ny += 1\nout += [x, y]"),
    C("as_in_context/same-object", "x = nd.zeros((2,))\nout += [x.as_in_context(mx.cpu(0)) is x,"
      " x.as_in_context(mx.cpu(1)) is x]"),
    C("detach/shares-memory", "x = nd.zeros((2,))\ny = x.detach()\ny[:] = 1\nout += [x, y is x]"),
    C("grad-buffer/is-shared", """
x, g = nd.array([1, 2]), nd.zeros((2,))
autograd.mark_variables([x], [g])
with autograd.record():
    y = x * x
y.backward()
out += [g.copy(), x.grad.copy()]
g[:] = 5
out.append(x.grad)
"""),
]

CASES = [
    C("derived/" + line, _WRITE.format(line)) for line in _DERIVED.splitlines() if line
] + _OTHER
