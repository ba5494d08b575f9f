"""Arrays, parameters and a training that is stopped and taken up again from its files."""
import os
import shutil
import tempfile

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

rng = np.random.RandomState(50)
folder = tempfile.mkdtemp(prefix='run-')


def path(name):
    return os.path.join(folder, name)


# Arrays alone, in lists and in dictionaries
x = nd.arange(4)
nd.save(path('x'), x)
x2 = nd.load(path('x'))[0]
print('one', x2.asnumpy().tolist())
y = nd.zeros(4)
nd.save(path('xy'), [x, y + 2])
a, b = nd.load(path('xy'))
print('list', (a + b).asnumpy().tolist())
mydict = {'x': x, 'y': y}
nd.save(path('mydict'), mydict)
loaded = mx.nd.load(path('mydict'))
print('dict', sorted(loaded.keys()), loaded['x'].sum().asscalar())


class MLP(nn.Block):
    def __init__(self, hidden=16, **kwargs):
        super(MLP, self).__init__(**kwargs)
        with self.name_scope():
            self.hidden = nn.Dense(hidden, activation='relu', in_units=6)
            self.norm = nn.BatchNorm(in_channels=hidden)
            self.output = nn.Dense(3, in_units=hidden)

    def forward(self, x):
        return self.output(self.norm(self.hidden(x)))


def make():
    net = MLP()
    net.initialize()
    weights = np.random.RandomState(3)
    for block in (net.hidden, net.output):
        block.weight.set_data(nd.array(weights.normal(0, 0.3, size=block.weight.shape)))
    return net


features = nd.array(rng.normal(size=(120, 6)))
labels = nd.array(features.asnumpy()[:, :3].argmax(axis=1))
train_x, train_y, valid_x, valid_y = features[:80], labels[:80], features[80:], labels[80:]
loss = gluon.loss.SoftmaxCrossEntropyLoss()


def epoch_of(net, trainer):
    for i in range(0, 80, 20):
        with autograd.record():
            l = loss(net(train_x[i:i + 20]), train_y[i:i + 20])
        l.backward()
        trainer.step(20)
    return l.mean().asscalar()


def validate(net):
    return loss(net(valid_x), valid_y).mean().asscalar()


# Six epochs at once, the best one kept
net = make()
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.05})
best, patience = float('inf'), 0
for epoch in range(6):
    last = epoch_of(net, trainer)
    value = validate(net)
    if value < best:
        best, patience = value, 0
        net.save_parameters(path('best.params'))
    else:
        patience += 1
        if patience > 2:
            break
print('whole  %.4f, best %s' % (last, os.path.exists(path('best.params'))))
straight = net(valid_x)

# Three, then three more by a net and a trainer made anew
net = make()
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.05})
for epoch in range(3):
    epoch_of(net, trainer)
net.save_parameters(path('half.params'))
trainer.save_states(path('half.states'))
again = MLP()
again.load_parameters(path('half.params'), ctx=mx.cpu())
trainer = gluon.Trainer(again.collect_params(), 'adam', {'learning_rate': 0.05})
trainer.load_states(path('half.states'))
for epoch in range(3):
    last = epoch_of(again, trainer)
print('halves %.4f' % last)
print('the same:', nd.abs(again(valid_x) - straight).max().asscalar() < 1e-4)

# A part of one net as the beginning of another
bigger = nn.Sequential()
with bigger.name_scope():
    bigger.add(nn.Dense(16, activation='relu', in_units=6))
    bigger.add(nn.Dense(4, in_units=16))
bigger.initialize(mx.init.One())
bigger[0].weight.set_data(again.hidden.weight.data())
bigger[0].bias.set_data(again.hidden.bias.data().copy())
print('part %.4f' % bigger(valid_x).mean().asscalar())
shutil.rmtree(folder)
