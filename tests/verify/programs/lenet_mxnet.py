import time

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

mx.random.seed(0)
np.random.seed(0)
net = nn.HybridSequential()
net.add(nn.Conv2D(16, 5, activation='relu'), nn.MaxPool2D(2), nn.Conv2D(32, 3, activation='relu'),
        nn.MaxPool2D(2), nn.Dense(64, activation='relu'), nn.Dropout(0.3), nn.Dense(10))
net.initialize(mx.init.Xavier())
net.hybridize()
images = nd.array(np.random.rand(64, 1, 28, 28))
labels = nd.array(np.random.randint(0, 10, 64))
loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.005, 'momentum': 0.9})
start = time.process_time()
for step in range(40):
    with autograd.record():
        loss = loss_fn(net(images), labels)
    loss.backward()
    trainer.step(64)
    loss.mean().asscalar()
print('took %.3f' % (time.process_time() - start))
