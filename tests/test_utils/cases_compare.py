"""Recorded cases: tolerances, comparisons with their texts, shapes and arrays from one seed."""

from __future__ import annotations

from tests.snippets import snippets

BEFORE = """
import contextlib, io
T = mx.test_utils
A = T.assert_almost_equal
a = onp.array([[1, 2, 3], [4, 5, 6]], 'float32')
b = onp.array([[1, 2.5, 3], [4, 5, 7]], 'float32')
def fails(call, *args, **kwargs):
    printed = io.StringIO()
    error = kwargs.pop('error', AssertionError)
    try:
        with contextlib.redirect_stdout(printed):
            out.append(call(*args, **kwargs))
    except error as e:
        lines = str(e).splitlines() if error is AssertionError else []
        # what follows are the arrays, as the installed NumPy prints them
        text = [line for line in lines if line.startswith(('Error', 'Location', 'Items'))]
        out.append([printed.getvalue(), text])
"""

CASES = snippets(
    """
## tolerance/tables
for table in (T.default_rtols(), T.default_atols(), T.default_numeric_eps()):
    out.append({str(k): v for k, v in table.items()})
out += [T.default_dtype() is onp.float32, T.get_etol(), T.get_etol(0.1)]

## tolerance/get
for name in ('float16', 'float32', 'float64', 'int32', 'uint8', 'bool'):
    dtype = onp.dtype(name)
    out += [T.get_rtol(dtype=dtype), T.get_atol(dtype=dtype), T.get_rtol(0.5, dtype)]
out += [T.get_rtol(), T.get_atol(), T.get_rtol(0.1), T.get_atol(0.2)]
fails(T.get_rtol, dtype='float32', error=KeyError)

## tolerance/of-two
for one in ('float16', 'float32', 'float64', 'int32'):
    for other in ('float16', 'float32', 'float64', 'int64'):
        out.append(T.get_tols(onp.zeros(2, one), onp.zeros(2, other), None, None))
x, y = onp.zeros(2, 'float32'), onp.zeros(2, 'float16')
out += [T.get_tols(x, y, 1e-3, None), T.get_tols(3, 2.5, None, None)]
out += [T.get_tols(x, y, {y.dtype: 0.5, x.dtype: 0.25}, None)]
out += [T.get_tols(nd.array(x), nd.array(y, dtype='float16'), None, 7)]
t = T.default_rtols()
out += [
    T.get_tolerance(x, None, t),
    T.get_tolerance(x, 0.5, t),
    T.get_tolerance(x, {x.dtype: 7}, t),
]
out += [T.get_tolerance(x, {y.dtype: 7}, t)]
out += [str(T.effective_dtype(v)) for v in (x, y, nd.array(x), nd.array(x, dtype='int32'))]
fails(T.effective_dtype, 3, error=AttributeError)

## tolerance/of-numbers
for pair in ((2, 2), (2, 2.5), (onp.float16(2), 2), (True, False)):
    out.append(T.get_tols(*pair, None, None))
fails(A, 2, 3)
A(2, 2)

## tolerance/unknown-type
t = T.default_rtols()
fails(T.get_tolerance, onp.zeros(2, 'uint16'), None, t, error=KeyError)
fails(T.get_tolerance, onp.zeros(2, 'float32'), {onp.dtype('float32'): 1}, {}, error=KeyError)
fails(T.get_tols, onp.zeros(2, 'uint16'), 2, None, None, error=KeyError)

## assert/passes
A(a, a)
A(a, a + 1e-6)
A(nd.array(a), a)
A(nd.array(a), nd.array(a))
A(1.0, 1.0)
A(a, b, rtol=1)
A(a, b, rtol={a.dtype: 2.0})
A(onp.ones((2, 3)), onp.ones(3))
A(onp.zeros(0), onp.zeros(0))
A(a.astype('float16'), (a * 1.005).astype('float16'))
A(onp.array([1, 2]), onp.array([1, 2]))
A(a.astype('float64'), a.astype('float64') * (1 + 1e-6))
i = a.copy()
i[0, 0] = onp.inf
A(i, i)
n = a.copy()
n[0, 0] = onp.nan
A(n, n, equal_nan=True)

## assert/fails
fails(A, a, b)
fails(A, a, b, names=('x', 'y'))
fails(A, a, b, rtol=1e-3, atol=1e-3)
fails(A, nd.array(a), nd.array(b))
fails(A, nd.array(a), b)
fails(A, a, a[0], use_broadcast=False)
fails(A, a.astype('float16'), (a * 1.03).astype('float16'))
fails(A, onp.array([1, 2]), onp.array([1, 3]))
fails(A, 1.0, 1.5)

## assert/fails-many
fails(A, onp.arange(30.0), onp.arange(30.0) + 1)
fails(A, onp.arange(30.0), onp.arange(30.0) + 1, mismatches=(3, 5))
fails(A, onp.arange(30.0), onp.arange(30.0) + 1, mismatches=(0, 100))

## assert/fails-nan
n = a.copy()
n[0, 0] = onp.nan
fails(A, n, n)
fails(A, n, a, equal_nan=True)
fails(A, a, n, equal_nan=True)

## assert/fails-bool
fails(lambda: A(onp.array([True, False]), onp.array([True, True])))
A(onp.array([True, False]), onp.array([True, False]))

## assert_allclose
T.assert_allclose(onp.ones(2), onp.ones(2))
T.assert_allclose(onp.array([onp.nan]), onp.array([onp.nan]))
fails(T.assert_allclose, onp.ones(2), onp.ones(2) * 1.1)
fails(T.assert_allclose, nd.ones(2), nd.ones(2) * (1 + 1e-5))

## with_err
E = T.assert_almost_equal_with_err
x = onp.arange(10.0)
y = onp.append(onp.arange(9.0), 0)
E(x, x)
E(x, y, etol=0.2)
fails(E, x, y, etol=0.05)
fails(E, x, y)
fails(E, nd.array(x), nd.array(x) + 1, etol=0.5, names=('p', 'q'))

## ignore_nan
I = T.assert_almost_equal_ignore_nan
x, y = onp.array([1.0, 2, onp.nan]), onp.array([1.0, onp.nan, 3])
I(x, y)
out += [x, y]
fails(I, onp.array([1.0, onp.nan]), onp.array([2.0, onp.nan]))

## almost_equal
e = T.almost_equal
x = onp.ones(2)
out += [e(x, x), e(x, x * 1.1), e(onp.ones(2, 'float32'), onp.ones(2, 'float32') * 1.00005)]
n = onp.array([onp.nan])
out += [e(n, n), e(n, n, equal_nan=True), e(onp.ones((2, 3)), onp.ones(3))]
out += [e(1.0, 1.0), e(x, x * 1.01, rtol=0.1), e(x, x + 1, atol=2)]
fails(e, onp.ones((2, 3)), onp.ones(3), use_broadcast=False)
fails(e, onp.ones(2), onp.ones(3), error=ValueError)

## same
out += [
    T.same(onp.ones(2), onp.ones(2)),
    T.same(onp.ones(2), onp.zeros(2)),
    T.same(onp.ones(2), onp.ones(3)),
]
out += [T.same(onp.array([onp.nan]), onp.array([onp.nan]))]

## same_array
x = nd.ones((2, 2))
y = x[0:1]
out += [T.same_array(x, x), T.same_array(x, x.copy()), T.same_array(x, x.reshape((4,))), x]
out += [T.same_array(y, x[0:1]), T.same_array(x, y), x]

## assert_exception
T.assert_exception(lambda x: 1 / x, ZeroDivisionError, 0)
T.assert_exception(nd.dot, mx.base.MXNetError, nd.ones((2, 3)), nd.ones((2, 3)))
def no_error():
    T.assert_exception(lambda x: 1 / x, ZeroDivisionError, 1)
def another():
    T.assert_exception(lambda x: 1 / x, ValueError, 0)
fails(no_error)
fails(another, error=ZeroDivisionError)

## tuples
C = T.compare_ndarray_tuple
C((nd.ones(2), (nd.ones(1), None)), (nd.ones(2), (nd.ones(1), None)))
C(None, None)
C(None, (nd.ones(1),))
fails(C, (nd.ones(2),), (nd.zeros(2),))
fails(C, ((nd.ones(2),),), ((nd.ones(2) * 1.1,),), rtol=1e-3)

## location
x, y = onp.array([[1.0, 2.0]]), onp.array([[1.0, 3.0]])
out += [
    T.locationError(x, y, (0, 1), ('a', 'b')),
    T.locationError(x, y, (0, 1), ('p', 'q'), maxError=True),
]
place, size = T._find_max_violation(onp.array([1.0, 2.0]), onp.array([1.0, 3.0]), 0.1, 0.1)
out += [tuple(int(i) for i in place), float(size)]
fails(T.checkShapes, onp.ones(2), onp.ones(3))
out.append(T.checkShapes(onp.ones(2), onp.zeros(2)))

## random/shapes
out += [T.rand_shape_2d(), T.rand_shape_3d(), T.rand_shape_nd(4), T.rand_shape_nd(3, 5)]
out += [T.rand_shape_2d(3, 4), T.rand_shape_2d(2, 2, True), T.rand_shape_nd(2, 2, True)]
out += [T.rand_shape_3d(2, 3, 4, allow_zero_size=True)]
out = [tuple(int(n) for n in shape) for shape in out] + [onp.random.rand()]

## random/coordinates
out += [tuple(int(n) for n in T.rand_coord_2d(0, 10, 5, 7)) for _ in range(4)]

## random/ndarray
out += [
    T.rand_ndarray((2, 3)),
    T.rand_ndarray((2, 3), dtype='float16'),
    T.rand_ndarray((2, 3), dtype='int32'),
]
x = T.rand_ndarray((2, 3), ctx=mx.cpu(1))
out += [x, str(x.context), onp.random.rand()]

## random/arrays
out += [
    T.random_arrays((2, 3), (2,)),
    T.random_arrays((2, 3)),
    T.random_arrays(()),
    T.random_arrays((), (1,)),
]

## random/uniform
out += [
    T.random_uniform_arrays((2, 3), (2,)),
    T.random_uniform_arrays((2, 3), low=-1, high=1, dtype='float64'),
]
fails(T.random_uniform_arrays, (2, 3), foo=3, error=TypeError)

## random/sample
out += [T.random_sample([1, 2, 3, 4, 5], 3)]
fails(T.random_sample, range(10), 3, error=TypeError)
fails(T.random_sample, [1, 2], 3)
fails(T.random_sample, [1, 2], -1)

## arrays
out += [
    T.assign_each(onp.array([[1.0, 2], [3, 4]]), lambda x: x + 1),
    T.assign_each(onp.array([1.0]), None),
]
out += [T.assign_each2(onp.array([1.0, 2]), onp.array([3.0, 4]), lambda x, y: x * y)]
out.append(T.assign_each(onp.array([1, 2]), lambda x: x + 1))
out.append(T.assign_each(onp.array([1], 'int8'), None))
out += [T.assign_each2(onp.ones(2, 'float32'), onp.ones(2, 'float32'), lambda x, y: x + y)]
fails(T.assign_each2, onp.ones((2, 2)), onp.ones(2), lambda x, y: x + y)
out += [T.create_vector(4), T.create_2d_tensor(2, 3), T.create_2d_tensor(3, 2, onp.float32)]
out += [T.get_identity_mat(2), T.get_identity_mat_batch(3)]

## sparse/csr
R = T.rand_sparse_ndarray
for density in (None, 0, 0.3, 1):
    a, parts = R((3, 4), 'csr', density=density)
    out += [a, a.stype, str(a.dtype), parts]
a, parts = R((3, 6), 'csr', density=0.7, shuffle_csr_indices=True, dtype='float64')
out += [parts, str(a.dtype), R((3, 4), 'csr', density=0.5, data_init=2.0)[0], onp.random.rand()]
fails(R, (3, 4), 'csr', density=2, error=ValueError)
fails(R, (3, 4, 2), 'csr')
fails(R, (3, 4), 'other')
fails(R, (3, 4), 'csr', distribution='other')

## sparse/powerlaw
R = T.rand_ndarray
for shape, density in (((5, 10), 0.4), ((4, 3), 0.9), ((4, 3), 0.99), ((6, 4), 0.8)):
    out += [R(shape, 'csr', density=density, distribution='powerlaw'), onp.random.rand()]
for shape, density in (((5, 10), 0.1), ((3, 20), 0.9), ((5, 5), 0.9)):
    fails(R, shape, 'csr', density=density, distribution='powerlaw', error=ValueError)

## sparse/row_sparse
R = T.rand_sparse_ndarray
for density in (None, 0, 0.3, 1):
    a, parts = R((3, 2, 2), 'row_sparse', density=density)
    out += [a, a.stype, parts]
a, parts = R((4, 2), 'row_sparse', density=0.9, data_init=5.0, dtype='float64')
out += [a, str(a.dtype), R((4, 2), 'row_sparse', rsp_indices=onp.array([0, 3]))[0]]
out += [onp.random.rand()]
out += [R((4, 2), 'row_sparse', density=0.9, modifier_func=lambda x: x * 0 + 3)[0]]
fails(R, (3, 4), 'row_sparse', distribution='powerlaw')
fails(R, (1, 4), 'row_sparse', rsp_indices=onp.array([0, 1]))

## sparse/create
C, Z = T.create_sparse_array, T.create_sparse_array_zd
out += [C((3, 4), 'csr'), C((3, 4), 'csr', data_init=2.0, density=0.5)]
out += [C((4, 2), 'row_sparse', data_init=3.0, rsp_indices=[2, 0])]
out += [Z((3, 4), 'row_sparse', 1), Z((3, 4), 'csr', 0.5)]
out += [Z((4, 2), 'row_sparse', 1, rsp_indices=[1])]
fails(Z, (1, 2), 'row_sparse', 1, rsp_indices=[0, 1])

## reduce
x = onp.arange(6.0).reshape(1, 2, 3)
for axis in (None, 0, 1, (1, 2), [0, 2], -1):
    out += [T.np_reduce(x, axis, False, onp.sum), T.np_reduce(x, axis, True, onp.max)]
for shape, to in (
    ((2, 3), (3,)),
    ((2, 3), (1, 3)),
    ((2, 3), (2, 1)),
    ((4, 2, 3), (2, 1)),
    ((2, 3), (1,)),
    ((2, 3), (2, 3)),
):
    out.append(T.collapse_sum_like(onp.arange(onp.prod(shape)).reshape(shape) * 1.0, to))
fails(lambda: T.collapse_sum_like(onp.ones((2, 3)), (2,)))

## context
T.set_default_context(mx.cpu(2))
out += [str(T.default_context()), str(mx.current_context()), str(nd.ones(1).context)]
with mx.Context('cpu', 3):
    out.append(str(T.default_context()))
T.set_default_context(mx.cpu(0))
out += [str(T.default_context()), list(T.list_gpus())]
mx.Context.default_ctx = mx.cpu(1)
out.append(str(mx.current_context()))
mx.Context.default_ctx = mx.cpu(0)
out += [T.has_tvm_ops(), T.is_op_runnable(), T.is_cd_run()]
""",
    BEFORE,
)
