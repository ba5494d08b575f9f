"""Symbol-building code as modules: what it becomes, and what the port says it does not follow."""

import runpy
import textwrap

import pytest
import torch

from mxtorch.port import port_text
from mxtorch.port.carried import heads
from mxtorch.port.scan import scan_text

HEAD = "import mxnet as mx\n"

LOOP = """
def get_mlp(sizes, classes=3):
    net = mx.sym.Variable('data')
    last = classes * 2
    for i, size in enumerate(sizes):
        net = mx.sym.FullyConnected(net, num_hidden=size, flatten=False, name='fc%d' % i)
        net = mx.sym.Activation(net, act_type='relu')
    net = mx.sym.FullyConnected(net, num_hidden=last, flatten=False)
    return mx.sym.LinearRegressionOutput(net, mx.sym.Variable('y'), grad_scale=2)
net = get_mlp((5, 4))
"""
UNCLEAR = {
    "weights": """
        w = mx.sym.Variable('w')
        net = mx.sym.FullyConnected(mx.sym.Variable('data'), weight=w, num_hidden=2)
        """,
    "two": """
        data = mx.sym.Variable('data')
        a = mx.sym.exp(data)
        b = mx.sym.log(data)
        print(a, b)
        """,
    "condition": """
        data = mx.sym.Variable('data')
        if data:
            data = mx.sym.exp(data)
        print(data)
        """,
    "while": """
        def build(data, n):
            while n:
                data = mx.sym.FullyConnected(data, num_hidden=n)
                n -= 1
            return data
        net = build(mx.sym.var('data'), 2)
        print(net)
        """,
}


def run(text, tmp_path):
    path = tmp_path / "ported.py"
    path.write_text(text)
    return runpy.run_path(str(path))


def test_a_function_with_a_loop_is_a_module(tmp_path):
    ported = port_text(HEAD + LOOP)
    assert ported.counts.left == 0
    net = run(ported.text, tmp_path)["net"]
    out = net(torch.ones(2, 6))
    assert out.shape == (2, 6)
    assert [tuple(p.shape) for p in net.parameters()][::2] == [(5, 6), (4, 5), (6, 4)]
    assert 'heads = (LinearHead(label="y", grad_scale=2),)' in ported.text
    assert "for (i, size), fc in zip(enumerate(self.sizes), self.fc):" in ported.text
    assert port_text(ported.text).text == ported.text


NESTED = """
def network(units, wide, deep=True):
    data = mx.sym.Variable('data')
    for n in units:
        data = mx.sym.FullyConnected(data, flatten=False, num_hidden=n, name='start%d' % n)
        if n in wide:
            data = mx.sym.FullyConnected(data, flatten=False, num_hidden=2 * n)
        for i in range(n):
            if not deep:
                data = mx.sym.relu(data)
            else:
                data = mx.sym.FullyConnected(data, flatten=False, num_hidden=n + i, name='unit')
    return data
net = network([2, 3], wide=(3,))
"""


def test_layers_of_loops_in_loops_are_taken_in_turn(tmp_path):
    ported = port_text(HEAD + NESTED)
    assert ported.counts.left == 0
    net = run(ported.text, tmp_path)["net"]
    assert net(torch.ones(4, 6)).shape == (4, 5)
    shapes = {name: [tuple(m.weight.shape) for m in part] for name, part in net.named_children()}
    assert shapes == {
        "start": [(2, 6), (3, 3)],
        "data": [(6, 3)],
        "unit": [(2, 2), (3, 2), (3, 6), (4, 3), (5, 4)],
    }


def test_a_symbol_that_is_built_where_it_is_used(tmp_path):
    ported = port_text(
        HEAD
        + textwrap.dedent("""
        network = 3
        data = mx.sym.Variable('data')
        mod = mx.mod.Module(symbol=mx.sym.SoftmaxOutput(
            mx.sym.FullyConnected(data, num_hidden=network), name='softmax'), context=mx.cpu())

        def again():
            return mx.mod.Module(mx.sym.MakeLoss(mx.sym.square(mx.sym.var('x'))))
        """)
    )
    assert ported.counts.left == 0
    scope = run(ported.text, tmp_path)
    assert scope["mod"].net(torch.ones(2, 4)).shape == (2, 3)
    assert float(scope["again"]().net(torch.tensor(3.0))) == 9


def test_several_outputs(tmp_path):
    ported = port_text(
        HEAD
        + textwrap.dedent("""
        data = mx.sym.Variable('data')
        shared = mx.sym.Embedding(data, input_dim=7, output_dim=3, name='words')
        kind = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(shared, num_hidden=4, name='a'),
                                    name='kind')
        loss = mx.sym.MakeLoss(mx.sym.square(shared))
        both = mx.sym.Group([kind, loss])
        mod = mx.mod.Module(both, label_names=['kind_label'])
    """)
    )
    assert ported.counts.left == 0
    scope = run(ported.text, tmp_path)
    out = scope["both"](torch.tensor([[1, 2]]))
    assert [tuple(o.shape) for o in out] == [(1, 4), (1, 2, 3)]
    assert [type(h).__name__ for h in scope["both"].heads] == ["SoftmaxHead", "LossHead"]


