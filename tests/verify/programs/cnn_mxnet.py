import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

mx.random.seed(3)
np.random.seed(3)


class Net(gluon.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.conv1 = nn.Conv2D(4, 3, padding=1)
            self.bn1 = nn.BatchNorm(epsilon=1e-3)
            self.pool = nn.MaxPool2D(2)
            self.conv2 = nn.Conv2D(4, 3, padding=1)
            self.bn2 = nn.BatchNorm()
            self.conv3 = nn.Conv2D(4, 3, padding=1)
            self.act = nn.LeakyReLU(0.1)
            self.output = nn.Dense(3)

    def hybrid_forward(self, F, x):
        x = F.transpose(x, axes=(0, 3, 1, 2))
        x = self.pool(F.relu(self.bn1(self.conv1(x))))
        x = F.relu(self.bn2(self.conv2(x)))
        return self.output(self.act(self.conv3(x)))


net = Net()
net.initialize(mx.init.Xavier())
net.hybridize()
X = nd.array(np.random.rand(24, 8, 8, 2))
y = nd.array(np.random.randint(0, 3, 24))
loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), "nag", {"learning_rate": 0.05, "momentum": 0.9})
for step in range(4):
    data, label = X[step * 6 : step * 6 + 6], y[step * 6 : step * 6 + 6]
    with autograd.record():
        loss = loss_fn(net(data), label)
    loss.backward()
    trainer.step(6)
    print("step %d loss %.5f" % (step, loss.mean().asscalar()))
print("predicts", net(X).argmax(axis=1).asnumpy().astype(int).tolist())
