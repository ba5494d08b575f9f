"""The oldest way: FeedForward models of symbols, fitted to arrays."""
import logging
import os
import tempfile

import mxnet as mx
import numpy as np

logging.getLogger().setLevel(logging.ERROR)
mx.random.seed(1)
np.random.seed(1)


def two_moons(n, rng):
    t = rng.uniform(0, np.pi, size=n)
    label = rng.randint(0, 2, size=n)
    x = np.where(label, 1 - np.cos(t), np.cos(t)) + rng.normal(0, 0.08, n)
    y = np.where(label, 0.5 - np.sin(t), np.sin(t)) + rng.normal(0, 0.08, n)
    return np.stack([x, y], axis=1).astype(np.float32), label.astype(np.float32)


def get_mlp(hidden=(16, 8)):
    net = mx.symbol.Variable('data')
    for i, size in enumerate(hidden):
        net = mx.symbol.FullyConnected(data=net, num_hidden=size, name='fc%d' % i)
        net = mx.symbol.Activation(data=net, act_type='tanh', name='act%d' % i)
    net = mx.symbol.FullyConnected(data=net, num_hidden=2, name='out')
    return mx.symbol.SoftmaxOutput(data=net, name='softmax')


class FromNumPy(mx.init.Initializer):
    """The same numbers wherever the program runs."""

    def __init__(self, seed):
        super(FromNumPy, self).__init__(seed=seed)
        self.rng = np.random.RandomState(seed)

    def _init_weight(self, name, arr):
        arr[:] = self.rng.uniform(-0.7, 0.7, size=arr.shape)


rng = np.random.RandomState(4)
x, y = two_moons(200, rng)
x_test, y_test = two_moons(80, rng)
train = mx.io.NDArrayIter(x, y, batch_size=40, shuffle=False)
test = mx.io.NDArrayIter(x_test, y_test, batch_size=40)

model = mx.model.FeedForward(
    symbol=get_mlp(),
    ctx=mx.cpu(),
    num_epoch=12,
    learning_rate=0.5,
    momentum=0.9,
    wd=0.0001,
    initializer=FromNumPy(9))
model.fit(X=train, eval_data=test, eval_metric='accuracy',
          batch_end_callback=mx.callback.Speedometer(40, 100))
prob = model.predict(test)
print(type(prob).__name__, prob.shape)
print('right %d of %d' % ((prob.argmax(axis=1) == y_test).sum(), len(y_test)))
print('log loss %.3f' % -np.log(prob[np.arange(80), y_test.astype(int)]).mean())
print('score %.3f' % model.score(test))

prefix = os.path.join(tempfile.mkdtemp(), 'moons')
model.save(prefix, 12)
loaded = mx.model.FeedForward.load(prefix, 12, ctx=mx.cpu())
again = loaded.predict(test)
print('the same', np.abs(again - prob).max() < 1e-5)
print('shapes', sorted(value.shape for value in model.arg_params.values()), model.aux_params)
