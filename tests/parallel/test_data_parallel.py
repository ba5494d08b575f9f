"""DataParallel: the numbers of one device, the loss on each, nothing but losses gathered.

Several devices are the CPU several times: the parts, the copies of the parameters and the way of
their gradients are those of as many GPUs.
"""

import copy
import warnings

import pytest
import torch
from torch import nn

import mxtorch as mx
from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetTypeError, MXNetValueError
from mxtorch.parallel import DataParallel, _replicas
from mxtorch.parallel._scatter import part_sizes


def make_net():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3)).double()


def make_batch(samples=10, classes=3):
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(samples, 6, generator=generator, dtype=torch.float64)
    return x, torch.randint(0, classes, (samples,), generator=generator)


def gradients(module):
    return {name: p.grad for name, p in module.named_parameters()}


def check_same(one, other):
    assert one.keys() == other.keys()
    for name in one:
        torch.testing.assert_close(one[name], other[name], rtol=1e-12, atol=1e-14)


def compare(loss, target, inputs, devices, **options):
    """The loss and the gradients of several devices against those of the module itself."""
    alone = make_net()
    expected = loss(alone(inputs), target)
    expected = expected if expected.ndim == 0 else expected.mean()
    expected.backward()
    module = make_net()
    got = DataParallel(module, loss, ["cpu"] * devices, **options)(inputs, target)
    assert got.shape == ()
    got.backward()
    torch.testing.assert_close(got, expected, rtol=1e-12, atol=1e-14)
    check_same(gradients(module), gradients(alone))


@pytest.mark.parametrize("devices", [1, 2, 3, 4, 12])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_result_is_that_of_one_device(devices, reduction):
    x, y = make_batch(10)
    compare(nn.CrossEntropyLoss(reduction=reduction), y, x, devices)


@pytest.mark.parametrize("samples", [1, 2, 5, 7])
def test_odd_last_batch(samples):
    x, y = make_batch(samples)
    compare(nn.CrossEntropyLoss(), y, x, 4)


def test_a_function_as_loss():
    x, _ = make_batch(7)
    compare(lambda out, target: ((out - target) ** 2).mean(1), torch.zeros(7, 3).double(), x, 3)


def test_parts_are_balanced():
    assert part_sizes(10, 4) == [3, 3, 2, 2]
    assert part_sizes(5, 4) == [2, 1, 1, 1]
    assert part_sizes(2, 4) == [1, 1]
    assert part_sizes(0, 4) == [0]


@pytest.mark.parametrize("weight", [None, torch.tensor([0.5, 2.0, 1.0]).double()])
@pytest.mark.parametrize("kind", [nn.CrossEntropyLoss, nn.NLLLoss])
def test_means_over_what_is_not_ignored(kind, weight):
    x, y = make_batch(9)
    y[[0, 1, 2, 5]] = -100  # the first part is ignored as a whole
    compare(kind(weight=weight), y, x, 3)


def test_label_smoothing_and_probabilities():
    x, y = make_batch(9)
    weight = torch.tensor([0.5, 2.0, 1.0]).double()
    compare(nn.CrossEntropyLoss(weight=weight, label_smoothing=0.1), y, x, 2)
    compare(nn.CrossEntropyLoss(), torch.softmax(x[:, :3], 1), x, 2)


def test_count_weighs_means_over_something_else():
    def masked(out, target):
        return nn.functional.cross_entropy(out, target, ignore_index=2)

    x, y = make_batch(10)
    compare(masked, y, x, 3, count=lambda out, target: (target != 2).sum())


