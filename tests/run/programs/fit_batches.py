"""2018: a config of mappings, collections ABCs, fractions.gcd."""
from __future__ import print_function

import collections
from collections import Mapping, OrderedDict
from fractions import gcd

import mxnet as mx
from mxnet import gluon, nd


def flatten(conf, prefix=''):
    for key in conf:
        if isinstance(conf[key], Mapping):
            for pair in flatten(conf[key], prefix + key + '.'):
                yield pair
        elif isinstance(conf[key], collections.Iterable) and not isinstance(conf[key], str):
            yield prefix + key, list(conf[key])
        else:
            yield prefix + key, conf[key]


conf = OrderedDict([('net', OrderedDict([('units', (8, 4)), ('act', 'relu')])), ('batch', 12)])
conf = OrderedDict(flatten(conf))
print(conf['net.units'], conf['net.act'], gcd(conf['batch'], 18))

mx.random.seed(3)
net = gluon.nn.HybridSequential()
with net.name_scope():
    for units in conf['net.units']:
        net.add(gluon.nn.Dense(units, activation=conf['net.act']))
net.initialize(mx.init.Xavier())
out = net(nd.ones((gcd(conf['batch'], 18), 5)))
print(out.shape, round(out.sum().asscalar(), 4))
for name, param in net.collect_params().items():
    print(name.split('_', 1)[1], param.shape)
