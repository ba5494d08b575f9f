import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

rng = np.random.RandomState(5)


class Shortcut(nn.HybridBlock):
    """Two convolutions and a way around them."""

    def __init__(self, channels, in_channels, stride=1, **kwargs):
        super(Shortcut, self).__init__(**kwargs)
        with self.name_scope():
            self.body = nn.HybridSequential(prefix='')
            self.body.add(nn.Conv2D(channels, 3, stride, 1, use_bias=False,
                                    in_channels=in_channels))
            self.body.add(nn.BatchNorm())
            self.body.add(nn.Activation('relu'))
            self.body.add(nn.Conv2D(channels, kernel_size=3, padding=1, use_bias=False))
            self.body.add(nn.BatchNorm())
            self.around = None
            if stride != 1:
                self.around = nn.Conv2D(channels, kernel_size=1, strides=stride,
                                        in_channels=in_channels)

    def hybrid_forward(self, F, x):
        residual = x if self.around is None else self.around(x)
        return F.Activation(self.body(x) + residual, act_type='relu')


class Net(nn.HybridBlock):
    """Stages of shortcuts, the later ones with more channels on fewer pixels."""

    def __init__(self, classes, widths=(8, 8, 16), verbose=False, **kwargs):
        super(Net, self).__init__(**kwargs)
        self.verbose = verbose
        with self.name_scope():
            self.stages = nn.HybridSequential()
            self.stages.add(nn.Conv2D(widths[0], 3, padding=1, in_channels=3))
            for stage, (before, width) in enumerate(zip(widths, widths[1:])):
                part = nn.HybridSequential()
                if stage == 0:
                    part.add(nn.MaxPool2D(pool_size=3, strides=2, padding=1))
                part.add(Shortcut(width, before, stride=stage + 1),
                         Shortcut(width, width))
                self.stages.add(part)
            head = nn.HybridSequential()
            head.add(nn.GlobalAvgPool2D(), nn.Dense(classes, in_units=widths[-1]))
            self.stages.add(head)

    def hybrid_forward(self, F, x):
        for number, stage in enumerate(self.stages):
            x = stage(x)
            if self.verbose:
                print('stage %d gives %s' % (number, x.shape))
        return x


def fill(net):
    for name, p in net.collect_params().items():
        if name.endswith('gamma') or name.endswith('running_var'):
            p.set_data(nd.ones(p.shape))
        elif len(p.shape) == 1:
            p.set_data(nd.zeros(p.shape))
        else:
            p.set_data(nd.array(rng.normal(0, 0.15, size=p.shape)))


net = Net(4, verbose=True)
net.initialize()
y = net(nd.array(rng.rand(4, 3, 16, 16)))
print('output', y.shape)
net.verbose = False
fill(net)
net.hybridize()

images = rng.rand(96, 3, 16, 16)
classes = (images[:, 0, :8].mean(axis=(1, 2)) > 0.5) * 2 + (images[:, 1].mean(axis=(1, 2)) > 0.5)
for i, k in enumerate(classes):
    images[i, k % 3] += 0.25 * (k + 1)
batch_size = 48
data = gluon.data.DataLoader(
    gluon.data.ArrayDataset(images.astype('float32'), classes.astype('float32')), batch_size)
loss = gluon.loss.SoftmaxCrossEntropyLoss()
scheduler = mx.lr_scheduler.FactorScheduler(step=4, factor=0.5, base_lr=0.05)
trainer = gluon.Trainer(net.collect_params(), 'sgd',
                        {'lr_scheduler': scheduler})
for epoch in range(4):
    total = 0.0
    correct = 0
    for x, label in data:
        with autograd.record():
            out = net(x)
            l = loss(out, label)
        l.backward()
        trainer.step(x.shape[0])
        total += l.mean().asscalar()
        correct += (out.argmax(axis=1) == label).sum().asscalar()
    print('epoch %d: loss %.5f, right %d, lr %.4f'
          % (epoch, total / len(data), correct, trainer.learning_rate))

n_weights = sum(np.prod(p.shape) for p in net.collect_params().values() if p.grad_req != 'null')
print('trained weights', n_weights)
