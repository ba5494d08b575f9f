"""2018: inspect.getargspec reads the arguments of initializers and layers."""
import inspect
from string import Template

import mxnet as mx
import numpy as np
from mxnet.gluon import nn


def build(cls, conf):
    spec = inspect.getargspec(cls)
    names = spec.args
    return cls(**{k: v for k, v in conf.items() if k in names})


def make_dense(units, activation=None, use_bias=True):
    return nn.Dense(units, activation=activation, use_bias=use_bias, in_units=4)


def make_init(magnitude=3, factor_type='avg', rnd_type='uniform'):
    return mx.init.Xavier(rnd_type, factor_type, magnitude)


conf = {'units': 3, 'activation': 'tanh', 'magnitude': 2.24, 'rnd_type': 'gaussian', 'extra': 1}
print(inspect.getargspec(make_dense))
mx.random.seed(11)
layer = build(make_dense, conf)
layer.initialize(build(make_init, conf))
print(Template('$a units').substitute(a=layer.weight.shape[0]))
print(layer(mx.nd.ones((2, 4))).asnumpy().astype(np.float).round(4).tolist())
