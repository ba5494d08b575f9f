"""Ratings as products of hidden traits of users and films."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

rng = np.random.RandomState(31)
n_users, n_items, n_traits = 40, 30, 4

# Ratings from 1 to 5 that hidden traits explain, a third of them seen
taste = rng.normal(size=(n_users, 2))
style = rng.normal(size=(n_items, 2))
full = np.clip(np.round(3 + taste.dot(style.T)), 1, 5)
seen = np.argwhere(rng.rand(n_users, n_items) < 0.35)
rng.shuffle(seen)
split = int(0.85 * len(seen))


def as_arrays(pairs):
    users = nd.array(pairs[:, 0], dtype='int32')
    items = nd.array(pairs[:, 1], dtype='int32')
    scores = nd.array(full[pairs[:, 0], pairs[:, 1]])
    return users, items, scores


class Factors(gluon.Block):
    """The product of two rows, and what the user and the film add by themselves."""

    def __init__(self, users, items, k, mean, **kwargs):
        super(Factors, self).__init__(**kwargs)
        self.mean = mean
        with self.name_scope():
            self.p = nn.Embedding(users, k)
            self.q = nn.Embedding(items, k)
            self.user_bias = nn.Embedding(users, 1)
            self.item_bias = nn.Embedding(items, 1)

    def forward(self, user, item):
        together = (self.p(user) * self.q(item)).sum(axis=1)
        own = self.user_bias(user) + self.item_bias(item)
        return together + nd.squeeze(own, axis=1) + self.mean


train_data = gluon.data.ArrayDataset(*as_arrays(seen[:split]))
test_users, test_items, test_scores = as_arrays(seen[split:])
mean = nd.mean(as_arrays(seen[:split])[2]).asscalar()
print('seen', len(seen), 'for training', len(train_data), 'mean %.4f' % mean)

net = Factors(n_users, n_items, n_traits, mean)
net.initialize(mx.init.Zero())
net.p.weight.set_data(nd.array(rng.normal(0, 0.1, (n_users, n_traits))))
net.q.weight.set_data(nd.array(rng.normal(0, 0.1, (n_items, n_traits))))


def rmse():
    guess = net(test_users, test_items).clip(1, 5)
    return ((guess - test_scores) ** 2).mean().sqrt().asscalar()


def train(optimizer, options, epochs):
    trainer = gluon.Trainer(net.collect_params(), optimizer, options, kvstore=None)
    l2 = gluon.loss.L2Loss()
    batches = gluon.data.DataLoader(train_data, batch_size=50, last_batch='discard')
    for epoch in range(epochs):
        total = []
        for user, item, score in batches:
            with autograd.record():
                loss = l2(net(user, item), score)
            loss.backward()
            trainer.step(batch_size=50)
            total.append(2 * loss.mean().asscalar())
        print('%s epoch %d: train %.4f, test %.4f' % (
            optimizer, epoch, np.sqrt(np.mean(total)), rmse()))


print('before %.4f' % rmse())
train('adam', {'learning_rate': 0.02}, 5)
train('sgd', {'learning_rate': 0.5, 'wd': 1e-3}, 3)
train('adagrad', {'learning_rate': 0.05}, 2)
train('rmsprop', {'learning_rate': 0.002}, 2)

# What a user has not seen and would like
user = 3
every = nd.arange(n_items, dtype='int32')
scores = net(nd.full((n_items,), user, dtype='int32'), every)
known = [int(item) for u, item in seen if u == user]
scores[nd.array(known, dtype='int32')] = -1
best = scores.topk(k=3).astype('int32').asnumpy().tolist()
print('user', user, 'would like', best)
print(' '.join('%.3f' % scores[b].asscalar() for b in best))
bias = net.item_bias.weight.data()[:, 0]
print('liked by all', bias.argmax(axis=0).asscalar(), '%.4f' % bias.max().asscalar())
