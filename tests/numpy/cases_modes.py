"""Switches of NumPy semantics, blocks, files, symbols, autograd and NumPy's own functions."""

from tests.snippets import snippets

CASES = snippets(r"""
## switches/set-and-reset
def state():
    return mx.util.is_np_shape(), mx.util.is_np_array()
out.append(state())
mx.npx.set_np()
out.append(state())
mx.npx.reset_np()
out.append(state())
mx.npx.set_np(shape=True, array=False)
out += [state(), mx.util.set_np_shape(False), state()]

## switches/array-without-shape
mx.npx.set_np(shape=False, array=True)

## switches/shape-off-under-array
mx.npx.set_np()
mx.util.set_np_shape(False)

## switches/scopes
def state():
    return mx.util.is_np_shape(), mx.util.is_np_array()
with mx.util.np_shape(True):
    out.append(state())
    with mx.util.np_array(True):
        out.append(state())
    out.append(state())
out.append(state())

## switches/threads
import threading
mx.npx.set_np()
seen = []
def look():
    seen.append((mx.util.is_np_shape(), mx.util.is_np_array()))
thread = threading.Thread(target=look)
thread.start()
thread.join()
out += seen

## switches/use_np-function
@mx.util.use_np
def state():
    return mx.util.is_np_shape(), mx.util.is_np_array()
out += [state(), mx.util.is_np_array(), state.__name__]
out.append(mx.util.use_np_shape(lambda: (mx.util.is_np_shape(), mx.util.is_np_array()))())
out.append(mx.util.use_np_array(lambda: (mx.util.is_np_shape(), mx.util.is_np_array()))())

## switches/use_np-class
@mx.util.use_np
class Some(gluon.Block):
    def __init__(self):
        super().__init__()
        self.at_start = mx.util.is_np_array()
    def forward(self, x):
        return mx.util.is_np_array()
    @property
    def one(self):
        return mx.util.is_np_shape()
    @staticmethod
    def two():
        return mx.util.is_np_array()
some = Some()
out += [some.at_start, some(1), some.one, Some.two(), mx.util.is_np_array(), Some.__name__]

## switches/use_np-of-a-number
mx.util.use_np(3)

## switches/use_np-block
@mx.util.use_np
class Layer(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.dense = nn.Dense(3)
            self.scale = self.params.get("scale", shape=(3,), init="ones")
    def hybrid_forward(self, F, x, scale):
        y = self.dense(x)
        return F.npx.relu(y) * scale, y.sum(), F.np.mean(y, axis=0)
layer = Layer()
layer.initialize()
x = mx.np.array([[1.0, 2.0], [3.0, -4.0]])
out += [layer(x), type(layer.scale.data()).__name__]
layer.hybridize()
out.append(layer(x))

## legacy/zero-dim-under-np-shape
with mx.util.np_shape(True):
    x = nd.ones((2, 3))
    out += [x[0, 1], x[0, 1].shape, x.sum().shape, nd.zeros(()).shape, nd.zeros((0, 3)).shape]
    out += [nd.linalg.det(nd.ones((2, 2))).shape, nd.norm(x).shape, nd.argmax(x[0], axis=0).shape]
    out += [nd.split(nd.ones((2,)), 2, axis=0, squeeze_axis=True)[0].shape, nd.array(3).shape]

## legacy/conversions-share-memory
x = nd.array([1.0, 2.0])
y = x.as_np_ndarray()
y[0] = 7
z = y.as_nd_ndarray()
z[1] = 8
out += [x, y, z, type(y).__name__, type(z).__name__]

## legacy/conversion-keeps-history
x = nd.array([1.0, 2.0])
x.attach_grad()
with autograd.record():
    y = (x * 3).as_np_ndarray()
    z = (y * y).sum()
z.backward()
out += [x.grad, y]

## autograd/zero-dim
mx.npx.set_np()
x = mx.np.array(3.0)
x.attach_grad()
with autograd.record():
    y = x * x
y.backward()
out += [y, x.grad, x.grad.shape]

## autograd/grad_req-add
mx.npx.set_np()
x = mx.np.array([1.0, 2.0])
x.attach_grad("add")
for _ in range(2):
    with autograd.record():
        y = x * x
    y.backward()
out.append(x.grad)

## autograd/parts
mx.npx.set_np()
x = mx.np.arange(6).reshape(2, 3)
x.attach_grad()
with autograd.record():
    y = x[0] * x[:, 1].sum() + x[[1, 0], [0, 2]].prod() + x[x > 3].sum() + mx.np.array(x)[1]
y.backward()
out += [y, x.grad]

## autograd/write-to-leaf
mx.npx.set_np()
x = mx.np.array([1.0, 2.0])
x.attach_grad()
with autograd.record():
    x[:] = 3

## autograd/write-outside
mx.npx.set_np()
x = mx.np.array([1.0, 2.0])
x.attach_grad()
with autograd.record():
    y = (x * x).sum()
y.backward()
x[:] = x - 0.1 * x.grad
x -= 1
out += [x, x.grad]

## files/save-and-load
import os, tempfile
mx.npx.set_np()
np, npx = mx.np, mx.npx
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "arrays")
    npx.save(path, [np.arange(3), np.array(2.5), np.zeros((0, 2))])
    out.append(npx.load(path))
    npx.save(path, {"a": np.ones((2,), dtype="int32")})
    out.append(npx.load(path))
    npx.save(path, np.array(7))
    out += [npx.load(path), open(path, "rb").read()]

## files/save-legacy
mx.npx.set_np()
mx.npx.save("never", nd.ones((2,)))

## arrays/attributes
mx.npx.set_np()
x = mx.np.ones(2)
x.note = "kept"
out += [x.note, [float(v) for v in mx.np.arange(3)], sum([mx.np.array(1.0), mx.np.array(2.0)])]
out += ["{:.3f} {}".format(mx.np.array(1.5), mx.np.array([1.5, 2])), mx.np.array(2.0) in [x[0]]]

## arrays/hash
mx.npx.set_np()
{mx.np.array(1): 2}

## files/pickle-and-copy
import copy, pickle
mx.npx.set_np()
for x in (mx.np.arange(3), mx.np.array(2, dtype="int64")):
    out += [pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)]

## gluon/parameters
mx.npx.set_np()
p = gluon.Parameter("w", shape=(2, 0), allow_deferred_init=True)
out += [p.shape, str(p)]
p.initialize(mx.init.One())
p.shape = (2, 3)
out += [p.shape]
q = gluon.Parameter("q", shape=(2, 2))
q.initialize(mx.init.Uniform(1))
out += [q.data(), q.grad(), str(q.var()), type(q.var()).__name__]
q.set_data(mx.np.ones((2, 2)))
out.append(q.data())

## gluon/initializers
mx.npx.set_np()
for init in (mx.init.Uniform(), mx.init.Normal(), mx.init.Xavier(), mx.init.MSRAPrelu()):
    p = gluon.Parameter("w_weight", shape=(2, 3), init=init)
    p.initialize()
    out.append(p.data())

## gluon/batches
mx.npx.set_np()
data = gluon.data.ArrayDataset(mx.np.arange(12).reshape(6, 2), mx.np.arange(6))
for x, y in gluon.data.DataLoader(data, 4):
    out += [x, y]
for x, y in gluon.data.DataLoader(data.transform_first(lambda v: v * 2), 4):
    out += [x, y]
for x in gluon.data.DataLoader([1, 2, 3], 2):
    out.append(x)

## gluon/batches-of-workers
mx.npx.set_np()
data = gluon.data.ArrayDataset(onp.arange(12).reshape(6, 2), onp.arange(6))
for how in ({"thread_pool": True}, {}):
    for x, y in gluon.data.DataLoader(data, 4, num_workers=2, **how):
        out += [x, y]

## gluon/split_and_load
mx.npx.set_np()
out += gluon.utils.split_and_load(mx.np.arange(8).reshape(4, 2), [mx.cpu(0), mx.cpu(1)])
out += gluon.utils.split_and_load(onp.ones((2, 2)), [mx.cpu(0)])

## gluon/losses
mx.npx.set_np()
a, b = mx.np.array([[0.2, -0.5], [0.4, 0.9]]), mx.np.array([[0.1, 0.3], [-0.2, 0.8]])
for loss in (gluon.loss.L1Loss(), gluon.loss.L2Loss(), gluon.loss.SigmoidBCELoss()):
    out.append(loss(a, b))
out.append(gluon.loss.SoftmaxCELoss()(a, mx.np.array([1, 0])))
out.append(gluon.loss.SoftmaxCELoss(sparse_label=False)(a, b))

## gluon/hybrid-functions
mx.npx.set_np()
class Many(nn.HybridBlock):
    def hybrid_forward(self, F, a, index):
        np, npx = F.np, F.npx
        return (
            a.T, a[0], a[:, 1:3], np.split(a, 2, axis=1), a.mean(axis=1, keepdims=True),
            np.argmax(a, axis=1), np.ones((2, 2)), a.sum(), np.tile(a, 2), np.stack([a, a]),
            npx.one_hot(index, 5), np.full_like(a, 2), np.dot(a, a.T), np.clip(a, 0, 1),
            a.astype("int32"), np.cumsum(a, axis=1), a.repeat(2), a.flatten(), a.swapaxes(0, 1),
            np.where(a > 0, a, -a), 1 - a, a / 2, -a, a % 2, 2 ** a, a > 1,
            np.einsum("ij,kj", a, a),
            npx.pick(a, index), np.take(a, index, axis=1), np.concatenate([a, a], axis=-1),
            np.linalg.norm(a, axis=1), np.std(a), np.maximum(a, 1), np.expand_dims(a, 0),
            npx.reshape(a, (-2, -1)), a.reshape(-1, 2), np.sort(a), npx.softmax(a),
            np.squeeze(a[:1]),
        )
x = mx.np.array([[0.5, -1.5, 2.0, 0.25], [1.0, 0.1, -0.2, 3.0]])
block, index = Many(), mx.np.array([1, 2])
plain = block(x, index)
block.hybridize()
traced = block(x, index)
out += [list(plain), list(traced)]

## symbols/json
mx.npx.set_np()
s = mx.sym.var("x").as_np_ndarray()
y = mx.sym.np.mean(mx.sym.npx.relu(s + 1) * s, axis=1)
out += [y.tojson(), type(y).__name__, y.list_arguments(), y.list_outputs(), str(y)]
out += [mx.sym.load_json(y.tojson()).tojson() == y.tojson()]

## symbols/names
mx.npx.set_np()
s, t = mx.sym.var("s").as_np_ndarray(), mx.sym.var("t").as_np_ndarray()
np = mx.sym.np
for y in (s + t, s - 1, 1 - s, s * t, s / t, 2 / s, s ** 2, s > t, s == 1, -s, np.exp(s), s.sum(),
          np.concatenate([s, t]), np.zeros((2,)), s.reshape(2, 3), s.T, np.stack([s, t]), s.std(),
          np.matmul(s, t), np.where(s, s, 1), np.random.uniform(0, 1, (2,)), np.linalg.norm(s)):
    out += [y.name, y.list_outputs()[0]]

## symbols/shapes
mx.npx.set_np()
s = mx.sym.var("x").as_np_ndarray()
y = mx.sym.np.exp(s) + 1
out += [y.infer_shape(x=(2, 0)), y.infer_shape(x=()), y.infer_shape(x=(2, 3))]

## symbols/index
mx.npx.set_np()
s = mx.sym.var("x").as_np_ndarray()
x = mx.np.arange(12).reshape(3, 4)
for key in (0, slice(1, 3), (0, 1), (slice(None), 1), (slice(None, None, 2), slice(1, None))):
    out.append(s[key].eval(x=x)[0].as_np_ndarray())

## symbols/legacy-and-np
s = mx.sym.var("s").as_np_ndarray()
s + mx.sym.var("t")

## protocol/functions
mx.npx.set_np()
np = mx.np
x = np.array([[1.0, 2.0], [3.0, 5.0]])
out += [onp.mean(x), onp.sum(x, axis=0), onp.exp(x), onp.dot(x, x), onp.concatenate([x, x])]
out += [onp.linalg.norm(x), onp.stack([x, x]), onp.maximum(x, 2), onp.add(x, 1), onp.sort(x)]
out += [onp.where(x > 2, x, x), onp.argmax(x), onp.transpose(x), onp.float32(2) * x, onp.cov(x)]
out += [onp.add(x, 1, out=np.zeros((2, 2))), onp.spacing(x), onp.array_equal(x, x), onp.shape(x)]

## protocol/mixed
mx.npx.set_np()
onp.add(mx.np.ones(2), onp.ones(2))

## protocol/reduce
mx.npx.set_np()
onp.fft.fft(mx.np.ones(2))

## protocol/fallback
mx.npx.set_np()
np = mx.np
x = np.array([1.0, 2.0, 4.0])
out += [np.allclose(x, x), np.isclose(x, x), np.array_equal(x, x), np.interp(np.array([1.5]), x, x)]
out += [np.argwhere(x > 1), np.digitize(x, x), np.broadcast_arrays(x, np.ones((2, 1)))]
out += [np.triu_indices_from(np.ones((2, 2))), np.meshgrid(x, np.arange(2)), np.ndim(x), np.size(x)]
""")
