"""Parameter, ParameterDict, Constant: shapes, deferred initialization, contexts, files."""

from __future__ import annotations

from tests.snippets import snippets

_P = "p = gluon.Parameter('w', shape=(2, 3))\n"

_BASICS = snippets(
    """
## parameter/attributes
out += [p.name, p.shape, onp.dtype(p.dtype).name, p.grad_req, p.lr_mult, p.wd_mult, p.init is None]

## parameter/initialize
p.initialize(mx.init.Constant(2))
out += [p.data(), p.grad(), [str(c) for c in p.list_ctx()]]

## parameter/initialize-several
p.initialize(ctx=[mx.cpu(0), mx.cpu(1)], init='ones')
out += [
    len(p.list_data()),
    len(p.list_grad()),
    p.data(mx.cpu(1)),
    str(p.data(mx.cpu(1)).context),
    str(p.data().context),
]

## parameter/data-wrong-context
p.initialize(ctx=mx.cpu(0))
p.data(mx.cpu(1))

## parameter/data-not-initialized
p.data()

## parameter/grad-not-initialized
p.grad()

## parameter/list-not-initialized
p.list_data()

## parameter/set_data
p.initialize()
p.set_data(nd.ones((2, 3)) * 5)
out.append(p.data())

## parameter/set_data-keeps-grad
p.initialize()
p.set_data(nd.ones((2, 3)))
with autograd.record():
    y = p.data() * 3
y.backward()
out.append(p.grad())

## parameter/set_data-before-initialize
p.set_data(nd.ones((2, 3)))

## parameter/set_data-wrong-shape
p.initialize()
p.set_data(nd.ones((3, 3)))

## parameter/set_data-several-contexts
p.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
p.set_data(nd.ones((2, 3)) * 4)
out += p.list_data()

## parameter/data-is-live
p.initialize(mx.init.One())
p.data()[:] = 7
out.append(p.data())

## parameter/data-identity
p.initialize()
out += [p.data() is p.data(), p.grad() is p.grad()]

## parameter/zero_grad
p.initialize(mx.init.One())
with autograd.record():
    y = p.data() * 3
y.backward()
out.append(p.grad().copy())
p.zero_grad()
out.append(p.grad())

## parameter/grad_req-null
p.initialize()
p.grad_req = 'null'
out.append(p.grad_req)
p.grad()

## parameter/grad_req-add
p.initialize(mx.init.One())
p.grad_req = 'add'
for _ in range(2):
    with autograd.record():
        y = p.data() * 3
    y.backward()
out.append(p.grad())

## parameter/grad_req-bad
p.grad_req = 'sometimes'

## parameter/initialize-twice [warns]
p.initialize(mx.init.One())
p.initialize(mx.init.Zero())
out.append(p.data())

## parameter/force_reinit
p.initialize(mx.init.One())
p.initialize(mx.init.Zero(), force_reinit=True)
out.append(p.data())

## parameter/reset_ctx
p.initialize(mx.init.One())
p.reset_ctx(mx.cpu(1))
out += [str(p.data(mx.cpu(1)).context), [str(c) for c in p.list_ctx()]]

## parameter/cast
p.initialize(mx.init.One())
p.cast('float64')
out += [p.data(), p.grad(), onp.dtype(p.dtype).name]

## parameter/var
v = p.var()
out += [type(v).__name__, v.name, p.var() is v]

## parameter/shape-assign-refused
p.shape = (4, 3)

## parameter/shape-assign-same
p.shape = (2, 3)
out.append(p.shape)

## parameter/repr
out += [
    repr(p),
    repr(gluon.Parameter('v', shape=(0, 3))),
    repr(gluon.Parameter('u')),
    repr(gluon.Constant('c', nd.ones((2,)))),
]

## parameter/name-in-record
p.initialize(mx.init.One())
with autograd.record():
    y = (p.data() ** 2).sum()
y.backward()
out.append(p.grad())
""",
    before=_P,
)

