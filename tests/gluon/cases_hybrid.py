"""HybridBlock: tracing, running the graph, deferred shapes and their order, export, SymbolBlock."""

from __future__ import annotations

from tests.snippets import snippets

BEFORE = """
import warnings, os, tempfile, json

def warned(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter('always')
        call()
    texts = [str(w.message) for w in found if w.category is UserWarning]
    return [t for t in texts if 'Cannot decide type' not in t]

class Order(nn.HybridBlock):
    def __init__(self, **kwargs):
        super(Order, self).__init__(prefix='r_', **kwargs)
        with self.name_scope():
            self.b = nn.Dense(2, prefix='b_')
            self.a = nn.Dense(2, prefix='a_')
            second = self.params.get('w2', shape=(0, 0), allow_deferred_init=True, init='uniform')
            self.w1 = self.params.get('w1', shape=(0, 0), allow_deferred_init=True, init='uniform')
            self.w2 = second

    def hybrid_forward(self, F, x, w1, w2):
        return F.elemwise_add(F.elemwise_add(self.b(self.a(x)), w1), w2)

class Nested(nn.HybridBlock):
    def hybrid_forward(self, F, xs, y=None):
        out = xs[0] * 2
        return (out, [xs[1], [xs[0]]]) if y is None else (out + y, [xs[1]])

class Other(nn.HybridBlock):
    def __init__(self, **kwargs):
        super(Other, self).__init__(prefix='u_', **kwargs)
        with self.name_scope():
            self.a = nn.Dense(2, in_units=2, prefix='a_')
            self.b = nn.Dense(2, in_units=2, prefix='b_', use_bias=False)

    def hybrid_forward(self, F, x, y):
        return self.a(x)

"""

