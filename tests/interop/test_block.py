"""An nn.Module as a Gluon block."""

import numpy as np
import pytest
import torch

import mxtorch as mx
from mxtorch import autograd, gluon, nd
from mxtorch.gluon import nn

LABELS = nd.array([0, 1, 2, 1])
LOSS = gluon.loss.SoftmaxCrossEntropyLoss()


def make_module():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.BatchNorm1d(8), torch.nn.ReLU())


def make_net(module):
    mx.random.seed(0)
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(mx.as_block(module, prefix="torch_"), nn.Dense(3, prefix="out_"))
    net.initialize(mx.init.Xavier())
    return net


def data():
    mx.random.seed(5)
    return nd.random.normal(shape=(4, 4))


def step(net, x):
    with autograd.record():
        loss = LOSS(net(x), LABELS)
    loss.backward()
    return float(loss.mean().asscalar())


def test_outputs_and_names():
    module = make_module()
    block = mx.as_block(module)
    x = data()
    want = module.eval()(x.as_torch()).detach()
    assert (block(x).as_torch() == want).all()
    assert list(block._collect_params_with_prefix()) == list(module.state_dict())
    assert list(mx.as_block(module, prefix="a_").collect_params("a_0").keys()) == [
        "a_0_weight",
        "a_0_bias",
    ]
    assert "Linear(in_features=4" in repr(block)


@pytest.mark.parametrize("hybrid", [False, True])
def test_trainer_updates_the_module(hybrid):
    module = make_module()
    net = make_net(module)
    net.hybridize(hybrid)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
    weight, mean = module[0].weight.detach().clone(), module[1].running_mean.clone()
    losses = []
    for _ in range(15):
        losses.append(step(net, data()))
        trainer.step(4)
    assert losses[-1] < losses[0] / 4
    assert (module[0].weight - weight).abs().max() > 0.01
    assert (module[1].running_mean - mean).abs().max() > 0.01
    assert module[1].num_batches_tracked == 15
    assert net[0]._reg_params["0.weight"].data().as_torch().data_ptr() == (
        module[0].weight.data_ptr()
    )


def test_hybridized_equals_imperative():
    one, other = make_net(make_module()), make_net(make_module())
    other.hybridize()
    for _ in range(3):
        assert step(one, data()) == pytest.approx(step(other, data()), rel=1e-5)
        for net in (one, other):
            gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}).step(4)


def test_torch_optimizer_reads_gluon_s_gradients():
    module = make_module()
    net = make_net(module)
    out = gluon.Trainer(net[1].collect_params(), "sgd", {"learning_rate": 0.5})
    optimizer = torch.optim.SGD(module.parameters(), lr=0.5)
    losses = []
    for _ in range(10):
        with autograd.record():
            loss = LOSS(net(data()), LABELS)
        optimizer.zero_grad()  # after forward, as torch programs do
        loss.backward()
        optimizer.step()
        out.step(4)
        losses.append(float(loss.mean().asscalar()))
        buffer = net[0]._reg_params["0.weight"].grad().as_torch()
        assert (module[0].weight.grad == buffer).all() and buffer.abs().sum() > 0
        for parameter in module.parameters():
            parameter.grad.div_(4)
    assert losses[-1] < losses[0] / 2


def test_files_in_both_directions(tmp_path):
    net = make_net(make_module())
    net(data())
    path = str(tmp_path / "net.params")
    net.save_parameters(path)
    assert "0.1.running_mean" in nd.load(path)
    torch.manual_seed(9)
    module = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.BatchNorm1d(8), torch.nn.ReLU())
    other = make_net(module)
    other.load_parameters(path)
    assert (other(data()).asnumpy() == net(data()).asnumpy()).all()
    assert (module[0].weight == net[0].module[0].weight).all()


def test_casts_on_either_side():
    module = make_module()
    block = mx.as_block(module)
    x = data()
    module.double()
    assert block(x.astype("float64")).dtype is np.float64
    assert block._reg_params["0.weight"].data().dtype is np.float64


def test_initialize_leaves_the_values():
    module = make_module()
    weight = module[0].weight.detach().clone()
    block = mx.as_block(module)
    block.initialize(mx.init.Zero())
    assert (module[0].weight == weight).all()
    block.initialize(mx.init.Zero(), force_reinit=True)
    assert (module[0].weight == 0).all()


class Two(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(3))

    def forward(self, x, y):
        return x * self.w, {"sum": x + y}


def test_several_inputs_and_outputs():
    block = mx.as_block(Two())
    product, found = block(nd.ones((2, 3)), nd.ones((2, 3)))
    assert product.shape == (2, 3) and (found["sum"].asnumpy() == 2).all()
    block.hybridize()
    with pytest.raises(mx.MXNetError, match=r"cannot be part of a hybridized"):
        block(nd.ones((2, 3)), nd.ones((2, 3)))


def test_gradient_of_the_input():
    module = torch.nn.Linear(3, 2)
    block = mx.as_block(module)
    x = nd.ones((1, 3))
    x.attach_grad()
    with autograd.record():
        y = block(x * 2)
    y.backward()
    np.testing.assert_allclose(x.grad.asnumpy()[0], 2 * module.weight.detach().sum(0), rtol=1e-6)


def test_refusals(tmp_path):
    with pytest.raises(TypeError, match=r"nn\.Module"):
        mx.as_block(nn.Dense(1))
    with pytest.raises(mx.MXNetError, match="cannot be exported"):
        mx.as_block(make_module()).export(str(tmp_path / "x"))
