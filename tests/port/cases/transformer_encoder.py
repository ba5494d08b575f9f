"""An encoder with attention of its own making; it learns to find the largest token of a row."""
import math

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

rng = np.random.RandomState(2024)
VOCAB, LENGTH, UNITS, HEADS, HIDDEN = 12, 8, 16, 4, 32


def positions(length, units):
    """Sines and cosines of several lengths, a row for each place."""
    place = np.arange(length)[:, None]
    speed = np.exp(np.arange(0, units, 2) * (-math.log(10000.0) / units))
    table = np.zeros((length, units))
    table[:, 0::2] = np.sin(place * speed)
    table[:, 1::2] = np.cos(place * speed)
    return nd.array(table)


class Attention(nn.HybridBlock):
    """Heads side by side in one product."""

    def __init__(self, units, heads, dropout=0.0, **kwargs):
        super(Attention, self).__init__(**kwargs)
        self._heads = heads
        self._scale = math.sqrt(units // heads)
        with self.name_scope():
            self.query = nn.Dense(units, flatten=False, use_bias=False, in_units=units)
            self.key = nn.Dense(units, flatten=False, use_bias=False, in_units=units)
            self.value = nn.Dense(units, flatten=False, use_bias=False, in_units=units)
            self.out = nn.Dense(units, flatten=False, in_units=units)
            self.dropout = nn.Dropout(dropout)

    def _split(self, F, x):
        # (N, T, units) -> (N * heads, T, units / heads)
        x = F.reshape(x, shape=(0, 0, self._heads, -1))
        x = F.transpose(x, axes=(0, 2, 1, 3))
        return F.reshape(x, shape=(-3, 0, 0))

    def hybrid_forward(self, F, x, mask):
        q, k, v = (self._split(F, part(x)) for part in (self.query, self.key, self.value))
        scores = F.batch_dot(q, k, transpose_b=True) / self._scale
        # the mask is 1 where a token is
        keep = F.repeat(F.expand_dims(mask, axis=1), repeats=self._heads, axis=0)
        scores = F.broadcast_add(scores, (1 - keep) * -1e9)
        weights = self.dropout(F.softmax(scores, axis=-1))
        mixed = F.batch_dot(weights, v)
        mixed = F.reshape(mixed, shape=(-4, -1, self._heads, 0, 0))
        mixed = F.reshape(F.transpose(mixed, axes=(0, 2, 1, 3)), shape=(0, 0, -3))
        return self.out(mixed)


class Layer(nn.HybridBlock):
    def __init__(self, units, heads, hidden, **kwargs):
        super(Layer, self).__init__(**kwargs)
        with self.name_scope():
            self.attention = Attention(units, heads)
            self.norm1 = nn.LayerNorm(in_channels=units)
            self.norm2 = nn.LayerNorm(in_channels=units, epsilon=1e-6)
            self.wide = nn.Dense(hidden, flatten=False, in_units=units)
            self.narrow = nn.Dense(units, flatten=False, in_units=hidden)

    def hybrid_forward(self, F, x, mask):
        x = self.norm1(x + self.attention(x, mask))
        inner = F.LeakyReLU(self.wide(x), act_type='gelu')
        return self.norm2(x + self.narrow(inner))


class Encoder(nn.Block):
    def __init__(self, layers, classes, **kwargs):
        super(Encoder, self).__init__(**kwargs)
        self.places = positions(LENGTH, UNITS)
        with self.name_scope():
            self.embed = nn.Embedding(VOCAB, UNITS)
            self.layers = nn.Sequential()
            for _ in range(layers):
                self.layers.add(Layer(UNITS, HEADS, HIDDEN))
            self.classes = nn.Dense(classes, in_units=UNITS)

    def forward(self, tokens, lengths):
        x = self.embed(tokens) * math.sqrt(UNITS) + self.places.expand_dims(axis=0)
        steps = nd.arange(LENGTH).expand_dims(0)
        mask = nd.broadcast_lesser(steps, lengths.expand_dims(1))
        for layer in self.layers:
            x = layer(x, mask)
        x = x * mask.expand_dims(2)
        return self.classes(x.sum(axis=1) / lengths.reshape((-1, 1)))


tokens = rng.randint(1, VOCAB, size=(256, LENGTH))
lengths = rng.randint(3, LENGTH + 1, size=256)
tokens[np.arange(LENGTH)[None] >= lengths[:, None]] = 0
largest = tokens.max(axis=1) // 4
tokens, lengths, largest = nd.array(tokens), nd.array(lengths), nd.array(largest)

net = Encoder(2, 3)
net.initialize(mx.init.Xavier())
for p in net.collect_params('.*weight').values():
    p.set_data(nd.array(rng.normal(0, 0.2, size=p.shape)))
loss = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.003, 'beta2': 0.98,
                                                       'epsilon': 1e-9})
for epoch in range(4):
    total = right = 0.0
    for k in range(0, 256, 32):
        x, n, y = tokens[k:k + 32], lengths[k:k + 32], largest[k:k + 32]
        with autograd.record():
            scores = net(x, n)
            l = loss(scores, y)
        l.backward()
        trainer.step(32)
        total += l.mean().asscalar() / 8
        right += (scores.argmax(axis=-1) == y).mean().asscalar() / 8
    print('epoch %d: loss %.4f, right %.3f' % (epoch, total, right))

# What stands after the end does not matter
changed = tokens.copy()
changed[0, int(lengths[0].asscalar()):] = 5
gap = nd.abs(net(changed[:1], lengths[:1]) - net(tokens[:1], lengths[:1])).max()
print('padding changes nothing:', gap.asscalar() < 1e-5)
