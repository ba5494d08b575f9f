"""Characters after characters with a gated unit that is written out in arrays."""
import math

import mxnet as mx
import numpy as np
from mxnet import autograd, nd
from mxnet.gluon import loss as gloss

SONG = 'row row row a boat down a stream. ' 'life is a dream. row on, row on a dream. '
text = SONG * 4
letters = sorted(set(text))
number_of = {c: k for k, c in enumerate(letters)}
V, H = len(letters), 24
ctx = mx.cpu()
rng = np.random.RandomState(100)


def weights(*shape):
    return nd.array(0.1 * rng.standard_normal(shape), ctx=ctx)


class Gates(object):
    """Input weight, state weight and bias of each gate, and the output's."""

    def __init__(self):
        self.update = (weights(V, H), weights(H, H), nd.zeros(H, ctx=ctx))
        self.reset = (weights(V, H), weights(H, H), nd.zeros(H, ctx=ctx))
        self.fresh = (weights(V, H), weights(H, H), nd.zeros(H, ctx=ctx))
        self.out = (weights(H, V), nd.zeros(V, ctx=ctx))
        self.everything = [*self.update, *self.reset, *self.fresh, *self.out]
        for w in self.everything:
            w.attach_grad()

    def step(self, x, h):
        """One letter: scores for the next, and the state after it."""
        def mixed(gate, state):
            wx, wh, b = gate
            return nd.dot(x, wx) + nd.dot(state, wh) + b

        z = mixed(self.update, h).sigmoid()
        r = nd.sigmoid(mixed(self.reset, h))
        candidate = nd.tanh(mixed(self.fresh, r * h))
        h = z * h + (1 - z) * candidate
        w, b = self.out
        return nd.dot(h, w) + b, h


def pieces(rows, steps):
    ids = nd.array([number_of[c] for c in text], ctx=ctx)
    width = len(ids) // rows
    ids = ids[:rows * width].reshape((rows, width))
    for start in range(0, width - steps, steps):
        yield ids[:, start:start + steps], ids[:, start + 1:start + steps + 1]


def clip(arrays, largest):
    """Scale gradients down to a norm; what the norm was."""
    squares = nd.add_n(*[(w.grad ** 2).sum() for w in arrays])
    norm = squares.sqrt().asscalar()
    if norm > largest:
        for w in arrays:
            w.grad[:] *= largest / norm
    return norm


def sing(prefix, count):
    h = nd.zeros((1, H), ctx=ctx)
    sung = list(prefix)
    for k in range(len(prefix) + count - 1):
        x = nd.one_hot(nd.array([number_of[sung[k]]]), V)
        scores, h = gates.step(x, h)
        if k >= len(prefix) - 1:
            sung.append(letters[int(scores.argmax(axis=1).asscalar())])
    return ''.join(sung)


gates = Gates()
softmax_loss = gloss.SoftmaxCrossEntropyLoss()
rows, steps = 4, 8
for epoch in range(8):
    total = count = 0
    worst = 0.0
    h = nd.zeros(shape=(rows, H), ctx=ctx)
    for X, Y in pieces(rows, steps):
        h = h.detach()
        with autograd.record():
            scores = []
            for x in nd.one_hot(X.T, V):
                y, h = gates.step(x, h)
                scores.append(y)
            # steps one below the other, as in the transposed target
            loss = softmax_loss(nd.concat(*scores, dim=0), Y.T.reshape(-1)).mean()
        loss.backward()
        worst = max(worst, clip(gates.everything, 0.1))
        for w in gates.everything:
            w -= 15 * w.grad
        total += loss.asscalar() * Y.size
        count += Y.size
    if epoch % 2:
        print('epoch %d, perplexity %.4f, largest norm %.4f' % (
            epoch + 1, math.exp(total / count), worst))
print('letters', V, 'state', h.shape)
print(sing('row', 12))
