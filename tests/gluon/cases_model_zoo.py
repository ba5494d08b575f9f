"""mx.gluon.model_zoo: the nets with MXNet's own initial weights; all of them in the full set."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

# name, size of the image
_FAMILIES = """
alexnet 63
vgg11 32
squeezenet1.1 224
inceptionv3 299
resnet18_v1 32
resnet18_v2 32
resnet50_v2 32
mobilenet0.25 32
mobilenetv2_0.25 32
"""

_OTHERS = """
densenet121 224
densenet161 224
densenet169 224
densenet201 224
mobilenet0.5 64
mobilenet0.75 64
mobilenet1.0 64
mobilenetv2_0.5 64
mobilenetv2_0.75 64
mobilenetv2_1.0 64
resnet101_v1 64
resnet101_v2 64
resnet152_v1 64
resnet152_v2 64
resnet34_v1 64
resnet50_v1 32
resnet34_v2 64
squeezenet1.0 224
vgg11_bn 32
vgg13 32
vgg13_bn 32
vgg16 32
vgg16_bn 32
vgg19 32
vgg19_bn 32
"""

_RUN = """
import hashlib
mx.random.seed(7)
net = gluon.model_zoo.vision.get_model({name!r}, classes=5)
out += [hashlib.sha1(repr(net).encode()).hexdigest(), net.prefix, list(net._children)]
net.initialize(mx.init.Xavier())
x = nd.array(onp.random.RandomState(0).uniform(-1, 1, (1, 3, {size}, {size})))
out.append(net(x))
params = dict(net.collect_params().items())
out.append([(k, p.shape, p.grad_req) for k, p in params.items()][:: len(params) // 20 + 1])
text = repr([(k, p.shape, p.grad_req) for k, p in params.items()])
out.append(hashlib.sha1(text.encode()).hexdigest())
out += [len(params), sum(onp.prod(p.shape) for p in params.values()).item()]
net.hybridize()
out.append(net(x))
"""


def _case(line, full):
    name, size = line.split()
    code = _RUN.format(name=name, size=size)
    return C(f"net/{name}", code, "net", full=full)


_SMALL = snippets(
    """
## training [net]
vision = gluon.model_zoo.vision
mx.random.seed(3)
net = vision.ResNetV2(vision.BottleneckV2, [1, 1], [8, 16, 32], classes=3, thumbnail=True)
net.initialize(mx.init.Xavier())
net.hybridize()
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'momentum': 0.9})
loss = gluon.loss.SoftmaxCrossEntropyLoss()
x = nd.array(onp.random.RandomState(0).uniform(-1, 1, (4, 3, 8, 8)))
for _ in range(4):
    with autograd.record():
        l = loss(net(x), nd.array([0, 1, 2, 1]))
    l.backward()
    trainer.step(4)
    out.append(l)
out += [p.data() for p in net.collect_params().values()][-6:]

## training/dropout [net]
vision = gluon.model_zoo.vision
mx.random.seed(3)
net = vision.DenseNet(16, 16, (2, 2), dropout=0.5, classes=3)
net.initialize(mx.init.Xavier())
x = nd.array(onp.random.RandomState(0).uniform(-1, 1, (2, 3, 112, 112)))
with autograd.record():
    y = net(x)
y.backward()
out += [y, net.features[0].weight.grad()]

## blocks
vision = gluon.model_zoo.vision
for block in (vision.BasicBlockV1, vision.BasicBlockV2, vision.BottleneckV1, vision.BottleneckV2):
    for stride, down in ((1, False), (2, True)):
        b = block(8, stride, down, in_channels=8)
        b.initialize(mx.init.Xavier())
        y = b(nd.array(onp.random.RandomState(0).uniform(-1, 1, (1, 8, 6, 6))))
        out += [y, b.downsample is None, repr(b), [p.name for p in b.collect_params().values()]]

## thumbnails
vision = gluon.model_zoo.vision
out.append(repr(vision.ResNetV1(vision.BasicBlockV1, [1, 1], [8, 8, 16], thumbnail=True)))
out.append(repr(vision.ResNetV2(vision.BasicBlockV2, [1, 1], [8, 8, 16], thumbnail=True)))

## names
vision = gluon.model_zoo.vision
specs = (vision.resnet.resnet_spec, vision.vgg.vgg_spec, vision.densenet.densenet_spec)
out += [list(specs), [c.__name__ for c in vision.resnet.resnet_net_versions]]
net = vision.get_model('ResNet18_V1', classes=2, prefix='mine_')
out += [net.name, net.output.name, net.features[4][0].body[0].name, net.features[4].prefix]
try:
    vision.get_model('nope')
except ValueError as error:
    out.append(str(error))

## names/invalid-version
gluon.model_zoo.vision.get_resnet(3, 18)

## names/invalid-layers
gluon.model_zoo.vision.get_resnet(1, 19)

## names/invalid-vgg
gluon.model_zoo.vision.get_vgg(12)

## names/invalid-squeezenet
gluon.model_zoo.vision.SqueezeNet('1.2')

## names/uneven-stages
gluon.model_zoo.vision.VGG([1, 2], [3])

## names/uneven-resnet
v = gluon.model_zoo.vision
v.ResNetV1(v.BasicBlockV1, [1, 2], [3])

## store
model_store = gluon.model_zoo.model_store
out += [model_store._model_sha1, model_store.short_hash('resnet18_v1')]

## store/no-such-model
gluon.model_zoo.model_store.get_model_file('nope')

## feature-extractor [net]
vision = gluon.model_zoo.vision
mx.random.seed(1)
net = vision.mobilenet0_25(classes=10)
net.initialize(mx.init.Xavier())
with net.name_scope():
    net.output = nn.Dense(2)
net.output.initialize()
x = nd.array(onp.random.RandomState(0).uniform(-1, 1, (1, 3, 32, 32)))
out += [net(x), net.features(x).shape, net.output.weight.name]
"""
)

CASES = [_case(line, False) for line in _FAMILIES.split("\n") if line]
CASES += [_case(line, True) for line in _OTHERS.split("\n") if line]
CASES += _SMALL
