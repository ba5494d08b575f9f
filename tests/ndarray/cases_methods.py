"""Every method of NDArray, with the arguments that programs pass to it."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

_X = "x = nd.array([[0.5, -1.25, 2], [3, 0.75, -0.5]])\n"
_M = "x = nd.arange(24).reshape((2, 3, 4))\n"
_P = "x = nd.array([[0.5, 0.25, 0.75], [0.1, 0.9, 0.3]])\n"

# on a (2, 3) array with values of both signs
_SIGNED = """
x.abs()
x.sign()
x.square()
x.exp()
x.expm1()
x.sin()
x.cos()
x.tan()
x.sinh()
x.cosh()
x.tanh()
x.arctan()
x.arcsinh()
x.degrees()
x.radians()
x.floor()
x.ceil()
x.round()
x.rint()
x.trunc()
x.fix()
x.relu()
x.sigmoid()
x.cbrt()
x.rcbrt()
x.reciprocal()
x.softmax()
x.softmax(axis=0)
x.softmax(axis=-1, temperature=2)
x.log_softmax()
x.log_softmax(axis=0)
x.softmin()
x.sum()
x.sum(axis=0)
x.sum(axis=1)
x.sum(1)
x.sum(axis=-1, keepdims=True)
x.sum(axis=(0, 1))
x.sum(axis=())
x.sum(axis=1, exclude=True)
x.sum(keepdims=True)
x.nansum()
x.nansum(axis=1)
x.nanprod()
x.mean()
x.mean(axis=0)
x.mean(axis=(0, 1), keepdims=True)
x.mean(axis=1, exclude=True)
x.prod()
x.prod(axis=1)
x.max()
x.max(axis=0)
x.max(axis=1, keepdims=True)
x.max(axis=(0, 1))
x.min()
x.min(axis=1)
x.min(axis=-2)
x.norm()
x.norm(axis=1)
x.norm(ord=1)
x.norm(ord=2, axis=0, keepdims=True)
x.norm(ord=1, axis=1)
x.norm(axis=(0, 1))
x.argmax()
x.argmax(axis=0)
x.argmax(axis=1)
x.argmax(axis=-1, keepdims=True)
x.argmin()
x.argmin(axis=0)
x.argmax_channel()
x.argsort()
x.argsort(axis=0)
x.argsort(is_ascend=False)
x.argsort(axis=None)
x.argsort(dtype='int32')
x.sort()
x.sort(axis=0)
x.sort(is_ascend=False)
x.sort(axis=None)
x.topk()
x.topk(k=2)
x.topk(k=2, axis=0)
x.topk(k=2, is_ascend=True)
x.topk(k=2, ret_typ='value')
x.topk(k=2, ret_typ='both')
x.topk(k=2, ret_typ='mask')
x.topk(k=3, axis=None)
x.topk(k=2, dtype='int32')
x.topk(k=0)
x.clip(-1, 1)
x.clip(a_min=0, a_max=2)
x.flip(axis=0)
x.flip(axis=(0, 1))
x.copy()
x.T
x.transpose()
x.transpose((1, 0))
x.transpose(axes=(1, 0))
x.transpose(1, 0)
x.swapaxes(0, 1)
x.swapaxes(dim1=0, dim2=1)
x.expand_dims(axis=1)
x.expand_dims(-1)
x.squeeze()
x.diag()
x.diag(1)
x.diag(k=-1)
x[0].diag()
x.tile((2, 1))
x.tile(reps=2)
x.tile((2, 1, 1))
x.repeat(2)
x.repeat(repeats=2, axis=1)
x.repeat(2, axis=0)
x.pick(nd.array([0, 2]))
x.pick(nd.array([0, 2]), axis=1, keepdims=True)
x.pick(nd.array([0, 1, 0]), axis=0)
x.pick(nd.array([5, -1]))
x.pick(nd.array([4, -1]), mode='wrap')
x.take(nd.array([1, 0]))
x.take(nd.array([1, 5, -1]), axis=1)
x.take(nd.array([1, 5, -1]), axis=1, mode='wrap')
x.take(nd.array([[0, 1], [1, 0]]))
x.take(indices=nd.array([1.7]), axis=1)
x.broadcast_to((2, 3))
x[0:1].broadcast_to((4, 3))
x[0:1].broadcast_to((4, 0))
x[0].broadcast_to((2, 3))
x[0:1].broadcast_like(nd.zeros((4, 3)))
x[0:1].broadcast_axes(axis=0, size=3)
x.broadcast_to((3, 3))
x.flatten()
x.reshape((3, 2))
x.reshape((3, -1))
x.reshape(3, 2)
x.reshape(-1)
x.reshape([3, 2])
x.reshape(shape=(3, 2))
x.reshape((0, -1))
x.reshape((-3,))
x.reshape((-2,))
x.reshape((-2, 1))
x.reshape((-4, 1, 2, 0))
x.reshape((-4, -1, 2, -2))
x.reshape((0, 0, 1))
x.reshape((-1, 0), reverse=True)
x.reshape((-1, 0))
x.reshape((4, 2))
x.reshape((4, -1))
x.reshape(())
x.reshape((-1, -1))
x.reshape((2, 3), foo=1)
x.reshape_like(nd.zeros((6,)))
x.reshape_like(nd.zeros((3, 2)))
x.slice((0, 1), (2, 3))
x.slice(begin=(None, 0), end=(None, None), step=(None, 2))
x.slice((1,), (2,))
x.slice_axis(axis=1, begin=0, end=2)
x.slice_axis(axis=1, begin=-2, end=None)
x.slice_like(nd.zeros((1, 2)))
x.slice_like(nd.zeros((1, 2)), axes=(1,))
x.split(3)
x.split(num_outputs=2, axis=0)
x.split(num_outputs=3, axis=1, squeeze_axis=True)
x.split(4)
x.split_v2(3, axis=1)
x.split_v2((1,), axis=1)
x.one_hot(4)
x.one_hot(depth=3, on_value=5, off_value=-1, dtype='int32')
x.shape_array()
x.size_array()
x.zeros_like()
x.ones_like()
x.astype('int32')
x.astype(onp.float64)
x.astype(dtype='float16')
x.as_nd_ndarray()
x.detach()
x.tostype('default')
x.asnumpy()
x.sum().asscalar()
x.log2().shape
x.sum(axis=2)
x.sum(foo=1)
x.transpose((0, 2))
x.expand_dims(5)
x.argmax(axis=3)
x.topk(k=9)
x.softmax(axis=4)
x.swapaxes(0, 4)
"""

_POSITIVE = """
x.log()
x.log2()
x.log10()
x.log1p()
x.sqrt()
x.rsqrt()
x.arcsin()
x.arccos()
x.arctanh()
(x + 1).arccosh()
(x - 2).log()
(x - 2).sqrt()
(x + 1).arcsin()
"""

_CUBE = """
x.sum(axis=(0, 2))
x.sum(axis=1, exclude=True)
x.sum(axis=(0, -1), keepdims=True)
x.mean(axis=(1, 2))
x.max(axis=(0, 2))
x.argmax(axis=1)
x.argmin(axis=2, keepdims=True)
x.transpose((2, 0, 1))
x.swapaxes(0, 2)
x.reshape((-3, 0))
x.reshape((0, -3))
x.reshape((-3, -2))
x.reshape((0, -4, -1, 3, 0))
x.reshape((0, -4, 3, 1, -2))
x.reshape((-1, 0))
x.reshape((-1, 0), reverse=True)
x.reshape((0, -1), reverse=True)
x.reshape((-4, 1, 2, -2))
x.reshape((-2, 1, 1))
x.reshape((0, 0, -1))
x.reshape((-1,)).shape
x.flatten().shape
x.expand_dims(-2).shape
x.tile((1, 2, 1)).shape
x.repeat(2, axis=-1)
x.flip(axis=1)
x.norm(axis=(0, 1))
x.norm(axis=2, ord=1)
x.diag()
x.diag(k=0, axis1=0, axis2=2)
x.take(nd.array([0, 2]), axis=1)
x.take(nd.array([[0, 2], [1, 1]]), axis=-1).shape
x.pick(nd.array([[0, 1, 2], [3, 2, 1]]))
x.pick(nd.array([[0, 1, 2, 0], [2, 1, 0, 1]]), axis=1)
x.slice((0, 1, 1), (2, 3, 4), step=(1, 1, 2))
x.slice((None, -1, None), (None, None, None))
x.slice_like(nd.zeros((1, 2, 3)), axes=(0, -1))
x.topk(axis=1, k=2, ret_typ='value')
x.sort(axis=1, is_ascend=False)
x.argsort(axis=0)
x.softmax(axis=1)
x.broadcast_axes(axis=(0,), size=(2,))
x.one_hot(3).shape
x.reshape((1, 2, 3, 4)).pad(mode='constant', pad_width=(0, 0, 0, 0, 1, 1, 2, 0), constant_value=9)
x.reshape((1, 2, 3, 4)).pad(mode='edge', pad_width=(0, 0, 0, 0, 1, 1, 2, 0))
x.reshape((1, 2, 3, 4)).pad(mode='reflect', pad_width=(0, 0, 0, 0, 1, 1, 2, 0))
nd.arange(16).reshape((1, 4, 2, 2)).depth_to_space(2)
nd.arange(16).reshape((1, 1, 4, 4)).space_to_depth(2)
"""

_TIES = snippets("""
## ties/argmax
x = nd.array([[1, 3, 3], [2, 2, 1]])
out += [x.argmax(axis=1), x.argmax(), x.argmax(axis=0)]

