"""Horovod's functions in two processes, each against what Horovod documents."""

import horovod.mxnet as hvd
import mxnet as mx
import numpy as np
from mxnet import gluon, nd

try:
    hvd.rank()
except ValueError:
    pass
else:
    raise AssertionError("rank before init")
hvd.init()
rank, size = hvd.rank(), hvd.size()
assert hvd.is_initialized()
assert (size, hvd.local_rank(), hvd.local_size()) == (2, rank, 2)
assert (hvd.cross_rank(), hvd.cross_size(), hvd.is_homogeneous()) == (0, 1, True)


def same(array, expected):
    np.testing.assert_allclose(array.asnumpy(), expected, rtol=1e-6)


x = nd.array([1.0, 2.0]) * (rank + 1)
same(hvd.allreduce(x), [1.5, 3.0])
same(hvd.allreduce(x, average=False), [3.0, 6.0])
same(hvd.allreduce(x, op=hvd.Sum, prescale_factor=2, postscale_factor=0.5), [3.0, 6.0])
same(x, np.array([1.0, 2.0]) * (rank + 1))
assert hvd.allreduce_(x, average=False) is x
same(x, [3.0, 6.0])
one, other = hvd.grouped_allreduce([nd.ones(2) * rank, nd.ones(3)], average=False)
same(one, [1, 1])
same(other, [2, 2, 2])
pair = [nd.ones(2) * rank, nd.ones(3)]
hvd.grouped_allreduce_(pair)
same(pair[0], [0.5, 0.5])
rows = hvd.allgather(nd.ones((rank + 1, 2)) * rank)
same(rows, [[0, 0], [1, 1], [1, 1]])
same(hvd.broadcast(nd.ones(2) * rank, root_rank=1), [1, 1])
y = nd.ones(2) * (rank + 5)
hvd.broadcast_(y, 0)
same(y, [5, 5])
found = hvd.broadcast_object({"epoch": 3 + rank, "x": np.arange(3), 1: (b"a", None)}, 1)
assert found["epoch"] == 4
assert found[1] == (b"a", None)
assert (found["x"] == np.arange(3)).all()
assert hvd.allgather_object([rank]) == [[0], [1]]

# parameters, deferred ones too
mx.random.seed(rank)
net = gluon.nn.Dense(3)
net.initialize()
hvd.broadcast_parameters(net.collect_params())
net(nd.ones((2, 4)))
values = hvd.allgather(net.weight.data().reshape((1, -1))).asnumpy()
assert (values[0] == values[1]).all()
hvd.broadcast_parameters({"a": nd.ones(2)}, root_rank=0)

# half precision on the wire
trainer = hvd.DistributedTrainer(
    net.collect_params(), "sgd", {"learning_rate": 1.0}, compression=hvd.Compression.fp16
)
before = net.weight.data().asnumpy()
with mx.autograd.record():
    error = (net(nd.ones((2, 4)) * (rank + 1))).sum()
error.backward()
trainer.step(2)
same(net.weight.data(), before - 1.5)
try:
    hvd.broadcast_parameters({"a": nd.ones(2 + rank)})
except mx.MXNetError as error:
    assert "float32 (2,) on rank 0" in str(error) or "'float32 (2,)'" in str(error), error
else:
    raise AssertionError("other shapes")
print("all is well on", rank, flush=True)
