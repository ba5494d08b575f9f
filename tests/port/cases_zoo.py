"""Networks of the model zoo, for the port."""

from __future__ import annotations

from tests.snippets import snippets

FILL = """
vision = gluon.model_zoo.vision

def fill(net):
    for p in net.collect_params().values():
        if p.grad_req != 'null':
            n = int(onp.prod(p.shape))
            wave = onp.sin(onp.arange(n) * 1.7 + n).reshape(p.shape)
            one = len(p.shape) == 1
            p.set_data(nd.array(wave * (0.1 if one else 2.0 / n ** 0.5) + one))

x = nd.array(onp.cos(onp.arange(2 * 3 * 32 * 32) * 0.3).reshape((2, 3, 32, 32)))
"""

CASES = snippets(
    """
## zoo/resnet18-v1
net = vision.resnet18_v1(classes=3)
net.initialize()
net(x)
fill(net)
out += [net(x), net.features(x).shape, net.output.weight.shape, len(net.features)]

## zoo/resnet18-v2
net = vision.get_model('resnet18_v2', classes=3, pretrained=False, ctx=mx.cpu())
net.initialize()
net(x)
fill(net)
out += [net(x)]

## zoo/mobilenet
net = vision.mobilenet0_25(classes=3)
net.initialize()
net(x)
fill(net)
out += [net(x), net.features[:3](x).shape]

## zoo/by-name-and-fine-tuned
def made(name, classes):
    base = vision.get_model(name, classes=10)
    net = vision.get_model(name, classes=classes)
    net.features = base.features
    net.output = nn.Dense(classes, in_units=256)
    base.initialize()
    net.output.initialize()
    return net

net = made('mobilenet0.25', 3)
net(x)
fill(net)
out += [net(x)]
""",
    FILL,
)
