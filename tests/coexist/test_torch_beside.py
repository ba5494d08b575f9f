"""torch code of the program's own, in the same process, is not affected by mxtorch."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
import torch

import mxtorch as mx


def train_linear(between: Callable[[], None]) -> list[float]:
    """Five steps of plain torch training; `between` is called in the middle of each step."""
    generator = torch.Generator().manual_seed(3)
    x = torch.randn(16, 4, generator=generator)
    y = torch.randn(16, 1, generator=generator)
    layer = torch.nn.Linear(4, 1)
    with torch.no_grad():
        layer.weight.fill_(0.1)
        layer.bias.zero_()
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        prediction = layer(x)
        between()
        loss = torch.nn.functional.mse_loss(prediction, y)
        between()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def mxnet_work() -> None:
    """Something of everything: recorded, paused, trained, random, with an error in between."""
    mx.random.seed(7)
    w = mx.nd.random.normal(shape=(3, 3))
    w.attach_grad()
    with mx.autograd.record():
        y = mx.nd.Dropout(mx.nd.dot(w, w), p=0.5)
        with mx.autograd.pause():
            mx.nd.sum(w)
    y.backward()
    with pytest.raises(mx.MXNetError):
        mx.nd.dot(w, mx.nd.ones((5, 5)))
    with pytest.raises(ZeroDivisionError), mx.autograd.record():
        raise ZeroDivisionError
    w -= 0.1 * w.grad


def nothing() -> None:
    """The same training alone."""


def test_training_between_calls() -> None:
    assert train_linear(mxnet_work) == train_linear(nothing)


def test_training_in_another_thread() -> None:
    alone = train_linear(nothing)
    found: list[list[float]] = []
    stop = threading.Event()

    def keep_busy() -> None:
        while not stop.is_set():
            mxnet_work()

    busy = threading.Thread(target=keep_busy)
    busy.start()
    try:
        worker = threading.Thread(target=lambda: found.append(train_linear(nothing)))
        worker.start()
        worker.join()
    finally:
        stop.set()
        busy.join()
    assert found == [alone]


@pytest.mark.parametrize("grad_mode", [True, False])
def test_grad_mode_is_put_back(grad_mode: bool) -> None:
    with torch.set_grad_enabled(grad_mode):
        mxnet_work()
        assert torch.is_grad_enabled() is grad_mode
        with mx.autograd.record():
            assert torch.is_grad_enabled()
        assert torch.is_grad_enabled() is grad_mode


def test_plain_torch_records_outside_record() -> None:
    x = torch.ones(3, requires_grad=True)
    mx.nd.ones((3,)) + mx.nd.ones((3,))
    (x * x).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2, 2, 2]


def test_torch_generators_are_left_alone() -> None:
    torch.manual_seed(1)
    expected = torch.rand(4)
    torch.manual_seed(1)
    mxnet_work()
    assert torch.equal(torch.rand(4), expected)


def test_recording_is_per_thread() -> None:
    seen: list[bool] = []
    with mx.autograd.record():
        thread = threading.Thread(target=lambda: seen.append(mx.autograd.is_recording()))
        thread.start()
        thread.join()
    assert seen == [False]


def test_as_torch_shares_memory_and_history() -> None:
    x = mx.nd.ones((2, 2))
    x.attach_grad()
    with mx.autograd.record():
        y = x * 3
    tensor = y.as_torch()
    assert tensor.requires_grad
    x.as_torch().data[0, 0] = 5
    assert x[0, 0].asscalar() == 5
    tensor.sum().backward()
    assert x.grad.asnumpy().tolist() == [[3, 3], [3, 3]]
