"""Trains over several processes; one of them does what the first argument says, somewhere.

breaks.py FAULT RANK [HOW]: HOW is a signal's name, 'raise', 'exit' (os._exit) or 'wait' (3 seconds
longer than the limit on signs of life).
"""

import os
import pathlib
import signal
import sys
import time

import torch.distributed as dist

import mxtorch as mx
import mxtorch.run.horovod.mxnet as hvd
from mxtorch import autograd, gluon, nd
from mxtorch._core import env
from mxtorch._core.errors import MXNetError
from mxtorch._dist import group as group_module
from mxtorch._dist.group import Group

FAULT, WHO = sys.argv[1], int(sys.argv[2])
HOW = sys.argv[3] if len(sys.argv) > 3 else "SIGKILL"
own_rank = int(os.environ.get("RANK", "-1"))


def strike():
    if HOW == "raise":
        raise ValueError("a picture is missing")
    if HOW == "exit":
        os._exit(7)
    if HOW == "wait":
        time.sleep(env.DIST_TIMEOUT.get() + 3)
    else:
        os.kill(os.getpid(), getattr(signal, HOW))
        time.sleep(5)


def before(owner, name, call=1):
    """Strike before the `call`-th call of a function."""
    real, count = getattr(owner, name), 0

    def wrapped(*arguments, **options):
        nonlocal count
        count += 1
        if count == call:
            strike()
        return real(*arguments, **options)

    setattr(owner, name, wrapped)


if own_rank == WHO:
    if FAULT == "join":
        before(group_module, "_take_rank")
    if FAULT == "init":
        before(dist, "init_process_group")
    if FAULT == "broadcast":
        before(dist, "broadcast")
    if FAULT == "check":
        before(Group, "check_same", 2)
    if FAULT == "barrier":
        before(Group, "barrier")
    if FAULT == "new_group":
        before(dist, "new_group")

try:
    kv = mx.kv.create("dist_sync")
    if own_rank < 0:
        own_rank = kv.rank
    print(f"rank {kv.rank} runs as {os.getpid()}", flush=True)
    net = gluon.nn.HybridSequential()
    for _ in range(4):
        net.add(gluon.nn.Dense(8, in_units=8))
    net.initialize()
    if FAULT == "metric":
        hvd.init()
        trainer = hvd.DistributedTrainer(net.collect_params(), "sgd")
    else:
        trainer = gluon.Trainer(net.collect_params(), "sgd", kvstore=kv)
    data = gluon.data.DataLoader(
        gluon.data.ArrayDataset(nd.ones((12, 8))), 2, num_workers=2 if FAULT == "loader" else 0
    )
    for epoch in range(2):
        for steps, x in enumerate(data, 1):
            if FAULT in ("uneven", "metric") and own_rank == WHO and steps == 6:
                break
            if FAULT == "train" and own_rank == WHO and (epoch, steps) == (0, 4):
                strike()
            if FAULT == "loader" and own_rank == WHO and (epoch, steps) == (0, 4):
                children = pathlib.Path(f"/proc/self/task/{os.getpid()}/children")
                print("children", children.read_text(), flush=True)
                strike()
            with autograd.record():
                error = net(x).sum()
            error.backward()
            trainer.step(2)
        if FAULT == "validation" and own_rank == WHO and epoch == 0:
            net(nd.ones((2, 8))).wait_to_read()
            strike()
        if FAULT == "metric":
            hvd.allreduce(nd.ones(1))
        if FAULT == "uneven" or epoch == 1:
            kv._barrier()
    print(f"rank {kv.rank} ends", flush=True)
except MXNetError as error:
    print(f"rank {own_rank} says {type(error).__name__}: {error}", flush=True)
    raise SystemExit(3) from error
