"""2017: linear regression from scratch; np.float, np.asscalar, time.clock."""
import time

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

mx.random.seed(1)
np.random.seed(1)
start = time.clock()
X = nd.random_normal(shape=(200, 2))
y = 2 * X[:, 0] - 3.4 * X[:, 1] + 4.2 + .01 * nd.random_normal(shape=(200,))
w, b = nd.random_normal(shape=(2, 1)), nd.zeros(1)
for p in (w, b):
    p.attach_grad()
for epoch in range(4):
    losses = np.zeros(20, dtype=np.float)
    for i in range(20):
        data, label = X[i * 10:(i + 1) * 10], y[i * 10:(i + 1) * 10]
        with autograd.record():
            loss = nd.mean((nd.dot(data, w) + b - label.reshape((-1, 1))) ** 2)
        loss.backward()
        for p in (w, b):
            p[:] = p - .1 * p.grad
        losses[i] = np.asscalar(loss.asnumpy())
    print('Epoch %d, loss %.5f' % (epoch, losses.mean()))
print('took a while' if time.clock() < start else 'timed')
