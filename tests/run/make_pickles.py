"""Writes tests/golden/pickles/objects.pkl: run by the Python of real MXNet 1.9.1."""

import pathlib
import pickle

import mxnet as mx
from mxnet import gluon

FILE = pathlib.Path(__file__).resolve().parents[1] / "golden" / "pickles" / "objects.pkl"


def make_block():
    block = gluon.nn.HybridSequential(prefix="net_")
    with block.name_scope():
        block.add(gluon.nn.Dense(2, in_units=3))
    block.initialize(mx.init.Constant(0.5))
    return block


def make_objects():
    data = mx.sym.Variable("data")
    return {
        "array": mx.nd.array([[1, 2], [3, 4]]),
        "integers": mx.nd.array([1, 2], dtype="int32"),
        "context": mx.cpu(1),
        "initializer": mx.init.Constant(0.25),
        "mixed": mx.init.Mixed(["bias", ".*"], [mx.init.Zero(), mx.init.One()]),
        "sgd": mx.optimizer.SGD(learning_rate=0.1, momentum=0.9),
        "adam": mx.optimizer.Adam(),
        "factor": mx.lr_scheduler.FactorScheduler(10, 0.5),
        "cosine": mx.lr_scheduler.CosineScheduler(10),
        "accuracy": mx.metric.Accuracy(),
        "dataset": gluon.data.ArrayDataset(list(range(4)), list("abcd")),
        "batches": gluon.data.BatchSampler(gluon.data.SequentialSampler(5), 2, "keep"),
        "symbol": mx.sym.FullyConnected(data, num_hidden=3, name="fc"),
        "parameter": gluon.Parameter("w", shape=(2,)),
        "constant": gluon.Constant("c", mx.nd.ones(2)),
        "block": make_block(),
        "loss": gluon.loss.L2Loss(),
        "names": mx.name.Prefix("a_"),
        "attributes": mx.AttrScope(group="1"),
        "class": mx.nd.NDArray,
    }


if __name__ == "__main__":
    texts = {name: pickle.dumps(thing, 2) for name, thing in make_objects().items()}
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_bytes(pickle.dumps(texts, 2))
