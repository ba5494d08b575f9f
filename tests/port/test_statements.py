"""What belongs to statements: pairs of programs, and what must not change."""

import pathlib
import runpy
import subprocess
import sys

import pytest

from mxtorch.port import port_text
from mxtorch.port.tree import port_tree

HEAD = """\
import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
"""
# name, MXNet, what the ported text holds
PAIRS = {
    "layers-one-by-one": (
        """
net = nn.Sequential()
with net.name_scope():
    net.add(nn.Dense(8, activation='relu', in_units=3))  # hidden
    # the output
    net.add(nn.Dense(2))
""",
        """
net = nn.Sequential(
    nn.Linear(3, 8), nn.ReLU(),
    # hidden
    # the output
    nn.Linear(8, 2),
)
""",
    ),
    "evaluation-without-gradients": (
        """
net = nn.Dense(2, in_units=3)
net.initialize()
def accuracy(net, data):
    metric = mx.metric.Accuracy()
    for x, y in data:
        metric.update([y], [net(x)])
    return metric.get()[1]
print(accuracy(net, [(nd.ones((4, 3)), nd.ones((4,)))]))
""",
        """
@torch.no_grad()
def accuracy(net, data):
    metric = Accuracy()
    for x, y in data:
        metric.update([y], [net(x)])
    return metric.get()[1]
""",
    ),
    "a-function-under-record": (
        """
net = nn.Sequential()
net.add(nn.Dense(4, in_units=3), nn.Dropout(0.5))
net.initialize()
data = [nd.ones((2, 3)), nd.ones((2, 3))]
def loss_of(net, x):
    return (net(x) ** 2).sum()
def mean_loss(data):
    return sum(loss_of(net, x).asscalar() for x in data)
for x in data:
    with autograd.record():
        l = loss_of(net, x)
    l.backward()
""",
        """
def loss_of(net, x):
    return (net(x) ** 2).sum()
@torch.no_grad()
def mean_loss(data):
    net.eval()
    return sum(loss_of(net, x).item() for x in data)
for x in data:
    net.train()
    l = loss_of(net, x)
""",
    ),
    "a-prediction-that-is-trained-on": (
        """
G, D = nn.Dense(3, in_units=2), nn.Dense(1, in_units=3)
G.initialize()
D.initialize()
z = nd.ones((4, 2))
fake = G(z)
with autograd.record():
    l = D(fake).sum()
l.backward()
for x in [z, z]:
    print(G(x).mean().asscalar())
""",
        """
with torch.no_grad():
    fake = G(z)
l = D(fake).sum()
l.backward()
with torch.no_grad():
    for x in [z, z]:
        print(G(x).mean().item())
""",
    ),
    "multipliers-set-later": (
        """
net = nn.Dense(2, in_units=3)
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
net.weight.wd_mult = 0.0
net.collect_params('.*bias').setattr('grad_req', 'null')
""",
        """
trainer = multiplied(torch.optim.SGD([{"params": [p]} for p in net.parameters()], lr=0.1))
net.weight.wd_mult = 0.0
for p in parameters_by_name(net, '.*bias').values():
    p.requires_grad = False
""",
    ),
    "files-of-others": (
        """
net = nn.Dense(2, in_units=3)
net.save_parameters('own.params')
net.load_parameters('own.params')
net.load_parameters('old.params', allow_missing=True)
net.collect_params().load('older.params', mx.cpu())
means = nd.load('means.nd')
""",
        """
net.load_state_dict(torch.load('own.params'))
load_weights(net, 'old.params', strict=False)
load_weights(net.to(torch.device("cpu")), 'older.params', torch.device("cpu"))
means = read_arrays('means.nd')
""",
    ),
    "an-unknown-array": (
        """
def scores(keys, query):
    return nd.dot(keys, query.expand_dims(0), transpose_b=True)
""",
        """
    return torch.matmul(keys, query.unsqueeze(0).t())
""",
    ),
    "a-metric-by-name": (
        """
m = mx.metric.create('top_k_accuracy', top_k=4)
""",
        """
m = TopKAccuracy(top_k=4)
""",
    ),
    "backward-of-a-list-of-one": (
        """
net = nn.Dense(2, in_units=3)
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
x = nd.ones((4, 3))
with autograd.record():
    loss = (net(x) ** 2).sum()
autograd.backward([loss])
trainer.step(4)
""",
        """
trainer.zero_grad()
(loss / 4).backward()
trainer.step()
""",
    ),
    "layers-in-a-loop": (
        """
net = nn.HybridSequential()
for width in (4, 5):
    net.add(nn.Dense(width, in_units=4))
""",
        """
net = nn.Sequential()
for width in (4, 5):
    net.append(nn.Linear(4, width))
""",
    ),
    "images-are-flattened": (
        """
net = nn.Sequential()
net.add(nn.Conv2D(4, 3, in_channels=1), nn.MaxPool2D(2, 2), nn.BatchNorm(), nn.Dense(10))
""",
        """
net = nn.Sequential(
    nn.Conv2d(1, 4, kernel_size=3),
    nn.MaxPool2d(2, stride=2),
    nn.BatchNorm2d(4, momentum=0.1),
    nn.Flatten(), nn.LazyLinear(10),
)
""",
    ),
    "step": (
        """
net = nn.Dense(1, in_units=3)
loss = gluon.loss.L2Loss()
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
for X, y in [(nd.ones((8, 3)), nd.ones((8, 1)))]:
    with autograd.record():  # forward
        l = loss(net(X), y)
    l.backward()
    trainer.step(4)
""",
        """
net = nn.Linear(3, 1)
loss = L2Loss()
trainer = torch.optim.SGD(net.parameters(), lr=0.1)
for X, y in [(torch.ones((8, 3)), torch.ones((8, 1)))]:
    # forward
    l = loss(net(X), y)
    trainer.zero_grad()
    (l.sum() / 4).backward()
    trainer.step()
""",
    ),
    "mean-of-a-batch": (
        """
net = nn.Dense(1, in_units=3)
loss = gluon.loss.L2Loss()
trainer = gluon.Trainer(net.collect_params(), 'adam')
X = nd.ones((8, 3))
with autograd.record():
    l = loss(net(X), X)
l.backward()
trainer.step(X.shape[0])
""",
        """
l = loss(net(X), X)
trainer.zero_grad()
l.mean().backward()
trainer.step()
""",
    ),
    "train-and-eval": (
        """
net = nn.Sequential()
net.add(nn.Dropout(0.5))
X = nd.ones((8, 3))
with autograd.record():
    y = net(X)
out = net(X)
""",
        """
X = torch.ones((8, 3))
net.train()
y = net(X)
net.eval()
out = net(X)
""",
    ),
    "plain-gradients": (
        """
w = nd.ones((3, 1))
w.attach_grad()
for _ in range(3):
    with autograd.record():
        l = nd.dot(nd.ones((2, 3)), w).sum()
    l.backward()
    w[:] = w - 0.1 * w.grad
""",
        """
for _ in range(3):
    l = torch.matmul(torch.ones((2, 3)), w).sum()
    w.grad = None
    l.backward()
    with torch.no_grad():
        w[:] = w - 0.1 * w.grad
""",
    ),
    "hybrid-block": (
        """
class Net(gluon.HybridBlock):
    def __init__(self, n, **kwargs):
        super(Net, self).__init__(**kwargs)
        with self.name_scope():
            self.scale = self.params.get('scale', shape=(3, 4), init='ones')
            self.layer = nn.Dense(n, in_units=4)

    def hybrid_forward(self, F, x, scale):
        return F.relu(self.layer(x)) + F.sum(scale, axis=0)


net = Net(4, prefix='net_')
""",
        """
class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.scale = nn.Parameter(torch.ones((3, 4)))
        self.layer = nn.Linear(4, n)

    def forward(self, x):
        return torch.relu(self.layer(x)) + self.scale.sum(dim=0)


net = Net(4)
""",
    ),
    "list-of-blocks": (
        """
class Net(nn.Block):
    def __init__(self, n, **kwargs):
        super().__init__(**kwargs)
        self.layers = []
        for _ in range(n):
            self.layers.append(nn.Dense(3, in_units=3))
            self.register_child(self.layers[-1])
""",
        """
class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(n):
            self.layers.append(nn.Linear(3, 3))
""",
    ),
    "f-string": (
        """
x = nd.ones((2, 2))
print(f'sum {x.sum().asscalar():.2f} of {x.shape!r} {{}} {len("a:b")}')
""",
        """
x = torch.ones((2, 2))
print(f'sum {x.sum().item():.2f} of {tuple(x.shape)!r} {{}} {len("a:b")}')
""",
    ),
    "gradients-that-add-up": (
        """
w = nd.ones((3,))
w.attach_grad(grad_req='add')
for _ in range(2):
    with autograd.record():
        y = 3 * w
    y.backward()
""",
        """
w.requires_grad_()
for _ in range(2):
    y = 3 * w
    y.sum().backward()
""",
    ),
    "shape-codes": (
        """
x = nd.ones((2, 3, 4))
y = x.reshape((-3, 0))
z = (x + 1).reshape((0, -1))
w = nd.reshape(x, shape=(0, -4, 3, -1, -2))
v = x.reshape((-1, 0))
""",
        """
x = torch.ones((2, 3, 4))
y = x.flatten(0, 1)
z = (x + 1).flatten(1)
w = x.unflatten(1, (3, -1))
v = x.reshape(-1, x.shape[1])
""",
    ),
    "operator-without-a-rule": (
        """
x = nd.ones((2, 2))
y = nd.SoftmaxActivation(x)
""",
        """
x = torch.ones((2, 2))
y = mxtorch.ops.SoftmaxActivation(x)
""",
    ),
    "numpy-and-arrays-in-one-file": (
        """
import numpy as np
a = np.ones((2, 3)).sum(axis=1).reshape((2, 1))
c = nd.array(a)
b = c.reshape((0, 1))
""",
        """
a = np.ones((2, 3)).sum(axis=1).reshape((2, 1))
c = torch.tensor(a, dtype=torch.float32)
b = c.reshape(c.shape[0], 1)
""",
    ),
}
# Programs in which nothing is MXNet's.
SAME = {
    "no-mxnet": "import numpy as np\nx = np.ones(3).asnumpy()\n",
    "in-a-string": "text = 'import mxnet as mx; mx.nd.ones((2,))'  # mxnet\n",
    "in-a-comment": "x = 1  # mxnet.nd.ones\n",
    "another-nd": "from scipy import ndimage as nd\n\nx = nd.zeros((2,))  # not mxnet\n",
}


