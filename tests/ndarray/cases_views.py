"""What shares memory with what: writes through views, and copies that must not be seen."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

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

_OTHER = snippets("""
## write/view-of-view
x = nd.zeros((4, 3))
x[1:3][1][0:2] = 5
out.append(x)

## write/reshape-of-slice
x = nd.zeros((4, 3))
x[1:3].reshape((3, 2))[1] = 5
out.append(x)

## write/slice-of-reshape
x = nd.zeros((4, 3))
x.reshape((6, 2))[2:4] = 5
out.append(x)

## write/iadd-through-view
x = nd.zeros((4, 3))
y = x[1:3]
y += 5
out += [x, y]

## write/iteration
x = nd.zeros((2, 3))
for i, r in enumerate(x):
    r[:] = i + 1
out.append(x)

## write/view-survives-parent
x = nd.zeros((4, 3))
y = x[1]
del x
y[:] = 3
out.append(y)

## write/parent-after-view
x = nd.zeros((4, 3))
y = x[1]
x += 2
out.append(y)

## write/two-views-overlap
x = nd.arange(6)
a, b = x[0:4], x[2:6]
a[:] = 9
out += [b, x]

## write/overlapping-copy
x = nd.arange(6)
x[0:3] = x[3:6]
out.append(x)

## write/view-with-out
x = nd.zeros((2, 3))
nd.broadcast_add(nd.arange(3), nd.ones((1,)), out=x[0])
out.append(x)

## write/view-copyto
x = nd.zeros((2, 3))
nd.arange(3).copyto(x[0])
out.append(x)

## write/setitem-from-own-view
x = nd.arange(6).reshape((2, 3))
x[0] = x[1] * 2
out.append(x)

## asnumpy/is-a-copy
x = nd.zeros((2,))
a = x.asnumpy()
a[:] = 1
out += [x, a, bool(a.flags.writeable)]

## asnumpy/fresh-each-time
x = nd.zeros((2,))
a, b = x.asnumpy(), x.asnumpy()
a += 1
out += [a, b]

## array/copies-numpy
a = onp.zeros(2, 'float32')
x = nd.array(a)
a[:] = 1
out.append(x)

## from_numpy/shares
a = onp.zeros(2, 'float32')
x = nd.from_numpy(a)
x[:] = 1
out += [x, a]

## from_numpy/zero_copy-false
a = onp.zeros(2, 'float32')
x = nd.from_numpy(a, zero_copy=False)
a[:] = 1
out += [x, x.dtype is onp.float32]

## from_numpy/keeps-dtype
x = nd.from_numpy(onp.arange(3))
out += [x, onp.dtype(x.dtype).name]

## from_numpy/makes-readonly
a = onp.zeros(2, 'float32')
nd.from_numpy(a)
out.append(bool(a.flags.writeable))

## from_numpy/not-contiguous
nd.from_numpy(onp.zeros((2, 3), 'float32').T)

## dlpack/round-trip-read
x = nd.arange(3)
y = nd.from_dlpack(x.to_dlpack_for_read())
out.append(y)

## dlpack/round-trip-write
x = nd.arange(3)
y = nd.from_dlpack(x.to_dlpack_for_write())
y += 1
nd.waitall()
out += [x, y]

## dlpack/functions
x = nd.arange(3)
y = nd.from_dlpack(nd.to_dlpack_for_read(x))
out.append(y)

## astype/same-copy-true
x = nd.zeros((2,))
y = x.astype('float32')
out.append(y is x)

## astype/same-copy-false
x = nd.zeros((2,))
y = x.astype('float32', copy=False)
out.append(y is x)

## astype/other-copy-false
x = nd.array([1.9, -1.9])
y = x.astype('int32', copy=False)
y += 1
out += [x, y]

## as_in_context/same-object
x = nd.zeros((2,))
out += [x.as_in_context(mx.cpu(0)) is x, x.as_in_context(mx.cpu(1)) is x]

## detach/shares-memory
x = nd.zeros((2,))
y = x.detach()
y[:] = 1
out += [x, y is x]

## grad-buffer/is-shared
x, g = nd.array([1, 2]), nd.zeros((2,))
autograd.mark_variables([x], [g])
with autograd.record():
    y = x * x
y.backward()
out += [g.copy(), x.grad.copy()]
g[:] = 5
out.append(x.grad)
""")

CASES = [
    C("derived/" + line, _WRITE.format(line)) for line in _DERIVED.splitlines() if line
] + _OTHER
