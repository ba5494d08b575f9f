"""Data parallel training: a batch is split over devices, each computes its part of the gradient."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon import utils as gutils

rng = np.random.RandomState(44)
num_workers = max(mx.context.num_gpus(), 2)
ctx = [mx.gpu(i) for i in range(num_workers)] if mx.context.num_gpus() > 1 else [
    mx.cpu(0), mx.cpu(1)]
batch_size = 16 * len(ctx)
print('devices', len(ctx), 'batch', batch_size)

# Which quarter has the bright spot
pictures = rng.uniform(0, 0.5, size=(256, 1, 8, 8)).astype('float32')
quarter = rng.randint(0, 4, size=256)
for picture, q in zip(pictures, quarter):
    r, c = divmod(q, 2)
    picture[0, 4 * r + rng.randint(3), 4 * c + rng.randint(3)] += 2
train_set = gluon.data.ArrayDataset(nd.array(pictures[:192]), nd.array(quarter[:192]))
valid_set = gluon.data.ArrayDataset(nd.array(pictures[192:]), nd.array(quarter[192:]))
train_data = gluon.data.DataLoader(train_set, batch_size, shuffle=False, last_batch='keep')
valid_data = gluon.data.DataLoader(valid_set, batch_size)

net = nn.HybridSequential(prefix='parallel_')
with net.name_scope():
    net.add(nn.Conv2D(8, 3, padding=1, in_channels=1, activation='relu'))
    net.add(nn.MaxPool2D())
    net.add(nn.Flatten())
    net.add(nn.Dense(4, in_units=8 * 4 * 4))
net.initialize(mx.init.Xavier(rnd_type='gaussian', magnitude=2), ctx=ctx)
for param in net.collect_params().values():
    value = rng.normal(0, 0.2, size=param.shape) if param.shape[1:] else np.zeros(param.shape)
    param.set_data(nd.array(value))
print('weight', net[0].weight.list_data()[0].shape, net[0].weight.list_ctx()[0].device_type)
softmax_ce = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), 'nag', {'learning_rate': 0.1, 'momentum': 0.9},
                        kvstore='device')


def train_batch(batch, trainer):
    """One step; the losses of all devices, added up."""
    data = gutils.split_and_load(batch[0], ctx)
    label = gutils.split_and_load(batch[1], ctx)
    with autograd.record():
        losses = [softmax_ce(net(x), y) for x, y in zip(data, label)]
    for loss in losses:
        loss.backward()
    trainer.step(batch[0].shape[0])
    return sum(loss.sum().asscalar() for loss in losses)


def valid(batches):
    right = count = 0
    for data, label in batches:
        parts = zip(gutils.split_and_load(data, ctx_list=ctx, batch_axis=0, even_split=False),
                    gutils.split_and_load(label, ctx_list=ctx, even_split=False))
        for x, y in parts:
            guess = net(x).argmax(axis=1)
            right += (guess == y).sum().asscalar()
            count += y.shape[0]
    return right / count


for epoch in range(3):
    total = 0.0
    for batch in train_data:
        total += train_batch(batch, trainer)
    nd.waitall()
    print('epoch %d: loss %.5f, valid %.3f' % (epoch, total / len(train_set), valid(valid_data)))

# The same in one loop with an accuracy and outputs by device
metric = mx.metric.Accuracy()
for batch in train_data:
    data = gluon.utils.split_and_load(batch[0], ctx_list=ctx, batch_axis=0)
    label = gluon.utils.split_and_load(batch[1], ctx_list=ctx, batch_axis=0)
    outputs, Ls = [], []
    with autograd.record():
        for x, y in zip(data, label):
            z = net(x)
            L = softmax_ce(z, y)
            Ls.append(L)
            outputs.append(z)
    # backward of all, then one update
    autograd.backward(Ls)
    metric.update(label, outputs)
    trainer.step(batch[0].shape[0])
name, value = metric.get()
print('%s %.4f' % (name, value))
weight = net[0].weight.data(ctx[0])
bias = net[3].bias.data(ctx[-1])
print('weight %.5f bias %s' % (weight.norm().asscalar(), bias.asnumpy().round(4).tolist()))
parts = gutils.split_data(nd.arange(12).reshape((6, 2)), 3)
print('parts', [p.shape for p in parts], parts[2].asnumpy().tolist())
