"""Trains small nets in several ways, on this process's share of each batch; writes the parameters.

train.py OUT [single]
"""

import sys

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd

BATCH, STEPS, ROWS = 16, 4, 32
RATE = {"learning_rate": 0.1, "momentum": 0.9}
SINGLE = "single" in sys.argv

rng = np.random.RandomState(7)
X = rng.standard_normal((ROWS, 6)).astype("float32")
Y = rng.randint(0, 3, ROWS).astype("float32")
WORDS = rng.randint(0, 20, (ROWS, 3)).astype("float32")


def share(array, step, rank, count):
    """This process's part of the batch of a step."""
    own = BATCH // count
    begin = step * BATCH % ROWS + rank * own
    return nd.array(array[begin : begin + own])


def net_with_batch_norm(seed=3):
    mx.random.seed(seed)
    net = gluon.nn.HybridSequential()
    norm = gluon.contrib.nn.SyncBatchNorm(num_devices=1)
    net.add(gluon.nn.Dense(8, activation="relu"), norm, gluon.nn.Dense(3))
    net.initialize(mx.init.Xavier())
    net(nd.zeros((2, 6)))
    return net


def loop(net, trainer, batch, rank, count, data=X):
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    for step in range(STEPS):
        x, y = share(data, step, rank, count), share(Y, step, rank, count)
        with autograd.record():
            error = loss(net(x), y)
        error.backward()
        trainer.step(batch)


def values(net):
    return [p.data().asnumpy() for p in net.collect_params().values()]


def by_trainer(store, **options):
    kv = None if SINGLE else mx.kv.create(store)
    rank, count = (0, 1) if SINGLE else (kv.rank, kv.num_workers)
    net = net_with_batch_norm()
    if options.pop("hybrid", False):
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", RATE, kvstore=kv or "local", **options)
    loop(net, trainer, BATCH, rank, count)
    return values(net)


def by_horovod():
    if SINGLE:
        return by_trainer("")
    import horovod.mxnet as hvd

    hvd.init()
    net = net_with_batch_norm(3 + hvd.rank())  # only those of the first process count
    hvd.broadcast_parameters(net.collect_params(), root_rank=0)
    trainer = hvd.DistributedTrainer(net.collect_params(), "sgd", RATE)
    loop(net, trainer, BATCH // hvd.size(), hvd.rank(), hvd.size())
    return values(net)


def by_module(store, horovod=False):
    kv, rank, count = None, 0, 1
    if not SINGLE:
        kv = mx.kv.create(store)
        rank, count = kv.rank, kv.num_workers
    optimizer, options = "sgd", dict(RATE)
    if horovod and not SINGLE:
        import horovod.mxnet as hvd

        hvd.init()
        kv, scale = None, count / BATCH
        optimizer = hvd.DistributedOptimizer(
            mx.optimizer.SGD(rescale_grad=scale, momentum=0.9, learning_rate=0.1)
        )
        options = {}
    parts = [[share(a, s, rank, count) for s in range(ROWS // BATCH)] for a in (X, Y)]
    x, y = (nd.concat(*part, dim=0) for part in parts)
    data = mx.io.NDArrayIter(x, y, BATCH // count)
    out = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    module = mx.mod.Module(mx.sym.SoftmaxOutput(out, name="softmax"))
    mx.random.seed(5)
    module.fit(
        data,
        num_epoch=2,
        kvstore=kv or "local",
        optimizer=optimizer,
        optimizer_params=options,
        initializer=mx.init.Xavier(),
    )
    arguments, _ = module.get_params()
    return [arguments[name].asnumpy() for name in sorted(arguments)]


def by_rows():
    """Gradients and weights by rows, which differ from process to process."""
    kv = None if SINGLE else mx.kv.create("dist_sync")
    rank, count = (0, 1) if SINGLE else (kv.rank, kv.num_workers)
    mx.random.seed(3)
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Embedding(20, 4, sparse_grad=True), gluon.nn.Dense(3))
    net.initialize(mx.init.Xavier())
    net(nd.zeros((2, 3)))
    trainer = gluon.Trainer(net.collect_params(), "sgd", RATE, kvstore=kv or "local")
    loop(net, trainer, BATCH, rank, count, WORDS)
    return values(net)


WAYS = {
    "trainer": lambda: by_trainer("dist_sync"),
    "hybrid": lambda: by_trainer("dist_device_sync", hybrid=True),
    "local-update": lambda: by_trainer("dist_sync_device", update_on_kvstore=False),
    "async": lambda: by_trainer("dist_async"),
    "horovod": by_horovod,
    "horovod-store": lambda: by_trainer("horovod"),
    "module": lambda: by_module("dist_sync"),
    "horovod-optimizer": lambda: by_module("dist_sync", horovod=True),
    "rows": by_rows,
}

found = {f"{way}-{i}": value for way, train in WAYS.items() for i, value in enumerate(train())}
rank = 0 if SINGLE else mx.kv.create("dist_sync").rank
np.savez(f"{sys.argv[1]}.{rank}.npz", **found)