CASES = snippets(
    """
## deferred/unhybridized-order [exact]
net = Order()
net.initialize()
net(nd.ones((1, 2)))
out += [p.data() for p in net.collect_params().values()]

## deferred/hybridized-order [exact]
net = Order()
net.initialize()
net.hybridize()
net(nd.ones((1, 2)))
out += [p.data() for p in net.collect_params().values()]
out += [net._cached_graph[1].list_inputs(), list(net.collect_params().keys())]

## deferred/dropout-between-layers [exact]
for hybrid in (False, True):
    mx.random.seed(3)
    net = nn.HybridSequential()
    net.add(nn.Dense(4), nn.Dropout(0.5), nn.Dense(3))
    net.initialize()
    if hybrid:
        net.hybridize()
    with autograd.record():
        net(nd.ones((2, 5)))
    out += [p.data() for p in net.collect_params().values()]

## deferred/known-and-unknown [exact]
net = nn.HybridSequential()
net.add(nn.Dense(4), nn.Dense(3, in_units=4), nn.Dense(2))
net.initialize(mx.init.Normal(1))
net(nd.ones((2, 5)))
out += [p.data() for p in net.collect_params().values()]

## deferred/contexts [exact]
net = nn.HybridSequential()
net.add(nn.Dense(4), nn.Dense(3))
net.initialize(mx.init.Xavier(), ctx=[mx.cpu(0), mx.cpu(1)])
net(nd.ones((2, 5), ctx=mx.cpu(1)))
out += [p.list_data() for p in net.collect_params().values()]

## deferred/cannot-infer
class Net(nn.HybridBlock):
    def __init__(self):
        super(Net, self).__init__()
        self.w = self.params.get('w', shape=(0,), allow_deferred_init=True)
    def hybrid_forward(self, F, x, w):
        return F.broadcast_add(x, w)
net = Net()
net.initialize()
net(nd.ones((2, 2)))

## deferred/infer-shape
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Dense(3))
net.infer_shape(nd.ones((1, 2, 5, 5)))
out.append(repr(net.collect_params()))

## deferred/shared-child
first = nn.Dense(4)
net = nn.HybridSequential()
net.add(first, nn.Dense(4, params=first.params))
net.initialize(mx.init.One())
out += [net(nd.ones((2, 4))), first.weight.shape]

## hybridize/same-values
layers = [nn.Dense(3), nn.Conv1D(2, 3), nn.BatchNorm(), nn.LayerNorm()]
for layer in [*layers, nn.Dense(2, flatten=False)]:
    layer.initialize(mx.init.Xavier())
    x = nd.array(onp.arange(24, dtype='float32').reshape((2, 3, 4)) / 10)
    plain = layer(x)
    layer.hybridize()
    out += [plain, layer(x)]

## hybridize/nested-arguments
net = Nested()
x, y = nd.ones((1,)), nd.zeros((1,))
out.append(net([x, y]))
net.hybridize()
out += [net([x, y]), net._in_format, net._out_format, net((x, y)), net([x, y], None)]

## hybridize/none-argument
net = Nested()
x, y = nd.ones((1,)), nd.zeros((1,))
net.hybridize()
out += [net([x, y], x), net._in_format, [i.name for i in net._cached_graph[0]]]

## hybridize/format-changed
net = Nested()
net.hybridize()
x, y = nd.ones((1,)), nd.zeros((1,))
net([x, y])
net([x, y], x)

## hybridize/dict-output
class Net(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return {'a': x}
net = Net()
out.append(net(nd.ones((1,))))
net.hybridize()
net(nd.ones((1,)))

## hybridize/one-output-twice
class Net(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x, x
net = Net()
net.hybridize()
x = nd.ones((2,))
a, b = net(x)
a[:] = 5
out += [a, b]

## hybridize/list-of-one
class Net(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return [x + 1]
net = Net()
net.hybridize()
out += [net(nd.ones((2,))), net._out_format]

## hybridize/unused
net = Other()
net.initialize(mx.init.One())
net.hybridize()
x = nd.ones((1, 2))
out.append(warned(lambda: out.append(net(x, x))))
out.append(net(x, x))

## hybridize/warns-of-hooks
net = nn.Dense(2, prefix='d_')
net.register_forward_hook(lambda *args: None)
out.append(warned(net.hybridize))

## hybridize/contexts
net = nn.Dense(2, in_units=2)
net.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])
net.hybridize()
out += [str(net(nd.ones((1, 2), ctx=c)).context) for c in (mx.cpu(1), mx.cpu(0))]
net.weight.data(mx.cpu(1))[:] = 7
out.append(net(nd.ones((1, 2), ctx=mx.cpu(1))))

## hybridize/two-contexts
net = Other()
net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
net.hybridize()
net(nd.ones((1, 2)), nd.ones((1, 2), ctx=mx.cpu(1)))

## hybridize/wrong-context
net = nn.Dense(2, in_units=2)
net.initialize(ctx=mx.cpu(1))
net.hybridize()
net(nd.ones((1, 2)))

## hybridize/wrong-dtype
net = nn.Dense(2, in_units=2)
net.initialize()
net.hybridize()
net(nd.ones((1, 2), dtype='float64'))

## hybridize/new-values
net = nn.Dense(2, in_units=2)
net.initialize(mx.init.One())
net.hybridize()
x = nd.ones((1, 2))
out.append(net(x))
net.weight.set_data(nd.array([[1, 2], [3, 4]]))
out.append(net(x))
net.initialize(mx.init.Constant(3), force_reinit=True)
out.append(net(x))
net.cast('float64')
out.append(net(x.astype('float64')))
net.collect_params().reset_ctx(mx.cpu(1))
out.append(net(nd.ones((1, 2), ctx=mx.cpu(1), dtype='float64')))

## hybridize/add-a-layer
net = nn.HybridSequential()
net.add(nn.Dense(3))
net.initialize(mx.init.One())
net.hybridize()
out.append(net(nd.ones((1, 2))))
net.add(nn.Dense(2))
net[1].initialize(mx.init.One())
out.append(net(nd.ones((1, 2))))

## hybridize/and-back
net = nn.HybridSequential()
net.add(nn.Dense(3))
net.initialize(mx.init.One())
net.hybridize()
out += [net(nd.ones((1, 2))), net._active, net[0]._active]
net.hybridize(False)
out += [net(nd.ones((1, 2))), net._active, net[0]._active]
net.hybridize(static_alloc=True, static_shape=True)
out += [net(nd.ones((1, 2))), net._flags]

## hybridize/gradients
class Net(nn.HybridBlock):
    def __init__(self):
        super(Net, self).__init__()
        self.d = nn.Dense(3, in_units=2)
        self.k = self.params.get_constant('k', [1.0, 2.0, 3.0])
    def hybrid_forward(self, F, x, k):
        return F.broadcast_mul(F.tanh(self.d(x)), k)
for hybrid in (False, True):
    mx.random.seed(5)
    net = Net()
    net.initialize(mx.init.Xavier())
    if hybrid:
        net.hybridize()
    x = nd.array([[1, 2], [3, 4]]) / 10
    x.attach_grad()
    with autograd.record():
        y = net(x) ** 2
    y.backward()
    out += [x.grad, net.d.weight.grad(), net.d.bias.grad(), y]

## hybridize/batch-norm-statistics
for hybrid in (False, True):
    net = nn.BatchNorm()
    net.initialize()
    if hybrid:
        net.hybridize()
    x = nd.array(onp.arange(12, dtype='float32').reshape((4, 3)))
    with autograd.record():
        y = net(x)
    y.backward()
    out += [y, net.running_mean.data(), net.running_var.data(), net(x)]

## hybridize/symbols-in
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Dense(3), nn.Dense(2))
y = net(mx.sym.var('x'))
out += [y.name, y.list_arguments()]

## hybridize/mixed-arguments
net = Other()
net.initialize()
net(nd.ones((1, 2)), mx.sym.var('y'))

## hybridize/no-array
Other()(3, 4)

## hybridize/array-and-number
net = Other()
net.initialize(mx.init.One())
out += [net(nd.ones((1, 2)), 3), net(nd.ones((1, 2)), None)]

## hybridize/context-inside
class Net(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.ones((2,)) if F is nd else x
out.append(str(Net()(nd.ones((1,), ctx=mx.cpu(1))).context))

## export
folder = tempfile.mkdtemp()
net = nn.HybridSequential(prefix='net_')
with net.name_scope():
    net.add(nn.Conv2D(2, 3, activation='relu'), nn.BatchNorm(), nn.Dense(3))
net.initialize(mx.init.Xavier())
net.hybridize()
x = nd.ones((1, 1, 5, 5))
y = net(x)
net.export(folder + '/m', epoch=7)
out += [sorted(os.listdir(folder)), sorted(nd.load(folder + '/m-0007.params'))]
with open(folder + '/m-symbol.json') as file:
    nodes = json.load(file)['nodes']
out += [[n['op'], n['name'], n.get('attrs', {})] for n in nodes]
def load():
    back = gluon.SymbolBlock.imports(folder + '/m-symbol.json', 'data', folder + '/m-0007.params')
    out.extend([y, back(x), sorted(back.collect_params().keys()), repr(back)])
load()

## export/not-traced
net = nn.Dense(2, in_units=2)
net.initialize()
net.export(tempfile.mkdtemp() + '/m')

## symbol-block
a, b = mx.sym.var('a'), mx.sym.var('b')
y = mx.sym.FullyConnected(a, num_hidden=3, no_bias=True, name='pre_fc') + b
net = gluon.SymbolBlock(y, [a, b])
out += [net.prefix, list(net.collect_params().keys()), repr(net).split('>')[1]]
net.initialize(mx.init.One())
out.append(net(nd.ones((2, 4)), nd.ones((2, 3))))
net.hybridize()
out.append(net(nd.ones((2, 4)), nd.ones((2, 3))))
out.append(net(mx.sym.var('q'), mx.sym.var('r')).list_arguments())
with autograd.record():
    z = net(nd.ones((2, 4)), nd.ones((2, 3)))
z.backward()
out.append(net.collect_params()['pre_fc_weight'].grad())

## symbol-block/outputs
a = mx.sym.var('a')
y = mx.sym.FullyConnected(a, num_hidden=3, name='fc')
net = gluon.SymbolBlock([y, a], a)
net.initialize(mx.init.One())
out.append(net(nd.ones((2, 4))))

## symbol-block/features
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Dense(3, in_units=2), nn.Dense(2, in_units=3))
net.initialize(mx.init.One())
inner = net(mx.sym.var('data')).get_internals()
inner = inner['n_dense0_fwd_output']
first = gluon.SymbolBlock(inner, mx.sym.var('data'), params=net.collect_params())
out += [first(nd.ones((1, 2))), first.collect_params()['n_dense0_weight'] is net[0].weight]

## symbol-block/too-few-arguments
a, b = mx.sym.var('a'), mx.sym.var('b')
net = gluon.SymbolBlock(a + b, [a, b])
net(nd.ones((2,)))

## symbol-block/input-is-an-output
a = mx.sym.var('a')
gluon.SymbolBlock(a + 1, a + 1)

## symbol-block/not-symbols
gluon.SymbolBlock('y', ['x'])

## symbol-block/not-initialized
a = mx.sym.var('a')
gluon.SymbolBlock(mx.sym.FullyConnected(a, num_hidden=3), a)(nd.ones((1, 2)))

## symbol-block/cast-and-move
a = mx.sym.var('a')
y = mx.sym.BatchNorm(mx.sym.FullyConnected(a, num_hidden=3, name='fc'), name='bn', fix_gamma=False)
net = gluon.SymbolBlock(y, a)
net.initialize(mx.init.One())
net.reset_ctx(mx.cpu(1))
out.append([str(c) for c in net.collect_params().list_ctx()])
net.cast('float16')
out.append([(k, onp.dtype(p.dtype).name) for k, p in net.collect_params().items()])

## symbol-block/subclass-text
class Features(gluon.SymbolBlock):
    pass
a = mx.sym.var('a')
out += [repr(Features(mx.sym.relu(a, name='b'), a)), repr(gluon.SymbolBlock([a, a + 1], a))]

## infer-type
net = nn.Dense(2, in_units=2)
net.initialize()
net.infer_type(nd.ones((1, 2)))
out.append(onp.dtype(net.weight.dtype).name)

## optimize-for/absent-backend
net = nn.HybridSequential()
net.add(nn.Dense(2, in_units=3))
net.initialize(mx.init.One())
out += [net.optimize_for(nd.ones((1, 3)), backend="nosuch"), net._active, net(nd.ones((1, 3)))]

## optimize-for/no-backend
nn.Dense(2).optimize_for(nd.ones((1, 2)))
""",
    BEFORE,
)
