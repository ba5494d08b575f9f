"""`mxtorch port --standalone`: operators without a PyTorch counterpart go along as source."""

import json
import runpy
import subprocess
import sys

import numpy as np
import pytest

from mxtorch.cli.main import main

PROGRAM = """\
import mxnet as mx
from mxnet import nd

SoftmaxActivation = 'a name of the program'
x = nd.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]])
results = [
    nd.SoftmaxActivation(x),
    nd.LRN(x.reshape((1, 2, 3, 1)), nsize=3),
    nd.smooth_l1(x, scalar=2.0),
    nd.L2Normalization(x, mode='instance'),
    nd.reshape(x, shape=(-3, 1)),
    x.reshape((0, -4, 1, -1)),
    nd.SwapAxis(nd.batch_take(x, nd.array([0, 2], dtype='int32')).reshape((1, 2)), 0, 1),
    nd.hard_sigmoid(x, alpha=0.1),
    nd.contrib.box_iou(x.reshape((1, 6))[:, :4], x.reshape((1, 6))[:, 2:]),
    nd.contrib.arange_like(x, axis=0),
    nd.degrees(x) + nd.cbrt(x),
    nd.contrib.div_sqrt_dim(x),
]
"""
BLOCKED = (
    "import sys; sys.modules['mxnet'] = sys.modules['mxtorch'] = None; import runpy; import json; "
    "found = runpy.run_path({!r}); "
    "print(json.dumps([x.tolist() for x in found['results']]))"
)


@pytest.fixture
def ported(tmp_path):
    source, target = tmp_path / "a.py", tmp_path / "b.py"
    source.write_text(PROGRAM)
    with pytest.raises(SystemExit) as stop:
        main(["port", str(source), "-o", str(target), "--standalone"])
    assert stop.value.code == 0
    return target


def test_it_computes_the_same_without_mxtorch(ported, tmp_path):
    text = ported.read_text()
    assert "mxtorch" not in text
    assert "SoftmaxActivation = 'a name of the program'" in text
    (tmp_path / "ours.py").write_text(PROGRAM.replace("mxnet", "mxtorch"))
    ours = [x.asnumpy() for x in runpy.run_path(str(tmp_path / "ours.py"))["results"]]
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED.format(str(ported))], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    theirs = [np.array(x) for x in json.loads(done.stdout)]
    assert [x.shape for x in ours] == [x.shape for x in theirs]
    assert all(np.allclose(a, b, rtol=1e-6) for a, b in zip(ours, theirs, strict=True))


def test_a_definition_stands_once(ported):
    lines = [line for line in ported.read_text().splitlines() if line.startswith("def ")]
    assert len(lines) == len(set(lines)) > 5


def test_what_cannot_go_along_is_said(tmp_path, capsys):
    source = tmp_path / "a.py"
    source.write_text("from mxnet import nd\nx = nd.ones((2,))\ny = nd.sample_poisson(x)\n")
    with pytest.raises(SystemExit):
        main(["port", str(source), "--diff", "--standalone"])
    assert "mxtorch.ops._sample_poisson" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["port", str(source), "-o", str(tmp_path / "b.py"), "--standalone"])
    assert "MXT013" in capsys.readouterr().out
