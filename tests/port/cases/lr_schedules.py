"""Learning rates that change: schedulers by themselves, in trainers, and multipliers by layer."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, lr_scheduler, nd
from mxnet.gluon import nn

rng = np.random.RandomState(60)
x = nd.array(rng.normal(size=(64, 5)))
y = nd.dot(x, nd.array(rng.normal(size=(5, 1)))) + 0.5


class Triangle(object):
    """Up and down again; a scheduler of one's own is anything that can be called."""

    def __init__(self, low, high, length):
        self.low, self.high, self.length = low, high, length

    def __call__(self, iteration):
        place = (iteration % self.length) / float(self.length)
        share = 2 * place if place < 0.5 else 2 * (1 - place)
        return self.low + share * (self.high - self.low)


def listed(schedule, updates=(1, 2, 3, 5, 8, 9, 10, 11, 14, 20)):
    return ' '.join('%.5f' % schedule(k) for k in updates)


factor = lr_scheduler.FactorScheduler(step=4, factor=0.5, base_lr=0.2, stop_factor_lr=0.06)
multi = lr_scheduler.MultiFactorScheduler(step=[3, 9], factor=0.1, base_lr=0.5)
poly = mx.lr_scheduler.PolyScheduler(max_update=12, base_lr=0.3, pwr=2)
cosine = mx.lr_scheduler.CosineScheduler(max_update=15, base_lr=0.4, final_lr=0.04, warmup_steps=5,
                                         warmup_begin_lr=0.1)
print('factor  ', listed(factor))
print('multi   ', listed(multi))
print('poly    ', listed(poly))
print('cosine  ', listed(cosine))
print('triangle', listed(Triangle(0.1, 0.3, 8)))


def build():
    net = nn.HybridSequential()
    net.add(nn.Dense(6, in_units=5, activation='tanh'), nn.Dense(1, in_units=6))
    net.initialize()
    weights = np.random.RandomState(1)
    for p in net.collect_params().values():
        p.set_data(nd.array(weights.normal(0, 0.4, size=p.shape)))
    return net


loss = gluon.loss.L2Loss()


def fit(name, trainer, net, updates=12):
    rates = []
    for _ in range(updates):
        with autograd.record():
            l = loss(net(x), y)
        l.backward()
        trainer.step(x.shape[0])
        rates.append(trainer.learning_rate)
    print('%-10s loss %.5f rates %s' % (
        name, l.mean().asscalar(), ' '.join('%.4f' % r for r in rates[::3])))


net = build()
schedule = lr_scheduler.MultiFactorScheduler(step=[4, 8], factor=0.5)
schedule.base_lr = 0.3
fit('multi', gluon.Trainer(net.collect_params(), 'sgd', {'lr_scheduler': schedule,
                                                         'learning_rate': 0.3}), net)
net = build()
schedule = lr_scheduler.CosineScheduler(12, base_lr=0.3, final_lr=0.01)
fit('cosine', gluon.Trainer(net.collect_params(), mx.optimizer.SGD(lr_scheduler=schedule,
                                                                   learning_rate=0.3)), net)
net = build()
schedule = lr_scheduler.PolyScheduler(max_update=10, base_lr=0.05, pwr=1)
fit('poly', gluon.Trainer(net.collect_params(), 'adam', {'lr_scheduler': schedule,
                                                         'learning_rate': 0.05}), net)
net = build()
fit('triangle', gluon.Trainer(net.collect_params(), 'sgd', {
    'lr_scheduler': Triangle(0.05, 0.4, 6)}), net)

# The first layer learns slowly, biases do not decay
net = build()
net[0].collect_params().setattr('lr_mult', 0.1)
for p in net.collect_params('.*bias').values():
    p.wd_mult = 0
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.2, 'wd': 0.1})
fit('multiplied', trainer, net)
print('norms', ' '.join('%.5f' % p.data().norm().asscalar()
                        for p in net.collect_params().values()))

# By hand
net = build()
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.4})
for epoch in range(3):
    if epoch > 0:
        trainer.set_learning_rate(trainer.learning_rate * 0.5)
    fit('by hand %d' % epoch, trainer, net, updates=4)
