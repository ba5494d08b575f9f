"""Block: names, scopes, children, sharing, hooks, texts."""

from __future__ import annotations

from tests.snippets import snippets

BEFORE = """
import warnings

def warned(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter('always')
        call()
    return [str(w.message) for w in found if w.category is UserWarning]

class Pair(nn.Block):
    def __init__(self, shared=False, **kwargs):
        super(Pair, self).__init__(**kwargs)
        with self.name_scope():
            self.a = nn.Dense(2)
            self.b = nn.Dense(2, params=self.a.params) if shared else nn.Dense(3)
            self.w = self.params.get('w', shape=(2, 3))

    def forward(self, x):
        return self.b(self.a(x))

"""

CASES = snippets(
    """
## names/sequential
net = nn.Sequential()
net.add(nn.Dense(4, activation='relu'), nn.Dense(1), nn.Conv2D(2, 3), nn.BatchNorm())
out += [net.name, net.prefix, [b.name for b in net], list(net.collect_params().keys())]
out += [repr(net), repr(net.collect_params()), repr(net.params)]

## names/scope
net = nn.HybridSequential(prefix='net_')
with net.name_scope():
    net.add(nn.Dense(4), nn.Dense(1))
    inner = nn.HybridSequential()
    with inner.name_scope():
        inner.add(nn.Dense(2), nn.Dense(2))
    net.add(inner)
out += [list(net.collect_params().keys()), net.name, inner.prefix]
again = nn.HybridSequential()
with again.name_scope():
    again.add(nn.Dense(1))
out.append(list(again.collect_params().keys()))

## names/empty-prefix
net = nn.HybridSequential(prefix='')
with net.name_scope():
    net.add(nn.Dense(4), nn.Dense(1, prefix='mine_'))
out += [list(net.collect_params().keys()), net.name, net.prefix, nn.Dense(1).name]

## names/prefix-manager
with mx.name.Prefix('pre_'):
    net = nn.Dense(2)
out += [net.name, list(net.collect_params().keys()), nn.Dense(2).name]

## names/activations
names = [nn.Activation('relu'), nn.Activation('softrelu'), nn.LeakyReLU(0.1), nn.PReLU(), nn.ELU(),
         nn.SELU(), nn.GELU(), nn.Swish(), nn.Dropout(0.1), nn.Flatten(), nn.Embedding(2, 3),
         nn.Lambda('relu'), nn.HybridLambda('relu'), nn.Conv1D(1, 2), nn.Conv2DTranspose(1, 2),
         nn.MaxPool2D(), nn.GlobalAvgPool2D(), nn.InstanceNorm(), nn.LayerNorm(), nn.GroupNorm(),
         nn.ReflectionPad2D(1), nn.HybridSequential(), nn.Activation('relu', prefix='zz_')]
out += [b.name for b in names]
out.append(nn.Dense(3, activation='tanh').act.name)

## names/shared
a = nn.Dense(3, prefix='x_')
out.append(list(nn.Dense(3, params=a.params).collect_params().keys()))
out.append(list(nn.Dense(3, prefix='y_', params=a.params).collect_params().keys()))
b = nn.Dense(3, in_units=5, params=a.collect_params())
out += [a.weight is b.weight, repr(a), repr(b)]

## names/shared-other-shape
a = nn.Dense(3, prefix='x_')
nn.Dense(4, params=a.params)

## children/attributes
net = Pair(prefix='my_')
out += [repr(net), list(net.collect_params().keys()), list(net.params.keys()), list(net._children),
        list(net._reg_params), net.name]
net.a = nn.Dense(7)
out += [repr(net), list(net.collect_params().keys())]

## children/shared
net = Pair(shared=True, prefix='my_')
net.initialize(mx.init.One())
out += [list(net.collect_params().keys()), net(nd.ones((1, 2)))]

## children/change-type-to-number
Pair().a = 3

## children/change-type-to-block
Pair().a = nn.Conv2D(2, 2)

## children/change-parameter-to-block
Pair().w = nn.Dense(2)

## children/override-parameter
Pair().w = gluon.Parameter('zz', shape=(2,))

## children/list-is-not-registered
class Lists(nn.Block):
    def __init__(self):
        super(Lists, self).__init__()
        self.layers = [nn.Dense(2)]
        self.nested = {'k': (nn.Dense(2),)}
        self.numbers = [1, 2]
net = Lists()
out += [warned(net.collect_params), repr(net)]

## children/registered-list
class Lists(nn.Block):
    def __init__(self):
        super(Lists, self).__init__(prefix='net_')
        self.layers = []
        with self.name_scope():
            for _ in range(3):
                self.layers.append(nn.Dense(3))
                self.register_child(self.layers[-1])
    def forward(self, x):
        return sum(layer(x) for layer in self.layers)
net = Lists()
net.initialize(mx.init.One())
out += [net(nd.ones((2, 4))), list(net.collect_params().keys()), list(net._children), repr(net)]

## children/select
net = nn.Sequential(prefix='n_')
with net.name_scope():
    net.add(nn.Dense(4), nn.BatchNorm())
out.append(list(net.collect_params('.*weight|.*gamma').keys()))
out += [list(net.collect_params('weight').keys()), list(net.collect_params('').keys())]

## sequential/items
net = nn.Sequential()
net.add(nn.Dense(4), nn.Dropout(0.5), nn.Dense(2))
part = net[0:2]
out += [len(net), repr(net[-1]), repr(part), part.prefix, list(part.collect_params().keys())]
out.append([b.name for b in net])

## sequential/index-error
nn.Sequential()[3]

## sequential/hybridize
net = nn.Sequential()
net.add(nn.Dense(2))
out.append(warned(net.hybridize))
out.append(warned(nn.Sequential().hybridize))
net.add(nn.Lambda('relu'))
out.append(warned(net.hybridize))

## sequential/empty
net = nn.HybridSequential()
out += [repr(net), net(nd.ones((3,)))]
net.hybridize()
out.append(net(nd.ones((3,))))

## hybrid-children/block
nn.HybridSequential().add(nn.Lambda('relu'))

## hybrid-children/number
nn.HybridSequential().add(3)

## hybrid-children/attribute
class Net(nn.HybridBlock):
    pass
net = Net()
net.layer = nn.Lambda('relu')

## forward/not-written
nn.Block()(3)

## forward/hybrid-not-written
nn.HybridBlock()(nd.ones((2,)))

## forward/keyword
nn.Dense(2)(x=nd.ones((2, 2)))

## forward/no-argument
nn.Dense(2)()

## forward/not-initialized
nn.Dense(2)(nd.ones((2, 2)))

## forward/numpy
nn.Dense(2)(onp.ones((2, 2)))

## forward/wrong-shape
net = nn.Dense(2)
net.initialize()
net(nd.ones((2, 3)))
net(nd.ones((2, 4)))

## forward/wrong-dtype
net = nn.Dense(2)
net.initialize()
net(nd.ones((2, 3), dtype='float64'))

## hooks
net = nn.HybridSequential(prefix='n_')
net.add(nn.Dense(3, prefix='d_'))
net.initialize(mx.init.One())
seen = []
pre = net.register_forward_pre_hook(lambda block, args: seen.append((block.name, len(args))))
post = net.register_forward_hook(lambda block, args, y: seen.append((block.name, y.shape)))
net[0].register_forward_hook(lambda block, args, y: seen.append((block.name, args[0].shape)))
net(nd.ones((2, 4)))
pre.detach()
net(nd.ones((2, 4)))
with post:
    pass
net(nd.ones((2, 4)))
out.append(seen)

## hooks/twice
handle = gluon.utils.HookHandle()
import collections
hooks = collections.OrderedDict()
handle.attach(hooks, len)
handle.attach(hooks, max)

## apply
net = nn.Sequential(prefix='n_')
net.add(nn.Dense(4, activation='relu', prefix='a_'), nn.Dense(1, prefix='b_'))
seen = []
out += [net.apply(lambda block: seen.append(block.name)) is net, seen]

## initialize/verbose
import logging
class Keep(logging.Handler):
    def emit(self, record):
        out.append(record.getMessage().split(' as ')[0])
logger, keep = logging.getLogger(), Keep()
level = logger.level
logger.addHandler(keep)
logger.setLevel(logging.INFO)
net = nn.Dense(2, in_units=3, prefix='d_')
net.initialize(mx.init.Xavier(), verbose=True)
logger.removeHandler(keep)
logger.setLevel(level)

## initialize/again
net = nn.Dense(2, in_units=3, prefix='d_')
net.initialize(mx.init.One())
out += [warned(net.initialize), net.weight.data()]
net.initialize(mx.init.Constant(2), force_reinit=True)
out += [net.weight.data(), net.bias.data()]

## initialize/none
nn.Dense(2, in_units=3).initialize(None)

## cast
net = nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(nn.Dense(4, in_units=2), nn.BatchNorm(in_channels=4), nn.LayerNorm(in_channels=4))
net.initialize(mx.init.One())
net.cast('float16')
out.append(repr(net.collect_params()))
net.cast('float64')
out += [repr(net.collect_params()), net(nd.ones((1, 2), dtype='float64'))]

## summary
import io, contextlib
def summary(net, *args):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        net.summary(*args)
    return text.getvalue()
net = nn.HybridSequential()
net.add(nn.Conv2D(3, 3, activation='relu'), nn.BatchNorm(), nn.Flatten(), nn.Dense(4))
net.initialize()
net(nd.ones((2, 1, 6, 6)))
out.append(summary(net, nd.ones((2, 1, 6, 6))))
first = nn.Dense(3, in_units=3)
net = nn.Sequential()
net.add(first, nn.Dense(3, in_units=3, params=first.params), nn.Dropout(0.3))
net.initialize()
out.append(summary(net, nd.ones((1, 3))))

## summary/nested
import io, contextlib
class Two(nn.HybridBlock):
    def __init__(self):
        super(Two, self).__init__()
        self.d = nn.Dense(3)
        self.n = nn.BatchNorm()
    def hybrid_forward(self, F, x, y):
        return self.n(self.d(x)), [y, x]
net = Two()
net.initialize()
net(nd.ones((2, 3)), nd.ones((2, 2)))
text = io.StringIO()
with contextlib.redirect_stdout(text):
    net.summary(nd.ones((2, 3)), nd.ones((2, 2)))
out.append(text.getvalue())

## summary/hybridized
net = nn.Dense(2, in_units=2)
net.initialize()
net.hybridize()
net.summary(nd.ones((1, 2)))

## lambda
out += [repr(nn.Lambda('relu')), repr(nn.HybridLambda('relu')), repr(nn.Lambda(max))]
add = nn.Lambda(lambda x, y: x + y)
out += [repr(nn.HybridLambda(lambda F, x: x)), add(nd.ones((1,)), nd.ones((1,)))]
out.append(nn.HybridLambda('LeakyReLU')(nd.array([-1.0, 1.0])))

## summary/child-twice
import contextlib, io
class Twice(gluon.Block):
    def __init__(self):
        super().__init__()
        self.a = nn.Dense(2, in_units=2)
        self.b = self.a
    def forward(self, x, ys):
        return [self.b(self.a(x)), ys[0]]
net = Twice()
net.initialize()
text = io.StringIO()
with contextlib.redirect_stdout(text):
    net.summary(nd.ones((1, 2)), [nd.ones((1, 2))])
out.append(text.getvalue())

## hybrid-forward/no-symbol
class Nothing(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return None
class Array(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return nd.ones(1)
for net in (Nothing(), Array()):
    net.hybridize()
    try:
        net(nd.ones(1))
    except TypeError:
        out.append('TypeError')

## lambda/unknown
nn.Lambda('foo')

## lambda/not-a-function
nn.Lambda(3)

## hybrid-lambda/unknown
nn.HybridLambda('foo')
""",
    BEFORE,
)
