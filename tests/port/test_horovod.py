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


WRAPPED = """\
import horovod.mxnet as hvd
import mxnet as mx
from mxnet import gluon

hvd.init()
net = gluon.nn.Dense(1, in_units=3)
opt = mx.optimizer.create('sgd', learning_rate=0.3)
opt = hvd.DistributedOptimizer(opt)
trainer = gluon.Trainer(net.collect_params(), opt, kvstore=None)
total = mx.nd.ones((2,))
hvd.allreduce_(total, average=False)
hvd.broadcast_(total, root_rank=0)
data = mx.sym.Variable('data')
out = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=3), name='softmax')
mod = mx.mod.Module(out)
base = mx.optimizer.SGD(momentum=0.9, rescale_grad=0.25)
wrapped = hvd.DistributedOptimizer(base, compression=hvd.Compression.fp16)
mod.init_optimizer(kvstore=None, optimizer=wrapped)
"""


def test_a_wrapped_optimizer_averages_too():
    result = port_text(WRAPPED)
    assert result.counts.left == result.counts.operators == 0
    after = result.text.partition("net = nn.Linear")[2]
    assert "\ntrainer = averaged(torch.optim.SGD(net.parameters(), lr=0.3))\n" in after
    assert "\ntotal.copy_(all_reduce(total, average=False))\n" in after
    assert "\ntotal.copy_(broadcast(total, 0))\n" in after
    made = "averaged(torch.optim.SGD(params, lr=0.01, momentum=0.9)), scale=0.25)"
    assert f"mod.init_optimizer(lambda params: {made}" in after
    assert "hvd" not in after and "opt = " not in after and "wrapped = " not in after


def test_a_wrapper_that_is_not_understood_stays_with_its_trainer():
    for old, new in (
        ("opt)\ntrainer", "opt, gradient_predivide_factor=2.0)\ntrainer"),
        ("rescale_grad=0.25", "clip_gradient=1.0"),
    ):
        assert old in WRAPPED
        assert port_text(WRAPPED.replace(old, new)).counts.left >= 2


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
