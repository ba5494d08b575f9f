"""mx.gluon.contrib.nn."""

from __future__ import annotations

from tests.snippets import snippets

CASES = snippets(
    """
## concurrent
cn = gluon.contrib.nn
x = nd.array(onp.random.RandomState(0).uniform(-1, 1, (2, 3)))
for net in (cn.Concurrent(axis=1), cn.HybridConcurrent(), cn.HybridConcurrent(1, prefix='c_')):
    with net.name_scope():
        net.add(nn.Dense(2), cn.Identity())
        net.add(nn.Dense(3, activation='relu'))
    net.initialize(mx.init.Xavier())
    x.attach_grad()
    with autograd.record():
        y = net(x)
    y.backward()
    net.hybridize()
    out += [y, x.grad, net(x), repr(net), net.axis, list(net.collect_params().keys())]

## identity
layer = gluon.contrib.nn.Identity()
x = nd.ones((2,))
out += [layer(x) is x, repr(layer)]

## pixel-shuffle
cn = gluon.contrib.nn
layers = (cn.PixelShuffle1D(2), cn.PixelShuffle2D((2, 3)), cn.PixelShuffle2D(2))
shapes = ((1, 4, 3), (1, 12, 2, 2), (2, 8, 2, 3))
layers += (cn.PixelShuffle3D(2), cn.PixelShuffle3D([1, 2, 3]))
shapes += ((1, 16, 2, 2, 2), (1, 12, 2, 1, 2))
import json
for layer, shape in zip(layers, shapes):
    x = nd.array(onp.random.RandomState(0).uniform(-1, 1, shape))
    out += [layer(x), repr(layer)]
    layer.hybridize()
    out.append(layer(x))
    nodes = json.loads(layer._cached_graph[1].tojson())['nodes']
    out.append([(n['op'], n['name'], n.get('attrs')) for n in nodes])

## pixel-shuffle/wrong-length
gluon.contrib.nn.PixelShuffle2D((1, 2, 3))

## sync-batch-norm
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter('always')
    layer = gluon.contrib.nn.SyncBatchNorm(in_channels=3)
out += [len(caught), repr(layer), isinstance(layer, nn.BatchNorm)]
layer = gluon.contrib.nn.SyncBatchNorm(in_channels=3, num_devices=1, scale=False)
layer.initialize()
x = nd.array(onp.random.RandomState(0).uniform(-1, 1, (4, 3, 2)))
x.attach_grad()
with autograd.record():
    y = layer(x)
y.backward(x * x)
out += [y, x.grad, layer.running_mean.data(), layer.running_var.data(), layer(x)]

## sparse-embedding
layer = gluon.contrib.nn.SparseEmbedding(5, 3)
out += [repr(layer), repr(layer.weight), layer._kwargs, layer.prefix]
layer.initialize(mx.init.Xavier())
trainer = gluon.Trainer(layer.collect_params(), 'sgd', {'learning_rate': 0.5})
for _ in range(2):
    with autograd.record():
        y = layer(nd.array([1, 3, 1]))
    y.backward()
    trainer.step(1)
out += [y, layer.weight.grad().stype, layer.weight.grad().asnumpy()]
"""
)
