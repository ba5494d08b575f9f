"""Cells in every way to call them: steps, layouts, merging, valid lengths, in nets."""

from tests.cases import C

SETUP = """
R = gluon.rnn
mx.random.seed(3)

def rand(*shape):
    return nd.random.uniform(-1, 1, shape=shape)

def stack(*cells, **more):
    cell = R.HybridSequentialRNNCell(**more)
    for one in cells:
        cell.add(one)
    return cell
"""
CELLS = {
    "rnn": "R.RNNCell(3, prefix='r_')",
    "lstm": "R.LSTMCell(3, prefix='l_')",
    "gru": "R.GRUCell(3, prefix='g_')",
    "dropout": "R.DropoutCell(0.4)",
    "dropout-axes": "R.DropoutCell(0.4, axes=(1,))",
    "zoneout": "R.ZoneoutCell(R.LSTMCell(3, prefix='l_'), 0.3, 0.2)",
    "residual": "R.ResidualCell(R.GRUCell(4, prefix='g_'))",
    "bi": "R.BidirectionalCell(R.LSTMCell(2, prefix='l_'), R.RNNCell(3, prefix='r_'))",
    "stack": """stack(R.GRUCell(3, prefix='g_'), R.DropoutCell(0.3),
                      R.ResidualCell(R.LSTMCell(3, prefix='l_')))""",
    "stack-bi": """stack(R.ZoneoutCell(R.RNNCell(3, prefix='r_'), 0.4),
                         R.BidirectionalCell(R.GRUCell(2, prefix='f_'),
                                             R.GRUCell(2, prefix='b_')))""",
    "residual-zoneout": "R.ResidualCell(R.ZoneoutCell(R.RNNCell(4, prefix='r_'), 0.3, 0.3))",
}
UNROLLED = (
    SETUP
    + """
cell = {cell}
cell.initialize(mx.init.Uniform(0.6))
lengths = nd.array([2, 3, 1])
for layout in ('NTC', 'TNC'):
    for merge in (True, False):
        for valid in (None, lengths):
            for batch in (3, 1):
                mx.random.seed(11)
                shape = (batch, 3, 4) if layout == 'NTC' else (3, batch, 4)
                x = rand(*shape)
                x.attach_grad()
                with autograd.record():
                    y, states = cell.unroll(
                        3, x, layout=layout, merge_outputs=merge,
                        valid_length=valid if valid is None else valid[:batch])
                    head = y if merge else sum(y)
                head.backward()
                out += [y, states, x.grad, nd.random.uniform(shape=(1,))]
out.append([[n, p.grad()] for n, p in cell.collect_params().items()])
out.append(repr(cell))
"""
)
CASES = [C("unroll-" + label, UNROLLED.format(cell=cell)) for label, cell in CELLS.items()]
# in a hybridized net the first states are zeros whose batch is not known
NET = (
    SETUP
    + """
class Net(gluon.HybridBlock):
    def __init__(self, cell, options):
        super().__init__(prefix='net_')
        with self.name_scope():
            self.cell = cell
            self.top = nn.Dense(2, flatten=False)
        self.options = options

    def hybrid_forward(self, F, x, *lengths):
        y, states = self.cell.unroll(3, x, valid_length=lengths[0] if lengths else None,
                                     **self.options)
        if isinstance(y, list):
            y = F.concat(*y, dim=1)
        return self.top(y), states

for batch in (3, 1):
    for options in ({{'merge_outputs': True}}, {{}}, {{'layout': 'TNC', 'merge_outputs': True}}):
        for lengths in ((), (nd.array([2, 3, 1])[:batch],)):
            mx.random.seed(2)
            net = Net({cell}, options)
            net.initialize(mx.init.Xavier())
            net.hybridize()
            x = rand(batch, 3, 4) if 'layout' not in options else rand(3, batch, 4)
            x.attach_grad()
            with autograd.record():
                y, states = net(x, *lengths)
            y.backward()
            out += [y, states, x.grad, net(x, *lengths)[0]]
            out += [p.grad() for p in net.collect_params().values()]
"""
)
IN_NETS = ("rnn", "lstm", "gru", "zoneout", "residual", "bi", "stack", "stack-bi")
CASES += [C("net-" + label, NET.format(cell=CELLS[label])) for label in IN_NETS]
STEPS = (
    SETUP
    + """
for hybrid in (False, True):
    mx.random.seed(4)
    cell = {cell}
    cell.initialize(mx.init.Uniform(0.5))
    if hybrid:
        cell.hybridize()
    states = cell.begin_state(batch_size=2, func=nd.zeros)
    x = rand(3, 2, 4)
    x.attach_grad()
    with autograd.record():
        total = 0
        for t in range(3):
            y, states = cell(x[t], states)
            total = total + y
    total.backward()
    out += [total, states, x.grad]
    cell.reset()
    states = cell.begin_state(batch_size=2, func=nd.zeros)
    for t in range(2):
        y, states = cell(x[t], states)
    out += [y, states, type(states).__name__]
"""
)
STEPPED = ("rnn", "lstm", "gru", "dropout", "residual", "stack")
CASES += [C("step-" + label, STEPS.format(cell=CELLS[label])) for label in STEPPED]
GRAPH = (
    SETUP
    + """
import json
cell = {cell}
x, lengths = sym.var('x'), sym.var('lengths')

def note(result):
    y, states = result
    graph = json.loads(sym.Group([*(y if isinstance(y, list) else [y]), *states]).tojson())
    out.append([(n['op'], n['name'], n.get('attrs'), n['inputs']) for n in graph['nodes']])
    out.append(graph['heads'])

note(cell.unroll(2, x, merge_outputs=True))
note(cell.unroll(2, x, layout='TNC', valid_length=lengths, merge_outputs=True))
note(cell.unroll(2, [sym.var('a'), sym.var('b')],
                 cell.begin_state(func=sym.var, batch_size=0)))
note(cell.unroll(2, x, valid_length=lengths))
"""
)
CASES += [
    C("graph-" + label, GRAPH.format(cell=CELLS[label]))
    for label in CELLS
    if label not in ("dropout", "dropout-axes")
]
CASES += [
    C(
        "names",
        """
R = gluon.rnn
stack = R.SequentialRNNCell(prefix='x_')
with stack.name_scope():
    stack.add(R.LSTMCell(3))
    stack.add(R.LSTMCell(3))
    stack.add(R.ZoneoutCell(R.GRUCell(2)))
    stack.add(R.BidirectionalCell(R.RNNCell(1), R.RNNCell(1)))
out += [list(stack.collect_params()), [stack[i].prefix for i in range(len(stack))]]
out += [list(stack._collect_params_with_prefix()), list(stack.params)]
zoned = R.ZoneoutCell(R.RNNCell(2, prefix='r_'), 0.1)
out += [zoned.prefix, zoned.name, list(zoned.params), R.ResidualCell(zoned).prefix]
out += [R.DropoutCell(0.5).prefix, R.HybridRecurrentCell().prefix, R.RecurrentCell().name]
out += [R.LSTMCell(2, params=R.LSTMCell(2, prefix='u_').params, prefix='v_').params.keys() and
        list(R.LSTMCell(2, params=R.LSTMCell(2, prefix='u_').params, prefix='v_').params)]
""",
    ),
    C(
        "reprs",
        """
R = gluon.rnn
cells = [R.RNNCell(3), R.RNNCell(3, 'relu', input_size=4), R.LSTMCell(3, input_size=2),
         R.GRUCell(3), R.DropoutCell(0.3), R.DropoutCell(0.3, axes=(0,)),
         R.ZoneoutCell(R.LSTMCell(3), 0.2, 0.3), R.ResidualCell(R.GRUCell(4)),
         R.ModifierCell(R.RNNCell(2)), R.BidirectionalCell(R.LSTMCell(3), R.GRUCell(3)),
         R.SequentialRNNCell(), R.RecurrentCell()]
nested = R.SequentialRNNCell()
inner = R.SequentialRNNCell()
inner.add(R.RNNCell(2))
inner.add(R.DropoutCell(0.1))
nested.add(inner)
nested.add(R.GRUCell(2))
out += [repr(c) for c in [*cells, nested]]
""",
    ),
    C(
        "begin-state-names",
        """
cell = gluon.rnn.LSTMCell(2, prefix='c_')
for more in ({'func': sym.zeros}, {'func': sym.var, 'batch_size': 3}):
    out += [s.tojson() for s in cell.begin_state(**more)]
cell.reset()
out += [s.name for s in cell.begin_state(func=sym.ones)]
out += [cell.begin_state(2, func=nd.ones, dtype='float64'), cell.begin_state(2, ctx=mx.cpu(1))]
bi = gluon.rnn.BidirectionalCell(gluon.rnn.RNNCell(2), gluon.rnn.GRUCell(3))
out += [bi.begin_state(batch_size=2), bi.state_info(4)]
residual = gluon.rnn.ResidualCell(gluon.rnn.RNNCell(2, prefix='r_'))
out += [[s.name for s in residual.begin_state()], residual.begin_state(func=nd.ones, batch_size=1)]
""",
    ),
    C(
        "cast",
        SETUP
        + """
cell = R.LSTMCell(3)
cell.initialize(mx.init.Uniform(0.5))
cell.cast('float64')
x = rand(2, 3, 4).astype('float64')
y, states = cell.unroll(3, x, begin_state=cell.begin_state(2, dtype='float64'))
out += [y, states, y[0].dtype.__name__]
""",
    ),
    C(
        "one-step",
        SETUP
        + """
x = rand(2, 1, 4)
for cell in (R.GRUCell(3), R.BidirectionalCell(R.RNNCell(2), R.RNNCell(2))):
    cell.initialize(mx.init.Uniform(0.5))
    out += [cell.unroll(1, x), cell.unroll(1, x, merge_outputs=True)]
    out += [cell.unroll(1, x, merge_outputs=False, valid_length=nd.array([1, 1]))]
    out += [cell.unroll(1, x, merge_outputs=True, valid_length=nd.array([1, 1]))]
""",
    ),
    C(
        "activations",
        SETUP
        + """
x = rand(2, 3, 4)
for cell in (R.RNNCell(3, 'sigmoid'), R.RNNCell(3, 'softsign'),
             R.LSTMCell(3, activation='softsign', recurrent_activation='tanh')):
    cell.initialize(mx.init.Uniform(0.5))
    out += [cell.unroll(3, x, merge_outputs=True), repr(cell)]
step = R.RNNCell(3, nn.LeakyReLU(0.2))
step.initialize(mx.init.Uniform(0.5))
out += [step(x[:, 0], step.begin_state(2)), repr(step)]
""",
    ),
    C(
        "own-cell",
        SETUP
        + """
class Counter(R.RecurrentCell):
    def __init__(self):
        super().__init__(prefix='count_')

    def state_info(self, batch_size=0):
        return [{'shape': (batch_size, 1), '__layout__': 'NC'}]

    def forward(self, inputs, states):
        new = states[0] + inputs.sum(axis=1, keepdims=True)
        return inputs * new, [new]

class Gate(R.HybridRecurrentCell):
    def __init__(self):
        super().__init__(prefix='gate_')
        self.weight = self.params.get('weight', shape=(4, 0), allow_deferred_init=True)

    def state_info(self, batch_size=0):
        return [{'shape': (batch_size, 4), '__layout__': 'NC'}]

    def hybrid_forward(self, F, inputs, states, weight):
        h = F.tanh(F.FullyConnected(inputs, weight, no_bias=True, num_hidden=4) + states[0])
        return h, [h]

x = rand(2, 3, 4)
for cell in (Counter(), Gate(), R.ResidualCell(Gate()), R.ZoneoutCell(Gate(), 0.5, 0.5)):
    cell.initialize(mx.init.Uniform(0.5))
    cell.hybridize()
    with autograd.record():
        out += [cell.unroll(3, x, merge_outputs=True)]
    out += [cell.unroll(3, x, valid_length=nd.array([1, 2]))]
    out += [list(cell.collect_params())]
""",
    ),
    C(
        "files",
        """
import os, tempfile
path = os.path.join(tempfile.mkdtemp(), 'a.params')
R = gluon.rnn
def make():
    cell = R.HybridSequentialRNNCell()
    with cell.name_scope():
        cell.add(R.LSTMCell(2, input_size=3))
        cell.add(R.ResidualCell(R.GRUCell(2, input_size=2)))
        cell.add(R.BidirectionalCell(R.RNNCell(1, input_size=2), R.RNNCell(1, input_size=2)))
    return cell
one, two = make(), make()
one.initialize(mx.init.Xavier())
one.save_parameters(path)
out.append(sorted(nd.load(path)))
two.load_parameters(path)
x = nd.ones((2, 3, 3))
out += [one.unroll(3, x, merge_outputs=True), two.unroll(3, x, merge_outputs=True)]
""",
    ),
]
ONE = """
c = R.RNNCell(3)
c.initialize()
"""
REFUSED = {
    "length": "c.unroll(4, nd.ones((2, 3, 4)))",
    "list-length": "c.unroll(2, [nd.ones((2, 4))] * 3)",
    "nothing": "c.unroll(3, None)",
    "group": "c.unroll(2, sym.Group([sym.var('a'), sym.var('b')]))",
    "twice": "R.ZoneoutCell(c); R.ResidualCell(c)",
    "modified-stack": "s = stack(c); R.ResidualCell(s); s.begin_state(batch_size=2)",
    "bi-in-stack": """s = stack(R.BidirectionalCell(c, R.RNNCell(2)))
s(nd.ones((2, 3)), s.begin_state(batch_size=2))""",
}
CASES += [
    C(
        "refused-" + label,
        SETUP + "c = R.RNNCell(3)\nc.initialize()\n" + code,
        raises="AssertionError",
    )
    for label, code in REFUSED.items()
]
MADE = """
c = R.GRUCell(3, {})
c.initialize()
x = nd.ones((2, 4))
"""
CASES += [
    C("refused-" + label, SETUP + code, raises=error)
    for label, (code, error) in {
        "not-hybrid": ("stack(R.SequentialRNNCell())", "ValueError"),
        "residual-of-sequential": ("R.ResidualCell(R.SequentialRNNCell())", "ValueError"),
        "sequential-positional": ("R.SequentialRNNCell().begin_state(2)", "TypeError"),
        "modifier-positional": ("R.ResidualCell(R.RNNCell(2)).begin_state(2)", "TypeError"),
        "outside": ("stack(R.RNNCell(2))[1]", "KeyError"),
        "modifier-step": (
            "R.ModifierCell(R.RNNCell(2))(nd.ones((1, 2)), [])",
            "NotImplementedError",
        ),
        "wrong-width": (
            MADE.format("input_size=5") + "c(x, c.begin_state(2))[0].asnumpy()",
            "MXNetError",
        ),
        "wrong-batch": (
            MADE.format("input_size=4") + "c(x, c.begin_state(3))[0].asnumpy()",
            "MXNetError",
        ),
        "float64-states": (
            MADE.format("input_size=4")
            + """
c.cast('float64')
c.unroll(1, x.astype('float64').expand_dims(1))[0][0].asnumpy()
""",
            "MXNetError",
        ),
        "no-states": ("R.RNNCell(3)(nd.ones((1, 2)))", "TypeError"),
        "activation": (
            """
c = R.LSTMCell(3, activation='elu')
c.initialize()
c(nd.ones((1, 2)), c.begin_state(1))
""",
            "ValueError",
        ),
    }.items()
]
