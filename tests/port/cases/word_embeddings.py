"""Skip-gram with negative sampling; which words come out near each other."""
import collections
import random

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

random.seed(17)
rng = np.random.RandomState(17)

# Sentences of a tiny grammar: days with places, animals with verbs
days, places = ['monday', 'tuesday', 'friday'], ['school', 'office', 'market']
animals, verbs = ['cat', 'dog', 'horse'], ['runs', 'sleeps', 'eats']
text = []
for _ in range(120):
    if random.random() < 0.5:
        text.append(('on', random.choice(days), 'to', random.choice(places)))
    else:
        text.append(('the', random.choice(animals), random.choice(verbs)))
counts = collections.Counter(w for sentence in text for w in sentence)
words = sorted(counts)
index = {w: i for i, w in enumerate(words)}
frequent = np.array([counts[w] for w in words]) ** 0.75
frequent /= frequent.sum()
print('vocabulary', len(words), 'tokens', sum(counts.values()))

WIDEST, NOISE = 6, 3


def examples():
    """A word, its neighbours and noise padded to one length, which count, which are real."""
    for sentence in text:
        ids = [index[w] for w in sentence]
        for at, word in enumerate(ids):
            near = [k for where, k in enumerate(ids) if 0 < abs(where - at) <= 2]
            noise = rng.choice(len(words), size=NOISE * len(near), p=frequent).tolist()
            noise = [k for k in noise if k not in near][:WIDEST]
            rest = [0] * (2 * WIDEST - len(near) - len(noise))
            used = [1.0] * (len(near) + len(noise))
            real = [1.0] * len(near)
            yield word, near + noise + rest, used + rest, real + [0.0] * (2 * WIDEST - len(real))


word, others, used, real = (np.array(column) for column in zip(*examples()))
dataset = gluon.data.ArrayDataset(nd.array(word), nd.array(others), nd.array(used), nd.array(real))
loader = gluon.data.DataLoader(dataset, batch_size=60)

# The loss with a weight for each element, before it is used
logistic = gluon.loss.SigmoidBinaryCrossEntropyLoss()
small = logistic(nd.array([[1.5, 0.3, -1, 2]]), nd.array([[1, 0, 0, 0]]), nd.array([[1, 1, 1, 0]]))
print('loss of four, one unused: %.4f' % small.asscalar())

SIZE = 8
tables = nn.HybridSequential()
tables.add(nn.Embedding(input_dim=len(words), output_dim=SIZE),   # as the middle word
           nn.Embedding(input_dim=len(words), output_dim=SIZE))   # as a neighbour
tables.initialize(ctx=mx.cpu(), force_reinit=True)
for table in tables:
    table.weight.set_data(nd.array(rng.uniform(-0.3, 0.3, size=(len(words), SIZE))))
trainer = gluon.Trainer(tables.collect_params(), 'adam', {'learning_rate': 0.03})

for epoch in range(5):
    total, n = 0.0, 0
    for word, others, used, real in loader:
        with autograd.record():
            middle = tables[0](word).expand_dims(axis=1)
            around = tables[1](others)
            scores = nd.batch_dot(middle, around, transpose_b=True)
            # padding neither counts in the loss nor in its mean
            each = logistic(scores.reshape(real.shape), real, used)
            loss = each * used.shape[1] / used.sum(axis=1)
        loss.backward()
        trainer.step(word.shape[0])
        total += loss.sum().asscalar()
        n += loss.size
    print('epoch %d, loss %.4f' % (epoch + 1, total / n))

vectors = nd.L2Normalization(tables[0].weight.data())
likeness = nd.dot(vectors, vectors.T)
print('own likeness %.3f' % nd.diag(likeness).mean().asscalar())
values, nearest = nd.topk(likeness, axis=1, k=3, ret_typ='both')
for w in ('monday', 'cat', 'eats'):
    row = index[w]
    found = [words[int(k)] for k in nearest[row].asnumpy()]
    print(w, '->', ', '.join('%s %.3f' % (found[k], values[row, k].asscalar()) for k in (1, 2)))
