"""Batch normalization by hand, as a function and then as a block."""
import numpy as np
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn

rng = np.random.RandomState(8)


def normalize(x, scale, shift, mean, variance, keep=0.9, tiny=1e-5):
    """The normalized batch, and the averages after it."""
    if autograd.is_training():
        axes = 0 if len(x.shape) == 2 else (0, 2, 3)  # one mean for each channel
        here = x.mean(axis=axes, keepdims=True)
        spread = ((x - here) ** 2).mean(axis=axes, keepdims=True)
        out = (x - here) / nd.sqrt(spread + tiny)
        mean = keep * mean + (1.0 - keep) * here
        variance = keep * variance + (1.0 - keep) * spread
    else:
        # averages of the batches seen, not of this one
        out = (x - mean) / nd.sqrt(variance + tiny)
    return scale * out + shift, mean, variance


class Normalized(nn.Block):
    """`normalize` with its arrays."""

    def __init__(self, features, axes, **kwargs):
        super(Normalized, self).__init__(**kwargs)
        shape = (1, features) + (1,) * (axes - 2)
        with self.name_scope():
            # learned
            self.gamma = self.params.get('gamma', shape=shape, init=init.One())
            self.beta = self.params.get('beta', shape=shape, init=init.Zero())
        # not learned
        self.average = nd.zeros(shape)
        self.variance = nd.ones(shape)

    def forward(self, x):
        if self.average.context != x.context:
            self.average = self.average.copyto(x.context)
            self.variance = self.variance.copyto(x.context)
        out, self.average, self.variance = normalize(
            x, self.gamma.data(), self.beta.data(), self.average, self.variance)
        return out


A = nd.array([[1.0, 7.0], [5.0, 4.0], [6.0, 10.0]])
with autograd.train_mode():
    out, mm, mv = normalize(A, nd.array([1.0, 1.0]), nd.array([0.0, 0.0]),
                            nd.zeros((1, 2)), nd.ones((1, 2)), keep=0.8)
print(out.asnumpy().round(4).tolist())
print(mm.asnumpy().round(4).tolist(), mv.asnumpy().round(4).tolist())

net = nn.Sequential()
net.add(nn.Conv2D(4, kernel_size=3, in_channels=1),
        Normalized(4, axes=4),
        nn.Activation('sigmoid'),
        nn.MaxPool2D(pool_size=2, strides=2),
        nn.Dense(12),
        Normalized(12, axes=2),
        nn.Activation('relu'),
        nn.Dense(2))
net.initialize()
net(nd.zeros((2, 1, 10, 10)))
for layer in (net[0], net[4], net[7]):
    layer.weight.set_data(nd.array(rng.normal(0, 0.2, size=layer.weight.shape)))
    layer.bias.set_data(nd.zeros(layer.bias.shape))

x = rng.randn(100, 1, 10, 10)
y = (x[:, 0, 2:5, 2:5].sum(axis=(1, 2)) > 0).astype('float32')
data = gluon.data.DataLoader(
    gluon.data.ArrayDataset(nd.array(x), nd.array(y)), batch_size=20, shuffle=False)
loss = gluon.loss.SoftmaxCELoss()
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.5})
for epoch in range(5):
    running = 0.0
    for X, label in data:
        with autograd.record():
            l = loss(net(X), label)
        l.backward()
        trainer.step(20)
        running += nd.mean(l).asscalar()
    print('epoch %d loss %.5f' % (epoch + 1, running / 5))

bn = net[1]
print('gamma', bn.gamma.data().reshape((-1,)).asnumpy().round(4).tolist())
print('beta', bn.beta.data().reshape((-1,)).asnumpy().round(4).tolist())
print('moving', bn.average.reshape((4,)).asnumpy().round(4).tolist())
guess = net(nd.array(x[:50])).argmax(axis=1).asnumpy()
print('predict mode, right: %.2f' % (guess == y[:50]).mean())