_INIT = snippets("""
## init/own-over-default
p = gluon.Parameter('w_weight', shape=(2,), init=mx.init.Constant(3))
p.initialize(default_init=mx.init.One())
out.append(p.data())

## init/argument-over-own
p = gluon.Parameter('w_weight', shape=(2,), init=mx.init.Constant(3))
p.initialize(init=mx.init.Constant(4))
out.append(p.data())

## init/string
p = gluon.Parameter('w', shape=(2,), init='ones')
p.initialize()
out.append(p.data())

## init/bias-by-name
d = gluon.ParameterDict('d_')
for n in ('a_weight', 'a_bias', 'a_gamma', 'a_beta', 'a_running_mean', 'a_running_var', 'a_other'):
    d.get(n, shape=(2, 2))
mx.random.seed(1)
d.initialize(mx.init.Constant(5))
out += [p.data() for p in d.values()]

## init/default-is-uniform
mx.random.seed(2)
p = gluon.Parameter('w_weight', shape=(3,))
p.initialize()
out.append(p.data())

## init/array-as-init
p = gluon.Parameter('w', shape=(2,), init=mx.init.Constant(nd.array([1, 2])))
p.initialize()
out.append(p.data())

## init/unknown-string
p = gluon.Parameter('w', shape=(2,), init='no_such')
p.initialize()

## init/custom-class
@mx.init.register
class Mine(mx.init.Initializer):
    def _init_weight(self, name, arr):
        arr[:] = 9
p = gluon.Parameter('w', shape=(2,), init='mine')
p.initialize()
q = gluon.Parameter('q_weight', shape=(2,))
q.initialize(Mine())
out += [p.data(), q.data()]

## deferred/shape-unknown
p = gluon.Parameter('w', shape=(2, 0))
p.initialize()

## deferred/allowed
p = gluon.Parameter('w', shape=(2, 0), allow_deferred_init=True)
p.initialize(mx.init.One())
out.append(p.shape)
p.data()

## deferred/finished-by-shape
p = gluon.Parameter('w', shape=(2, 0), allow_deferred_init=True)
p.initialize(mx.init.One())
p.shape = (2, 3)
p._finish_deferred_init()
out.append(p.data())

## deferred/set_data
p = gluon.Parameter('w', shape=(2, 0), allow_deferred_init=True)
p.initialize()
p.set_data(nd.ones((2, 4)) * 3)
p._finish_deferred_init()
out += [p.data(), p.shape]

## deferred/dense
net = nn.Dense(3)
net.initialize(mx.init.One())
out.append(net.weight.shape)
out.append(net(nd.ones((2, 5))))
out.append(net.weight.shape)

## deferred/second-shape-refused
net = nn.Dense(3)
net.initialize()
net(nd.ones((2, 5)))
net(nd.ones((2, 6))).asnumpy()

## deferred/conv
net = nn.HybridSequential()
net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Dense(2))
net.initialize()
net.hybridize()
net(nd.ones((2, 3, 5, 5)))
out += [p.shape for p in net.collect_params().values()]

## deferred/reinit-before-forward
net = nn.Dense(2)
net.initialize(mx.init.Zero())
net.initialize(mx.init.One(), force_reinit=True)
out.append(net(nd.ones((1, 2))))

## deferred/infer_shape
net = nn.Dense(2)
net.infer_shape(nd.ones((4, 7)))
out.append(net.weight.shape)

## deferred/grad-before-forward
net = nn.Dense(2)
net.initialize()
net.weight.grad()

## deferred/list_ctx
net = nn.Dense(2)
net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
out.append([str(c) for c in net.weight.list_ctx()])

## deferred/constant-batch
net = nn.Dense(2, weight_initializer='ones')
net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
out.append(net(nd.ones((1, 3), ctx=mx.cpu(1))))
out.append(net(nd.ones((1, 3), ctx=mx.cpu(0))))

## constant/basics
c = gluon.Constant('c', nd.array([1, 2]))
c.initialize()
out += [c.data(), c.grad_req, c.name, c.shape]

## constant/list-value
c = gluon.Constant('c', [[1, 2], [3, 4]])
c.initialize()
out += [c.data(), c.shape]

## constant/no-gradient
c = gluon.Constant('c', nd.array([1, 2]))
c.initialize()
c.grad()

## constant/not-trained
class B(gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix='b_')
        with self.name_scope():
            self.c = self.params.get_constant('c', nd.array([[2, 3]]))
            self.fc = nn.Dense(2, in_units=2, weight_initializer='ones')
    def hybrid_forward(self, F, x, c):
        return F.broadcast_mul(self.fc(x), c)
b = B()
b.initialize()
t = gluon.Trainer(b.collect_params(), 'sgd', {'learning_rate': 0.1})
with autograd.record():
    y = b(nd.ones((1, 2)))
y.backward()
t.step(1)
out += [y, b.c.data(), b.fc.weight.data()]
""")

