"""Trainer: steps on one and several contexts, stores, stale gradients, states."""

from __future__ import annotations

from tests.snippets import snippets

BEFORE = """
import os, tempfile
f = os.path.join(tempfile.mkdtemp(), 't.states')

def make(count, optimizer='sgd', options=None, **kwargs):
    mx.random.seed(3)
    net = nn.HybridSequential(prefix='t_')
    with net.name_scope():
        net.add(nn.Dense(3, in_units=2, activation='tanh'), nn.Dense(2, in_units=3))
    contexts = [mx.cpu(i) for i in range(count)]
    net.initialize(mx.init.Xavier(), ctx=contexts)
    options = options or {'learning_rate': 0.1, 'momentum': 0.9}
    return net, contexts, gluon.Trainer(net.collect_params(), optimizer, options, **kwargs)

def backward(net, contexts, i=0):
    with autograd.record():
        x = nd.array([[0.1, 0.2], [0.3, 0.4]])
        xs = [x.as_in_context(c) * (j + 1) + i for j, c in enumerate(contexts)]
        losses = [(net(x) ** 2).sum() for x in xs]
    autograd.backward(losses)

def steps(net, contexts, trainer, count=1, batch=4, **kwargs):
    for i in range(count):
        backward(net, contexts, i / 10)
        trainer.step(batch, **kwargs)

def values(net):
    return [p.list_data() for p in net.collect_params().values()]

"""

_OPTIMIZERS = "".join(
    f"""
## optimizer/{name}
for count in (1, 2):
    net, contexts, trainer = make(count, {name!r}, {options})
    steps(net, contexts, trainer, 3)
    out.append(values(net))
"""
    for name, options in (
        ("sgd", "{'learning_rate': 0.1, 'wd': 0.01}"),
        ("nag", "{'learning_rate': 0.1, 'momentum': 0.9}"),
        ("adam", "{'learning_rate': 0.01}"),
        ("rmsprop", "{'learning_rate': 0.01}"),
        ("adagrad", "{'learning_rate': 0.1}"),
    )
)

