"""Edges of NDArray that programs meet: booleans with numbers, nan in order, makers of arrays."""

from tests.cases import C

CASES = [
    C(
        "bool/with-numbers",
        """
    b = nd.array([1, 0, 2], dtype="bool")
    for x in (b * 2, b + 1.5, b - 1, 3 - b, b ** 2, 2 ** b, b == 1, b != 0, b > 0, b <= 1, -b,
              nd.maximum(b, 2), nd.logical_and(b, 1), b % 2):
        out += [x, str(x.dtype)]
    """,
    ),
    C(
        "hypot/whole-numbers",
        """
    x, y = nd.array([200, 7, 100], dtype="uint8"), nd.array([1, 2, 100], dtype="uint8")
    out += [nd.broadcast_hypot(x, y), nd._internal._hypot_scalar(x, scalar=3)]
    """,
    ),
    C(
        "nan/order",
        """
    r = onp.random.RandomState(0)
    for shape in ((5,), (9,), (17,), (40,), (3, 30), (30, 3), (2, 70)):
        v = r.rand(*shape).round(1).astype("float32")
        v[r.rand(*shape) < 0.3] = onp.nan
        x = nd.array(v)
        out += [nd.argsort(x), nd.argsort(x, is_ascend=False, axis=0), nd.topk(x, k=2)]
        out += [nd.topk(x, k=2, ret_typ="value", is_ascend=True), nd.sort(x, axis=None)]
    """,
    ),
    C(
        "ties/order",
        """
    r = onp.random.RandomState(1)
    for shape in ((16,), (17,), (40,), (3, 100), (300,)):
        x = nd.array(r.randint(0, 5, shape))
        out += [nd.argsort(x), nd.argsort(x, is_ascend=False), nd.topk(x, k=2), nd.topk(x, k=9)]
        out += [nd.topk(x, k=2, ret_typ="mask"), nd.topk(x, k=15, ret_typ="both", axis=-1)]
        out += [nd.argsort(x.astype("int32"), axis=0), nd.argsort(nd.zeros_like(x))]
    """,
    ),
    C(
        "copyto/itself",
        """
    import warnings
    x = nd.ones(2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out += [x.copyto(x)]
    """,
    ),
    C(
        "python2-names",
        """
    x = nd.array([1, 2])
    out += [x.__div__(2), x.__rdiv__(2), x.__nonzero__.__name__ is not None]
    y = x
    y = y.__idiv__(2)
    out += [x, y is x]
    """,
    ),
    C(
        "full/array",
        """
    out += [nd.full((2,), nd.array([3])), nd.full((2, 2), [1, 2])]
    """,
    ),
    C(
        "arange/infer-range",
        """
    out += [nd.arange(3, infer_range=True)]
    """,
    ),
    C("moveaxis/one-for-many", "nd.moveaxis(nd.ones((2, 3, 4)), [0, 1], 1)", raises="ValueError"),
    C("zeros/no-elements", "nd.zeros((0, 3))", raises="MXNetError"),
    C("zeros/no-axes", "nd.zeros(())", raises="MXNetError"),
    C("arange/nothing", "nd.arange(0)", raises="MXNetError"),
    C("arange/text", "nd.arange('a')", raises="MXNetError"),
    C("arange/too-large", "nd.arange(1e10)", raises="MXNetError"),
    C("array/complex", "nd.array([1j])", raises="TypeError"),
    C("concatenate/none", "nd.concatenate([])", raises="AssertionError"),
    C(
        "concatenate/shapes",
        "nd.concatenate([nd.ones((1, 2)), nd.ones((2, 3))])",
        raises="AssertionError",
    ),
    C(
        "concatenate/dtypes",
        "nd.concatenate([nd.ones(2), nd.ones(2, dtype='int32')])",
        raises="AssertionError",
    ),
    C("split_v2/list", "nd.split_v2(nd.arange(6), [1, 3])", raises="ValueError"),
    C("add_n/none", "nd.add_n()", raises="MXNetError"),
    C("dlpack/none", "nd.from_dlpack(3)", raises="AssertionError"),
    C(
        "dlpack/twice",
        """
    c = nd.ones(2).to_dlpack_for_read()
    nd.from_dlpack(c)
    nd.from_dlpack(c)
    """,
        raises="AssertionError",
    ),
    C("save/tuple", "nd.save('x', (nd.ones(2),))", raises="ValueError"),
    C(
        "grad/no-variables",
        """
    x = nd.ones(2)
    x.attach_grad()
    with autograd.record():
        y = x * 2
    autograd.grad(y, [])
    """,
        raises="AssertionError",
    ),
    C("backward/no-heads", "autograd.backward([])", raises="MXNetError"),
]
