"""RNN, LSTM and GRU: layouts, directions, layers, states, gradients, and a few training steps."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)[:8]])


def probe(label, layer, shape, batch_axis):
    mx.random.seed(14)
    layer.initialize(mx.init.Uniform(0.4))
    x = nd.random.uniform(-1, 1, shape=shape)
    x.attach_grad()
    states = layer.begin_state(batch_size=shape[batch_axis], func=nd.random.uniform)
    with autograd.record():
        out, new = layer(x, states)
        z = (out * out).sum() + sum((s * s).sum() for s in new)
    z.backward()
    print(label, out.shape, [s.shape for s in new], '%.6g' % z.asscalar())
    show('  out', out.asnumpy())
    show('  last', out.asnumpy().ravel()[-4:])
    for s in new:
        show('  state', s.asnumpy())
    show('  dx', x.grad.asnumpy())
    for p in layer.collect_params().values():
        show('  d ' + p.name.split('_', 1)[1], p.grad().asnumpy())
    show('  no state given', abs(layer(x).asnumpy()).sum())


for cls in (rnn.RNN, rnn.LSTM, rnn.GRU):
    name = cls.__name__
    probe(name, cls(4), (5, 3, 2), 1)
    probe(name + ' NTC', cls(4, layout='NTC'), (3, 5, 2), 0)
    probe(name + ' 2 layers', cls(4, 2), (5, 3, 2), 1)
    probe(name + ' bidirectional', cls(4, bidirectional=True), (5, 3, 2), 1)
    probe(name + ' 2 bidirectional NTC', cls(3, 2, layout='NTC', bidirectional=True), (2, 4, 5), 0)
probe('RNN tanh', rnn.RNN(4, activation='tanh'), (5, 3, 2), 1)
probe('LSTM input_size', rnn.LSTM(4, input_size=2), (5, 3, 2), 1)
print(rnn.LSTM(4, 2, bidirectional=True, input_size=3))
print(rnn.GRU(4, 2, layout='NTC'))
for p in rnn.LSTM(4, 2, bidirectional=True, input_size=3, prefix='lstm_').collect_params().values():
    print(p.name, p.shape)
print(rnn.LSTM(4, 2).state_info(7))


class Tagger(gluon.Block):
    def __init__(self, cell, **kwargs):
        super(Tagger, self).__init__(**kwargs)
        with self.name_scope():
            self.embed = nn.Embedding(11, 6)
            self.rnn = cell
            self.out = nn.Dense(4, flatten=False)

    def forward(self, tokens, states):
        h, states = self.rnn(self.embed(tokens), states)
        return self.out(h), states


for cell in (rnn.RNN(8, layout='NTC', activation='tanh'), rnn.LSTM(8, layout='NTC'),
             rnn.GRU(8, 2, layout='NTC', bidirectional=True)):
    mx.random.seed(15)
    net = Tagger(cell)
    net.initialize(mx.init.Xavier())
    tokens = nd.random.randint(0, 11, shape=(6, 7)).astype('float32')
    tags = tokens % 4
    loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.02})
    states = cell.begin_state(batch_size=6)
    curve = []
    for step in range(6):
        states = [s.detach() for s in states]
        with autograd.record():
            scores, states = net(tokens, states)
            loss = loss_fn(scores, tags)
        loss.backward()
        gluon.utils.clip_global_norm([p.grad() for p in net.collect_params().values()], 5)
        trainer.step(6)
        curve.append(loss.mean().asscalar())
    show('train ' + type(cell).__name__, curve)
    show('state', states[0].asnumpy())
