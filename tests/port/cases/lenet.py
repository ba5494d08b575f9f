"""A convolutional net on small synthetic pictures of bars."""
import os
import tempfile
import time

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn

rng = np.random.RandomState(0)


def pictures(n):
    """Horizontal (0), vertical (1) and diagonal (2) bars, 1 x 16 x 16."""
    x = 0.1 * rng.rand(n, 1, 16, 16)
    y = rng.randint(0, 3, size=(n,))
    for i in range(n):
        k = rng.randint(3, 13)
        if y[i] == 0:
            x[i, 0, k] += 1
        elif y[i] == 1:
            x[i, 0, :, k] += 1
        else:
            x[i, 0] += np.eye(16, k=k - 8)
    return nd.array(x), nd.array(y)


def try_gpu():
    """The GPU if there is one."""
    try:
        ctx = mx.gpu()
        _ = nd.zeros((1,), ctx=ctx)
    except mx.base.MXNetError:
        ctx = mx.cpu()
    return ctx


ctx = try_gpu()
net = nn.HybridSequential()
net.add(nn.Conv2D(channels=6, kernel_size=5, padding=2, activation='relu'),
        nn.MaxPool2D(pool_size=2, strides=2),
        nn.Conv2D(channels=8, kernel_size=3, activation='relu'),
        nn.AvgPool2D(pool_size=2, strides=2),
        # Dense makes (batch, features) of (batch, channels, height, width)
        nn.Dense(24, activation='sigmoid'),
        nn.Dense(3))
net.initialize(init=init.Xavier(), ctx=ctx)
net.hybridize()

X = nd.random.uniform(shape=(1, 1, 16, 16))
for layer in net:
    X = layer(X)
    print('output shape:\t', X.shape)

for param in net.collect_params().values():
    if len(param.shape) > 1:
        fan_in = np.prod(param.shape[1:])
        param.set_data(nd.array(rng.normal(0, np.sqrt(2.0 / fan_in), param.shape)))
    else:
        param.set_data(nd.zeros(param.shape))

train_x, train_y = pictures(192)
test_x, test_y = pictures(64)
train_iter = gluon.data.DataLoader(gluon.data.ArrayDataset(train_x, train_y), batch_size=32)
test_iter = gluon.data.DataLoader(gluon.data.ArrayDataset(test_x, test_y), batch_size=32)


def right(scores, y):
    return (scores.argmax(axis=1) == y.astype('float32')).sum()


def share_right(batches):
    count, n = nd.array([0], ctx=ctx), 0
    for x, y in batches:
        x, y = x.as_in_context(ctx), y.as_in_context(ctx)
        count += right(net(x), y)
        n += y.size
    return count.asscalar() / n


loss = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.005})
for epoch in range(4):
    clock, total, hits, n = time.time(), 0.0, 0.0, 0
    for x, y in train_iter:
        x, y = x.as_in_context(ctx), y.as_in_context(ctx)
        with autograd.record():
            scores = net(x)
            l = loss(scores, y).sum()
        l.backward()
        trainer.step(32)
        total, hits, n = total + l.asscalar(), hits + right(scores, y).asscalar(), n + y.size
    assert time.time() >= clock
    print('epoch %d, loss %.4f, right %.3f, of the test set %.3f'
          % (epoch + 1, total / n, hits / n, share_right(test_iter)))

# Written to a file and read into a second net of the same make.
folder = tempfile.mkdtemp()
path = os.path.join(folder, 'lenet.params')
net.save_parameters(path)
clone = nn.HybridSequential()
clone.add(nn.Conv2D(6, 5, padding=2, activation='relu', in_channels=1),
          nn.MaxPool2D(2, 2),
          nn.Conv2D(8, 3, activation='relu', in_channels=6),
          nn.AvgPool2D(2, 2),
          nn.Dense(24, activation='sigmoid', in_units=8 * 3 * 3),
          nn.Dense(3, in_units=24))
clone.load_parameters(path, ctx=ctx)
gap = (clone(test_x) - net(test_x)).abs().max().asscalar()
print('the copy differs by %.1f' % gap)
os.remove(path)
