"""mx.init: values, names, registry."""

from __future__ import annotations

from tests.snippets import snippets

BEFORE = """
I = mx.init

def fill(init, shape=(2, 3), name='w_weight', **attrs):
    mx.random.seed(1)
    array = nd.zeros(shape) - 1
    init(I.InitDesc(name, attrs), array)
    return array

"""

CASES = snippets(
    """
## values/uniform [exact]
out += [fill(I.Uniform()), fill(I.Uniform(2), (70, 3)), fill(I.Uniform(0.5), (5,))]

## values/normal [exact]
out += [fill(I.Normal()), fill(I.Normal(2), (70, 3))]

## values/float16 [exact]
mx.random.seed(1)
a = nd.zeros((3, 4), dtype='float16')
I.Xavier()(I.InitDesc('w_weight'), a)
out.append(a)

## values/xavier [exact]
for kind in ('uniform', 'gaussian'):
    for factor in ('avg', 'in', 'out'):
        out.append(fill(I.Xavier(kind, factor, 2.34), (4, 3, 2, 2)))
out.append(fill(I.Xavier(), (3, 2)))

## values/msra [exact]
out += [fill(I.MSRAPrelu()), fill(I.MSRAPrelu('in', 0.1), (4, 3, 2))]

## values/orthogonal
out += [fill(I.Orthogonal()), fill(I.Orthogonal(rand_type='normal'), (4, 2))]
out.append(fill(I.Orthogonal(scale=2), (2, 2, 2)))

## values/constants
out += [fill(I.Zero()), fill(I.One()), fill(I.Constant(3)), fill(I.Constant(nd.array([1, 2, 3])))]
out.append(fill(I.Constant(onp.array([1, 2, 3]))))
out += [fill(I.LSTMBias(2.5), (8,)), fill(I.LSTMBias(), (7,))]

## values/bilinear
out += [fill(I.Bilinear(), (1, 1, 4, 4)), fill(I.Bilinear(), (2, 1, 3, 5))]

## values/fused-rnn [exact]
own = I.FusedRNN(None, 2, 1, 'rnn_tanh').dumps()
out.append(fill(I.Uniform(), (14,), 'parameters', __init__=own))
for mode, gates in (('lstm', 4), ('gru', 3), ('rnn_relu', 1)):
    for two in (False, True):
        size = gates * 2 * (2 if two else 1) * (3 + 2 + 2) + gates * 2 * (2 if two else 1) * (
            (4 if two else 2) + 2 + 2)
        init = I.FusedRNN(I.Xavier(), 2, 2, mode, two)
        out.append(fill(I.Uniform(), (size,), 'parameters', __init__=init))

## values/fused-rnn-wrong-size
fill(I.Uniform(), (57,), 'parameters', __init__=I.FusedRNN(I.Xavier(), 2, 1, 'lstm'))

## names/endings
for ending in ('weight', 'bias', 'gamma', 'beta', 'min', 'max'):
    out.append(fill(I.One(), (2,), 'a_' + ending))

## names/unknown
fill(I.One(), (2,), 'running_mean')

## names/own-init
out += [fill(I.Zero(), (2,), 'x', __init__=how) for how in ('ones', '["one", {}]', I.One())]
out.append(fill(I.Zero(), (2,), 'x_weight', __init__=''))

## names/own-init-unknown
fill(I.Zero(), (2,), 'x', __init__='nope')

## names/plain-text
import warnings
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter('always')
    a = nd.zeros((2,))
    I.One()('w_weight', a)
texts = [str(w.message) for w in found if w.category is DeprecationWarning]
out += [a, len([t for t in texts if 'Calling initializer' in t])]

## desc
d = I.InitDesc('w', {'a': 'b'}, I.One())
out += [d == 'w', d.attrs, d.global_init.dumps(), I.InitDesc('w').attrs, isinstance(d, str)]

## dumps
out += [i.dumps() for i in (I.Zero(), I.One(), I.Constant(2), I.Uniform(), I.Normal(0.5),
        I.Orthogonal(), I.Xavier(), I.MSRAPrelu(), I.Bilinear(), I.LSTMBias(),
        I.Constant(nd.array([1, 2])),
        I.Constant(onp.array([1, 2])), I.FusedRNN(I.Xavier(), 3, 1, 'lstm'))]

## equality
out += [I.Xavier() == I.Xavier(), I.Xavier() == I.Xavier(magnitude=2), I.Xavier() == 3]
out.append(I.One() == I.Zero())

## hash
hash(I.One())

## create
names = ['xavier', 'Xavier', 'zeros', 'ones', 'zero', 'one', 'msraprelu']
for spec in [*names, '["xavier", {"magnitude": 2}]']:
    out.append(I.create(spec).dumps())
one = I.One()
out += [I.create('xavier', magnitude=5).dumps(), I.create(one) is one]

## create/unknown
I.create('nope')

## create/none
I.create(None)

## create/number
I.create(3)

## register
@I.register
class Nine(I.Initializer):
    def _init_weight(self, name, array):
        array[:] = 9
    def _init_bias(self, name, array):
        array[:] = 10
out += [fill(I.create('nine')), fill(I.create('Nine'), (2,), 'x_bias')]
net = nn.Dense(1, in_units=2, weight_initializer='nine')
net.initialize()
out += [net.weight.data(), net.bias.data()]

## base-class
fill(I.Initializer())

## xavier/vector
fill(I.Xavier(), (3,))

## xavier/bad-type
fill(I.Xavier('foo'))

## xavier/bad-factor
fill(I.Xavier(factor_type='foo'))

## orthogonal/vector
fill(I.Orthogonal(), (3,))

## load
source = {'arg:w_weight': nd.ones((2, 3)), 'b': nd.ones((2,))}
init = I.Load(source, default_init=I.Zero())
out += [sorted(init.param), fill(init), fill(init, (2,), 'c_bias')]

## load/shape
fill(I.Load({'w_weight': nd.ones((2, 2))}))

## load/missing
fill(I.Load({}))

## load/file
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 'f.params')
nd.save(f, {'w_weight': nd.ones((2, 3)) * 4})
out.append(fill(I.Load(f)))

## mixed
init = I.Mixed(['bias', '.*gamma', '.*'], [I.Zero(), I.One(), I.Constant(7)])
out += [fill(init, (2,), name) for name in ('bias', 'a_gamma', 'x_weight')]

## mixed/no-match
fill(I.Mixed(['bias'], [I.Zero()]))

## mixed/lengths
I.Mixed(['a'], [I.Zero(), I.One()])

## net [exact]
net = nn.HybridSequential()
net.add(nn.Conv2D(3, 3, in_channels=2), nn.BatchNorm(in_channels=3), nn.Dense(4, in_units=5),
        nn.Embedding(3, 2), nn.PReLU())
net.initialize(mx.init.Xavier())
out += [p.data() for p in net.collect_params().values()]
""",
    BEFORE,
)
