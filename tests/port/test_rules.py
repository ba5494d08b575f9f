"""Each rule's pair: what it says it writes is what it writes, and both sides compute the same."""

import runpy

import numpy as np
import pytest
import torch

import mxtorch
from mxtorch.port import port_text
from mxtorch.port.rule import REGISTRY
from tests.port import setups

PRELUDE = """\
import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn
x = nd.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
y = nd.array([[1.0, 4.0, 3.0], [2.0, 5.0, 8.0]])
c = nd.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
"""
# What some pairs stand on besides.
EXTRA = {
    "nd-dot": "y = nd.ones((3, 2))",
    "method-squeeze": "x = nd.ones((3, 1))",
    "nd-batch_dot": "x = nd.ones((2, 3, 4))\ny = nd.ones((2, 4, 3))",
    "one-hot": "x = nd.array([1.0, 0.0])",
    "take": "x = nd.array([1.0, 0.0])\nw = nd.array([[1.0, 2.0], [3.0, 4.0]])",
    "pick": "i = nd.array([1.0, 0.0])",
    "nd-reshape": "x = nd.arange(12)",
    "method-transpose": "x = nd.ones((2, 3, 4))",
    "broadcast-to": "x = nd.array([[1.0, 2.0, 3.0]])",
    "device-type": "c = mx.cpu()",
    "device-id": "c = mx.cpu()",
    "call-Embedding": "layer = nn.Embedding(5, 3)",
    "call-recurrent": "layer = rnn.GRU(5, input_size=4)",
    "begin-state": "layer = rnn.GRU(5, input_size=4)",
    "begin-state-of-cell": "cell = rnn.LSTMCell(5, input_size=3)",
    "call-cell": "cell = rnn.GRUCell(5, input_size=3)\nstates = cell.begin_state(2)",
    "unroll": "cell = rnn.GRUCell(5, input_size=3)",
    "reset-cell": "cell = rnn.GRUCell(5, input_size=3)",
    "TransformerEncoder": "import gluonnlp as nlp",
    "call-TransformerEncoder": (
        "from gluonnlp.model.transformer import TransformerEncoder\n"
        "encoder = TransformerEncoder(units=3, num_heads=1)"
    ),
    "call-Dense": "layer = nn.Dense(5, in_units=3)",
    "add": "net = nn.Sequential()\nother = 1",
    "hybrid-add": "net = nn.HybridSequential()\nother = 1",
    "DataLoader": "s = [1, 2]",
    "backward": "y = x * 2",
    "new-Block": "class Net(nn.Block): pass",
    "new-HybridBlock": "class Net(nn.HybridBlock): pass",
    "params-get": "class Net(nn.Block):\n    def __init__(self):\n        super().__init__()",
}
_NET = "net = nn.Dense(3, in_units=4)"
EXTRA |= dict.fromkeys(
    ["Trainer", "initialize", "hybridize", "collect-params", "params-items", "params-values"], _NET
)
EXTRA |= dict.fromkeys(["save-parameters", "load-parameters"], _NET)
EXTRA |= dict.fromkeys(["reset-ctx-ParameterDict", "reset-ctx-Block"], _NET)
EXTRA["register-child"] = "net = nn.Dense(3, in_units=4)\nlayer = nn.Dense(2, in_units=2)"
EXTRA |= {
    rule.name: "m = mx.metric.CompositeEvalMetric()"
    for rule in REGISTRY.rules
    if rule.name.startswith("metric-")
}
EXTRA["learning-rate"] = f"{_NET}\ntrainer = gluon.Trainer(net.collect_params(), 'sgd')"
_PARAMETER = f"{_NET}\np = net.collect_params()['w']"
EXTRA |= dict.fromkeys(
    ["parameter-data", "parameter-grad", "parameter-set", "parameter-shape"], _PARAMETER
)
# Draws differ by seed, files and devices are not at hand, or the two values are of other kinds.
NOT_RUN = frozenset(
    [
        "uniform",
        "call-Embedding",
        "error-class",
        "normal",
        "randn",
        "randint",
        "seed",
        "gpu",
        "current-context",
        "num-gpus",
        "cpu",
        "array-context",
        "array-ctx",
        "copyto-device",
        "as-in-context",
        "device-type",
        "device-id",
        "dtype",
        "T",
        "array-type",
        "save-parameters",
        "load-parameters",
        "parameter-data",
        "parameter-grad",
        "parameter-set",
        "parameter-shape",
        "DataLoader",
        "ArrayDataset",
        "Trainer",
        "initialize",
        "collect-params",
        "params-items",
        "params-values",
        "learning-rate",
        "register-child",
        "hybridize",
        "call-recurrent",
        "begin-state",
        "begin-state-of-cell",
        "call-cell",
        "unroll",
        "call-Dense",
        "add",
        "hybrid-add",
        "grad",
        "empty",
        "params-get",
        "bind",
        "simple-bind",
    ]
)


