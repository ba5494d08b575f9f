"""nn layers: texts, parameters, values, gradients, the operators that they become."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

# layer, shape of its input
_LAYERS = """
nn.Dense(3) | 2,4
nn.Dense(3, activation='relu', use_bias=False, flatten=False) | 2,3,4
nn.Dense(3, weight_initializer='ones', bias_initializer=mx.init.Constant(2)) | 2,3,4
nn.Activation('relu') | 2,3
nn.Activation('sigmoid') | 2,3
nn.Activation('tanh') | 2,3
nn.Activation('softrelu') | 2,3
nn.Activation('softsign') | 2,3
nn.LeakyReLU(0.1) | 2,3
nn.PReLU() | 2,3
nn.PReLU(in_channels=3) | 2,3
nn.ELU(0.5) | 2,3
nn.SELU() | 2,3
nn.GELU() | 2,3
nn.Swish(1.5) | 2,3
nn.Dropout(0) | 2,3
nn.Flatten() | 2,3,4
nn.BatchNorm() | 4,3,2
nn.BatchNorm(axis=-1, momentum=0.5, epsilon=1e-3, scale=False) | 4,3,2
nn.BatchNorm(center=False, use_global_stats=True, in_channels=3) | 4,3
nn.InstanceNorm() | 2,3,4
nn.InstanceNorm(axis=2, scale=True, epsilon=1e-3) | 2,3,4
nn.LayerNorm() | 2,3,4
nn.LayerNorm(axis=1, center=False) | 2,3,4
nn.GroupNorm(2) | 2,4,3
nn.GroupNorm(2, scale=False) | 2,4,3
nn.Conv1D(2, 3) | 1,3,6
nn.Conv1D(4, 3, strides=2, padding=1, dilation=2, groups=2, activation='relu') | 1,2,9
nn.Conv2D(2, 3) | 1,3,5,5
nn.Conv2D(2, (3, 2), strides=(2, 1), padding=(1, 0), use_bias=False) | 1,3,5,6
nn.Conv2D(4, 3, groups=2, in_channels=4, dilation=2) | 1,4,7,7
nn.Conv3D(2, 2) | 1,2,3,3,3
nn.Conv1DTranspose(2, 3, strides=2, output_padding=1) | 1,3,4
nn.Conv2DTranspose(2, 3, strides=2, padding=1, output_padding=1) | 1,3,4,4
nn.Conv2DTranspose(4, 2, groups=2, in_channels=2) | 1,2,4,4
nn.Conv3DTranspose(2, 2) | 1,2,3,3,3
nn.MaxPool1D(3) | 1,2,7
nn.MaxPool2D() | 1,2,5,5
nn.MaxPool2D(3, 2, 1, ceil_mode=True) | 1,2,6,6
nn.MaxPool3D() | 1,2,4,4,4
nn.AvgPool1D() | 1,2,5
nn.AvgPool2D((2, 3), 1, 1, count_include_pad=False) | 1,2,5,5
nn.AvgPool2D(ceil_mode=True) | 1,2,5,5
nn.AvgPool3D() | 1,2,4,4,4
nn.GlobalMaxPool1D() | 1,2,5
nn.GlobalMaxPool2D() | 1,2,5,4
nn.GlobalMaxPool3D() | 1,2,3,3,3
nn.GlobalAvgPool1D() | 1,2,5
nn.GlobalAvgPool2D() | 1,2,5,4
nn.GlobalAvgPool3D() | 1,2,3,3,3
nn.ReflectionPad2D(1) | 1,2,3,3
nn.ReflectionPad2D((0, 0, 0, 0, 1, 1, 2, 2)) | 1,1,3,4
"""

_RUN = """
layer = {layer}
out.append(repr(layer))
layer.initialize(mx.init.Xavier() if {many} else mx.init.Uniform(1))
x = nd.array(onp.random.RandomState(0).uniform(-1, 1, ({shape},)).astype('float32'))
x.attach_grad()
with autograd.record():
    y = layer(x)
y.backward(nd.array(onp.random.RandomState(1).uniform(-1, 1, y.shape).astype('float32')))
out += [y, x.grad, repr(layer), repr(layer.collect_params()), layer(x)]
for p in layer.collect_params().values():
    out += [p.data(), p.grad_req, str(p.init) if isinstance(p.init, str) else None]
    if p.grad_req != 'null':
        out.append(p.grad())
layer.hybridize()
with autograd.record():
    z = layer(x)
