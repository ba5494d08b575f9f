"""Cells of gluon.contrib.rnn: one dropout mask for all steps, projection, convolutions."""

from tests.cases import C

SETUP = """
R, CR = gluon.rnn, gluon.contrib.rnn
mx.random.seed(3)

def rand(*shape):
    return nd.random.uniform(-1, 1, shape=shape)
"""
UNROLLED = (
    SETUP
    + """
x = rand(2, 3, 4)
for hybrid in (False, True):
    for more in ({{}}, {{'merge_outputs': True}}, {{'merge_outputs': False}},
                 {{'valid_length': nd.array([1, 3])}}):
        cell = {cell}
        mx.random.seed(8)
        cell.initialize(mx.init.Xavier())
        if hybrid:
            cell.hybridize()
        x.attach_grad()
        with autograd.record():
            y, states = cell.unroll(3, x, **more)
            head = sum(y) if isinstance(y, list) else y
        head.backward()
        out += [y, states, x.grad, [p.grad() for p in cell.collect_params().values()]]
        out += [nd.random.uniform(shape=(1,)), cell.unroll(3, x, **more)]
    y, states = cell.unroll(3, x.swapaxes(0, 1), layout='TNC', merge_outputs=True)
    out += [y, states]
states = cell.begin_state(batch_size=2, func=nd.ones)
cell.reset()
with autograd.record():
    for t in range(2):
        y, states = cell(x[:, t], states)
out += [y, states, repr(cell), cell.prefix, list(cell.collect_params()), cell.state_info(2)]
"""
)
CELLS = {
    "vardrop": "CR.VariationalDropoutCell(R.LSTMCell(3, prefix='l_'), 0.3, 0.4, 0.5)",
    "vardrop-inputs": "CR.VariationalDropoutCell(R.GRUCell(3, prefix='g_'), drop_inputs=0.3)",
    "vardrop-states": "CR.VariationalDropoutCell(R.RNNCell(3, prefix='r_'), drop_states=0.4)",
    "vardrop-outputs": "CR.VariationalDropoutCell(R.RNNCell(3, prefix='r_'), drop_outputs=0.4)",
    "vardrop-none": "CR.VariationalDropoutCell(R.RNNCell(3, prefix='r_'))",
    "lstmp": "CR.LSTMPCell(4, 3, prefix='p_')",
    "lstmp-init": """CR.LSTMPCell(4, 2, h2r_weight_initializer='ones', input_size=4,
                                  i2h_bias_initializer=mx.init.LSTMBias(), prefix='p_')""",
}
CASES = [C(label, UNROLLED.format(cell=cell)) for label, cell in CELLS.items()]
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

note(cell(x, cell.begin_state(func=sym.zeros)))
cell.reset()
{more}
"""
)
MORE = """
note(cell.unroll(2, x))
note(cell.unroll(2, x, layout='TNC', valid_length=lengths, merge_outputs=True))
note(cell.unroll(2, [sym.var('a'), sym.var('b')]))
"""
CASES += [C("graph-" + label, GRAPH.format(cell=cell, more=MORE)) for label, cell in CELLS.items()]
CONVS = {
    "1d-rnn": "CR.Conv1DRNNCell((3, 8), 4, 3, 3, prefix='c_')",
    "1d-lstm": "CR.Conv1DLSTMCell((3, 8), 4, 3, 3, i2h_pad=1, prefix='c_')",
    "1d-gru": "CR.Conv1DGRUCell((3, 8), 4, 2, (5,), h2h_dilate=2, prefix='c_')",
    "2d-rnn": "CR.Conv2DRNNCell((2, 5, 6), 3, (3, 2), 3, i2h_pad=(1, 0), prefix='c_')",
    "2d-lstm": "CR.Conv2DLSTMCell((2, 5, 6), 2, 3, 1, activation='relu', prefix='c_')",
    "2d-gru": "CR.Conv2DGRUCell((2, 5, 6), 2, 3, 3, i2h_dilate=2, i2h_pad=2, prefix='c_')",
    "3d-rnn": "CR.Conv3DRNNCell((1, 4, 4, 3), 2, 2, 3, prefix='c_')",
    "3d-lstm": "CR.Conv3DLSTMCell((1, 4, 4, 3), 2, 2, (1, 3, 1), prefix='c_')",
    "3d-gru": "CR.Conv3DGRUCell((1, 4, 4, 3), 2, 2, 3, activation='sigmoid', prefix='c_')",
}
CONV = (
    SETUP
    + """
