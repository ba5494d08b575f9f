"""Hybridized blocks in inference: BatchNorm folded, weights packed; redone when they change."""

import numpy as np
import pytest
import torch

import mxtorch as mx
from mxtorch import autograd, gluon, nd
from mxtorch._core import torch_compat
from mxtorch._graph import inference
from mxtorch.gluon import nn

pytestmark = pytest.mark.skipif(not torch_compat.packs(), reason="this torch has no oneDNN")
SHAPE = (2, 4, 9, 9)


class Residual(nn.HybridBlock):
    """A sum, a joint, and a result that two layers take."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2D(4, 3, padding=1, in_channels=4, use_bias=False)
        self.norm = nn.BatchNorm(in_channels=4)
        self.second = nn.Conv2D(5, 1, in_channels=4)

    def hybrid_forward(self, F, x):
        y = self.norm(self.first(x))
        z = F.relu(y + x)
        return F.concat(self.second(z), z, F.slice_axis(z, axis=2, begin=0, end=9), dim=1)


def sequential(*layers):
    net = nn.HybridSequential()
    net.add(*layers)
    return net


NETS = {
    "conv, norm, relu": lambda: sequential(
        nn.Conv2D(6, 3, strides=2), nn.BatchNorm(epsilon=1e-3), nn.Activation("relu")
    ),
    "no bias, no scale": lambda: sequential(
        nn.Conv2D(6, 3, use_bias=False), nn.BatchNorm(scale=False, center=False)
    ),
    "depthwise": lambda: sequential(
        nn.Conv2D(8, 3, groups=4, padding=1), nn.BatchNorm(), nn.LeakyReLU(0.1), nn.Conv2D(3, 1)
    ),
    "dilated": lambda: sequential(nn.Conv2D(6, 3, dilation=2), nn.Activation("tanh")),
    "pooling": lambda: sequential(
        nn.Conv2D(6, 3),
        nn.MaxPool2D(3, 2, ceil_mode=True),
        nn.Activation("sigmoid"),
        nn.AvgPool2D(2, 1, padding=1, count_include_pad=False),
        nn.Conv2D(3, 2),
        nn.GlobalMaxPool2D(),
    ),
    "flattened": lambda: sequential(
        nn.Conv2D(6, 3), nn.PReLU(), nn.Flatten(), nn.Dense(3), nn.Dropout(0.5), nn.Dense(2)
    ),
    "swish": lambda: sequential(nn.Conv2D(6, 3), nn.Swish(), nn.InstanceNorm(), nn.Conv2D(2, 1)),
    "residual": Residual,
}


def made(make, shape=SHAPE):
    """The net with moving statistics of its own, hybridized; data for it."""
    mx.random.seed(3)
    net = make if isinstance(make, nn.Block) else make()
    net.initialize(mx.init.Xavier())
    x = nd.random.uniform(-1, 1, shape=shape)
    net(x)
    for parameter in net.collect_params(".*running.*").values():
        low, high = (-0.1, 0.1) if "mean" in parameter.name else (0.5, 2)
        parameter.set_data(nd.random.uniform(low, high, shape=parameter.shape))
    net.hybridize()
    return net, x


def packed(net):
    """The packed modules of a hybridized block."""
    kept = net._cached_op.graph._inference
    return [] if kept is None else [m for m in kept._packed.values() if m is not None]


def run_until_packed(net, x):
    for _ in range(inference.PATIENCE + 1):
        result = net(x).asnumpy()
    assert len(packed(net)) == 1
    assert np.count_nonzero(result) > result.size // 5
    return result


def plainly(net, x):
    """What the layers give one by one."""
    net.hybridize(False)
    result = net(x).asnumpy()
    net.hybridize()
    return result


def is_close(one, other):
    return abs(one - other).max() <= 3e-6 * abs(other).max()


@pytest.mark.parametrize("name", NETS)
def test_packed_nets_give_the_same(name):
    net, x = made(NETS[name])
    before = net(x)
    after = run_until_packed(net, x)
    assert is_close(after, before.asnumpy())
    assert net(x).as_torch().is_contiguous()
    for shape in [(1, 4, 9, 9), (3, 4, 9, 9)]:  # 9 pixels wide, for the dense layers
        y = nd.random.uniform(-1, 1, shape=shape)
        assert is_close(net(y).asnumpy(), plainly(net, y))


def test_dense_layers_of_many_rows_absorb_a_norm():
    layers = nn.Dense(6), nn.BatchNorm(), nn.Activation("relu"), nn.Dense(3)
    net, x = made(sequential(*layers), (16, 5))
    before = net(x).asnumpy()
    assert is_close(run_until_packed(net, x), before)
    calls = [n for n in packed(net)[0].graph.nodes if n.op == "call_function"]
    assert len(calls) == 2


def test_a_norm_after_a_product_of_every_row_is_not_folded_into_it():
    net, x = made(sequential(nn.Dense(6, flatten=False), nn.BatchNorm(axis=1)), (4, 6, 5))
    before = net(x).asnumpy()
    assert is_close(run_until_packed(net, x), before)


@pytest.mark.parametrize("dtype", ["float64", "float16"])
def test_other_types_stay_as_they_are(dtype):
    net, x = made(NETS["conv, norm, relu"])
    net.cast(dtype)
    x = x.astype(dtype)
    for _ in range(inference.PATIENCE + 1):
        net(x)
    assert packed(net) == []


def weight(net):
    return next(iter(net.collect_params(".*weight").values()))


def by_view(net):
    weight(net).data()[0:2][:] = 0.5


def by_operator(net):
    w = weight(net).data()
    nd.sgd_update(w, nd.ones(w.shape), lr=0.1, out=w)


def by_out(net):
    w = weight(net).data()
    nd.random.normal(shape=w.shape, out=w)


def by_store(net):
    store = mx.kv.create("local")
    w = weight(net).data()
    store.init(0, nd.ones(w.shape))
    store.pull(0, out=w)


def by_training(net):
    with autograd.record():
        loss = net(nd.random.normal(shape=SHAPE)).sum()
    loss.backward()  # the moving statistics move


def by_file(net, tmp_path):
    other, _ = made(NETS["conv, norm, relu"])
    other.collect_params().initialize(mx.init.Normal(1), force_reinit=True)
    other.save_parameters(str(tmp_path / "x.params"))
    net.load_parameters(str(tmp_path / "x.params"))


def by_custom_optimizer(net):
    class Mine(mx.optimizer.Optimizer):
        def update(self, index, weight, grad, state):
            weight[:] = weight - grad

        def create_state(self, index, weight):
            return None

    stepped(net, Mine())


def stepped(net, optimizer, **options):
    params = net.collect_params()
    trainer = gluon.Trainer(params, optimizer, options or None, kvstore=None)
    with autograd.record(train_mode=False):
        loss = (net(nd.random.normal(shape=SHAPE)) ** 2).sum()
    loss.backward()
    trainer.step(1)


WRITES = {
    "set_data": lambda net: weight(net).set_data(nd.ones(weight(net).shape)),
    "assignment": lambda net: weight(net).data().__setitem__(slice(None), 2),
    "one element": lambda net: weight(net).data().__setitem__((0, 0, 0, 0), 7),
    "+= number": lambda net: weight(net).data().__iadd__(1),
    "*= array": lambda net: weight(net).data().__imul__(weight(net).data()),
    "a view": by_view,
    "reshaped view": lambda net: weight(net).data().reshape((-1,)).__setitem__(0, 9),
    "copyto": lambda net: nd.ones(weight(net).shape).copyto(weight(net).data()),
    "an operator": by_operator,
    "out=": by_out,
    "kvstore": by_store,
    "statistics": by_training,
    "initialize": lambda net: net.initialize(mx.init.Normal(1), force_reinit=True),
    "own optimizer": by_custom_optimizer,
    "torch function": lambda net: torch.zero_(weight(net).data()),
    "torch": lambda net: weight(net).data().as_torch().detach().fill_(3),
    "dlpack": lambda net: torch.from_dlpack(weight(net).data()).fill_(3),
    "module": lambda net: mx.as_module(net).state_dict()["0.weight"].fill_(3),
    "beta": lambda net: net[1].beta.set_data(nd.ones(6)),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_write_is_seen(name):
    net, x = made(NETS["conv, norm, relu"])
    before = run_until_packed(net, x)
    WRITES[name](net)
    after = net(x).asnumpy()
    assert not np.array_equal(after, before)
    assert is_close(after, plainly(net, x))


def test_a_loaded_file_is_seen(tmp_path):
    net, x = made(NETS["conv, norm, relu"])
    before = run_until_packed(net, x)
    by_file(net, tmp_path)
    assert not is_close(net(x).asnumpy(), before)
    assert is_close(run_until_packed(net, x), plainly(net, x))


# GroupAdaGrad takes matrices only.
OPTIMIZERS = sorted(set(mx.optimizer.Optimizer.opt_registry) - {"groupadagrad"})


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_step_of_an_optimizer_is_seen(name):
    net, x = made(NETS["conv, norm, relu"])
    before = run_until_packed(net, x)
    stepped(net, name)
    after = net(x).asnumpy()
    assert is_close(after, plainly(net, x))
    if name != "lbsgd":  # it gathers gradients first
        assert not np.array_equal(after, before)


def test_a_row_that_torch_may_write_is_never_packed():
    net, x = made(NETS["conv, norm, relu"])
    tensor = weight(net).data().as_torch()
    for _ in range(inference.PATIENCE + 2):
        net(x)
        with torch.no_grad():
            tensor += 1
    assert packed(net) == []
    assert is_close(net(x).asnumpy(), plainly(net, x))


def test_training_and_gradients_take_the_plain_graph():
    net, x = made(NETS["conv, norm, relu"])
    run_until_packed(net, x)
    x.attach_grad()
    with autograd.record(train_mode=False):
        y = net(x).sum()
    y.backward()
    assert x.grad.asnumpy().any()


def test_the_subgraph_variable_turns_it_off(monkeypatch):
    monkeypatch.setenv("MXNET_SUBGRAPH_BACKEND", "NONE")
    net, x = made(NETS["conv, norm, relu"])
    for _ in range(inference.PATIENCE + 1):
        net(x)
    assert packed(net) == []


def test_a_few_sets_of_shapes_are_packed():
    net, _ = made(NETS["conv, norm, relu"])
    for size in (5, 6, 7, 8, 9, 10):
        x = nd.random.uniform(shape=(1, 4, size, size))
        for _ in range(inference.PATIENCE + 1):
            net(x)
        assert is_close(net(x).asnumpy(), plainly(net, x))
        for _ in range(inference.PATIENCE + 1):
            net(x)
    sizes = [5, 6, 7, 8, 9, 10]
    for size in sizes * (inference.PATIENCE + 1):
        net(nd.random.uniform(shape=(1, 4, size, size)))
    assert len(packed(net)) == 4


def test_data_of_ever_other_shapes_is_not_packed_for():
    net, _ = made(NETS["conv, norm, relu"])
    for size in range(5, 40):
        net(nd.random.uniform(shape=(1, 4, size, 5)))
    assert packed(net) == []


def test_modules_pack_too():
    data = mx.sym.var("data")
    body = mx.sym.Convolution(data, kernel=(3, 3), num_filter=6, name="conv")
    body = mx.sym.BatchNorm(body, fix_gamma=False, eps=1e-3, name="norm")
    body = mx.sym.Activation(body, act_type="relu", name="relu")
    net = mx.sym.FullyConnected(body, num_hidden=3, name="out")
    module = mx.mod.Module(net, label_names=None)
    module.bind([("data", SHAPE)], for_training=False)
    module.init_params(mx.init.Xavier())
    batches = mx.io.NDArrayIter(nd.random.uniform(-1, 1, shape=(20, *SHAPE[1:])), batch_size=2)
    first = module.predict(batches).asnumpy()
    executor = module._exec_group.execs[0]
    assert any(executor._inference._packed.values())
    assert is_close(module.predict(batches).asnumpy(), first)
    arguments, states = module.get_params()
    arguments["conv_weight"][:] = 0
    module.set_params(arguments, states)
    changed = module.predict(batches).asnumpy()
    assert np.array_equal(changed, np.broadcast_to(changed[:1], changed.shape))
    with monitored(executor) as seen:
        module.forward(next(batches_of(batches)), is_train=False)
    assert "conv_output" in seen


class monitored:
    """Collects the names that an executor reports."""

    def __init__(self, executor):
        self.executor, self.names = executor, set()

    def __enter__(self):
        self.executor.set_monitor_callback(lambda name, array: self.names.add(name.decode()))
        return self.names

    def __exit__(self, *exception):
        self.executor.set_monitor_callback(None)


def batches_of(batches):
    batches.reset()
    return iter(batches)
