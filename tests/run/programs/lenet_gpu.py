"""2017: a hard-coded GPU. run: --map gpu=cpu"""
import time

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon

ctx = mx.gpu()
mx.random.seed(42)
np.random.seed(42)
net = gluon.nn.HybridSequential()
net.add(gluon.nn.Conv2D(4, 3, activation='relu'), gluon.nn.MaxPool2D(2, 2), gluon.nn.Flatten(),
        gluon.nn.Dense(10))
net.initialize(mx.init.Constant(0.02), ctx=ctx)
net.hybridize()
x = mx.nd.array(np.random.rand(8, 1, 8, 8).astype(np.float), ctx=ctx)
y = mx.nd.array(np.arange(8), ctx=ctx)
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': .3})
softmax = gluon.loss.SoftmaxCrossEntropyLoss()
tic = time.clock()
for i in range(3):
    with autograd.record():
        loss = softmax(net(x), y)
    loss.backward()
    trainer.step(8)
    print(i, '%.5f' % np.asscalar(loss.mean().asnumpy()), loss.context, time.clock() >= tic)
print(x.context == mx.gpu(0), net[0].weight.list_ctx(), (x + 1).context)
