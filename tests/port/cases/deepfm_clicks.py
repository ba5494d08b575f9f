"""Wide & deep: factorization machines with gluon, an AUC of its own, and several inputs."""
import os
import random

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

FIELDS, VOCAB = 4, 20


class FM(nn.HybridBlock):
    def __init__(self, num_inputs, k, **kwargs):
        super(FM, self).__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(num_inputs, k)
            self.fc = nn.Embedding(num_inputs, 1)
            self.linear_layer = nn.Dense(1, use_bias=True, in_units=1)

    def hybrid_forward(self, F, x):
        e = self.embedding(x)
        square_of_sum = F.square(F.sum(e, axis=1))
        sum_of_square = F.sum(F.square(e), axis=1)
        out = self.linear_layer(self.fc(x).sum(axis=1)) + \
            0.5 * F.sum(square_of_sum - sum_of_square, axis=1, keepdims=True)
        return out


class DeepFM(nn.HybridBlock):
    def __init__(self, num_inputs, k, mlp_dims, drop_rate=0.0, **kwargs):
        super(DeepFM, self).__init__(**kwargs)
        with self.name_scope():
            self.fm = FM(num_inputs, k)
            self.mlp = nn.HybridSequential()
            size = FIELDS * k
            for dim in mlp_dims:
                self.mlp.add(nn.Dense(dim, activation='relu', use_bias=True, in_units=size))
                self.mlp.add(nn.Dropout(rate=drop_rate))
                size = dim
            self.mlp.add(nn.Dense(in_units=size, units=1))

    def hybrid_forward(self, F, x):
        e = F.reshape(self.fm.embedding(x), shape=(0, -1))
        return F.sigmoid(F.squeeze(self.fm(x) + self.mlp(e), axis=1))


def auc(scores, labels):
    order = np.argsort(scores)
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    pos = labels.sum()
    return (ranks[labels == 1].sum() - pos * (pos + 1) / 2) / (pos * (len(labels) - pos))


class Clicks(gluon.data.Dataset):
    def __init__(self, n, seed):
        r = np.random.RandomState(seed)
        self.x = r.randint(0, VOCAB, (n, FIELDS))
        self.y = ((self.x.sum(axis=1) + r.randint(-3, 4, n)) > 38).astype('float32')

    def __len__(self):
        return len(self.y)

    def __getitem__(self, idx):
        return self.x[idx], self.y[idx]


ctx = [mx.cpu()]
train = gluon.data.DataLoader(Clicks(96, 0), batch_size=16, shuffle=False, last_batch='rollover',
                              num_workers=0)
test = gluon.data.DataLoader(Clicks(64, 1), batch_size=16)
net = DeepFM(VOCAB, 4, [12, 6])
net.initialize(mx.init.Xavier(), ctx=ctx)
net.hybridize()
for i, p in enumerate(net.collect_params().values()):
    p.set_data(nd.array(np.random.RandomState(p.shape[0] + p.shape[-1]).normal(0, 0.2, p.shape)))
loss = gluon.loss.SigmoidBinaryCrossEntropyLoss(from_sigmoid=True)
trainer = gluon.Trainer(net.collect_params(), 'ftrl', {'learning_rate': 0.1, 'lamda1': 0.001})


def evaluate(data_iter):
    scores, truth = [], []
    for features, label in data_iter:
        scores.append(net(features.as_in_context(ctx[0])).asnumpy())
        truth.append(label.asnumpy())
    scores, truth = np.concatenate(scores), np.concatenate(truth)
    return auc(scores, truth), ((scores > 0.5) == truth).mean()


for epoch in range(3):
    total, n = 0.0, 0
    for values in train:
        values = values if isinstance(values, list) else [values]
        *features, label = [gluon.utils.split_and_load(v, ctx, even_split=False) for v in values]
        with autograd.record():
            preds = [net(*t) for t in zip(*features)]
            ls = [loss(p, y) for p, y in zip(preds, label)]
        for l in ls:
            l.backward()
        trainer.step(values[0].shape[0])
        total += sum(float(l.sum().asscalar()) for l in ls)
        n += values[0].shape[0]
    a, acc = evaluate(test)
    print(f'epoch {epoch} loss {total / n:.4f} auc {a:.1f} acc {acc:.2f}')
