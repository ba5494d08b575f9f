"""Softmax regression and an MLP, in the manner of a textbook's chapter: mx.np and mx.npx."""
import math
import numpy as onp
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

npx.set_np()


class Accumulator:
    """Sums over several variables."""

    def __init__(self, n):
        self.data = [0.0] * n

    def add(self, *args):
        self.data = [a + float(b) for a, b in zip(self.data, args)]

    def reset(self):
        self.data = [0.0] * len(self.data)

    def __getitem__(self, idx):
        return self.data[idx]


def synthetic_data(n, seed):
    rng = onp.random.RandomState(seed)
    X = rng.normal(0, 1, (n, 12)).astype('float32')
    W = onp.random.RandomState(3).normal(0, 1, (12, 4)).astype('float32')
    y = (X @ W).argmax(axis=1)
    return np.array(X), np.array(y)


def load_array(data_arrays, batch_size, is_train=True):
    """Construct a Gluon data iterator."""
    dataset = gluon.data.ArrayDataset(*data_arrays)
    return gluon.data.DataLoader(dataset, batch_size, shuffle=False)


def softmax(X):
    X_exp = np.exp(X)
    partition = X_exp.sum(1, keepdims=True)
    return X_exp / partition  # broadcasting


def cross_entropy(y_hat, y):
    return -np.log(y_hat[range(len(y_hat)), y])


def accuracy(y_hat, y):
    """The number of correct predictions."""
    if len(y_hat.shape) > 1 and y_hat.shape[1] > 1:
        y_hat = y_hat.argmax(axis=1)
    cmp = y_hat.astype(y.dtype) == y
    return float(cmp.astype(y.dtype).sum())


def evaluate_accuracy(net, data_iter):
    metric = Accumulator(2)
    for X, y in data_iter:
        metric.add(accuracy(net(X), y), y.size)
    return metric[0] / metric[1]


def sgd(params, lr, batch_size):
    for param in params:
        param[:] = param - lr * param.grad / batch_size


def train_epoch(net, train_iter, loss, updater):
    metric = Accumulator(3)
    if isinstance(updater, gluon.Trainer):
        updater = updater.step
    for X, y in train_iter:
        with autograd.record():
            y_hat = net(X)
            l = loss(y_hat, y)
        l.backward()
        updater(X.shape[0])
        metric.add(float(l.sum()), accuracy(y_hat, y), y.size)
    return metric[0] / metric[2], metric[1] / metric[2]


batch_size = 32
train_iter = load_array(synthetic_data(256, 0), batch_size)
test_iter = load_array(synthetic_data(128, 1), batch_size, False)
rng = onp.random.RandomState(7)
W = np.array(rng.normal(0, 0.01, (12, 4)).astype('float32'))
b = np.zeros(4)
W.attach_grad()
b.attach_grad()


def net(X):
    return softmax(np.dot(X.reshape((-1, W.shape[0])), W) + b)


def updater(batch_size):
    return sgd([W, b], 0.5, batch_size)


for epoch in range(3):
    loss, acc = train_epoch(net, train_iter, cross_entropy, updater)
    print(f'epoch {epoch + 1}, loss {loss:.4f}, train acc {acc:.3f}, '
          f'test acc {evaluate_accuracy(net, test_iter):.3f}')
print('%.4f' % np.linalg.norm(W).item(), W.mean(axis=0).asnumpy().round(3).tolist())

net = nn.Sequential()
net.add(nn.Dense(16, activation='relu', in_units=12), nn.Dense(4, in_units=16))
net.initialize(init.Normal(sigma=0.01))
for i, p in enumerate(net.collect_params().values()):
    shape = p.shape
    p.set_data(np.array(onp.random.RandomState(20 + i).uniform(-0.3, 0.3, shape).astype('float32')))
loss = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.3})
for epoch in range(3):
    l, acc = train_epoch(net, train_iter, loss, trainer)
    print('epoch %d loss %.4f acc %.3f' % (epoch + 1, l, acc))
X = np.arange(6).reshape(2, 3)
print(X.sum(axis=0).asnumpy().tolist(), X.max().item(), X[-1].asnumpy().tolist())
print((X > 2).sum().item(), np.concatenate([X, X], axis=1).shape, X.T.shape)
Y = np.zeros_like(X)
Y[0:1, :] = 12
print(Y.asnumpy().tolist(), np.stack([X, Y]).shape, np.expand_dims(X, 0).shape, math.sqrt(X.size))
