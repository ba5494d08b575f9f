"""Rank 1 goes away in the middle of training, as the argument says."""

import os
import signal
import sys

import mxnet as mx
from mxnet import nd

kv = mx.kv.create("dist_sync")
kv.init("w", nd.zeros(1000))
for step in range(100000):
    if step == 3 and kv.rank == 1:
        if sys.argv[1] == "raise":
            raise ValueError("no such picture")
        if sys.argv[1] == "end":
            break
        if sys.argv[1] in ("SIGKILL", "SIGSTOP"):
            os.kill(os.getpid(), getattr(signal, sys.argv[1]))
    if step == 3 and sys.argv[1] == "SIGINT-not-sent":
        print("ready", os.getpid(), flush=True)
    kv.push("w", nd.ones(1000))
    kv.pull("w", out=nd.zeros(1000))
