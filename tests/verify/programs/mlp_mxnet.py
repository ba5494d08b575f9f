import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

mx.random.seed(7)
np.random.seed(7)
net = nn.Sequential()
net.add(
    nn.Dense(16, activation="relu"),
    nn.Dropout(0.3),
    nn.Dense(8),
    nn.Activation("tanh"),
    nn.LayerNorm(),
    nn.Dense(1),
)
net.initialize(mx.init.Xavier())
net.collect_params(".*bias|.*beta|.*gamma").setattr("wd_mult", 0)
X = nd.array(np.random.randn(48, 5))
y = nd.array(np.random.randn(48))
loss_fn = gluon.loss.L2Loss()
trainer = gluon.Trainer(
    net.collect_params(), "sgd", {"learning_rate": 0.05, "momentum": 0.9, "wd": 0.01}
)
for step in range(6):
    data, label = X[step * 8 : step * 8 + 8], y[step * 8 : step * 8 + 8]
    with autograd.record():
        loss = loss_fn(net(data), label)
    loss.backward()
    grads = [p.grad() for p in net.collect_params().values()]
    gluon.utils.clip_global_norm(grads, 8.0)
    trainer.step(8)
    print("step %d loss %.5f" % (step, loss.mean().asscalar()))
