"""Parameter, Constant, ParameterDict."""

from __future__ import annotations

from tests.snippets import snippets

BEFORE = """
import warnings

def warned(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter('always')
        call()
    return [str(w.message) for w in found if w.category is UserWarning]

"""

_PARAMETER = snippets(
    """
## parameter/text
p = gluon.Parameter('w', shape=(2, 3))
q = gluon.Parameter('b', shape=3, dtype='float16')
out += [repr(p), repr(q), p.shape, q.shape, p.name, p.grad_req, p.lr_mult, p.wd_mult, p.init]
out.append(repr(gluon.Parameter('none')))

## parameter/not-initialized-data
gluon.Parameter('w', shape=(2, 3)).data()

## parameter/not-initialized-grad
gluon.Parameter('w', shape=(2, 3)).grad()

## parameter/not-initialized-list-ctx
gluon.Parameter('w', shape=(2, 3)).list_ctx()

## parameter/memory-of-the-host
p = gluon.Parameter('w', shape=(2, 3))
p.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])
for kind in ('cpu_shared', 'cpu_pinned'):
    for where in (mx.Context(kind, 0), mx.Context(kind, 1)):
        out += [str(p.data(where).context), str(p.grad(where).context)]
net = nn.Dense(2, in_units=3)
net.initialize(mx.init.One())
out += [net(nd.ones((2, 3), ctx=mx.Context(kind, 0))) for kind in ('cpu_shared', 'cpu_pinned')]

## parameter/memory-of-another-number
p = gluon.Parameter('w', shape=(2, 3))
p.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
p.data(mx.Context('cpu_shared', 2))

## parameter/initialize [exact]
p = gluon.Parameter('w', shape=(2, 3))
p.initialize()
out += [p.data(), p.grad(), p.list_data(), [str(c) for c in p.list_ctx()]]

## parameter/initialize-again
p = gluon.Parameter('w', shape=(2, 3))
p.initialize('ones')
out.append(warned(p.initialize))
out.append(p.data())
p.initialize(mx.init.Constant(2), force_reinit=True)
out.append(p.data())

## parameter/own-init-and-default
p = gluon.Parameter('w_bias', shape=(2,), init=mx.init.Constant(3))
p.initialize(default_init='ones')
out.append(p.data())
p.initialize('ones', force_reinit=True)
out.append(p.data())
q = gluon.Parameter('anything', shape=(2,))
q.initialize(default_init=mx.init.One())
out.append(q.data())

## parameter/unknown-init
gluon.Parameter('w', shape=(2,), init='abc').initialize()

## parameter/contexts [exact]
p = gluon.Parameter('w', shape=(2, 2))
p.initialize(ctx=[mx.cpu(1), mx.cpu(2)])
out += [p.list_data(), p.data(mx.cpu(2)), str(p.data(mx.cpu(2)).context)]
with mx.cpu(2):
    out.append(str(p.data().context))

## parameter/other-context
p = gluon.Parameter('w', shape=(2, 2))
p.initialize(ctx=mx.cpu(1))
out += [p.data().shape, str(p.data().context)]
p.data(mx.cpu(0))

## parameter/current-context-among-several
p = gluon.Parameter('w', shape=(2, 2))
p.initialize(ctx=[mx.cpu(1), mx.cpu(2)])
p.data()

## parameter/reset-ctx
p = gluon.Parameter('w', shape=(2,))
p.initialize('ones')
p.reset_ctx([mx.cpu(1), mx.cpu(2)])
p.data(mx.cpu(1))[:] = 4
out += [[str(c) for c in p.list_ctx()], p.list_data(), p.list_grad()]
p.reset_ctx(mx.cpu(0))
out.append(p.data())

## parameter/reset-ctx-uninitialized
gluon.Parameter('w', shape=(2,)).reset_ctx(mx.cpu())

## parameter/set-data
p = gluon.Parameter('w', shape=(2,))
p.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
before = p.data(mx.cpu(1))
p.set_data(nd.array([1.5, 2.5]))
out += [p.list_data(), before]
p.set_data(onp.array([3, 4]))
out.append(p.list_data())

## parameter/set-data-wrong-shape
p = gluon.Parameter('w', shape=(2,))
p.initialize()
p.set_data(nd.ones((3,)))

## parameter/set-data-uninitialized
gluon.Parameter('w', shape=(2,)).set_data(nd.ones((2,)))

## parameter/set-data-while-recording
p = gluon.Parameter('w', shape=(2,))
p.initialize()
with autograd.record():
    p.set_data(nd.ones((2,)))

## parameter/deferred
p = gluon.Parameter('w', shape=(2, 0), allow_deferred_init=True)
p.initialize('ones')
out += [repr(p), [str(c) for c in p.list_ctx()]]
p.zero_grad()
p.shape = (2, 4)
out.append(repr(p))
p.set_data(nd.ones((2, 4)) * 3)
p._finish_deferred_init()
out.append(p.data())

## parameter/deferred-data
p = gluon.Parameter('w', shape=(2, 0), allow_deferred_init=True)
p.initialize()
p.data()

## parameter/deferred-grad
p = gluon.Parameter('w', shape=(2, 0), allow_deferred_init=True)
p.initialize()
p.grad()

## parameter/not-deferrable
gluon.Parameter('w', shape=(2, 0)).initialize()

## parameter/no-shape
gluon.Parameter('w').initialize()

## parameter/shape-conflict
gluon.Parameter('w', shape=(2, 3)).shape = (2, 4)

## parameter/grad-req
p = gluon.Parameter('w', shape=(2,))
p.initialize('ones')
p.grad_req = 'add'
for _ in range(2):
    with autograd.record():
        y = (p.data() * 3).sum()
    y.backward()
out.append(p.grad())
p.zero_grad()
out.append(p.grad())
p.grad_req = 'write'
out += [p.grad_req, p.grad()]
p.grad_req = 'null'
out += [p.grad_req, p.data().grad]

## parameter/grad-of-null
p = gluon.Parameter('w', shape=(2,), grad_req='null')
p.initialize()
p.grad()

## parameter/list-grad-of-null
p = gluon.Parameter('w', shape=(2,), grad_req='null')
p.initialize()
p.list_grad()

## parameter/bad-grad-req
gluon.Parameter('w', shape=(2,)).grad_req = 'bad'

## parameter/not-differentiable
p = gluon.Parameter('w', shape=(1,), differentiable=False)
out.append(p.grad_req)
p.grad_req = 'write'
out.append(p.grad_req)

## parameter/grad-keeps-its-memory
p = gluon.Parameter('w', shape=(2, 2))
p.initialize('ones')
g = p.grad()
row = g[0]
out += [g is p.grad(), p.data() is p.data()]
with autograd.record():
    y = (p.data() * 5).sum()
y.backward()
out += [g, row, p.data().grad]

## parameter/cast
p = gluon.Parameter('w', shape=(2,))
p.initialize('ones')
p.cast('float16')
out += [repr(p), p.data(), p.grad(), p.dtype]
p.dtype = onp.float64
out += [p.data(), p.grad()]
with autograd.record():
    y = (p.data() * 2).sum()
y.backward()
out.append(p.grad())

## parameter/var
p = gluon.Parameter('w', shape=(2, 0), init=mx.init.Xavier(), lr_mult=2)
v = p.var()
out += [v.name, p.var() is v, v.attr('__shape__'), v.attr('__init__'), v.attr('__lr_mult__')]

## parameter/row-sparse-data
p = gluon.Parameter('w', shape=(2,))
p.initialize()
p.row_sparse_data(nd.zeros((1,)))

## parameter/bad-stype
gluon.Parameter('w', stype='x')

## parameter/bad-grad-stype
gluon.Parameter('w', grad_stype='x')

## constant
c = gluon.Constant('k', [[1, 2], [3, 4]])
out += [repr(c), c.grad_req, c.value]
c.initialize()
out.append(c.data())
def change():
    c.grad_req = 'write'
out.append(warned(change))
out += [c.grad_req, c.wd_mult, repr(gluon.Constant('i', onp.array([1, 2], 'int32')))]

## constant/grad
c = gluon.Constant('k', [1.0])
c.initialize()
c.grad()
""",
    BEFORE,
)

