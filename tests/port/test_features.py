"""Snippets that MXNet has run, ported: torch alone gives what MXNet gave."""

import runpy
import sys
import types

import numpy as np
import pytest
import torch

import mxtorch as mx
from mxtorch._ops import _colors
from mxtorch.port import port_text
from mxtorch.port.carried import transforms
from tests import cases, golden_store

HEAD = """\
import random as pyrandom

import mxnet as mx
import numpy as onp
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

out = []
"""
FAMILIES = (
    "port/data", "port/metrics", "port/more", "port/numpy", "port/optimizers", "port/recurrent",
    "port/seed", "port/zoo",
)  # fmt: skip


def ported(case):
    return port_text(HEAD + case.code, f"{case.id}.py")


def found():
    for family in FAMILIES:
        lines = golden_store.Family.read(cases.golden_path(family)).records
        for case in cases.load(family):
            yield pytest.param(case, lines[case.id]["out"], id=case.id)


def flat(value):
    """Arrays, numbers and texts, one after another, of a result or of a recorded one."""
    if isinstance(value, dict) and "k" in value:
        return [golden_store.unpack(value, value["s"])]
    if isinstance(value, dict) and "tuple" in value:
        return flat(value["tuple"])
    if isinstance(value, (list, tuple)):
        return [x for v in value for x in flat(v)]
    if isinstance(value, dict):
        return [x for k, v in value.items() for x in (k, *flat(v))]
    if isinstance(value, torch.Tensor):
        return [value.detach().numpy()]
    return [value]


@pytest.mark.parametrize(("case", "line"), list(found()))
def test_feature(case, line, tmp_path):
    result = ported(case)
    assert "mxtorch" not in result.text, result.text
    assert not [f for f in result.findings if f.act], result.text
    assert result.counts.left == result.counts.operators == 0, result.findings
    path = tmp_path / "ported.py"
    path.write_text(result.text)
    ours, theirs = flat(runpy.run_path(str(path))["out"]), flat(line)
    assert len(ours) == len(theirs), result.text
    for one, other in zip(ours, theirs, strict=True):
        if isinstance(other, str) or other is None:
            assert one == other
        else:
            a, b = np.asarray(one, "float64"), np.asarray(other, "float64")
            assert np.squeeze(a).shape == np.squeeze(b).shape, result.text
            assert np.allclose(
                np.squeeze(a), np.squeeze(b), rtol=1e-4, atol=1e-5, equal_nan=True
            ), (a, b)


IMAGES = """\
import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon.data.vision import transforms

raw = gluon.data.vision.FashionMNIST(train=False)
scaled = gluon.data.vision.MNIST(
    'data', train=True, transform=lambda data, label: (data.astype('float32') / 2, label)
)
loader = gluon.data.DataLoader(raw.transform_first(transforms.ToTensor()), batch_size=2)
net = gluon.nn.Sequential()
net.add(gluon.nn.Dense(4))
net.initialize()
for X, y in loader:
    shape, out = X.shape, net(X).shape
first, label = raw[0]
some, labels = raw[0:2]
result = [shape, out, first.shape, str(first.dtype), label, some.shape, list(labels), scaled[1]]
"""


def fake_torchvision(seen):
    """torchvision's data sets, with two grey images."""

    def dataset(root, train, download):
        seen.append((root, train, download))
        return [(np.full((3, 5), 10 * i, "uint8"), i) for i in range(2)]

    module = types.ModuleType("torchvision")
    module.datasets = types.SimpleNamespace(FashionMNIST=dataset, MNIST=dataset)
    return module


def test_images_of_torchvision(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setitem(sys.modules, "torchvision", fake_torchvision(seen))
    ported = port_text(IMAGES)
    assert "mxtorch" not in ported.text
    path = tmp_path / "ported.py"
    path.write_text(ported.text)
    shape, out, *rest, scaled = runpy.run_path(str(path))["result"]
    assert (shape, out) == ((2, 1, 3, 5), (2, 4))
    assert rest == [(3, 5, 1), "torch.uint8", 0, (2, 3, 5, 1), [0, 1]]
    assert scaled[0].dtype == torch.float32
    assert float(scaled[0][0, 0, 0]) == 5
    assert seen == [("~/.mxnet/datasets/fashion-mnist", False, True), ("data", True, True)]


def test_images_of_files(tmp_path):
    image = pytest.importorskip("PIL.Image")
    image.fromarray(np.arange(24, dtype="uint8").reshape(2, 4, 3)).save(tmp_path / "a.png")
    text = "import mxnet as mx\nx = mx.image.imread('a.png')\ny = mx.image.imread('a.png', 0)\n"
    path = tmp_path / "ported.py"
    path.write_text(port_text(text).text.replace("a.png", str(tmp_path / "a.png")))
    found = runpy.run_path(str(path))
    assert found["x"].tolist() == np.arange(24).reshape(2, 4, 3).tolist()
    assert found["y"].shape == (2, 4, 1)


def test_colours_turn_as_mxnets_do():
    image = torch.randint(0, 256, (5, 6, 3), generator=torch.Generator().manual_seed(2)).float()
    image[0, :3] = torch.tensor([[7.0, 7, 7], [9.0, 9, 2], [3.0, 8, 8]])
    for part in (0.0, 0.1, -0.3, 0.5):
        torch.testing.assert_close(transforms.turned(image, part), _colors.hue(image, part),
                                   rtol=0, atol=2e-3)  # fmt: skip


def test_light_changes_as_mxnets_does(monkeypatch):
    monkeypatch.setattr(torch, "randn", lambda n: torch.tensor([0.5, -1.0, 2.0]))
    image = torch.full((2, 2, 3), 100, dtype=torch.uint8)
    lit = transforms.RandomLighting(0.1)(image)
    want = mx.nd.image.adjust_lighting(mx.nd.array(image.numpy(), dtype="uint8"), (0.05, -0.1, 0.2))
    assert lit.tolist() == want.asnumpy().tolist()


PROFILED = """\
import mxnet as mx
mx.profiler.set_config(profile_all=True, aggregate_stats=True, filename={path!r})
mx.profiler.set_state('run')
a = mx.nd.dot(mx.nd.ones((3, 3)), mx.nd.ones((3, 3)))
mx.profiler.set_state('stop')
said = mx.profiler.dumps()
mx.profiler.dump()
"""


def test_a_profile_is_torchs(tmp_path):
    trace, path = tmp_path / "trace.json", tmp_path / "ported.py"
    ported = port_text(PROFILED.format(path=str(trace)))
    assert ported.counts.left == 0
    path.write_text(ported.text)
    assert "aten::mm" in runpy.run_path(str(path))["said"]
    assert "traceEvents" in trace.read_text()
