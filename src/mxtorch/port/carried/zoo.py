"""Networks of Gluon's model zoo: the same layers under the same numbers."""

from __future__ import annotations

from torch import nn
from torch.nn import functional as F


class FeaturesAndOutput(nn.Module):
    """Layers that see, and one that classifies."""

    def __init__(self, features, output):
        super().__init__()
        self.features, self.output = features, output

    def forward(self, x):
        return self.output(self.features(x).flatten(1))


class ResidualV1(nn.Module):
    """A shortcut around convolutions, each followed by its norm."""

    def __init__(self, channels, out, stride, bottleneck):
        super().__init__()
        if bottleneck:
            inner = out // 4
            self.body = nn.Sequential(
                nn.Conv2d(channels, inner, 1, stride),
                nn.BatchNorm2d(inner),
                nn.ReLU(),
                nn.Conv2d(inner, inner, 3, padding=1, bias=False),
                nn.BatchNorm2d(inner),
                nn.ReLU(),
                nn.Conv2d(inner, out, 1),
                nn.BatchNorm2d(out),
            )
        else:
            self.body = nn.Sequential(
                nn.Conv2d(channels, out, 3, stride, padding=1, bias=False),
                nn.BatchNorm2d(out),
                nn.ReLU(),
                nn.Conv2d(out, out, 3, padding=1, bias=False),
                nn.BatchNorm2d(out),
            )
        self.downsample = None
        if stride != 1 or channels != out:
            shortcut = nn.Conv2d(channels, out, 1, stride, bias=False)
            self.downsample = nn.Sequential(shortcut, nn.BatchNorm2d(out))

    def forward(self, x):
        shortcut = x if self.downsample is None else self.downsample(x)
        return F.relu(shortcut + self.body(x))


class ResidualV2(nn.Module):
    """A shortcut around convolutions, each after its norm."""

    def __init__(self, channels, out, stride, bottleneck):
        super().__init__()
        inner = out // 4 if bottleneck else out
        self.bn1 = nn.BatchNorm2d(channels)
        if bottleneck:
            self.conv1 = nn.Conv2d(channels, inner, 1, bias=False)
            self.bn2 = nn.BatchNorm2d(inner)
            self.conv2 = nn.Conv2d(inner, inner, 3, stride, padding=1, bias=False)
            self.bn3 = nn.BatchNorm2d(inner)
            self.conv3 = nn.Conv2d(inner, out, 1, bias=False)
        else:
            self.conv1 = nn.Conv2d(channels, out, 3, stride, padding=1, bias=False)
            self.bn2 = nn.BatchNorm2d(out)
            self.conv2 = nn.Conv2d(out, out, 3, padding=1, bias=False)
        self.bottleneck, self.downsample = bottleneck, None
        if stride != 1 or channels != out:
            self.downsample = nn.Conv2d(channels, out, 1, stride, bias=False)

    def forward(self, x):
        seen = F.relu(self.bn1(x))
        shortcut = x if self.downsample is None else self.downsample(seen)
        seen = self.conv2(F.relu(self.bn2(self.conv1(seen))))
        if self.bottleneck:
            seen = self.conv3(F.relu(self.bn3(seen)))
        return seen + shortcut


def resnet(version, depth, classes=1000):
    """ResNet of version 1 or 2."""
    counts = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3)}
    counts[152] = (3, 8, 36, 3)
    block = ResidualV1 if version == 1 else ResidualV2
    layers = [] if version == 1 else [nn.BatchNorm2d(3, affine=False)]
    layers += [nn.Conv2d(3, 64, 7, 2, padding=3, bias=False), nn.BatchNorm2d(64), nn.ReLU()]
    layers.append(nn.MaxPool2d(3, 2, padding=1))
    channels = 64
    for stage, count in enumerate(counts[depth]):
        out = 64 * 2**stage * (4 if depth >= 50 else 1)
        blocks = []
        for i in range(count):
            blocks.append(block(channels, out, 2 if stage and not i else 1, depth >= 50))
            channels = out
        layers.append(nn.Sequential(*blocks))
    layers += [] if version == 1 else [nn.BatchNorm2d(channels), nn.ReLU()]
    layers.append(nn.AdaptiveAvgPool2d(1))
    layers += [] if version == 1 else [nn.Flatten()]
    return FeaturesAndOutput(nn.Sequential(*layers), nn.Linear(channels, classes))


