"""Trains over several processes; the one of FAULT_RANK kills itself where FAULT says."""

import os
import signal

import numpy as np
import torch.distributed as dist

import mxtorch as mx
from mxtorch import autograd, gluon
from mxtorch._core.errors import LostRankError
from mxtorch._dist.group import join

FAULT = os.environ.get("FAULT", "")
rank = join("the test").rank
is_faulty = rank == int(os.environ.get("FAULT_RANK", "1"))


def kill():
    os.kill(os.getpid(), signal.SIGKILL)


class Net(gluon.nn.Dense):
    calls = 0

    def forward(self, x):
        self.calls += 1
        if is_faulty and FAULT == "forward" and self.calls == 5:
            kill()
        return super().forward(x)


def die_in(module, name, call):
    """Have the function start its work and then kill the process, at its `call`-th call."""
    real, count = getattr(module, name), 0

    def wrapped(*arguments, **options):
        nonlocal count
        count += 1
        result = real(*arguments, **options)
        if count == call:
            kill()
        return result

    setattr(module, name, wrapped)


if is_faulty and FAULT == "all_reduce":
    die_in(dist, "all_reduce", 4)
if is_faulty and FAULT == "write":
    die_in(os, "fsync", 3)

net = Net(2, in_units=3)
net.initialize()
trainer = gluon.Trainer(net.collect_params(), "sgd", kvstore="dist_sync")
data = gluon.data.DataLoader(np.ones((40, 3), np.float32), 2)
try:
    run = mx.checkpoint(net, trainer, data, "run.ckpt", every=3)
    print(f"rank {rank} runs as {os.getpid()}", flush=True)
    for _ in run.epochs(int(os.environ.get("EPOCHS", "1"))):
        for x in run:
            with autograd.record():
                loss = net(x).sum()
            loss.backward()
            trainer.step(2)
    print(f"rank {rank} ends")
except LostRankError as error:
    print(f"rank {rank} lost {error.rank}: {error}")
    raise SystemExit(3) from error
