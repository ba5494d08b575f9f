"""save_parameters, load_parameters, ParameterDict.save and load."""

from __future__ import annotations

from tests.snippets import snippets

BEFORE = """
import os, tempfile, warnings
folder = tempfile.mkdtemp()
f, g = os.path.join(folder, 'f.params'), os.path.join(folder, 'g.params')

def warned(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter('always')
        call()
    return [str(w.message) for w in found if w.category is UserWarning]

def build(prefix=None, norm=True, last=1):
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Dense(4, activation='relu'))
        if norm:
            net.add(nn.BatchNorm())
        net.add(nn.Dense(last))
    return net

net = build('net_')
net.initialize(mx.init.Uniform(1))
net(nd.ones((2, 3)))

"""

CASES = snippets(
    """
## save/structure [exact]
net.save_parameters(f)
out.append(list(nd.load(f)))
other = build()
other.load_parameters(f)
out += [p.data() for p in other.collect_params().values()]
out.append(repr(other))

## save/names [exact]
net.collect_params().save(f)
out.append(list(nd.load(f)))
net.collect_params().save(g, strip_prefix='net_')
out.append(list(nd.load(g)))
other = build()
other.collect_params().load(g, restore_prefix=other.prefix)
out += [p.data() for p in other.collect_params().values()]
third = build()
third.load_parameters(g)
out += [p.data() for p in third.collect_params().values()]

## save/one-layer [exact]
layer = nn.Dense(2, in_units=3)
layer.initialize()
layer.save_parameters(f)
out.append(list(nd.load(f)))
other = nn.Dense(2)
other.load_parameters(f)
out += [other.weight.data(), other.bias.data()]

## save/deferred
net = build()
net.initialize()
net.save_parameters(f)

## save/strip-prefix-that-is-not-there
net.collect_params().save(f, strip_prefix='x_')

## save/deduplicate
first = nn.Dense(3, in_units=3)
net = nn.Sequential()
net.add(first, nn.Dense(3, in_units=3, params=first.params))
net.initialize()
net.save_parameters(f)
net.save_parameters(g, deduplicate=True)
out += [list(nd.load(f)), list(nd.load(g))]
net.load_parameters(g)

## save/replicas-are-averaged
layer = nn.Dense(1, in_units=2, use_bias=False)
layer.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1), mx.cpu(2)])
layer.weight.data(mx.cpu(1))[:] = 5
layer.save_parameters(f)
out.append(nd.load(f))

## save/constant
class Net(nn.HybridBlock):
    def __init__(self):
        super(Net, self).__init__()
        self.k = self.params.get_constant('k', [1.0, 2.0])
    def hybrid_forward(self, F, x, k):
        return F.broadcast_mul(x, k)
net = Net()
net.initialize()
net.save_parameters(f)
other = Net()
other.load_parameters(f)
out += [list(nd.load(f)), other(nd.ones((1, 2)))]

## save/deprecated
out.append(warned(lambda: net.save_params(f)))
out.append(list(nd.load(f)))
out.append(warned(lambda: net.load_params(f)))

## load/contexts
net.save_parameters(f)
other = build()
other.load_parameters(f, ctx=[mx.cpu(1), mx.cpu(2)])
out += [[str(c) for c in p.list_ctx()] for p in other.collect_params().values()]

## load/default-context
net.save_parameters(f)
other = build()
with mx.cpu(1):
    other.load_parameters(f)
out.append([str(c) for c in other[0].weight.list_ctx()])

## load/other-context
net.save_parameters(f)
net.load_parameters(f, ctx=mx.cpu(1))

## load/before-initialize
net.save_parameters(f)
other = build()
other.load_parameters(f)
out.append(warned(other.initialize))

## load/into-deferred
net.save_parameters(f)
other = build()
other.initialize(mx.init.One(), ctx=mx.cpu(1))
other.load_parameters(f)
out += [other[0].weight.data(), str(other[0].weight.data().context)]

## load/extra
net.save_parameters(f)
build(norm=False).load_parameters(f)

## load/ignore-extra
net.save_parameters(f)
other = nn.HybridSequential()
other.add(nn.Dense(4))
other.load_parameters(f, ignore_extra=True)
out.append(repr(other))

## load/missing
build(norm=False).collect_params()
small = nn.HybridSequential()
small.add(nn.Dense(4, in_units=3))
small.initialize()
small.save_parameters(f)
net.load_parameters(f)

## load/allow-missing
small = nn.HybridSequential()
small.add(nn.Dense(4, in_units=3))
small.initialize(mx.init.One())
small.save_parameters(f)
before = net[2].weight.data().copy()
net.load_parameters(f, allow_missing=True)
out += [net[0].weight.data(), (net[2].weight.data() - before).asnumpy().any().item()]

## load/other-shape
net.save_parameters(f)
build(last=2).load_parameters(f)

## load/other-shape-initialized
net.save_parameters(f)
other = build(last=2)
other.initialize()
other(nd.ones((2, 3)))
other.load_parameters(f)

## load/other-dtype
net.cast('float16')
net.save_parameters(f)
out.append({k: v.dtype.__name__ for k, v in nd.load(f).items()})
build().load_parameters(f)

## load/cast-dtype
net.cast('float16')
net.save_parameters(f)
other = build()
other.load_parameters(f, cast_dtype=True)
out.append([(onp.dtype(p.dtype).name, p.data()) for p in other.collect_params().values()])
other.load_parameters(f, cast_dtype=True, dtype_source='saved')
out.append([(onp.dtype(p.dtype).name, p.data()) for p in other.collect_params().values()])

## load/no-file
net.load_parameters(os.path.join(folder, 'nope.params'))

## load/prefixed-file-of-another-net
net.collect_params().save(f)
build().load_parameters(f)

## load-dict/export-prefixes
d = gluon.ParameterDict('p_')
d.get('a', shape=(2,))
d.get('b', shape=(2,))
d.initialize()
nd.save(f, {'arg:p_a': nd.ones((2,)), 'aux:p_b': nd.ones((2,)) * 2})
d.load(f)
out += [p.data() for p in d.values()]
d.load_dict({'p_a': nd.ones((2,)) * 5, 'p_b': nd.ones((2,)) * 6})
out += [p.data() for p in d.values()]

## load-dict/missing
d = gluon.ParameterDict('p_')
d.get('a', shape=(2,))
d.load_dict({})

## load-dict/extra
gluon.ParameterDict('p_').load_dict({'p_a': nd.ones((2,))})

## load-dict/ignore-extra
d = gluon.ParameterDict('p_')
d.load_dict({'p_a': nd.ones((2,))}, ignore_extra=True)
out.append(repr(d))

## load-dict/restore-prefix-that-does-not-fit
d = gluon.ParameterDict('p_')
d.get('a', shape=(2,))
nd.save(f, {'a': nd.ones((2,))})
d.load(f, restore_prefix='z_')
""",
    BEFORE,
)
