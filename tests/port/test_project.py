"""Files of one tree that import each other: what a function is given in another file is known."""

import subprocess
import sys

import pytest

from mxtorch.cli._standalone import CopiedBodies
from mxtorch.port.outcome import Wishes
from mxtorch.port.tree import port_tree, write_tree
from tests.child import environment
from tests.port.test_programs import differences
from tools import port_table

PACKAGE = port_table.PROGRAMS / "segnet"
ALONE = """\
import runpy, sys
sys.modules["mxnet"] = sys.modules["mxtorch"] = None
sys.path.insert(0, ".")
runpy.run_path("train.py", run_name="__main__")
"""


def ported(files, tmp_path):
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return {result.path: result for result in port_tree(tmp_path)}


@pytest.mark.full
def test_a_package_prints_what_mxnet_printed(tmp_path):
    results = list(port_tree(PACKAGE, wishes=Wishes(CopiedBodies)))
    assert sum(result.counts.left + result.counts.operators for result in results) == 0
    write_tree(PACKAGE, tmp_path / "out", results)
    command = [sys.executable, "-c", ALONE]
    env = environment() | {"PYTHONPATH": ""}
    done = subprocess.run(
        command, cwd=tmp_path / "out", env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-600:]
    expected = (port_table.PROGRAMS / "segnet.expected").read_text(encoding="utf-8")
    assert differences(done.stdout, expected) == []


def test_steps_and_modes_of_another_file():
    results = {result.path: result for result in port_tree(PACKAGE)}
    utils = results["segnet/utils.py"].after
    assert "    net.train()\n    out = net(data)\n" in utils
    assert "    (loss.sum() / data.shape[0]).backward()\n    trainer.step()\n" in utils
    assert "parameters_by_name(net)" in utils  # a norm's weight is no `weight` in MXNet
    main = results["train.py"].after
    assert "    net.eval()\n    for data, label in val:\n" in main
    assert "initialize(net.to(ctx), " in results["segnet/nets/fcn.py"].after


STEP = """\
from mxnet import autograd

def step(net, trainer, x):
    with autograd.record():
        loss = net(x)
    loss.backward()
    trainer.step(4)
"""
MAIN = """\
from mxnet import gluon, nd
{}
net = gluon.nn.Dense(1, in_units=3)
trainer = gluon.Trainer(net.collect_params(), 'sgd')
{}(net, trainer, nd.ones((4, 3)))
"""


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("from lib.steps import step", "step"),
        ("from lib import steps", "steps.step"),
        ("import lib.steps", "lib.steps.step"),
        ("import lib.steps as s", "s.step"),
        ("from lib import *", "step"),
        ("from lib import again", "again"),
    ],
)
def test_ways_to_import(line, call, tmp_path):
    init = "from .steps import step\nfrom .steps import step as again\n"
    files = {"main.py": MAIN.format(line, call), "lib/__init__.py": init, "lib/steps.py": STEP}
    found = ported(files, tmp_path)
    assert "(loss.sum() / 4).backward()\n    trainer.step()" in found["lib/steps.py"].after


def test_a_folder_of_scripts(tmp_path):
    files = {"a/main.py": MAIN.format("from steps import step", "step"), "a/steps.py": STEP}
    assert "trainer.step()" in ported(files, tmp_path)["a/steps.py"].after


def test_classes_of_one_name_in_two_files(tmp_path):
    net = "from mxnet.gluon import nn\nclass Net(nn.{}):\n    pass\n"
    files = {
        "a.py": net.format("Block"),
        "b.py": net.format("HybridSequential"),
        "main.py": "from mxnet import nd\nfrom b import Net\nnet = Net()\nx = net[0](nd.ones(2))\n",
    }
    assert "class Net(nn.Sequential)" in ported(files, tmp_path)["b.py"].after


def test_files_that_import_each_other_and_themselves(tmp_path):
    files = {
        "a.py": "from b import f\nfrom mxnet import nd\ndef g(x):\n    return f(x)\n",
        "b.py": "import b\nfrom a import g\nfrom mxnet.nd import exp\nf = lambda x: exp(x)\n",
        "c.py": "def broken(:\n",
        "d.py": "from .nowhere import thing\nfrom ...far import away\n",
    }
    found = ported(files, tmp_path)
    assert "torch.exp(x)" in found["b.py"].after
    assert found["c.py"].refused
    assert found["d.py"].after == files["d.py"]


FACTORY = {
    "lib/__init__.py": "from .models import get_model\n",
    "lib/models/__init__.py": """\
from .nets import Wide, Deep

_models = {'wide': Wide, 'deep': Deep}

def get_model(name, **kwargs):
    return _models[name](**kwargs)
""",
    "lib/models/nets.py": """\
from mxnet.gluon import HybridBlock, nn

class Base(HybridBlock):
    def of_both(self):
        return 1

class Wide(Base):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.body = nn.Dropout(0.5)

    def hybrid_forward(self, F, x):
        return self.body(x)

class Deep(Base):
    def hybrid_forward(self, F, x):
        return F.relu(x)
""",
    "lib/engine.py": """\
from mxnet import autograd

class Engine:
    def __init__(self, net, ctx):
        self.net, self.ctx = net, ctx

    def step(self, x):
        with autograd.record():
            loss = self.net(x)
        loss.backward()

    def check(self, x):
        return self.net(x).argmax(axis=1).astype('int32')
""",
    "train.py": """\
import mxnet as mx
import lib
from lib.engine import Engine

net = lib.get_model('deep')
net.initialize(mx.init.Uniform(0.1), ctx=mx.cpu())
net.hybridize()
engine = Engine(net, mx.cpu())
engine.step(mx.nd.ones((2, 2)))
print(net.of_both(), engine.check(mx.nd.ones((2, 2))).asnumpy())
""",
}


def test_a_net_from_a_factory_in_another_file(tmp_path):
    results = ported(FACTORY, tmp_path)
    engine = results["lib/engine.py"].after
    assert "        self.net.train()\n        loss = self.net(x)\n" in engine
    assert "        self.net.eval()\n" in engine
    assert "argmax(dim=1).to(torch.int32)" in engine
    assert "\ninitialize(net" in results["train.py"].after
    assert [f for r in results.values() for f in r.findings if f.act] == []
