"""Block and HybridBlock: names, children, parameters, cast, hooks, printing."""

from __future__ import annotations

from tests.snippets import snippets

_NAMES = snippets("""
## names/counters
a, b, c = nn.Dense(1), nn.Dense(1), nn.Conv2D(1, 1)
out += [a.name, b.name, c.name, a.prefix, c.prefix]

## names/prefix-argument
a = nn.Dense(1, prefix='my_')
out += [a.name, a.prefix, a.weight.name, a.bias.name]

## names/empty-prefix
a = nn.Dense(1, prefix='')
out += [a.name, a.prefix, a.weight.name]

## names/sequential-without-scope
net = nn.Sequential()
net.add(nn.Dense(2), nn.Dense(3))
out += [net.name, tuple(net.collect_params().keys())]

## names/sequential-with-scope
net = nn.Sequential()
with net.name_scope():
    net.add(nn.Dense(2), nn.Dense(3), nn.Conv2D(1, 1), nn.BatchNorm())
out += [net.prefix, tuple(net.collect_params().keys())]

## names/scope-with-prefix
net = nn.HybridSequential(prefix='model_')
with net.name_scope():
    net.add(nn.Dense(2), nn.Dense(3))
out.append(tuple(net.collect_params().keys()))

## names/nested-scopes
net = nn.HybridSequential(prefix='a_')
with net.name_scope():
    inner = nn.HybridSequential(prefix='b_')
    with inner.name_scope():
        inner.add(nn.Dense(2))
    net.add(inner, nn.Dense(1))
out.append(tuple(net.collect_params().keys()))

## names/nested-auto
net = nn.HybridSequential()
with net.name_scope():
    for _ in range(2):
        inner = nn.HybridSequential()
        with inner.name_scope():
            inner.add(nn.Dense(2))
        net.add(inner)
out.append(tuple(net.collect_params().keys()))

## names/custom-class
class MyNet(gluon.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.fc1 = nn.Dense(2)
            self.fc2 = nn.Dense(2)
        self.outside = nn.Dense(2)
    def hybrid_forward(self, F, x):
        return self.fc2(self.fc1(x))
a, b = MyNet(), MyNet()
out += [a.name, b.name, tuple(a.collect_params().keys()), tuple(b.collect_params().keys())]

## names/name-manager-prefix
with mx.name.Prefix('pre_'):
    a = nn.Dense(2)
out.append(a.name)

## names/scope-property
a = nn.Dense(2, prefix='x_')
out.append(a.params.prefix)
""")

