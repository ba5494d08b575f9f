"""The same work as in programs.py, as one writes it in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from bench.programs import BATCH, CLASSES, FEATURES, HIDDEN

Work = Callable[[], Any]


def _binary(operation: Callable[[Any, Any], Any]) -> Callable[[], Work]:
    def prepare() -> Work:
        a, b = torch.ones(4, 4), torch.ones(4, 4)
        return lambda: operation(a, b)

    return prepare


def _unary(operation: Callable[[Any], Any]) -> Callable[[], Work]:
    def prepare() -> Work:
        a = torch.ones(4, 4)
        return lambda: operation(a)

    return prepare


def chain() -> Work:
    """Ten operators forward, and backward."""
    x = torch.ones(4, 4, requires_grad=True)

    def once() -> None:
        x.grad = None
        y = x
        for _ in range(5):
            y = y * x
            y = y + x
        y.backward(torch.ones_like(y))

    return once


def mlp_train() -> Work:
    """A training step of a three-layer perceptron: forward, backward, SGD with momentum."""
    net = nn.Sequential(
        nn.Linear(FEATURES, HIDDEN),
        nn.ReLU(),
        nn.Linear(HIDDEN, HIDDEN),
        nn.ReLU(),
        nn.Linear(HIDDEN, CLASSES),
    )
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    x = torch.randn(BATCH, FEATURES)
    y = torch.arange(BATCH) % CLASSES

    def once() -> Any:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        return loss

    return once


PROGRAMS: dict[str, Callable[[], Work]] = {
    "x + y": _binary(lambda a, b: a + b),
    "x * 2": _unary(lambda a: a * 2),
    "x > y": _binary(lambda a, b: (a > b).to(a.dtype)),
    "dot": _binary(lambda a, b: torch.mm(a, b)),
    "relu": _unary(lambda a: torch.relu(a)),
    "sum(axis=1)": _unary(lambda a: torch.sum(a, dim=1)),
    "x.reshape": _unary(lambda a: a.reshape(2, 8)),
    "x[1:3]": _unary(lambda a: a[1:3]),
    "slice_axis": _unary(lambda a: a[1:3].clone()),
    "mean(axis=1)": _unary(lambda a: a.mean(dim=1)),
    "softmax": _unary(lambda a: torch.softmax(a, dim=-1)),
    "10-op chain, forward + backward": chain,
    "MLP training step": mlp_train,
}
