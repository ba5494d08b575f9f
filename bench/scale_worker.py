"""One process of `bench/scale.py`: trains, and says as a line of JSON how long what took.

Started by `mxtorch launch`; every process runs this, rank 0 prints.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import mxtorch as mx
from mxtorch import autograd, gluon
from mxtorch._core.device import context_to_device, synchronize
from mxtorch._dist import collectives
from mxtorch._dist.group import Group, join

WIDTH, CLASSES, INPUTS = 1024, 100, 512


def make_net(ctx: mx.Context) -> Any:
    net = gluon.nn.HybridSequential()
    net.add(
        gluon.nn.Dense(WIDTH, activation="relu", in_units=INPUTS),
        gluon.nn.Dense(WIDTH, activation="relu", in_units=WIDTH),
        gluon.nn.Dense(CLASSES, in_units=WIDTH),
    )
    net.initialize(mx.init.Xavier(), ctx=ctx)
    net.hybridize()
    return net


def seconds(work: Callable[[], Any], count: int, device: torch.device, group: Group) -> float:
    """The median of how long a call takes, all processes beginning together."""
    taken = []
    for _ in range(count):
        group.barrier()
        synchronize(device)
        begin = time.perf_counter()
        work()
        synchronize(device)
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken)


def through_store(
    ctx: mx.Context, batch: int, store: str | None, what: str = "step"
) -> Callable[[], None]:
    """A step of Gluon's Trainer; or only its 'forward' pass, or that and backward: 'gradient'."""
    net, loss = make_net(ctx), gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01}, kvstore=store)
    x = mx.nd.random.normal(shape=(batch, INPUTS), ctx=ctx)
    y = mx.nd.zeros((batch,), ctx=ctx)

    def step() -> None:
        with autograd.record():
            value = loss(net(x), y)
        if what != "forward":
            value.backward()
        if what == "step":
            trainer.step(batch)

    return step


def overlapped(ctx: mx.Context, batch: int) -> Callable[[], None]:
    """A step whose gradients are summed while backward computes others."""
    step = through_store(ctx, batch, "dist_sync")
    os.environ["MXTORCH_OVERLAP"] = "1"
    step()  # the store asks once, after the first
    os.environ["MXTORCH_OVERLAP"] = "0"
    return step


def through_module(ctx: mx.Context, batch: int, ddp: int) -> Callable[[], None]:
    """A step of torch's, over the same block; with `ddp`, the bytes of a bucket, through DDP."""
    device = context_to_device(ctx)
    net = make_net(ctx)
    x, y = torch.randn(batch, INPUTS, device=device), torch.zeros(batch, dtype=torch.int64)
    module: torch.nn.Module = mx.as_module(net)
    if ddp:
        module = DistributedDataParallel(module, bucket_cap_mb=ddp / 2**20)
    optimizer = torch.optim.SGD(module.parameters(), lr=0.01)
    target = y.to(device)

    def step() -> None:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(module(x), target).backward()
        optimizer.step()

    return step


def memory(device: torch.device) -> int:
    """The most bytes that this process has held on its device (of the CPU: in all)."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def measure(batch: int, count: int, bucket: int) -> dict[str, Any]:
    """What one process finds, the same work on all of them."""
    os.environ.update(MXTORCH_BUCKET_BYTES=str(bucket), MXTORCH_OVERLAP="0")
    group = join("bench/scale.py")
    ctx = mx.gpu(group.local_rank) if mx.num_gpus() else mx.cpu()
    device = context_to_device(ctx)
    steps = {
        "alone": through_store(ctx, batch, None),
        "forward": through_store(ctx, batch, None, "forward"),
        "gradient": through_store(ctx, batch, None, "gradient"),
        "dist_sync": through_store(ctx, batch, "dist_sync"),
        "module": through_module(ctx, batch, ddp=0),
    }
    if dist.is_initialized():
        steps["overlapped"] = overlapped(ctx, batch)
        steps["ddp"] = through_module(ctx, batch, ddp=bucket)
    found: dict[str, Any] = {"processes": group.size, "batch": batch, "device": device.type}
    found["bucket"], found["gpus"] = bucket, mx.num_gpus()
    for name, step in steps.items():
        for _ in range(3):
            step()
        found[name] = seconds(step, count, device, group)
    elements = sum(p.data().size for p in make_net(ctx).collect_params().values())
    found["gradient_bytes"] = elements * 4
    found["all_reduce"] = {
        str(size): seconds(reduction(group, size, device), count, device, group)
        for size in (4096, elements)
    }
    found["memory"] = memory(device)
    return found


def reduction(group: Group, size: int, device: torch.device) -> Callable[[], None]:
    row = torch.ones(size, device=device)
    return lambda: collectives.all_reduce(group, [row])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--bucket", type=int, required=True)
    options = parser.parse_args()
    found = measure(options.batch, options.count, options.bucket)
    if join().rank == 0:
        print("scale: " + json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