@pytest.mark.parametrize("name", PAIRS)
def test_pair(name):
    before, after = PAIRS[name]
    ported = port_text(HEAD + before.lstrip("\n"))
    assert after.strip("\n") in ported.text, ported.text
    assert ported.counts.left == 0
    compile(ported.text, name, "exec")


@pytest.mark.parametrize("name", PAIRS)
def test_twice_is_once(name):
    once = port_text(HEAD + PAIRS[name][0]).text
    assert port_text(once).text == once


@pytest.mark.parametrize("name", SAME)
def test_other_text_stays(name):
    assert port_text(SAME[name]).text == SAME[name]


def test_what_is_left_is_said():
    text = (
        HEAD + "x = nd.ones((2, 2))\ny = x.tostype('csr')\nnet = nn.Dense(2)\nnet.infer_type(x)\n"
    )
    ported = port_text(text)
    assert ported.counts.left == 2
    assert [f.line for f in ported.findings if f.act] == [5, 7]


def test_a_shadowed_name_is_no_longer_mxnet():
    text = HEAD + "x = nd.ones((2,))\nnd = {'ones': 1}\ny = nd.get('ones')\n"
    assert "y = nd.get('ones')" in port_text(text).text


QUICKSTART = pathlib.Path(__file__).parents[2] / "examples" / "quickstart" / "train.py"
# Neither package can be imported there.
BLOCKED = "import sys; sys.modules['mxnet'] = sys.modules['mxtorch'] = None; import runpy; "


