import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

mx.random.seed(5)
np.random.seed(5)

x = nd.random.normal(shape=(256, 8))
y = (x[:, 0] * x[:, 1] > 0) + (x[:, 2] > 1)
data = gluon.data.DataLoader(gluon.data.ArrayDataset(x, y), batch_size=32, shuffle=True)

net = nn.HybridSequential()
net.add(nn.Dense(64, activation='relu'), nn.Dropout(0.2), nn.Dense(3))
net.initialize(mx.init.Xavier())
net.hybridize()
loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.01})

for epoch in range(3):
    total = 0.0
    for features, labels in data:
        with autograd.record():
            loss = loss_fn(net(features), labels)
        loss.backward()
        trainer.step(features.shape[0])
        total += loss.sum().asscalar()
    print('epoch %d loss %.4f' % (epoch + 1, total / len(x)))

net.save_parameters('net.params')