for hybrid in (False, True):
    cell = {cell}
    mx.random.seed(8)
    cell.initialize(mx.init.Uniform(0.4))
    if hybrid:
        cell.hybridize()
    x = rand(2, 2, *cell._input_shape)
    x.attach_grad()
    with autograd.record():
        y, states = cell.unroll(2, x, merge_outputs=True)
    y.backward()
    out += [y, states, x.grad, [p.grad() for p in cell.collect_params().values()]]
out += [repr(cell), cell.state_info(2), [[n, p.shape] for n, p in cell.collect_params().items()]]
"""
)
CASES += [C("conv-" + label, CONV.format(cell=cell)) for label, cell in CONVS.items()]
CASES += [
    C("graph-conv-" + label, GRAPH.format(cell=CONVS[label], more=""))
    for label in ("1d-lstm", "2d-gru", "3d-rnn")
]
CASES += [
    C(
        "conv-layout",
        """
cell = gluon.contrib.rnn.Conv2DLSTMCell((8, 6, 3), 4, 3, 3, conv_layout='NHWC', prefix='c_')
out += [repr(cell), cell.state_info(2), [[n, p.shape] for n, p in cell.collect_params().items()]]
out += [cell.prefix, gluon.contrib.rnn.Conv1DGRUCell((1, 4), 2, 3, 3).prefix]
""",
    ),
]
DYNAMIC = """
from mxnet.gluon.contrib.rnn.rnn_cell import dynamic_unroll
for cell in (gluon.rnn.LSTMCell(2, input_size=2), gluon.rnn.GRUCell(2)):
    mx.random.seed(3)
    cell.initialize(mx.init.Uniform(0.4))
    x = rand({shape})
    x.attach_grad()
    with autograd.record():
        y, states = dynamic_unroll(cell, x, cell.begin_state(3), layout={layout!r}, {more})
    y.backward()
    out += [y, states, x.grad]
"""
DYNAMICS = {
    "tnc": ("4, 3, 2", "TNC", ""),
    "ntc": ("3, 4, 2", "NTC", "drop_inputs=0.5, drop_outputs=0.4"),
    "lengths": ("4, 3, 2", "TNC", "valid_length=nd.array([4, 2, 1])"),
    "lengths-ntc": ("3, 4, 2", "NTC", "valid_length=nd.array([4, 2, 1]), drop_outputs=0.3"),
}
CASES += [
    C(f"dynamic-unroll-{label}", SETUP + DYNAMIC.format(shape=shape, layout=layout, more=more))
    for label, (shape, layout, more) in DYNAMICS.items()
]
CASES += [
    C(
        "dynamic-unroll-graph",
        """
from mxnet.gluon.contrib.rnn.rnn_cell import dynamic_unroll
cell = gluon.rnn.LSTMCell(2, input_size=2, prefix='l_')
first = [sym.var('h'), sym.var('c')]
for more in ({}, dict(valid_length=sym.var('v'), layout='NTC', drop_inputs=0.2)):
    y, states = dynamic_unroll(cell, sym.var('x'), first, **more)
    out += [y.list_outputs(), y.list_arguments(), len(states)]
""",
    ),
    C(
        "dynamic-unroll-list",
        """
from mxnet.gluon.contrib.rnn.rnn_cell import dynamic_unroll
dynamic_unroll(gluon.rnn.RNNCell(2), [nd.ones((1, 2))] * 3, [nd.ones((1, 2))])
""",
        raises="AssertionError",
    ),
]
REFUSED = {
    "even": "gluon.contrib.rnn.Conv1DRNNCell((3, 8), 4, 3, 2)",
    "axes": "gluon.contrib.rnn.Conv2DRNNCell((3, 8, 8), 4, (3, 3, 3), 3)",
    "bi-states": """gluon.contrib.rnn.VariationalDropoutCell(
        gluon.rnn.BidirectionalCell(gluon.rnn.RNNCell(2), gluon.rnn.RNNCell(2)), 0, 0.2)""",
}
CASES += [C("refused-" + label, code, raises="AssertionError") for label, code in REFUSED.items()]
