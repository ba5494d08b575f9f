"""Layers with their less usual settings: output, gradient to the input, running statistics."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

# layer, shape of the input
_LAYERS = [
    ("nn.Dense(2)", (3, 4)),
    ("nn.Dense(2, activation='relu')", (3, 4)),
    ("nn.Dense(2, use_bias=False)", (3, 2, 2)),
    ("nn.Dense(2, flatten=False)", (3, 2, 4)),
    ("nn.Dense(2, flatten=False, use_bias=False, activation='tanh')", (3, 2, 4)),
    ("nn.Conv1D(2, 3)", (1, 2, 6)),
    ("nn.Conv1D(2, 3, strides=2, padding=2, dilation=2)", (1, 2, 6)),
    ("nn.Conv2D(2, 3)", (1, 2, 5, 5)),
    ("nn.Conv2D(2, (1, 3), strides=(2, 1), padding=(0, 1))", (1, 2, 5, 5)),
    ("nn.Conv2D(4, 3, groups=2)", (1, 4, 5, 5)),
    ("nn.Conv2D(4, 3, groups=4, use_bias=False)", (1, 4, 5, 5)),
    ("nn.Conv2D(2, 3, dilation=2)", (1, 2, 6, 6)),
    ("nn.Conv2D(2, 1, activation='sigmoid')", (1, 2, 3, 3)),
    ("nn.Conv3D(2, 2)", (1, 1, 3, 3, 3)),
    ("nn.Conv1DTranspose(2, 3)", (1, 2, 4)),
    ("nn.Conv2DTranspose(2, 3)", (1, 2, 3, 3)),
    ("nn.Conv2DTranspose(2, 3, strides=2, padding=1, output_padding=1)", (1, 2, 3, 3)),
    ("nn.Conv2DTranspose(2, 3, use_bias=False)", (1, 2, 3, 3)),
    ("nn.MaxPool1D()", (1, 2, 6)),
    ("nn.MaxPool1D(3, strides=1, padding=1)", (1, 2, 6)),
    ("nn.MaxPool2D()", (1, 2, 4, 4)),
    ("nn.MaxPool2D(2, 1)", (1, 2, 4, 4)),
    ("nn.MaxPool2D((2, 3), (1, 2), (1, 0))", (1, 2, 5, 5)),
    ("nn.MaxPool2D(2, ceil_mode=True)", (1, 2, 5, 5)),
    ("nn.MaxPool2D(3, 2, 1, ceil_mode=True)", (1, 1, 6, 6)),
    ("nn.MaxPool3D()", (1, 1, 4, 4, 4)),
    ("nn.AvgPool1D(3, 2, 1)", (1, 2, 6)),
    ("nn.AvgPool2D()", (1, 2, 4, 4)),
    ("nn.AvgPool2D(3, 2, 1)", (1, 2, 5, 5)),
    ("nn.AvgPool2D(3, 2, 1, count_include_pad=False)", (1, 2, 5, 5)),
    ("nn.AvgPool2D(2, ceil_mode=True)", (1, 2, 5, 5)),
    ("nn.AvgPool3D()", (1, 1, 4, 4, 4)),
    ("nn.GlobalMaxPool1D()", (1, 2, 4)),
    ("nn.GlobalMaxPool2D()", (1, 2, 4, 4)),
    ("nn.GlobalMaxPool3D()", (1, 2, 2, 2, 2)),
    ("nn.GlobalAvgPool1D()", (1, 2, 4)),
    ("nn.GlobalAvgPool2D()", (1, 2, 4, 4)),
    ("nn.GlobalAvgPool3D()", (1, 2, 2, 2, 2)),
    ("nn.BatchNorm()", (4, 3)),
    ("nn.BatchNorm()", (2, 3, 4)),
    ("nn.BatchNorm()", (2, 3, 2, 2)),
    ("nn.BatchNorm(axis=-1)", (2, 3, 4)),
    ("nn.BatchNorm(momentum=0.5, epsilon=0.1)", (4, 3)),
    ("nn.BatchNorm(center=False)", (4, 3)),
    ("nn.BatchNorm(scale=False)", (4, 3)),
    ("nn.BatchNorm(use_global_stats=True)", (4, 3)),
    ("nn.LayerNorm()", (2, 3, 4)),
    ("nn.LayerNorm(axis=1, epsilon=0.1)", (2, 3, 4)),
    ("nn.LayerNorm(center=False, scale=False)", (2, 4)),
    ("nn.InstanceNorm()", (2, 3, 4, 4)),
    ("nn.InstanceNorm(epsilon=0.1, scale=True)", (2, 3, 4)),
    ("nn.GroupNorm()", (2, 4, 3)),
    ("nn.GroupNorm(num_groups=2, epsilon=0.1)", (2, 4, 3)),
    ("nn.Dropout(0.4)", (4, 5)),
    ("nn.Dropout(0.4, axes=(1,))", (4, 5)),
    ("nn.Dropout(0)", (4, 5)),
    ("nn.Activation('relu')", (2, 3)),
    ("nn.Activation('softrelu')", (2, 3)),
    ("nn.Activation('softsign')", (2, 3)),
    ("nn.LeakyReLU(0.2)", (2, 3)),
    ("nn.PReLU()", (2, 3)),
    ("nn.PReLU(mx.init.Constant(0.5))", (2, 3)),
    ("nn.ELU(0.5)", (2, 3)),
    ("nn.SELU()", (2, 3)),
    ("nn.GELU()", (2, 3)),
    ("nn.Swish(2.0)", (2, 3)),
    ("nn.Flatten()", (2, 3, 4)),
    ("nn.Lambda('softmax')", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.relu(x) + 1)", (2, 3)),
    ("nn.ReflectionPad2D(1)", (1, 1, 3, 3)),
    ("nn.ReflectionPad2D((0, 0, 0, 0, 1, 0, 2, 1))", (1, 1, 3, 3)),
]

_RUN = """
mx.random.seed(13)
layer = {layer}
layer.initialize(mx.init.Uniform(1))
x = nd.random.normal(shape={shape})
x.attach_grad()
out.append(layer(x))
with autograd.record():
    y = layer(x)
    z = y * y * nd.sin(nd.arange(y.size).reshape(y.shape))
