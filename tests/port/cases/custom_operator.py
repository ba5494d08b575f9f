"""Operators written in NumPy and in NDArray: a softmax with its loss, and a soft threshold."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

rng = np.random.RandomState(51)


class Softmax(mx.operator.CustomOp):
    """Probabilities; its gradient is that of the cross entropy."""

    def forward(self, is_train, req, in_data, out_data, aux):
        x = in_data[0].asnumpy()
        y = np.exp(x - x.max(axis=1).reshape((x.shape[0], 1)))
        y /= y.sum(axis=1).reshape((x.shape[0], 1))
        self.assign(out_data[0], req[0], mx.nd.array(y))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        label = in_data[1].asnumpy().ravel().astype(np.int64)
        y = out_data[0].asnumpy()
        y[np.arange(label.shape[0]), label] -= 1.0
        self.assign(in_grad[0], req[0], mx.nd.array(y))


@mx.operator.register('softmax_with_loss')
class SoftmaxProp(mx.operator.CustomOpProp):
    def __init__(self):
        super(SoftmaxProp, self).__init__(need_top_grad=False)

    def list_arguments(self):
        return ['data', 'label']

    def list_outputs(self):
        return ['output']

    def infer_shape(self, in_shape):
        data_shape = in_shape[0]
        label_shape = (in_shape[0][0],)
        output_shape = in_shape[0]
        return [data_shape, label_shape], [output_shape], []

    def create_operator(self, ctx, shapes, dtypes):
        return Softmax()


class SoftThreshold(mx.operator.CustomOp):
    """Towards zero by `limit`, and no further."""

    def __init__(self, limit):
        super(SoftThreshold, self).__init__()
        self.limit = limit

    def forward(self, is_train, req, in_data, out_data, aux):
        x = in_data[0]
        self.assign(out_data[0], req[0], nd.sign(x) * nd.relu(nd.abs(x) - self.limit))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        inside = nd.abs(in_data[0]) > self.limit
        self.assign(in_grad[0], req[0], out_grad[0] * inside)


@mx.operator.register('soft_threshold')
class SoftThresholdProp(mx.operator.CustomOpProp):
    def __init__(self, limit='0.1'):
        super(SoftThresholdProp, self).__init__(need_top_grad=True)
        self.limit = float(limit)

    def infer_shape(self, in_shape):
        return in_shape, [in_shape[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return SoftThreshold(self.limit)


class Net(gluon.Block):
    def __init__(self, **kwargs):
        super(Net, self).__init__(**kwargs)
        self.first = nn.Dense(16, in_units=6)
        self.second = nn.Dense(3, in_units=16)

    def forward(self, x):
        h = nd.Custom(self.first(x), limit=0.2, op_type='soft_threshold')
        return self.second(h)


features = rng.normal(size=(90, 6)).astype('float32')
classes = (features[:, 0] > 0) + (features[:, 1] * features[:, 0] > 0.2)
data = nd.array(features)
labels = nd.array(classes)
net = Net()
net.initialize()
for p in net.collect_params().values():
    p.set_data(nd.array(rng.normal(0, 0.4, size=p.shape)))
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.5, 'momentum': 0.5})

for epoch in range(8):
    right, seen = 0.0, 0
    for start in range(0, 90, 30):
        x, y = data[start:start + 30], labels[start:start + 30]
        with autograd.record():
            out = nd.Custom(net(x), y, op_type='softmax_with_loss')
        out.backward()
        trainer.step(30)
        right += (out.argmax(axis=1) == y).sum().asscalar()
        seen += len(x)
    if epoch % 2 == 1:
        chance = nd.pick(out, y).mean().asscalar()
        print('epoch %d: right %d of %d, chance of the class %.4f' % (epoch, right, seen, chance))

# By itself, its gradient too
x = nd.array([[-0.5, -0.1, 0.0, 0.3, 1.0]])
x.attach_grad()
with autograd.record():
    y = mx.nd.Custom(x, op_type='soft_threshold', limit=0.25)
y.backward(nd.array([[1, 2, 3, 4, 5]]))
print('thresholded', ' '.join('%.2f' % v for v in y[0].asnumpy()))
print('gradient', ' '.join('%.2f' % v for v in x.grad[0].asnumpy()))
