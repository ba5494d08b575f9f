"""Recurrent layers and cells, for the port: weights are filled in by the snippets themselves."""

from __future__ import annotations

from tests.snippets import snippets

FILL = """
def fill(net):
    for p in net.collect_params().values():
        n = p.data().size
        p.set_data(nd.array(onp.sin(onp.arange(n) + n).reshape(p.shape) * 0.4))

rnn = gluon.rnn
x = nd.array(onp.cos(onp.arange(2 * 3 * 4)).reshape((2, 3, 4)))
"""

CASES = snippets(
    """
## recurrent/no-states
for layer in [rnn.RNN(5, input_size=4), rnn.LSTM(5, 2, input_size=4), rnn.GRU(5, input_size=4)]:
    layer.initialize()
    fill(layer)
    out += [layer(x)]

## recurrent/layouts-and-directions
lstm = rnn.LSTM(5, num_layers=2, layout='NTC', bidirectional=True, input_size=4)
lstm.initialize()
fill(lstm)
y = lstm(x)
gru = rnn.GRU(3, layout='NTC', input_size=10)
gru.initialize()
fill(gru)
out += [y, gru(y), y.shape]

## recurrent/states-of-lstm
lstm = rnn.LSTM(5, input_size=4)
lstm.initialize()
fill(lstm)
states = lstm.begin_state(batch_size=3)
for _ in range(2):
    y, states = lstm(x, states)
    states = [s.detach() for s in states]
out += [y, states[0], states[1], len(states), states[0].shape]

## recurrent/states-of-gru
gru = rnn.GRU(5, 2, input_size=4)
gru.initialize()
fill(gru)
states = gru.begin_state(batch_size=3, ctx=mx.cpu())
for _ in range(2):
    y, states = gru(x, states)
    states = [s * 0.5 for s in states]
out += [y, states[0], len(states), states[0].shape]

## recurrent/states-of-rnn-tanh
layer = rnn.RNN(5, activation='tanh', input_size=4)
layer.initialize()
fill(layer)
y, states = layer(x, layer.begin_state(batch_size=3, func=nd.ones))
out += [y, states[0]]

## recurrent/one-state-as-array
gru = rnn.GRU(5, input_size=4)
gru.initialize()
fill(gru)
result = gru(x, nd.ones((1, 3, 5)))
out += [result[0], result[1][0]]

## recurrent/size-not-known
gru = rnn.GRU(5, 2, bidirectional=True)
gru.initialize()
gru(x)
fill(gru)
out += [gru(x)]

## recurrent/model-with-states
class Model(gluon.Block):
    def __init__(self, words, width, hidden, mode, **kwargs):
        super(Model, self).__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(words, width)
            if mode == 'lstm':
                self.rnn = rnn.LSTM(hidden, 2, input_size=width)
            else:
                self.rnn = rnn.GRU(hidden, 2, input_size=width)
            self.decoder = nn.Dense(words, in_units=hidden)
            self.hidden = hidden

    def forward(self, inputs, states):
        y, states = self.rnn(self.embedding(inputs), states)
        return self.decoder(y.reshape((-1, self.hidden))), states

    def begin_state(self, *args, **kwargs):
        return self.rnn.begin_state(*args, **kwargs)

def detach(states):
    if isinstance(states, (tuple, list)):
        states = [detach(s) for s in states]
    else:
        states = states.detach()
    return states

words = nd.array([[1, 2], [3, 0], [2, 2]])
for mode in ('lstm', 'gru'):
    model = Model(5, 3, 4, mode)
    model.initialize(mx.init.Xavier())
    fill(model)
    states = model.begin_state(func=mx.nd.zeros, batch_size=2, ctx=mx.cpu())
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(model.collect_params(), 'sgd', {'learning_rate': 0.5})
    for _ in range(3):
        states = detach(states)
        with autograd.record():
            y, states = model(words, states)
            l = loss(y, nd.array([0, 1, 2, 3, 4, 0]))
        l.backward()
        trainer.step(6)
        out += [l.mean().asscalar()]
    out += [y, states[0]]

## cell/steps
cells = [rnn.RNNCell(5, input_size=4), rnn.LSTMCell(5, input_size=4)]
cells.append(rnn.GRUCell(5, input_size=4))
for cell in cells:
    cell.initialize()
    fill(cell)
    states = cell.begin_state(batch_size=2)
    for step in range(3):
        y, states = cell(x[:, step], states)
    out += [y, states[-1], len(states)]

## cell/unroll
cell = rnn.LSTMCell(5)
cell.initialize()
cell(x[:, 0], cell.begin_state(2))
fill(cell)
steps, states = cell.unroll(3, x)
merged, _ = cell.unroll(2, x, layout='TNC', merge_outputs=True)
again, states = cell.unroll(3, [x[:, 0], x[:, 1], x[:, 2]], begin_state=states, merge_outputs=True)
out += [steps[2], len(steps), merged, again, states[1]]

## cell/stacked
stack = rnn.SequentialRNNCell()
with stack.name_scope():
    stack.add(rnn.LSTMCell(5, input_size=4))
    stack.add(rnn.DropoutCell(0.0))
    stack.add(rnn.GRUCell(3, input_size=5))
stack.initialize()
fill(stack)
states = stack.begin_state(batch_size=2)
y, states = stack(x[:, 0], states)
more, _ = stack.unroll(3, x, merge_outputs=True)
out += [y, len(states), states[2], more]
""",
    FILL,
)
