"""The same work as in workloads.py, as one writes it in PyTorch."""

from __future__ import annotations

import itertools
import os
import pathlib
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import workloads
from bench.workloads import ARRAY_SHAPE, ARRAYS, SENTENCES, SIDE, STEPS, UNITS, VOCABULARY

Work = Callable[[], Any]
Prepare = Callable[[], Work]


def _pixels(*shape: int) -> Tensor:
    return torch.from_numpy(workloads.pixels(*shape))


def _tokens(*shape: int) -> Tensor:
    return torch.from_numpy(workloads.tokens(*shape))


def _on_array(operation: Callable[[Tensor], Any], *shape: int) -> Prepare:
    def prepare() -> Work:
        a = _pixels(*shape)
        return lambda: operation(a)

    return prepare


def _one_hot() -> Work:
    index = _tokens(8192)
    return lambda: F.one_hot(index, VOCABULARY).float()


def _take() -> Work:
    index, table = _tokens(8192), _pixels(VOCABULARY, 256)
    return lambda: table[index]


def _deconvolution() -> Work:
    data, weight = _pixels(4, 64, 28, 28), _pixels(64, 32, 4, 4)
    return lambda: F.conv_transpose2d(data, weight, None, 2, 1)


def lenet() -> nn.Module:
    """The net of the digits."""
    return nn.Sequential(
        nn.Conv2d(1, 20, 5),
        nn.Tanh(),
        nn.MaxPool2d(2, 2),
        nn.Conv2d(20, 50, 5),
        nn.Tanh(),
        nn.MaxPool2d(2, 2),
        nn.Flatten(),
        nn.Linear(800, 500),
        nn.Tanh(),
        nn.Linear(500, 10),
    )


class Residual(nn.Module):
    """Two convolutions and the way round them."""

    def __init__(self, inside: int, outside: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outside),
            nn.ReLU(),
            nn.Conv2d(outside, outside, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outside),
        )
        same = inside == outside and stride == 1
        self.way: nn.Module = nn.Identity()
        if not same:
            self.way = nn.Sequential(
                nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside)
            )

    def forward(self, x: Tensor) -> Tensor:
        """The block's output for images (N, C, H, W)."""
        return torch.relu(self.body(x) + self.way(x))