## ties/argmin
x = nd.array([[1, 1, 3], [2, 0, 0]])
out += [x.argmin(axis=1), x.argmin()]

## ties/argsort
out += [nd.array([2, 1, 2, 1]).argsort(), nd.array([2, 1, 2, 1]).argsort(is_ascend=False)]

## ties/argmax-nan
out.append(nd.array([1, float('nan'), 3]).argmax())

## precision/argmax-is-float
x = nd.zeros((3,))
out += [
    onp.dtype(x.argmax().dtype).name,
    onp.dtype(x.argsort().dtype).name,
    onp.dtype(x.topk().dtype).name,
]

## precision/sum-of-many
out.append((nd.ones((4097,)) * 0.1).sum())

## precision/mean-of-many
out.append((nd.ones((100, 100)) * 0.1).mean())

## precision/softmax-large
out += [nd.array([[1000, 1001, 1002]]).softmax(), nd.array([[-1000, 0]]).log_softmax()]

## inplace-flags
x = nd.arange(6)
y = x.reshape((1, 6)).squeeze(inplace=True)
z = x.expand_dims(0, inplace=True)
w = x.reshape((1, 2, 3)).flatten(inplace=True)
out += [y, z.shape, w.shape]
z[:] = 1
out.append(x)

## squeeze
x = nd.zeros((1, 2, 1, 3))
out += [
    x.squeeze().shape,
    x.squeeze(axis=0).shape,
    x.squeeze(axis=(0, 2)).shape,
    x.squeeze(-2).shape,
    nd.zeros((1, 1)).squeeze().shape,
]

