"""VGG (Simonyan and Zisserman, 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxtorch._core.errors import MXNetAssertionError
from mxtorch.context import Context, cpu
from mxtorch.gluon import nn
from mxtorch.gluon.model_zoo.model_store import MODELS
from mxtorch.gluon.model_zoo.vision import _weights
from mxtorch.initializer import Xavier

__all__ = [
    "VGG",
    "get_vgg",
    "vgg11",
    "vgg11_bn",
    "vgg13",
    "vgg13_bn",
    "vgg16",
    "vgg16_bn",
    "vgg19",
    "vgg19_bn",
]

_FILTERS = [64, 128, 256, 512, 512]
# number of layers: convolutions of each stage, their channels
vgg_spec = {
    11: ([1, 1, 2, 2, 2], _FILTERS),
    13: ([2, 2, 2, 2, 2], _FILTERS),
    16: ([2, 2, 3, 3, 3], _FILTERS),
    19: ([2, 2, 4, 4, 4], _FILTERS),
}


class VGG(_weights.FeaturesThenOutput):
    """Stages of 3x3 convolutions with a pooling after each, three dense layers."""

    def __init__(
        self,
        layers: Sequence[int],
        filters: Sequence[int],
        classes: int = 1000,
        batch_norm: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if len(layers) != len(filters):
            raise MXNetAssertionError(
                f"VGG: layers has {len(layers)} stages, filters has {len(filters)}"
            )
        with self.name_scope():
            self.features = self._make_features(layers, filters, batch_norm)
            for _ in range(2):
                self.features.add(_dense(4096, activation="relu"))
                self.features.add(nn.Dropout(rate=0.5))
            self.output = _dense(classes)

    def _make_features(
        self, layers: Sequence[int], filters: Sequence[int], batch_norm: bool
    ) -> nn.HybridSequential:
        stages = nn.HybridSequential(prefix="")
        for count, channels in zip(layers, filters, strict=True):
            for _ in range(count):
                init = Xavier(rnd_type="gaussian", factor_type="out", magnitude=2)
                stages.add(nn.Conv2D(channels, kernel_size=3, padding=1, weight_initializer=init))
                if batch_norm:
                    stages.add(nn.BatchNorm())
                stages.add(nn.Activation("relu"))
            stages.add(nn.MaxPool2D(strides=2))
        return stages


def _dense(units: int, activation: str | None = None) -> nn.Dense:
    return nn.Dense(units, activation=activation, weight_initializer="normal")


def get_vgg(
    num_layers: int,
    pretrained: bool = False,
    ctx: Context = cpu(),  # noqa: B008 - MXNet's signature; it is not changed
    root: str = MODELS,
    **kwargs: Any,
) -> VGG:
    """VGG with 11, 13, 16 or 19 layers; further arguments are the class's."""
    layers, filters = vgg_spec[num_layers]
    net = VGG(layers, filters, **kwargs)
    name = f"vgg{num_layers}{'_bn' if kwargs.get('batch_norm') else ''}"
    return _weights.load(net, name, pretrained, ctx, root)


def vgg11(**kwargs: Any) -> VGG:
    """VGG with 11 layers."""
    return get_vgg(11, **kwargs)


def vgg13(**kwargs: Any) -> VGG:
    """VGG with 13 layers."""
    return get_vgg(13, **kwargs)


def vgg16(**kwargs: Any) -> VGG:
    """VGG with 16 layers."""
    return get_vgg(16, **kwargs)


def vgg19(**kwargs: Any) -> VGG:
    """VGG with 19 layers."""
    return get_vgg(19, **kwargs)


def vgg11_bn(**kwargs: Any) -> VGG:
    """VGG with 11 layers and batch normalization."""
    return get_vgg(11, **{**kwargs, "batch_norm": True})


def vgg13_bn(**kwargs: Any) -> VGG:
    """VGG with 13 layers and batch normalization."""
    return get_vgg(13, **{**kwargs, "batch_norm": True})


def vgg16_bn(**kwargs: Any) -> VGG:
    """VGG with 16 layers and batch normalization."""
    return get_vgg(16, **{**kwargs, "batch_norm": True})


def vgg19_bn(**kwargs: Any) -> VGG:
    """VGG with 19 layers and batch normalization."""
    return get_vgg(19, **{**kwargs, "batch_norm": True})
