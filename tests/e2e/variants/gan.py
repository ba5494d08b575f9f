"""A generator and a discriminator: two trainers, detached fakes, labels of ones and zeros."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


for hybrid in (False, True):
    mx.random.seed(90)
    np.random.seed(90)
    X = nd.random.normal(shape=(60, 2))
    A = nd.array([[1, 2], [-0.1, 0.5]])
    data = nd.dot(X, A) + nd.array([1, 2])
    loader = gluon.data.DataLoader(data, batch_size=20, shuffle=True)
    net_g = nn.HybridSequential(prefix='g_')
    with net_g.name_scope():
        net_g.add(nn.Dense(2))
    net_d = nn.HybridSequential(prefix='d_')
    with net_d.name_scope():
        net_d.add(nn.Dense(5, activation='tanh'), nn.Dense(3, activation='tanh'), nn.Dense(1))
    net_g.initialize(mx.init.Normal(0.02))
    net_d.initialize(mx.init.Normal(0.02))
    if hybrid:
        net_g.hybridize()
        net_d.hybridize()
    loss = gluon.loss.SigmoidBCELoss()
    trainer_d = gluon.Trainer(net_d.collect_params(), 'adam', {'learning_rate': 0.02})
    trainer_g = gluon.Trainer(net_g.collect_params(), 'adam', {'learning_rate': 0.005})
    for epoch in range(3):
        sum_d, sum_g = 0.0, 0.0
        for real in loader:
            n = real.shape[0]
            z = nd.random.normal(0, 1, shape=(n, 2))
            ones, zeros = nd.ones((n,)), nd.zeros((n,))
            with autograd.record():
                real_y = net_d(real)
                fake = net_g(z)
                fake_y = net_d(fake.detach())
                loss_d = (loss(real_y, ones) + loss(fake_y, zeros)) / 2
            loss_d.backward()
            trainer_d.step(n)
            with autograd.record():
                fake = net_g(z)
                loss_g = loss(net_d(fake), ones)
            loss_g.backward()
            trainer_g.step(n)
            sum_d += loss_d.sum().asscalar()
            sum_g += loss_g.sum().asscalar()
        show('epoch %d' % epoch, [sum_d / 60, sum_g / 60])
    show('generated', net_g(nd.random.normal(shape=(3, 2))).asnumpy())
