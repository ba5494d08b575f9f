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
## more/operators
x = nd.array(onp.cos(onp.arange(2 * 4 * 3 * 3))).reshape((2, 4, 3, 3))
out += [nd.contrib.BilinearResize2D(x, height=5, width=4)]
out += [nd.contrib.AdaptiveAvgPooling2D(x, output_size=2), nd.contrib.AdaptiveAvgPooling2D(x)]
out += [nd.SoftmaxActivation(x, mode='channel'), nd.smooth_l1(x, scalar=2.0), nd.smooth_l1(x)]
y = x[0, 0]
out += [y.zeros_like(), y.ones_like(), y.tile((2, 1)), nd.broadcast_to(y[0:1], shape=(4, 0))]
out += [nd.broadcast_axis(y[0:1], axis=0, size=2), y[0:1].broadcast_axes(axis=0, size=3)]
mean, var = nd.moments(y, axes=(0,))
out += [mean, var, nd.softmax_cross_entropy(y, nd.array([0, 2, 1])), nd.gammaln(y + 2)]
out += [nd.batch_take(y, nd.array([0, 2, 1], dtype='int32'))]
out += [nd.SequenceLast(x), nd.SequenceReverse(x)]
image = nd.array(onp.arange(24).reshape(2, 4, 3) * 9, dtype='uint8')
z = nd.image.to_tensor(image)
out += [z, nd.image.normalize(z, mean=(0.1, 0.2, 0.3), std=(1, 2, 4)), nd.argmax_channel(y)]
out += [nd.from_numpy(onp.ones((2, 3), 'float32')), y.as_nd_ndarray()]

## more/layers
x = nd.array(onp.cos(onp.arange(2 * 4 * 3 * 3))).reshape((2, 4, 3, 3))

def half(x):
    return x / 2

def same_and(F, x):
    return F.concat(x, F.relu(x), dim=1)

net = nn.HybridSequential()
net.add(nn.Swish(), nn.HybridLambda(lambda F, x: F.relu(x) * 2), nn.HybridLambda('tanh'))
net.add(nn.HybridLambda(same_and), nn.ReflectionPad2D(1))
side = gluon.contrib.nn.HybridConcurrent(axis=1)
side.add(gluon.contrib.nn.Identity())
side.add(nn.AvgPool2D(1), nn.LeakyReLU(0.1))
plain = nn.Sequential()
plain.add(nn.Lambda(half), nn.Lambda('exp'), nn.Lambda(lambda x: nd.clip(x, 0, 1)))
for one in (net, side, plain):
    one.initialize()
out += [net(x), side(x), plain(x), side.forward(x)]
norms = nn.HybridSequential()
norms.add(nn.BatchNorm(scale=False, in_channels=4), nn.BatchNorm(center=False, in_channels=4))
norms.add(nn.BatchNorm(scale=False, center=False, in_channels=4))
norms.add(nn.InstanceNorm(in_channels=4), nn.InstanceNorm(in_channels=4, scale=True))
norms.add(gluon.contrib.nn.SyncBatchNorm(in_channels=4, num_devices=1))
init = mx.init.Xavier()
norms.initialize(init)
trainer = gluon.Trainer(norms.collect_params(), 'sgd', {'learning_rate': 0.5})
with autograd.record():
    y = norms(x)
    loss = (y * x).sum()
loss.backward()
trainer.step(2)
plain.cast('float64')
with autograd.record():
    z = norms(x)
out += [y, z, plain(x.astype('float64'))]

## more/ctc
loss = gluon.loss.CTCLoss()
x = nd.array(onp.cos(onp.arange(2 * 6 * 4))).reshape((2, 6, 4))
label = nd.array([[0, 1, -1], [2, 2, 0]])
out += [loss(x, label), loss(x, label, nd.array([5, 6]), nd.array([2, 2]))]
out += [gluon.loss.CTCLoss(layout='TNC', weight=0.5)(x.transpose((1, 0, 2)), label)]

