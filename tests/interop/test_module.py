"""A Gluon block as an nn.Module."""

import copy

import numpy as np
import pytest
import torch

import mxtorch as mx
from mxtorch import gluon, nd
from mxtorch.gluon import nn


def make_net():
    mx.random.seed(1)
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, in_channels=3), nn.BatchNorm(in_channels=4), nn.Activation("relu"))
    net.add(nn.Dense(3, in_units=4 * 36))
    net.initialize(mx.init.Xavier())
    return net


def images(seed=0):
    return torch.randn(4, 3, 8, 8, generator=torch.Generator().manual_seed(seed))


LABELS = torch.tensor([0, 1, 2, 1])


def close(one, other):
    torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-6)


def test_outputs_and_names():
    net = make_net()
    module = mx.as_module(net).eval()
    close(module(images()), net(nd.from_torch(images())).as_torch())
    assert list(module.state_dict()) == list(net._collect_params_with_prefix())
    assert [n for n, _ in module.named_buffers()] == ["1.running_mean", "1.running_var"]
    assert module.block is net


def test_one_memory():
    net = make_net()
    module = mx.as_module(net)
    assert module.state_dict()["0.weight"].data_ptr() == net[0].weight.data().as_torch().data_ptr()
    other = {k: torch.full_like(v, 0.5) for k, v in module.state_dict().items()}
    module.load_state_dict(other)
    assert (net[3].bias.data().asnumpy() == 0.5).all()
    net[3].bias.set_data(nd.ones((3,)))
    assert (module.state_dict()["3.bias"] == 1).all()
    net.initialize(mx.init.One(), force_reinit=True)
    assert (module.state_dict()["3.weight"] == 1).all()


def test_training_is_gluon_s():
    """The same steps by a torch optimizer and by a Trainer: equal weights and statistics."""
    one, other = make_net(), make_net()
    module = mx.as_module(one).train()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1, momentum=0.9)
    options = {"learning_rate": 0.1, "momentum": 0.9}
    trainer = gluon.Trainer(other.collect_params(), "sgd", options)
    loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
    for step in range(4):
        x = images(step)
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(module(x), LABELS, reduction="sum") / 4
        loss.backward()
        optimizer.step()
        with mx.autograd.record():
            theirs = loss_fn(other(nd.from_torch(x)), nd.from_torch(LABELS.float()))
        theirs.backward()
        trainer.step(4)
    for name, parameter in one._collect_params_with_prefix().items():
        same = other._collect_params_with_prefix()[name]
        close(parameter.data().as_torch(), same.data().as_torch())
    assert abs(one[1].running_mean.data().asnumpy()).max() > 0


def test_no_statistics_in_eval():
    net = make_net()
    module = mx.as_module(net).eval()
    module(images()).sum().backward()
    assert (net[1].running_mean.data().asnumpy() == 0).all()


def test_half_gluon_half_torch():
    """One net of both, its Gluon half updated by a Trainer."""
    torch.manual_seed(0)
    net = nn.HybridSequential()
    net.add(nn.Dense(8, in_units=4, activation="tanh"), nn.BatchNorm(in_channels=8))
    net.initialize(mx.init.Xavier())
    whole = torch.nn.Sequential(mx.as_module(net), torch.nn.Linear(8, 3))
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
    optimizer = torch.optim.Adam(whole[1].parameters(), lr=0.05)
    x, losses = torch.randn(4, 4), []
    for _ in range(20):
        whole.zero_grad()
        loss = torch.nn.functional.cross_entropy(whole(x), LABELS)
        loss.backward()
        optimizer.step()
        trainer.step(1)
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 4


def test_casts_on_either_side():
    net = make_net()
    module = mx.as_module(net).eval()
    module.double()
    assert net[0].weight.data().dtype is np.float64 and net[0].weight.dtype is np.float64
    assert module(images().double()).dtype is torch.float64
    net.cast("float32")
    assert module(images()).dtype is torch.float32
    assert module.state_dict()["0.weight"].dtype is torch.float32
    torch.nn.Sequential(module).half()
    assert net[0].weight.data().dtype is np.float16


def test_grad_req_and_shared_parameters():
    net = nn.HybridSequential()
    net.add(nn.Dense(3, in_units=3))
    net.add(nn.Dense(3, in_units=3, params=net[0].params))
    net.initialize()
    net[0].bias.grad_req = "null"
    module = mx.as_module(net)
    assert module.state_dict()["0.weight"].data_ptr() == module.state_dict()["1.weight"].data_ptr()
    assert [n for n, p in module.named_parameters() if p.requires_grad] == ["0.weight"]
    net[0].bias.grad_req = "write"
    module.sync()
    assert [n for n, p in module.named_parameters() if p.requires_grad] == ["0.weight", "0.bias"]


