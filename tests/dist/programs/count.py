"""Counts the collectives of each training step, by a wrapper around torch's own functions."""

import json
import os
import sys

import mxnet as mx
import torch.distributed as dist
from mxnet import autograd, gluon, nd

calls = []


def wrapped(name):
    function = getattr(dist, name)

    def counted(tensor, *args, **kwargs):
        sent = args[0] if name == "all_gather" else tensor
        calls.append([name, sent.numel() * sent.element_size()])
        return function(tensor, *args, **kwargs)

    setattr(dist, name, counted)


for name in ("all_reduce", "broadcast", "all_gather", "barrier"):
    wrapped(name)


def train(contexts, **options):
    """The calls of each of three steps, and the bytes of the gradients."""
    net = gluon.nn.HybridSequential()
    for _ in range(10):
        net.add(gluon.nn.Dense(7, in_units=7))
    net.initialize(ctx=contexts)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, **options)
    steps = []
    for _ in range(3):
        with autograd.record():
            errors = [net(nd.ones((2, 7), ctx=ctx)).sum() for ctx in contexts]
        autograd.backward(errors)
        calls.clear()
        trainer.step(4)
        steps.append(list(calls))
    return steps, sum(4 * p.data(contexts[0]).size for p in net.collect_params().values())


def train_early():
    """The calls of each step, those of backward too, which then begins to sum."""
    os.environ["MXTORCH_OVERLAP"] = "1"
    net = gluon.nn.HybridSequential()
    for _ in range(10):
        net.add(gluon.nn.Dense(7, in_units=7))
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", kvstore="dist_sync")
    steps = []
    for _ in range(3):
        calls.clear()
        with autograd.record():
            error = net(nd.ones((2, 7))).sum()
        error.backward()
        in_backward = len(calls)
        trainer.step(4)
        steps.append([in_backward, list(calls)])
    return steps


cpus = [mx.cpu(0), mx.cpu(1)]
found = {
    "on store": train(cpus[:1], kvstore="dist_sync"),
    "contexts": train(cpus, kvstore="dist_device_sync", update_on_kvstore=False),
    "compressed": train(cpus[:1], kvstore="dist_sync", compression_params={"type": "2bit"}),
    "early": train_early(),
}
if mx.kv.create("dist_sync").rank == 0:
    with open(sys.argv[1], "w") as file:
        json.dump(found, file)