def resnet18() -> nn.Module:
    """ResNet-18 as in the zoo."""
    widths = [(64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)]
    stages = [
        block
        for inside, outside, stride in widths
        for block in (Residual(inside, outside, stride), Residual(outside, outside, 1))
    ]
    return nn.Sequential(
        nn.Conv2d(3, 64, 7, 2, 3, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(),
        nn.MaxPool2d(3, 2, 1),
        *stages,
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(512, 10),
    )


def mobilenet() -> nn.Module:
    """MobileNet 1.0 as in the zoo."""

    def step(inside: int, outside: int, kernel: int, stride: int, groups: int = 1) -> list[Any]:
        conv = nn.Conv2d(inside, outside, kernel, stride, kernel // 2, groups=groups, bias=False)
        return [conv, nn.BatchNorm2d(outside), nn.ReLU()]

    layers = step(3, 32, 3, 2)
    widths = [32, 64, 128, 128, 256, 256, *[512] * 6, 1024, 1024]
    strides = [1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1]
    for (inside, outside), stride in zip(itertools.pairwise(widths), strides, strict=True):
        layers += step(inside, inside, 3, stride, inside) + step(inside, outside, 1, 1)
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(1024, 10))


class LanguageModel(nn.Module):
    """Words, two LSTM layers, words."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(VOCABULARY, UNITS)
        self.rnn = nn.LSTM(UNITS, UNITS, num_layers=2)
        self.out = nn.Linear(UNITS, VOCABULARY)

    def forward(self, x: Tensor) -> Tensor:
        """Scores (steps, sentences, words) for word numbers (steps, sentences)."""
        scores: Tensor = self.out(self.rnn(self.embed(x))[0])
        return scores


class Encoder(nn.Module):
    """One Transformer layer."""

    def __init__(self, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(UNITS, 3 * UNITS), nn.Linear(UNITS, UNITS)
        self.first, self.second = nn.Linear(UNITS, 4 * UNITS), nn.Linear(4 * UNITS, UNITS)
        self.norm1, self.norm2 = nn.LayerNorm(UNITS), nn.LayerNorm(UNITS)

    def forward(self, x: Tensor) -> Tensor:
        """The layer's output for sequences (sentences, steps, units)."""
        n, steps, _ = x.shape
        q, k, v = (
            a.view(n, steps, self.heads, -1).transpose(1, 2) for a in self.qkv(x).chunk(3, -1)
        )
        mixed = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(n, steps, -1)
        x = self.norm1(x + self.out(mixed))
        result: Tensor = self.norm2(x + self.second(F.gelu(self.first(x))))
        return result


def _train(net: nn.Module, x: Tensor, loss_of: Callable[[Tensor], Tensor], adam: bool) -> Work:
    parameters = list(net.parameters())
    optimizer: torch.optim.Optimizer = torch.optim.SGD(parameters, lr=0.01)
    if adam:
        optimizer = torch.optim.Adam(parameters, lr=0.01)

    def once() -> None:
        optimizer.zero_grad()
        loss_of(net(x)).backward()
        optimizer.step()

    return once


def _image_training(make: Callable[[], nn.Module], *shape: int) -> Prepare:
    def prepare() -> Work:
        y = torch.arange(shape[0]) % 10
        return _train(make(), _pixels(*shape), lambda out: F.cross_entropy(out, y), False)

    return prepare


def _inference(make: Callable[[], nn.Module], *shape: int) -> Prepare:
    def prepare() -> Work:
        net, x = make().eval(), _pixels(*shape)

        def once() -> None:
            with torch.no_grad():
                net(x)

        return once

    return prepare


def _language_model() -> Work:
    words = _tokens(STEPS + 1, SENTENCES)
    y = words[1:].reshape(-1)
    return _train(LanguageModel(), words[:-1], lambda o: F.cross_entropy(o.flatten(0, 1), y), False)


def _transformer() -> Work:
    x = _pixels(SENTENCES, STEPS, UNITS)
    return _train(Encoder(), x, lambda out: F.mse_loss(out, x * 2) / 2, True)


def _update(make: Callable[[list[Tensor]], torch.optim.Optimizer]) -> Prepare:
    def prepare() -> Work:
        arrays = [torch.ones(ARRAY_SHAPE, requires_grad=True) for _ in range(ARRAYS)]
        torch.stack([(a * a).sum() for a in arrays]).sum().backward()
        return make(arrays).step

    return prepare


class Photos(torch.utils.data.Dataset[tuple[Tensor, float]]):
    """JPEG files as float tensors (3, H, W) in [0, 1]."""

    def __init__(self) -> None:
        folder = pathlib.Path(os.environ["BENCH_RECORDS"] + ".photos")
        self.paths = sorted(folder.iterdir())

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, index: int) -> tuple[Tensor, float]:
        import cv2

        pixels = cv2.cvtColor(cv2.imread(str(self.paths[index])), cv2.COLOR_BGR2RGB)
        return torch.from_numpy(pixels).permute(2, 0, 1).float() / 255, float(index % 10)


def _loader(workers: int) -> Prepare:
    def prepare() -> Work:
        loader = torch.utils.data.DataLoader(Photos(), 16, num_workers=workers)

        def once() -> None:
            for _ in loader:
                pass

        return once

    return prepare


def _file_reading() -> Work:
    paths = Photos().paths

    def once() -> None:
        for path in paths:
            path.read_bytes()

    return once


WORKLOADS: dict[str, Prepare] = {
    "max-pool 3x3": _on_array(lambda a: F.max_pool2d(a, 3, 2), *(8, 64, 56, 56)),
    "max-pool 2x2": _on_array(lambda a: F.max_pool2d(a, 2, 2), 8, 64, 56, 56),
    "avg-pool 3x3": _on_array(lambda a: F.avg_pool2d(a, 3, 2), 8, 64, 56, 56),
    "one_hot": _one_hot,
    "take": _take,
    "deconvolution": _deconvolution,
    "SGD step, 50 arrays": _update(lambda p: torch.optim.SGD(p, lr=0.001, momentum=0.9)),
    "Adam step, 50 arrays": _update(lambda p: torch.optim.Adam(p, lr=0.001)),
    "LeNet training step": _image_training(lenet, 64, 1, 28, 28),
    "LeNet inference": _inference(lenet, 64, 1, 28, 28),
    "ResNet-18 training step": _image_training(resnet18, 8, 3, 112, 112),
    "ResNet-18 inference": _inference(resnet18, 1, 3, SIDE, SIDE),
    "MobileNet inference": _inference(mobilenet, 1, 3, SIDE, SIDE),
    "LSTM language model step": _language_model,
    "Transformer training step": _transformer,
    "encoder layer inference": _inference(Encoder, SENTENCES, STEPS, UNITS),
    "DataLoader over JPEGs": _loader(0),
    "DataLoader, 2 workers": _loader(2),
    "RecordIO reading": _file_reading,
    "ImageRecordIter": _loader(2),
}