_DICT = snippets(
    """
## dict/text
d = gluon.ParameterDict('p_')
out += [repr(d), d.prefix]
d.get('a', shape=(2, 2))
d.get('b', shape=(3,), dtype='float16')
out += [repr(d), str(d), list(d.keys()), list(d), 'p_a' in d, len(list(d.items()))]
out.append(repr(gluon.ParameterDict()))

## dict/get
d = gluon.ParameterDict('p_')
a = d.get('a', shape=(2, 0))
out.append(d.get('a', shape=(0, 3)) is a)
out.append(repr(a))
out.append(d.get('a', dtype='float32', init='ones') is a)
out += [a.init, d['p_a'] is a]

## dict/get-other-shape
d = gluon.ParameterDict('p_')
d.get('a', shape=(2, 3))
d.get('a', shape=(2, 4))

## dict/get-other-rank
d = gluon.ParameterDict('p_')
d.get('a', shape=(2, 3))
d.get('a', shape=(2,))

## dict/get-other-dtype
d = gluon.ParameterDict('p_')
d.get('a', shape=(2, 3))
d.get('a', dtype='float16')

## dict/missing-key
gluon.ParameterDict('p_')['nope']

## dict/shared
d = gluon.ParameterDict('p_')
a = d.get('a', shape=(2,))
e = gluon.ParameterDict('p_', shared=d)
out += [e.get('a') is a, repr(e)]
e.get('b', shape=(1,))
out += [list(d.keys()), list(e.keys())]

## dict/update
d = gluon.ParameterDict('p_')
d.get('a', shape=(2,))
e = gluon.ParameterDict('q_')
e.get('b', shape=(2,))
d.update(e)
d.update(e)
out.append(list(d.keys()))

## dict/update-clash
d = gluon.ParameterDict('p_')
d.get('a', shape=(2,))
e = gluon.ParameterDict('p_')
e.get('a', shape=(2,))
d.update(e)

## dict/constant
d = gluon.ParameterDict('p_')
c = d.get_constant('k', nd.ones((2,)))
out += [d.get_constant('k', nd.ones((2,))) is c, d.get_constant('k') is c, repr(d)]

## dict/constant-other-value
d = gluon.ParameterDict('p_')
d.get_constant('k', nd.ones((2,)))
d.get_constant('k', nd.zeros((2,)))

## dict/constant-missing
gluon.ParameterDict('p_').get_constant('k')

## dict/constant-is-a-parameter
d = gluon.ParameterDict('p_')
d.get('k', shape=(2,))
d.get_constant('k', nd.zeros((2,)))

## dict/initialize [exact]
d = gluon.ParameterDict('p_')
d.get('a', shape=(2, 2))
d.get('b', shape=(2,), init='ones')
d.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
out += [p.data(mx.cpu(1)) for p in d.values()]
out.append(sorted(str(c) for c in d.list_ctx()))
d.reset_ctx(mx.cpu(1))
out.append([str(c) for c in d.list_ctx()])
d.setattr('grad_req', 'null')
d.setattr('lr_mult', 3)
out += [(p.grad_req, p.lr_mult) for p in d.values()]
d.zero_grad()

## dict/initialize-mixed [exact]
d = gluon.ParameterDict()
d.get('a_weight', shape=(2, 2))
d.get('b_bias', shape=(2,))
d.initialize(mx.init.Mixed(['.*bias', '.*'], [mx.init.Zero(), mx.init.One()]))
out += [p.data() for p in d.values()]
""",
    BEFORE,
)

CASES = _PARAMETER + _DICT