z.backward()
out += [y, x.grad]
out += [(n.split('_', 1)[1], p.shape, p.grad_req) for n, p in layer.collect_params().items()]
out += [p.grad() for p in layer.collect_params().values() if p.grad_req != 'null']
out += [p.data() for p in layer.collect_params('.*running.*').values()]
layer.hybridize()
out.append(layer(x))
"""

_FILE = """
## embedding/gradient
e = nn.Embedding(4, 2)
e.initialize(mx.init.One())
with autograd.record():
    y = e(nd.array([[0, 3], [3, 1]]))
y.backward()
out += [y, e.weight.grad()]

## embedding/clips-and-truncates
e = nn.Embedding(3, 1, weight_initializer=mx.init.Uniform(1))
mx.random.seed(1)
e.initialize()
out += [e.weight.data(), e(nd.array([0, 2, 7, -1, 1.9]))]

## embedding/int-input
e = nn.Embedding(3, 1)
e.initialize(mx.init.One())
out.append(e(nd.array([0, 1], dtype='int32')))

## batchnorm/two-steps
b = nn.BatchNorm(in_channels=2, momentum=0.5)
b.initialize()
for k in (1, 3):
    with autograd.record():
        y = b(nd.array([[1, 2], [3, 6]]) * k)
    y.backward()
    out += [b.running_mean.data().copy(), b.running_var.data().copy()]
out.append(b(nd.array([[1, 2]])))

## batchnorm/not-moved-without-backward
b = nn.BatchNorm(in_channels=2)
b.initialize()
with autograd.record():
    b(nd.array([[1, 2], [3, 6]]))
out += [b.running_mean.data(), b.running_var.data()]

## batchnorm/retain-moves-twice
b = nn.BatchNorm(in_channels=2)
b.initialize()
with autograd.record():
    y = b(nd.array([[1, 2], [3, 6]]))
