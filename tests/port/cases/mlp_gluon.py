from __future__ import print_function

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import data as gdata
from mxnet.gluon import loss as gloss
from mxnet.gluon import nn

mx.random.seed(1)
np.random.seed(1)
rng = np.random.RandomState(11)

batch_size = 32
num_outputs = 5
ctx = mx.cpu()

# Points on noisy rings; the class is the ring.
angles = rng.uniform(0, 2 * np.pi, size=500)
rings = rng.randint(0, num_outputs, size=500)
radius = 1.0 + rings + 0.1 * rng.randn(500)
points = np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1).astype('float32')
rings = rings.astype('float32')
train_set = gdata.ArrayDataset(points[:400], rings[:400])
test_set = gdata.ArrayDataset(points[400:], rings[400:])
train_data = gdata.DataLoader(train_set, batch_size=batch_size, shuffle=False)
test_data = gdata.DataLoader(test_set, batch_size, shuffle=False, last_batch='keep')
print('batches', len(train_data), len(test_data), 'examples', len(train_set))

net = nn.Sequential()
with net.name_scope():
    net.add(nn.Dense(32, in_units=2, activation='relu'))
    net.add(nn.Dense(32, activation='tanh'))   # second hidden layer
    net.add(nn.Dense(num_outputs))
net.initialize(mx.init.Normal(sigma=0.1), ctx=ctx)
net(nd.zeros((1, 2), ctx=ctx))  # shapes are known from here on
for param in net.collect_params().values():
    value = rng.normal(0, 0.3, size=param.shape) if len(param.shape) == 2 else np.zeros(param.shape)
    param.set_data(nd.array(value))

loss_fn = gloss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), 'sgd',
                        {'learning_rate': 0.1, 'momentum': 0.9, 'wd': 0.0005})


def accuracy_of(net, batches):
    metric = mx.metric.Accuracy()
    for x, y in batches:
        scores = net(x.as_in_context(ctx))
        metric.update(preds=nd.argmax(scores, axis=1), labels=y.as_in_context(ctx))
    return metric.get()[1]


running = None
for epoch in range(5):
    for x, y in train_data:
        x, y = x.as_in_context(ctx), y.as_in_context(ctx)
        with autograd.record():
            loss = loss_fn(net(x), y)
        loss.backward()
        trainer.step(x.shape[0])
        # an exponential average of the losses
        mean = nd.mean(loss).asscalar()
        running = mean if running is None else 0.9 * running + 0.1 * mean
    print("epoch %s: loss %.5f, right %.4f" % (epoch, running, accuracy_of(net, test_data)))
    if epoch == 2:
        trainer.set_learning_rate(0.05)

print('learning rate', trainer.learning_rate)
for name, param in net.collect_params().items():
    print(param.shape, '%.5f' % param.data().norm().asscalar())
probabilities = nd.softmax(net(nd.array(points[:3])))
print(probabilities.asnumpy().round(4).tolist())
hidden = net[0](nd.array(points[:2]))
print('hidden', hidden.shape, '%.5f' % hidden.sum().asscalar())
