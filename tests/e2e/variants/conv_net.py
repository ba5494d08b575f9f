"""Convolutions, BatchNorm, pooling and Dropout, hybridized and not, on made-up images."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


def build(dropout):
    net = nn.HybridSequential(prefix='conv_')
    with net.name_scope():
        net.add(nn.Conv2D(6, kernel_size=3, padding=1, use_bias=False),
                nn.BatchNorm(momentum=0.8, epsilon=1e-4),
                nn.Activation('tanh'),
                nn.AvgPool2D(2, 2),
                nn.Conv2D(8, kernel_size=(3, 2), strides=(1, 2), padding=(1, 0), activation='sigmoid'),
                nn.BatchNorm(scale=False),
                nn.Dropout(dropout),
                nn.GlobalAvgPool2D(),
                nn.Flatten(),
                nn.Dense(12, activation='softrelu'),
                nn.Dropout(dropout),
                nn.Dense(4))
    return net


def train(hybrid, dropout, optimizer='sgd', epochs=4):
    mx.random.seed(31)
    np.random.seed(31)
    images = nd.random.uniform(shape=(48, 3, 8, 8))
    labels = (images[:, 0].mean(axis=(1, 2)) * 40).astype('int32').astype('float32') % 4
    net = build(dropout)
    net.initialize(mx.init.Xavier(magnitude=2.24))
    if hybrid:
        net.hybridize()
    loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), optimizer, {'learning_rate': 0.05})
    loader = gluon.data.DataLoader(gluon.data.ArrayDataset(images, labels), 16, shuffle=True)
    metric = mx.metric.Accuracy()
    for epoch in range(epochs):
        total = 0
        metric.reset()
        for x, y in loader:
            with autograd.record():
                out = net(x)
                loss = loss_fn(out, y)
            loss.backward()
            trainer.step(x.shape[0])
            metric.update(y, out)
            total += loss.sum().asscalar()
        show('epoch %d' % epoch, [total / 48, metric.get()[1]])
    return net, images


for hybrid in (False, True):
    for dropout in (0, 0.3):
        print('hybrid', hybrid, 'dropout', dropout)
        net, images = train(hybrid, dropout)
        show('output', net(images[:2]).asnumpy())
        for name, p in net.collect_params('.*running.*').items():
            show(name, p.data().asnumpy()[:6])
net, images = train(True, 0.2, 'nag', 3)
show('nag output', net(images[:2]).asnumpy())
with autograd.predict_mode():
    show('predict', net(images[2:3]).asnumpy())
with autograd.train_mode():
    show('train mode', net(images[:4]).shape)
for name, p in net.collect_params().items():
    print(name, p.shape, p.grad_req)
