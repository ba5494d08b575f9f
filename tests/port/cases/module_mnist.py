"""Digits of a few strokes, told apart by a net of the Module API."""
import logging

import mxnet as mx
import numpy as np

rng = np.random.RandomState(77)
batch_size = 32

# Ten patterns of 8 x 8 pixels, and noisy copies of them
patterns = rng.rand(10, 64) > 0.55


def copies(count, noise):
    labels = rng.randint(0, 10, count)
    pixels = patterns[labels] + rng.normal(0, noise, size=(count, 64))
    return pixels.astype('float32'), labels.astype('float32')


train_x, train_y = copies(320, 0.6)
val_x, val_y = copies(96, 0.6)
train_iter = mx.io.NDArrayIter(train_x, train_y, batch_size)
val_iter = mx.io.NDArrayIter(val_x, val_y, batch_size)

# The net
data = mx.sym.var('data')
data = mx.sym.flatten(data=data)
fc1 = mx.sym.FullyConnected(data=data, num_hidden=48, name='fc1')
act1 = mx.sym.Activation(data=fc1, act_type="relu", name='act1')
# the second one is smaller
fc2 = mx.sym.FullyConnected(data=act1, num_hidden=24, name='fc2')
act2 = mx.sym.Activation(data=fc2, act_type="tanh")
fc3 = mx.sym.FullyConnected(data=act2, num_hidden=10, name='fc3')
mlp = mx.sym.SoftmaxOutput(data=fc3, name='softmax')

# Weights of our own
sizes = {'fc1': (48, 64), 'fc2': (24, 48), 'fc3': (10, 24)}
weights = {}
for name, shape in sizes.items():
    weights[name + '_weight'] = mx.nd.array(rng.normal(0, 0.2, size=shape))
    weights[name + '_bias'] = mx.nd.zeros(shape[0])

losses = []


def remember(param):
    """Called after each batch."""
    losses.append(param.nbatch)


mod = mx.mod.Module(symbol=mlp, context=mx.cpu())
mod.fit(train_iter,
        eval_data=val_iter,
        optimizer='sgd',
        optimizer_params={'learning_rate': 0.2, 'momentum': 0.9, 'wd': 0.001},
        eval_metric='acc',
        arg_params=weights,
        batch_end_callback=remember,
        num_epoch=6)
print('batches', len(losses), losses[:12])

metric = mx.metric.Accuracy()
mod.score(val_iter, metric)
print('right: %.4f' % metric.get()[1])
print('scores', ' '.join('%s %.4f' % pair for pair in mod.score(val_iter, ['acc', 'ce'])))

prob = mod.predict(val_iter)
print('chances', prob.shape, '%.4f' % prob.asnumpy().max(axis=1).mean())
print('first', ' '.join('%.4f' % p for p in prob[0].asnumpy()))
arg_params, aux_params = mod.get_params()
for name in sorted(arg_params):
    print(name, arg_params[name].shape, '%.4f' % arg_params[name].norm().asscalar())
print('measured', len(aux_params))
