"""Sparse arrays: how they are made, what they say, their parts, writes, files, pickles."""

from tests.cases import C

SETUP = """
sp = nd.sparse
d = onp.array([[0, 1, 0], [2, 0, 3], [0, 0, 0], [4, 5, 0]], dtype='float32')
c, r = sp.csr_matrix(d), sp.row_sparse_array(d)
def show(x):
    if x.stype == 'csr':  # MXNet does not put the elements of a row in order
        at = x.indptr.asnumpy()
        n = int(at[-1])
        rows = onp.repeat(onp.arange(len(at) - 1), onp.diff(at))
        columns = x.indices.asnumpy()[:n]
        order = onp.lexsort((columns, rows))
        return [x.stype, x.shape, x.data.asnumpy()[:n][order], columns[order], at, x]
    if x.stype == 'row_sparse':
        return [x.stype, x.shape, x.data, x.indices, x]
    return [x.stype, x]
"""

# expressions whose value is an array
MADE = [
    "sp.csr_matrix((onp.array([1.0, 2.0]), onp.array([0, 1]), onp.array([0, 1, 2])), shape=(2, 3))",
    "sp.csr_matrix(([1.0, 2.0], [0, 1], [0, 1, 2]), shape=(2, 3))",
    "sp.csr_matrix(([1, 2], [0, 1], [0, 1, 2]))",
    "sp.csr_matrix(([1, 2], ([0, 1], [2, 0])), shape=(2, 3))",
    "sp.csr_matrix(([1.0, 2.0, 4.0], ([1, 0, 1], [2, 0, 2])))",
    "sp.csr_matrix((2, 3))",
    "sp.csr_matrix((2, 3), dtype='float64')",
    "sp.csr_matrix(c)",
    "sp.csr_matrix(c, dtype='float64')",
    "sp.csr_matrix(d.astype('float64'))",
    "sp.csr_matrix([[0, 1], [2, 0]])",
    "sp.csr_matrix(nd.array(d))",
    "sp.row_sparse_array((onp.ones((2, 3)), [0, 2]), shape=(4, 3))",
    "sp.row_sparse_array((onp.ones((2, 3)), [0, 2]))",
    "sp.row_sparse_array(([[1, 2], [3, 4]], [2, 0]), shape=(4, 2))",
    "sp.row_sparse_array((2, 3))",
    "sp.row_sparse_array((2, 3, 4), dtype='int32')",
    "sp.row_sparse_array(r)",
    "sp.row_sparse_array(d.astype('float64'))",
    "sp.row_sparse_array(onp.eye(3).reshape((3, 3, 1)))",
    "sp.zeros('csr', (2, 3))",
    "sp.zeros('row_sparse', (2, 3), dtype='float16')",
    "sp.zeros('default', (2, 3))",
    "sp.empty('row_sparse', (2, 3))",
    "sp.array(c.asscipy())",
    "sp.array(c)",
    "sp.array(r)",
    "nd.array(c)",
    "nd.array(c.asscipy())",
    "nd.zeros((2, 3), stype='csr')",
    "nd.empty((2, 3), stype='row_sparse')",
    "nd.zeros_like(c)",
    "nd.zeros_like(r)",
    "nd.ones_like(r)",
    "c[1]",
    "c[1:3]",
    "c[-1]",
    "c[:]",
    "c[2:]",
    "r[:]",
    "c.copy()",
    "c.copyto(nd.zeros((4, 3)))",
    "r.copyto(nd.zeros((4, 3)))",
    "c.copyto(sp.zeros('csr', (4, 3)))",
    "nd.array(d).copyto(sp.zeros('csr', (4, 3)))",
    "nd.array(d).copyto(sp.zeros('row_sparse', (4, 3)))",
    "c.astype('float64')",
    "r.astype('int32')",
    "c.as_in_context(mx.cpu(1))",
    "c.T",
    "c.detach()",
    "c.slice(begin=(0, 0), end=(2, 2))",
    "nd.slice(c, begin=(1,), end=(3,))",
    "c.tostype('default')",
    "c.tostype('csr')",
    "r.tostype('default')",
    "nd.array(d).tostype('csr')",
    "nd.array(d).tostype('row_sparse')",
]
REFUSED = [
    ("c.tostype('row_sparse')", "ValueError"),
    ("r.tostype('csr')", "ValueError"),
    ("c.size", "NotImplementedError"),
    ("c.asscalar()", "NotImplementedError"),
    ("sp.csr_matrix(d, shape=(2, 2))", "ValueError"),
    ("sp.csr_matrix(onp.ones(3))", "ValueError"),
    ("sp.csr_matrix((1, 2, 3, 4))", "ValueError"),
    ("sp.zeros('foo', (2, 3))", "ValueError"),
    ("sp.array(d)", "ValueError"),
    ("c[0, 1]", "ValueError"),
    ("c[::2]", "ValueError"),
    ("c.reshape((2, 6))", "NotSupportedForSparseNDArray"),
    ("bool(c)", "ValueError"),
    ("c.copyto(r)", "TypeError"),
    ("c.copyto(sp.zeros('csr', (2, 3)))", "MXNetError"),
    ("sp.csr_matrix(([1.0], [5], [0, 1]), shape=(1, 3)).check_format()", "MXNetError"),
    ("sp.row_sparse_array(([[1.0], [2.0]], [1, 0]), shape=(3, 1)).check_format()", "MXNetError"),
    ("c.__setitem__(slice(None), 1)", "ValueError"),
    ("r.__setitem__(0, 1)", "TypeError"),
    ("nd.cast_storage(c, 'row_sparse')", "MXNetError"),
    ("nd.cast_storage(nd.ones((2,)), 'csr')", "MXNetError"),
]
WRITES = [
    "c[:] = sp.csr_matrix(d * 2)",
    "c[:] = nd.array(d + 1)",
    "r[:] = nd.array(d * 0 + [1, 0, 0])",
    "r[:] = sp.row_sparse_array(d * 2)",
    "r[:] = 1",
    "r[:] = sp.zeros('row_sparse', (4, 3))",
    "c += sp.csr_matrix(d)",
    "c -= sp.csr_matrix(d)",
    "c *= 2",
    "c /= 2",
    "c += 1",
    "r += r.copy()",
    "r *= 3",
    "r += nd.array(d)",
]


