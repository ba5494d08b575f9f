"""Creation, attributes, conversion to Python and NumPy, joining and splitting, pickling, files."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

_CREATE = """
nd.zeros(3)
nd.zeros((2, 3))
nd.zeros([2, 3])
nd.zeros((2, 3), dtype='int32')
nd.zeros(shape=(2,), ctx=mx.cpu(1), dtype=onp.float64)
nd.ones(3)
nd.ones((2, 3), mx.cpu(1))
nd.ones((2,), dtype='uint8')
nd.full((2, 3), 7)
nd.full((2,), 1.5, dtype='int32')
nd.full(2, 7, ctx=mx.cpu(1))
nd.full((2,), 7, mx.cpu(0), 'float64')
nd.arange(5)
nd.arange(2, 5)
nd.arange(2, 10, 3)
nd.arange(5, 0, -2)
nd.arange(0, 1, 0.25)
nd.arange(0, 1, 0.3)
nd.arange(3, repeat=2)
nd.arange(0, 6, 2, 3)
nd.arange(3, dtype='int32')
nd.arange(3, ctx=mx.cpu(1))
nd.arange(start=1, stop=4, step=1)
nd.arange(5.5)
nd.linspace(0, 1, 5)
nd.linspace(0, 1, 5, endpoint=False)
nd.linspace(1, 0, 3, dtype='float64')
nd.linspace(0, 10, 4, ctx=mx.cpu(1))
nd.eye(3)
nd.eye(2, 3)
nd.eye(3, 3, 1)
nd.eye(3, k=-1, dtype='int32')
nd.eye(3, M=4, ctx=mx.cpu(1))
nd.empty((2, 3)).shape
onp.dtype(nd.empty((2,), dtype='int32').dtype).name
nd.zeros_like(nd.ones((2, 3), dtype='int32'))
nd.ones_like(nd.zeros((2, 3)))
nd.ones((2, 3)).zeros_like()
nd.zeros((2, 3)).ones_like()
nd.array([1, 2, 3])
nd.array((1, 2, 3))
nd.array([[1, 2], [3, 4]])
nd.array(5)
nd.array(5.5)
nd.array([])
nd.array(range(3))
nd.array([1, 2], ctx=mx.cpu(1))
nd.array([1.9, -1.9], dtype='int32')
nd.array([True, False])
nd.array([nd.array([1, 2]), nd.array([3, 4])])
nd.array([onp.array([1, 2]), onp.array([3, 4])])
nd.array(onp.arange(3))
nd.array(onp.arange(3, dtype='uint8'))
nd.array(onp.arange(3, dtype='float64'))
nd.array(onp.arange(3, dtype='float16'))
nd.array(onp.arange(3, dtype='int64'), dtype='int64')
nd.array(onp.arange(6).reshape(2, 3).T)
nd.array(onp.arange(6)[::-1])
nd.array(onp.float64(3))
nd.array(onp.array(3))
nd.array(onp.array([True, False]))
nd.array(nd.array([1, 2], dtype='int32'))
nd.array(nd.array([1, 2], dtype='float64'))
nd.array(nd.array([1, 2]), dtype='int32')
nd.array(nd.array([1, 2], ctx=mx.cpu(1)))
nd.array([2 ** 24 + 1])
nd.array([2 ** 24 + 1], dtype='int32')
nd.array([2 ** 40 + 1], dtype='int64')
nd.array([1e400])
nd.array([float('nan'), float('inf')])
nd.array([[1, 2], [3]])
nd.array(['a'])
nd.array(None)
nd.array([None])
nd.array({1: 2})
nd.moveaxis(nd.zeros((2, 3, 4)), 0, 2).shape
nd.moveaxis(nd.arange(6).reshape((1, 2, 3)), 2, 0)
nd.moveaxis(nd.zeros((2, 3, 4)), (0, 1), (1, 2)).shape
nd.moveaxis(nd.zeros((2, 3, 4)), -1, 0).shape
nd.moveaxis(nd.zeros((2, 3, 4)), 0, 5)
nd.concatenate([nd.ones((1, 2)), nd.zeros((2, 2))])
nd.concatenate([nd.ones((2, 1)), nd.zeros((2, 2))], axis=1)
nd.concatenate([nd.ones((2,))], always_copy=False)
nd.concat(nd.ones((2, 1)), nd.zeros((2, 2)))
nd.concat(nd.ones((1, 2)), nd.zeros((2, 2)), dim=0)
nd.concat(*[nd.ones((1, 2)), nd.zeros((1, 2))], dim=-1)
nd.concat(nd.ones((1, 2)), nd.zeros((1, 2), dtype='int32'), dim=0)
nd.stack(nd.ones((2,)), nd.zeros((2,)))
nd.stack(nd.ones((2,)), nd.zeros((2,)), axis=1)
nd.stack(*[nd.ones((2,)), nd.zeros((2,))], axis=-1)
nd.stack(nd.ones((2,)), nd.zeros((3,)))
nd.add_n(nd.ones((2,)), nd.ones((2,)), nd.ones((2,)))
nd.maximum(nd.array([1, 5]), 3)
nd.maximum(3, nd.array([1, 5]))
nd.maximum(2, 3)
nd.minimum(nd.array([1, 5]), nd.array([4, 4]))
nd.minimum(nd.array([[1], [5]]), nd.array([4, 2]))
nd.power(nd.array([1, 2]), 2)
nd.power(2, nd.array([1, 2]))
nd.power(2, 3)
nd.add(nd.array([1, 2]), nd.array([[1], [2]]))
nd.add(1, nd.array([1, 2]))
nd.add(1, 2)
nd.subtract(1, nd.array([1, 2]))
nd.multiply(nd.array([1, 2]), 3)
nd.divide(1, nd.array([1, 2]))
nd.true_divide(nd.array([1, 2]), 4)
nd.modulo(7, nd.array([2, 3]))
nd.equal(nd.array([1, 2]), nd.array([1, 3]))
nd.not_equal(nd.array([1, 2]), 1)
nd.greater(nd.array([1, 2]), 1)
nd.greater_equal(nd.array([1, 2]), nd.array([2, 2]))
nd.lesser(1, nd.array([1, 2]))
nd.lesser_equal(nd.array([1, 2]), 1)
nd.logical_and(nd.array([0, 2]), nd.array([1, 1]))
nd.logical_or(nd.array([0, 2]), nd.array([0, 0]))
nd.logical_xor(nd.array([0, 2]), nd.array([1, 1]))
nd.logical_and(nd.array([0, 2]), 1)
nd.elemwise_add(nd.ones((2,)), nd.ones((3,)))
nd.elemwise_add(nd.ones((2, 2)), nd.ones((2,)))
nd.elemwise_mul(nd.ones((2,)) * 2, nd.ones((2,)) * 3)
nd.broadcast_mul(nd.ones((2, 1)) * 2, nd.ones((1, 3)) * 3)
nd.broadcast_add(nd.ones((2, 3)), nd.ones((3,)))
nd.ones((2, 3)) + nd.ones((3, 2))
nd.histogram(nd.array([1, 2, 1, 4]), bins=3)[0]
nd.histogram(nd.array([1, 2, 1, 4]), bins=3, range=(0, 6))[1]
nd.split_v2(nd.arange(6), 3)[1]
nd.split_v2(nd.arange(6), (1, 4))[1]
nd.split_v2(nd.arange(6).reshape((2, 3)), 3, axis=1, squeeze_axis=True)[2]
nd.split(nd.arange(6).reshape((2, 3)), 3)[1]
nd.split(nd.arange(6).reshape((2, 3)), num_outputs=2, axis=0, squeeze_axis=True)[1]
type(nd.split(nd.arange(6).reshape((2, 3)), 3)).__name__
type(nd.split(nd.arange(6).reshape((2, 3)), 1)).__name__
nd.zeros((2, 3)) + nd.zeros((2, 3), ctx=mx.cpu(1))
nd.dot(nd.ones((2, 3)), nd.ones((3,)))
nd.dot(nd.ones((3,)), nd.ones((3,)))
"""

_ATTRIBUTES = snippets("""
## attributes/plain
x = nd.zeros((2, 3, 4))
out += [
    x.shape,
    x.size,
    x.ndim,
    x.stype,
    x.dtype is onp.float32,
    str(x.context),
    str(x.ctx),
    len(x),
]

