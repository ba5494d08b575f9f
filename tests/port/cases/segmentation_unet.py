"""Segmentation: an encoder and a decoder with skips, a loss for each pixel, and the overlap as score."""
from mxnet import gluon, nd, autograd, init
from mxnet.gluon import nn
import mxnet as mx
import numpy as np

rng = np.random.RandomState(73)
SIZE = 16


def scenes(n):
    """Noise with a rectangle (1) and a bar (2) in it, and the mask."""
    pictures = 0.3 * rng.normal(size=(n, 2, SIZE, SIZE))
    masks = np.zeros((n, SIZE, SIZE))
    for k in range(n):
        r, c = rng.randint(1, 9, size=2)
        masks[k, r:r + 5, c:c + 6] = 1
        masks[k, :, rng.randint(SIZE)] = 2
        pictures[k, 0] += masks[k] == 1
        pictures[k, 1] += masks[k] == 2
    return nd.array(pictures), nd.array(masks)


class Twice(nn.HybridBlock):
    """Two convolutions, each normalized."""

    def __init__(self, channels, in_channels, **kwargs):
        super(Twice, self).__init__(**kwargs)
        self.a = nn.Conv2D(channels, 3, padding=1, in_channels=in_channels)
        self.b = nn.Conv2D(channels, 3, padding=1, in_channels=channels)
        self.norm = nn.InstanceNorm(in_channels=channels, scale=True)

    def hybrid_forward(self, F, x):
        x = F.LeakyReLU(self.a(x), slope=0.1)
        return F.relu(self.norm(self.b(x)))


class UNet(nn.HybridBlock):
    def __init__(self, classes, width=8, **kwargs):
        super(UNet, self).__init__(**kwargs)
        with self.name_scope():
            self.down1 = Twice(width, 2)
            self.down2 = Twice(2 * width, width)
            self.pool = nn.MaxPool2D(2)
            self.bottom = nn.Conv2D(2 * width, 3, padding=2, dilation=2, in_channels=2 * width)
            self.up = nn.Conv2DTranspose(width, 2, strides=2, in_channels=2 * width)
            self.last = Twice(width, 2 * width)
            self.classes = nn.Conv2D(classes, kernel_size=1, in_channels=width)

    def hybrid_forward(self, F, x):
        fine = self.down1(x)
        coarse = self.down2(self.pool(fine))
        coarse = F.Activation(self.bottom(coarse), 'tanh') + coarse
        wide = self.up(coarse)
        # the skip, channels beside channels
        x = self.last(F.concat(fine, wide, dim=1))
        return self.classes(x)


train_x, train_y = scenes(48)
test_x, test_y = scenes(16)
net = UNet(3)
net.initialize(init.MSRAPrelu())
for name, p in net.collect_params().items():
    if name.endswith('weight'):
        bound = (6.0 / (np.prod(p.shape[1:]) + np.prod(p.shape[2:]) * p.shape[0])) ** 0.5
        p.set_data(nd.array(rng.uniform(-bound, bound, size=p.shape)))
net.hybridize(static_alloc=True)

pixel_loss = gluon.loss.SoftmaxCrossEntropyLoss(axis=1)
trainer = gluon.Trainer(net.collect_params(), 'nag', {'learning_rate': 0.1, 'momentum': 0.9, 'wd': 1e-4})


def overlap(mask, guess, classes=3):
    """Intersection over union, by class."""
    found = []
    for k in range(classes):
        a, b = mask == k, guess == k
        both = (a * b).sum()
        either = nd.broadcast_maximum(a, b).sum()
        found.append((both / either).asscalar())
    return found


for epoch in range(4):
    total = 0
    for i in range(0, 48, 12):
        with autograd.record():
            scores = net(train_x[i:i + 12])
            loss = pixel_loss(scores, train_y[i:i + 12])
        loss.backward()
        trainer.step(12)
        total += loss.mean().asscalar() / 4
    guess = nd.argmax(net(test_x), axis=1)
    right = (guess == test_y).mean().asscalar()
    print('epoch %d: loss %.4f, right %.4f' % (epoch, total, right))
print('overlap', ' '.join('%.3f' % v for v in overlap(test_y, guess)))
probabilities = nd.softmax(net(test_x[:2]), axis=1)
print('certain %.4f' % probabilities.max(axis=1).mean().asscalar(), probabilities.shape)

# Where a convolution and its transpose are each other's counterpart
conv = nn.Conv2D(4, 3, strides=2, padding=1, groups=2, in_channels=2, use_bias=False)
back = nn.Conv2DTranspose(2, 3, strides=2, padding=1, output_padding=1, groups=2, in_channels=4)
for block in (conv, back):
    block.initialize(mx.init.Constant(0.1))
small = conv(test_x[:1])
print('there', small.shape, 'and back', back(small).shape, '%.4f' % back(small).sum().asscalar())
pooled = nn.AvgPool2D(3, strides=2, padding=1, count_include_pad=False)(test_x[:1])
whole = nn.GlobalMaxPool2D()(test_x[:1])
print('pooled', pooled.shape, '%.4f' % pooled.sum().asscalar(), whole.shape, '%.4f' % whole.mean().asscalar())