CASES = snippets(
    _OPTIMIZERS
    + """
## parameters/order
net, contexts, trainer = make(1)
out.append([p.name for p in trainer._params])
listed = gluon.Trainer(list(net.collect_params().values()), 'sgd')
out += [[p.name for p in listed._params], trainer.learning_rate, listed.learning_rate]

## parameters/a-block
gluon.Trainer(nn.Dense(2), 'sgd')

## parameters/list-of-numbers
gluon.Trainer([1], 'sgd')

## parameters/none
gluon.Trainer({}, 'sgd')

## parameters/not-initialized
gluon.Trainer(nn.Dense(2, in_units=2).collect_params(), 'sgd')

## parameters/different-contexts
params = gluon.ParameterDict()
for i in range(2):
    layer = nn.Dense(2, in_units=2)
    layer.initialize(ctx=mx.cpu(i))
    params.update(layer.collect_params())
gluon.Trainer(params, 'sgd')

## optimizer/unknown
net, contexts, trainer = make(1, 'nope')

## optimizer/object
optimizer = mx.optimizer.SGD(learning_rate=0.3)
net, contexts, _ = make(1)
trainer = gluon.Trainer(net.collect_params(), optimizer)
steps(net, contexts, trainer)
out += [values(net), trainer.learning_rate, trainer.optimizer is optimizer]

## optimizer/object-and-options
net, contexts, _ = make(1)
gluon.Trainer(net.collect_params(), mx.optimizer.SGD(), {'learning_rate': 0.1})

## step/one-context
net, contexts, trainer = make(1)
steps(net, contexts, trainer, 3)
out.append(values(net))

## step/two-contexts
net, contexts, trainer = make(2)
steps(net, contexts, trainer, 3)
out += [values(net), net[0].weight.list_grad()]

## step/not-on-the-store
net, contexts, trainer = make(2, update_on_kvstore=False)
steps(net, contexts, trainer, 3)
out += [values(net), net[0].weight.list_grad()]

## step/no-store
net, contexts, trainer = make(2, kvstore=None)
steps(net, contexts, trainer, 2)
out += [values(net), net[0].weight.list_grad()]

## step/nine-contexts
net, contexts, trainer = make(9, kvstore='local')
steps(net, contexts, trainer, 2)
out.append(values(net))

## step/batch-sizes
net, contexts, trainer = make(1)
steps(net, contexts, trainer, batch=4)
steps(net, contexts, trainer, batch=8)
out += [values(net), trainer.optimizer.rescale_grad]

## step/rescale-grad
net, contexts, trainer = make(1, 'sgd', {'learning_rate': 0.1, 'rescale_grad': 0.5})
steps(net, contexts, trainer)
out += [values(net), trainer.optimizer.rescale_grad]

## step/multipliers
for count in (1, 2):
    net, contexts, trainer = make(count, 'sgd', {'learning_rate': 0.1, 'wd': 0.1})
    net[0].weight.lr_mult = 0
    net[0].bias.wd_mult = 3
    net.collect_params('.*1_').setattr('lr_mult', 2)
    steps(net, contexts, trainer, 2)
    out.append(values(net))

## step/frozen-later
for count in (1, 2):
    net, contexts, trainer = make(count)
    steps(net, contexts, trainer)
    net[1].bias.grad_req = 'null'
    steps(net, contexts, trainer)
    out.append(values(net))

## step/grad-add
net, contexts, trainer = make(1)
net.collect_params().setattr('grad_req', 'add')
backward(net, contexts)
backward(net, contexts, 1)
trainer.step(8)
out.append(values(net))

## step/set-data
for count in (1, 2):
    net, contexts, trainer = make(count)
    steps(net, contexts, trainer, 2)
    net[0].weight.set_data(nd.ones((3, 2)))
    steps(net, contexts, trainer, 2)
    out += [values(net), trainer.optimizer.num_update]

## step/writes-into-replicas
for count in (1, 2):
    net, contexts, trainer = make(count)
    steps(net, contexts, trainer, 2)
    for p in net.collect_params().values():
        for c in contexts:
            p.data(c)[:] = 0.5
    steps(net, contexts, trainer)
    out.append(values(net))

## step/force-reinit
for count in (1, 2):
    net, contexts, trainer = make(count)
    steps(net, contexts, trainer)
    net.initialize(mx.init.One(), ctx=contexts, force_reinit=True)
    steps(net, contexts, trainer)
    out.append(values(net))

## step/clip-between
net, contexts, trainer = make(1)
backward(net, contexts)
grads = [p.grad() for p in net.collect_params().values()]
out.append(gluon.utils.clip_global_norm(grads, 0.5))
trainer.step(1)
out.append(values(net))

## step/deferred
net = nn.Dense(3)
net.initialize()
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
with autograd.record():
    y = net(nd.ones((1, 2))).sum()
y.backward()
trainer.step(1)
out.append([p.data() for p in net.collect_params().values()])

## step/not-yet-known
net = nn.Dense(3)
net.initialize()
gluon.Trainer(net.collect_params(), 'sgd').step(1)

## stale/no-backward
net, contexts, trainer = make(1)
trainer.step(1)

## stale/twice
net, contexts, trainer = make(1)
steps(net, contexts, trainer)
trainer.step(1)

## stale/ignored
net, contexts, trainer = make(1)
steps(net, contexts, trainer)
before = values(net)
with autograd.record():
    y = (net[1](nd.ones((1, 3))) ** 2).sum()
y.backward()
trainer.step(1, ignore_stale_grad=True)
out += [before, values(net)]
trainer.step(1, ignore_stale_grad=True)
out.append(values(net))

## stale/two-contexts
net, contexts, trainer = make(2)
steps(net, contexts, trainer)
trainer.step(4)
out.append(values(net))

## allreduce-and-update
net, contexts, trainer = make(2, update_on_kvstore=False)
backward(net, contexts)
trainer.allreduce_grads()
out.append(net[0].weight.list_grad())
trainer.update(4)
out.append(values(net))

## allreduce/on-the-store
net, contexts, trainer = make(2)
steps(net, contexts, trainer)
trainer.allreduce_grads()

## update/on-the-store
net, contexts, trainer = make(2)
steps(net, contexts, trainer)
trainer.update(4)

## learning-rate
net, contexts, trainer = make(2)
trainer.set_learning_rate(0.5)
steps(net, contexts, trainer)
trainer.set_learning_rate(0.01)
steps(net, contexts, trainer)
out += [values(net), trainer.learning_rate]

## learning-rate/scheduler
scheduler = mx.lr_scheduler.FactorScheduler(1, 0.5, base_lr=0.2)
options = {'learning_rate': 0.2, 'lr_scheduler': scheduler}
net, contexts, trainer = make(1, 'sgd', options)
steps(net, contexts, trainer, 3)
out += [values(net), trainer.learning_rate]

## learning-rate/set-with-scheduler
options = {'lr_scheduler': mx.lr_scheduler.FactorScheduler(2)}
make(1, 'sgd', options)[2].set_learning_rate(3)

## states
for count in (1, 2):
    for optimizer, options in (('sgd', None), ('adam', {'learning_rate': 0.01})):
        net, contexts, trainer = make(count, optimizer, options)
        steps(net, contexts, trainer, 2)
        trainer.save_states(f)
        steps(net, contexts, trainer)
        trainer.load_states(f)
        steps(net, contexts, trainer)
        out += [values(net), trainer.optimizer.num_update]

## states/into-another-trainer
net, contexts, trainer = make(1, 'adam', {'learning_rate': 0.01})
steps(net, contexts, trainer, 2)
trainer.save_states(f)
other, contexts, fresh = make(1, 'adam', {'learning_rate': 0.5})
fresh.load_states(f)
steps(other, contexts, fresh)
out += [values(other), fresh.learning_rate, fresh.optimizer.num_update]

## contexts/statistics-and-frozen
contexts = [mx.cpu(0), mx.cpu(1)]
for store in ('device', 'local', None):
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=2), nn.BatchNorm(), nn.Dense(1))
    net.initialize(mx.init.One(), ctx=contexts)
    net[0].bias.grad_req = 'null'
    net[0].bias.list_data()[1][:] = 7
    trainer = gluon.Trainer(net.collect_params(), 'sgd', kvstore=store)
    x = nd.array([[1, 2], [3, 5], [10, 20], [30, 50]])
    for _ in range(2):
        with autograd.record():
            losses = [net(part).sum() for part in gluon.utils.split_and_load(x, contexts)]
        autograd.backward(losses)
        trainer.step(4)
        out += [p.list_data() for p in net.collect_params().values() if p.grad_req == 'null']

## multi-precision
w = gluon.Parameter('w', shape=(3,), dtype='float16')
w.initialize(mx.init.Uniform(1))
options = {'learning_rate': 0.1, 'momentum': 0.9, 'multi_precision': True}
trainer = gluon.Trainer([w], 'sgd', options)
for _ in range(3):
    with autograd.record():
        y = w.data() * w.data()
    y.backward()
    trainer.step(1)
out += [w.data(), w.grad()]
""",
    BEFORE,
)
