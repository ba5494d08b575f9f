"""A character language model: LSTM, truncated backpropagation, clipping, perplexity, sampling."""
import math
import random

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn

TEXT = ('the quick brown fox jumps over the lazy dog. pack my box with five dozen liquor jugs. '
        'how vexingly quick daft zebras jump! ') * 3
chars = sorted(set(TEXT))
index = {c: i for i, c in enumerate(chars)}
corpus = [index[c] for c in TEXT]
print('vocabulary', len(chars), len(corpus))


def consecutive(batch_size, num_steps):
    n = len(corpus) // batch_size
    data = nd.array(corpus[:n * batch_size]).reshape((batch_size, n))
    for i in range((n - 1) // num_steps):
        j = i * num_steps
        yield data[:, j:j + num_steps], data[:, j + 1:j + num_steps + 1]


class CharModel(gluon.Block):
    def __init__(self, layer, vocab, **kwargs):
        super(CharModel, self).__init__(**kwargs)
        with self.name_scope():
            self.rnn = layer
            self.vocab = vocab
            self.dense = nn.Dense(vocab)

    def forward(self, inputs, state):
        X = nd.one_hot(inputs.T, self.vocab)
        Y, state = self.rnn(X, state)
        return self.dense(Y.reshape((-1, Y.shape[-1]))), state

    def begin_state(self, *args, **kwargs):
        return self.rnn.begin_state(*args, **kwargs)


def grad_clipping(params, theta, ctx):
    norm = nd.array([0], ctx)
    for param in params:
        norm += (param.grad ** 2).sum()
    norm = norm.sqrt().asscalar()
    if norm > theta:
        for param in params:
            param.grad[:] *= theta / norm
    return norm


def predict(model, prefix, n):
    state = model.begin_state(batch_size=1)
    output = [index[prefix[0]]]
    for t in range(n + len(prefix)):
        X = nd.array([output[-1]]).reshape((1, 1))
        Y, state = model(X, state)
        if t < len(prefix) - 1:
            output.append(index[prefix[t + 1]])
        else:
            output.append(int(Y.argmax(axis=1).asscalar()))
    return ''.join(chars[i] for i in output)


for name, layer in (('rnn', rnn.RNN(24, activation='tanh')), ('gru', rnn.GRU(24)), ('lstm', rnn.LSTM(24))):
    mx.random.seed(60)
    np.random.seed(60)
    random.seed(60)
    model = CharModel(layer, len(chars))
    model.initialize(mx.init.Normal(0.1), force_reinit=True)
    trainer = gluon.Trainer(model.collect_params(), 'sgd', {'learning_rate': 1.0, 'momentum': 0, 'wd': 0})
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    for epoch in range(4):
        l_sum, n, norm = 0.0, 0, 0
        state = model.begin_state(batch_size=8)
        for X, Y in consecutive(8, 6):
            for s in state:
                s.detach()
            state = [s.detach() for s in state]
            with autograd.record():
                output, state = model(X, state)
                y = Y.T.reshape((-1,))
                l = loss(output, y).mean()
            l.backward()
            params = [p.data() for p in model.collect_params().values()]
            norm = grad_clipping(params, 0.5, mx.cpu())
            trainer.step(1)
            l_sum += l.asscalar() * y.size
            n += y.size
        print(name, epoch, 'perplexity %.6g norm %.6g' % (math.exp(l_sum / n), norm))
print('predicted', len(predict(model, 'the', 10)))
