"""Numerical work on arrays: solvers, power iteration, images, sorting, and shapes of all kinds."""
import mxnet as mx
import numpy as np
from mxnet import nd

rng = np.random.RandomState(12)


def show(name, a):
    a = a.asnumpy() if isinstance(a, nd.NDArray) else np.asarray(a)
    print(name, a.shape, ' '.join('%.4f' % v for v in a.ravel()[:8]))


# Conjugate gradients on a symmetric system
m = nd.array(rng.normal(size=(8, 8)))
A = nd.dot(m, m, transpose_b=True) + 8 * nd.eye(8)
b = nd.array(rng.normal(size=8))
x = nd.zeros_like(b)
r = b - nd.dot(A, x)
p = r.copy()
rs = (r * r).sum()
for i in range(8):
    Ap = nd.dot(A, p)
    alpha = rs / (p * Ap).sum()
    x += alpha * p
    r -= alpha * Ap
    new = nd.sum(r ** 2)
    if new.sqrt().asscalar() < 1e-6:
        break
    p = r + (new / rs) * p
    rs = new
show('solution', x)
print('residual small:', nd.abs(nd.dot(A, x) - b).max().asscalar() < 1e-4)

# The largest eigenvalue by power iteration
v = nd.ones((8, 1))
for _ in range(100):
    v = nd.dot(A, v)
    v = v / v.norm()
value = nd.dot(nd.dot(v, A, transpose_a=True), v)
print('eigenvalue %.3f' % value.asscalar())
low = nd.linalg.potrf(A)
show('cholesky', low[0:2, :4])
show('product', nd.linalg.gemm2(low, low, transpose_b=True)[0])

# Heat on a grid, by slices
grid = nd.zeros((12, 12))
grid[4:8, 4:8] = 1
grid[0, :] = 0.5
for _ in range(10):
    inner = grid[1:-1, 1:-1]
    around = grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:]
    grid[1:-1, 1:-1] = inner + 0.2 * (around - 4 * inner)
show('heat', grid[5, 2:10])
print('sum %.4f, hottest %d' % (grid.sum().asscalar(), int(grid.reshape(-1).argmax(axis=0).asscalar())))

# A picture blurred by a convolution, edges found, and put together again
picture = nd.array(rng.uniform(size=(1, 1, 8, 8)))
kernel = nd.ones((1, 1, 3, 3)) / 9
blurred = nd.Convolution(picture, kernel, kernel=(3, 3), pad=(1, 1), num_filter=1, no_bias=True)
pooled = nd.Pooling(blurred, kernel=(2, 2), stride=(2, 2), pool_type='max')
larger = nd.UpSampling(pooled, scale=2, sample_type='nearest')
show('blurred', blurred[0, 0, 3])
show('larger', larger[0, 0, 0])
padded = nd.pad(picture, mode='edge', pad_width=(0, 0, 0, 0, 1, 1, 2, 2))
show('padded', padded)

# Rows in other orders and shapes
t = nd.arange(24).reshape((2, 3, 4))
show('flip', nd.flip(t, axis=2)[0, 0])
show('swapped', t.swapaxes(0, 2))
show('codes', t.reshape((-1, 0)))
show('merged', nd.reshape(t, shape=(-3, 4)))
show('split', t.reshape((0, 0, -4, 2, -1)))
show('tile', nd.tile(nd.array([1, 2]), reps=(2, 2)))
show('repeat', nd.repeat(nd.array([[1, 2], [3, 4]]), repeats=2, axis=1))
show('slice', nd.slice(t, begin=(0, 1, None), end=(2, 3, 2)))
show('like', t.slice_like(nd.zeros((1, 2, 4))))
left, right = nd.split(t, num_outputs=2, axis=2)
show('left', left)
show('mean', t.mean(axis=(0, 2)))
show('exclude', nd.sum(t, axis=1, exclude=True))

# Order and choice
s = nd.array([[3, 1, 2], [0, 5, 4]])
show('sorted', s.sort(axis=1))
show('ranks', s.argsort(axis=1, is_ascend=0))
values, places = s.topk(axis=1, k=2, ret_typ='both')
show('best', values)
show('places', places)
show('picked', nd.pick(s, nd.array([2, 0]), axis=1))
show('gathered', nd.gather_nd(s, nd.array([[0, 1], [2, 1]])))
show('scattered', nd.scatter_nd(nd.array([7, 8]), nd.array([[0, 1], [2, 0]]), shape=(2, 3)))
show('masked', nd.contrib.boolean_mask(s, nd.array([0, 1])))
show('chosen', s[nd.array([1, 0, 1])])
show('sequence', nd.SequenceMask(nd.ones((4, 2)), nd.array([1, 3]), use_sequence_length=True))
show('cumulated', nd.cumsum(s, axis=1))

# Rounding, comparing, and numbers of other types
u = nd.array([-1.5, -0.4, 0.0, 0.6, 2.5])
show('round', nd.round(u))
show('floor', u.floor() + nd.ceil(u) - u.trunc())
show('clip', u.clip(-1, 1) * nd.sign(u))
show('both', nd.logical_and(u > -1, u < 1))
show('where', nd.where(u > 0, u, u * 0.1))
show('remainder', nd.array([5, -5, 7]) % 3)
show('powers', 2 ** u + u ** 2)
show('hypot', nd.broadcast_hypot(nd.array([3.0]), nd.array([4.0, 0.0])))
whole = nd.array([1, 2, 3], dtype='int32')
print((whole * 2).dtype == np.int32, whole.astype('float64').dtype == np.float64)
print('equal', int((whole == nd.array([1, 0, 3], dtype='int32')).sum().asscalar()))
print(nd.max(s).asscalar(), nd.min(s).asscalar(), s.prod(axis=0).asnumpy().tolist(), s.size, s.ndim)