## attributes/scalar-like
x = nd.array([3]).sum()
out += [x.shape, x.size, x.ndim, len(x)]

## attributes/types
x = nd.zeros((2, 3))
out += [
    type(x.shape).__name__,
    type(x.shape[0]).__name__,
    type(x.size).__name__,
    type(x.ndim).__name__,
    type(x.dtype).__name__,
    type(x.stype).__name__,
    type(x.context).__name__,
]

## attributes/dtype-is-numpy-class
out += [
    nd.zeros((1,), dtype=d).dtype is getattr(onp, d)
    for d in ('float16', 'float32', 'float64', 'int8', 'int32', 'int64', 'uint8')
]

## attributes/dtype-compares
x = nd.zeros((1,))
out += [
    x.dtype == 'float32',
    x.dtype == onp.float32,
    x.dtype == onp.dtype('float32'),
    x.dtype == onp.float64,
]

## attributes/grad-none
x = nd.zeros((1,))
out.append(x.grad is None)

## attributes/T
x = nd.arange(6).reshape((2, 3))
out += [x.T, x.T.T, nd.arange(3).T, nd.arange(24).reshape((2, 3, 4)).T.shape]

## attributes/class
x = nd.zeros((1,))
out += [
    type(x) is nd.NDArray,
    type(x) is mx.nd.NDArray,
    type(x) is mx.ndarray.NDArray,
    isinstance(x, mx.nd.ndarray.NDArray),
    type(x).__name__,
]

