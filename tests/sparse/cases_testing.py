"""`mx.test_utils` with sparse arrays."""

from tests.cases import C

TU = """
from importlib import import_module
tu = import_module(mx.__name__ + '.test_utils')
a, b = sym.var('a'), sym.var('b')
"""
RANDOM = [
    "(5, 6), 'csr'",
    "(5, 6), 'row_sparse'",
    "(5, 6), 'csr', density=0.3, dtype='float64'",
    "(5, 6, 2), 'row_sparse', density=0.3, data_init=2.0",
    "(5, 6), 'csr', density=0.5, data_init=3.0",
    "(4, 3), 'row_sparse', density=0.0",
    "(4, 3), 'row_sparse', rsp_indices=onp.array([0, 2])",
]

CASES = [
    *[
        C(
            f"random/{arguments}",
            f"""{TU}
x, parts = tu.rand_sparse_ndarray({arguments})
out += [x.stype, x.shape, str(x.dtype), x, list(parts)]
""",
        )
        for arguments in RANDOM
    ],
    *[
        C(
            f"made/{name}-{stype}",
            f"""{TU}
for more in ({{}}, {{'data_init': 2.0}}, {{'rsp_indices': onp.array([1, 3])}}):
    x = tu.{name}((5, 3), '{stype}', density=0.4, **more)
    out += [x.stype, x, x.indices]
out += [tu.rand_ndarray((3, 4), '{stype}')]
""",
        )
        for name in ("create_sparse_array", "create_sparse_array_zd")
        for stype in ("csr", "row_sparse")
    ],
    C(
        "checks",
        f"""{TU}
x = tu.rand_ndarray((4, 5), 'csr', density=0.4)
w = tu.rand_ndarray((5, 2))
want = x.asnumpy().dot(w.asnumpy())
dot = sym.dot(a, b)
tu.check_symbolic_forward(dot, {{'a': x, 'b': w}}, [want], rtol=1e-4, atol=1e-5)
tu.check_numeric_gradient(dot, {{'a': x, 'b': w}}, grad_nodes=['b'], rtol=1e-2, atol=1e-3)
head = onp.ones((4, 2), 'float32')
tu.check_symbolic_backward(
    dot, {{'a': x, 'b': w}}, [head], {{'b': x.asnumpy().T.dot(head)}},
    grad_req={{'a': 'null', 'b': 'write'}}, grad_stypes={{'b': 'row_sparse'}},
    rtol=1e-4, atol=1e-5)
r = tu.rand_ndarray((4, 5), 'row_sparse', density=0.5)
tu.check_symbolic_forward(sym.square(a), [r], [r.asnumpy() ** 2], rtol=1e-4, atol=1e-5)
tu.assert_almost_equal(x, x.asnumpy())
""",
    ),
    C("unknown", f"{TU}\ntu.rand_sparse_ndarray((4, 3), 'foo')\n", raises="AssertionError"),
]