_DICT = snippets("""
## dict/get-creates-and-reuses
d = gluon.ParameterDict('net_')
a = d.get('w', shape=(2, 2))
out += [a.name, d.get('w') is a, tuple(d.keys()), d.prefix]

## dict/get-fills-shape
d = gluon.ParameterDict('net_')
d.get('w', shape=(2, 0), allow_deferred_init=True)
out.append(d.get('w', shape=(2, 3)).shape)

## dict/get-shape-mismatch
d = gluon.ParameterDict('net_')
d.get('w', shape=(2, 2))
d.get('w', shape=(3, 2))

## dict/get-attribute-mismatch
d = gluon.ParameterDict('net_')
d.get('w', shape=(2, 2), lr_mult=1.0)
d.get('w', shape=(2, 2), lr_mult=2.0)

## dict/get_constant
d = gluon.ParameterDict('net_')
c = d.get_constant('c', nd.array([1]))
out += [c.name, d.get_constant('c') is c, type(c).__name__]

## dict/get_constant-missing
gluon.ParameterDict('net_').get_constant('c')

## dict/shared
a = gluon.ParameterDict('a_')
w = a.get('w', shape=(1,))
b = gluon.ParameterDict('a_', shared=a)
out.append(b.get('w') is w)

## dict/update
a, b = gluon.ParameterDict('a_'), gluon.ParameterDict('b_')
a.get('w', shape=(1,))
b.get('v', shape=(1,))
a.update(b)
out.append(tuple(a.keys()))

## dict/update-clash
a, b = gluon.ParameterDict('a_'), gluon.ParameterDict('a_')
a.get('w', shape=(1,))
b.get('w', shape=(1,))
a.update(b)

## dict/repr
d = gluon.ParameterDict('a_')
d.get('w', shape=(1, 2))
out += [repr(d), repr(gluon.ParameterDict())]

## dict/initialize-verbose-ctx
d = gluon.ParameterDict('a_')
d.get('w', shape=(1, 2), init='ones')
d.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
out.append(tuple(str(c) for c in d['a_w'].list_ctx()))

## dict/list_ctx
net = nn.Dense(2, in_units=1)
net.initialize(ctx=[mx.cpu(1), mx.cpu(0)])
out.append(sorted(str(c) for c in net.collect_params().list_ctx()))

## dict/reset_ctx
net = nn.Dense(2, in_units=1)
net.initialize()
net.collect_params().reset_ctx(mx.cpu(2))
out.append(str(net.weight.data(mx.cpu(2)).context))

## dict/save-load
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
net = nn.Dense(2, in_units=2, prefix='n_')
net.initialize(mx.init.Constant(3))
net.collect_params().save(f)
twin = nn.Dense(2, in_units=2, prefix='n_')
twin.collect_params().load(f)
out += [twin.weight.data(), tuple(sorted(nd.load(f)))]

## dict/load-missing
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
nd.save(f, {'n_weight': nd.ones((2, 2))})
nn.Dense(2, in_units=2, prefix='n_').collect_params().load(f)

## dict/load-extra
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
nd.save(f, {'n_weight': nd.ones((2, 2)), 'n_bias': nd.ones((2,)), 'x': nd.ones((1,))})
nn.Dense(2, in_units=2, prefix='n_').collect_params().load(f)

## dict/load-flags
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
nd.save(f, {'n_weight': nd.ones((2, 2)), 'x': nd.ones((1,))})
net = nn.Dense(2, in_units=2, prefix='n_')
net.collect_params().load(f, allow_missing=True, ignore_extra=True)
out.append(net.weight.data())

## dict/save-strip-prefix-wrong
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
net = nn.Dense(2, in_units=2, prefix='n_')
net.initialize()
net.collect_params().save(f, strip_prefix='m_')

## file/keys
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
net = nn.HybridSequential()
net.add(nn.Dense(2, in_units=2), nn.HybridSequential(), nn.BatchNorm(in_channels=2))
net[1].add(nn.Dense(1, in_units=2))
net.initialize(mx.init.One())
net.save_parameters(f)
out.append(tuple(nd.load(f)))

## file/bytes
import os, pathlib, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
net = nn.Dense(2, in_units=2)
net.initialize(mx.init.One())
net.save_parameters(f)
out.append(pathlib.Path(f).read_bytes())

## file/several-contexts
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
net = nn.Dense(2, in_units=2)
net.initialize(mx.init.Constant(2), ctx=[mx.cpu(0), mx.cpu(1)])
net.save_parameters(f)
twin = nn.Dense(2, in_units=2)
twin.load_parameters(f, ctx=[mx.cpu(1), mx.cpu(2)])
out += [tuple(str(c) for c in twin.weight.list_ctx()), twin.weight.data(mx.cpu(2))]

## file/deferred-takes-shape
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
net = nn.Dense(2, in_units=3)
net.initialize(mx.init.One())
net.save_parameters(f)
twin = nn.Dense(2)
twin.load_parameters(f)
out += [twin.weight.shape, twin(nd.ones((1, 3)))]

## file/into-initialized
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
net = nn.Dense(2, in_units=3)
net.initialize(mx.init.One())
net.save_parameters(f)
net.initialize(mx.init.Zero(), force_reinit=True)
net.load_parameters(f)
out.append(net.weight.data())

## file/wrong-shape
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
net = nn.Dense(2, in_units=3)
net.initialize(mx.init.One())
net.save_parameters(f)
nn.Dense(2, in_units=4).load_parameters(f)

## file/missing-parameter
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
nd.save(f, {'weight': nd.ones((2, 3))})
nn.Dense(2, in_units=3).load_parameters(f)

## file/extra-parameter
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
nd.save(f, {'weight': nd.ones((2, 3)), 'bias': nd.ones((2,)), 'other': nd.ones((2,))})
nn.Dense(2, in_units=3).load_parameters(f)

## file/old-style-names
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Dense(2, in_units=3))
net.initialize(mx.init.Constant(4))
net.collect_params().save(f)
net.initialize(mx.init.Zero(), force_reinit=True)
net.load_parameters(f)
out.append(net[0].weight.data())

## file/arg-aux-prefixes
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
nd.save(f, {'arg:n_weight': nd.ones((2, 3)) * 6, 'arg:n_bias': nd.zeros((2,))})
net = nn.Dense(2, in_units=3, prefix='n_')
net.collect_params().load(f)
out.append(net.weight.data())

## file/dtype-mismatch
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
nd.save(f, {'weight': nd.ones((2, 3), dtype='float64'), 'bias': nd.ones((2,), dtype='float64')})
nn.Dense(2, in_units=3).load_parameters(f)

## file/cast_dtype
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
nd.save(f, {'weight': nd.ones((2, 3), dtype='float64'), 'bias': nd.ones((2,), dtype='float64')})
a, b = nn.Dense(2, in_units=3), nn.Dense(2, in_units=3)
a.load_parameters(f, cast_dtype=True)
b.load_parameters(f, cast_dtype=True, dtype_source='saved')
out += [onp.dtype(a.weight.data().dtype).name, onp.dtype(b.weight.data().dtype).name]

## file/missing-file
nn.Dense(2, in_units=3).load_parameters('/no/such/file')

## file/shared-parameters-once
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
a = nn.Dense(2, in_units=2, prefix='a_')
net = nn.Sequential()
net.add(a, nn.Dense(2, in_units=2, params=a.params))
net.initialize(mx.init.One())
net.save_parameters(f)
out.append(tuple(sorted(nd.load(f))))
net.save_parameters(f, deduplicate=True)
out.append(tuple(sorted(nd.load(f))))

## file/save_params-old-name [warns]
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'p')
net = nn.Dense(2, in_units=2)
net.initialize(mx.init.One())
net.save_params(f)
out.append(tuple(nd.load(f)))
""")

CASES = _BASICS + _INIT + _DICT
