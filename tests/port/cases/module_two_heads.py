"""One body, two ends: which of three shapes a curve has, and how high it is."""
import mxnet as mx
import numpy as np
from mxnet import sym

rng = np.random.RandomState(12)
POINTS, BATCH = 20, 20


def residual(data, num_hidden, name):
    """Two layers and a way around."""
    h = sym.FullyConnected(data, num_hidden=num_hidden, name='%s_a' % name)
    h = sym.LeakyReLU(h, act_type='leaky', slope=0.1)
    h = sym.FullyConnected(h, num_hidden=num_hidden, name='%s_b' % name)
    return sym.Activation(data + h, act_type='relu', name='%s_relu' % name)


def net(depth, width):
    curve = sym.Variable('curve')
    kind_label = sym.Variable('kind_label')
    height_label = sym.Variable('height_label')
    body = sym.FullyConnected(curve, num_hidden=width, name='entry')
    for i in range(depth):
        body = residual(body, width, 'block%d' % i)
    kind = sym.FullyConnected(body, num_hidden=3, name='kind_fc')
    kind = sym.SoftmaxOutput(kind, kind_label, name='kind')
    height = sym.FullyConnected(body, num_hidden=1, name='height_fc')
    height = sym.LinearRegressionOutput(height, height_label, grad_scale=0.5, name='height')
    return sym.Group([kind, height])


def curves(count):
    x = np.linspace(-1, 1, POINTS)
    shapes = np.stack([np.sin(3 * x), x ** 2, np.abs(x)])
    kinds = rng.randint(0, 3, count)
    heights = rng.uniform(0.5, 2, count)
    y = shapes[kinds] * heights[:, None] + rng.normal(0, 0.05, size=(count, POINTS))
    return {'curve': y}, {'kind_label': kinds.astype('float32'), 'height_label': heights}


class Both(mx.metric.EvalMetric):
    """How many kinds are right, and how far heights are off."""

    def __init__(self):
        super(Both, self).__init__('both')

    def update(self, labels, preds):
        # labels come by the names' order
        heights, kinds = labels
        right = (preds[0].asnumpy().argmax(axis=1) == kinds.asnumpy()).sum()
        off = np.abs(preds[1].asnumpy().ravel() - heights.asnumpy()).sum()
        self.sum_metric += right - off
        self.num_inst += len(kinds)


data, label = curves(160)
train = mx.io.NDArrayIter(data, label, batch_size=BATCH)
print('data', train.provide_data[0][0], 'labels', [d[0] for d in train.provide_label])
mod = mx.mod.Module(net(2, 16), data_names=['curve'],
                    label_names=['height_label', 'kind_label'])
mod.bind(data_shapes=train.provide_data, label_shapes=train.provide_label)
mod.init_params(mx.init.Normal(0.1))
values, _ = mod.get_params()
for name in sorted(values):
    values[name][:] = rng.normal(0, 0.2, size=values[name].shape)
mod.set_params(values, {})
metric = Both()
mod.fit(train, eval_metric=metric, optimizer='sgd',
        optimizer_params={'learning_rate': 0.1, 'momentum': 0.8}, num_epoch=12)
print('%s %.4f' % metric.get())

more, wanted = curves(40)
true = dict((name, np.array(values)) for name, values in wanted.items())
test = mx.io.NDArrayIter(more, wanted, batch_size=BATCH)
kinds, heights = mod.predict(test)
print('kinds', kinds.shape, 'heights', heights.shape)
print('right %d of 40' % (kinds.asnumpy().argmax(axis=1) == true['kind_label']).sum())
print('off by %.4f' % np.abs(heights.asnumpy().ravel() - true['height_label']).mean())
