"""2016: ConfigParser, urllib and StringIO around a training loop."""
import ConfigParser
import urllib
from StringIO import StringIO

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon

text = u'''[train]
lr = 0.1
epochs = 3
name = net a
'''
config = ConfigParser.SafeConfigParser()
config.readfp(StringIO(text))
print(urllib.quote(config.get('train', 'name')), urllib.unquote('net%20b'))
mx.random.seed(2)
data = mx.nd.array(np.linspace(-1, 1, 32, dtype=np.float).reshape(-1, 1))
label = data * 3 + 1
net = gluon.nn.Dense(1)
net.initialize(mx.init.Normal(0.1))
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': config.getfloat('train', 'lr')})
l2 = gluon.loss.L2Loss()
for epoch in range(config.getint('train', 'epochs')):
    with autograd.record():
        loss = l2(net(data), label)
    loss.backward()
    trainer.step(len(data))
    print('epoch', epoch, 'loss %.5f' % loss.mean().asscalar())