## attributes/handle-slot
x = nd.zeros((1,))
out += [x.writable, isinstance(x, mx.nd.NDArray)]

## attributes/new-attribute
x = nd.zeros((1,))
x.foo = 1
out.append(x.foo)

## attributes/read-only-shape
x = nd.zeros((4,))
x.shape = (2, 2)
out.append(x)

## python/len
out += [len(nd.zeros((2, 3))), len(nd.zeros((5,)))]

## python/iterate
out += [
    tuple(float(v.asscalar()) for v in nd.arange(3)),
    tuple(v.shape for v in nd.zeros((2, 3))),
    tuple(v.shape for v in nd.zeros((2,))),
]

## python/unpack
a, b = nd.array([[1, 2], [3, 4]])
out += [a, b]

## python/zip-enumerate
out += [tuple((i, float(v.asscalar())) for i, v in enumerate(nd.arange(2)))]

## python/list
l = list(nd.arange(3))
out += [len(l), l[1]]

## python/sum-builtin
out += [sum(nd.arange(4)), sum([nd.ones((2,)), nd.ones((2,))])]

## python/max-builtin
out.append(max(nd.array([1, 3, 2])))

## python/sorted-builtin
out += sorted(nd.array([3, 1, 2]))

## python/reversed
out += list(reversed(nd.arange(3)))

## python/in
out += [nd.array([1]) in [nd.array([1])], nd.array([2]) in [nd.array([1])]]

## python/contains
out += [2 in nd.array([1, 2, 3]), 5 in nd.array([1, 2, 3])]

## python/bool-true
out += [bool(nd.array([1])), bool(nd.array([0])), bool(nd.array([0.5])), bool(nd.array([[2]]))]

## python/bool-several
bool(nd.array([1, 2]))

## python/if
out.append('yes' if nd.array([1]) > 0 else 'no')

