"""Inception v3 (Szegedy, 2015)."""

from __future__ import annotations

from typing import Any

from mxtorch.context import Context, cpu
from mxtorch.gluon import nn
from mxtorch.gluon.contrib.nn import HybridConcurrent
from mxtorch.gluon.model_zoo.model_store import MODELS
from mxtorch.gluon.model_zoo.vision import _weights

__all__ = ["Inception3", "inception_v3"]

Size = int | tuple[int, int]
Conv = tuple[int, Size, Size, Size]  # channels, kernel, strides, padding


def _conv(channels: int, kernel: Size, strides: Size = 1, padding: Size = 0) -> Conv:
    return channels, kernel, strides, padding


def _make_basic_conv(**kwargs: Any) -> Any:
    """A convolution, BatchNorm, ReLU."""
    layer = nn.HybridSequential(prefix="")
    layer.add(nn.Conv2D(use_bias=False, **kwargs))
    layer.add(nn.BatchNorm(epsilon=0.001))
    layer.add(nn.Activation("relu"))
    return layer


def _make_branch(use_pool: str | None, *conv_settings: Conv) -> Any:
    """A pooling ('avg', 'max' or none) and then convolutions."""
    branch = nn.HybridSequential(prefix="")
    if use_pool == "avg":
        branch.add(nn.AvgPool2D(pool_size=3, strides=1, padding=1))
    elif use_pool == "max":
        branch.add(nn.MaxPool2D(pool_size=3, strides=2))
    for channels, kernel, strides, padding in conv_settings:
        branch.add(
            _make_basic_conv(
                channels=channels, kernel_size=kernel, strides=strides, padding=padding
            )
        )
    return branch


def _concurrent(prefix: str, *branches: Any) -> Any:
    block = HybridConcurrent(axis=1, prefix=prefix)
    block.add(*branches)
    return block


def _make_A(pool_features: int, prefix: str) -> Any:
    block = HybridConcurrent(axis=1, prefix=prefix)
    with block.name_scope():
        block.add(
            _make_branch(None, _conv(64, 1)),
            _make_branch(None, _conv(48, 1), _conv(64, 5, padding=2)),
            _make_branch(None, _conv(64, 1), _conv(96, 3, padding=1), _conv(96, 3, padding=1)),
            _make_branch("avg", _conv(pool_features, 1)),
        )
    return block


def _make_B(prefix: str) -> Any:
    block = HybridConcurrent(axis=1, prefix=prefix)
    with block.name_scope():
        block.add(
            _make_branch(None, _conv(384, 3, 2)),
            _make_branch(None, _conv(64, 1), _conv(96, 3, padding=1), _conv(96, 3, 2)),
            _make_branch("max"),
        )
    return block


def _make_C(channels_7x7: int, prefix: str) -> Any:
    wide, tall = (1, 7), (7, 1)
    few = channels_7x7

    def across(channels: int) -> Conv:
        return _conv(channels, wide, padding=(0, 3))

    def down(channels: int) -> Conv:
        return _conv(channels, tall, padding=(3, 0))

    block = HybridConcurrent(axis=1, prefix=prefix)
    with block.name_scope():
        block.add(
            _make_branch(None, _conv(192, 1)),
            _make_branch(None, _conv(few, 1), across(few), down(192)),
            _make_branch(None, _conv(few, 1), down(few), across(few), down(few), across(192)),
            _make_branch("avg", _conv(192, 1)),
        )
    return block


def _make_D(prefix: str) -> Any:
    block = HybridConcurrent(axis=1, prefix=prefix)
    with block.name_scope():
        block.add(
            _make_branch(None, _conv(192, 1), _conv(320, 3, 2)),
            _make_branch(
                None,
                _conv(192, 1),
                _conv(192, (1, 7), padding=(0, 3)),
                _conv(192, (7, 1), padding=(3, 0)),
                _conv(192, 3, 2),
            ),
            _make_branch("max"),
        )
    return block


def _make_E(prefix: str) -> Any:
    def fork(*stem: Conv) -> Any:
        """Convolutions, then one across and one down side by side."""
        branch = nn.HybridSequential(prefix="")
        branch.add(_make_branch(None, *stem))
        ends = (_conv(384, (1, 3), padding=(0, 1)), _conv(384, (3, 1), padding=(1, 0)))
        branch.add(_concurrent("", *(_make_branch(None, end) for end in ends)))
        return branch

    block = HybridConcurrent(axis=1, prefix=prefix)
    with block.name_scope():
        block.add(
            _make_branch(None, _conv(320, 1)),
            fork(_conv(384, 1)),
            fork(_conv(448, 1), _conv(384, 3, padding=1)),
            _make_branch("avg", _conv(192, 1)),
        )
    return block


class Inception3(_weights.FeaturesThenOutput):
    """Inception v3; images (N, 3, 299, 299)."""

    def __init__(self, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(
                _make_basic_conv(channels=32, kernel_size=3, strides=2),
                _make_basic_conv(channels=32, kernel_size=3),
                _make_basic_conv(channels=64, kernel_size=3, padding=1),
                nn.MaxPool2D(pool_size=3, strides=2),
                _make_basic_conv(channels=80, kernel_size=1),
                _make_basic_conv(channels=192, kernel_size=3),
                nn.MaxPool2D(pool_size=3, strides=2),
                _make_A(32, "A1_"),
                _make_A(64, "A2_"),
                _make_A(64, "A3_"),
                _make_B("B_"),
                _make_C(128, "C1_"),
                _make_C(160, "C2_"),
                _make_C(160, "C3_"),
                _make_C(192, "C4_"),
                _make_D("D_"),
                _make_E("E1_"),
                _make_E("E2_"),
                nn.AvgPool2D(pool_size=8),
                nn.Dropout(0.5),
            )
            self.output = nn.Dense(classes)


def inception_v3(
    pretrained: bool = False,
    ctx: Context = cpu(),  # noqa: B008 - MXNet's signature; it is not changed
    root: str = MODELS,
    **kwargs: Any,
) -> Inception3:
    """Inception v3; further arguments are the class's."""
    return _weights.load(Inception3(**kwargs), "inceptionv3", pretrained, ctx, root)
