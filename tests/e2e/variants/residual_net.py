"""A small residual network with SGD, momentum, weight decay, and a fresh copy for evaluation."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


class Residual(nn.HybridBlock):
    def __init__(self, channels, use_1x1conv=False, strides=1, **kwargs):
        super(Residual, self).__init__(**kwargs)
        self.conv1 = nn.Conv2D(channels, kernel_size=3, padding=1, strides=strides)
        self.conv2 = nn.Conv2D(channels, kernel_size=3, padding=1)
        self.conv3 = nn.Conv2D(channels, kernel_size=1, strides=strides) if use_1x1conv else None
        self.bn1 = nn.BatchNorm()
        self.bn2 = nn.BatchNorm()

    def hybrid_forward(self, F, X):
        Y = F.tanh(self.bn1(self.conv1(X)))
        Y = self.bn2(self.conv2(Y))
        if self.conv3:
            X = self.conv3(X)
        return F.tanh(Y + X)


def build():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, kernel_size=3, padding=1), nn.BatchNorm(), nn.Activation('tanh'),
            Residual(4), Residual(8, use_1x1conv=True, strides=2), nn.GlobalAvgPool2D(), nn.Dense(3))
    return net


for hybrid in (True, False):
    mx.random.seed(71)
    np.random.seed(71)
    net = build()
    net.initialize(mx.init.Xavier())
    if hybrid:
        net.hybridize(static_alloc=False)
    x = nd.random.normal(shape=(30, 3, 8, 8))
    y = nd.argmax(x[:, :, 2:6, 2:6].mean(axis=(2, 3)), axis=1)
    trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.05, 'momentum': 0.9, 'wd': 5e-4})
    loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
    loader = gluon.data.DataLoader(gluon.data.ArrayDataset(x, y), 10, shuffle=True)
    for epoch in range(4):
        total, right = 0, 0
        for X, Y in loader:
            with autograd.record():
                out = net(X)
                loss = loss_fn(out, Y)
            loss.backward()
            trainer.step(10)
            total += loss.sum().asscalar()
            right += (out.argmax(axis=1) == Y).sum().asscalar()
        show('epoch %d' % epoch, [total / 30, right / 30])
    out = net(x[:3])
    show('output', out.asnumpy())
    show('running', [p.data().mean().asscalar() for p in net.collect_params('.*running_mean').values()])
    show('var', [p.data().mean().asscalar() for p in net.collect_params('.*running_var').values()])
    for i, layer in enumerate(net):
        x = layer(x[:2])
        print(i, type(layer).__name__, x.shape)
