"""DenseNet (Huang, 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxtorch.context import Context, cpu
from mxtorch.gluon import nn
from mxtorch.gluon.contrib.nn import HybridConcurrent, Identity
from mxtorch.gluon.model_zoo.model_store import MODELS
from mxtorch.gluon.model_zoo.vision import _weights

__all__ = ["DenseNet", "densenet121", "densenet161", "densenet169", "densenet201"]

# number of layers: channels at first, channels that a layer adds, layers of each stage
densenet_spec = {
    121: (64, 32, [6, 12, 24, 16]),
    161: (96, 48, [6, 12, 36, 24]),
    169: (64, 32, [6, 12, 32, 32]),
    201: (64, 32, [6, 12, 48, 32]),
}


class DenseNet(_weights.FeaturesThenOutput):
    """Stages in which each layer sees the outputs of all before it."""

    def __init__(
        self,
        num_init_features: int,
        growth_rate: int,
        block_config: Sequence[int],
        bn_size: int = 4,
        dropout: float = 0,
        classes: int = 1000,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(
                nn.Conv2D(num_init_features, kernel_size=7, strides=2, padding=3, use_bias=False),
                nn.BatchNorm(),
                nn.Activation("relu"),
                nn.MaxPool2D(pool_size=3, strides=2, padding=1),
            )
            channels = num_init_features
            for i, count in enumerate(block_config):
                if i:
                    channels //= 2
                    self.features.add(_make_transition(channels))
                self.features.add(_make_dense_block(count, bn_size, growth_rate, dropout, i + 1))
                channels += count * growth_rate
            self.features.add(
                nn.BatchNorm(), nn.Activation("relu"), nn.AvgPool2D(pool_size=7), nn.Flatten()
            )
            self.output = nn.Dense(classes)


def _make_dense_block(
    num_layers: int, bn_size: int, growth_rate: int, dropout: float, stage_index: int
) -> Any:
    stage = nn.HybridSequential(prefix=f"stage{stage_index}_")
    with stage.name_scope():
        for _ in range(num_layers):
            stage.add(_make_dense_layer(growth_rate, bn_size, dropout))
    return stage


def _make_dense_layer(growth_rate: int, bn_size: int, dropout: float) -> Any:
    new = nn.HybridSequential(prefix="")
    new.add(
        nn.BatchNorm(),
        nn.Activation("relu"),
        nn.Conv2D(bn_size * growth_rate, kernel_size=1, use_bias=False),
        nn.BatchNorm(),
        nn.Activation("relu"),
        nn.Conv2D(growth_rate, kernel_size=3, padding=1, use_bias=False),
    )
    if dropout:
        new.add(nn.Dropout(dropout))
    layer = HybridConcurrent(axis=1, prefix="")
    layer.add(Identity(), new)
    return layer


def _make_transition(num_output_features: int) -> Any:
    layer = nn.HybridSequential(prefix="")
    layer.add(
        nn.BatchNorm(),
        nn.Activation("relu"),
        nn.Conv2D(num_output_features, kernel_size=1, use_bias=False),
        nn.AvgPool2D(pool_size=2, strides=2),
    )
    return layer


def get_densenet(
    num_layers: int,
    pretrained: bool = False,
    ctx: Context = cpu(),  # noqa: B008 - MXNet's signature; it is not changed
    root: str = MODELS,
    **kwargs: Any,
) -> DenseNet:
    """DenseNet with 121, 161, 169 or 201 layers; further arguments are the class's."""
    net = DenseNet(*densenet_spec[num_layers], **kwargs)
    return _weights.load(net, f"densenet{num_layers}", pretrained, ctx, root)


def densenet121(**kwargs: Any) -> DenseNet:
    """DenseNet with 121 layers."""
    return get_densenet(121, **kwargs)


def densenet161(**kwargs: Any) -> DenseNet:
    """DenseNet with 161 layers."""
    return get_densenet(161, **kwargs)


def densenet169(**kwargs: Any) -> DenseNet:
    """DenseNet with 169 layers."""
    return get_densenet(169, **kwargs)


def densenet201(**kwargs: Any) -> DenseNet:
    """DenseNet with 201 layers."""
    return get_densenet(201, **kwargs)
