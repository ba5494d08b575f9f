"""A training program that kills itself: at a step, or while its checkpoint is being written.

KILL=step:7 or KILL=write:2 (the second write), KILL_RANK=1 (of several processes); once only, for
it leaves a mark in the folder. Prints the digest of all parameters at the end.
"""

import hashlib
import os
import pathlib
import random
import signal
import sys

import numpy as np

import mxtorch as mx
from mxtorch import autograd, gluon

STORE = os.environ.get("STORE", "device")
RANK = int(os.environ.get("RANK", "0"))
what, _, number = os.environ.get("KILL", "never:0").partition(":")
mark = pathlib.Path(f"killed.{what}")


def kill():
    if int(os.environ.get("KILL_RANK", "0")) == RANK and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def kill_in_write():
    """The disk's own call is where a file is half there: a temporary one, not yet renamed."""
    sync, count = os.fsync, 0

    def fsync(descriptor):
        nonlocal count
        count += 1
        if count == int(number):
            kill()
        sync(descriptor)

    os.fsync = fsync


def train():
    mx.random.seed(7 + RANK)  # each process draws its own
    np.random.seed(8 + RANK)
    random.seed(9 + RANK)
    net = gluon.nn.HybridSequential()
    net.add(
        gluon.nn.Dense(16, activation="relu"),
        gluon.nn.BatchNorm(),
        gluon.nn.Dropout(0.2),
        gluon.nn.Dense(3),
    )
    net.initialize(mx.init.Xavier())
    data = np.random.RandomState(RANK).randn(24, 6).astype(np.float32)
    label = np.random.RandomState(RANK + 50).randint(0, 3, 24).astype(np.float32)
    loader = gluon.data.DataLoader(gluon.data.ArrayDataset(data, label), 4, shuffle=True)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01}, kvstore=STORE)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    resize = "RESIZE" in os.environ
    run = mx.checkpoint(net, trainer, loader, "run.ckpt", every=2, resize=resize)
    if run.is_resumed:
        print(f"rank {RANK} goes on at {run.epoch}/{run.batch}", file=sys.stderr)
    steps = 6 * run.epoch + run.batch
    for _ in run.epochs(3):
        for x, y in run:
            with autograd.record():
                value = loss(net(x), y).mean()
            steps += 1
            if what == "step" and steps == int(number):
                kill()
            value.backward()
            trainer.step(1)
    digest = hashlib.sha256()
    for _, parameter in sorted(net._collect_params_with_prefix().items()):
        digest.update(parameter.data().asnumpy().tobytes())
    print(f"rank {RANK}: {digest.hexdigest()}")


if what == "write":
    kill_in_write()
train()
