"""mx.rnn: graphs that the cells make, their values, packed weights, sentences in buckets."""

from tests.snippets import snippets

_CELLS = """
import io, json, os, random, tempfile, warnings
warnings.simplefilter('ignore')
R = mx.rnn

def flat(o):
    return [x for y in o for x in flat(y)] if isinstance(o, (list, tuple)) else [o]

def nodes(s):
    return [[n['op'], n['name'], sorted(n.get('attrs', {}).items()), n['inputs']]
            for n in json.loads(s.tojson())['nodes']]

def run(g, **shapes):
    arguments, outputs, states = g.infer_shape(**shapes)
    e = g.simple_bind(mx.cpu(), grad_req='write', **shapes)
    rng = onp.random.RandomState(3)
    for name in sorted(e.arg_dict):
        e.arg_dict[name][:] = nd.array(rng.uniform(-1, 1, e.arg_dict[name].shape))
    results = [o.asnumpy() for o in e.forward(is_train=True)]
    e.backward([nd.ones(o.shape) for o in e.outputs])
    return results, {k: v for k, v in e.grad_dict.items() if v is not None}

def unrolled(cell, length=3, **more):
    cell.reset()
    o, s = cell.unroll(length, sym.var('data'), **more)
    g = sym.Group(flat(o) + flat(s))
    out.extend([isinstance(o, list), len(flat(s)), g.list_outputs(), nodes(g)])
    shape = (3, 2, 5) if more.get('layout') == 'TNC' else (2, 3, 5)
    out.append(g.infer_shape(data=shape))
    return run(g, data=shape)
"""

_KINDS = """
R.RNNCell(4)
R.RNNCell(4, activation='relu', prefix='q_')
R.LSTMCell(4)
R.LSTMCell(4, forget_bias=0.5, prefix='m_')
R.GRUCell(4)
R.FusedRNNCell(4, num_layers=2, mode='lstm', bidirectional=True, get_next_state=True, prefix='f_')
R.FusedRNNCell(4, mode='gru', get_next_state=True)
R.FusedRNNCell(4, mode='rnn_tanh')
R.FusedRNNCell(4, num_layers=2, mode='lstm', bidirectional=True, prefix='f_').unfuse()
R.FusedRNNCell(4, num_layers=2, mode='gru', prefix='f_').unfuse()
R.FusedRNNCell(4, mode='rnn_relu', prefix='f_').unfuse()
R.BidirectionalCell(R.LSTMCell(4, prefix='l_'), R.GRUCell(4, prefix='r_'))
R.ResidualCell(R.GRUCell(5))
R.ZoneoutCell(R.RNNCell(4))
"""


def _cells():
    text = []
    for kind in _KINDS.strip().splitlines():
        for more in ("", "merge_outputs=True", "layout='TNC', merge_outputs=True"):
            call = f"unrolled({kind}, {more})" if more else f"unrolled({kind})"
            text.append(f"## unroll/{kind}/{more}\nout.append({call})\n")
    return "\n".join(text)


