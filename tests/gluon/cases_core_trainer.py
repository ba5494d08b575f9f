"""Trainer: steps, scaling, rates, states, stores, and what it refuses."""

from __future__ import annotations

from tests.snippets import snippets

_NET = """
net = nn.Dense(1, in_units=2, weight_initializer='ones', prefix='n_')
net.initialize()
x = nd.array([[1, 2], [3, 4]])
def backward(scale=1):
    with autograd.record():
        y = net(x) * scale
    y.backward()
"""

CASES = snippets(
    """
## step/divides-by-batch
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
backward()
t.step(2)
out += [net.weight.data(), net.bias.data()]

## step/batch-of-one
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
backward()
t.step(1)
out.append(net.weight.data())

## step/rescale_grad
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'rescale_grad': 10})
backward()
t.step(2)
out.append(net.weight.data())

## step/twice-momentum
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'momentum': 0.9})
for _ in range(3):
    backward()
    t.step(2)
    out.append(net.weight.data().copy())

## step/momentum-and-rate-change
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'momentum': 0.9})
for lr in (0.1, 0.01, 1.0):
    t.set_learning_rate(lr)
    backward()
    t.step(2)
    out.append(net.weight.data().copy())

## step/wd-covers-bias
net.bias.set_data(nd.array([10]))
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'wd': 0.5})
backward()
t.step(2)
out += [net.weight.data(), net.bias.data()]

## step/lr_mult
net.bias.lr_mult = 0
net.weight.lr_mult = 2
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
backward()
t.step(2)
out += [net.weight.data(), net.bias.data()]

## step/lr_mult-after-creation
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
net.weight.lr_mult = 3
backward()
t.step(2)
out.append(net.weight.data())

## step/wd_mult
net.weight.wd_mult = 0
net.bias.set_data(nd.array([10]))
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'wd': 0.5})
backward()
t.step(2)
out += [net.weight.data(), net.bias.data()]

## step/clip_gradient
t = gluon.Trainer(
    net.collect_params(), 'sgd', {'learning_rate': 0.1, 'clip_gradient': 1.0, 'wd': 0.5}
)
backward()
t.step(1)
out.append(net.weight.data())

## step/zero-batch
t = gluon.Trainer(net.collect_params(), 'sgd')
backward()
t.step(0)

## step/null-parameters-skipped
net.bias.grad_req = 'null'
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
backward()
t.step(1)
out += [net.weight.data(), net.bias.data()]

## step/stale-refused
t = gluon.Trainer(net.collect_params(), 'sgd')
backward()
t.step(1)
t.step(1)

## step/never-backward-refused
t = gluon.Trainer(net.collect_params(), 'sgd')
t.step(1)

## step/stale-ignored
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
backward()
t.step(1)
t.step(1, ignore_stale_grad=True)
out.append(net.weight.data())

## step/gradient-untouched
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
backward()
t.step(4)
out.append(net.weight.grad())

## step/gradient-changed-by-hand
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
backward()
net.weight.grad()[:] = 1
t.step(1)
out.append(net.weight.data())

## step/list-of-parameters
t = gluon.Trainer([net.weight], 'sgd', {'learning_rate': 0.1})
backward()
t.step(1)
out += [net.weight.data(), net.bias.data()]

## step/plain-dict
t = gluon.Trainer({'w': net.weight, 'b': net.bias}, 'sgd', {'learning_rate': 0.1})
backward()
t.step(1)
out += [net.weight.data(), net.bias.data()]

## step/parameters-of-two-nets
other = nn.Dense(1, in_units=1, weight_initializer='ones')
other.initialize()
params = net.collect_params()
params.update(other.collect_params())
t = gluon.Trainer(params, 'sgd', {'learning_rate': 0.25})
with autograd.record():
    y = other(net(x))
y.backward()
t.step(1)
out += [net.weight.data(), other.weight.data()]

## step/deferred-net
late = nn.Dense(1, weight_initializer='ones')
late.initialize()
t = gluon.Trainer(late.collect_params(), 'sgd', {'learning_rate': 0.1})
with autograd.record():
    y = late(x)
y.backward()
t.step(2)
out.append(late.weight.data())

## step/uninitialized-refused
late = nn.Dense(1)
gluon.Trainer(late.collect_params(), 'sgd', {'learning_rate': 0.1}).step(1)

## rate/property
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.3})
out.append(t.learning_rate)
t.set_learning_rate(0.7)
out += [t.learning_rate, type(t.optimizer).__name__]

## rate/default
out += [gluon.Trainer(net.collect_params(), n).learning_rate for n in ('sgd', 'adam')]

## rate/scheduler
t = gluon.Trainer(
    net.collect_params(),
    'sgd',
    {'lr_scheduler': mx.lr_scheduler.FactorScheduler(1, 0.5, base_lr=0.8)},
)
for _ in range(4):
    out.append(t.learning_rate)
    backward()
    t.step(100)

## rate/scheduler-and-learning-rate
s = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.8)
t = gluon.Trainer(net.collect_params(), 'sgd', {'lr_scheduler': s, 'learning_rate': 0.2})
out += [t.learning_rate, s.base_lr]

## rate/set-with-scheduler-refused
t = gluon.Trainer(net.collect_params(), 'sgd', {'lr_scheduler': mx.lr_scheduler.FactorScheduler(2)})
t.set_learning_rate(0.1)

## arguments/unknown-optimizer
gluon.Trainer(net.collect_params(), 'no_such')

## arguments/unknown-option
gluon.Trainer(net.collect_params(), 'sgd', {'no_such': 1})

## arguments/instance-with-options
gluon.Trainer(net.collect_params(), mx.optimizer.SGD(), {'learning_rate': 1})

## arguments/instance
t = gluon.Trainer(net.collect_params(), mx.optimizer.SGD(learning_rate=0.25))
backward()
t.step(1)
out += [t.learning_rate, net.weight.data()]

## arguments/not-parameters
gluon.Trainer([nd.ones((1,))], 'sgd')

## arguments/contexts-differ
other = nn.Dense(1, in_units=1)
other.initialize(ctx=mx.cpu(1))
params = net.collect_params()
params.update(other.collect_params())
t = gluon.Trainer(params, 'sgd')
backward()
t.step(1)

## arguments/bad-kvstore
t = gluon.Trainer(net.collect_params(), 'sgd', kvstore='no_such')
backward()
t.step(1)
out.append(net.weight.data())

## states/save-load
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 's')
t = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.1})
for _ in range(2):
    backward()
    t.step(2)
t.save_states(f)
net.save_parameters(f + 'p')
backward()
t.step(2)
out.append(net.weight.data().copy())
net.load_parameters(f + 'p')
t2 = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.1})
t2.load_states(f)
backward()
t2.step(2)
out.append(net.weight.data())

## states/load-missing
gluon.Trainer(net.collect_params(), 'adam').load_states('/no/such/file')

## update/allreduce-and-update
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1}, update_on_kvstore=False)
backward()
t.allreduce_grads()
net.weight.grad()[:] *= 2
t.update(2)
out.append(net.weight.data())

## update/kvstore-none
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1}, kvstore=None)
backward()
t.step(2)
out.append(net.weight.data())

## update/kvstore-object
t = gluon.Trainer(
    net.collect_params(), 'sgd', {'learning_rate': 0.1}, kvstore=mx.kv.create('local')
)
backward()
t.step(2)
out.append(net.weight.data())

## clip/global-norm
backward()
g = [p.grad() for p in net.collect_params().values()]
out.append(gluon.utils.clip_global_norm(g, 1.0))
out += g

## clip/global-norm-not-needed
backward()
g = [p.grad() for p in net.collect_params().values()]
out.append(gluon.utils.clip_global_norm(g, 100.0))
out += g

## clip/check_isfinite-false
backward()
g = [p.grad() for p in net.collect_params().values()]
n = gluon.utils.clip_global_norm(g, 1.0, check_isfinite=False)
out += [n, *g]

## clip/float64-arrays
a = [nd.array([3.0]), nd.array([4.0])]
out.append(gluon.utils.clip_global_norm(a, 1))
out += a

## clip/by-hand
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
backward(100)
for p in net.collect_params().values():
    p.grad()[:] = nd.clip(p.grad(), -1, 1)
t.step(1)
out.append(net.weight.data())
""",
    before=_NET,
)
