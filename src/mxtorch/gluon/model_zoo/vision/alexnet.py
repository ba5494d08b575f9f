"""AlexNet (Krizhevsky, 2014: one weird trick)."""

from __future__ import annotations

from typing import Any

from mxtorch.context import Context, cpu
from mxtorch.gluon import nn
from mxtorch.gluon.model_zoo.model_store import MODELS
from mxtorch.gluon.model_zoo.vision import _weights

__all__ = ["AlexNet", "alexnet"]


class AlexNet(_weights.FeaturesThenOutput):
    """Five convolutions and three dense layers; images (N, 3, 224, 224)."""

    def __init__(self, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            with self.features.name_scope():
                self.features.add(
                    nn.Conv2D(64, 11, strides=4, padding=2, activation="relu"),
                    nn.MaxPool2D(3, 2),
                    nn.Conv2D(192, 5, padding=2, activation="relu"),
                    nn.MaxPool2D(3, 2),
                    nn.Conv2D(384, 3, padding=1, activation="relu"),
                    nn.Conv2D(256, 3, padding=1, activation="relu"),
                    nn.Conv2D(256, 3, padding=1, activation="relu"),
                    nn.MaxPool2D(3, 2),
                    nn.Flatten(),
                    nn.Dense(4096, activation="relu"),
                    nn.Dropout(0.5),
                    nn.Dense(4096, activation="relu"),
                    nn.Dropout(0.5),
                )
            self.output = nn.Dense(classes)


def alexnet(
    pretrained: bool = False,
    ctx: Context = cpu(),  # noqa: B008 - MXNet's signature; it is not changed
    root: str = MODELS,
    **kwargs: Any,
) -> AlexNet:
    """AlexNet; further arguments are the class's."""
    return _weights.load(AlexNet(**kwargs), "alexnet", pretrained, ctx, root)
