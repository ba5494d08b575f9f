"""Pairs and triples through one net: what is alike comes to lie close together."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import Block, nn

rng = np.random.RandomState(88)
CLASSES, PER_CLASS, SIZE = 5, 24, 10
shapes = rng.normal(size=(CLASSES, SIZE))
labels = np.repeat(np.arange(CLASSES), PER_CLASS)
signals = shapes[labels] * rng.uniform(0.5, 1.5, size=(len(labels), 1)) + 0.5 * rng.normal(
    size=(len(labels), SIZE))


class Triples(gluon.data.Dataset):
    """An anchor, one of its class, and one of another."""

    def __init__(self, signals, labels, n, seed):
        pick = np.random.RandomState(seed)
        self._signals = signals.astype('float32')
        self._rows = []
        for _ in range(n):
            anchor = pick.randint(len(labels))
            same = np.flatnonzero(labels == labels[anchor])
            other = np.flatnonzero(labels != labels[anchor])
            self._rows.append((anchor, pick.choice(same), pick.choice(other)))

    def __len__(self):
        return len(self._rows)

    def __getitem__(self, index):
        return tuple(self._signals[k] for k in self._rows[index])


class Embedder(Block):
    def __init__(self, size, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.first = nn.Dense(20, in_units=SIZE)
            self.slope = nn.PReLU()
            self.second = nn.Dense(size, in_units=20)

    def forward(self, x):
        h = self.second(self.slope(self.first(x)))
        # on the unit sphere
        return h / nd.norm(h, axis=1, keepdims=True)


class Siamese(nn.Block):
    """The chance that two signals are of one class."""

    def __init__(self, embedder, **kwargs):
        super(Siamese, self).__init__(**kwargs)
        self.embedder = embedder
        self.judge = nn.Dense(1, in_units=4)

    def forward(self, a, b):
        far = nd.abs(self.embedder(a) - self.embedder(b))
        return self.judge(far).reshape((-1,))


def fill(block, seed):
    weights = np.random.RandomState(seed)
    for p in block.collect_params().values():
        if p.shape != (1,):
            p.set_data(nd.array(weights.normal(0, 0.3, size=p.shape)))


embedder = Embedder(4)
embedder.initialize()
fill(embedder, 1)
triplet_loss = gluon.loss.TripletLoss(margin=0.5)
trainer = gluon.Trainer(embedder.collect_params(), 'sgd', {'learning_rate': 0.1, 'momentum': 0.9})
batches = gluon.data.DataLoader(Triples(signals, labels, 160, 5), batch_size=32)
for epoch in range(4):
    total = violated = 0
    for anchor, same, other in batches:
        with autograd.record():
            l = triplet_loss(embedder(anchor), embedder(same), embedder(other))
        l.backward()
        trainer.step(anchor.shape[0])
        total += l.sum().asscalar()
        violated += (l > 0).sum().asscalar()
    print('epoch %d: loss %.4f, of 160 wrong %d' % (epoch, total / 160, violated))
print('slope %.4f' % embedder.slope.alpha.data().asscalar())

# The nearest neighbour of each, itself left out
codes = embedder(nd.array(signals))
square = nd.sum(nd.square(codes), axis=1)
far = square.reshape((-1, 1)) + square.reshape((1, -1)) - 2 * nd.dot(codes, codes, transpose_b=True)
far = far + 100 * nd.eye(len(labels))
nearest = nd.argmin(far, axis=1)
same_class = nd.take(nd.array(labels), nearest) == nd.array(labels)
print('nearest is of the class: %.3f' % same_class.mean().asscalar())

siamese = Siamese(Embedder(4))
siamese.collect_params().initialize(mx.init.Normal(0.05))
fill(siamese, 2)
judge_trainer = gluon.Trainer(siamese.collect_params(), mx.optimizer.Adam(learning_rate=0.01))
bce = gluon.loss.SigmoidBinaryCrossEntropyLoss()
for epoch in range(4):
    total = 0
    for anchor, same, other in batches:
        half = anchor.shape[0] // 2
        second = nd.concat(same[:half], other[half:], dim=0)
        alike = nd.concat(nd.ones(half), nd.zeros(anchor.shape[0] - half), dim=0)
        with autograd.record():
            l = bce(siamese(anchor, second), alike)
        l.backward()
        judge_trainer.step(anchor.shape[0])
        total += l.mean().asscalar()
    print('siamese epoch %d: %.4f' % (epoch, total / len(batches)))