def made(expression):
    return C(f"made/{expression}", f"{SETUP}\nout += [show({expression})]\n")


def refused(expression, error):
    return C(f"refused/{expression}", f"{SETUP}\n{expression}\n", raises=error)


def written(statement):
    return C(f"write/{statement}", f"{SETUP}\n{statement}\nout += [show(c), show(r)]\n")


CASES = [
    *map(made, MADE),
    *[refused(*pair) for pair in REFUSED],
    *map(written, WRITES),
    C(
        "facts",
        f"""{SETUP}
for x in (c, r):
    out += [x.stype, x.shape, x.ndim, str(x.dtype), str(x.context), len(x), repr(x), str(x)]
    out += [x.asnumpy(), x.grad is None, x.check_format(), hash(x) == hash(x)]
out += [c.data, c.indices, c.indptr, r.data, r.indices, c.asscipy().toarray()]
out += [isinstance(c, nd.NDArray), type(c).__name__, type(r).__name__]
out += [issubclass(sp.CSRNDArray, sp.BaseSparseNDArray), type(c).__mro__[1].__name__]
""",
    ),
    C(
        "files",
        f"""{SETUP}
import os, tempfile
path = os.path.join(tempfile.mkdtemp(), 'x.params')
nd.save(path, {{'c': c, 'r': r, 'd': nd.array(d), 'e': sp.zeros('csr', (2, 2))}})
with open(path, 'rb') as file:
    out += [file.read().hex()]
back = nd.load(path)
for name in sorted(back):
    out += [name, show(back[name])]
nd.save(path, [r, c])
out += [[show(x) for x in nd.load(path)]]
""",
    ),
    C(
        "pickle",
        f"""{SETUP}
import copy, pickle
for x in (c, r):
    out += [show(pickle.loads(pickle.dumps(x))), show(copy.deepcopy(x))]
""",
    ),
    C(
        "dense-gets-sparse-neighbours",
        f"""{SETUP}
x = nd.array(d)
x += c
out += [show(x)]
x -= r
x *= r
out += [show(x), show(x + c), show(x * r), show(r - x)]
""",
    ),
]
