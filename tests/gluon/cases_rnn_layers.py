"""Recurrent layers beyond the ordinary call: dropout, types, order of draws, graphs, contexts."""

from tests.cases import C

SETUP = """
import warnings
R = gluon.rnn
mx.random.seed(7)

def rand(*shape, **more):
    return nd.random.uniform(-1, 1, shape=shape, **more)
"""
# float32 layers drop nothing on the CPU, of which mxtorch warns
QUIET = """
with warnings.catch_warnings():
    warnings.simplefilter('ignore')
    {body}
"""
DROPPED = (
    SETUP
    + """
layer = R.{layer}
layer.initialize(mx.init.Uniform(0.5))
x = rand(4, 2, 3, dtype='float64')
for scope in (autograd.record(), autograd.record(train_mode=False), autograd.train_mode(),
              autograd.predict_mode()):
    mx.random.seed(3)
    with scope:
        y = layer(x)
    out += [y, nd.random.shuffle(nd.arange(9))]
layer.hybridize()
mx.random.seed(3)
with autograd.record():
    y = layer(x)
out += [y, nd.random.shuffle(nd.arange(9)), repr(layer)]
"""
)
CASES = [
    C("dropout-" + label, DROPPED.format(layer=layer))
    for label, layer in {
        "lstm": "LSTM(3, 3, dropout=0.4, dtype='float64')",
        "gru": "GRU(3, 2, dropout=0.4, bidirectional=True, dtype='float64')",
        "rnn": "RNN(3, 2, activation='tanh', dropout=0.4, dtype='float64')",
        "one-layer": "LSTM(3, 1, dropout=0.4, dtype='float64')",
    }.items()
]
CASES += [
    C(
        "dropout-not-applied",
        SETUP
        + """
layer = R.LSTM(3, 3, dropout=0.5)
layer.initialize(mx.init.Uniform(0.5))
x = rand(4, 2, 3)
x.attach_grad()
mx.random.seed(3)
"""
        + QUIET.format(
            body="""with autograd.record():
        y = layer(x)
    y.backward()
    out += [y, x.grad, layer.l0_h2h_weight.grad(), nd.random.shuffle(nd.arange(9))]"""
        ),
    ),
]
# every parameter in its place in the random stream
ORDER = (
    SETUP
    + """
for hybrid in (False, True):
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(nn.Dense(4, flatten=False), R.{layer}, nn.Dense(2, flatten=False))
    net.initialize(mx.init.{init})
    if hybrid:
        net.hybridize()
    mx.random.seed(5)
    y = net(nd.ones((3, 2, 5)))
    out += [[p.name.split('_', 1)[1], p.data()] for p in net.collect_params().values()]
    out += [y, nd.random.uniform(shape=(2,))]
"""
)
CASES += [
    C("order-" + label, ORDER.format(layer=layer, init=init))
    for label, (layer, init) in {
        "lstm": ("LSTM(3, 2, bidirectional=True)", "Xavier()"),
        "gru": ("GRU(3, 2)", "Normal(0.3)"),
        "known": ("RNN(3, input_size=4)", "Uniform(0.4)"),
    }.items()
]
INIT = (
    SETUP
    + """
layer = R.LSTM(2, 2, bidirectional=True, input_size=3, {options})
layer.initialize({init})
out += [[name, p.data()] for name, p in layer.collect_params().items()]
"""
)
CASES += [
    C("init-" + label, INIT.format(options=options, init=init))
    for label, (options, init) in {
        "default": ("", ""),
        "bias": ("i2h_bias_initializer=mx.init.LSTMBias(2.0)", "mx.init.One()"),
        "own": (
            "i2h_weight_initializer=mx.init.Constant(3), h2h_bias_initializer='ones'",
            "mx.init.Zero()",
        ),
        "orthogonal": ("h2h_weight_initializer='zeros'", "mx.init.MSRAPrelu()"),
    }.items()
]
STATES = (
    SETUP
    + """
layer = R.{layer}
layer.initialize(mx.init.Uniform(0.4))
x = rand(3, 4, 5)
for hybrid in (False, True):
    layer.hybridize(hybrid)
    states = [s + 0.1 * (i + 1) for i, s in enumerate(layer.begin_state({batch}))]
    for s in states:
        s.attach_grad()
    with autograd.record():
        y, after = layer(x, states)
        loss = (y * y).sum() + sum((s * s).sum() for s in after)
    loss.backward()
    out += [y, after, [s.grad for s in states], [p.grad() for p in
                                                 layer.collect_params().values()]]
    y, after = layer(x, after)
    out += [y, after, type(after).__name__]
out += [layer.state_info(), layer.state_info({batch})]
"""
)
CASES += [
    C("states-" + label, STATES.format(layer=layer, batch=batch))
    for label, (layer, batch) in {
        "lstm": ("LSTM(3, 2)", 4),
        "lstm-bi-ntc": ("LSTM(3, bidirectional=True, layout='NTC')", 3),
        "gru-bi": ("GRU(2, 2, bidirectional=True)", 4),
        "rnn": ("RNN(3, 2)", 4),
        "rnn-tanh-ntc": ("RNN(3, activation='tanh', layout='NTC')", 3),
    }.items()
]
CASES += [
    C(
        "one-state",
        SETUP
        + """
layer = R.GRU(3, input_size=2)
layer.initialize()
out += [layer(rand(2, 3, 2), nd.ones((1, 3, 3)))]
""",
    ),
    C(
        "begin-state",
        SETUP
        + """
layer = R.LSTM(2, 2)
for more in ({}, {'dtype': 'float64'}, {'ctx': mx.cpu(1)}, {'func': nd.ones},
             {'func': nd.random.normal, 'loc': 3}):
    out += [(s, s.dtype.__name__, str(s.context)) for s in layer.begin_state(3, **more)]
""",
    ),
    C(
        "begin-state-symbols",
        """
layer = gluon.rnn.LSTM(2, 2, prefix='l_')
for func in (sym.zeros, sym.ones, sym.var):
    out += [s.tojson() for s in layer.begin_state(3, func=func)]
out += [s.tojson() for s in layer.begin_state(0, func=sym.zeros)]
""",
    ),
    C(
        "projection",
        SETUP
        + """
layer = R.LSTM(4, 2, projection_size=3, bidirectional=True)
layer.initialize(mx.init.Uniform(0.5))
x = rand(3, 2, 5)
out += [layer(x), layer(x, layer.begin_state(2)), layer.state_info(2), repr(layer)]
out += [[name, p.shape] for name, p in layer.collect_params().items()]
layer.hybridize()
out.append(layer(x))
""",
    ),
    C(
        "not-there-yet",
        SETUP
        + """
layer = R.GRU(3, 2, bidirectional=True, prefix='g_')
out += [[name, p.shape] for name, p in layer.collect_params().items()]
layer.initialize()
layer.infer_shape(nd.ones((2, 3, 6)), layer.begin_state(3))
out += [[name, p.shape] for name, p in layer.collect_params().items()]
out += [repr(layer), layer.prefix, layer.name]
""",
    ),
    C(
        "shared",
        SETUP
        + """
one = R.LSTM(3, input_size=3, prefix='one_')
two = R.LSTM(3, input_size=3, prefix='two_', params=one.params)
one.initialize(mx.init.Uniform(0.5))
x = rand(2, 2, 3)
out += [one(x), two(x), list(two.collect_params())]
""",
    ),
    C(
        "two-contexts",
        SETUP
        + """
layer = R.GRU(3)
layer.initialize(mx.init.Uniform(0.5), ctx=[mx.cpu(0), mx.cpu(1)])
x = rand(2, 4, 3)
parts = gluon.utils.split_and_load(x, [mx.cpu(0), mx.cpu(1)], batch_axis=1)
with autograd.record():
    results = [layer(part) for part in parts]
autograd.backward(results)
out += [results, [str(y.context) for y in results]]
out += [[g for g in p.list_grad()] for p in layer.collect_params().values()]
""",
    ),
    C(
        "training",
        SETUP
        + """
net = nn.HybridSequential()
net.add(R.LSTM(6, layout='NTC'), nn.HybridLambda(lambda F, x: x.slice_axis(1, -1, None)),
        nn.Dense(1))
net.initialize(mx.init.Xavier())
net.hybridize()
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.02})
loss = gluon.loss.L2Loss()
x = rand(8, 5, 2)
y = x.sum(axis=(1, 2))
for step in range(12):
    with autograd.record():
        l = loss(net(x), y)
    l.backward()
    trainer.step(8)
    out.append(l.mean())
""",
        cls="net",
    ),
    C(
        "grad-add",
        SETUP
        + """
layer = R.RNN(3, input_size=2)
layer.initialize(mx.init.Uniform(0.5))
layer.collect_params().setattr('grad_req', 'add')
layer.l0_h2h_bias.grad_req = 'null'
x = rand(3, 2, 2)
for step in range(2):
    with autograd.record():
        y = layer(x)
    y.backward()
out += [p.grad() for p in layer.collect_params().values() if p.grad_req != 'null']
layer.collect_params().zero_grad()
out += [layer.l0_i2h_weight.grad()]
""",
    ),
    C(
        "long",
        SETUP
        + """
for layer in (R.LSTM(20, 2), R.GRU(20, 2, bidirectional=True), R.RNN(20, activation='tanh')):
    layer.initialize(mx.init.Xavier())
    x = rand(40, 3, 10)
    x.attach_grad()
    with autograd.record():
        y = layer(x)
    y.backward()
    out += [y, x.grad]
""",
    ),
    C(
        "executor",
        """
for layer in (gluon.rnn.LSTM(3, 2, prefix='l_'), gluon.rnn.GRU(3, layout='NTC', prefix='g_')):
    y = layer(sym.var('x'))
    out += [y.list_arguments(), y.list_outputs(), y.infer_shape(x=(4, 2, 5))]
    e = y.simple_bind(mx.cpu(), x=(4, 2, 5))
    for i, a in enumerate(e.arg_arrays):
        a[:] = nd.arange(a.size).reshape(a.shape) % 7 / 10 - 0.3
    out.append(e.forward(is_train=True)[0])
    e.backward(nd.ones_like(e.outputs[0]))
    out += [e.grad_dict[name] for name in y.list_arguments()]
    y, states = layer(sym.var('x'), layer.begin_state(0, func=sym.zeros))
    out += [y.list_outputs(), [s.list_outputs() for s in states]]
""",
    ),
    C(
        "exported",
        """
import json, os, pathlib, tempfile
path = os.path.join(tempfile.mkdtemp(), 'net')
x = nd.arange(24).reshape((2, 3, 4)) / 20
net = nn.HybridSequential(prefix='net_')
with net.name_scope():
    net.add(gluon.rnn.LSTM(3, 2), gluon.rnn.GRU(2, bidirectional=True))
net.initialize(mx.init.One())
net.hybridize()
y = net(x)
net.export(path)
graph = json.loads(pathlib.Path(path + '-symbol.json').read_text())
out.append([(n['op'], n['name'], n.get('attrs'), n['inputs']) for n in graph['nodes']])
again = gluon.SymbolBlock.imports(path + '-symbol.json', ['data'], path + '-0000.params')
out += [y, again(x), again(nd.concat(x, x, dim=1))]
""",
    ),
    C(
        "exported-states",
        """
import json, os, pathlib, tempfile
path = os.path.join(tempfile.mkdtemp(), 'net')
layer = gluon.rnn.LSTM(3, layout='NTC', prefix='l_')
layer.initialize(mx.init.One())
layer.hybridize()
y = layer(nd.ones((2, 3, 4)))
layer.export(path)
graph = json.loads(pathlib.Path(path + '-symbol.json').read_text())
out.append([(n['op'], n['name'], n.get('attrs'), n['inputs']) for n in graph['nodes']])
""",
    ),
]
MADE = """
layer = gluon.rnn.GRU(3, input_size=2)
layer.initialize()
"""
REFUSED = {
    "unknown-activation": ("gluon.rnn.RNN(3, activation='elu')", "KeyError"),
    "unknown-argument": ("gluon.rnn.GRU(3, projection=2)", "TypeError"),
    "two-axes": (MADE + "layer(nd.ones((2, 2))).asnumpy()", "MXNetError"),
    "other-width": (MADE + "layer(nd.ones((2, 2, 3))).asnumpy()", "MXNetError"),
    "other-dtype": (MADE + "layer(nd.ones((2, 2, 2), dtype='float64')).asnumpy()", "MXNetError"),
    "not-initialized": ("gluon.rnn.GRU(3, input_size=2)(nd.ones((2, 2, 2)))", "RuntimeError"),
    "hybrid-lengths": (
        """
l = gluon.rnn.LSTM(3, use_sequence_length=True)
l.initialize()
l.hybridize()
l(nd.ones((2, 2, 3)))
""",
        "AssertionError",
    ),
    "hybrid-states": (
        """
l = gluon.rnn.LSTM(3)
l.initialize()
l.hybridize()
x = nd.ones((2, 2, 3))
l(x)
l(x, nd.ones((1, 2, 3)))
""",
        "ValueError",
    ),
}
REFUSED.update(
    (
        f"rank-{len(shape)}",
        (
            f"""
l = gluon.rnn.LSTM(3, layout="NTC")
l.initialize()
l(nd.ones({shape}))
""",
            "ValueError",
        ),
    )
    for shape in ((2, 4), (2, 4, 3, 3))
)
CASES += [C("refused-" + label, code, raises=error) for label, (code, error) in REFUSED.items()]
CASES.append(
    C(
        "unfused",
        SETUP
        + """
for layer in (
    R.LSTM(3, 2, dropout=0.5, bidirectional=True, input_size=4, prefix="a_"),
    R.RNN(3, prefix="b_"), R.GRU(2, 2, layout="NTC", prefix="c_", i2h_bias_initializer="ones"),
):
    stack = layer._unfuse()
    layer.initialize(mx.init.Uniform(0.5))
    x = rand(5, 2, 4)
    y = layer(x if layer.prefix != "c_" else x.swapaxes(0, 1))
    out += [repr(stack), list(stack.collect_params()), [c.prefix for c in stack._children.values()]]
    out += [y, stack.unroll(5, x, layout="TNC", merge_outputs=True)]
""",
    )
)
CASES += [
    C("unfused-" + key, f"gluon.rnn.LSTM(3, {key}=2)._unfuse()", raises="AssertionError")
    for key in ("projection_size", "state_clip_max")
]