## more/gradients-that-add-up
net = nn.Dense(2, in_units=3)
net.initialize(mx.init.One())
net.collect_params().setattr('grad_req', 'add')
x = nd.array(onp.cos(onp.arange(6))).reshape((2, 3))
for step in range(2):
    net.collect_params().zero_grad()
    for part in range(2):
        with autograd.record():
            loss = (net(x) ** 2).sum()
        loss.backward()
    out += [net.weight.grad()]

## more/updates-of-arrays
w, m, v = nd.array([1.0, -2.0, 3.0]), nd.zeros((3,)), nd.zeros((3,))
for step in range(3):
    nd.sgd_update(w, w * 2, out=w, lr=0.1, wd=0.01, rescale_grad=0.5, clip_gradient=1.0)
    nd.sgd_mom_update(w, w + 1, m, out=w, lr=0.1, momentum=0.9)
out += [w, m]
m = nd.zeros((3,))
for step in range(3):
    nd.adam_update(w, w * w, m, v, out=w, lr=0.1, beta1=0.8, wd=0.1)
out += [w, m, v, w.sum().asscalar().round(2), w.stype]

## more/updater
w = nd.array([1.0, -2.0, 3.0])
v = nd.array([0.5])
optimizer = mx.optimizer.create('sgd', learning_rate=0.1, momentum=0.9, rescale_grad=0.5)
updater = mx.optimizer.get_updater(optimizer)
for step in range(3):
    updater(0, w * 2, w)
    updater(1, v * 3, v)
out += [w, v]

## more/iterators-over-files
import struct
import tempfile
folder = tempfile.mkdtemp() + '/'
onp.savetxt(folder + 'more.csv', onp.arange(15).reshape(5, 3), delimiter=',')
onp.savetxt(folder + 'more_labels.csv', onp.arange(5), delimiter=',')
for options in [{}, {'label_csv': 'more_labels.csv'}]:
    it = mx.io.CSVIter(data_csv=folder + 'more.csv', data_shape=(3,), batch_size=2)
    if options:
        it = mx.io.CSVIter(data_csv=folder + 'more.csv', data_shape=(3,), batch_size=2,
                           label_csv=folder + 'more_labels.csv')
    for epoch in range(2):
        for b in it:
            out += [b.data[0].asnumpy(), b.label[0].asnumpy(), b.pad]
        it.reset()
with open(folder + 'more_images', 'wb') as f:
    f.write(struct.pack('>iiii', 2051, 5, 2, 3) + bytes(range(30)))
with open(folder + 'more_names', 'wb') as f:
    f.write(struct.pack('>ii', 2049, 5) + bytes(range(5)))
for flat in (True, False):
    it = mx.io.MNISTIter(image=folder + 'more_images', label=folder + 'more_names',
                         batch_size=2, shuffle=False, flat=flat, silent=True)
    for b in it:
        out += [b.data[0].asnumpy(), b.label[0].asnumpy()]
it = mx.io.ResizeIter(mx.io.NDArrayIter(onp.arange(6), batch_size=2), 4)
out += [[b.data[0].asnumpy() for b in it]]

## more/iterator-of-its-own
class Steps(mx.io.DataIter):
    def __init__(self, count, batch_size):
        super(Steps, self).__init__(batch_size)
        self.count, self.at = count, 0
        self.provide_data = [mx.io.DataDesc('data', (batch_size, 2))]
        self.provide_label = [mx.io.DataDesc('softmax_label', (batch_size,))]

    def reset(self):
        self.at = 0

    def next(self):
        if self.at == self.count:
            raise StopIteration
        self.at += 1
        data = nd.array(onp.full((self.batch_size, 2), self.at))
        return mx.io.DataBatch([data], [nd.zeros((self.batch_size,))], pad=0,
                               provide_data=self.provide_data)

steps = Steps(2, 3)
out += [steps.provide_data[0].shape, steps.provide_data[0].name]
for epoch in range(2):
    steps.reset()
    for b in steps:
        out += [b.data[0].asnumpy(), b.label[0].shape]

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
