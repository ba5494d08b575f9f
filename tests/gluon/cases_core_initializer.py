"""Initializers: what each draws, by name of the parameter, and how they are created."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

# (initializer, class of the comparison); each fills a (6, 4) and a (5, 3, 2, 2) weight
_INITIALIZERS = [
    ("mx.init.Uniform()", "exact"),
    ("mx.init.Uniform(0.5)", "exact"),
    ("mx.init.Uniform(scale=2)", "exact"),
    ("mx.init.Normal()", "ulp"),
    ("mx.init.Normal(sigma=2)", "ulp"),
    ("mx.init.Xavier()", "exact"),
    ("mx.init.Xavier(magnitude=6)", "exact"),
    ("mx.init.Xavier(factor_type='in')", "exact"),
    ("mx.init.Xavier(factor_type='out', magnitude=2.24)", "exact"),
    ("mx.init.Xavier(rnd_type='gaussian', factor_type='in', magnitude=2)", "ulp"),
    ("mx.init.MSRAPrelu()", "ulp"),
    ("mx.init.MSRAPrelu('in', 0)", "ulp"),
    ("mx.init.MSRAPrelu(factor_type='out', slope=0.1)", "ulp"),
    ("mx.init.One()", "exact"),
    ("mx.init.Zero()", "exact"),
    ("mx.init.Constant(0.3)", "exact"),
    ("mx.init.create('xavier')", "exact"),
    ("mx.init.create('normal', sigma=0.5)", "ulp"),
    ("mx.init.create('zeros')", "exact"),
    ("mx.init.create('ones')", "exact"),
    ("mx.init.create('uniform', scale=0.2)", "exact"),
    ("mx.init.create('msraprelu')", "ulp"),
    ("mx.init.create('constant', value=4)", "exact"),
]

_DRAW = """
mx.random.seed(21)
for shape in ((6, 4), (5, 3, 2, 2)):
    w = nd.zeros(shape)
    {}(mx.init.InitDesc('conv0_weight'), w)
    out.append(w)
"""

_OTHER = snippets("""
## by-name/suffixes
init = mx.init.Constant(7)
for n in ('a_weight', 'a_bias', 'a_gamma', 'a_beta'):
    w = nd.ones((2,)) * -1
    init(mx.init.InitDesc(n), w)
    out.append((n, float(w[0].asscalar())))

## by-name/uniform-leaves-bias-zero
init = mx.init.Uniform(1)
for n in ('a_bias', 'a_gamma', 'a_beta'):
    w = nd.ones((2,)) * -1
    init(mx.init.InitDesc(n), w)
    out.append((n, float(w[0].asscalar())))

## by-name/running-refused
mx.init.Uniform()(mx.init.InitDesc('a_running_mean'), nd.zeros((2,)))

## by-name/unknown-refused
mx.init.Uniform()(mx.init.InitDesc('a_other'), nd.zeros((2,)))

## by-name/one-on-bias
w = nd.zeros((2,))
mx.init.One()(mx.init.InitDesc('a_bias'), w)
out.append(w)

## by-name/attribute-wins
w = nd.zeros((2,))
mx.init.Uniform()(mx.init.InitDesc('a_weight', attrs={'__init__': mx.init.Constant(3).dumps()}), w)
out.append(w)

## orthogonal/rows
mx.random.seed(3)
w = nd.zeros((3, 5))
mx.init.Orthogonal()(mx.init.InitDesc('w_weight'), w)
out.append(nd.dot(w, w.T).round())

## orthogonal/scale
mx.random.seed(3)
w = nd.zeros((4, 4))
mx.init.Orthogonal(scale=1, rand_type='normal')(mx.init.InitDesc('w_weight'), w)
out.append(nd.dot(w, w.T).round())

## bilinear/weight
w = nd.zeros((1, 1, 4, 4))
mx.init.Bilinear()(mx.init.InitDesc('up_weight'), w)
out.append(w)

## lstmbias/forget
w = nd.zeros((8,))
mx.init.LSTMBias(forget_bias=2.0)(mx.init.InitDesc('l0_i2h_bias'), w)
out.append(w)

## lstmbias/in-layer
lstm = gluon.rnn.LSTM(2, input_size=2, i2h_bias_initializer=mx.init.LSTMBias(1.0))
lstm.initialize()
out.append(lstm.l0_i2h_bias.data())

## mixed/patterns [warns]
m = mx.init.Mixed(['.*bias', '.*'], [mx.init.Zero(), mx.init.Constant(2)])
a, b = nd.ones((2,)), nd.ones((2,))
m('x_bias', a)
m('x_weight', b)
out += [a, b]