class Several(nn.Module):
    """Takes and gives containers."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 3).double()
        self.seen = []

    def forward(self, a, b, *, scale, names=()):
        self.seen.append((len(a), len(b["more"][0]), scale, names))
        return {"out": self.fc(a) * scale + b["more"][0], "names": names}


def several_loss(out, target):
    return (out["out"] - target["y"]).pow(2).mean()


def test_inputs_and_targets_in_containers():
    x, _ = make_batch(5)
    torch.manual_seed(0)
    alone = Several()
    module = copy.deepcopy(alone)
    rest = {"more": [torch.ones(5, 3).double()]}
    target = {"y": torch.arange(15.0).reshape(5, 3).double()}
    arguments = {"a": x, "b": rest, "scale": torch.tensor(2.0), "names": ("p", "q")}
    expected = several_loss(alone(**arguments), target)
    expected.backward()
    got = DataParallel(module, several_loss, ["cpu", "cpu"])(arguments, target)
    got.backward()
    torch.testing.assert_close(got, expected)
    check_same(gradients(module), gradients(alone))
    assert [seen[:2] for seen in module.seen] == [(3, 3), (2, 2)]
    assert module.seen[0][3] == ("p", "q")


def test_a_tuple_is_positional_arguments():
    class Two(nn.Module):
        def forward(self, a, b):
            return a - b

    x, _ = make_batch(4)
    net = DataParallel(Two(), lambda out, target: (out - target).abs().sum(), ["cpu"] * 3, 0, "sum")
    assert net((x, x), torch.ones(4, 6)).item() == 24


def test_batch_on_another_axis():
    class Recurrent(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn = nn.RNN(6, 3)

        def forward(self, x):
            return self.rnn(x)[0]

    torch.manual_seed(0)
    alone = Recurrent()
    module = copy.deepcopy(alone)
    x, target = torch.randn(4, 5, 6), torch.randn(4, 5, 3)
    expected = nn.functional.mse_loss(alone(x), target)
    expected.backward()
    got = DataParallel(module, nn.MSELoss(), ["cpu", "cpu"], dim=1)(x, target)
    got.backward()
    torch.testing.assert_close(got, expected)
    for one, other in zip(module.parameters(), alone.parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad)


def test_batch_norm_keeps_the_statistics_of_the_first_part():
    x, y = make_batch(9)
    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(6, 3), nn.BatchNorm1d(3)).double()
    alone = copy.deepcopy(module)
    alone(x[:3])
    DataParallel(module, nn.CrossEntropyLoss(), ["cpu"] * 3)(x, y)
    check_same(dict(module.named_buffers()), dict(alone.named_buffers()))
    assert module[1].num_batches_tracked.item() == 1


def test_training_is_that_of_one_device():
    x, y = make_batch(11)
    results = []
    for devices in (1, 3):
        net = DataParallel(make_net(), nn.CrossEntropyLoss(), ["cpu"] * devices)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        for _ in range(20):
            optimizer.zero_grad()
            net(x, y).backward()
            optimizer.step()
        results.append({name: p.detach() for name, p in net.named_parameters()})
    check_same(*results)


def test_tied_and_frozen_parameters():
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            torch.manual_seed(3)
            self.a = nn.Linear(6, 6, bias=False).double()
            self.b = nn.Linear(6, 6, bias=False).double()
            self.b.weight = self.a.weight
            self.c = nn.Linear(6, 3).double().requires_grad_(False)
            self.unused = nn.Parameter(torch.ones(2))

        def forward(self, x):
            return self.c(self.b(self.a(x)))

    x, y = make_batch(6)
    alone, module = Tied(), Tied()
    nn.CrossEntropyLoss()(alone(x), y).backward()
    DataParallel(module, nn.CrossEntropyLoss(), ["cpu"] * 2)(x, y).backward()
    torch.testing.assert_close(module.a.weight.grad, alone.a.weight.grad)
    assert module.c.weight.grad is None and module.unused.grad is None


def test_a_parameter_that_one_device_alone_uses():
    class Sometimes(nn.Module):
        def __init__(self):
            super().__init__()
            self.w, self.v = nn.Parameter(torch.ones(1)), nn.Parameter(torch.ones(1))

        def forward(self, x):
            return x * self.w * (self.v if x[0, 0] > 1 else 1)

    x = torch.tensor([[1.0], [1.0], [2.0], [2.0]])
    module = Sometimes()
    net = DataParallel(module, lambda out, target: out.sum(), ["cpu"] * 4, reduction="sum")
    net(x, torch.zeros(4)).backward()
    assert module.w.grad.item() == 6 and module.v.grad.item() == 4


def test_a_loss_with_parameters_of_its_own():
    class Weighted(nn.Module):
        def __init__(self, shared):
            super().__init__()
            self.shared, self.scale = shared, nn.Parameter(torch.ones(3).double())

        def forward(self, out, target):
            return ((out - target) * self.scale).pow(2).mean() + self.shared.weight.sum() * 0.1

    x, _ = make_batch(6)
    target = torch.zeros(6, 3).double()
    alone, module = make_net(), make_net()
    expected = Weighted(alone[2])
    expected(alone(x), target).backward()
    net = DataParallel(module, Weighted(module[2]), ["cpu"] * 3)
    net(x, target).backward()
    torch.testing.assert_close(net.loss.scale.grad, expected.scale.grad)
    check_same(gradients(module), gradients(alone))


def test_a_gluon_block_through_as_module():
    mx.random.seed(0)
    block = mx.gluon.nn.HybridSequential()
    block.add(mx.gluon.nn.Dense(5, activation="tanh", in_units=6), mx.gluon.nn.Dense(3, in_units=5))
    block.initialize()
    module = mx.as_module(block)
    x, y = make_batch(7)
    x = x.float()
    nn.functional.cross_entropy(module(x), y).backward()
    expected = {name: g.clone() for name, g in gradients(module).items()}
    module.zero_grad()
    DataParallel(module, nn.CrossEntropyLoss(), ["cpu"] * 3)(x, y).backward()
    for name, grad in gradients(module).items():
        torch.testing.assert_close(grad, expected[name])


def test_state_dict_is_that_of_torchs_data_parallel():
    module = make_net()
    ours = DataParallel(module, nn.CrossEntropyLoss(), ["cpu"]).state_dict()
    assert ours.keys() == nn.DataParallel(module).state_dict().keys()


# what moves -------------------------------------------------------------------------------------


def test_only_losses_come_to_the_first_device(monkeypatch):
    """Parameters leave in flat buckets, gradients return so; of outputs there is only the loss."""
    sent = []

    def send(flat, device):
        sent.append(flat.numel() * flat.element_size())
        return flat.to(device, copy=True)

    monkeypatch.setattr(_replicas, "send", send)
    module, (x, y) = make_net(), make_batch(9)
    loss = DataParallel(module, nn.CrossEntropyLoss(), ["cpu"] * 3)(x, y)
    parameters = sum(p.numel() * p.element_size() for p in module.parameters())
    assert sent == [parameters] * 2  # two other devices, one bucket each
    sent.clear()
    loss.backward()
    assert sent == [parameters] * 2


def test_large_models_travel_in_buckets():
    tensors = [torch.zeros(n) for n in (10, 20, 30, 5)] + [torch.zeros(4).double()]
    found = _replicas.buckets(tensors, limit=140)
    assert found == [[0, 1], [2, 3], [4]]
    assert _replicas.buckets([torch.zeros(100)], limit=8) == [[0]]


def test_outputs_stay_where_they_are():
    module, (x, _) = make_net(), make_batch(5)
    net = DataParallel(module, nn.CrossEntropyLoss(), ["cpu"] * 2)
    with torch.no_grad():
        parts = net.outputs(x)
    assert [len(part) for part in parts] == [3, 2]
    torch.testing.assert_close(torch.cat(parts), module(x).detach())


def test_without_gradients_and_twice_differentiable():
    module, (x, y) = make_net(), make_batch(6)
    net = DataParallel(module, nn.CrossEntropyLoss(), ["cpu"] * 2)
    with torch.no_grad():
        assert not net(x, y).requires_grad
    first = torch.autograd.grad(net(x, y), list(module.parameters()), create_graph=True)
    sum(g.pow(2).sum() for g in first).backward()
    assert module[0].weight.grad.abs().sum() > 0


# what is refused ----------------------------------------------------------------------------------


def test_devices_are_found():
    net = DataParallel(make_net(), nn.MSELoss(), [mx.cpu(0), "cpu:3", torch.device("cpu")])
    assert net.devices == [torch.device("cpu")] * 3
    assert DataParallel(make_net(), nn.MSELoss()).devices[0].type in ("cpu", "cuda", "mps", "xpu")


@pytest.mark.parametrize(
    ("devices", "text"),
    [([], "empty"), (["nonsense"], "no device"), (["hpu:0"], "finds no hpu"), ([7.5], "no device")],
)
def test_devices_that_are_none(devices, text):
    with pytest.raises(MXNetValueError, match=text):
        DataParallel(make_net(), nn.MSELoss(), devices)


def test_arguments_of_other_types():
    with pytest.raises(MXNetTypeError, match="as_module"):
        DataParallel(mx.gluon.nn.Dense(3), nn.MSELoss())
    with pytest.raises(MXNetTypeError, match="callable"):
        DataParallel(make_net(), 3)
    with pytest.raises(MXNetValueError, match="'mean' or 'sum'"):
        DataParallel(make_net(), nn.MSELoss(), reduction="max")


def test_batches_that_cannot_be_cut():
    net = DataParallel(make_net(), nn.CrossEntropyLoss(), ["cpu"] * 2)
    x, y = make_batch(6)
    with pytest.raises(MXNetShapeError, match=r"\(6, 6\), \(5,\)"):
        net(x, y[:5])
    with pytest.raises(MXNetShapeError, match="no tensor with a batch axis"):
        net(3, 4)
    with pytest.raises(MXNetShapeError, match="no axis dim=1"):
        DataParallel(make_net(), nn.CrossEntropyLoss(), ["cpu"] * 2, dim=1)(x, y)


def test_losses_that_are_none():
    x, y = make_batch(6)
    with pytest.raises(MXNetTypeError, match="gave dict"):
        DataParallel(make_net(), lambda out, target: {}, ["cpu"] * 2)(x, y)
    with pytest.raises(MXNetShapeError, match="for 3 samples"):
        DataParallel(make_net(), lambda out, target: out.sum(0)[:2], ["cpu"] * 2)(x, y)


def test_parameters_elsewhere_or_without_shape():
    x, y = make_batch(6)
    with pytest.raises(MXNetError, match=r"0.weight is on meta.*\.to\('cpu'\)"):
        DataParallel(make_net().to("meta"), nn.CrossEntropyLoss(), ["cpu"] * 2)(x, y)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Lazy modules", UserWarning)
        lazy = nn.LazyLinear(3)
    with pytest.raises(MXNetError, match="no shape yet"):
        DataParallel(lazy, nn.CrossEntropyLoss(), ["cpu"] * 2)(x, y)
