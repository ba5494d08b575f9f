"""Sparse ways of computing give what the dense ones give, on random arrays of odd sizes."""

import numpy as np
import pytest

import mxtorch as mx
from mxtorch import autograd, nd

SHAPES = [(7, 5), (1, 6), (6, 1), (4, 9)]
UNARY = ["abs", "sqrt", "square", "tanh", "negative", "expm1", "sign"]


def matrix(shape, density, seed):
    rng = np.random.RandomState(seed)
    values = rng.uniform(-2, 2, shape) * (rng.uniform(size=shape) < density)
    return values.astype("float32")


@pytest.fixture(params=[(s, d) for s in SHAPES for d in (0.0, 0.3, 1.0)], ids=str)
def dense(request):
    shape, density = request.param
    return matrix(shape, density, 1), matrix(shape, density, 2)


def close(found, wanted):
    np.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), rtol=1e-5, atol=1e-6)


def sparse(values, stype):
    array = nd.array(values).tostype(stype)
    array.check_format()
    close(array, nd.array(values))
    return array


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_elementwise(dense, stype):
    a, b = dense
    x, y = sparse(a, stype), sparse(b, stype)
    for found, wanted in (
        (x + y, nd.array(a + b)),
        (x - y, nd.array(a - b)),
        (x * y, nd.array(a * b)),
        (x * 3, nd.array(a * 3)),
        (x / 4, nd.array(a / 4)),
        (x * nd.array(b), nd.array(a * b)),
        (nd.add_n(x, y, x), nd.array(a + b + a)),
    ):
        close(found, wanted)
        if found.stype != "default":
            found.check_format()
    for name in UNARY:
        found = getattr(nd, name)(x.abs())
        assert found.stype == stype
        close(found, getattr(nd, name)(nd.array(np.abs(a))))


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
def test_reductions(dense, stype, axis):
    a, _ = dense
    x = sparse(a, stype)
    for keepdims in (False, True):
        options = {"keepdims": keepdims} if axis is None else {"axis": axis, "keepdims": keepdims}
        for name in ("sum", "mean", "max"):
            found, wanted = (getattr(nd, name)(v, **options) for v in (x, nd.array(a)))
            assert found.shape == wanted.shape
            close(found, wanted)
    close(nd.norm(x), nd.norm(nd.array(a)))


def test_parts_of_csr(dense):
    a, b = dense
    x, y = sparse(a, "csr"), sparse(b, "csr")
    rows, columns = a.shape
    for first in range(rows):
        last = max(rows - first // 2, first + 1)
        close(x[first:last], nd.array(a[first:last]))
        if columns > 1:
            found = nd.slice(x, begin=(first, 1), end=(rows, columns))
            found.check_format()
            close(found, nd.array(a[first:, 1:]))
    index = nd.array([rows - 1, 0, 0])
    close(nd.take(x, index), nd.take(nd.array(a), index))
    close(nd.concat(x, y, x, dim=0), nd.array(np.concatenate([a, b, a])))
    scale = nd.array(np.arange(rows).reshape(-1, 1) + 1)
    close(nd.broadcast_mul(x, scale), nd.array(a * (np.arange(rows).reshape(-1, 1) + 1)))


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_products(dense, dtype):
    a, _ = (v.astype(dtype) for v in dense)
    x = nd.array(a, dtype=dtype).tostype("csr")
    rng = np.random.RandomState(3)
    right, tall = (rng.uniform(-1, 1, (n, 4)).astype(dtype) for n in a.shape[::-1])
    bound = 2e-2 if dtype == "float16" else 1e-5
    for found, wanted in (
        (nd.dot(x, nd.array(right, dtype=dtype)), a @ right),
        (nd.dot(x, nd.array(tall, dtype=dtype), transpose_a=True), a.T @ tall),
        (nd.dot(nd.array(tall.T, dtype=dtype), x), tall.T @ a),
        (nd.dot(nd.array(right.T, dtype=dtype), x, transpose_b=True), right.T @ a.T),
    ):
        np.testing.assert_allclose(found.asnumpy(), wanted, rtol=bound, atol=bound)


def test_gradient_of_a_product_is_by_rows():
    a = matrix((50, 1000), 0.005, 0)
    x = nd.array(a).tostype("csr")
    w = nd.array(np.random.RandomState(0).uniform(-1, 1, (1000, 3)))
    w.attach_grad(stype="row_sparse")
    with autograd.record():
        loss = (nd.dot(x, w) ** 2).sum()
    loss.backward()
    used = np.unique(a.nonzero()[1])
    assert w.grad.indices.asnumpy().tolist() == used.tolist()
    wanted = 2 * a.T @ (a @ w.asnumpy())
    np.testing.assert_allclose(w.grad.asnumpy(), wanted, rtol=1e-4, atol=1e-5)


def test_a_wide_matrix_is_never_made_dense():
    """10**12 elements: only those that are stored are touched."""
    columns = 10**7
    x = nd.sparse.csr_matrix(
        (np.ones(4), np.array([5, 7, 5, columns - 1]), np.arange(5)), shape=(4, columns)
    ).astype("float32")
    x = nd.concat(*[x] * 25, dim=0)
    assert x.shape == (100, columns)
    assert nd.sum(x).asscalar() == 100
    assert nd.sum(x, axis=1).shape == (100,)
    assert (x * 2 + x)[99].data.asnumpy().tolist() == [3]
    w = nd.zeros((columns, 1))
    w[5] = 2
    assert nd.dot(x, w).asnumpy()[:4, 0].tolist() == [2, 0, 2, 0]


def test_refusals():
    x = nd.array(np.eye(3)).tostype("csr")
    with pytest.raises(TypeError, match="stype row_sparse"):
        x.copyto(x.tostype("default").tostype("row_sparse"))
    with pytest.raises(mx.base.MXNetError, match="shapes"):
        nd.elemwise_add(x, nd.array(np.eye(2)).tostype("csr"))
    with pytest.raises(ValueError, match="indptr"):
        nd.sparse.csr_matrix(([1.0], [0], [0, 1]), shape=(3, 3))
    with pytest.raises(ValueError, match="indices"):
        nd.sparse.row_sparse_array((np.ones((2, 2)), [0]), shape=(3, 2))
