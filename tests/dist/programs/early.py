"""Gradients that are summed while backward computes others, and what a program may do with them.

early.py OUT [single]: writes parameters, and for each step its calls: (sent in backward?, bytes)
"""

import json
import sys

import mxnet as mx
import numpy as np
import torch.distributed as dist
from mxnet import autograd, gluon, nd

SINGLE = "single" in sys.argv
RATE = {"learning_rate": 0.1, "momentum": 0.9}
calls = []
real = dist.all_reduce


def counted(tensor, *args, **kwargs):
    calls.append([backward_runs, tensor.numel() * tensor.element_size()])
    return real(tensor, *args, **kwargs)


dist.all_reduce = counted
kv = None if SINGLE else mx.kv.create("dist_sync")
rank, size = (0, 1) if SINGLE else (kv.rank, kv.num_workers)
backward_runs = False


def clip(params):
    gluon.utils.clip_global_norm([p.grad() for p in params.values()], 0.5)


def of_rank_1(params):
    """Only one of the processes changes its gradients, and only at one step."""
    if rank == 1:
        for p in params.values():
            p.grad()[:] = 0


def zero_one(params):
    if rank == 0:
        next(iter(params.values())).zero_grad()


def train(dtype="float32", between=None, on_store=None, backwards=1, norm=False, horovod=False):
    mx.random.seed(3)
    net = gluon.nn.HybridSequential()
    for _ in range(6):
        net.add(gluon.nn.Dense(7, in_units=7, activation="tanh"))
        if norm:
            net.add(gluon.contrib.nn.SyncBatchNorm(in_channels=7, num_devices=1))
    net.initialize(mx.init.Xavier())
    net.cast(dtype)
    store = "local" if SINGLE else mx.kv.create("dist_sync")
    options = {} if SINGLE else {"update_on_kvstore": on_store}
    params = net.collect_params()
    if horovod and not SINGLE:
        import horovod.mxnet as hvd

        hvd.init()
        trainer = hvd.DistributedTrainer(params, "sgd", RATE)
    else:
        trainer = gluon.Trainer(params, "sgd", RATE, kvstore=store, **options)
    data = np.random.RandomState(5).standard_normal((12, 7)).astype(dtype)
    seen = []
    for step in range(5):
        own = nd.array(data[rank * 12 // size : (rank + 1) * 12 // size], dtype=dtype)
        calls.clear()
        global backward_runs
        backward_runs = True
        for _ in range(backwards):
            with autograd.record():
                error = (net(own) - 1).square().sum()
            error.backward()
        backward_runs = False
        if between is not None and step in (2, 3):
            run_between(between, net, trainer, own, step)
        trainer.step(12 // size if horovod else 12)
        seen.append(list(calls))
    params = net.collect_params().values()
    total = sum(p.grad().size * p.grad().dtype().nbytes for p in params if p.grad_req != "null")
    return [p.data().asnumpy() for p in params], seen, total


def run_between(between, net, trainer, own, step):
    if between == "extra":
        if rank == 0 and not SINGLE:  # a picture of its own, after which gradients are made anew
            with autograd.record():
                net(own * 3).sum().backward()
            with autograd.record():
                error = (net(own) - 1).square().sum()
            error.backward()
        return
    if between in (of_rank_1, zero_one) and step != 2:
        return
    between(net.collect_params())


WAYS = {
    "plain": {},
    "off store": {"on_store": False},
    "double": {"dtype": "float64"},
    "half": {"dtype": "float16"},
    "twice": {"backwards": 2},
    "extra": {"between": "extra"},
    "norm": {"norm": True},
    "horovod": {"horovod": True},
}
ONLY_SEVERAL = {
    "clip": {"between": clip},
    "one": {"between": of_rank_1},
    "zero": {"between": zero_one},
}
found, counts = {}, {}
for way, options in {**WAYS, **({} if SINGLE else ONLY_SEVERAL)}.items():
    values, counts[way], total = train(**options)
    counts[way] = [counts[way], total]
    found.update({f"{way}-{i}": value for i, value in enumerate(values)})
np.savez(f"{sys.argv[1]}.{rank}.npz", **found)
if rank == 0:
    with open(f"{sys.argv[1]}.json", "w") as file:
        json.dump(counts, file)
