"""Nothing of MXNet's stays in a port without a note: what is not understood is said to be so."""

import pytest

from mxtorch.port import port_text
from mxtorch.port.scan import scan_text

HEAD = "import mxnet as mx\nfrom mxnet import gluon, nd\nn = nd.ones((2,))\n"

STRINGS = [
    "exec('y = mx.nd.ones(2)')",
    "y = eval('nd.zeros(1)')",
    "y = eval(input())",
    "y = eval(f'mx.nd.{input()}(n)')",
    "y = __import__('mxnet')",
    "import importlib\ny = importlib.import_module('mxnet.ndarray')",
    "from importlib import import_module as load\ny = load('mxnet')",
]


@pytest.mark.parametrize("text", STRINGS)
def test_names_in_strings(text):
    ported = port_text(HEAD + text + "\n")
    assert [(f.code, f.act) for f in ported.findings] == [("MXT014", True)]
    assert ported.counts.left == 1
    assert [u.status for u in scan_text(HEAD + text + "\n")].count("unclear") == 1


def test_what_a_string_names_stays_imported():
    text = port_text(HEAD + "y = eval('mx.nd.zeros(1)')\n").text
    assert "import mxtorch as mx\n" in text


QUIET = [
    "y = eval('1 + 1')",
    "import importlib\ny = importlib.import_module('json')",
    "y = {'a': 1}.copy()",
    "import numpy as np\ny = np.ones(3).astype('int32').max(axis=0)",
    "def f(args):\n    return args.context, args.copy()",
    "import argparse\nwhat = argparse.ArgumentParser().parse_args()\ny = what.size",
    "class A:\n    def list_data(self):\n        return 1\ndef f(a):\n    return a.list_data()",
    "def f(x):\n    return x.reshape(2, -1), x.transpose(0, 1), x.sum(axis=1)",
    "def f(x):\n    return x.asnumpy()",  # by its name alone
]


@pytest.mark.parametrize("text", QUIET)
def test_what_is_clear(text):
    ported = port_text(HEAD + text + "\n")
    assert ported.findings == []
    assert {u.status for u in scan_text(HEAD + text + "\n")} <= {"exact", "equivalent"}


METHODS = """
x.astype('int32') x.expand_dims(0) x.copy() x.slice_axis(axis=0,begin=0,end=1) x.max(axis=1)
x.reshape((0,-1)) x.reshape((-2,)) x.reshape(shape=(2,)) x.transpose() x.transpose((1,0)) x.data()
x.grad() x.grad_req x.context x.size x.list_arguments() x.infer_shape(data=(1,2))
x.forward_backward(b) x.set_learning_rate(0.1) x.load_states('f')
x.part.zeros_like() x[0].one_hot(3) x().begin_state()
x.sum(exclude=True)
"""


@pytest.mark.parametrize("text", METHODS.split())
def test_methods_of_values_of_any_class(text):
    program = f"{HEAD}def f(x, b=1):\n    return {text}\n"
    ported = port_text(program)
    assert [(f.line, f.code) for f in ported.findings] == [(5, "MXT014")]
    assert ported.counts.left == 1
    assert [u.line for u in scan_text(program) if u.status == "unclear"] == [5]


@pytest.mark.parametrize(
    ("import_", "call"),
    [("mx.mod.Module", "x.fit(n)"), ("mx.io.NDArrayIter", "x.reset()"),
     ("mx.kv.create", "x.push(1, n)")],
)  # fmt: skip
def test_methods_of_the_parts_in_use(import_, call):
    program = f"{HEAD}def f(x):\n    {call}\n"
    assert port_text(program).findings == []
    used = port_text(program + f"y = {import_}\n").findings
    assert "MXT014" in [f.code for f in used]


def test_a_value_that_a_call_tells_is_ported():
    program = HEAD + "def f(x):\n    return x.astype('int32').expand_dims(0)\ny = f(n)\n"
    ported = port_text(program)
    assert "return x.to(torch.int32).unsqueeze(0)" in ported.text
    assert not any(finding.act for finding in ported.findings)
