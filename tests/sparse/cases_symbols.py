"""Symbols over sparse arrays, and blocks that get them."""

from tests.cases import C
from tests.sparse.cases_arrays import SETUP

NAMES = """
d2 = onp.array([[0, 3, 0], [0, 0, 1], [2, 0, 0], [0, 0, 0]], dtype='float32')
c2, r2, D = sp.csr_matrix(d2), sp.row_sparse_array(d2), nd.array(d + 1)
W = nd.array([[1, 2], [3, 4], [5, 6]])
WR = W.tostype('row_sparse')
a, b = sym.var('a'), sym.var('b')
def zeros(x, stype):
    return nd.zeros(x.shape, stype=stype)
"""
# (symbol, arrays by name, storage types of the gradients)
BOUND = [
    ("sym.sparse.dot(a, b)", "a=c, b=W", "b='default'"),
    ("sym.sparse.dot(a, b)", "a=c, b=WR", "b='row_sparse'"),
    ("sym.sparse.dot(a, b)", "a=c, b=WR", "b='default'"),
    ("sym.dot(a, b, transpose_a=True)", "a=c, b=D", "b='default'"),
    ("sym.cast_storage(a, stype='csr')", "a=D", "a='default'"),
    ("sym.cast_storage(a, stype='default')", "a=r", "a='row_sparse'"),
    ("sym.square(a)", "a=c", ""),
    ("sym.relu(a)", "a=c", ""),
    ("a + b", "a=c, b=c2", ""),
    ("sym.sparse.elemwise_add(a, b)", "a=r, b=r2", "a='row_sparse', b='row_sparse'"),
    ("sym.elemwise_mul(a, b)", "a=r, b=D", "b='default'"),
    ("a * 2", "a=c", ""),
    ("a + 1", "a=r", "a='row_sparse'"),
    ("sym.sum(a, axis=1)", "a=c", ""),
    ("sym.broadcast_mul(sym.square(a), b)", "a=c, b=nd.array([[1, 2, 3]])", "b='default'"),
    ("sym.tanh(sym.dot(sym.abs(a), b))", "a=c, b=W", "b='row_sparse'"),
    (
        "sym.dot(sym.square(a), sym._internal._square_sum(b, axis=1, keepdims=True))",
        "a=c, b=WR",
        "b='row_sparse'",
    ),
    (
        "sym.Embedding(a, b, input_dim=3, output_dim=2, sparse_grad=True)",
        "a=nd.array([1, 1]), b=W",
        "b='row_sparse'",
    ),
]
STYPES = "{k: None if v is None else v.stype for k, v in exe.%s.items()}"
SIMPLE = [
    (
        "sym.sparse.dot(sym.var('x', stype='csr'), sym.var('w', stype='row_sparse'))",
        "x=(4, 3), w=(3, 2)",
    ),
    (
        (
            "sym.sparse.Embedding(a, sym.var('w', stype='row_sparse'), "
            "input_dim=3, output_dim=2, sparse_grad=True)"
        ),
        "a=(2,)",
    ),
    ("sym.sparse.Embedding(a, b, input_dim=3, output_dim=2, sparse_grad=True)", "a=(2,)"),
    ("sym._internal._square_sum(sym.var('r', stype='row_sparse'), axis=1)", "r=(3, 2)"),
    ("sym.Embedding(a, b, input_dim=3, output_dim=2)", "a=(2,)"),
    (
        (
            "sym.FullyConnected(sym.var('d', stype='csr'), sym.var('w', stype='row_sparse'), "
            "num_hidden=3, no_bias=True)"
        ),
        "d=(4, 2)",
    ),
]

CASES = [
    *[
        C(
            f"bound/{code}/{arrays}/{stypes}",
            f"""{SETUP}{NAMES}
args = dict({arrays})
stypes = dict({stypes})
grads = {{k: zeros(args[k], s) for k, s in stypes.items()}}
reqs = {{k: 'write' if k in stypes else 'null' for k in args}}
exe = ({code}).bind(mx.cpu(), args, grads, reqs)
for _ in range(2):
    y = exe.forward(is_train=True)[0]
    out += [show(y)]
if grads:
    exe.backward([nd.array(onp.arange(y.asnumpy().size).reshape(y.shape) + 1)])
    out += [[k, show(exe.grad_dict[k])] for k in sorted(grads)]
out += [show(exe.forward(is_train=False)[0])]
""",
        )
        for code, arrays, stypes in BOUND
    ],
    *[
        C(
            f"simple/{code}",
            f"""{SETUP}{NAMES}
exe = ({code}).simple_bind(mx.cpu(), {shapes})
out += [{STYPES % "arg_dict"}, {STYPES % "grad_dict"}, exe.outputs[0].stype]
out += [exe.arg_dict, exe.grad_dict]
""",
        )
        for code, shapes in SIMPLE
    ],
    C(
        "variables",
        """
        for stype in ('default', 'row_sparse', 'csr'):
            x = sym.var('x', stype=stype)
            out += [x.attr('__storage_type__'), x.tojson()]
        """,
    ),
    C(
        "blocks",
        f"""{SETUP}
for hybrid in (False, True):
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=3), nn.Dense(1))
    net.initialize(mx.init.One())
    if hybrid:
        net.hybridize()
    with autograd.record():
        y = net(c)
    y.backward()
    out += [show(y), net[0].weight.grad()]
""",
    ),
    C(
        "linear-model",
        f"""{SETUP}
x = sym.var('data', stype='csr')
w = sym.var('weight', stype='row_sparse', shape=(3, 1))
bias = sym.var('bias', shape=(1,))
net = sym.broadcast_add(sym.sparse.dot(x, w), bias)
net = sym.LinearRegressionOutput(net, sym.var('label'), name='out')
exe = net.simple_bind(mx.cpu(), data=(4, 3), label=(4, 1))
for name in ('weight', 'bias'):
    exe.arg_dict[name][:] = 0.5
exe.arg_dict['label'][:] = 1
updater = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.1))
for _ in range(3):
    out += [show(exe.forward(is_train=True, data=c)[0])]
    exe.backward()
    out += [show(exe.grad_dict['weight'])]
    for i, name in enumerate(('weight', 'bias')):
        updater(i, exe.grad_dict[name], exe.arg_dict[name])
out += [show(exe.arg_dict['weight']), exe.arg_dict['bias']]
""",
    ),
]