## mixed/no-match [warns]
mx.init.Mixed(['.*bias'], [mx.init.Zero()])('x_weight', nd.ones((2,)))

## load/from-dict [warns]
i = mx.init.Load({'arg:a_weight': nd.ones((2,)) * 3}, default_init=mx.init.Zero())
a, b = nd.ones((2,)), nd.ones((2,))
i('a_weight', a)
i('b_weight', b)
out += [a, b]

## text/dumps
out += [
    mx.init.Xavier().dumps(),
    mx.init.Normal(0.5).dumps(),
    mx.init.Constant(2).dumps(),
    mx.init.Zero().dumps(),
]

## text/equality
out += [mx.init.Normal(0.5) == mx.init.Normal(0.5), mx.init.Normal(0.5) == mx.init.Normal(0.6),
        mx.init.One() == mx.init.Zero()]

## create/aliases
out += [
    type(mx.init.create(n)).__name__
    for n in ('zeros', 'ones', 'normal', 'uniform', 'xavier', 'orthogonal', 'bilinear')
]
out.append(mx.init is mx.initializer)

## create/passes-instance
i = mx.init.Xavier()
out.append(mx.init.create(i) is i)

## create/unknown
mx.init.create('no_such')

## register/own
@mx.init.register
class TwoPlus(mx.init.Initializer):
    def __init__(self, value=1):
        super().__init__(value=value)
        self.value = value
    def _init_weight(self, name, arr):
        arr[:] = 2 + self.value
net = nn.Dense(2, in_units=2, weight_initializer=TwoPlus(5))
net.initialize()
other = nn.Dense(2, in_units=2)
other.initialize('twoplus')
out += [net.weight.data(), other.weight.data(), net.bias.data(), TwoPlus(3).dumps()]

## register/_init_default
class All(mx.init.Initializer):
    def _init_default(self, name, arr):
        arr[:] = 4
    def _init_weight(self, name, arr):
        arr[:] = 5
p = gluon.Parameter('strange', shape=(2,))
p.initialize(All())
q = gluon.Parameter('q_weight', shape=(2,))
q.initialize(All())
out += [p.data(), q.data()]

## xavier/vector-refused
mx.init.Xavier()(mx.init.InitDesc('w_weight'), nd.zeros((3,)))

## xavier/3d
mx.random.seed(1)
w = nd.zeros((2, 3, 4))
mx.init.Xavier()(mx.init.InitDesc('w_weight'), w)
out.append(w)

## xavier/float64
mx.random.seed(1)
w = nd.zeros((2, 3), dtype='float64')
mx.init.Xavier()(mx.init.InitDesc('w_weight'), w)
out.append(w)

## net/order-of-draws [exact]
mx.random.seed(4)
net = nn.HybridSequential()
net.add(nn.Dense(3, in_units=2), nn.Conv2D(2, 2, in_channels=1), nn.Dense(2, in_units=3))
net.initialize()
out += [p.data() for p in net.collect_params().values()]

## net/several-contexts-equal [exact]
mx.random.seed(4)
net = nn.Dense(3, in_units=2)
net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
out += [*net.weight.list_data(), nd.random.uniform(shape=(2,))]

## net/deferred-order [exact]
mx.random.seed(4)
net = nn.HybridSequential()
net.add(nn.Dense(3), nn.Dense(2, in_units=3))
net.initialize()
out.append(nd.random.uniform(shape=(2,)))
net(nd.ones((1, 2)))
out += [p.data() for p in net.collect_params().values()]

## net/global-xavier-keeps-own [exact]
mx.random.seed(4)
net = nn.HybridSequential()
net.add(nn.Dense(3, in_units=2, weight_initializer=mx.init.One()), nn.Dense(2, in_units=3))
net.initialize(mx.init.Xavier())
out += [p.data() for p in net.collect_params().values()]

## net/bias-initializer
net = nn.Dense(3, in_units=2, bias_initializer=mx.init.Constant(5))
net.initialize()
out.append(net.bias.data())

## net/batchnorm
net = nn.BatchNorm(
    in_channels=2,
    gamma_initializer=mx.init.Constant(3),
    beta_initializer='ones',
    running_mean_initializer=mx.init.Constant(4),
    running_variance_initializer='zeros',
)
net.initialize()
out += [p.data() for p in net.collect_params().values()]
""")

CASES = [C("draw/" + init, _DRAW.format(init), cls=cls) for init, cls in _INITIALIZERS] + _OTHER
