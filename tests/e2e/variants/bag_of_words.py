"""Text classification with an Embedding, a shuffled DataLoader and a learning-rate schedule."""
import random

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


WORDS = 'the a cat dog sat ran on under mat tree blue red quickly slowly'.split()
INDEX = {w: i + 1 for i, w in enumerate(WORDS)}


def sentences(n):
    rng = random.Random(4)
    for _ in range(n):
        words = [rng.choice(WORDS) for _ in range(rng.randint(2, 6))]
        yield words, float('cat' in words) + float('ran' in words)


class BagOfWords(gluon.HybridBlock):
    def __init__(self, vocab, dim, classes, **kwargs):
        super(BagOfWords, self).__init__(**kwargs)
        with self.name_scope():
            self.embed = nn.Embedding(vocab, dim)
            self.norm = nn.LayerNorm()
            self.drop = nn.Dropout(0.2)
            self.out = nn.Dense(classes)

    def hybrid_forward(self, F, tokens, lengths):
        x = self.embed(tokens)
        x = F.SequenceMask(x.swapaxes(0, 1), lengths, use_sequence_length=True)
        x = F.broadcast_div(x.sum(axis=0), lengths.expand_dims(1))
        return self.out(self.drop(self.norm(x)))


data = list(sentences(80))
tokens = np.zeros((80, 6), dtype='float32')
lengths = np.zeros(80, dtype='float32')
labels = np.array([label for _, label in data], dtype='float32')
for i, (words, _) in enumerate(data):
    tokens[i, :len(words)] = [INDEX[w] for w in words]
    lengths[i] = len(words)
print('labels', *[int((labels == c).sum()) for c in range(3)])
dataset = gluon.data.ArrayDataset(tokens, lengths, labels)
for hybrid in (False, True):
    mx.random.seed(6)
    np.random.seed(6)
    net = BagOfWords(len(WORDS) + 1, 8, 3, prefix='bow_')
    net.initialize(mx.init.Normal(0.1))
    if hybrid:
        net.hybridize()
    schedule = mx.lr_scheduler.MultiFactorScheduler(step=[10, 20], factor=0.5, base_lr=0.05)
    trainer = gluon.Trainer(net.collect_params(), 'adam', {'lr_scheduler': schedule})
    loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
    metric = mx.metric.CompositeEvalMetric()
    metric.add(mx.metric.Accuracy())
    metric.add(mx.metric.Loss())
    for epoch in range(5):
        metric.reset()
        for t, n, y in gluon.data.DataLoader(dataset, 16, shuffle=True, last_batch='discard'):
            with autograd.record():
                scores = net(t, n)
                loss = loss_fn(scores, y)
            loss.backward()
            trainer.step(16)
            metric.metrics[0].update(y, scores)
            metric.metrics[1].update(None, loss)
        names, values = metric.get()
        print(' '.join(names))
        show('epoch %d lr' % epoch, [trainer.learning_rate] + values)
    show('embedding', net.embed.weight.data()[1].asnumpy())
    show('predictions', net(nd.array(tokens[:10]), nd.array(lengths[:10])).argmax(axis=1).asnumpy())
