"""Learning-rate schedules: their values, and SGD under each of them."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


SCHEDULES = [
    ('factor', lambda: mx.lr_scheduler.FactorScheduler(step=3, factor=0.5, base_lr=0.4)),
    ('factor stop', lambda: mx.lr_scheduler.FactorScheduler(step=2, factor=0.1, stop_factor_lr=0.01, base_lr=0.4)),
    ('multi', lambda: mx.lr_scheduler.MultiFactorScheduler(step=[2, 5], factor=0.1, base_lr=0.4)),
    ('poly', lambda: mx.lr_scheduler.PolyScheduler(max_update=8, base_lr=0.4, pwr=2)),
    ('poly final', lambda: mx.lr_scheduler.PolyScheduler(max_update=8, base_lr=0.4, pwr=1, final_lr=0.1)),
    ('cosine', lambda: mx.lr_scheduler.CosineScheduler(max_update=8, base_lr=0.4, final_lr=0.05)),
    ('warmup', lambda: mx.lr_scheduler.CosineScheduler(max_update=8, base_lr=0.4, warmup_steps=3)),
    ('warmup begin', lambda: mx.lr_scheduler.PolyScheduler(max_update=8, base_lr=0.4, warmup_steps=3, warmup_begin_lr=0.1)),
    ('warmup constant', lambda: mx.lr_scheduler.FactorScheduler(step=4, base_lr=0.4, warmup_steps=3,
                                                                warmup_begin_lr=0.2, warmup_mode='constant')),
]
for name, make in SCHEDULES:
    schedule = make()
    show(name + ' values', [schedule(i) for i in range(1, 13)])
    mx.random.seed(50)
    net = nn.Dense(2, in_units=4)
    net.initialize(mx.init.Normal(1))
    x = nd.random.normal(shape=(6, 4))
    trainer = gluon.Trainer(net.collect_params(), 'sgd',
                            {'learning_rate': 0.4, 'lr_scheduler': make(), 'momentum': 0.9})
    rates, curve = [], []
    for _ in range(10):
        rates.append(trainer.learning_rate)
        with autograd.record():
            loss = (net(x) ** 2).sum()
        loss.backward()
        trainer.step(60)
        curve.append(loss.asscalar())
    show(name + ' rates', rates)
    show(name + ' loss', curve)
net = nn.Dense(1, in_units=1)
net.initialize()
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'lr_scheduler': mx.lr_scheduler.FactorScheduler(2, base_lr=0.3)})
show('base', [trainer.learning_rate])
try:
    trainer.set_learning_rate(0.1)
except UserWarning:
    print('refused')
for bad in (lambda: mx.lr_scheduler.FactorScheduler(step=0), lambda: mx.lr_scheduler.FactorScheduler(step=1, factor=2),
            lambda: mx.lr_scheduler.MultiFactorScheduler(step=[3, 2]), lambda: mx.lr_scheduler.PolyScheduler(max_update=0)):
    try:
        bad()
    except (ValueError, AssertionError):
        print('refused')
