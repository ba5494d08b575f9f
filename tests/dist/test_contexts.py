"""Training on several contexts of one process ends with the parameters of one context."""

import threading

import numpy as np
import pytest

import mxtorch as mx
from mxtorch import autograd, gluon, nd

rng = np.random.RandomState(0)
X = rng.standard_normal((32, 6)).astype("float32")
Y = rng.randint(0, 3, 32).astype("float32")
STORES = ["local", "device", "nccl", "local_allreduce_device"]


def contexts(count):
    return [mx.cpu(i) for i in range(count)]


def train_gluon(count, store="device", hybrid=False, together=False, **options):
    mx.random.seed(1)
    where = contexts(count)
    net = gluon.nn.HybridSequential()
    for _ in range(2):
        norm = gluon.contrib.nn.SyncBatchNorm(num_devices=count)
        net.add(gluon.nn.Dense(8), norm, gluon.nn.Activation("relu"))
    net.add(gluon.nn.Dense(3))
    net.initialize(mx.init.Xavier(), ctx=where)
    if hybrid:
        net.hybridize()
    rate = {"learning_rate": 0.1, "momentum": 0.9}
    trainer = gluon.Trainer(net.collect_params(), "sgd", rate, kvstore=store, **options)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    for step in range(4):
        part = slice(16 * (step % 2), 16 * (step % 2) + 16)
        xs = gluon.utils.split_and_load(nd.array(X[part]), where)
        ys = gluon.utils.split_and_load(nd.array(Y[part]), where)
        with autograd.record():
            losses = [loss(net(x), y) for x, y in zip(xs, ys, strict=True)]
        if together:
            autograd.backward(losses)
        else:
            for error in losses:
                error.backward()
        trainer.step(16)
    return {i: p.list_data() for i, p in enumerate(net.collect_params().values())}


def train_module(count, store="local"):
    x = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=8, name="first")
    x = mx.sym.contrib.SyncBatchNorm(x, ndev=count, key="k", fix_gamma=False, name="norm")
    x = mx.sym.FullyConnected(mx.sym.Activation(x, act_type="relu"), num_hidden=3, name="last")
    module = mx.mod.Module(mx.sym.SoftmaxOutput(x, name="softmax"), context=contexts(count))
    mx.random.seed(1)
    module.fit(
        mx.io.NDArrayIter(X, Y, 16),
        num_epoch=2,
        kvstore=store,
        optimizer_params={"learning_rate": 0.1, "momentum": 0.9},
        initializer=mx.init.Xavier(),
    )
    arguments, states = module.get_params()
    return {name: [array] for name, array in {**arguments, **states}.items()}


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    for name, copies in found.items():
        for copy in copies:
            np.testing.assert_allclose(
                copy.asnumpy(), expected[name][0].asnumpy(), rtol=0, atol=1e-6, err_msg=str(name)
            )


@pytest.fixture(scope="module")
def one():
    return {train: train(1) for train in (train_gluon, train_module)}


@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("hybrid", [False, True])
def test_gluon(one, count, hybrid, together):
    assert_same(train_gluon(count, hybrid=hybrid, together=together), one[train_gluon])


@pytest.mark.parametrize("update", [False, True])
@pytest.mark.parametrize("store", STORES)
def test_stores(one, store, update):
    assert_same(train_gluon(2, store, update_on_kvstore=update), one[train_gluon])


@pytest.mark.parametrize("count", [2, 4])
def test_module(one, count):
    assert_same(train_module(count), one[train_module])
    assert_same(train_module(count, "device"), one[train_module])


@pytest.fixture
def norm():
    layer = gluon.contrib.nn.SyncBatchNorm(num_devices=2, in_channels=3)
    layer.initialize(ctx=contexts(2))
    return layer


def test_value_before_the_last_call(norm):
    """What waits has a shape; its value is refused, and the next batch begins anew."""
    with autograd.record():
        first = (norm(nd.ones((2, 3), ctx=mx.cpu(0))) * 2).sum(axis=1)
        assert first.shape == (2,)
        assert first.context == mx.cpu(0)
        with pytest.raises(mx.MXNetError, match="waits for its calls on 2 devices"):
            first.asnumpy()
        parts = [norm(nd.ones((2, 3), ctx=mx.cpu(i)) * (1 + 2 * i)) for i in range(2)]
    for part, value in zip(parts, (-1, 1), strict=True):
        np.testing.assert_allclose(part.asnumpy(), np.full((2, 3), value), atol=1e-4)


def test_threads(norm):
    """A thread for each device, as toolkits have it."""
    losses = {}

    def work(i):
        x = nd.array([[1.0, 2, 3], [5, 7, 9]], ctx=mx.cpu(i)) * (i + 1)
        with autograd.record():
            losses[i] = (norm(x) ** 3).sum()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    autograd.backward([losses[0], losses[1]])
    whole = gluon.nn.BatchNorm(in_channels=3)
    whole.initialize()
    with autograd.record():
        error = (whole(nd.array([[1.0, 2, 3], [5, 7, 9], [2, 4, 6], [10, 14, 18]])) ** 3).sum()
    error.backward()
    total = sum(grad.asnumpy() for grad in norm.gamma.list_grad())
    np.testing.assert_allclose(total, whole.gamma.grad().asnumpy(), rtol=1e-5)


def test_gradients_before_the_last_backward(norm):
    """They are those of the heads so far."""
    arrays = [nd.array([[1.0, 2, 3], [5, 7, 9]], ctx=mx.cpu(i)) * (i + 1) for i in range(2)]
    for array in arrays:
        array.attach_grad()
    with autograd.record():
        losses = [(norm(array) ** 3).sum() for array in arrays]
    losses[0].backward()
    assert (arrays[1].grad.asnumpy() != 0).any()  # through the statistics


def test_prediction_does_not_wait(norm):
    assert norm(nd.ones((2, 3))).asnumpy().shape == (2, 3)
