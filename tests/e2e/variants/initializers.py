"""First values of weights under every initializer, in draws' order."""
import mxnet as mx
import numpy as np
from mxnet import nd
from mxnet.gluon import nn, rnn


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


def weights(init, seed=9):
    mx.random.seed(seed)
    net = nn.Sequential()
    net.add(nn.Conv2D(4, 3, in_channels=2), nn.BatchNorm(in_channels=4), nn.Dense(5, in_units=6),
            nn.Embedding(3, 2), nn.Conv2DTranspose(2, 2, in_channels=4))
    if init is None:
        net.initialize()
    else:
        net.initialize(init)
    return net


UNIFORM = [
    ('default', None),
    ('uniform', mx.init.Uniform()),
    ('uniform 0.3', mx.init.Uniform(0.3)),
    ('string xavier', 'xavier'),
    ('string uniform', 'uniform'),
    ('xavier', mx.init.Xavier()),
    ('xavier in', mx.init.Xavier(factor_type='in', magnitude=2.34)),
    ('xavier out', mx.init.Xavier(rnd_type='uniform', factor_type='out', magnitude=1)),
]
for name, init in UNIFORM:
    for key, p in weights(init).collect_params().items():
        show('draw %s %s' % (name, key.split('_', 1)[1]), p.data().asnumpy().ravel()[:6])
NORMAL = [
    ('normal', mx.init.Normal()),
    ('normal 0.5', mx.init.Normal(0.5)),
    ('xavier gaussian', mx.init.Xavier(rnd_type='gaussian', factor_type='avg', magnitude=2)),
    ('msra', mx.init.MSRAPrelu()),
    ('msra in', mx.init.MSRAPrelu(factor_type='in', slope=0)),
    ('orthogonal', mx.init.Orthogonal()),
]
for name, init in NORMAL:
    for key, p in weights(init).collect_params().items():
        if key.endswith('weight') and not (name == 'orthogonal' and 'embedding' in key):
            show('%s %s' % (name, key.split('_', 1)[1]), abs(p.data().asnumpy().ravel()[:6]))
for name, init in (('one', mx.init.One()), ('zero', mx.init.Zero()), ('constant', mx.init.Constant(2.5)),
                   ('zeros', 'zeros'), ('ones', 'ones')):
    for key, p in weights(init).collect_params().items():
        show('draw %s %s' % (name, key.split('_', 1)[1]), p.data().asnumpy().ravel()[:2])

# per-layer initializers, and the order in which deferred layers draw
mx.random.seed(1)
net = nn.HybridSequential()
net.add(nn.Dense(3, weight_initializer=mx.init.Constant(0.1), bias_initializer='ones'), nn.Dense(2),
        nn.Dense(2, weight_initializer='normal'))
net.initialize(mx.init.Uniform(1))
net(nd.ones((1, 4)))
for key, p in net.collect_params().items():
    show('draw deferred %s' % key.split('_', 1)[1], p.data().asnumpy().ravel()[:4])
for hybrid in (False, True):
    mx.random.seed(2)
    net = nn.HybridSequential()
    net.add(nn.Dense(3), nn.Dropout(0.5), nn.Dense(2))
    net.initialize()
    if hybrid:
        net.hybridize()
    with mx.autograd.record():
        net(nd.ones((2, 4)))
    for key, p in net.collect_params().items():
        show('draw deferred dropout hybrid=%d' % hybrid, p.data().asnumpy().ravel()[:4])
mx.random.seed(4)
lstm = rnn.LSTM(3, input_size=2, i2h_bias_initializer=mx.init.LSTMBias(forget_bias=2.0))
lstm.initialize(mx.init.Xavier())
for key, p in lstm.collect_params().items():
    show('draw lstm %s' % key.split('_', 1)[1], p.data().asnumpy().ravel()[:12])
up = nn.Conv2DTranspose(2, 4, strides=2, padding=1, in_channels=2, weight_initializer=mx.init.Bilinear())
up.initialize()
show('draw bilinear', up.weight.data().asnumpy()[0, 0])

# twice, and by force
net = nn.Dense(2, in_units=2)
mx.random.seed(5)
net.initialize()
first = net.weight.data().asnumpy()
net.initialize(mx.init.One())
show('draw again', net.weight.data().asnumpy() - first)
net.initialize(mx.init.One(), force_reinit=True)
show('draw forced', net.weight.data().asnumpy())
net.weight.set_data(nd.array([[1, 2], [3, 4]]))
show('draw set_data', net(nd.ones((1, 2))).asnumpy())