class Plain(gluon.Block):
    """No HybridBlock: Python that looks at values."""

    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.dense = nn.Dense(2, in_units=3)

    def forward(self, x):
        y = self.dense(x)
        return [y * 2, y] if y.sum().asscalar() > -1e9 else y


def test_block_of_python():
    block = Plain()
    block.initialize()
    module = mx.as_module(block)
    x = torch.randn(4, 3, requires_grad=True)
    double, single = module(x)
    close(double, single * 2)
    (double.sum() + single.sum()).backward()
    close(x.grad, 3 * block.dense.weight.data().as_torch().sum(0).expand(4, 3))
    close(module.dense.weight.grad, block.dense.weight.grad().as_torch())
    with torch.no_grad():
        assert not module(x)[0].requires_grad
    assert block.dense.weight.data()._hist is not module.dense.weight


def test_recurrent_layer_with_states():
    layer = gluon.rnn.LSTM(5, input_size=3)
    layer.initialize()
    x = torch.randn(4, 2, 3)
    states = [torch.zeros(1, 2, 5), torch.zeros(1, 2, 5)]
    module = mx.as_module(layer).eval()
    out, (h, _) = module(x, states)
    want = layer(nd.from_torch(x), [nd.from_torch(s) for s in states])
    close(out, want[0].as_torch())
    close(h, want[1][0].as_torch())


def test_dropout_follows_the_module_s_mode():
    layer = nn.Dropout(0.5)
    layer.initialize()
    module = mx.as_module(layer)
    x = torch.ones(1000)
    assert (module.train()(x) == 0).any() and (module.eval()(x) == 1).all()


def test_exact_gradients():
    net = nn.Dense(2, in_units=3, activation="sigmoid")
    net.initialize(mx.init.Xavier())
    net.cast("float64")
    module = mx.as_module(net)
    x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(module, (x,))


def test_functional_call_and_copies():
    net = nn.Dense(2, in_units=3)
    net.initialize()
    module = mx.as_module(net)
    zeros = {k: torch.zeros_like(v) for k, v in module.state_dict().items()}
    assert (torch.func.functional_call(module, zeros, (torch.ones(1, 3),)) == 0).all()
    assert (net.weight.data().asnumpy() != 0).any()
    assert copy.copy(module)(torch.ones(1, 3)).shape == (1, 2)


def test_deferred_shapes_need_an_example():
    net = nn.Dense(2)
    net.initialize()
    with pytest.raises(mx.MXNetError, match="pass an example"):
        mx.as_module(net)
    assert mx.as_module(net, torch.ones(1, 7))(torch.ones(4, 7)).shape == (4, 2)


def test_several_contexts_need_one():
    net = nn.Dense(2, in_units=3)
    net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    with pytest.raises(ValueError, match="say which with ctx="):
        mx.as_module(net)
    with pytest.raises(ValueError, match="not on"):
        mx.as_module(net, ctx=mx.cpu(5))
    module = mx.as_module(net, ctx=mx.cpu(1))
    with torch.no_grad():
        module.weight.fill_(3)
    assert (net.weight.data(mx.cpu(1)).asnumpy() == 3).all()
    assert (net.weight.data(mx.cpu(0)).asnumpy() != 3).any()
    with pytest.raises(mx.MXNetError, match="several contexts"):
        module.double()


def test_refusals():
    with pytest.raises(TypeError, match="Gluon Block"):
        mx.as_module(torch.nn.Linear(1, 1))
    net = nn.Dense(2, in_units=3)
    net.initialize()
    with pytest.raises(TypeError, match="takes tensors"):
        mx.as_module(net)(nd.ones((1, 3)))


DYNAMO = [
    pytest.mark.full,
    pytest.mark.filterwarnings("ignore:Dynamo detected a call to a `functools.lru_cache`"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]


@pytest.mark.parametrize(
    "backend",
    [pytest.param("eager", marks=DYNAMO), pytest.param("inductor", marks=DYNAMO)],
)
def test_compile(backend):
    module = mx.as_module(make_net()).eval()
    compiled = torch.compile(module, backend=backend, fullgraph=True)
    torch.testing.assert_close(compiled(images()), module(images()), rtol=1e-4, atol=1e-5)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_export(tmp_path):
    module = mx.as_module(make_net()).eval()
    program = torch.export.export(module, (images(),))
    torch.export.save(program, tmp_path / "net.pt2")
    close(torch.export.load(tmp_path / "net.pt2").module()(images()), module(images()))


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_distributed_data_parallel(tmp_path):
    store = torch.distributed.FileStore(str(tmp_path / "store"), 1)
    torch.distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
    try:
        net = make_net()
        parallel = torch.nn.parallel.DistributedDataParallel(mx.as_module(net))
        optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
        before = net[0].weight.data().asnumpy()
        torch.nn.functional.cross_entropy(parallel(images()), LABELS).backward()
        optimizer.step()
        assert abs(net[0].weight.data().asnumpy() - before).max() > 0
    finally:
        torch.distributed.destroy_process_group()