## python/and-or
out += [nd.array([1]) and nd.array([2]), nd.array([0]) or nd.array([3])]

## python/not
out += [not nd.array([1]), not nd.array([0])]

## python/int
int(nd.array([3]))

## python/float
float(nd.array([3]))

## python/int-of-asscalar
out += [int(nd.array([3.7]).asscalar()), float(nd.array([3.5]).asscalar())]

## python/complex
complex(nd.array([3]))

## python/index
[1, 2, 3][nd.array([1], dtype='int32')]

## python/range
range(nd.array([3], dtype='int32'))

## python/round
round(nd.array([1.5]))

## python/abs-neg
out += [abs(nd.array([-1, 2])), -nd.array([1, -2])]

## python/pos
+nd.array([1])

## python/invert
~nd.array([1])

## python/divmod
divmod(nd.array([7]), 2)

## python/hash
x, y = nd.zeros((1,)), nd.zeros((1,))
d = {x: 1}
out += [d[x], hash(x) == hash(x), hash(x) == hash(y)]

## python/set
x = nd.zeros((1,))
out.append(len({x, x}))

## python/id-equality
x = nd.zeros((2,))
out += [x is x, x[:] is x]

## python/getattr-unknown
nd.zeros((1,)).no_such_method

## python/call
nd.zeros((1,))()

## python/format
x = nd.array([1.5])
out += ['%.2f' % x.asscalar(), '{:.1f}'.format(x.asscalar())]

## python/format-array
out.append('{}'.format(nd.array([1.5])))

## python/percent-array
'%f' % nd.array([1.5])

## python/asscalar
out += [nd.array([3]).asscalar(), type(nd.array([3]).asscalar()).__name__]
out.append(type(nd.array([3], dtype='int32').asscalar()).__name__)

## python/asscalar-of-1x1-is-an-array
out.append(nd.array([[3]]).asscalar())

## python/asscalar-several
nd.array([1, 2]).asscalar()

## python/item
nd.array([1]).item()

## python/tolist
nd.array([1]).tolist()

## python/asnumpy
a = nd.arange(6).reshape((2, 3)).asnumpy()
out += [a, type(a).__name__, bool(a.flags.c_contiguous)]

## python/asnumpy-transposed
a = nd.arange(6).reshape((2, 3)).T.asnumpy()
out += [a, bool(a.flags.c_contiguous)]

## numpy/stack-of-asnumpy
out.append(onp.stack([x.asnumpy() for x in nd.arange(4).reshape((2, 2))]))

## numpy/sum-of
out.append(onp.sum(nd.arange(4)))

## numpy/allclose
out.append(bool(onp.allclose(nd.arange(3).asnumpy(), [0, 1, 2])))

## numpy/left-operand
onp.ones(2) + nd.ones((2,))

## numpy/right-operand
nd.ones((2,)) + onp.ones(2)

## numpy/scalar-left
r = onp.float32(2) * nd.ones((2,))
out += [type(r).__name__, r]

## numpy/scalar-right
r = nd.ones((2,)) * onp.float32(2)
out += [type(r).__name__, r]

## numpy/int-scalar-right
out += [nd.ones((2,)) + onp.int64(2), nd.ones((2,), dtype='int32') * onp.int64(2)]

## numpy/compare
nd.ones((2,)) == onp.ones(2)

## waitall
x = nd.ones((2,))
nd.waitall()
x.wait_to_read()
out.append(x)
""")

_STORE = snippets("""
## pickle/array
import pickle
x = nd.arange(6).reshape((2, 3))
y = pickle.loads(pickle.dumps(x))
out += [y, str(y.context), type(y) is nd.NDArray]

## pickle/dtype
import pickle
out += [
    pickle.loads(pickle.dumps(nd.array([1, 2], dtype=d)))
    for d in ('float16', 'float64', 'int8', 'int32', 'int64', 'uint8')
]