def vgg(depth, classes=1000, batch_norm=False):
    """VGG, with norms or without."""
    layers, channels = [], 3
    counts = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
    for count, out in zip(counts[depth], (64, 128, 256, 512, 512), strict=True):
        for _ in range(count):
            layers.append(nn.Conv2d(channels, out, 3, padding=1))
            layers += [nn.BatchNorm2d(out)] if batch_norm else []
            layers.append(nn.ReLU())
            channels = out
        layers.append(nn.MaxPool2d(2, 2))
    layers += [nn.Sequential(nn.Flatten(), nn.LazyLinear(4096), nn.ReLU()), nn.Dropout(0.5)]
    layers += [nn.Sequential(nn.Linear(4096, 4096), nn.ReLU()), nn.Dropout(0.5)]
    return FeaturesAndOutput(nn.Sequential(*layers), nn.Linear(4096, classes))


def alexnet(classes=1000):
    """AlexNet."""
    layers, channels = [], 3
    rows = ((64, 11, 4, 2), (192, 5, 1, 2), (384, 3, 1, 1), (256, 3, 1, 1), (256, 3, 1, 1))
    for i, (out, kernel, stride, padding) in enumerate(rows):
        conv = nn.Conv2d(channels, out, kernel, stride, padding)
        layers.append(nn.Sequential(conv, nn.ReLU()))
        layers += [nn.MaxPool2d(3, 2)] if i in (0, 1, 4) else []
        channels = out
    layers += [nn.Flatten(), nn.Sequential(nn.LazyLinear(4096), nn.ReLU()), nn.Dropout(0.5)]
    layers += [nn.Sequential(nn.Linear(4096, 4096), nn.ReLU()), nn.Dropout(0.5)]
    return FeaturesAndOutput(nn.Sequential(*layers), nn.Linear(4096, classes))


def mobilenet(multiplier, classes=1000):
    """MobileNet of version 1, its channels times `multiplier`."""
    widths = [64, 128, 128, 256, 256, *[512] * 6, 1024, 1024]
    strides = [1, 2, 1, 2, 1, 2, *[1] * 5, 2, 1]
    channels = int(32 * multiplier)
    layers = [nn.Conv2d(3, channels, 3, 2, padding=1, bias=False)]
    layers += [nn.BatchNorm2d(channels), nn.ReLU()]
    for width, stride in zip(widths, strides, strict=True):
        out = int(width * multiplier)
        layers += [
            nn.Conv2d(channels, channels, 3, stride, padding=1, groups=channels, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            nn.Conv2d(channels, out, 1, bias=False),
            nn.BatchNorm2d(out),
            nn.ReLU(),
        ]
        channels = out
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    return FeaturesAndOutput(nn.Sequential(*layers), nn.Linear(channels, classes))


def get_model(name, classes=1000):
    """A network of the zoo by its name there."""
    kind, _, version = name.partition("_v")
    if kind.startswith("resnet"):
        return resnet(int(version), int(kind.removeprefix("resnet")), classes)
    if name.startswith("vgg"):
        depth, _, norm = name.removeprefix("vgg").partition("_")
        return vgg(int(depth), classes, norm == "bn")
    if name.startswith("mobilenet") and "v2" not in name:
        return mobilenet(float(name.removeprefix("mobilenet").replace("_", ".")), classes)
    if name == "alexnet":
        return alexnet(classes)
    raise ValueError(f"{name} is not among the networks written here")
