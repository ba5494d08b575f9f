"""Training in several processes ends with the parameters of one process."""

import numpy as np
import pytest

from tests.dist import start


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The parameters after training with the whole batch in one process."""
    folder = tmp_path_factory.mktemp("single")
    done = start.alone("train.py", folder / "out", "single")
    assert done.returncode == 0, done.stderr
    return dict(np.load(folder / "out.0.npz"))


def check(expected, folder, count):
    for rank in range(count):
        found = np.load(folder / f"out.{rank}.npz")
        assert set(found) == set(expected)
        for name, value in expected.items():
            np.testing.assert_allclose(
                found[name], value, rtol=0, atol=1e-6, err_msg=f"{name} on rank {rank}"
            )


@pytest.mark.parametrize("count", [2, pytest.param(4, marks=pytest.mark.full)])
def test_launch(expected, tmp_path, count):
    done = start.launch(count, "train.py", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    check(expected, tmp_path, count)


@pytest.mark.full
@pytest.mark.parametrize("count", [2, 4])
def test_torchrun(expected, tmp_path, count):
    done = start.torchrun(count, "train.py", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    check(expected, tmp_path, count)


@pytest.mark.parametrize("count", [2, pytest.param(4, marks=pytest.mark.full)])
def test_mxnet_launcher(expected, tmp_path, count):
    done = start.dmlc(count, "train.py", tmp_path / "out")
    assert [code for code, _ in done] == [0] * (count + 2), "\n".join(out for _, out in done)
    check(expected, tmp_path, count)


@pytest.mark.full
def test_two_nodes(expected, tmp_path):
    """Two `mxtorch launch` of two processes each, which meet by a rendezvous."""
    from concurrent.futures import ThreadPoolExecutor

    endpoint = f"127.0.0.1:{start.free_port()}"
    options = ["--nnodes", "2", "--rdzv-backend", "c10d", "--rdzv-endpoint", endpoint]
    with ThreadPoolExecutor(2) as pool:
        runs = [
            pool.submit(start.launch, 2, "train.py", tmp_path / "out", options=options)
            for _ in range(2)
        ]
    assert [run.result().returncode for run in runs] == [0, 0], runs[0].result().stderr
    check(expected, tmp_path, 4)
