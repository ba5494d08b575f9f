"""MobileNet (Howard, 2017) and MobileNetV2 (Sandler, 2018)."""

from __future__ import annotations

from typing import Any

from mxtorch.context import Context, cpu
from mxtorch.gluon import nn
from mxtorch.gluon.block import HybridBlock
from mxtorch.gluon.model_zoo.model_store import MODELS
from mxtorch.gluon.model_zoo.vision import _weights

__all__ = [
    "MobileNet",
    "MobileNetV2",
    "get_mobilenet",
    "get_mobilenet_v2",
    "mobilenet0_5",
    "mobilenet0_25",
    "mobilenet0_75",
    "mobilenet1_0",
    "mobilenet_v2_0_5",
    "mobilenet_v2_0_25",
    "mobilenet_v2_0_75",
    "mobilenet_v2_1_0",
]

# channels that a layer makes, its strides
_LAYERS = [
    *((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)),
    *[(512, 1)] * 5,
    *((1024, 2), (1024, 1)),
]
# channels that a bottleneck makes, how many times as many it has inside, its strides
_BOTTLENECKS = [
    *((16, 1, 1), (24, 6, 2), (24, 6, 1), (32, 6, 2), (32, 6, 1), (32, 6, 1)),
    *((64, 6, 2), (64, 6, 1), (64, 6, 1), (64, 6, 1), (96, 6, 1), (96, 6, 1), (96, 6, 1)),
    *((160, 6, 2), (160, 6, 1), (160, 6, 1), (320, 6, 1)),
]


class RELU6(HybridBlock):
    """The positive part, at most 6."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """`x` within [0, 6]."""
        return F.clip(x, 0, 6, name="relu6")


def _add_conv(
    out: Any,
    channels: int = 1,
    kernel: int = 1,
    stride: int = 1,
    pad: int = 0,
    num_group: int = 1,
    active: bool = True,
    relu6: bool = False,
) -> None:
    """Add a convolution, BatchNorm and, if `active`, an activation."""
    out.add(nn.Conv2D(channels, kernel, stride, pad, groups=num_group, use_bias=False))
    out.add(nn.BatchNorm(scale=True))
    if active:
        out.add(RELU6() if relu6 else nn.Activation("relu"))


def _add_conv_dw(
    out: Any, dw_channels: int, channels: int, stride: int, relu6: bool = False
) -> None:
    """Add a convolution of each channel by itself, and one that mixes channels."""
    _add_conv(out, dw_channels, 3, stride, 1, num_group=dw_channels, relu6=relu6)
    _add_conv(out, channels, relu6=relu6)


class LinearBottleneck(HybridBlock):
    """MobileNetV2's layer: `t` times as many channels inside, none of the output cut off."""

    def __init__(self, in_channels: int, channels: int, t: int, stride: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.use_shortcut = stride == 1 and in_channels == channels
        inside = in_channels * t
        with self.name_scope():
            self.out = nn.HybridSequential()
            _add_conv(self.out, inside, relu6=True)
            _add_conv(self.out, inside, 3, stride, 1, num_group=inside, relu6=True)
            _add_conv(self.out, channels, active=False, relu6=True)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The layer's output, plus `x` where it has the same shape."""
        result = self.out(x)
        return F.elemwise_add(result, x) if self.use_shortcut else result


class MobileNet(_weights.FeaturesThenOutput):
    """MobileNet; `multiplier` scales the numbers of channels."""

    def __init__(self, multiplier: float = 1.0, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            with self.features.name_scope():
                before = int(32 * multiplier)
                _add_conv(self.features, before, 3, 2, 1)
                for full, stride in _LAYERS:
                    channels = int(full * multiplier)
                    _add_conv_dw(self.features, before, channels, stride)
                    before = channels
                self.features.add(nn.GlobalAvgPool2D())
                self.features.add(nn.Flatten())
            self.output = nn.Dense(classes)


class MobileNetV2(_weights.FeaturesThenOutput):
    """MobileNetV2; `multiplier` scales the numbers of channels."""

    def __init__(self, multiplier: float = 1.0, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="features_")
            with self.features.name_scope():
                before = int(32 * multiplier)
                _add_conv(self.features, before, 3, 2, 1, relu6=True)
                for full, times, stride in _BOTTLENECKS:
                    channels = int(full * multiplier)
                    self.features.add(LinearBottleneck(before, channels, times, stride))
                    before = channels
                last = int(1280 * multiplier) if multiplier > 1.0 else 1280
                _add_conv(self.features, last, relu6=True)
                self.features.add(nn.GlobalAvgPool2D())
            self.output = nn.HybridSequential(prefix="output_")
            with self.output.name_scope():
                self.output.add(nn.Conv2D(classes, 1, use_bias=False, prefix="pred_"))
                self.output.add(nn.Flatten())


def _version(multiplier: float) -> str:
    """0.75, 0.5, 1.0: as files of weights are named."""
    text = f"{multiplier:.2f}"
    return text[:-1] if text in ("1.00", "0.50") else text


def get_mobilenet(
    multiplier: float,
    pretrained: bool = False,
    ctx: Context = cpu(),  # noqa: B008 - MXNet's signature; it is not changed
    root: str = MODELS,
    **kwargs: Any,
) -> MobileNet:
    """MobileNet; further arguments are the class's."""
    net = MobileNet(multiplier, **kwargs)
    return _weights.load(net, f"mobilenet{_version(multiplier)}", pretrained, ctx, root)


def get_mobilenet_v2(
    multiplier: float,
    pretrained: bool = False,
    ctx: Context = cpu(),  # noqa: B008 - MXNet's signature; it is not changed
    root: str = MODELS,
    **kwargs: Any,
) -> MobileNetV2:
    """MobileNetV2; further arguments are the class's."""
    net = MobileNetV2(multiplier, **kwargs)
    return _weights.load(net, f"mobilenetv2_{_version(multiplier)}", pretrained, ctx, root)


def mobilenet1_0(**kwargs: Any) -> MobileNet:
    """MobileNet."""
    return get_mobilenet(1.0, **kwargs)


def mobilenet0_75(**kwargs: Any) -> MobileNet:
    """MobileNet with three quarters of the channels."""
    return get_mobilenet(0.75, **kwargs)


def mobilenet0_5(**kwargs: Any) -> MobileNet:
    """MobileNet with half of the channels."""
    return get_mobilenet(0.5, **kwargs)


def mobilenet0_25(**kwargs: Any) -> MobileNet:
    """MobileNet with a quarter of the channels."""
    return get_mobilenet(0.25, **kwargs)


def mobilenet_v2_1_0(**kwargs: Any) -> MobileNetV2:
    """MobileNetV2."""
    return get_mobilenet_v2(1.0, **kwargs)


def mobilenet_v2_0_75(**kwargs: Any) -> MobileNetV2:
    """MobileNetV2 with three quarters of the channels."""
    return get_mobilenet_v2(0.75, **kwargs)


def mobilenet_v2_0_5(**kwargs: Any) -> MobileNetV2:
    """MobileNetV2 with half of the channels."""
    return get_mobilenet_v2(0.5, **kwargs)


def mobilenet_v2_0_25(**kwargs: Any) -> MobileNetV2:
    """MobileNetV2 with a quarter of the channels."""
    return get_mobilenet_v2(0.25, **kwargs)
