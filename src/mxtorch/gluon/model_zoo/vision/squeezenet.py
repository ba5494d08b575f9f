"""SqueezeNet (Iandola, 2016)."""

from __future__ import annotations

from typing import Any

from mxtorch._core.errors import MXNetAssertionError
from mxtorch.context import Context, cpu
from mxtorch.gluon import nn
from mxtorch.gluon.contrib.nn import HybridConcurrent
from mxtorch.gluon.model_zoo.model_store import MODELS
from mxtorch.gluon.model_zoo.vision import _weights

__all__ = ["SqueezeNet", "squeezenet1_0", "squeezenet1_1"]

# first convolution: channels and kernel; then a pooling (None) or a fire's two numbers of channels
_VERSIONS: dict[str, tuple[tuple[int, int], list[tuple[int, int] | None]]] = {
    "1.0": (
        (96, 7),
        [
            *(None, (16, 64), (16, 64), (32, 128)),
            *(None, (32, 128), (48, 192), (48, 192), (64, 256)),
            *(None, (64, 256)),
        ],
    ),
    "1.1": (
        (64, 3),
        [
            *(None, (16, 64), (16, 64)),
            *(None, (32, 128), (32, 128)),
            *(None, (48, 192), (48, 192), (64, 256), (64, 256)),
        ],
    ),
}


class SqueezeNet(_weights.FeaturesThenOutput):
    """Fires: 1x1 convolutions to few channels, then 1x1 and 3x3 ones side by side."""

    def __init__(self, version: str, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if version not in _VERSIONS:
            raise MXNetAssertionError(
                f"Unsupported SqueezeNet version {version}:1.0 or 1.1 expected"
            )
        (channels, kernel), stages = _VERSIONS[version]
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            with self.features.name_scope():
                self.features.add(nn.Conv2D(channels, kernel_size=kernel, strides=2))
                self.features.add(nn.Activation("relu"))
                for stage in stages:
                    if stage is None:
                        block: Any = nn.MaxPool2D(pool_size=3, strides=2, ceil_mode=True)
                    else:
                        block = _make_fire(stage[0], stage[1], stage[1])
                    self.features.add(block)
                self.features.add(nn.Dropout(0.5))
            self.output = nn.HybridSequential(prefix="")
            with self.output.name_scope():
                self.output.add(
                    nn.Conv2D(classes, kernel_size=1),
                    nn.Activation("relu"),
                    nn.AvgPool2D(13),
                    nn.Flatten(),
                )


def _make_fire(squeeze_channels: int, expand1x1_channels: int, expand3x3_channels: int) -> Any:
    fire = nn.HybridSequential(prefix="")
    fire.add(_make_fire_conv(squeeze_channels, 1))
    branches = HybridConcurrent(axis=1, prefix="")
    branches.add(_make_fire_conv(expand1x1_channels, 1))
    branches.add(_make_fire_conv(expand3x3_channels, 3, 1))
    fire.add(branches)
    return fire


def _make_fire_conv(channels: int, kernel_size: int, padding: int = 0) -> Any:
    layer = nn.HybridSequential(prefix="")
    layer.add(nn.Conv2D(channels, kernel_size, padding=padding))
    layer.add(nn.Activation("relu"))
    return layer


def get_squeezenet(
    version: str,
    pretrained: bool = False,
    ctx: Context = cpu(),  # noqa: B008 - MXNet's signature; it is not changed
    root: str = MODELS,
    **kwargs: Any,
) -> SqueezeNet:
    """SqueezeNet '1.0' or '1.1'; further arguments are the class's."""
    net = SqueezeNet(version, **kwargs)
    return _weights.load(net, f"squeezenet{version}", pretrained, ctx, root)


def squeezenet1_0(**kwargs: Any) -> SqueezeNet:
    """SqueezeNet as first published."""
    return get_squeezenet("1.0", **kwargs)


def squeezenet1_1(**kwargs: Any) -> SqueezeNet:
    """SqueezeNet 1.1, which needs fewer operations."""
    return get_squeezenet("1.1", **kwargs)
