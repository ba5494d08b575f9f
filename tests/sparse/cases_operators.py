"""Operators on sparse arrays: values, storage types, gradients."""

from tests.cases import C
from tests.sparse.cases_arrays import SETUP

NAMES = """
d2 = onp.array([[0, 3, 0], [0, 0, 1], [2, 0, 0], [0, 0, 0]], dtype='float32')
c2, r2, D = sp.csr_matrix(d2), sp.row_sparse_array(d2), nd.array(d + 1)
row, col, vec = nd.array([[1, 2, 3]]), nd.array([[1], [2], [3], [4]]), nd.array([1, 2, 3])
w, w4 = nd.array([[1, 2], [3, 4], [5, 6]]), nd.array([[1, 2], [3, 4], [5, 6], [7, 8]])
wr = sp.row_sparse_array(onp.array([[0, 0], [3, 4], [5, 6]], dtype='float32'))
wr4 = sp.row_sparse_array(onp.array([[0, 0], [3, 4], [5, 6], [0, 0]], dtype='float32'))
"""
FIX_ZERO = [
    "abs",
    "sign",
    "square",
    "sqrt",
    "cbrt",
    "expm1",
    "log1p",
    "sin",
    "tan",
    "arcsin",
    "arctan",
    "sinh",
    "tanh",
    "arcsinh",
    "floor",
    "ceil",
    "trunc",
    "round",
    "fix",
    "relu",
    "negative",
    "degrees",
    "radians",
    "make_loss",
    "BlockGrad",
    "identity",
]
FILL = ["rsqrt", "exp", "cos", "cosh", "sigmoid", "reciprocal", "ones_like"]
PAIRS = ["c{}c2", "r{}r2", "c{}D", "D{}c", "r{}D", "D{}r", "c{}2", "r{}2", "2{}c", "c{}0", "c{}r"]
BROADCAST = ["c{}row", "c{}col", "c{}vec", "r{}row"]
OTHERS = [
    "c ** 2",
    "c > 0",
    "c >= 0",
    "r != 0",
    "c == 0",
    "c % 2",
    "r < 1",
    "r <= -1",
    "sp.add(c, c2)",
    "sp.subtract(r, D)",
    "sp.multiply(c, D)",
    "sp.divide(c, D)",
    "sp.add(c, 1)",
    "sp.multiply(c, 2)",
    "nd.elemwise_add(D, r)",
    "nd.elemwise_mul(D, r)",
    "nd.elemwise_mul(r, D)",
    "nd.elemwise_div(r, D)",
    "nd.clip(c, a_min=-1, a_max=2)",
    "c.clip(0, 1)",
    "nd.sum(c)",
    "nd.sum(c, axis=0)",
    "nd.sum(c, axis=1)",
    "nd.sum(c, axis=1, keepdims=True)",
    "nd.mean(c, axis=0)",
    "nd.sum(r, axis=0)",
    "nd.sum(r, axis=1)",
    "nd.norm(c)",
    "nd.norm(r, axis=0)",
    "nd.max(c)",
    "c.mean()",
    "nd.cast_storage(D, 'csr')",
    "nd.cast_storage(c, 'default')",
    "nd.cast_storage(r, stype='row_sparse')",
    "nd.cast_storage(nd.ones((2, 2, 2)), 'row_sparse')",
    "sp.retain(r, nd.array([1]))",
    "sp.retain(r, nd.array([0, 2]))",
    "sp.retain(r, nd.array([0, 3], dtype='int64'))",
    "nd.concat(c, c2, dim=0)",
    "nd.concat(c, c2, dim=1)",
    "nd.concat(r, r2, dim=0)",
    "nd.stack(c, c2)",
    "nd.add_n(c, c2)",
    "nd.add_n(r, r2)",
    "nd.add_n(r, D)",
    "nd.where(c, D, D * 2)",
    "nd.slice(c, begin=(0, 1), end=(2, 3))",
    "nd.slice_axis(c, axis=0, begin=0, end=1)",
    "nd.take(c, nd.array([1, 0, 3]))",
    "nd.take(r, nd.array([1, 0]))",
    "nd.Cast(c, dtype='float64')",
    "nd.maximum(c, c2)",
    "c * c",
    "nd._internal._scatter_plus_scalar(r, scalar=2)",
    "nd._internal._scatter_elemwise_div(r, D)",
    "nd._internal._square_sum(r, axis=1)",
    "nd._internal._square_sum(r, axis=1, keepdims=True)",
    "nd._internal._square_sum(r, axis=0)",
    "nd._internal._square_sum(nd.ones((2, 3)), axis=0)",
    "nd.contrib.getnnz(c)",
    "nd.contrib.getnnz(c, axis=1)",
    "nd.FullyConnected(c, nd.ones((3, 3)), num_hidden=3, no_bias=True)",
    "nd.reshape(c, shape=(2, 6))",
    "nd.dot(c, w)",
    "nd.dot(c, w4, transpose_a=True)",
    "nd.dot(c, w.T, transpose_b=True)",
    "nd.dot(c, w4, transpose_a=True, forward_stype='default')",
    "nd.dot(c, w, forward_stype='row_sparse')",
    "nd.dot(c, w, forward_stype='csr')",
    "nd.dot(c, wr)",
    "nd.dot(c, wr4, transpose_a=True)",
    "nd.dot(w4.T, c)",
    "nd.dot(w.T, c, transpose_b=True)",
    "nd.dot(w4.T, c, forward_stype='default')",
    "nd.dot(w4, c, transpose_a=True)",
    "nd.dot(c, c, transpose_b=True)",
    "nd.dot(wr, w.T)",
    "sp.dot(c, w.astype('float64').astype('float32'))",
]
REFUSED = [
    "c / D",
    "nd.clip(c, a_min=0.5, a_max=1)",
    "nd.dot(c, vec)",
    "nd.dot(c, w4)",
    "nd.contrib.getnnz(c, axis=0)",
    "sp.retain(c, nd.array([1]))",
]
# (function, arrays, storage types of the gradients)
GRADIENTS = [
    ("lambda x: nd.dot(c, x)", "w", None),
    ("lambda x: nd.dot(c, x)", "w", "['row_sparse']"),
    ("lambda x: nd.dot(c, x, transpose_a=True)", "w4", None),
    ("lambda x: nd.dot(c, x)", "wr", None),
    ("lambda x: nd.dot(c, x)", "wr", "['default']"),
    ("lambda x: nd.dot(x, c)", "w4.T", None),
    ("lambda x: x * 2", "c", None),
    ("lambda x: nd.square(x)", "r", None),
    ("lambda x: nd.sum(x)", "c", None),
    ("lambda x, y: x + y", "r, r2", None),
    ("lambda x, y: nd.elemwise_mul(x, y)", "r, D", None),
    ("lambda x: c * x", "D", None),
    ("lambda x: nd.cast_storage(x, 'row_sparse')", "D", None),
    ("lambda x: nd.cast_storage(x, 'default')", "r", None),
    ("lambda x: x.tostype('csr')", "D", None),
    ("lambda x: sp.retain(x, nd.array([1]))", "r", None),
    ("lambda x: x * 2", "D", "['row_sparse']"),
    ("lambda x: nd.relu(x)", "c", None),
    ("lambda x: x - 1", "r", None),
    ("lambda x: nd.abs(x) + nd.square(x)", "r", None),
]