## pickle/context
import pickle
y = pickle.loads(pickle.dumps(nd.ones((2,), ctx=mx.cpu(1))))
out += [y, str(y.context)]

## pickle/protocols
import pickle
out += [pickle.loads(pickle.dumps(nd.ones((2,)), p)) for p in (0, 1, 2, 3, 4)]

## pickle/in-dict
import pickle
d = pickle.loads(pickle.dumps({'w': nd.ones((2,)), 'n': 3}))
out += [d['w'], d['n']]

## pickle/grad-is-dropped
import pickle
x = nd.ones((2,))
x.attach_grad()
out.append(pickle.loads(pickle.dumps(x)).grad is None)

## pickle/context-object
import pickle
out.append(str(pickle.loads(pickle.dumps(mx.cpu(3)))))

## copy/deepcopy
import copy
x = nd.arange(3)
y = copy.deepcopy(x)
y += 1
out += [x, y]

## copy/copy-module
import copy
x = nd.arange(3)
y = copy.copy(x)
out.append(y)

## copy/deepcopy-in-list
import copy
l = [nd.ones((2,)), 3]
m = copy.deepcopy(l)
m[0] += 1
out += [l[0], m[0]]

## save/list
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'a.params')
nd.save(f, [nd.arange(3), nd.ones((2, 2), dtype='int32')])
l = nd.load(f)
out += [type(l).__name__, *l]

## save/dict
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'a.params')
nd.save(f, {'b': nd.arange(3), 'a': nd.ones((2,))})
d = nd.load(f)
out += [type(d).__name__, tuple(d), d['a'], d['b']]

## save/single
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'a.params')
nd.save(f, nd.arange(3))
l = nd.load(f)
out += [type(l).__name__, len(l), l[0]]

## save/bytes
import os, pathlib, tempfile
f = os.path.join(tempfile.mkdtemp(), 'a.params')
nd.save(f, {'w': nd.arange(3)})
b = pathlib.Path(f).read_bytes()
out += [len(b), b.hex()]

## save/bytes-list-int64
import os, pathlib, tempfile
f = os.path.join(tempfile.mkdtemp(), 'a.params')
nd.save(f, [nd.array([[1, 2]], dtype='int64'), nd.array([3], dtype='float16')])
out.append(pathlib.Path(f).read_bytes().hex())

## save/load_frombuffer
import os, pathlib, tempfile
f = os.path.join(tempfile.mkdtemp(), 'a.params')
nd.save(f, {'w': nd.arange(3)})
d = nd.load_frombuffer(pathlib.Path(f).read_bytes())
out += [tuple(d), d['w']]

## save/all-dtypes
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'a.params')
nd.save(
    f,
    [
        nd.array([1, 2, 3], dtype=d)
        for d in ('float16', 'float32', 'float64', 'int8', 'int32', 'int64', 'uint8')
    ],
)
out += nd.load(f)

## save/other-context
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'a.params')
nd.save(f, [nd.ones((2,), ctx=mx.cpu(1))])
out.append(str(nd.load(f)[0].context))

## save/bad-data
nd.save('x.params', 3)

## save/bad-item
nd.save('x.params', [3])

## save/bad-key
nd.save('x.params', {1: nd.ones((1,))})

## load/missing
nd.load('/no/such/file.params')

## load/not-a-file-name
nd.load(3)

## load/garbage
import os, pathlib, tempfile
f = os.path.join(tempfile.mkdtemp(), 'a.params')
pathlib.Path(f).write_bytes(b'not parameters at all, really not')
nd.load(f)

## load/truncated
import os, pathlib, tempfile
f = os.path.join(tempfile.mkdtemp(), 'a.params')
nd.save(f, [nd.arange(100)])
b = pathlib.Path(f).read_bytes()
pathlib.Path(f).write_bytes(b[:-40])
nd.load(f)
""")

CASES = (
    [C("create/" + line, f"out.append({line})") for line in _CREATE.splitlines() if line]
    + _ATTRIBUTES
    + _STORE
)