_CHILDREN = snippets("""
## children/sequential-basics
net = nn.Sequential()
net.add(nn.Dense(4), nn.Dense(5), nn.Dense(6))
out += [len(net), type(net[1]).__name__, net[-1]._units, len(net[1:]), type(net[1:]).__name__]
out += [tuple(type(b).__name__ for b in net)]

## children/sequential-slice-shares
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Dense(2, in_units=2), nn.Dense(3, in_units=2))
net.initialize(mx.init.One())
part = net[:1]
out += [type(part).__name__, part[0].weight is net[0].weight, part(nd.ones((1, 2)))]

## children/register_child
class B(gluon.Block):
    def __init__(self):
        super().__init__(prefix='b_')
        self.layers = [nn.Dense(2, in_units=2, prefix='d%d_' % i) for i in range(2)]
        for layer in self.layers:
            self.register_child(layer)
    def forward(self, x):
        return x
b = B()
out += [tuple(b.collect_params().keys()), tuple(b._children.keys())]

## children/list-is-not-registered [warns]
class B(gluon.Block):
    def __init__(self):
        super().__init__(prefix='b_')
        self.layers = [nn.Dense(2, in_units=2)]
    def forward(self, x):
        return x
b = B()
out.append(len(b.collect_params().keys()))

## children/attribute-registers
class B(gluon.Block):
    def forward(self, x):
        return self.fc(x)
b = B()
b.fc = nn.Dense(2, in_units=3)
b.initialize(mx.init.One())
out += [tuple(b._children.keys()), b(nd.ones((1, 3)))]

## children/attribute-replaced
class B(gluon.Block):
    pass
b = B()
b.fc = nn.Dense(2, in_units=3, prefix='one_')
b.fc = nn.Dense(2, in_units=3, prefix='two_')
out += [tuple(b._children.keys()), tuple(b.collect_params().keys())]

## children/attribute-type-change-refused
class B(gluon.Block):
    pass
b = B()
b.fc = nn.Dense(2)
b.fc = 3

## children/parameter-attribute
class B(gluon.Block):
    def __init__(self):
        super().__init__(prefix='b_')
        with self.name_scope():
            self.w = self.params.get('w', shape=(2,))
b = B()
out += [tuple(b.collect_params().keys()), tuple(b._reg_params.keys())]

## children/hybrid-refuses-block
net = nn.HybridSequential()
net.add(nn.Sequential())

## children/hybrid-attribute-refuses-block
class B(gluon.HybridBlock):
    def __init__(self):
        super().__init__()
        self.child = nn.Sequential()
B()

## children/apply
net = nn.Sequential()
net.add(nn.Dense(2), nn.Sequential())
seen = []
r = net.apply(lambda b: seen.append(type(b).__name__))
out += [tuple(seen), r is net]

## children/apply-initialize
def init(block):
    if isinstance(block, nn.Dense):
        block.initialize(mx.init.Constant(3))
net = nn.Sequential()
net.add(nn.Dense(2, in_units=2), nn.BatchNorm(in_channels=2))
net.initialize()
net.apply(lambda b: b.collect_params().initialize(mx.init.Constant(3), force_reinit=True))
out.append(net[0].weight.data())

## children/add-returns-none
out.append(nn.Sequential().add(nn.Dense(1)) is None)

## children/setattr-before-init
class B(gluon.Block):
    def __init__(self):
        self.x = nn.Dense(2)
        super().__init__()
B()
""")

_COLLECT = snippets("""
## collect/all
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Dense(2), nn.BatchNorm(), nn.Dense(3))
out.append(tuple(net.collect_params().keys()))

## collect/regex
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Dense(2), nn.BatchNorm(), nn.Dense(3))
for pattern in ('.*weight', '.*bias|.*beta', 'n_dense0.*', 'dense0', '.*running.*', '.*nothing.*'):
    out.append((pattern, tuple(net.collect_params(pattern).keys())))

## collect/type-and-methods
p = nn.Dense(2, in_units=3, prefix='d_').collect_params()
out += [type(p).__name__, p.prefix, 'd_weight' in p, tuple(p.keys()), len(list(p.values()))]
out += [tuple(n for n in p), p['d_weight'].shape, tuple(k for k, v in p.items())]

## collect/missing-key
nn.Dense(2).collect_params()['nope']

## collect/shared-once
a = nn.Dense(2, in_units=2, prefix='a_')
b = nn.Dense(2, in_units=2, params=a.params)
net = nn.Sequential(prefix='n_')
net.add(a, b)
out.append(tuple(net.collect_params().keys()))

## collect/prefix-structure
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Dense(2), nn.HybridSequential())
    with net[1].name_scope():
        net[1].add(nn.Dense(1))
out.append(tuple(net._collect_params_with_prefix().keys()))

## collect/order-of-batchnorm
out.append(tuple(nn.BatchNorm(prefix='bn_').collect_params().keys()))

## collect/params-property
d = nn.Dense(2, prefix='d_')
out += [type(d.params).__name__, tuple(d.params.keys())]

## collect/setattr
net = nn.Dense(2, in_units=2)
net.collect_params().setattr('grad_req', 'null')
out += [net.weight.grad_req, net.bias.grad_req]
net.collect_params().setattr('lr_mult', 0.5)
out.append(net.weight.lr_mult)

## collect/zero_grad
net = nn.Dense(2, in_units=2)
net.initialize(mx.init.One())
with autograd.record():
    y = net(nd.ones((1, 2)))
y.backward()
out.append(net.weight.grad().copy())
net.collect_params().zero_grad()
out.append(net.weight.grad())

## collect/print
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Dense(2), nn.BatchNorm())
out.append(str(net.collect_params()))
""")

