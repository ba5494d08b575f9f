"""Without Gluon: softmax regression, an MLP and a convolution written on arrays and autograd."""
import random

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


def data_iter(batch_size, features, labels):
    num_examples = len(features)
    indices = list(range(num_examples))
    random.shuffle(indices)
    for i in range(0, num_examples, batch_size):
        j = nd.array(indices[i:min(i + batch_size, num_examples)])
        yield features.take(j), labels.take(j)


def sgd(params, lr, batch_size):
    for param in params:
        param[:] = param - lr * param.grad / batch_size


def softmax(X):
    X_exp = (X - X.max(axis=1, keepdims=True)).exp()
    return X_exp / X_exp.sum(axis=1, keepdims=True)


def cross_entropy(y_hat, y):
    return -nd.pick(y_hat, y).log()


def accuracy(y_hat, y):
    return (y_hat.argmax(axis=1) == y.astype('float32')).mean().asscalar()


mx.random.seed(80)
random.seed(80)
X = nd.random.normal(shape=(90, 6))
y = nd.dot(X, nd.random.normal(shape=(6, 3))).argmax(axis=1)

W = nd.random.normal(scale=0.01, shape=(6, 3))
b = nd.zeros(3)
W.attach_grad()
b.attach_grad()
for epoch in range(4):
    total, acc, n = 0.0, 0.0, 0
    for xb, yb in data_iter(16, X, y):
        with autograd.record():
            y_hat = softmax(nd.dot(xb, W) + b)
            l = cross_entropy(y_hat, yb).sum()
        l.backward()
        sgd([W, b], 0.3, 16)
        total += l.asscalar()
        acc += (y_hat.argmax(axis=1) == yb).sum().asscalar()
        n += yb.size
    show('softmax %d' % epoch, [total / n, acc / n])
show('W', W[0].asnumpy())
show('accuracy', [accuracy(softmax(nd.dot(X, W) + b), y)])

W1, b1 = nd.random.normal(scale=0.1, shape=(6, 12)), nd.zeros(12)
W2, b2 = nd.random.normal(scale=0.1, shape=(12, 3)), nd.zeros(3)
params = [W1, b1, W2, b2]
states = [nd.zeros_like(p) for p in params]
for param in params:
    param.attach_grad()


def dropout(X, drop_prob):
    keep_prob = 1 - drop_prob
    mask = nd.random.uniform(0, 1, X.shape) < keep_prob
    return mask * X / keep_prob


def net(X):
    H = nd.tanh(nd.dot(X.reshape((-1, 6)), W1) + b1)
    if autograd.is_training():
        H = dropout(H, 0.3)
    return nd.dot(H, W2) + b2


for epoch in range(4):
    total, n = 0.0, 0
    for xb, yb in data_iter(16, X, y):
        with autograd.record():
            l = nd.softmax_cross_entropy(net(xb), yb)
        l.backward()
        for p, v in zip(params, states):
            v[:] = 0.5 * v + 0.2 * (p.grad / 16 + 0.001 * p)
            p[:] -= v
        total += l.asscalar()
        n += yb.size
    show('mlp %d' % epoch, [total / n, accuracy(net(X), y)])


def corr2d(X, K):
    h, w = K.shape
    Y = nd.zeros((X.shape[0] - h + 1, X.shape[1] - w + 1))
    for i in range(Y.shape[0]):
        for j in range(Y.shape[1]):
            Y[i, j] = (X[i:i + h, j:j + w] * K).sum()
    return Y


image = nd.ones((6, 8))
image[:, 2:6] = 0
K = nd.array([[1, -1]])
edges = corr2d(image, K)
show('edges', edges[0].asnumpy())
weight = nd.random.normal(shape=(1, 1, 1, 2))
weight.attach_grad()
for i in range(6):
    with autograd.record():
        out = nd.Convolution(image.reshape((1, 1, 6, 8)), weight, no_bias=True, kernel=(1, 2), num_filter=1)
        l = ((out - edges.reshape((1, 1, 6, 7))) ** 2).sum()
    l.backward()
    weight[:] -= 3e-2 * weight.grad
    show('learned %d' % i, [l.asscalar()])
show('kernel', weight.asnumpy())
