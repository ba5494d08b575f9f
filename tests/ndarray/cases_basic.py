"""Creation, attributes, conversion to Python and NumPy, joining and splitting, pickling, files."""

from __future__ import annotations

from tests.cases import C

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

_ATTRIBUTES = [
    C("attributes/plain", "x = nd.zeros((2, 3, 4))\n"
      "out += [x.shape, x.size, x.ndim, x.stype, x.dtype is onp.float32, str(x.context), str(x.ctx), len(x)]"),
    C("attributes/scalar-like", "x = nd.array([3]).sum()\nout += [x.shape, x.size, x.ndim, len(x)]"),
    C("attributes/types", "x = nd.zeros((2, 3))\nout += [type(x.shape).__name__, type(x.shape[0]).__name__,"
      " type(x.size).__name__, type(x.ndim).__name__, type(x.dtype).__name__, type(x.stype).__name__,"
      " type(x.context).__name__]"),
    C("attributes/dtype-is-numpy-class", "out += [nd.zeros((1,), dtype=d).dtype is getattr(onp, d)"
      " for d in ('float16', 'float32', 'float64', 'int8', 'int32', 'int64', 'uint8')]"),
    C("attributes/dtype-compares", "x = nd.zeros((1,))\nout += [x.dtype == 'float32', x.dtype == onp.float32,"
      " x.dtype == onp.dtype('float32'), x.dtype == onp.float64]"),
    C("attributes/grad-none", "x = nd.zeros((1,))\nout.append(x.grad is None)"),
    C("attributes/T", "x = nd.arange(6).reshape((2, 3))\nout += [x.T, x.T.T, nd.arange(3).T,"
      " nd.arange(24).reshape((2, 3, 4)).T.shape]"),
    C("attributes/class", "x = nd.zeros((1,))\nout += [type(x) is nd.NDArray, type(x) is mx.nd.NDArray,"
      " type(x) is mx.ndarray.NDArray, isinstance(x, mx.nd.ndarray.NDArray), type(x).__name__]"),
    C("attributes/handle-slot", "x = nd.zeros((1,))\nout += [x.writable, isinstance(x, mx.nd.NDArray)]"),
    C("attributes/new-attribute", "x = nd.zeros((1,))\nx.foo = 1\nout.append(x.foo)"),
    C("attributes/read-only-shape", "x = nd.zeros((4,))\nx.shape = (2, 2)\nout.append(x)"),
    C("python/len", "out += [len(nd.zeros((2, 3))), len(nd.zeros((5,)))]"),
    C("python/iterate", "out += [tuple(float(v.asscalar()) for v in nd.arange(3)),"
      " tuple(v.shape for v in nd.zeros((2, 3))), tuple(v.shape for v in nd.zeros((2,)))]"),
    C("python/unpack", "a, b = nd.array([[1, 2], [3, 4]])\nout += [a, b]"),
    C("python/zip-enumerate", "out += [tuple((i, float(v.asscalar())) for i, v in enumerate(nd.arange(2)))]"),
    C("python/list", "l = list(nd.arange(3))\nout += [len(l), l[1]]"),
    C("python/sum-builtin", "out += [sum(nd.arange(4)), sum([nd.ones((2,)), nd.ones((2,))])]"),
    C("python/max-builtin", "out.append(max(nd.array([1, 3, 2])))"),
    C("python/sorted-builtin", "out += sorted(nd.array([3, 1, 2]))"),
    C("python/reversed", "out += list(reversed(nd.arange(3)))"),
    C("python/in", "out += [nd.array([1]) in [nd.array([1])], nd.array([2]) in [nd.array([1])]]"),
    C("python/contains", "out += [2 in nd.array([1, 2, 3]), 5 in nd.array([1, 2, 3])]"),
    C("python/bool-true", "out += [bool(nd.array([1])), bool(nd.array([0])), bool(nd.array([0.5])), bool(nd.array([[2]]))]"),
    C("python/bool-several", "bool(nd.array([1, 2]))"),
    C("python/if", "out.append('yes' if nd.array([1]) > 0 else 'no')"),
    C("python/and-or", "out += [nd.array([1]) and nd.array([2]), nd.array([0]) or nd.array([3])]"),
    C("python/not", "out += [not nd.array([1]), not nd.array([0])]"),
    C("python/int", "int(nd.array([3]))"),
    C("python/float", "float(nd.array([3]))"),
    C("python/int-of-asscalar", "out += [int(nd.array([3.7]).asscalar()), float(nd.array([3.5]).asscalar())]"),
    C("python/complex", "complex(nd.array([3]))"),
    C("python/index", "[1, 2, 3][nd.array([1], dtype='int32')]"),
    C("python/range", "range(nd.array([3], dtype='int32'))"),
    C("python/round", "round(nd.array([1.5]))"),
    C("python/abs-neg", "out += [abs(nd.array([-1, 2])), -nd.array([1, -2])]"),
    C("python/pos", "+nd.array([1])"),
    C("python/invert", "~nd.array([1])"),
    C("python/divmod", "divmod(nd.array([7]), 2)"),
    C("python/hash", "x, y = nd.zeros((1,)), nd.zeros((1,))\nd = {x: 1}\nout += [d[x], hash(x) == hash(x), hash(x) == hash(y)]"),
    C("python/set", "x = nd.zeros((1,))\nout.append(len({x, x}))"),
    C("python/id-equality", "x = nd.zeros((2,))\nout += [x is x, x[:] is x]"),
    C("python/getattr-unknown", "nd.zeros((1,)).no_such_method"),
    C("python/call", "nd.zeros((1,))()"),
    C("python/format", "x = nd.array([1.5])\nout += ['%.2f' % x.asscalar(), '{:.1f}'.format(x.asscalar())]"),
    C("python/format-array", "out.append('{}'.format(nd.array([1.5])))"),
    C("python/percent-array", "'%f' % nd.array([1.5])"),
    C("python/asscalar", "out += [nd.array([3]).asscalar(), type(nd.array([3]).asscalar()).__name__,"
      " type(nd.array([3], dtype='int32').asscalar()).__name__, nd.array([[3]]).asscalar()]"),
    C("python/asscalar-several", "nd.array([1, 2]).asscalar()"),
    C("python/item", "nd.array([1]).item()"),
    C("python/tolist", "nd.array([1]).tolist()"),
    C("python/asnumpy", "a = nd.arange(6).reshape((2, 3)).asnumpy()\nout += [a, type(a).__name__, bool(a.flags.c_contiguous)]"),
    C("python/asnumpy-transposed", "a = nd.arange(6).reshape((2, 3)).T.asnumpy()\nout += [a, bool(a.flags.c_contiguous)]"),
    C("numpy/stack-of-asnumpy", "out.append(onp.stack([x.asnumpy() for x in nd.arange(4).reshape((2, 2))]))"),
    C("numpy/sum-of", "out.append(onp.sum(nd.arange(4)))"),
    C("numpy/allclose", "out.append(bool(onp.allclose(nd.arange(3).asnumpy(), [0, 1, 2])))"),
    C("numpy/left-operand", "onp.ones(2) + nd.ones((2,))"),
    C("numpy/right-operand", "nd.ones((2,)) + onp.ones(2)"),
    C("numpy/scalar-left", "r = onp.float32(2) * nd.ones((2,))\nout += [type(r).__name__, r]"),
    C("numpy/scalar-right", "r = nd.ones((2,)) * onp.float32(2)\nout += [type(r).__name__, r]"),
    C("numpy/int-scalar-right", "out += [nd.ones((2,)) + onp.int64(2), nd.ones((2,), dtype='int32') * onp.int64(2)]"),
    C("numpy/compare", "nd.ones((2,)) == onp.ones(2)"),
    C("waitall", "x = nd.ones((2,))\nnd.waitall()\nx.wait_to_read()\nout.append(x)"),
]

