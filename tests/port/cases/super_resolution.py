"""Sub-pixel super resolution with group normalization, and PSNR before and after."""
import math

import mxnet as mx
import numpy as np
from mxnet import autograd as ag
from mxnet import gluon
from mxnet.gluon import nn
from mxnet.gluon.contrib.nn import HybridConcurrent, Identity, PixelShuffle2D

UPSCALE = 2
ctx = mx.cpu()
rng = np.random.RandomState(21)


class SuperResolutionNet(gluon.HybridBlock):
    def __init__(self, upscale_factor):
        super(SuperResolutionNet, self).__init__()
        with self.name_scope():
            self.conv1 = nn.Conv2D(8, (5, 5), strides=(1, 1), padding=(2, 2), in_channels=1)
            self.gn = nn.GroupNorm(num_groups=2)
            self.conv2 = nn.Conv2D(8, (3, 3), padding=(1, 1), in_channels=8)
            self.inorm = nn.InstanceNorm(in_channels=8)
            self.conv3 = nn.Conv2D(upscale_factor ** 2, (3, 3), padding=(1, 1), in_channels=8)
            self.pxshuf = PixelShuffle2D(upscale_factor)

    def hybrid_forward(self, F, x):
        x = F.LeakyReLU(self.gn(self.conv1(x)), act_type='leaky', slope=0.2)
        x = F.relu(self.inorm(self.conv2(x)))
        x = F.tanh(self.conv3(x))
        return self.pxshuf(x)


def images(n):
    ys, xs = np.mgrid[0:16, 0:16] / 16.0
    out = [np.sin(3 * a * xs + b) * np.cos(4 * b * ys) for a, b in rng.uniform(0.5, 2, (n, 2))]
    return mx.nd.array(np.stack(out)[:, None])


def fill(net, seed):
    w = np.random.RandomState(seed)
    for layer in (net.conv1, net.conv2, net.conv3):
        layer.weight.set_data(mx.nd.array(w.normal(0, 0.2, layer.weight.shape)))


def psnr(a, b):
    mse = ((a - b) ** 2).mean().asscalar()
    return 10 * math.log10(4.0 / mse)


high = images(24)
low = mx.nd.Pooling(high, kernel=(2, 2), stride=(2, 2), pool_type='avg')
net = SuperResolutionNet(UPSCALE)
net.initialize(mx.init.Orthogonal(), ctx=ctx)
fill(net, 5)
net.hybridize(static_alloc=True)
loss = gluon.loss.L2Loss()
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 5e-3})


def test():
    total = 0
    for i in range(16, 24, 4):
        total += psnr(net(low[i:i + 4].as_in_context(ctx)), high[i:i + 4])
    return total / 2


print('before %.3f dB' % test())
for epoch in range(4):
    for i in range(0, 16, 4):
        with ag.record():
            L = loss(net(low[i:i + 4]), high[i:i + 4])
            L.backward()
        trainer.step(4)
    print('epoch %d: loss %.5f, %.3f dB' % (epoch, L.mean().asscalar(), test()))

# branches side by side
mixed = HybridConcurrent(axis=1)
mixed.add(Identity())
mixed.add(nn.MaxPool2D(3, strides=1, padding=1))
mixed.initialize()
print('mixed', mixed(low[:2]).shape, '%.4f' % mixed(low[:2]).mean().asscalar())
