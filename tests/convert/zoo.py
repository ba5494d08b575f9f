"""The nets of the model zoo: weights and an input that a seed makes, and a digest of the output.

Also run by Python 3.8, beside real MXNet (tools/record_models.py), so weights need not be kept.
"""

import hashlib
import json
import zlib

import numpy as np

FAMILIES = {
    "alexnet": ("alexnet",),
    "densenet": ("densenet121", "densenet161", "densenet169", "densenet201"),
    "inception": ("inceptionv3",),
    "mobilenet": ("mobilenet1.0", "mobilenet0.75", "mobilenet0.5", "mobilenet0.25"),
    "mobilenetv2": (
        "mobilenetv2_1.0",
        "mobilenetv2_0.75",
        "mobilenetv2_0.5",
        "mobilenetv2_0.25",
    ),
    "resnet_v1": ("resnet18_v1", "resnet34_v1", "resnet50_v1", "resnet101_v1", "resnet152_v1"),
    "resnet_v2": ("resnet18_v2", "resnet34_v2", "resnet50_v2", "resnet101_v2", "resnet152_v2"),
    "squeezenet": ("squeezenet1.0", "squeezenet1.1"),
    "vgg": (
        "vgg11",
        "vgg13",
        "vgg16",
        "vgg19",
        "vgg11_bn",
        "vgg13_bn",
        "vgg16_bn",
        "vgg19_bn",
    ),
}
NAMES = [name for family in FAMILIES.values() for name in family]
# Narrow nets of the families whose smallest member is large: class, arguments, side of the image.
NARROW = {
    "narrow alexnet": ("AlexNet", (), {"classes": 10}, 63),
    "narrow densenet": ("DenseNet", (8, 4, [2, 2, 3, 2]), {"classes": 10}, 224),
    "narrow resnet_v1": ("ResNetV1", ("BottleneckV1", [2, 1, 2, 1], [8, 16, 32, 48, 64]), {}, 64),
    "narrow resnet_v2": ("ResNetV2", ("BasicBlockV2", [2, 1, 2, 1], [8, 8, 16, 24, 32]), {}, 64),
    "narrow vgg": ("VGG", ([1, 1, 2, 1, 1], [8, 8, 16, 16, 16]), {"batch_norm": True}, 32),
}
# The quick tests have one of each family, a small one.
QUICK = (
    "inceptionv3",
    "mobilenet0.25",
    "mobilenetv2_0.25",
    "squeezenet1.1",
    *NARROW,
)
SAMPLES = 64


def shape(name):
    """The shape of the input, a batch of two."""
    side = 299 if name.startswith("inception") else 224
    side = NARROW[name][3] if name in NARROW else side
    return (2, 3, side, side)


def net(mx, name):
    """The net, of MXNet's or mxtorch's zoo."""
    vision = mx.gluon.model_zoo.vision
    if name not in NARROW:
        return vision.get_model(name, prefix="net_")
    kind, arguments, options, _ = NARROW[name]
    arguments = [getattr(vision, a) if isinstance(a, str) else a for a in arguments]
    return getattr(vision, kind)(*arguments, prefix="net_", **options)


def numbers(key, shape):
    """Float32 numbers in [-0.5, 0.5) that depend on the key alone."""
    random = np.random.RandomState(zlib.crc32(key.encode()))
    count = int(np.prod(shape))
    found = np.frombuffer(random.bytes(2 * count), "<u2").astype("float32")
    found /= np.float32(65536)
    found -= np.float32(0.5)
    return found.reshape(shape)


def weight(name, shape):
    """The values of a parameter: by its name, and of a scale that keeps activations in range."""
    values = numbers(name, shape)
    if name.endswith("weight"):
        values *= np.float32((24 / np.prod(shape[1:])) ** 0.5)
    elif name.endswith(("gamma", "var")):
        values += np.float32(1)
    else:
        values *= np.float32(0.2)
    return values


def image(name):
    """The input."""
    return numbers(name, shape(name)) * np.float32(4)


def digest(output):
    """What is kept of an output: a part of each row, sums, where the largest elements are."""
    rows = np.asarray(output, "float64")
    return {
        "shape": list(rows.shape),
        "samples": [[float(np.float32(x)) for x in row[:SAMPLES]] for row in rows],
        "sum": [float(row.sum()) for row in rows],
        "largest": float(np.abs(rows).max()),
        "argmax": [int(i) for i in rows.argmax(1)],
    }


def graph_digest(text):
    """A hash of a symbol file's nodes and heads."""
    graph = json.loads(text)
    kept = [
        [n["op"], n["name"], n.get("attrs", {}), [i[:2] for i in n["inputs"]]]
        for n in graph["nodes"]
    ]
    told = json.dumps([kept, [h[:2] for h in graph["heads"]]], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()
