"""Data-parallel training over several CPU contexts, as one would over several GPUs."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.utils import split_and_load


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


def train(ctxs, even=True, hybrid=True, optimizer='sgd', batch=24, n=72, kvstore='device', dropout=0.0):
    mx.random.seed(8)
    np.random.seed(8)
    net = nn.HybridSequential(prefix='par_')
    with net.name_scope():
        net.add(nn.Dense(10, activation='tanh'), nn.Dropout(dropout), nn.Dense(3))
    net.initialize(mx.init.Xavier(), ctx=ctxs)
    if hybrid:
        net.hybridize()
    x = nd.random.normal(shape=(n, 4))
    y = (x.sum(axis=1) > 0) + (x[:, 0] > 0.5)
    loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), optimizer, {'learning_rate': 0.1}, kvstore=kvstore)
    loader = gluon.data.DataLoader(gluon.data.ArrayDataset(x, y), batch, shuffle=True)
    metric = mx.metric.Accuracy()
    curve = []
    for epoch in range(4):
        metric.reset()
        total = 0
        for data, label in loader:
            xs = split_and_load(data, ctxs, even_split=even)
            ys = split_and_load(label, ctxs, even_split=even)
            with autograd.record():
                outs = [net(a) for a in xs]
                losses = [loss_fn(o, b) for o, b in zip(outs, ys)]
            for l in losses:
                l.backward()
            trainer.step(data.shape[0])
            metric.update(ys, outs)
            total += sum(l.sum().asscalar() for l in losses)
        curve += [total / n, metric.get()[1]]
    return net, curve


for k in (1, 2, 3, 4):
    net, curve = train([mx.cpu(i) for i in range(k)])
    show('contexts %d' % k, curve)
net, curve = train([mx.cpu(1), mx.cpu(3)], hybrid=False, optimizer='adam')
show('cpu(1) cpu(3) adam', curve)
print([str(c) for c in net.collect_params()['par_dense0_weight'].list_ctx()])
a, b = net.collect_params()['par_dense0_weight'].list_data()
print('equal', bool((a.asnumpy() == b.asnumpy()).all()), str(a.context), str(b.context))
show('gradients', [g.norm().asscalar() for g in net.collect_params()['par_dense1_bias'].list_grad()])
_, curve = train([mx.cpu(0), mx.cpu(1), mx.cpu(2)], even=False, batch=25, n=70)
show('uneven', curve)
_, curve = train([mx.cpu(0), mx.cpu(1)], kvstore='local')
show('kvstore local', curve)
_, curve = train([mx.cpu(0), mx.cpu(1)], kvstore=None)
show('kvstore none', curve)
_, curve = train([mx.cpu(0), mx.cpu(1)], dropout=0.5)
show('dropout', curve)

# gradients by hand
mx.random.seed(5)
ctxs = [mx.cpu(0), mx.cpu(1)]
net = nn.Dense(2, in_units=3)
net.initialize(mx.init.One(), ctx=ctxs)
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 1.0}, update_on_kvstore=False)
x = nd.array([[1, 2, 3], [4, 5, 6]])
with autograd.record():
    ls = [net(p).sum() for p in split_and_load(x, ctxs)]
autograd.backward(ls)
show('before', [g.asnumpy()[0, 0] for g in net.weight.list_grad()])
trainer.allreduce_grads()
show('reduced', [g.asnumpy()[0, 0] for g in net.weight.list_grad()])
trainer.update(2)
show('after', [d.asnumpy()[0, 0] for d in net.weight.list_data()])
try:
    net(nd.ones((1, 3), ctx=mx.cpu(2)))
except RuntimeError:
    print('not initialized there:')
net.collect_params().reset_ctx([mx.cpu(2)])
show('moved', net(nd.ones((1, 3), ctx=mx.cpu(2))).asnumpy())
