"""Draws from torch's generators (MXTORCH_RNG=torch): ours, seeded by mx.random.seed."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

import mxtorch as mx
from mxtorch import nd

SHAPE = (4000,)

DRAWS: dict[str, tuple[Callable[[], nd.NDArray], float, float]] = {
    # name: (draw, mean, standard deviation)
    "uniform": (lambda: nd.random.uniform(-1, 3, SHAPE), 1.0, 16 / 12**0.5 / 4),
    "normal": (lambda: nd.random.normal(2, 0.5, SHAPE), 2.0, 0.5),
    "exponential": (lambda: nd.random.exponential(4, SHAPE), 4.0, 4.0),
    "gamma": (lambda: nd.random.gamma(9, 0.5, SHAPE), 4.5, 1.5),
    "poisson": (lambda: nd.random.poisson(4, SHAPE), 4.0, 2.0),
    "negative_binomial": (lambda: nd.random.negative_binomial(4, 0.5, SHAPE), 4.0, 8**0.5),
    "generalized_negative_binomial": (
        lambda: nd.random.generalized_negative_binomial(4, 0.25, SHAPE),
        4.0,
        8**0.5,
    ),
    "randint": (lambda: nd.random.randint(0, 10, SHAPE), 4.5, (99 / 12) ** 0.5),
    "multinomial": (lambda: nd.random.multinomial(nd.array([0.25, 0.75]), 4000), 0.75, 0.1875**0.5),
    "shuffle": (lambda: nd.random.shuffle(nd.arange(4000)), 1999.5, 4000 / 12**0.5),
}


@pytest.fixture(autouse=True)
def _torch_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MXTORCH_RNG", "torch")


@pytest.mark.parametrize("name", DRAWS)
def test_seeded_moments(name: str) -> None:
    draw, mean, deviation = DRAWS[name]
    before = torch.get_rng_state()
    mx.random.seed(7)
    first = draw().asnumpy().astype("float64")
    second = draw().asnumpy()
    mx.random.seed(7)
    np.testing.assert_array_equal(draw().asnumpy(), first)
    assert not np.array_equal(first, second)
    assert torch.equal(torch.get_rng_state(), before)
    assert abs(first.mean() - mean) < 5 * deviation / len(first) ** 0.5
    assert abs(first.std() - deviation) < 0.1 * deviation


def test_another_stream_than_mxnets(monkeypatch: pytest.MonkeyPatch) -> None:
    mx.random.seed(7)
    ours = nd.random.uniform(shape=8).asnumpy()
    monkeypatch.delenv("MXTORCH_RNG")
    mx.random.seed(7)
    assert not np.array_equal(nd.random.uniform(shape=8).asnumpy(), ours)
