"""2018: files, pickled optimizers and an OrderedDict of parameters."""
import collections
import os
import pickle
import tempfile

import mxnet as mx
import numpy as np
from mxnet import gluon

mx.random.seed(12)
folder = tempfile.mkdtemp()
net = gluon.nn.HybridSequential(prefix='net_')
with net.name_scope():
    net.add(gluon.nn.Dense(4, in_units=3), gluon.nn.BatchNorm(in_channels=4))
net.initialize()
net.save_parameters(os.path.join(folder, 'net.params'))
loaded = mx.nd.load(os.path.join(folder, 'net.params'))
assert isinstance(loaded, collections.MutableMapping)
for key in sorted(loaded):
    print(key, loaded[key].shape, '%.4f' % np.float(loaded[key].sum().asscalar()))
opt = mx.optimizer.Adam(learning_rate=.1)
updater = mx.optimizer.get_updater(opt)
w = mx.nd.ones(3)
updater(0, mx.nd.ones(3), w)
states = updater.get_states(dump_optimizer=True)
other = mx.optimizer.get_updater(mx.optimizer.Adam())
other.set_states(states)
v = w.copy()
updater(0, mx.nd.ones(3), w)
other(0, mx.nd.ones(3), v)
print(w.asnumpy().round(5).tolist(), (w == v).asnumpy().all())
print(pickle.loads(pickle.dumps(opt)).lr)
