"""NumPy's interface: blocks with attention and recurrence, traced and not."""

import math

from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn, rnn

npx.set_np()
npx.random.seed(5)


class Attention(nn.HybridBlock):
    """One head that looks at the first `count` keys of each sequence."""

    def __init__(self, size, **kwargs):
        super().__init__(**kwargs)
        self._scale = math.sqrt(size)
        with self.name_scope():
            self.query = nn.Dense(size, use_bias=False, flatten=False)
            self.key = nn.Dense(size, use_bias=False, flatten=False)
            self.drop = nn.Dropout(0.1)

    def hybrid_forward(self, F, data, count):
        scores = F.npx.batch_dot(self.query(data), self.key(data), transpose_b=True) / self._scale
        steps = F.np.expand_dims(F.np.arange(6), axis=0)
        seen = F.np.expand_dims(steps < F.np.expand_dims(count, axis=-1), axis=1)
        scores = F.np.where(seen, scores, F.np.zeros_like(scores) - 1e6)
        return F.npx.batch_dot(self.drop(F.npx.softmax(scores, axis=-1)), data)


class Reader(nn.HybridBlock):
    """Embedding, attention, a mean over time."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.table = nn.Embedding(12, 8)
            self.look = Attention(8)
            self.norm = nn.LayerNorm()
            self.out = nn.Dense(4)
            self.shift = self.params.get("shift", shape=(8,), init="zeros")

    def hybrid_forward(self, F, words, count, shift):
        data = self.table(words)
        mixed = self.norm(data + self.look(data, count)) + shift
        pooled = F.np.concatenate([mixed.mean(axis=1), mixed.max(axis=1)], axis=-1)
        return self.out(pooled), pooled.T


words = np.random.randint(0, 12, (3, 6))
count = np.array([6, 3, 1])
net = Reader()
net.initialize()
scores, pooled = net(words, count)
print(scores.shape, pooled.shape, scores[0])
net.hybridize()
again, _ = net(words, count)
print("traced is the same:", bool(np.abs(again - scores).max() < 1e-5))
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.2, "momentum": 0.9})
goal = np.array([1, 0, 3])
measure = gluon.loss.SoftmaxCrossEntropyLoss()
for step in range(5):
    with autograd.record():
        loss = measure(net(words, count)[0], goal).mean()
    loss.backward()
    trainer.step(1)
    print("step %d: %.4f" % (step, loss.item()))
print("found", net(words, count)[0].argmax(axis=1))

layer = rnn.GRU(5, num_layers=2)
layer.initialize()
state = layer.begin_state(batch_size=2)
series = np.random.uniform(-1, 1, (4, 2, 3))
output, state = layer(series, state)
print(output.shape, state[0].shape, output[-1, 0])
steps = npx.sequence_mask(output, np.array([2, 4]), use_sequence_length=True)
print("masked", steps.sum(axis=(0, 2)))
best = npx.topk(output[-1], k=2, ret_typ="value")
print("best", best, npx.pick(output[-1], np.array([0, 4])))

net.export("reader")
block = gluon.SymbolBlock.imports("reader-symbol.json", ["data0", "data1"], "reader-0000.params")
print("imported", bool((block(words, count)[0] == net(words, count)[0]).all()))
npx.save("arrays", {"scores": scores, "scalar": np.array(2.5)})
print(sorted((k, v.shape) for k, v in npx.load("arrays").items()))
