"""Recurrent layers and cells: values, gradients, states, files, names, graphs."""

from tests.cases import C

SETUP = """
R = gluon.rnn
mx.random.seed(3)

def rand(*shape):
    return nd.random.uniform(-1, 1, shape=shape)

def flat(value):
    if isinstance(value, (list, tuple)):
        return [x for part in value for x in flat(part)]
    return [value]
"""
LAYER = (
    SETUP
    + """
layer = R.{layer}
layer.initialize(mx.init.Uniform(0.5))
x = rand(5, 3, 4)
x.attach_grad()
for hybrid in (False, True):
    layer.hybridize(hybrid)
    with autograd.record():
        y = layer(x)
    y.backward()
    out += [y, x.grad]
    states = layer.begin_state({batch})
    states = [s + rand(*s.shape) for s in states]
    mx.random.seed(4)
    out.append(layer(x))
layer.hybridize(False)
with autograd.record():
    y, new = layer(x, states)
    total = y.sum() + sum(s.sum() for s in new)
total.backward()
out += [y, new, x.grad]
out += [[name, p.data(), p.grad()] for name, p in layer.collect_params().items()]
out += [repr(layer), layer.state_info({batch})]
"""
)
LAYERS = {
    "rnn": ("RNN(3)", 3),
    "rnn-tanh": ("RNN(3, 2, activation='tanh', input_size=4)", 3),
    "rnn-bi": ("RNN(3, 2, bidirectional=True)", 3),
    "lstm": ("LSTM(3)", 3),
    "lstm-ntc": ("LSTM(3, 2, layout='NTC')", 5),
    "lstm-bi": ("LSTM(2, 2, bidirectional=True)", 3),
    "gru": ("GRU(3)", 3),
    "gru-bi-ntc": ("GRU(3, 2, layout='NTC', bidirectional=True)", 5),
    "gru-init": ("GRU(3, i2h_bias_initializer='ones', h2h_weight_initializer='ones')", 3),
}
CASES = [
    C(label, LAYER.format(layer=layer, batch=batch)) for label, (layer, batch) in LAYERS.items()
]
CELL = (
    SETUP
    + """
x = rand(2, 4, 3)
lengths = nd.array([2, 4])
for hybrid in (False, True):
    mx.random.seed(5)
    cell = {cell}
    cell.initialize(mx.init.Uniform(0.5))
    if hybrid:
        cell.hybridize()
    x.attach_grad()
    with autograd.record():
        y, states = cell.unroll(4, x, merge_outputs=True)
    y.backward()
    out += [y, states, x.grad]
    y, states = cell.unroll(4, x.swapaxes(0, 1), layout='TNC', merge_outputs=False)
    out += [y, states]
    y, states = cell.unroll(4, x, valid_length=lengths)
    out += [y, states]
    y, states = cell.unroll(2, [x[:, 0], x[:, 1]], cell.begin_state(batch_size=2, func=nd.ones))
    out += [y, states]
out += [repr(cell), sorted(cell.collect_params()), cell.state_info(7)]
"""
)
CELLS = {
    "rnn-cell": "R.RNNCell(3, prefix='rnn_')",
    "rnn-cell-relu": "R.RNNCell(3, 'relu', prefix='rnn_')",
    "rnn-cell-softrelu": "R.RNNCell(3, 'softrelu', input_size=3, prefix='rnn_')",
    "rnn-cell-leaky": "R.RNNCell(3, nn.LeakyReLU(0.1), prefix='rnn_')",
    "lstm-cell": "R.LSTMCell(3, prefix='lstm_')",
    "lstm-cell-act": "R.LSTMCell(3, activation='relu', recurrent_activation='softsign')",
    "gru-cell": "R.GRUCell(3, prefix='gru_')",
    "residual": "R.ResidualCell(R.GRUCell(3, prefix='gru_'))",
    "zoneout": "R.ZoneoutCell(R.RNNCell(3, prefix='rnn_'), 0.4, 0.3)",
    "zoneout-states": "R.ZoneoutCell(R.LSTMCell(3, prefix='lstm_'), 0, 0.3)",
}
CASES += [C(label, CELL.format(cell=cell)) for label, cell in CELLS.items()]
# MXNet stacks wrongly without merge_outputs
CASES += [
    C(
        "bidirectional",
        CELL.replace("=lengths)", "=lengths, merge_outputs=True)").format(
            cell="R.BidirectionalCell(R.LSTMCell(2, prefix='l_'), R.LSTMCell(2, prefix='r_'))"
        ),
    )
]
STACK = (
    SETUP
    + """
x = rand(2, 4, 3)
for kind in (R.SequentialRNNCell, R.HybridSequentialRNNCell):
    mx.random.seed(5)
    cell = kind(prefix='stack_')
    with cell.name_scope():
        cell.add(R.LSTMCell(3))
        cell.add(R.DropoutCell(0.5))
        cell.add(R.ResidualCell(R.RNNCell(3)))
        cell.add(R.ZoneoutCell(R.GRUCell(2), 0.5, 0.2))
    cell.initialize(mx.init.Uniform(0.5))
    with autograd.record():
        y, states = cell.unroll(4, x, merge_outputs=True)
    y.backward()
    out += [y, states, cell[0].i2h_weight.grad()]
    y, states = cell.unroll(4, x, valid_length=nd.array([1, 3]))
    out += [y, states]
    cell.reset()
    states = cell.begin_state(batch_size=2)
    for step in range(2):
        y, states = cell(x[:, step], states)
    out += [y, states, len(cell), repr(cell), list(cell.collect_params()), cell.state_info(4)]
"""
)
CASES += [C("stack", STACK)]
GRAPH = """
import json
x, v = sym.var('x'), sym.var('v')
result = {call}
def flat(value):
    if isinstance(value, (list, tuple)):
        return [s for part in value for s in flat(part)]
    return [value]
graph = json.loads(sym.Group(flat(result)).tojson())
out.append([(n['op'], n['name'], n.get('attrs'), n['inputs']) for n in graph['nodes']])
out.append(graph['heads'])
"""
GRAPHS = {
    "layer": "gluon.rnn.LSTM(3, 2, prefix='l_')(x)",
    "layer-states": "gluon.rnn.GRU(3, layout='NTC', prefix='l_')(x, [sym.var('h')])",
    "layer-bi": "gluon.rnn.RNN(3, bidirectional=True, dropout=0.5, prefix='l_')(x)",
    "unroll": "gluon.rnn.LSTMCell(3, prefix='l_').unroll(2, x)",
    "unroll-merged": "gluon.rnn.GRUCell(3, prefix='l_').unroll(2, x, None, 'TNC', True)",
    "unroll-lengths": "gluon.rnn.RNNCell(3, prefix='l_').unroll(2, x, valid_length=v)",
    "bidirectional": """gluon.rnn.BidirectionalCell(
        gluon.rnn.RNNCell(3, prefix='a_'), gluon.rnn.RNNCell(3, prefix='b_')
    ).unroll(2, x, merge_outputs=True, valid_length=v)""",
    "zoneout": """gluon.rnn.ZoneoutCell(gluon.rnn.RNNCell(3, prefix='a_'), 0.2, 0.3).unroll(
        2, x)""",
    "residual": "gluon.rnn.ResidualCell(gluon.rnn.RNNCell(3, prefix='a_')).unroll(2, x)",
}
CASES += [C("graph-" + label, GRAPH.format(call=call)) for label, call in GRAPHS.items()]
NET = """
class Net(gluon.HybridBlock):
    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.dense = nn.Dense(4, flatten=False)
            self.body = {body}

    def hybrid_forward(self, F, x):
        x = self.dense(x)
        return {call}

for hybrid in (False, True):
    mx.random.seed(1)
    net = Net()
    net.initialize(mx.init.Xavier())
    if hybrid:
        net.hybridize()
    x = nd.random.uniform(shape=(2, 4, 6))
    x.attach_grad()
    with autograd.record():
        y = net(x)
    y.backward()
    out += [y, x.grad, net(nd.ones((5, 4, 6)))]
    out += [p.shape for p in net.collect_params().values()]
"""
NETS = {
    "lstm": ("gluon.rnn.LSTM(3, 2, bidirectional=True)", "self.body(x)"),
    "gru": ("gluon.rnn.GRU(3, layout='NTC')", "self.body(x)"),
    "cell": ("gluon.rnn.LSTMCell(3)", "self.body.unroll(4, x, merge_outputs=True)[0]"),
    "bi": (
        "gluon.rnn.BidirectionalCell(gluon.rnn.GRUCell(3), gluon.rnn.RNNCell(3))",
        "self.body.unroll(4, x, merge_outputs=True)[0]",
    ),
}
CASES += [
    C("net-" + label, NET.format(body=body, call=call)) for label, (body, call) in NETS.items()
]
CASES += [
    C(
        "net-own-states",
        NET.replace("(False, True)", "(True,)").format(
            body="gluon.rnn.RNNCell(3)",
            call="self.body.unroll(4, x, self.body.begin_state(0, F.zeros), 'NTC', True)[0]",
        ),
    ),
    C(
        "files",
        """
        import os, tempfile
        path = os.path.join(tempfile.mkdtemp(), 'a.params')
        for layer in (gluon.rnn.LSTM(2, 2, input_size=3), gluon.rnn.GRU(2, 1, bidirectional=True,
                      input_size=3)):
            layer.initialize(mx.init.One())
            layer.save_parameters(path)
            out.append(sorted(nd.load(path)))
            layer.load_parameters(path)
        """,
    ),
    C(
        "float64",
        SETUP
        + """
layer = R.LSTM(3, 2)
layer.initialize(mx.init.Uniform(0.5))
layer.cast('float64')
x = rand(5, 3, 4).astype('float64')
out += [layer(x), layer(x, layer.begin_state(3, dtype='float64'))]
out.append([s.dtype.__name__ for s in layer.begin_state(3)])
""",
    ),
    C(
        "lengths",
        SETUP
        + """
layer = R.LSTM(3, 2, bidirectional=True, use_sequence_length=True)
layer.initialize(mx.init.Uniform(0.5))
x = rand(5, 3, 4)
out.append(layer(x, sequence_length=nd.array([5, 2, 3])))
out.append(layer(x, layer.begin_state(3), nd.array([5, 2, 3])))
""",
        xfail="MXNet's CPU kernel ignores the lengths; mxtorch applies them, as cuDNN does",
    ),
]
REFUSED = {
    "layout": ("gluon.rnn.LSTM(3, layout='NCT')", "AssertionError"),
    "state-shape": (
        "l = gluon.rnn.GRU(3); l.initialize(); l(nd.ones((2, 2, 2)), nd.ones((1, 1, 3)))",
        "ValueError",
    ),
    "missing-state": (
        "l = gluon.rnn.LSTM(3); l.initialize(); l(nd.ones((2, 2, 2)), nd.ones((1, 2, 3)))",
        "MXNetError",
    ),
    "modified": (
        "gluon.rnn.ZoneoutCell(gluon.rnn.RNNCell(3)).base_cell.begin_state(2)",
        "AssertionError",
    ),
    "zoneout-bi": (
        """gluon.rnn.ZoneoutCell(
            gluon.rnn.BidirectionalCell(gluon.rnn.RNNCell(3), gluon.rnn.RNNCell(3)))""",
        "AssertionError",
    ),
    "bi-step": (
        """gluon.rnn.BidirectionalCell(gluon.rnn.RNNCell(3), gluon.rnn.RNNCell(3))(
            nd.ones((1, 2)), [])""",
        "NotImplementedError",
    ),
    "rate": ("gluon.rnn.DropoutCell('0.5')", "AssertionError"),
    "length": (
        "c = gluon.rnn.RNNCell(3); c.initialize(); c.unroll(4, nd.ones((2, 3, 4)))",
        "AssertionError",
    ),
    "base": ("gluon.rnn.RecurrentCell()(1, 2)", "NotImplementedError"),
    "base-info": ("gluon.rnn.RecurrentCell().state_info()", "NotImplementedError"),
}
CASES += [C("refused-" + label, code, raises=error) for label, (code, error) in REFUSED.items()]
