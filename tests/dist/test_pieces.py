"""The parts: flat rows, 2-bit codes, samplers, the stores' names in one process."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as some

import mxtorch as mx
from mxtorch._dist import collectives
from mxtorch._dist.compress import TwoBit, pack, unpack
from mxtorch._dist.group import Group
from mxtorch.kvstore._sums import sum_contexts, sum_rows
from mxtorch.parallel import SplitSampler
from tests.child import environment
from tests.dist import start


@settings(deadline=None)
@given(some.lists(some.sampled_from([-1, 0, 1]), max_size=40))
def test_codes_come_back(codes):
    row = torch.tensor(codes, dtype=torch.int8)
    packed = pack(row)
    assert packed.numel() == -(-len(codes) // 4)
    assert unpack(packed, len(codes)).tolist() == codes


@settings(deadline=None)
@given(some.lists(some.floats(-3, 3, width=32), min_size=1, max_size=8), some.integers(1, 6))
def test_no_gradient_is_lost(values, steps):
    """What was sent and what is left over are what was given."""
    compression, gradient = TwoBit(0.5), torch.tensor(values)
    sent = sum(compression.value(compression.quantize("w", gradient)) for _ in range(steps))
    left = compression.left_over["w"]
    torch.testing.assert_close(sent + left, gradient * steps, rtol=1e-4, atol=1e-4)


def test_sum_in_rows_is_the_sum():
    """What travels between GPUs, on the CPU."""
    columns = [
        [
            torch.full((2, 3), float(k)),
            torch.full((4,), 2.0 * k, dtype=torch.float64),
            torch.ones(5),
        ]
        for k in range(1, 4)
    ]
    expected = sum_contexts([[t.clone() for t in column] for column in columns])
    for found, wanted in zip(sum_rows(columns), expected, strict=True):
        assert found.dtype == wanted.dtype
        assert torch.equal(found, wanted)


def test_buckets_are_full(monkeypatch):
    monkeypatch.setenv("MXTORCH_BUCKET_BYTES", "40")
    sizes = [piece.numel() for piece in collectives.buckets(torch.zeros(25))]
    assert sizes == [10, 10, 5]


def test_group_of_one():
    group = Group()
    tensor = torch.ones(3)
    collectives.all_reduce(group, [tensor])
    collectives.broadcast(group, [tensor])
    assert collectives.all_gather(group, tensor)[0] is tensor
    assert group.gather_text("x") == ["x"]
    group.check_same("x", 1, "")
    group.barrier()
    assert tensor.tolist() == [1, 1, 1]
    assert not group.counts


@pytest.mark.parametrize("last", ["repeat", "discard"])
@pytest.mark.parametrize("shuffle", [False, True])
def test_split_sampler(last, shuffle):
    parts = [SplitSampler(10, 4, i, shuffle=shuffle, last=last) for i in range(4)]
    epochs = [[list(part) for part in parts] for _ in range(2)]
    for epoch in epochs:
        assert {len(part) for part in epoch} == {3 if last == "repeat" else 2}
        seen = sorted(i for part in epoch for i in part)
        assert len(set(seen)) == (10 if last == "repeat" else 8)
    assert (epochs[0] == epochs[1]) is not shuffle
    assert len(parts[0]) == len(epochs[0][0])


def test_split_sampler_alone():
    assert list(SplitSampler(4)) == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="parts count from 0"):
        SplitSampler(4, 2, 2)


def test_commands_to_servers():
    assert mx.kv.create("local")._send_command_to_servers(0, "") is None


def test_server_of_a_worker_does_not_wait(monkeypatch):
    monkeypatch.setenv("DMLC_ROLE", "worker")
    assert mx.kv.KVStoreServer(mx.kv.create("local")).run() is None


def test_horovod_in_one_process():
    code = (
        "import horovod.mxnet as hvd, mxnet as mx; hvd.init()\n"
        "print(hvd.rank(), hvd.size(), hvd.allreduce(mx.nd.ones(1) * 3).asscalar())\n"
        "print(mx.kv.create('horovod').num_workers, mx.kv.create('horovod').type)"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mxtorch", "run", "-c", code],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "0 1 3.0\n1 horovod\n", done.stderr


@pytest.mark.full
def test_horovod_functions():
    done = start.launch(2, "horovod_calls.py")
    assert done.returncode == 0, done.stderr
    assert "all is well on 0" in done.stdout
    assert "all is well on 1" in done.stdout


def test_compressed_sum_of_processes_is_that_of_contexts():
    """Two workers send what two contexts do: the codes are the same ones."""
    rng = np.random.RandomState(0)
    gradients = [torch.tensor(rng.uniform(-2, 2, 20).astype("float32")) for _ in range(2)]
    compressions = [TwoBit(0.5), TwoBit(0.5)]
    rows = [pack(c.quantize(1, g)) for c, g in zip(compressions, gradients, strict=True)]
    total = sum(TwoBit(0.5).value(unpack(row, 20)) for row in rows)
    store = mx.kv.create("device")
    store.set_gradient_compression({"type": "2bit", "threshold": 0.5})
    store.init("w", mx.nd.zeros(20))
    arrays = [mx.nd.array(g.numpy(), ctx=mx.cpu(i)) for i, g in enumerate(gradients)]
    store.push("w", arrays)
    out = mx.nd.zeros(20)
    store.pull("w", out=out)
    assert (out.asnumpy() == total.numpy()).all()


@pytest.mark.parametrize(
    ("kind", "rest"), [("dist_sync", [[4.0, 5.0], [6.0, 7.0]]), ("local", [[0.0, 0.0], [0.0, 0.0]])]
)
def test_rows_that_are_not_pushed(kind, rest):
    """A server of MXNet's keeps them; a local store takes the pushed value as it is."""
    store = mx.kv.create(kind)
    store.init("w", mx.nd.arange(8).reshape((4, 2)).tostype("row_sparse"))
    pushed = mx.nd.sparse.row_sparse_array(([[1.0, 0.0], [1.0, 1.0]], [0, 1]), shape=(4, 2))
    store.push("w", pushed)
    found = mx.nd.sparse.zeros("row_sparse", (4, 2))
    store.row_sparse_pull("w", out=found, row_ids=mx.nd.array([0, 1, 2, 3]))
    assert found.asnumpy().tolist() == [[1.0, 0.0], [1.0, 1.0], *rest]