## squeeze-refused
nd.zeros((1, 2)).squeeze(axis=1)

## slice_assign
x = nd.zeros((3, 3))
y = x.slice_assign(nd.ones((2, 2)), (0, 0), (2, 2), (None, None))
out += [y, x]

## slice_assign_scalar
x = nd.zeros((3, 3))
y = x.slice_assign_scalar(5, (1, None), (3, 2), (None, None))
out += [y, x]

## method-equals-function
x = nd.array([[1, 2], [3, 4]])
out += [x.sum(axis=1), nd.sum(x, axis=1), x.exp(), nd.exp(x)]

## positional-attributes
x = nd.arange(6).reshape((2, 3))
out += [
    nd.sum(x, 1),
    nd.clip(x, 1, 3),
    nd.transpose(x, (1, 0)),
    nd.expand_dims(x, 0).shape,
    nd.slice_axis(x, 1, 0, 2),
    nd.one_hot(x, 3).shape,
    nd.reshape(x, (3, 2)),
    nd.tile(x, (2, 1)),
    nd.repeat(x, 2, 1),
    nd.topk(x, 1, 2),
    nd.take(x, nd.array([1]), 1),
]

## keyword-data
x = nd.arange(6).reshape((2, 3))
out += [
    nd.sum(data=x, axis=0),
    nd.take(a=x, indices=nd.array([1])),
    nd.dot(lhs=x, rhs=x, transpose_b=True),
    nd.where(condition=x > 2, x=x, y=-x),
    nd.one_hot(indices=x, depth=2).shape,
]

## name-argument
out.append(nd.sum(nd.ones((2,)), name='s'))

## string-attributes
x = nd.arange(6).reshape((2, 3))
out += [nd.sum(x, axis='1'), nd.reshape(x, shape='(3, 2)'), nd.clip(x, a_min='1', a_max='2.5')]

## string-axes
x = nd.arange(6).reshape((2, 1, 3, 1))
for axis in ('1', '(1, -1)', 'None', [1]):
    out.append(x.squeeze(axis))
out.append(x.expand_dims('1'))

## string-axes-refused
nd.ones((2, 1)).squeeze('a')

## none-attributes
x = nd.arange(6).reshape((2, 3))
out += [nd.sum(x, axis=None), nd.clip(x, 0, 2), nd.topk(x, axis=None, k=1)]

## backward-method
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
y.backward(nd.array([1, 10]), retain_graph=True)
out.append(x.grad.copy())
y.backward()
out.append(x.grad)
""")


def _rows(prefix: str, start: str, table: str) -> list:
    return [
        C(f"{prefix}/{line}", f"{start}r = {line}\nout += list(r) if isinstance(r, list) else [r]")
        for line in table.splitlines()
        if line
    ]


CASES = _rows("x", _X, _SIGNED) + _rows("p", _P, _POSITIVE) + _rows("m", _M, _CUBE) + _TIES
