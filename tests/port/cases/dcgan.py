"""Two nets against each other: one draws blobs, the other tells drawn ones from real ones."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

rng = np.random.RandomState(99)
ctx = mx.cpu()
BATCH, NOISE = 24, 10


def blobs(n):
    """Bright blobs, 3 x 16 x 16, from -1 to 1; of a colour each."""
    rows, columns = np.mgrid[0:16, 0:16]
    at = rng.uniform(5, 11, size=(n, 2, 1, 1))
    far = (rows - at[:, 0]) ** 2 + (columns - at[:, 1]) ** 2
    colour = rng.uniform(0.5, 1, size=(n, 3, 1, 1))
    return (2 * colour * np.exp(-far / 10.0)[:, None] - 1).astype('float32')


def doubling(channels, in_channels):
    """One step of the generator: twice the size."""
    step = nn.HybridSequential()
    step.add(nn.Conv2DTranspose(channels, 4, 2, 1, use_bias=False, in_channels=in_channels))
    step.add(nn.BatchNorm(in_channels=channels))
    step.add(nn.Activation('relu'))
    return step


generator = nn.HybridSequential()
generator.add(nn.Conv2DTranspose(16, 4, 1, 0, use_bias=False, in_channels=NOISE))
generator.add(nn.BatchNorm(in_channels=16))
generator.add(nn.Activation('relu'))       # 16 x 4 x 4
generator.add(doubling(8, 16))                       # 8 x 8 x 8
generator.add(nn.Conv2DTranspose(3, 4, strides=2, padding=1, use_bias=False, in_channels=8))
generator.add(nn.Activation('tanh'))       # 3 x 16 x 16

critic = nn.HybridSequential()
with critic.name_scope():
    critic.add(nn.Conv2D(8, 4, 2, 1, use_bias=False, in_channels=3))
    critic.add(nn.LeakyReLU(0.2))
    critic.add(nn.Conv2D(16, 4, 2, 1, use_bias=False, in_channels=8))
    critic.add(nn.BatchNorm(epsilon=1e-4, momentum=0.8, in_channels=16))
    critic.add(nn.LeakyReLU(alpha=0.2))
    critic.add(nn.Flatten())
    critic.add(nn.Dense(1, use_bias=False, in_units=16 * 4 * 4))

generator.initialize(mx.init.Normal(0.02), ctx=ctx)
critic.initialize(mx.init.Normal(0.02), ctx=ctx)
for net in (generator, critic):
    for p in net.collect_params('.*_weight').values():
        p.set_data(nd.array(rng.normal(0, 0.05, size=p.shape)))
generator.hybridize()
critic.hybridize()

loss = gluon.loss.SigmoidBinaryCrossEntropyLoss()
opt = {'learning_rate': 0.002, 'beta1': 0.5}
generator_trainer = gluon.Trainer(generator.collect_params(), 'adam', opt)
critic_trainer = gluon.Trainer(critic.collect_params(), 'adam', opt)
ones, zeros = nd.ones((BATCH,), ctx=ctx), nd.zeros((BATCH,), ctx=ctx)
real = blobs(96)


metric = mx.metric.Loss('critic')
for epoch in range(2):
    metric.reset()
    for start in range(0, len(real), BATCH):
        picture = nd.array(real[start:start + BATCH], ctx=ctx)
        noise = nd.array(rng.normal(size=(BATCH, NOISE, 1, 1)), ctx=ctx)

        # the critic, on pictures of both kinds
        drawn = generator(noise).detach()
        with autograd.record():
            on_real = critic(picture)
            on_drawn = critic(drawn)
            critic_loss = loss(on_real, ones) + loss(on_drawn, zeros)
        critic_loss.backward()
        critic_trainer.step(BATCH)
        metric.update(None, [critic_loss])

        # the generator, which wants its pictures taken for real
        with autograd.record():
            generator_loss = loss(critic(generator(noise)), ones)
        generator_loss.backward()
        generator_trainer.step(BATCH)
    name, value = metric.get()
    print('epoch %d: generator %.4f %s %.4f' % (
        epoch, generator_loss.mean().asscalar(), name, value))

with autograd.train_mode():
    drawn = generator(noise)
print('drawn', drawn.shape, 'from %.3f to %.3f' % (
    drawn.min().asscalar(), drawn.max().asscalar()))
print('columns', ' '.join('%.3f' % v for v in drawn.mean(axis=(0, 1, 2)).asnumpy()[:8]))