# Rooms whose rules tests/port/test_features.py runs.
ELSEWHERE = ("nlp.", "mx.metric.", "mx.image.", "mx.io.", "mx.gluon.data.")
# Rules that tests/port/test_programs.py runs.
ELSEWHERE += ("mx.mod.", "mx.callback.", "mx.sym.", "mx.kv.", "mx.optimizer.", "mx.rnn.")
ELSEWHERE += ("mx.init.", "mx.contrib.amp.")
# And tests/port/test_parallel.py.
ELSEWHERE += ("hvd.",)
# And tests/port/test_features.py; some are of hundreds of megabytes.
ELSEWHERE += ("mx.gluon.model_zoo.",)
EXTRA |= {
    rule.name: f"import horovod.mxnet as hvd\n{_NET}"
    for rule in REGISTRY.rules
    if rule.on.startswith("call hvd.")
}
_AMP = ("amp-init-trainer", "amp-unscale")
EXTRA |= {
    rule.name: "kv = mx.kv.create('local')"
    for rule in REGISTRY.rules
    if rule.name.startswith("kvstore-")
}
EXTRA |= {
    rule.name: "i = mx.io.NDArrayIter(x, y)\nb = mx.io.DataBatch([x], [y])\n"
    "e = mx.metric.Accuracy()\nnet = gluon.nn.Dense(3, in_units=4)\nm = mx.mod.Module(net)"
    for rule in REGISTRY.rules
    if rule.on.startswith("method mx.mod.")
}
ELSEWHERE += ("mx.gluon.contrib.",)
_ESTIMATOR = (
    "net = gluon.nn.Dense(3, in_units=4)\nloss = gluon.loss.L2Loss()\n"
    "trainer = gluon.Trainer(net.collect_params(), 'sgd')"
)
EXTRA["Estimator"] = _ESTIMATOR
EXTRA |= {
    rule.name: f"{_ESTIMATOR}\ne = gluon.contrib.estimator.Estimator(net, loss, trainer=trainer)"
    for rule in REGISTRY.rules
    if rule.name.startswith("estimator-")
}
EXTRA |= dict.fromkeys(_AMP, f"{_NET}\ntrainer = gluon.Trainer(net.collect_params(), 'sgd')")
_AROUND = ("BidirectionalCell", "ResidualCell", "ZoneoutCell")
_CELLS = "cell = mx.rnn.{0}(3)\ncells = mx.rnn.SequentialRNNCell()\nstates = cell.begin_state()"
EXTRA |= dict.fromkeys(
    ["add-to-old-cells", "call-old-cell", "begin-state-of-old-cell", "unroll-old-cell",
     "reset-old-cell", *(f"mx.rnn-{c}" for c in _AROUND)],
    _CELLS.format("GRUCell"),
)  # fmt: skip
EXTRA |= {f"rnn-{c}": "cell = rnn.GRUCell(3)" for c in _AROUND}
EXTRA |= {
    f"add-to-{c}": f"cell = rnn.{c}()" for c in ("SequentialRNNCell", "HybridSequentialRNNCell")
}
EXTRA["BucketSentenceIter"] = "s = [[1, 2, 3]]"
_SYMBOL = """\
def sym_gen(n):
    data = mx.sym.var('data')
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=2), name='softmax')
    return net, ('data',), ('softmax_label',)
"""
EXTRA["BucketingModule"] = _SYMBOL
_WITH_HEAD = f"{_SYMBOL.partition(', (')[0]}\nsymbol = sym_gen()\n".replace("(n)", "()")
EXTRA |= dict.fromkeys(
    ["load-checkpoint", "symbol-load", "module-load", "feedforward-load"], _WITH_HEAD
)
_FEED = "net = gluon.nn.Dense(3, in_units=4)\ni = mx.io.NDArrayIter(x, y)\n"
EXTRA |= {
    f"feedforward-{name}": f"{_FEED}f = mx.model.FeedForward(net, num_epoch=1)"
    for name in ("fit", "predict", "score", "save", "arg_params", "aux_params")
}
EXTRA["FeedForward"] = _FEED
ELSEWHERE += ("mx.model.", "mx.recordio.")
EXTRA |= {
    rule.name: "f = mx.recordio.MXIndexedRecordIO('a.idx', 'a.rec', 'w')"
    if "Indexed" in rule.on
    else "f = mx.recordio.MXRecordIO('a.rec', 'w')"
    for rule in REGISTRY.rules
    if rule.on.startswith(("method mx.recordio.", "attr mx.recordio."))
}
_BOUND = "data = mx.sym.var('data')\nnet = mx.sym.square(data)"
EXTRA |= dict.fromkeys(["bind", "simple-bind"], _BOUND)
EXTRA |= {
    rule.name: f"{_BOUND}\ne = net.simple_bind(mx.cpu(), data=(2, 4))"
    for rule in REGISTRY.rules
    if rule.name.startswith("executor-")
}
ELSEWHERE += ("mx.executor.",)
EXTRA["Module"] = "net = gluon.nn.Dense(3, in_units=4)"
_WATCHED = "w = mx.mon.Monitor(1)"
EXTRA |= {f"monitor-{name}": _WATCHED for name in ("tic", "toc", "toc_print")}
EXTRA["install-monitor"] = f"{EXTRA['Module']}\nm = mx.mod.Module(net)\n{_WATCHED}"
EXTRA["print-summary"] = EXTRA["Module"]
ELSEWHERE += ("mx.mon.", "mx.viz.", "mx.profiler.")
EXTRA |= {
    rule.name: "i = mx.io.NDArrayIter(x, y)"
    for rule in REGISTRY.rules
    if rule.name.startswith(("iterator-", "batch-")) and rule.on.partition(" ")[0] != "call"
}


