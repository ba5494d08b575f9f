"""Sums that begin while backward still runs are those of its end, whatever happens in between."""

import json
import math

import numpy as np
import pytest

from tests.dist import start

BUCKET = 300
pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """(parameters by rank, calls) with and without sums that begin early."""
    folder = tmp_path_factory.mktemp("early")
    found = {}
    for mode in ("0", "1"):
        changes = {"MXTORCH_OVERLAP": mode, "MXTORCH_BUCKET_BYTES": str(BUCKET)}
        done = start.launch(2, "early.py", folder / mode, **changes)
        assert done.returncode == 0, done.stderr
        values = [dict(np.load(folder / f"{mode}.{rank}.npz")) for rank in range(2)]
        found[mode] = values, json.loads((folder / f"{mode}.json").read_text())
    return found


def test_the_numbers_are_the_same(runs):
    late, early = runs["0"][0], runs["1"][0]
    for rank in range(2):
        assert early[rank].keys() == late[0].keys()
        for name, value in early[rank].items():
            np.testing.assert_array_equal(value, late[0][name], err_msg=f"{name} on rank {rank}")


def test_they_are_those_of_one_process(runs, tmp_path):
    done = start.alone("early.py", tmp_path / "one", "single")
    assert done.returncode == 0, done.stderr
    for name, value in np.load(tmp_path / "one.0.npz").items():
        limit = 4e-3 if value.dtype == np.float16 else 1e-6
        np.testing.assert_allclose(runs["1"][0][0][name], value, rtol=0, atol=limit, err_msg=name)


@pytest.mark.parametrize("way", ["plain", "off store", "half", "horovod"])
def test_all_but_the_last_are_sent_in_backward(runs, way):
    (_, *steps), size = runs["1"][1][way]
    for step in steps:
        assert len(step) == math.ceil(size / BUCKET)
        assert sum(count for _, count in step) == size
        assert [in_backward for in_backward, _ in step] == [True] * (len(step) - 1) + [False]


@pytest.mark.parametrize(("way", "redone"), [("clip", 2), ("one", 2), ("zero", 2), ("twice", 1)])
def test_gradients_that_were_changed_are_sent_once_more(runs, way, redone):
    """By any of the processes; from then on all of them wait for the step."""
    steps, size = runs["1"][1][way]
    for number, step in enumerate(steps):
        sent = sum(count for _, count in step)
        assert sent == (2 if number == redone else 1) * size
        assert any(in_backward for in_backward, _ in step) is (0 < number <= redone)


def test_without_it_everything_waits_for_the_step(runs):
    steps, size = runs["0"][1]["plain"]
    for step in steps:
        assert step == [[False, count] for _, count in step]
        assert sum(count for _, count in step) == size