_OTHER = snippets("""
## cast/float64
net = nn.HybridSequential()
net.add(nn.Dense(2, in_units=2), nn.BatchNorm(in_channels=2))
net.initialize(mx.init.One())
net.cast('float64')
out += [onp.dtype(p.dtype).name for p in net.collect_params().values()]
out.append(net(nd.ones((2, 2), dtype='float64')))

## cast/before-shapes-are-known
for hybrid in (False, True):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(2, 2), nn.BatchNorm(), nn.Flatten(), nn.Dense(3), nn.LayerNorm())
    net.initialize()
    net.cast('float64')
    net.hybridize(hybrid)
    y = net(nd.ones((2, 1, 3, 3), dtype='float64'))
    out += [y.shape, y.dtype.__name__, [p.shape for p in net.collect_params().values()]]

## cast/shapes-of-typed-variables
y = sym.BatchNorm(sym.var('x'), sym.var('g', dtype='float64'), name='bn')
out.append(y.infer_shape(x=(2, 3, 4)))
y = sym.Embedding(sym.var('i', dtype='int32'), sym.var('w', dtype='float16'), 5, 3)
out.append(sym.BatchNorm(sym.Cast(y, dtype='float64'), name='b2').infer_shape(i=(2, 4)))

## cast/float16-keeps-batchnorm
net = nn.HybridSequential()
net.add(nn.Dense(2, in_units=2), nn.BatchNorm(in_channels=2))
net.initialize(mx.init.One())
net.cast('float16')
out += [onp.dtype(p.dtype).name for p in net.collect_params().values()]

## cast/wrong-input-dtype
net = nn.Dense(2, in_units=2)
net.initialize()
net(nd.ones((1, 2), dtype='float64')).asnumpy()

## cast/before-initialize
net = nn.Dense(2)
net.cast('float64')
net.initialize(mx.init.One())
out.append(net(nd.ones((1, 2), dtype='float64')))

## hooks/forward
net = nn.Dense(1, in_units=2)
net.initialize(mx.init.One())
seen = []
h = net.register_forward_hook(lambda b, i, o: seen.append((type(b).__name__, len(i), o.shape)))
net(nd.ones((1, 2)))
h.detach()
net(nd.ones((1, 2)))
out += seen

## hooks/pre-forward
net = nn.Dense(1, in_units=2)
net.initialize(mx.init.One())
seen = []
h = net.register_forward_pre_hook(lambda b, i: seen.append(i[0].shape))
net(nd.ones((3, 2)))
h.detach()
net(nd.ones((3, 2)))
out += seen

## hooks/order
net = nn.Dense(1, in_units=2)
net.initialize(mx.init.One())
seen = []
net.register_forward_pre_hook(lambda b, i: seen.append('pre1'))
net.register_forward_pre_hook(lambda b, i: seen.append('pre2'))
net.register_forward_hook(lambda b, i, o: seen.append('post1'))
net.register_forward_hook(lambda b, i, o: seen.append('post2'))
net(nd.ones((3, 2)))
out.append(tuple(seen))

## hooks/with-scope
net = nn.Dense(1, in_units=2)
net.initialize(mx.init.One())
seen = []
with net.register_forward_hook(lambda b, i, o: seen.append(1)):
    net(nd.ones((1, 2)))
net(nd.ones((1, 2)))
out.append(len(seen))

## repr/layers
out += [
    repr(b)
    for b in (
        nn.Dense(2),
        nn.Dense(2, in_units=3, activation='relu'),
        nn.Dropout(0.5),
        nn.Conv2D(4, 3),
        nn.Conv2D(4, (3, 2), (2, 1), (1, 0), in_channels=3, groups=1, use_bias=False),
        nn.Conv2D(4, 3, activation='tanh'),
        nn.BatchNorm(),
        nn.BatchNorm(in_channels=3, axis=2),
        nn.MaxPool2D(),
        nn.AvgPool2D(3, 2, 1, ceil_mode=True),
        nn.GlobalAvgPool2D(),
        nn.Flatten(),
        nn.Activation('relu'),
        nn.LeakyReLU(0.1),
        nn.PReLU(),
        nn.ELU(),
        nn.SELU(),
        nn.GELU(),
        nn.Swish(),
        nn.Embedding(3, 2),
        nn.LayerNorm(),
        nn.InstanceNorm(),
        nn.GroupNorm(2),
        nn.Lambda('relu'),
        nn.HybridLambda('tanh'),
        nn.Conv1D(1, 2),
        nn.Conv3D(1, 2),
        nn.Conv2DTranspose(1, 2),
        nn.MaxPool1D(),
        nn.ReflectionPad2D(1),
    )
]

## repr/nets
net = nn.HybridSequential()
net.add(nn.Dense(2, in_units=3), nn.Activation('relu'))
outer = nn.Sequential()
outer.add(net, nn.Dropout(0.1))
out += [repr(net), repr(outer), repr(nn.Sequential())]

## repr/custom
class Net(gluon.Block):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2)
        self.seq = nn.Sequential()
        self.seq.add(nn.Dropout(0.5))
out.append(repr(Net()))

## repr/after-deferred
net = nn.Dense(2)
net.initialize()
net(nd.ones((1, 3)))
out.append(repr(net))

## repr/losses
out += [repr(gluon.loss.L2Loss()), repr(gluon.loss.SoftmaxCELoss(weight=2, batch_axis=1))]

## summary/dense
import io, contextlib
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Dense(4, activation='relu'), nn.BatchNorm(), nn.Dense(2))
net.initialize()
net(nd.ones((3, 5)))
b = io.StringIO()
with contextlib.redirect_stdout(b):
    net.summary(nd.ones((3, 5)))
out.append(b.getvalue())

## summary/conv
import io, contextlib
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Conv2D(4, 3), nn.MaxPool2D(), nn.Flatten(), nn.Dense(2))
net.initialize()
net(nd.ones((1, 3, 8, 8)))
b = io.StringIO()
with contextlib.redirect_stdout(b):
    net.summary(nd.ones((1, 3, 8, 8)))
out.append(b.getvalue())

## summary/hybridized-refused
net = nn.Dense(2)
net.initialize()
net.hybridize()
net.summary(nd.ones((1, 2)))

## call/forward-directly
net = nn.Dense(1, in_units=2)
net.initialize(mx.init.One())
out.append(net.forward(nd.ones((1, 2))))

## call/extra-arguments
net = nn.Dense(1, in_units=2)
net.initialize(mx.init.One())
net(nd.ones((1, 2)), 3)

## call/default-argument
class B(gluon.Block):
    def forward(self, x, scale=1):
        return x * scale
out.append(B()(nd.ones((1,)), 3))

## call/not-initialized
nn.Dense(2, in_units=2)(nd.ones((1, 2)))

## call/not-initialized-deferred
nn.Dense(2)(nd.ones((1, 2)))

## call/wrong-shape
net = nn.Dense(2, in_units=2)
net.initialize()
net(nd.ones((1, 3))).asnumpy()

## export/files
import os, tempfile
d = tempfile.mkdtemp()
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Dense(2, in_units=3), nn.BatchNorm(in_channels=2))
net.initialize(mx.init.One())
net.hybridize()
net(nd.ones((1, 3)))
net.export(os.path.join(d, 'model'), epoch=7)
out += [tuple(sorted(os.listdir(d))), tuple(sorted(nd.load(os.path.join(d, 'model-0007.params'))))]

## export/not-hybridized
nn.Dense(2).export('never')
""")

CASES = _NAMES + _CHILDREN + _COLLECT + _OTHER
