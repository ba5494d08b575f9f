"""Recorded cases: checks of symbols and blocks; each accepts what is right and refuses the rest."""

from __future__ import annotations

from tests.snippets import snippets

BEFORE = """
import contextlib, io, os, sys
T = mx.test_utils
x, y = sym.Variable('x'), sym.Variable('y')
f = x * y + x
X, Y, G = onp.random.rand(2, 3), onp.random.rand(2, 3), onp.random.rand(2, 3)
def fails(call, *args, **kwargs):
    error = kwargs.pop('error', AssertionError)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            call(*args, **kwargs)
        out.append('passed')
    except error:
        out.append('refused')
"""

CASES = snippets(
    """
## simple_forward
out += [T.simple_forward(f, x=X, y=Y), T.simple_forward(f, x=nd.array(X), y=Y)]
out += [T.simple_forward(sym.Group([x + y, x * y]), x=X, y=Y)]
out += [T.simple_forward(sym.Dropout(x, p=1 - 1e-7), is_train=True, x=onp.ones((2, 2)))]

## forward
F = T.check_symbolic_forward
good = X * Y + X
out += [
    F(f, [X, Y], [good]),
    F(f, (X, Y), (good,)),
    F(f, {'x': X, 'y': Y}, {f.list_outputs()[0]: good}),
]
out += [F(f, [nd.array(X), nd.array(Y)], [good]), F(f, [X, Y], [good], dtype=onp.float64)]
out += [F(f, [X, Y], [good], dtype='asnumpy'), F(f, [X, Y], [good * 1.01], rtol=0.1, atol=0.1)]
fails(F, f, [X, Y], [X * Y])
fails(F, f, [X, Y], [good * 1.01])
fails(F, f, [X, Y], [good], dtype='other')
fails(F, f, [X], [X], error=ValueError)
fails(F, f, {'x': X, 'z': Y}, [X], error=ValueError)
fails(F, f, {'x': X, 'y': Y, 'z': Y}, [good], error=ValueError)

## forward/aux
bn = sym.BatchNorm(x, fix_gamma=False, eps=1e-12, name='bn')
where = {'x': X, 'bn_gamma': onp.ones(3), 'bn_beta': onp.ones(3)}
T.check_symbolic_forward(bn, where, [X + 1], aux_states=[onp.zeros(3), onp.ones(3)])
T.check_symbolic_forward(
    bn, where, [X], aux_states={'bn_moving_mean': onp.ones(3), 'bn_moving_var': onp.ones(3)}
)
fails(T.check_symbolic_forward, bn, where, [X], aux_states=[onp.zeros(3), onp.ones(3)])
fails(
    T.check_symbolic_forward,
    bn,
    where,
    [X],
    aux_states={'bn_moving_mean': onp.ones(3)},
    error=ValueError,
)

## backward
B = T.check_symbolic_backward
good = [G * (Y + 1), G * X]
out += [B(f, [X, Y], [G], good), B(f, [X, Y], [G], {'x': good[0], 'y': good[1]})]
out += [sorted(B(f, [X, Y], [G], {'x': good[0]})), B(f, [X, Y], [nd.array(G)], good)]
out += [B(f, [X, Y], {f.list_outputs()[0]: G}, good)]
fails(B, f, [X, Y], [G], [G, good[1]])
fails(B, f, [X, Y], [G], [good[0], good[1] * 1.01])
fails(B, f, [X, Y], 3, good)
fails(B, f, [X, Y], None, good, error=mx.base.MXNetError)
fails(B, f, [X, Y], [G], good, grad_req='other', error=(KeyError, ValueError))

## backward/requests
B = T.check_symbolic_backward
good = [G * (Y + 1), G * X]
for request in ('write', 'add', ['write', 'add'], {'x': 'add', 'y': 'write'}):
    fails(B, f, [X, Y], [G], good, 1e-3, 1e-3, grad_req=request)
    fails(B, f, [X, Y], [G], [good[0], good[1] + 1], 1e-3, 1e-3, grad_req=request)
fails(B, f, [X, Y], [G], good, grad_req={'x': 'write', 'y': 'null'})
fails(B, f, [X, Y], [G], {'x': good[0]}, grad_req={'x': 'write', 'y': 'null'})

## numeric
N = T.check_numeric_gradient
for dtype in (onp.float16, onp.float32, onp.float64):
    fails(N, f, [X, Y], dtype=dtype)
fails(N, f, {'x': X, 'y': Y})
fails(N, f, [X, Y], grad_nodes=['x'])
fails(N, f, [X, Y], grad_nodes={'x': 'write', 'y': 'null'})
fails(N, f, [X, Y], grad_nodes={'x': 'add', 'y': 'add'})
fails(N, sym.tanh(x), [X], numeric_eps=1e-2, rtol=1e-2, atol=1e-3)
fails(N, sym.tanh(x), [nd.array(X)], rtol=1e-2)

## numeric/refuses
N = T.check_numeric_gradient
for wrong, where in (
    (sym.BlockGrad(x) * y, [X, Y]),
    (sym.MakeLoss(x), [X]),
    (sym.SoftmaxOutput(x, y), [X, onp.ones(2)]),
    (sym.sum(sym.MakeLoss(x, grad_scale=1.05)), [X]),
):
    for dtype in (onp.float32, onp.float64):
        fails(N, wrong, where, dtype=dtype, grad_nodes=['x'])
fails(N, sym.tanh(x), [X], numeric_eps=2.0)
fails(N, f, [X, Y], dtype='other')
fails(N, f, [X, Y], grad_nodes=3, error=ValueError)
fails(N, sym.Group([x, y]), [X, Y], error=mx.base.MXNetError)

## numeric/aux
bn = sym.BatchNorm(x, fix_gamma=False, name='bn')
where = {'x': onp.random.rand(4, 3), 'bn_gamma': onp.ones(3), 'bn_beta': onp.zeros(3)}
fails(
    T.check_numeric_gradient, bn, where, aux_states=[onp.zeros(3), onp.ones(3)], rtol=0.2, atol=0.05
)
fails(
    T.check_numeric_gradient,
    bn,
    where,
    aux_states={'bn_moving_mean': onp.zeros(3)},
    error=ValueError,
)

## numeric_grad
args = {'x': nd.array(X), 'y': nd.array(Y)}
e = f.bind(mx.cpu(), args, args_grad={'x': nd.zeros((2, 3)), 'y': nd.zeros((2, 3))})
g = T.numeric_grad(e, {'x': X.astype('float32'), 'y': Y.astype('float32')}, eps=1 / 64)
out += [onp.round(g['x'], 2), onp.round(g['y'], 2), str(g['x'].dtype)]

## consistency
def setting(dtype, ctx=mx.cpu(0)):
    return {'ctx': ctx, 'x': (3, 4), 'type_dict': {'x': dtype}}
fc = sym.FullyConnected(x, num_hidden=2, name='fc')
two = [setting(onp.float64), setting(onp.float32)]
args = {'x': onp.ones((3, 4)), 'fc_weight': onp.ones((2, 4)), 'fc_bias': onp.zeros(2)}
out += [T.check_consistency(fc, two, arg_params=args)]
out += [
    sorted(T.check_consistency(fc, two)),
    sorted(T.check_consistency(fc, [setting(onp.float32, mx.cpu(1))] * 2)),
]
out += [
    sorted(T.check_consistency(fc, two, grad_req='null')),
    sorted(T.check_consistency(fc, two, grad_req='add')),
]
out += [sorted(T.check_consistency(sym.BatchNorm(x, name='bn'), two, use_uniform=True))]
out += [sorted(T.check_consistency(sym.tanh(x, name='t'), two + [setting(onp.float16)]))]

## consistency/refuses
def setting(dtype):
    return {'ctx': mx.cpu(0), 'x': (3, 4), 'type_dict': {'x': dtype}}
fc = sym.FullyConnected(x, num_hidden=2, name='fc')
two = [setting(onp.float64), setting(onp.float32)]
fails(T.check_consistency, fc, two[:1])
fails(T.check_consistency, fc, [])
fails(T.check_consistency, [fc, sym.FullyConnected(y, num_hidden=2, name='fc')], two)
fails(T.check_consistency, [sym.tanh(x, name='t'), sym.sigmoid(x, name='t')], two)
fails(T.check_consistency, [sym.tanh(x, name='t'), sym.sigmoid(x, name='t')], two, grad_req='null')
fails(
    T.check_consistency, [sym.tanh(x, name='t'), sym.sigmoid(x, name='t')], two, rtol=100, atol=100
)
fails(
    T.check_consistency, [sym.tanh(x, name='t'), sym.sigmoid(x, name='t')], two, raise_on_err=False
)
fails(T.check_consistency, [sym.identity(x, name='t'), sym.BlockGrad(x, name='t')], two)
fails(
    T.check_consistency,
    [sym.identity(x, name='t'), sym.BlockGrad(x, name='t')],
    two,
    grad_req='null',
)
fails(T.check_consistency, fc, two, ground_truth=T.check_consistency(fc, two))

## hybridize
def dense(**kwargs):
    return nn.Dense(3, in_units=4, **kwargs)
def net(**kwargs):
    n = nn.HybridSequential(**kwargs)
    with n.name_scope():
        n.add(nn.Dense(3), nn.Dense(2, activation='tanh'))
    return n
calls = [0]
class Counts(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        calls[0] += 1
        return x * calls[0]
class Traced(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * 1 if F is mx.nd else x * 2
mx.npx.set_np()
data = [mx.np.ones((2, 4))]
for build in (dense, Counts, Traced):
    fails(T.check_gluon_hybridize_consistency, build, data)
fails(T.check_gluon_hybridize_consistency, Traced, data, test_grad=False)
fails(T.check_gluon_hybridize_consistency, Traced, data, lambda x: x, test_grad=False)
fails(T.check_gluon_hybridize_consistency, dense, data, lambda x: x.sum() * onp.ones((2, 3)))

## structure
out += [T.same_symbol_structure(f, x * y + x), T.same_symbol_structure(f, x * y - x)]
out += [
    T.same_symbol_structure(
        sym.FullyConnected(x, num_hidden=2), sym.FullyConnected(y, num_hidden=3)
    ),
    T.same_symbol_structure(x, y),
]
out += [
    T.same_symbol_structure(x * y, x + y),
    T.same_symbol_structure(sym.sum(x, axis=1), sym.sum(x)),
]

## speed
out += [
    T.check_speed(f, {'x': X, 'y': Y}, N=2) > 0,
    T.check_speed(f, N=2, typ='forward', x=(2, 3), y=(2, 3)) > 0,
]
fails(T.check_speed, f, N=2, typ='z', x=(2, 3), y=(2, 3), error=ValueError)

## optimizers
S = mx.optimizer.SGD
C = T.compare_optimizer
fails(C, S(learning_rate=0.1), S(learning_rate=0.1), (3, 4), onp.float32)
fails(C, S(learning_rate=0.1), S(learning_rate=0.2), (3, 4), onp.float32)
fails(C, S(momentum=0.9), S(momentum=0.9), (3, 4), onp.float32)
fails(C, mx.optimizer.Adam(), mx.optimizer.Adam(epsilon=1.0), (3, 4), onp.float32)
fails(
    C,
    S(momentum=0.9, multi_precision=True),
    S(momentum=0.9, multi_precision=True),
    (3, 4),
    onp.float16,
)
fails(C, S(), S(), (3, 4), onp.float32, w_stype='other', error=Exception)

## structure-of-a-part
x = sym.var('x')
out += [T.same_symbol_structure(x * 2, (x * 2) * 2), T.same_symbol_structure(sym.exp(x), x)]
out += [T.same_symbol_structure(x * 2, x + 2), T.same_symbol_structure(x * 2, sym.var('y') * 2)]

## consistency/empty-truth
ctxs = [{'ctx': mx.cpu(), 'x': (2, 3), 'type_dict': {'x': 'float32'}}] * 2
T.check_consistency(sym.exp(sym.var('x')), ctxs, ground_truth={})

## names
before = {}
exec('from {}.test_utils import *'.format(mx.__name__), before)
out += [before['mx'] is mx, before['Features'].__name__]
out.append(callable(before['get_cuda_compute_capability']))

## environment
os.environ['MX_A'] = '1'
with T.environment('MX_A', '2'):
    out.append(os.environ['MX_A'])
with T.environment({'MX_A': None, 'MX_B': '3'}):
    out += [os.environ.get('MX_A'), os.environ.get('MX_B')]
out += [os.environ.get('MX_A'), os.environ.get('MX_B')]
try:
    with T.environment('MX_A', '9'):
        raise KeyError
except KeyError:
    out.append(os.environ['MX_A'])
del os.environ['MX_A']
for args, error in (
    (('A',), AssertionError),
    (('A', 'B', 'C'), AssertionError),
    ((), AssertionError),
    (('A', 3), TypeError),
):
    fails(lambda: T.environment(*args).__enter__(), error=error)

## retry
tries = [0]
@T.retry(3)
def third(value):
    tries[0] += 1
    assert tries[0] % value == 0
out += [third(3), tries[0]]
tries[0] = -50
fails(third, 4)
out.append(tries[0])
@T.retry(2)
def other():
    tries[0] += 1
    raise ValueError
fails(other, error=ValueError)
out.append(tries[0])
fails(T.retry, 0)

## dummy
it = mx.io.NDArrayIter(onp.arange(10).reshape(5, 2), onp.arange(5), 2)
d = T.DummyIter(it)
out += [
    d.batch_size,
    repr(d.provide_data),
    repr(d.provide_label),
    [d.next().data for _ in range(3)],
]
out += [d.next() is d.the_batch, next(d) is d.the_batch, iter(d) is d, d.reset(), it.cursor]

## statistics
normal = lambda n: onp.random.normal(0, 1, size=n)
edges = [
    -onp.inf,
    -0.8416212335729142,
    -0.2533471031357997,
    0.2533471031357997,
    0.8416212335729143,
    onp.inf,
]
b, p = T.gen_buckets_probs_with_ppf(lambda q: edges[int(round(q * 5))], 5)
out += [b, p, T.chi_square_check(normal, b, p, nsamples=10000)]
out += [
    T.chi_square_check(lambda n: onp.random.randint(0, 3, n), [0, 1, 2], [1 / 3] * 3, nsamples=3000)
]
out += [
    T.mean_check(normal, 0, 1, 10000),
    T.mean_check(normal, 0.1, 1, 10000),
    T.var_check(normal, 1, 10000),
    T.var_check(normal, 1.3, 10000),
]
out += [T.verify_generator(normal, b, p, nsamples=10000, nrepeat=3)]
fails(T.verify_generator, lambda n: normal(n) + 0.5, b, p, nsamples=10000, nrepeat=3)
fails(T.chi_square_check, normal, b, p[:3], nsamples=100)
fails(T.chi_square_check, normal, onp.array(b), p, nsamples=100)
fails(T.chi_square_check, normal, b, [0.1, 0.2, 0.2, 0.2, 0.1], nsamples=10000, error=ValueError)
fails(T.chi_square_check, normal, [(-1, 0), (1, 2)], [0.5, 0.5], nsamples=1000, error=ValueError)

## matrices
for m in (T.new_matrix_with_real_eigvals_2d(4), T.new_sym_matrix_with_real_eigvals_2d(4)):
    values = onp.linalg.eigvals(m)
    out += [
        m.shape,
        str(m.dtype),
        bool(onp.isreal(values).all()),
        bool(abs(values).max() < 11),
        bool(onp.allclose(m, m.T)),
    ]
q = T.new_orthonormal_matrix_2d(3)
out += [
    q.shape,
    bool(onp.allclose(q @ q.T, onp.eye(3))),
    T.new_matrix_with_real_eigvals_nd((2, 3, 3)).shape,
]
s = T.new_sym_matrix_with_real_eigvals_nd((2, 1, 3, 3))
out += [s.shape, bool(onp.allclose(s, s.swapaxes(-1, -2)))]
""",
    BEFORE,
)
