"""Words after words: an LSTM is trained on pieces of a text, its states carried from piece to piece."""
import math
import time

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon
from mxnet.gluon import nn, rnn

device = mx.cpu(0)
lines = ['the cat sat on the mat', 'the dog sat on the log', 'a bird sat in the tree',
         'the cat saw the dog and the dog saw the cat', 'the bird saw the cat on the log']
words = [word for line in lines for word in line.split() + ['<eos>']] * 6

EMBED, HIDDEN, LAYERS = 12, 20, 2
STEPS = 5       # words that one gradient sees
ROWS = 4        # texts side by side
CLIP = 0.2


class Corpus(object):
    """Numbers for words."""

    def __init__(self, words):
        self.names = sorted(set(words))
        self.numbers = dict(zip(self.names, range(len(self.names))))
        ids = mx.nd.array([self.numbers[w] for w in words], ctx=device)
        length = ids.size // ROWS
        # one column a text
        self.table = ids[:length * ROWS].reshape((ROWS, length)).T

    def pieces(self):
        last = self.table.shape[0] - 1
        for start in range(0, last, STEPS):
            stop = min(start + STEPS, last)
            yield self.table[start:stop], self.table[start + 1:stop + 1].reshape((-1,))


class LanguageModel(gluon.Block):
    """Embedding, LSTM, and a score for each word."""

    def __init__(self, n_words, rate=0.0, **kwargs):
        super(LanguageModel, self).__init__(**kwargs)
        self._hidden = HIDDEN
        with self.name_scope():
            self.embed = nn.Embedding(n_words, EMBED, weight_initializer=mx.init.Uniform(0.1))
            self.dropout = nn.Dropout(rate)
            self.lstm = rnn.LSTM(HIDDEN, LAYERS, dropout=rate, input_size=EMBED)
            self.scores = nn.Dense(n_words, in_units=HIDDEN)

    def forward(self, inputs, states):
        seen = self.dropout(self.embed(inputs))
        out, states = self.lstm(seen, states)
        flat = self.dropout(out).reshape((-1, self._hidden))
        return self.scores(flat), states

    def first_states(self, n):
        return self.lstm.begin_state(func=mx.nd.zeros, batch_size=n, ctx=device)


corpus = Corpus(words)
model = LanguageModel(len(corpus.names))
model.collect_params().initialize(mx.init.Xavier(), ctx=device)
rng = np.random.RandomState(9)
for param in model.collect_params().values():
    param.set_data(mx.nd.array(rng.uniform(-0.15, 0.15, size=param.shape)))
criterion = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(model.collect_params(), 'sgd',
                        {'learning_rate': 1.0, 'momentum': 0, 'wd': 0})


def measure():
    """The loss of a word, over the whole text in predict mode."""
    states, total, count = model.first_states(ROWS), 0.0, 0
    for inputs, target in corpus.pieces():
        scores, states = model(inputs, states)
        losses = criterion(scores, target)
        total += losses.sum().asscalar()
        count += losses.size
    return total / count


print('words', len(corpus.names), 'table', corpus.table.shape)
best = float('inf')
for epoch in range(1, 5):
    clock = time.time()
    states = model.first_states(ROWS)
    total = mx.nd.zeros((1,), ctx=device)
    for number, (inputs, target) in enumerate(corpus.pieces()):
        # the gradient goes no further back than this piece
        states = [s.detach() for s in states]
        with autograd.record():
            scores, states = model(inputs, states)
            losses = criterion(scores, target)
        losses.backward()
        # gradients are sums over the batch until step() divides them
        grads = [p.grad(device) for p in model.collect_params().values()]
        gluon.utils.clip_global_norm(grads, CLIP * STEPS * ROWS)
        trainer.step(STEPS * ROWS)
        total += mx.nd.sum(losses)
        if (number + 1) % 5 == 0:
            mean = total.asscalar() / (5 * STEPS * ROWS)
            print('  epoch %d, piece %d: loss %.4f' % (epoch, number + 1, mean))
            total[:] = 0
    value = measure()
    assert time.time() >= clock
    print('epoch %d: loss %.4f, perplexity %.3f' % (epoch, value, math.exp(value)))
    if value < best - 0.2:
        best = value
    else:
        trainer.set_learning_rate(trainer.learning_rate * 0.5)
        print('learning rate', trainer.learning_rate)

# What comes after "the", going by the model
scores, _ = model(mx.nd.array([[corpus.numbers['the']]]), model.first_states(1))
order = scores.reshape((-1,)).argsort(is_ascend=False).asnumpy().astype(int)
print('after "the":', [corpus.names[k] for k in order[:3]])