y.backward(retain_graph=True)
y.backward()
out += [b.running_mean.data(), b.running_var.data()]

## batchnorm/predict-mode-record
b = nn.BatchNorm(in_channels=2)
b.initialize()
x = nd.array([[1, 2], [3, 6]])
x.attach_grad()
with autograd.record(train_mode=False):
    y = b(x)
y.backward(train_mode=False)
out += [y, x.grad, b.running_mean.data()]

## batchnorm/one-value-per-channel
b = nn.BatchNorm(in_channels=2)
b.initialize()
with autograd.record():
    y = b(nd.array([[1, 2]]))
out.append(y)

## batchnorm/frozen
b = nn.BatchNorm(in_channels=2)
b.initialize()
b.collect_params().setattr('grad_req', 'null')
x = nd.array([[1, 2], [3, 6]])
x.attach_grad()
with autograd.record():
    y = b(x)
y.backward()
out += [y, x.grad, b.running_mean.data()]

## batchnorm/several-contexts
b = nn.BatchNorm(in_channels=1)
b.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
with autograd.record():
    ys = [b(nd.array([[1], [3]], ctx=mx.cpu(i)) * (i + 1)) for i in range(2)]
autograd.backward(ys)
out += b.running_mean.list_data()
out.append(b.running_mean._reduce())

## dropout/hybrid-same-mask [exact]
r = []
for hybrid in (False, True):
    mx.random.seed(5)
    d = nn.Dropout(0.5)
    if hybrid:
        d.hybridize()
    with autograd.record():
        r.append(d(nd.ones((20,))))
out += r

## dropout/two-in-a-net [exact]
mx.random.seed(5)
net = nn.HybridSequential()
net.add(nn.Dropout(0.3), nn.Dropout(0.3))
with autograd.record():
    out.append(net(nd.ones((4, 5))))
net.hybridize()
with autograd.record():
    out.append(net(nd.ones((4, 5))))

## dense/one-dimensional-input
d = nn.Dense(2)
d.initialize(mx.init.One())
out += [d(nd.ones((3,))), d.weight.shape]

## dense/in_units-wrong
d = nn.Dense(2, in_units=3)
d.initialize()
d(nd.ones((2, 4))).asnumpy()

## dense/dtype
d = nn.Dense(2, in_units=2, dtype='float64', weight_initializer='ones')
d.initialize()
out.append(d(nd.ones((1, 2), dtype='float64')))

## dense/several-contexts
d = nn.Dense(1, in_units=2, weight_initializer='ones')
d.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
y = d(nd.ones((1, 2), ctx=mx.cpu(1)))
out += [y, str(y.context)]

## conv/channels-wrong
c = nn.Conv2D(2, 3, in_channels=3)
c.initialize()
c(nd.ones((1, 2, 5, 5))).asnumpy()

## conv/input-too-small
c = nn.Conv2D(2, 3)
c.initialize()
c(nd.ones((1, 2, 2, 2))).asnumpy()

## conv/wrong-rank
c = nn.Conv2D(2, 3)
c.initialize()
c(nd.ones((1, 2, 5))).asnumpy()

## sequential/empty
net = nn.HybridSequential()
out.append(net(nd.ones((2,))))

## sequential/list-output
class Two(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return x, x * 2
class Add(gluon.HybridBlock):
    def hybrid_forward(self, F, x, y):
        return x + y
net = nn.HybridSequential()
net.add(Two())
out += list(net(nd.ones((2,))))

## lambda/unknown-name
nn.Lambda('no_such_operator')(nd.ones((1,)))

## lambda/not-a-function
nn.Lambda(3)

## identity/concurrent
net = gluon.contrib.nn.HybridConcurrent(axis=1)
net.add(nn.Activation('relu'), gluon.contrib.nn.Identity())
out.append(net(nd.array([[1, -1]])))
"""

CASES = [
    C(f"{layer} on {shape}", _RUN.format(layer=layer, shape=shape)) for layer, shape in _LAYERS
] + snippets(_FILE)
