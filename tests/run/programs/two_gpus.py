"""2018: data parallel on two hard-coded GPUs. run: --map gpu=cpu"""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon
from mxnet.gluon.utils import split_and_load

ctx = [mx.gpu(i) for i in range(2)]
mx.random.seed(9)
net = gluon.nn.Dense(2, in_units=3)
net.initialize(mx.init.Constant(0.5), ctx=ctx)
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1}, kvstore='device')
data = mx.nd.array(np.arange(12, dtype=np.float).reshape(4, 3) / 10)
label = mx.nd.array(np.ones((4, 2), dtype=np.int))
l2 = gluon.loss.L2Loss()
for step in range(3):
    xs, ys = split_and_load(data, ctx), split_and_load(label, ctx)
    with autograd.record():
        losses = [l2(net(x), y) for x, y in zip(xs, ys)]
    for loss in losses:
        loss.backward()
    trainer.step(4)
    print(step, ['%.5f' % l.mean().asscalar() for l in losses], [str(l.context) for l in losses])
print(net.weight.data(ctx[1]).asnumpy().round(5).tolist())