def test_the_quick_start_trains_on_torch_alone(tmp_path):
    target = tmp_path / "train.py"
    target.write_text(port_text(QUICKSTART.read_text()).text)
    code = BLOCKED + f"runpy.run_path({str(target)!r}, run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    losses = [float(line.split()[-1]) for line in done.stdout.splitlines()]
    assert len(losses) == 3
    assert losses[2] < losses[0] < 1.3


FAULTS = {
    "history": """
w = nd.array([2.0])
w.attach_grad()
hist = []
for i in range(3):
    with autograd.record():
        l = (w - 1) ** 2
    l.backward()
    hist.append(w.asnumpy())
    w -= 0.25 * w.grad
result = [float(h[0]) for h in hist]
""",
    "own-parameter": """
class Net(nn.Block):
    def __init__(self):
        super().__init__()
        self.w = self.params.get('w', shape=(2,), init=mx.init.One())
    def forward(self, x):
        return x * self.w.data()
net = Net()
net.initialize(mx.init.One())
with autograd.record():
    y = net(nd.array([3.0, 4.0])).sum()
y.backward()
result = net.w.grad().asnumpy().tolist()
""",
    "late-import": """
net = gluon.nn.Dense(2, in_units=2)
net.initialize(mx.init.One())
import sys
result = net(nd.ones((1, 2))).asnumpy().tolist()
""",
    "own-helper-name": """
def initialize(a):
    return a
net = gluon.nn.Dense(1, in_units=2)
net.initialize(mx.init.One())
result = initialize(net(nd.ones((1, 2))).asnumpy().tolist())
""",
    "annotations": """
def f(x: nd.NDArray, net: nn.Block = None) -> nd.NDArray:
    y: mx.nd.NDArray = x + 1
    return y
try:
    result = f(nd.zeros((2,))).asnumpy().tolist()
except mx.MXNetError:
    result = None
""",
    "embedding": """
net = gluon.nn.Embedding(5, 3)
net.initialize(mx.init.One())
result = net(nd.array([0, 1])).asnumpy().tolist()
""",
    "operator-results": """
x = nd.array([[1.0, 3.0, 2.0]])
result = nd.topk(x, k=2, ret_typ='value').asnumpy().tolist() + nd.flip(x, axis=1).asnumpy().tolist()
""",
    "form-feed": "\x0c\nresult = nd.ones(3).asnumpy().tolist()  # \u2028 here\ntext = 'a\x0bb'\n",
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_was_once_wrong(name, tmp_path):
    text = HEAD + FAULTS[name]
    path = tmp_path / "mxnet_side.py"
    path.write_text(text.replace("mxnet", "mxtorch"), encoding="utf-8")
    before = runpy.run_path(str(path))["result"]
    target = tmp_path / "torch_side.py"
    target.write_text(port_text(text).text, encoding="utf-8")
    assert runpy.run_path(str(target))["result"] == before


@pytest.mark.parametrize(
    "text",
    ["import mxnet as mx\nx = mx.nd.ones((2,3)\n", f"import mxnet\ny = {'+'.join(['x'] * 3000)}\n"],
    ids=["unfinished", "very-deep"],
)
def test_a_file_that_cannot_be_ported_does_not_stop_the_others(text, tmp_path):
    (tmp_path / "bad.py").write_text(text)
    (tmp_path / "good.py").write_text("from mxnet import nd\nx = nd.ones((2,))\n")
    bad, good = port_tree(tmp_path)
    assert bad.refused
    assert "torch.ones" in good.after


def test_names_that_no_rule_sees_keep_their_import():
    ported = port_text("from mxnet import nd\nx = nd.ones((2,))\ndel nd\n")
    assert "from mxtorch import nd" in ported.text
    assert any(finding.act for finding in ported.findings)


def test_a_name_of_the_programs_own_is_not_taken():
    with pytest.raises(ValueError, match="'nn'"):
        port_text("from mxnet import gluon\nnn = 3\nnet = gluon.nn.Dense(2)\n")


def test_scopes_in_scopes_go_together():
    text = (
        f"{HEAD}x = nd.ones((2,))\nx.attach_grad()\nwith mx.name.Prefix('a'):\n"
        "    with autograd.record():\n        # inner\n        y = x * 2\n"
    )
    assert port_text(text).text.endswith("\nx.requires_grad_()\n# inner\ny = x * 2\n")


def test_a_number_keeps_the_methods_of_numpys():
    text = f"{HEAD}x = nd.ones((1,))\na = x.asscalar().round(2)\nb = x.asscalar()\n"
    ported = port_text(text).text
    assert "a = x.detach().cpu().numpy().reshape(-1)[0].round(2)\nb = x.item()\n" in ported


def test_sorted_names_of_parameters_are_said():
    text = f"{HEAD}net = nn.Dense(2, in_units=2)\nfor n in sorted(net.collect_params()): print(n)\n"
    said = [f.message for f in port_text(text).findings]
    assert any("sort otherwise" in message for message in said)
    assert not any("sort" in f.message for f in port_text(text.replace("sorted", "list")).findings)


def test_an_attribute_that_tensors_lack_is_said():
    ported = port_text(f"{HEAD}x = nd.ones((2,))\ny = x.handle\nz = x.shape\n")
    assert next(f.message for f in ported.findings if f.act).endswith("mx.nd.NDArray.handle")
    assert ported.counts.left == 1
