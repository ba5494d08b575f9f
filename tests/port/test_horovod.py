"""A program with Horovod: what several processes train is what one trains on all of the data."""

import re
import subprocess
import sys

import pytest

from mxtorch.port import port_text
from tests.child import environment

PROGRAM = """\
import horovod.mxnet as hvd
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd

hvd.init()
context = mx.gpu(hvd.local_rank()) if mx.context.num_gpus() > 64 else mx.cpu()
rng = np.random.RandomState(0)
X = nd.array(rng.uniform(-1, 1, (8, 3)))[hvd.rank()::hvd.size()]
y = (X * nd.array([[1, 2, 3]])).sum(axis=1, keepdims=True)
net = gluon.nn.Dense(1, in_units=3)
net.initialize(mx.init.Constant(1 + hvd.rank()), ctx=context)
options = {'learning_rate': 0.3, 'momentum': 0.5}
opt = mx.optimizer.create('sgd', **options)
hvd.broadcast_parameters(net.collect_params(), root_rank=0)
trainer = hvd.DistributedTrainer(net.collect_params(), opt)
for step in range(4):
    with autograd.record():
        loss = gluon.loss.L2Loss()(net(X), y)
    loss.backward()
    trainer.step(X.shape[0])
total = hvd.allreduce(loss.mean().reshape((1,)), average=True)
both = hvd.allgather(loss.mean().reshape((1,)))
print('loss %.6f of %d weight %s' % (
    total.asscalar(), both.shape[0], net.weight.data().asnumpy().round(5).tolist()))
"""


def ported():
    result = port_text(PROGRAM)
    assert "mxtorch" not in result.text
    assert result.counts.left == result.counts.operators == 0
    return result.text


def test_the_optimizer_averages_over_processes():
    text = ported()
    assert "trainer = averaged(torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.5))" in text
    assert "opt = " not in text
    assert "broadcast_parameters(net.state_dict(), root_rank=0)" in text


@pytest.mark.full
def test_two_processes_train_what_one_trains(tmp_path):
    path = tmp_path / "workers.py"
    path.write_text(ported(), encoding="utf-8")
    lines = [*run([sys.executable], path), *run(torchrun(), path)]
    assert len(lines) == 3
    losses, counts, weights = zip(*map(numbers, lines), strict=True)
    assert counts == (1, 2, 2)
    assert losses == (pytest.approx(losses[0], abs=2e-6),) * 3
    assert all(w == pytest.approx(weights[0], abs=2e-5) for w in weights)


def torchrun():
    return [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", "2"]


def run(command, path):
    done = subprocess.run(
        [*command, str(path)], env=environment(), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-600:]
    return re.findall(r"loss [^l]+", done.stdout)  # two may print at once


def numbers(line):
    loss, count, *weight = (float(n) for n in re.findall(r"-?\d+\.?\d*", line))
    return loss, count, weight