_STORE = [
    C("pickle/array", "import pickle\nx = nd.arange(6).reshape((2, 3))\ny = pickle.loads(pickle.dumps(x))\n"
      "out += [y, str(y.context), type(y) is nd.NDArray]"),
    C("pickle/dtype", "import pickle\nout += [pickle.loads(pickle.dumps(nd.array([1, 2], dtype=d)))"
      " for d in ('float16', 'float64', 'int8', 'int32', 'int64', 'uint8')]"),
    C("pickle/context", "import pickle\ny = pickle.loads(pickle.dumps(nd.ones((2,), ctx=mx.cpu(1))))\n"
      "out += [y, str(y.context)]"),
    C("pickle/protocols", "import pickle\nout += [pickle.loads(pickle.dumps(nd.ones((2,)), p)) for p in (0, 1, 2, 3, 4)]"),
    C("pickle/in-dict", "import pickle\nd = pickle.loads(pickle.dumps({'w': nd.ones((2,)), 'n': 3}))\nout += [d['w'], d['n']]"),
    C("pickle/grad-is-dropped", "import pickle\nx = nd.ones((2,))\nx.attach_grad()\n"
      "out.append(pickle.loads(pickle.dumps(x)).grad is None)"),
    C("pickle/context-object", "import pickle\nout.append(str(pickle.loads(pickle.dumps(mx.cpu(3)))))"),
    C("copy/deepcopy", "import copy\nx = nd.arange(3)\ny = copy.deepcopy(x)\ny += 1\nout += [x, y]"),
    C("copy/copy-module", "import copy\nx = nd.arange(3)\ny = copy.copy(x)\nout.append(y)"),
    C("copy/deepcopy-in-list", "import copy\nl = [nd.ones((2,)), 3]\nm = copy.deepcopy(l)\nm[0] += 1\nout += [l[0], m[0]]"),
    C("save/list", "import os, tempfile\nf = os.path.join(tempfile.mkdtemp(), 'a.params')\n"
      "nd.save(f, [nd.arange(3), nd.ones((2, 2), dtype='int32')])\nl = nd.load(f)\nout += [type(l).__name__, *l]"),
    C("save/dict", "import os, tempfile\nf = os.path.join(tempfile.mkdtemp(), 'a.params')\n"
      "nd.save(f, {'b': nd.arange(3), 'a': nd.ones((2,))})\nd = nd.load(f)\n"
      "out += [type(d).__name__, tuple(d), d['a'], d['b']]"),
    C("save/single", "import os, tempfile\nf = os.path.join(tempfile.mkdtemp(), 'a.params')\n"
      "nd.save(f, nd.arange(3))\nl = nd.load(f)\nout += [type(l).__name__, len(l), l[0]]"),
    C("save/bytes", "import os, tempfile\nf = os.path.join(tempfile.mkdtemp(), 'a.params')\n"
      "nd.save(f, {'w': nd.arange(3)})\nb = open(f, 'rb').read()\nout += [len(b), b.hex()]"),
    C("save/bytes-list-int64", "import os, tempfile\nf = os.path.join(tempfile.mkdtemp(), 'a.params')\n"
      "nd.save(f, [nd.array([[1, 2]], dtype='int64'), nd.array([3], dtype='float16')])\n"
      "out.append(open(f, 'rb').read().hex())"),
    C("save/load_frombuffer", "import os, tempfile\nf = os.path.join(tempfile.mkdtemp(), 'a.params')\n"
      "nd.save(f, {'w': nd.arange(3)})\nd = nd.load_frombuffer(open(f, 'rb').read())\nout += [tuple(d), d['w']]"),
    C("save/all-dtypes", "import os, tempfile\nf = os.path.join(tempfile.mkdtemp(), 'a.params')\n"
      "nd.save(f, [nd.array([1, 2, 3], dtype=d) for d in ('float16', 'float32', 'float64', 'int8', 'int32', 'int64', 'uint8')])\n"
      "out += nd.load(f)"),
    C("save/other-context", "import os, tempfile\nf = os.path.join(tempfile.mkdtemp(), 'a.params')\n"
      "nd.save(f, [nd.ones((2,), ctx=mx.cpu(1))])\nout.append(str(nd.load(f)[0].context))"),
    C("save/bad-data", "nd.save('x.params', 3)"),
    C("save/bad-item", "nd.save('x.params', [3])"),
    C("save/bad-key", "nd.save('x.params', {1: nd.ones((1,))})"),
    C("load/missing", "nd.load('/no/such/file.params')"),
    C("load/not-a-file-name", "nd.load(3)"),
    C("load/garbage", "import os, tempfile\nf = os.path.join(tempfile.mkdtemp(), 'a.params')\n"
      "open(f, 'wb').write(b'not parameters at all, really not')\nnd.load(f)"),
    C("load/truncated", "import os, tempfile\nf = os.path.join(tempfile.mkdtemp(), 'a.params')\n"
      "nd.save(f, [nd.arange(100)])\nb = open(f, 'rb').read()\nopen(f, 'wb').write(b[:-40])\nnd.load(f)"),
]

CASES = (
    [C("create/" + line, f"out.append({line})") for line in _CREATE.splitlines()
     if line] + _ATTRIBUTES + _STORE
)