def of(expression):
    return C(expression, f"{SETUP}{NAMES}\nout += [show({expression})]\n")


CASES = [
    *[of(f"nd.{name}({x})") for name in (*FIX_ZERO, *FILL) for x in "cr"],
    *[of(pair.format(f" {sign} ")) for sign in "+-*" for pair in (*PAIRS, *BROADCAST)],
    *[of(pair.format(" / ")) for pair in (*PAIRS, *BROADCAST) if pair != "c{}D"],
    *[of(f"-{x}") for x in "cr"],
    *map(of, OTHERS),
    *[
        C(f"refused/{e}", f"{SETUP}{NAMES}\n({e}).wait_to_read()\n", raises="MXNetError")
        for e in REFUSED
    ],
    *[
        C(
            f"gradient/{function}/{arrays}/{stypes}",
            f"""{SETUP}{NAMES}
xs = [x.copy() for x in [{arrays}]]
for x, stype in zip(xs, {stypes} or [None] * len(xs)):
    x.attach_grad(stype=stype)
with autograd.record():
    y = ({function})(*xs)
y.backward()
out += [show(y), [show(x.grad) for x in xs]]
""",
        )
        for function, arrays, stypes in GRADIENTS
    ],
    *[
        C(
            f"embedding/{weight}/{names}",
            f"""{SETUP}{NAMES}
x = {weight}.copy()
x.attach_grad(stype='row_sparse')
with autograd.record():
    y = {names}(nd.array([1, 1, 0]), x, input_dim=3, output_dim=2, sparse_grad=True)
y.backward()
out += [show(y), show(x.grad)]
""",
        )
        for weight in ("w", "wr")
        for names in ("nd.Embedding", "sp.Embedding")
    ],
]
