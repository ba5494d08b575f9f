"""Saving and loading parameters and trainer states, in the middle of training and across nets."""
import os
import tempfile

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


folder = tempfile.mkdtemp()


def path(name):
    return os.path.join(folder, name)


def build(prefix=None):
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Conv2D(3, 3, activation='tanh'), nn.BatchNorm(), nn.Flatten(), nn.Dense(4))
    return net


def steps(net, trainer, x, n):
    curve = []
    for _ in range(n):
        with autograd.record():
            loss = (net(x) ** 2).mean()
        loss.backward()
        trainer.step(1)
        curve.append(loss.asscalar())
    return curve


for optimizer in ('sgd', 'adam'):
    mx.random.seed(40)
    net = build()
    net.initialize(mx.init.Xavier())
    x = nd.random.normal(shape=(5, 2, 6, 6))
    options = {'learning_rate': 0.05, 'wd': 0.001}
    if optimizer == 'sgd':
        options['momentum'] = 0.9
    trainer = gluon.Trainer(net.collect_params(), optimizer, options)
    show(optimizer + ' first', steps(net, trainer, x, 4))
    net.save_parameters(path('net.params'))
    trainer.save_states(path('net.states'))
    show(optimizer + ' on', steps(net, trainer, x, 3))

    other = build()
    other.load_parameters(path('net.params'))
    again = gluon.Trainer(other.collect_params(), optimizer, options)
    steps(other, again, x, 1)
    other.load_parameters(path('net.params'))
    again.load_states(path('net.states'))
    show(optimizer + ' resumed', steps(other, again, x, 3))

loaded = nd.load(path('net.params'))
for name in sorted(loaded):
    print(name, loaded[name].shape, np.dtype(loaded[name].dtype).name)

net = build('a_')
net.load_parameters(path('net.params'), ctx=mx.cpu(1))
show('other context', net(x.as_in_context(mx.cpu(1))).asnumpy()[0])
net.hybridize()
show('hybridized after', net(x.as_in_context(mx.cpu(1))).asnumpy()[0])
net.collect_params().save(path('full.params'))
print(sorted(nd.load(path('full.params'))))
net.collect_params().save(path('stripped.params'), strip_prefix='a_')
print(sorted(nd.load(path('stripped.params'))))
twin = build('b_')
twin.collect_params().load(path('stripped.params'), restore_prefix='b_')
show('restored', twin(x).asnumpy()[0])

small = nn.HybridSequential()
small.add(nn.Conv2D(3, 3, activation='tanh'))
try:
    small.load_parameters(path('net.params'))
except ValueError:
    print('extra refused')
small.load_parameters(path('net.params'), ignore_extra=True)
show('extra ignored', small(x).asnumpy().ravel()[:4])
larger = build()
larger.add(nn.Dense(2))
try:
    larger.load_parameters(path('net.params'))
except AssertionError:
    print('missing refused')
larger.load_parameters(path('net.params'), allow_missing=True)
larger[4].initialize(mx.init.One())
show('missing allowed', larger(x).asnumpy()[0])
wrong = nn.HybridSequential()
wrong.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Flatten(), nn.Dense(4))
try:
    wrong.load_parameters(path('net.params'))
    wrong(x)
except (AssertionError, ValueError, mx.MXNetError):
    print('shape refused')

mx.random.seed(41)
lstm = rnn.LSTM(3, 2, input_size=2)
lstm.initialize(mx.init.Uniform(0.3))
seq = nd.random.normal(shape=(4, 2, 2))
lstm.save_parameters(path('lstm.params'))
twin = rnn.LSTM(3, 2, input_size=2)
twin.load_parameters(path('lstm.params'))
show('lstm', (lstm(seq) - twin(seq)).abs().sum().asnumpy())
print(sorted(nd.load(path('lstm.params'))))

nd.save(path('dict'), {'x': seq[0], 'y': nd.array([1, 2], dtype='int32')})
back = nd.load(path('dict'))
show('dict', back['x'].asnumpy())
print(sorted(back), np.dtype(back['y'].dtype).name)
half = build()
half.load_parameters(path('net.params'))
half.cast('float16')
print([np.dtype(p.dtype).name for p in half.collect_params().values()])
half.save_parameters(path('half.params'))
double = build()
double.load_parameters(path('half.params'), cast_dtype=True)
show('from half', np.round(double(x).asnumpy()[0], 2))
