"""Shapes, data and training in ways that the other families of the port do not have."""

from __future__ import annotations

from tests.snippets import snippets

FILL = """
def fill(params):
    for p in params.values():
        n = p.data().size
        p.set_data(nd.array(onp.sin(onp.arange(n) + n).reshape(p.shape) * 0.4))

rnn = gluon.rnn
x = nd.array(onp.cos(onp.arange(2 * 3 * 4)).reshape((2, 3, 4)))
"""
BUCKETS = """
pyrandom.seed(3)
onp.random.seed(3)
lengths = [3, 4, 6, 5, 3, 6, 2, 6, 4, 3]
words = [[i % 5 + 1 for i in range(k, k + n)] for k, n in enumerate(lengths)]
batches = mx.rnn.BucketSentenceIter(words, 2, buckets=[4, 6], invalid_label=0)

def run(model, batches):
    model.bind(data_shapes=batches.provide_data, label_shapes=batches.provide_label)
    model.init_params(mx.init.Xavier())
    args, auxs = model.get_params()
    for name, value in args.items():
        value[:] = onp.sin(onp.arange(value.size) + value.size).reshape(value.shape) * 0.4
    model.set_params(args, auxs)
    model.init_optimizer(optimizer='adam', optimizer_params=(('learning_rate', 0.05),))
    metric = mx.metric.Perplexity(ignore_label=0)
    for epoch in range(3):
        batches.reset()
        metric.reset()
        for batch in batches:
            model.forward_backward(batch)
            model.update()
            model.update_metric(metric, batch.label)
            out.append(batch.bucket_key)
        out.append(metric.get()[1])
    return args
"""

PLAIN = snippets(
    """
## more/sentences
pyrandom.seed(3)
onp.random.seed(3)
sentences = [['a', 'b', 'c'], ['b', 'd'], ['c', 'a']]
coded, vocab = mx.rnn.encode_sentences(sentences, invalid_label=0, start_label=1)
out += [coded, sorted(vocab.items())]
it = mx.rnn.BucketSentenceIter(coded * 3, 2, invalid_label=-1, layout='TN')
out += [it.default_bucket_key]
for b in it:
    out += [b.bucket_key, b.data[0], b.label[0], b.pad]

## more/reshape-codes-of-an-expression
x = nd.array(onp.arange(48)).reshape((2, 3, 8))
y = nd.array(onp.arange(24)).reshape((2, 12))
out += [nd.concat(x, x, dim=1).reshape((0, -1, 4)), (x + 1).reshape((0, 0, 2, -1))]
out += [nd.concat(y, y, dim=1).reshape((0, -1, 3)), nd.concat(x, x, dim=2).reshape((0, 4, -1, 2))]
"""
)
CELLS = snippets(
    """
## more/cells-around-cells
both = rnn.BidirectionalCell(rnn.LSTMCell(3, input_size=4), rnn.GRUCell(3, input_size=4))
both.initialize()
fill(both.collect_params())
y, states = both.unroll(3, x, merge_outputs=True)
out += [y, len(states), states[2]]
cells = rnn.HybridSequentialRNNCell()
cells.add(rnn.ResidualCell(rnn.GRUCell(4, input_size=4)))
cells.add(rnn.ZoneoutCell(rnn.LSTMCell(5, input_size=4), zoneout_outputs=0.3, zoneout_states=0.2))
cells.initialize()
fill(cells.collect_params())
y, states = cells.unroll(3, x, layout='NTC')
out += [y[0], y[2], states]
state = [nd.ones((2, 4)), nd.ones((2, 5)), nd.zeros((2, 5))]
y, state = cells(x[:, 0], state)
out += [y, len(state)]
""",
    FILL,
)
BUCKETED = snippets(
    """
## more/bucketing-with-cells-of-its-own
def sym_gen(seq_len):
    data = mx.sym.Variable('data')
    label = mx.sym.Variable('softmax_label')
    # one layer on the other
    cells = mx.rnn.SequentialRNNCell()
    for i in range(2):
        cells.add(mx.rnn.GRUCell(num_hidden=4, prefix='gru%d_' % i))
    words = mx.sym.Embedding(data, input_dim=6, output_dim=3, name='words')
    outputs, _ = cells.unroll(seq_len, words, merge_outputs=True)
    scores = mx.sym.reshape(outputs, shape=(-1, 4))
    scores = mx.sym.FullyConnected(scores, num_hidden=6, name='out')
    net = mx.sym.SoftmaxOutput(scores, mx.sym.reshape(label, shape=(-1,)), name='softmax')
    return net, ['data'], ['softmax_label']

model = mx.mod.BucketingModule(sym_gen, default_bucket_key=batches.default_bucket_key)
out += [sorted(run(model, batches))]

## more/bucketing-with-cells-from-outside
cell = mx.rnn.BidirectionalCell(
    mx.rnn.LSTMCell(3, prefix='left_'), mx.rnn.ResidualCell(mx.rnn.RNNCell(3, prefix='right_')))

def make(length):
    data = mx.sym.var('data')
    label = mx.sym.var('softmax_label')
    words = mx.sym.Embedding(data, input_dim=6, output_dim=3, name='words')
    cell.reset()
    outputs, states = cell.unroll(length, inputs=words, merge_outputs=True, layout='NTC')
    scores = mx.sym.FullyConnected(outputs, num_hidden=6, flatten=False, name='out')
    label = mx.sym.Reshape(data=label, shape=(-1,))
    scores = mx.sym.Reshape(scores, shape=(-1, 6))
    net = mx.sym.SoftmaxOutput(data=scores, label=label, name='softmax')
    return net, ('data',), ('softmax_label',)

model = mx.mod.BucketingModule(sym_gen=make, default_bucket_key=6, context=mx.cpu())
args = run(model, batches)
out += [args['words_weight'].shape]
""",
    BUCKETS,
)
CASES = PLAIN + CELLS + BUCKETED
