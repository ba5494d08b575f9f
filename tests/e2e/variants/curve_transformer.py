# 100 steps of a Transformer that sorts sequences: attention masks, label smoothing, Adam, warm-up.
import math

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

mx.random.seed(5)
np.random.seed(5)
WORDS, UNITS, HEADS, LENGTH, BATCH = 16, 32, 4, 8, 16


class Attention(nn.HybridBlock):
    def __init__(self, units, heads, dropout, **kwargs):
        super().__init__(**kwargs)
        self._heads, self._scale = heads, math.sqrt(units // heads)
        with self.name_scope():
            self.query = nn.Dense(units, flatten=False, in_units=units, use_bias=False)
            self.key = nn.Dense(units, flatten=False, in_units=units, use_bias=False)
            self.value = nn.Dense(units, flatten=False, in_units=units, use_bias=False)
            self.out = nn.Dense(units, flatten=False, in_units=units)
            self.drop = nn.Dropout(dropout)

    def _split(self, F, x):
        x = F.reshape(x, shape=(0, 0, self._heads, -1))
        return F.reshape(F.transpose(x, axes=(0, 2, 1, 3)), shape=(-1, 0, 0), reverse=True)

    def hybrid_forward(self, F, q, kv, mask):
        q, k, v = [self._split(F, x) for x in (self.query(q), self.key(kv), self.value(kv))]
        scores = F.batch_dot(q, k, transpose_b=True) / self._scale
        mask = F.broadcast_axis(F.expand_dims(mask, 1), axis=1, size=self._heads)
        mask = F.reshape(mask, shape=(-1, 0, 0), reverse=True)
        scores = F.where(mask, scores, -1e9 * F.ones_like(scores))
        x = F.batch_dot(self.drop(F.softmax(scores, axis=-1)), v)
        x = F.transpose(F.reshape(x, shape=(-1, self._heads, 0, 0), reverse=True), (0, 2, 1, 3))
        return self.out(F.reshape(x, shape=(0, 0, -1)))


class Layer(nn.HybridBlock):
    def __init__(self, units, hidden, heads, dropout, crossed, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.own = Attention(units, heads, dropout)
            self.cross = Attention(units, heads, dropout) if crossed else None
            self.norms = nn.HybridSequential()
            for _ in range(3 if crossed else 2):
                self.norms.add(nn.LayerNorm(in_channels=units))
            self.feed = nn.HybridSequential()
            self.feed.add(nn.Dense(hidden, flatten=False, activation='relu', in_units=units),
                          nn.Dropout(dropout), nn.Dense(units, flatten=False, in_units=hidden))

    def hybrid_forward(self, F, x, mask, memory=None, memory_mask=None):
        x = self.norms[0](x + self.own(x, x, mask))
        if self.cross is not None:
            x = self.norms[1](x + self.cross(x, memory, memory_mask))
        return self.norms[-1](x + self.feed(x))


class Transformer(nn.HybridBlock):
    def __init__(self, layers=2, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.embed = nn.Embedding(WORDS, UNITS)
            angles = np.arange(LENGTH)[:, None] / 100 ** (np.arange(UNITS // 2) / (UNITS // 2))
            table = np.concatenate([np.sin(angles), np.cos(angles)], 1)
            self.places = self.params.get_constant('places', table[None])
            self.encoder, self.decoder = nn.HybridSequential(), nn.HybridSequential()
            for _ in range(layers):
                self.encoder.add(Layer(UNITS, 64, HEADS, dropout, False))
                self.decoder.add(Layer(UNITS, 64, HEADS, dropout, True))
            self.head = nn.Dense(WORDS, flatten=False, in_units=UNITS)

    def hybrid_forward(self, F, source, target, mask, causal, places):
        x = F.broadcast_add(self.embed(source) * math.sqrt(UNITS), places)
        y = F.broadcast_add(self.embed(target) * math.sqrt(UNITS), places)
        for layer in self.encoder:
            x = layer(x, mask)
        for layer in self.decoder:
            y = layer(y, causal, x, mask)
        return self.head(y)


def batch(rng):
    source = rng.randint(2, WORDS, (BATCH, LENGTH))
    lengths = rng.randint(LENGTH // 2, LENGTH + 1, BATCH)
    for row, length in zip(source, lengths):
        row[length:] = 0
    label = np.stack([np.concatenate([np.sort(r[:n]), r[n:]]) for r, n in zip(source, lengths)])
    target = np.concatenate([np.ones((BATCH, 1)), label[:, :-1]], 1)
    return [nd.array(a) for a in (source, target, label, lengths)]


net = Transformer()
net.initialize(mx.init.Xavier(magnitude=2.34))
net.hybridize()
trainer = gluon.Trainer(net.collect_params(), 'adam', {'beta2': 0.98, 'epsilon': 1e-6})
loss_of = gluon.loss.SoftmaxCrossEntropyLoss(sparse_label=False)
steps = nd.arange(LENGTH)
causal = nd.broadcast_lesser_equal(steps.reshape((1, 1, -1)), steps.reshape((1, -1, 1)))
causal = causal.broadcast_to((BATCH, LENGTH, LENGTH))
rng = np.random.RandomState(3)
for step in range(1, 101):
    trainer.set_learning_rate(0.004 * min(step / 40, (40 / step) ** 0.5))
    source, target, label, lengths = batch(rng)
    valid = nd.broadcast_lesser(steps.reshape((1, -1)), lengths.reshape((-1, 1)))
    mask = nd.broadcast_axis(valid.expand_dims(1), axis=1, size=LENGTH)
    smooth = nd.one_hot(label, WORDS) * 0.9 + 0.1 / WORDS
    with autograd.record():
        scores = net(source, target, mask, causal)
        loss = loss_of(scores, smooth, valid.expand_dims(2)).sum() / lengths.sum() * LENGTH
    loss.backward()
    trainer.step(1)
    right = ((scores.argmax(2) == label) * valid).sum() / valid.sum()
    print('step %d loss %.6g right %.3f' % (step, loss.asscalar(), right.asscalar()))
