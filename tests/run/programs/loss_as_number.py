"""A training loop of 2017 that prints arrays of one element as numbers.

Starts as `mxtorch run loss_as_number.py`; uses numpy.float and float(array of one element).
"""
from __future__ import print_function

import math

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd

mx.random.seed(4)
np.random.seed(4)
x = nd.random.normal(shape=(32, 3))
y = nd.dot(x, nd.array([[1.0], [-2.0], [0.5]])) + 0.3
net = gluon.nn.Dense(1)
net.initialize(mx.init.Normal(0.1))
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.2})
square = gluon.loss.L2Loss()
history = []
for epoch in range(4):
    with autograd.record():
        loss = nd.mean(square(net(x), y))
    loss.backward()
    trainer.step(1)
    history.append(float(loss.asnumpy()))
    print("epoch %d loss %.5f rmse %.4f" % (epoch, loss.asnumpy(), math.sqrt(2 * loss.asnumpy())))
bias = net.bias.data().asnumpy()
print("bias %.4f, rounded %d" % (bias, int(10 * bias)), bias.shape, repr(bias.round(2)))
corner = net.weight.data()[:, :1]
print("corner {:.4f}".format(float(corner.asscalar())), corner.asnumpy().shape)
print(np.mean(np.array(history, dtype=np.float)).round(5), type(history[0]).__name__)
