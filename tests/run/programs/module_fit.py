"""2016: the Module API, NDArrayIter and logging, as train_mnist.py did."""
import logging
import sys
import time

import mxnet as mx
import numpy as np

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format='%(message)s')
np.random.seed(0)
mx.random.seed(0)
begin = time.clock()
x = np.random.uniform(-1, 1, (60, 4)).astype(np.float)
y = np.asarray(x[:, 0] + x[:, 1] > 0, dtype=np.int)
train = mx.io.NDArrayIter(x[:40], y[:40], 10, shuffle=False, label_name='softmax_label')
val = mx.io.NDArrayIter(x[40:], y[40:], 10, label_name='softmax_label')
data = mx.sym.Variable('data')
net = mx.sym.FullyConnected(data, num_hidden=8, name='fc1')
net = mx.sym.Activation(net, act_type='relu', name='relu1')
net = mx.sym.FullyConnected(net, num_hidden=2, name='fc2')
net = mx.sym.SoftmaxOutput(net, name='softmax')
mod = mx.mod.Module(net, context=mx.cpu(), logger=logging)
mod.bind(data_shapes=train.provide_data, label_shapes=train.provide_label)
mod.init_params(mx.init.Xavier())
mod.init_optimizer(optimizer='sgd', optimizer_params=(('learning_rate', 0.5),))
metric = mx.metric.create('ce')
for epoch in range(3):
    train.reset()
    metric.reset()
    for batch in train:
        mod.forward(batch, is_train=True)
        mod.update_metric(metric, batch.label)
        mod.backward()
        mod.update()
    print('Epoch[%d] %s %.5f' % ((epoch,) + metric.get()), time.clock() >= begin)
print(mod.score(val, 'acc')[0][0], np.float(round(mod.score(val, 'ce')[0][1], 4)))
print(mod.predict(val).shape, np.product(mod.get_params()[0]['fc1_weight'].shape))
