"""Short calls, one a line: statements, then what is compared."""

from tests.snippets import calls

CASES = calls(
    """
x, y = nd.array([1, 2, 3]), nd.array([[1, 2], [3, 4]])
i = nd.array([[1, 2], [3, 4]], dtype='int32')
z = nd.array([7, -7, 0, 3], dtype='int32')
i8, u8 = nd.array([7, -7, 0], dtype='int8'), nd.array([1, 2, 0], dtype='uint8')
i64, b = nd.array([1, 2, 3, 0], dtype='int64'), nd.array([1, 0, 1], dtype='bool')
def slope(function, v):
    v.attach_grad()
    with autograd.record():
        result = function(v)
    result.backward()
    return v.grad
""",
    """
1 in x
5 in x
1 in y
2 / u8
2.5 / u8
-3 / u8
2 / i8
300 / i8
2 / z
16777217 / z
16777219 / nd.array([1], dtype='int64')
33554435 / nd.array([1, 2], dtype='int32')
1e10 / i64
2 / b
nd.mean(b)
nd.mean(b, axis=0, keepdims=True)
'x' - x
'x' + x
x - 'x'
[1, 2, 3] - x
[1, 2, 3] + x
[1] * x
(1,) / x
(1,) % x
(1,) ** x
x ** (1,)
x % 'a'
None + x
onp.ones(3) - x
onp.ones(3) / x
nd.empty((0,)).shape
nd.empty((2, 0))
nd.empty(()).shape
nd.zeros((0,))
nd.arange(0, 5, 1.5, dtype='int32')
nd.arange(0.5, 5, 1.5, dtype='int32')
nd.arange(0, 5, 0.5, dtype='int32')
nd.arange(5, 0, -1.5, dtype='int32')
nd.arange(0, 5, 1.5, dtype='float16')
nd.arange(0.7, 3, 1, repeat=2, dtype='int64')
nd.linspace(0, 1, 2.5)
nd.linspace(0, 1, -1)
nd.eye(2.5)
nd.eye(-1)
nd.eye(3, M=-1)
nd.array(onp.array([1, 2], dtype='>f4'))
nd.array(onp.array([1, 2], dtype='>i8'), dtype='int64')
nd.array([1 + 2j])
nd.array(onp.array(['a']))
x[:] = onp.array([1, 2, 3], dtype='>f4'); x
i[:] = None; i
b[:] = None; b
x[:] = None; x
x.copyto(nd.ones((2, 3)))
x[:1].copyto(nd.ones((3,)))
x[:1].copyto(nd.ones((1, 1)))
y.copyto(nd.ones((4,)))
y.copyto(nd.ones((2, 2), dtype='int32'))
x.tostype('csr')
y.tostype('foo')
nd.random.negative_binomial(1, 2, (2,))
nd.random.negative_binomial(2, 1.5, (2,))
i.attach_grad(stype='row_sparse'); i.grad.dtype.__name__
y.astype('float64').attach_grad(stype='row_sparse')
slope(lambda v: nd.softmax_cross_entropy(v * 10, nd.array([0, 5])), y)
mx.test_utils.compare_optimizer(mx.optimizer.SGD(), mx.optimizer.SGD(), [(2, 3)], 'float32')
mx.test_utils.compare_optimizer(mx.optimizer.SGD(), mx.optimizer.SGD(), (2, 3), 'float32')
""",
)