@pytest.mark.parametrize("name", UNCLEAR)
def test_what_the_port_does_not_follow_is_said_and_left(name):
    text = HEAD + textwrap.dedent(UNCLEAR[name])
    ported = port_text(text)
    assert any("does not follow" in f.message and f.act for f in ported.findings)
    assert "mx.sym." in ported.text
    assert "torch.exp" not in ported.text
    assert any(use.status == "by hand" for use in scan_text(text))


def test_scan_names_symbols_as_they_are_written():
    uses = {u.name: u.status for u in scan_text(HEAD + LOOP)}
    assert uses["mx.sym.FullyConnected"] == "equivalent"
    assert uses["mx.sym.Activation"] == "exact"
    assert "mx.gluon.nn.Dense" not in uses


def test_notes_have_the_lines_of_the_source():
    ported = port_text(HEAD + LOOP)
    lines = {f.line for f in ported.findings}
    assert max(lines) <= len((HEAD + LOOP).splitlines())


@pytest.mark.parametrize(
    ("head", "scores", "label", "output", "loss"),
    [
        (("SoftmaxHead", {}), [[0.0, 0.0]], [1.0], [[0.5, 0.5]], 0.6931472),
        (
            ("SoftmaxHead", {"use_ignore": True, "ignore_label": 1}),
            [[0.0, 0.0]],
            [1.0],
            [[0.5, 0.5]],
            0.0,
        ),
        (("LinearHead", {"label": "l"}), [[1.0, 3.0]], [[0.0, 1.0]], [[1.0, 3.0]], 1.25),
        (("LogisticHead", {"label": "l"}), [[0.0]], [1.0], [[0.5]], 0.6931472),
        (("AbsoluteHead", {"label": "l"}), [[1.0], [3.0]], [0.0, 1.0], [[1.0], [3.0]], 3.0),
        (("LossHead", {"grad_scale": 0.5}), [[1.0, 2.0]], [0.0], [[1.0, 2.0]], 1.5),
    ],
)
def test_heads(head, scores, label, output, loss):
    name, options = head
    made = getattr(heads, name)(**options)
    scores = torch.tensor(scores)
    torch.testing.assert_close(made(scores), torch.tensor(output))
    assert float(made.loss(scores, torch.tensor(label))) == pytest.approx(loss)


IN_LOOPS = """\
import mxnet as mx

def network(units):
    body = mx.sym.Variable('data')
    for n in units:
        while n:
            body = mx.sym.FullyConnected(body, num_hidden=4, name='fc%d' % n)
            n -= 1
    return mx.sym.SoftmaxOutput(body, name='softmax')

it = mx.io.NDArrayIter(mx.nd.ones((8, 4)), mx.nd.zeros((8,)), 4)
mod = mx.mod.Module(network([1, 2]), context=mx.cpu())
mod.fit(it, num_epoch=1, initializer=mx.init.Uniform(0.1), kvstore=mx.kv.create('local'))
"""


def test_what_a_module_needs_stays_whole_where_its_network_is_not_followed():
    ported = port_text(IN_LOOPS)
    assert ported.text == IN_LOOPS.replace("import mxnet as mx", "import mxtorch as mx")
    (finding,) = ported.findings
    assert finding.act
    assert "While among symbols; what the file has of MXNet stays, from mxtorch" in finding.message
    assert ported.counts.left == 10
    assert port_text(ported.text).text == ported.text


MONITORED = """
import logging
import sys
import numpy as np
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format='%(message)s', force=True)
x = np.arange(24).reshape(8, 3) / 10
it = mx.io.NDArrayIter(x, np.arange(8) % 2, 4)
data = mx.sym.Variable('data')
net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=2, name='fc'), name='softmax')
mod = mx.mod.Module(net)
mon = mx.mon.Monitor(2, pattern='fc_(output|weight)', sort=True)
mod.fit(it, num_epoch=1, monitor=mon, initializer=mx.init.One())
"""


def test_a_monitor_tells_what_mxnets_does(tmp_path, capsys):
    ported = port_text(HEAD + MONITORED)
    assert ported.counts.left == 0
    found = []
    for text in ((HEAD + MONITORED).replace("import mxnet", "import mxtorch"), ported.text):
        run(text, tmp_path)
        lines = [li for li in capsys.readouterr().out.splitlines() if li.startswith("Batch:")]
        found.append([(*li.split()[:3], round(float(li.split()[3]), 4)) for li in lines])
    assert [entry[2] for entry in found[0]] == ["fc_output", "fc_weight"]
    assert found[0] == found[1]
