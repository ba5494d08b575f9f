"""mx.gluon.contrib.cnn."""

from __future__ import annotations

from tests.cases import C

_CLASSES = ("DeformableConvolution", "ModulatedDeformableConvolution")
_ARGUMENTS = {
    "plain": "channels=4, kernel_size=(3, 3), padding=(1, 1), in_channels=2, activation='relu'",
    "all": (
        "channels=4, kernel_size=3, padding=1, num_deformable_group=2, groups=2, use_bias=False, "
        "strides=2, offset_use_bias=False, dilation=2, prefix='d_'"
    ),
    "moved": (
        "channels=3, kernel_size=(2, 3), "
        "offset_weight_initializer=mx.init.Normal(0.5), offset_bias_initializer='ones'"
    ),
}

_RUN = """
import json
layer = gluon.contrib.cnn.{name}({arguments})
layer.initialize(mx.init.Xavier())
x = nd.array(onp.random.RandomState(0).uniform(-1, 1, (1, 2, 8, 8)))
x.attach_grad()
with autograd.record():
    y = layer(x)
y.backward()
out += [y, x.grad, repr(layer), layer.prefix, layer._op_name]
out += [[p.name, p.data(), p.grad()] for p in layer.collect_params().values()]
layer.hybridize()
out.append(layer(x))
rows = json.loads(layer._cached_graph[1].tojson())['nodes']
out += [[n['op'], n['name'], n.get('attrs'), [i[:2] for i in n['inputs']]] for n in rows
        if n['op'] != 'null']
"""


def _code(name, arguments):
    code = _RUN.format(name=name, arguments=arguments)
    if name.startswith("Modulated"):  # MXNet has no backward of it on CPU
        code = code.replace("y.backward()\n", "").replace("x.grad", "0").replace("p.grad()", "0")
    return code


CASES = [
    C(f"{name}/{title}", _code(name, arguments))
    for name in _CLASSES
    for title, arguments in _ARGUMENTS.items()
]