z.backward(nd.array(onp.random.RandomState(2).uniform(-1, 1, z.shape).astype('float32')))
out += [z, x.grad]
import json
nodes = json.loads(layer._cached_graph[1].tojson())['nodes']
calls = [n for n in nodes if n['op'] != 'null']
out += [[n['op'], n['name'], n.get('attrs', {{}}), [i[:2] for i in n['inputs']]] for n in calls]
"""


def _layer_case(line):
    layer, shape = line.split(" | ")
    many = "Conv" in layer or "Dense" in layer
    return C(f"layer/{layer}", _RUN.format(layer=layer, shape=shape, many=many))


_OTHERS = snippets(
    """
## embedding
layer = nn.Embedding(5, 3)
layer.initialize(mx.init.Uniform(1))
with autograd.record():
    y = layer(nd.array([[0, 4], [2, 2]]))
y.backward()
out += [repr(layer), y, layer.weight.grad(), repr(layer.collect_params())]
layer.hybridize()
out.append(layer(nd.array([1, 3])))

## dropout [exact]
layer = nn.Dropout(0.5)
x = nd.ones((3, 4))
out += [layer(x), repr(layer)]
for hybrid in (False, True):
    layer.hybridize(hybrid)
    mx.random.seed(3)
    with autograd.record():
        out.append(layer(x))
    with autograd.record(train_mode=False):
        out.append(layer(x))
    with autograd.train_mode():
        out.append(layer(x))

## dropout/axes [exact]
layer = nn.Dropout(0.5, axes=(1,))
with autograd.record():
    out += [layer(nd.ones((3, 4))), repr(layer)]

## batch-norm/prediction-and-training
layer = nn.BatchNorm()
layer.initialize()
x = nd.array(onp.arange(24, dtype='float32').reshape((4, 3, 2)))
out.append(layer(x))
for _ in range(3):
    with autograd.record():
        y = layer(x)
    y.backward()
out += [y, layer(x), layer.running_mean.data(), layer.running_var.data()]
with autograd.record(train_mode=False):
    out.append(layer(x))

## batch-norm/cast
layer = nn.BatchNorm(in_channels=2)
for dtype in ('float16', onp.float16, 'float64'):
    layer.cast(dtype)
    out.append(onp.dtype(layer.gamma.dtype).name)

## batch-norm/differentiable
layer = nn.BatchNorm(in_channels=2, scale=False, center=False)
out += [(p.name, p.grad_req) for p in layer.collect_params().values()]
layer.gamma.grad_req = 'write'
out.append(layer.gamma.grad_req)

## conv/weight-shapes
out += [repr(layer.weight) for layer in (
    nn.Conv2D(3, 3, layout='NHWC', in_channels=2), nn.Conv3D(6, 3, layout='NDHWC', in_channels=4),
    nn.Conv2D(6, 3, groups=2, in_channels=4, layout='NHWC'),
    nn.Conv2DTranspose(3, 3, layout='NHWC', in_channels=2),
    nn.Conv2DTranspose(6, 3, groups=2, in_channels=4))]
out += [repr(nn.Conv2D(4, [3, 2])), repr(nn.Conv1D(4, (3,))), repr(nn.Conv2D(4, 3, strides=[2, 1]))]

## conv/bad-layout
nn.Conv2D(3, 3, layout='FOO')

## conv/bad-layout-1d
nn.Conv1D(3, 3, layout='NWC')

## conv/bad-kernel
nn.Conv2D(3, (1, 2, 3))

## conv/bad-strides
nn.Conv2D(3, 3, strides=(2,))

## conv/bad-groups
nn.Conv2D(3, 3, groups=2, in_channels=4)

## conv/bad-output-padding
nn.Conv2DTranspose(3, 3, output_padding=1)

## pool/bad-layout
nn.MaxPool2D(layout='FOO')

## pool/bad-size
nn.MaxPool2D((1, 2, 3))

## pool/options
layers = (nn.MaxPool2D(2, 3), nn.AvgPool2D(padding=(1, 1)), nn.GlobalAvgPool1D())
out += [layer._kwargs for layer in layers]

## leaky/negative
nn.LeakyReLU(-1)

## activation/unknown
nn.Activation('foo')(nd.ones((2,)))

## dense/attributes
layer = nn.Dense(3, activation='relu', in_units=2)
out += [layer.act.name, layer.bias.name, nn.Dense(3, use_bias=False).bias, nn.Dense(3).act]
out += [repr(nn.Dense(3, dtype='float16').weight), repr(layer), layer._units, layer._flatten]
"""
)

CASES = [_layer_case(line) for line in _LAYERS.splitlines() if line] + _OTHERS
