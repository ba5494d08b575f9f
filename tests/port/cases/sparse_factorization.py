"""Users and films as vectors; only the rows of a batch have gradients."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

rng = np.random.RandomState(60)
USERS, FILMS, FACTORS = 40, 30, 4
BATCH = 25

# Ratings of hidden tastes
tastes = rng.normal(size=(USERS, 3)), rng.normal(size=(FILMS, 3))
pairs = np.array([(u, f) for u in range(USERS) for f in range(FILMS) if rng.rand() < 0.25])
ratings = np.clip(3 + (tastes[0][pairs[:, 0]] * tastes[1][pairs[:, 1]]).sum(axis=1), 1, 5)
order = rng.permutation(len(pairs))
pairs, ratings = pairs[order][:250], ratings[order][:250].astype('float32')


class Factors(gluon.Block):
    """A vector and a bias for each user and each film."""

    def __init__(self, users, films, size, **kwargs):
        super(Factors, self).__init__(**kwargs)
        with self.name_scope():
            self.users = nn.Embedding(users, size, sparse_grad=True)
            self.films = nn.Embedding(films, size, sparse_grad=True)
            self.user_bias = nn.Embedding(users, 1, sparse_grad=True)
            self.film_bias = nn.Embedding(films, 1, sparse_grad=True)

    def forward(self, user, film):
        both = (self.users(user) * self.films(film)).sum(axis=1)
        return both + self.user_bias(user).reshape((-1,)) + self.film_bias(film).reshape((-1,))


net = Factors(USERS, FILMS, FACTORS)
net.initialize()
for p in net.collect_params().values():
    p.set_data(nd.array(rng.normal(0, 0.3, size=p.shape)))
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 1.0})
l2 = gluon.loss.L2Loss()

train, test = slice(0, 200), slice(200, 250)
users, films = nd.array(pairs[:, 0]), nd.array(pairs[:, 1])
wanted = nd.array(ratings - 3)


def rmse(which):
    error = net(users[which], films[which]) - wanted[which]
    return float((error ** 2).mean().sqrt().asscalar())


print('before %.4f' % rmse(train))
for epoch in range(8):
    total = 0.0
    for start in range(0, 200, BATCH):
        rows = slice(start, start + BATCH)
        with autograd.record():
            out = net(users[rows], films[rows])
            loss = l2(out, wanted[rows])
        loss.backward()
        trainer.step(BATCH)
        total += loss.sum().asscalar()
    if epoch % 2:
        print('epoch %d: loss %.4f, train %.4f' % (epoch, total / 200, rmse(train)))
# the last batch again, to look at its gradient
grad = net.users.weight.grad()
print('gradient', grad.shape)
print('test %.4f' % rmse(test))
print('first user', ' '.join('%.4f' % v for v in net.users.weight.data()[0].asnumpy()))
