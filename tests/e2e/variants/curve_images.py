# 100 steps of a residual net on 32x32 images, augmented in a DataLoader, SGD with a cosine rate.
import random

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, init, lr_scheduler, nd
from mxnet.gluon import nn
from mxnet.gluon.data.vision import transforms

mx.random.seed(7)
np.random.seed(7)
random.seed(7)
ctx = mx.cpu()


def images(count):
    rng = np.random.RandomState(1)
    labels = rng.randint(0, 4, count)
    ramp = np.linspace(0, 1, 36)
    waves = [np.sin(6 * ramp)[:, None] + 0 * ramp, np.sin(6 * ramp) + 0 * ramp[:, None],
             np.outer(ramp, ramp), np.cos(9 * (ramp[:, None] + ramp))]
    pictures = np.stack([waves[label] for label in labels])[..., None] * [60, 90, 40] + 110
    pictures = pictures + rng.normal(0, 25, pictures.shape)
    return nd.array(pictures.clip(0, 255), dtype='uint8'), labels.astype('int32')


class Residual(nn.HybridBlock):
    def __init__(self, channels, stride=1, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.body = nn.HybridSequential(prefix='')
            self.body.add(nn.Conv2D(channels, 3, stride, 1, use_bias=False), nn.BatchNorm(),
                          nn.Activation('tanh'), nn.Conv2D(channels, 3, 1, 1, use_bias=False),
                          nn.BatchNorm())
            self.short = nn.Conv2D(channels, 1, stride) if stride > 1 else None

    def hybrid_forward(self, F, x):
        return F.tanh(self.body(x) + (x if self.short is None else self.short(x)))


augment = transforms.Compose([
    transforms.RandomResizedCrop(32, scale=(0.6, 1.0)),
    transforms.RandomFlipLeftRight(),
    transforms.RandomColorJitter(brightness=0.2, contrast=0.2, saturation=0.2),
    transforms.ToTensor(),
    transforms.Normalize([0.48, 0.45, 0.41], [0.23, 0.22, 0.22]),
])
data = gluon.data.ArrayDataset(*images(320)).transform_first(augment)
loader = gluon.data.DataLoader(data, batch_size=16, shuffle=True, last_batch='discard')

net = nn.HybridSequential()
with net.name_scope():
    net.add(nn.Conv2D(8, 3, 1, 1), nn.BatchNorm(), nn.Activation('tanh'), Residual(8),
            Residual(16, 2), nn.GlobalAvgPool2D(), nn.Flatten(), nn.Dense(4))
net.initialize(init.Xavier(), ctx=ctx)
net.hybridize()
rate = lr_scheduler.CosineScheduler(100, base_lr=0.02, final_lr=0.001, warmup_steps=10)
trainer = gluon.Trainer(net.collect_params(), 'sgd',
                        {'lr_scheduler': rate, 'momentum': 0.9, 'wd': 1e-4})
loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
accuracy = mx.metric.Accuracy()
step = 0
while step < 100:
    for x, y in loader:
        with autograd.record():
            scores = net(x.as_in_context(ctx))
            loss = loss_of(scores, y)
        loss.backward()
        trainer.step(x.shape[0])
        accuracy.update(y, scores)
        step += 1
        print('step %d loss %.6g' % (step, loss.mean().asscalar()))
    print('rate %.6g, %s %.4f' % (trainer.learning_rate, *accuracy.get()))
    accuracy.reset()
