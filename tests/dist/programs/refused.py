"""What every process refuses when they do not agree; prints the errors."""

import sys

import mxnet as mx
from mxnet import autograd, gluon, nd

kv = mx.kv.create("dist_sync")
rank = kv.rank


def tell(name, action):
    try:
        action()
    except mx.MXNetError as error:
        print(f"{name}: {error}", flush=True)
    else:
        print(f"{name}: no error", flush=True)


def step(units=2, batch=4, rate=0.1):
    net = gluon.nn.Dense(3, in_units=units)
    net.initialize()
    store = mx.kv.create("dist_sync")
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": rate}, kvstore=store)
    with autograd.record():
        error = net(nd.ones((batch, units)))
    error.backward()
    trainer.step(batch)


tell("parameters", lambda: step(units=2 + rank))
tell("batch", lambda: step(batch=4 + rank))
tell("rate", lambda: step(rate=0.1 * (rank + 1)))
kv.init(["a", "b"], [nd.zeros(2), nd.zeros(3)])
tell("order", lambda: kv.push("a" if rank else "b", nd.zeros(2 if rank else 3)))
tell("servers", lambda: kv._send_command_to_servers(7, "profile"))
kv.push("a", nd.ones(2) * (rank + 1))
tell("shape", lambda: kv.push("a", nd.ones(3)))
tell("dtype", lambda: kv.push("a", nd.ones(2, dtype="float64")))
out = nd.zeros(2)
kv.pull("a", out=out)
if rank == 0:
    print("in step again:", out.asnumpy(), flush=True)
kv._barrier()
sys.exit("rank 1 fails in the end" if rank else 0)