CASES = snippets(
    _cells()
    + """
## stack
s = R.SequentialRNNCell()
s.add(R.LSTMCell(5, prefix='a_'))
s.add(R.DropoutCell(0.0))
s.add(R.ResidualCell(R.GRUCell(5, prefix='b_')))
s.add(R.BidirectionalCell(R.RNNCell(3, prefix='c_'), R.RNNCell(2, prefix='d_'), output_prefix='e_'))
out += [s.state_info, s.state_shape, sorted(s.params._params), unrolled(s, merge_outputs=True)]

## stack/step
s = R.SequentialRNNCell()
s.add(R.LSTMCell(4, prefix='a_'))
s.add(R.GRUCell(3, prefix='b_'))
o, states = s(sym.var('data'), s.begin_state())
out += [nodes(o), [x.name for x in states], run(sym.Group([o] + states), data=(2, 5))]
o, states = s(o, states)
out += [o.name]

## stack/bidirectional-step
s = R.SequentialRNNCell()
s.add(R.BidirectionalCell(R.RNNCell(3), R.RNNCell(2, prefix='d_')))
s(sym.var('data'), s.begin_state())

## bidirectional-step
R.BidirectionalCell(R.RNNCell(3), R.RNNCell(2, prefix='d_'))(sym.var('x'), [])

## fused-step
f = R.FusedRNNCell(4)
f(sym.var('x'), f.begin_state())

## dropout
d = R.DropoutCell(0.5)
for more in ({}, {'merge_outputs': False}, {'merge_outputs': True}):
    o, s = d.unroll(3, sym.var('data'), **more)
    out += [nodes(sym.Group(flat(o))), s]
out += [d.state_info, nodes(R.DropoutCell(0)(sym.var('x'), [])[0])]

## dropout/wrong
R.DropoutCell('a')

## zoneout
z = R.ZoneoutCell(R.LSTMCell(4, prefix='z_'), zoneout_outputs=0.2, zoneout_states=0.3)
o, s = z.unroll(2, [sym.var('a'), sym.var('b')])
out += [nodes(sym.Group(o + s)), z.prev_output is o[-1]]
z.reset()
out += [z.prev_output, sorted(z.params._params)]

## zoneout/fused
R.ZoneoutCell(R.FusedRNNCell(4))

## zoneout/bidirectional
R.ZoneoutCell(R.BidirectionalCell(R.RNNCell(3), R.RNNCell(2, prefix='d_')))

## modified-cell
c = R.RNNCell(4)
R.ResidualCell(c)
out += [c._modified]
c.begin_state()

## begin-state
c = R.LSTMCell(4)
out += [[(s.name, sorted(s.list_attr().items())) for s in c.begin_state()]]
out += [[(s.name, sorted(s.list_attr().items())) for s in c.begin_state(func=sym.Variable,
    init=mx.init.One())]]
out += [[s.name for s in c.begin_state(func=sym.ones)]]

## lengths-differ
R.RNNCell(4).unroll(3, [sym.var('a'), sym.var('b')])

## groups-refused
R.RNNCell(4).unroll(2, sym.Group([sym.var('a'), sym.var('b')]))

## shared-parameters
p = R.RNNParams('s_')
a, b = R.LSTMCell(3, prefix='s_', params=p), R.LSTMCell(3, prefix='s_', params=p)
out += [a._own_params, a._iW is b._iW, sorted(p._params), p.get('w', shape=(2, 3)).attr_dict(),
    p.get('w') is p.get('w')]

## parameters-twice
R.SequentialRNNCell(params=R.RNNParams('x_')).add(R.LSTMCell(3))

## weights
def packed(cell, **shapes):
    o, _ = cell.unroll(2, sym.var('data'))
    g = sym.Group(flat(o))
    rng = onp.random.RandomState(1)
    found = zip(g.list_arguments(), g.infer_shape(data=(2, 2, 3))[0])
    return {k: nd.array(rng.rand(*s)) for k, s in found if k != 'data'}
for cell in (R.RNNCell(2), R.LSTMCell(2), R.GRUCell(2), R.ResidualCell(R.GRUCell(3))):
    w = packed(cell)
    u = cell.unpack_weights(w)
    back = cell.pack_weights(u)
    out += [list(u), u, sorted(back), all((back[k] == w[k]).min().asscalar() for k in w), sorted(w)]

## weights/fused
for mode, both in (('lstm', True), ('gru', False), ('rnn_relu', True)):
    f = R.FusedRNNCell(2, num_layers=2, mode=mode, bidirectional=both, prefix='f_')
    size = f.unroll(2, sym.var('data'))[0].infer_shape(data=(1, 2, 3))[0][1][0]
    w = {'f_parameters': nd.arange(size), 'other': nd.ones((1,))}
    u = f.unpack_weights(w)
    out += [size, list(u), u, f.pack_weights(u), f.unfuse().pack_weights(u)]
    out += [f._num_gates, list(f._gate_names), f.state_info]

## weights/fused-equals-unfused
f = R.FusedRNNCell(3, num_layers=2, mode='lstm', bidirectional=True, prefix='f_')
u = f.unfuse()
a = f.unroll(3, sym.var('data'), layout='TNC', merge_outputs=True)[0]
b = u.unroll(3, sym.var('data'), layout='TNC', merge_outputs=True)[0]
rng = onp.random.RandomState(2)
size = a.infer_shape(data=(3, 2, 4))[0][1][0]
w = {'f_parameters': nd.array(rng.uniform(-1, 1, size))}
x = nd.array(rng.rand(3, 2, 4))
for g, weights in ((a, w), (b, u.pack_weights(f.unpack_weights(w)))):
    e = g.simple_bind(mx.cpu(), grad_req='null', data=(3, 2, 4))
    e.copy_params_from(weights)
    out += e.forward(data=x)

## initial-values
cell = R.LSTMCell(3, forget_bias=2.0, prefix='a_')
fused = R.FusedRNNCell(3, num_layers=2, mode='lstm', forget_bias=1.5, prefix='b_')
x, _ = cell.unroll(2, sym.var('data'), merge_outputs=True)
x, _ = fused.unroll(2, x, merge_outputs=True)
m = mx.mod.Module(x, label_names=None)
m.bind([('data', (2, 2, 3))])
m.init_params(mx.init.Xavier())
out += [m.get_params()[0]]

## convolutional
for kind in ('ConvRNNCell', 'ConvLSTMCell', 'ConvGRUCell'):
    c = getattr(R, kind)(input_shape=(1, 2, 5, 5), num_hidden=3, prefix='c_')
    o, s = c.unroll(2, [sym.var('a'), sym.var('b')])
    g = sym.Group(o + s)
    out += [kind, c.state_info, nodes(g), run(g, a=(1, 2, 5, 5), b=(1, 2, 5, 5))]
    args = {k: nd.ones(s) for k, s in zip(g.list_arguments(),
        g.infer_shape(a=(1, 2, 5, 5), b=(1, 2, 5, 5))[0]) if k not in 'ab'}
    out += [{k: v.shape for k, v in c.unpack_weights(args).items()}]

## convolutional/strides
c = R.ConvLSTMCell(input_shape=(1, 2, 8, 8), num_hidden=3, i2h_kernel=(5, 5), i2h_stride=(2, 2),
    i2h_pad=(2, 2), h2h_kernel=(3, 3), h2h_dilate=(2, 2), activation='tanh')
o, s = c.unroll(1, [sym.var('a')])
out += [c.state_info, nodes(o[0]), o[0].infer_shape(a=(1, 2, 8, 8))[1],
    R.ConvGRUCell((1, 2, 5, 5), 3)._prefix]

## convolutional/even-kernel
R.ConvLSTMCell(input_shape=(1, 2, 8, 8), num_hidden=3, h2h_kernel=(2, 2))

## sentences
S = [[1, 2, 3], [1, 2], [3, 4, 5, 6], [1, 1, 1], [2, 2, 2], [7, 8]] * 3
for more in ({}, {'buckets': [5, 3]}, {'layout': 'TN', 'dtype': 'int32', 'invalid_label': 0}):
    random.seed(3)
    onp.random.seed(3)
    data = R.BucketSentenceIter(S, 2, **more)
    out += [data.buckets, data.default_bucket_key,
        [str(d) for d in data.provide_data + data.provide_label], data.idx]
    for _ in range(2):
        out += [[(b.bucket_key, b.data[0], b.label[0], b.pad,
            str(b.provide_data[0])) for b in data]]
        data.reset()

## sentences/layout
R.BucketSentenceIter([[1, 2]] * 4, 2, layout='XX')

## words
out += [R.encode_sentences([['a', 'b'], ['b', 'c']]), R.encode_sentences([['a']], vocab={'a': 5})]
out += [R.encode_sentences([['a', 'b', 'c']], invalid_label=1, invalid_key='pad', start_label=0)]
out += [R.encode_sentences([['a', 'z', 'y']], vocab={'a': 5, 'u': 1}, unknown_token='u',
    start_label=7)]

## words/unknown
R.encode_sentences([['a', 'z']], vocab={'a': 5})

## checkpoints
folder = tempfile.mkdtemp()
c = R.LSTMCell(2, prefix='q_')
g = sym.Group(c.unroll(2, sym.var('data'))[0])
rng = onp.random.RandomState(1)
args = {k: nd.array(rng.rand(*s)) for k, s in zip(g.list_arguments(),
    g.infer_shape(data=(2, 2, 3))[0]) if k != 'data'}
R.save_rnn_checkpoint(c, os.path.join(folder, 'a'), 3, g, args, {})
R.do_rnn_checkpoint([c], os.path.join(folder, 'b'), 2)(1, g, args, {})
R.do_rnn_checkpoint([c], os.path.join(folder, 'b'), 2)(2, g, args, {})
out += [sorted(os.listdir(folder)), sorted(nd.load(os.path.join(folder, 'a-0003.params')))]
s, loaded, aux = R.load_rnn_checkpoint([c], os.path.join(folder, 'a'), 3)
out += [loaded, aux, s.list_outputs()]
""",
    before=_CELLS,
)