NUMPY = """\
from mxnet import np, npx
npx.set_np()
x = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
y = np.array([[1.0, 4.0, 3.0], [2.0, 5.0, 8.0]])
"""


def is_numpy(rule):
    return rule.on.partition(" ")[2].startswith(("mx.np.", "mx.npx.", "ndarray", "float"))


def program(rule):
    lines = NUMPY if is_numpy(rule) else PRELUDE
    lines += EXTRA.get(rule.name, setups.SETUPS.get(rule.name, "")) + "\n"
    if rule.name in setups.INDENTED:
        return f"{lines}        {rule.before}\n"
    if rule.name == "params-get":
        return f"{lines}        self.{rule.before}\n"
    return f"{lines}{rule.before}\n"


@pytest.mark.parametrize("rule", REGISTRY.rules, ids=lambda rule: rule.name)
def test_pair(rule):
    ported = port_text(program(rule))
    after = rule.after if rule.name != "params-get" else f"        self.{rule.after}"
    if after:
        assert ported.text.rstrip().endswith(after), ported.text[-300:]
    else:
        assert rule.before not in ported.text
    assert ported.counts.left == 0
    assert ported.counts.operators == 0


def _array(value):
    if isinstance(value, torch.Tensor):
        return value.detach().numpy()
    return value.asnumpy() if hasattr(value, "asnumpy") else value


def _values(text, path):
    path.write_text(text)
    try:
        return runpy.run_path(str(path))
    finally:
        mxtorch.npx.reset_np()


def _runs(rule):
    if rule.on.partition(" ")[2].startswith(ELSEWHERE):
        return False
    return rule.name not in NOT_RUN | setups.NOT_RUN and " = " in rule.before


@pytest.mark.parametrize("rule", [r for r in REGISTRY.rules if _runs(r)], ids=lambda r: r.name)
def test_both_sides_compute_the_same(rule, tmp_path):
    target = rule.before.partition(" = ")[0]
    before = _values(program(rule).replace("mxnet", "mxtorch"), tmp_path / "before.py")
    after = _values(port_text(program(rule)).text, tmp_path / "after.py")
    ours, theirs = before[target], after[target]
    if isinstance(theirs, torch.nn.Module):
        assert isinstance(ours, (mxtorch.gluon.Block, mxtorch.gluon.loss.Loss))
        return
    ours, theirs = _array(ours), _array(theirs)
    assert np.allclose(np.squeeze(ours), np.squeeze(theirs), rtol=1e-6, equal_nan=True), theirs
