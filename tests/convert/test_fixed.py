"""What training leaves as it is, and what a float16 model may differ by."""

import inspect
import json

import numpy as np
import pytest
import torch

import mxtorch as mx
import mxtorch.convert
from mxtorch._core.errors import MXNetError
from mxtorch.convert.api import convert, convert_symbol
from mxtorch.convert.check import load_produced
from mxtorch.gluon import nn
from tests.convert.test_convert import files, one, recorded
from tests.convert.test_more import run


class Shifted(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.mean = self.params.get_constant("mean", mx.nd.array([[1, 2, 3, 4]]))
            self.old = self.params.get("old", shape=(1, 3), init="ones", grad_req="null")
            self.fc = nn.Dense(3, in_units=4)
            self.fc.bias.grad_req = "null"

    def hybrid_forward(self, F, x, mean, old):
        return F.broadcast_add(self.fc(F.broadcast_sub(x, mean)), old)


def trained(module):
    return {name for name, weight in module.named_parameters() if weight.requires_grad}


def test_what_a_block_does_not_train(tmp_path):
    net = Shifted(prefix="n_")
    net.initialize()
    net.save_parameters(str(tmp_path / "n.params"))
    target = tmp_path / "net.py"
    block = f"{__name__}:Shifted(prefix='n_')"
    shape = ["--shape", "data=2,4", "--check"]
    assert run(tmp_path / "n.params", "-o", target, "--block", block, *shape) == 0
    module = load_produced(target)
    assert trained(module) == {"dense0.weight"}
    assert {"mean", "old"} <= {name for name, _ in module.named_buffers()}
    module = mxtorch.convert(tmp_path / "n.params", block=Shifted(prefix="n_"))
    assert trained(module) == {"n_dense0_weight"}


def test_a_constant_of_a_graph(tmp_path):
    """MXNet writes a name of its own as the initializer of a constant."""
    graph = json.loads(files("words")[0].read_text())
    for node in graph["nodes"]:
        if node["name"] in ("embed_weight", "hidden_bias"):
            node["attrs"] = {"__init__": f"Constant_{node['name']}_139691237035168"}
        if node["name"] == "score_weight":
            node["attrs"] = {"__init__": '["constant", {"value": 1.0}]'}
    (tmp_path / "a-symbol.json").write_text(json.dumps(graph))
    source = tmp_path / "a-symbol.json", files("words")[1]
    convert_symbol(*source, [tmp_path / "a.py"], shapes=one("words"), check=True)
    module = load_produced(tmp_path / "a.py")
    assert trained(module) == {"hidden.weight", "score.weight"}
    assert module.train().hidden.bias.requires_grad is False
    module = mxtorch.convert(*source)
    assert trained(module) == {"hidden_weight", "score_weight"}


def test_the_limit_of_float16(tmp_path):
    report = convert_symbol(*files("half"), [tmp_path / "a.py"], shapes=one("half"), check=True)
    (found,) = report.differences[str(tmp_path / "a.py")]
    assert found.limit == 2e-3


def test_what_the_function_takes():
    signature = inspect.signature(mxtorch.convert.__call__)
    assert list(signature.parameters) == list(inspect.signature(convert).parameters)
    assert "block" in mxtorch.convert.__doc__
    with pytest.raises(MXNetError, match=r"nothing-symbol\.json: there is no such file"):
        mxtorch.convert("nothing-symbol.json")
    with pytest.raises(MXNetError, match=r"nothing\.params: there is no such file"):
        mxtorch.convert(files("face")[0], "nothing.params")


def test_a_graph_and_arrays_by_name():
    inputs, outputs = recorded("words")
    params = mx.nd.load(str(files("words")[1]))
    module = mxtorch.convert(files("words")[0], params)
    assert np.abs(module(torch.from_numpy(inputs[0])).detach().numpy() - outputs[0]).max() < 1e-6
    with pytest.raises(MXNetError, match="give params="):
        mxtorch.convert(mx.sym.load(str(files("words")[0])))


@pytest.mark.parametrize("options", [{}, {"axis": 2, "use_global_stats": True}, {"axis": -1}])
def test_a_normalization_that_gives_its_statistics(options, tmp_path):
    data = mx.sym.var("data")
    outputs = mx.sym.BatchNorm(data, output_mean_var=True, name="bn", **options)
    mx.sym.Group([outputs[0], outputs[1] + outputs[2]]).save(str(tmp_path / "a-symbol.json"))
    random = np.random.RandomState(0)
    names = ("arg:bn_gamma", "arg:bn_beta", "aux:bn_moving_mean", "aux:bn_moving_var")
    weights = {name: mx.nd.array(random.uniform(0.5, 1, 3)) for name in names}
    mx.nd.save(str(tmp_path / "a-0000.params"), weights)
    source = tmp_path / "a-symbol.json", tmp_path / "a-0000.params"
    report = convert_symbol(*source, [tmp_path / "a.py"], shapes={"data": (2, 3, 3, 3)}, check=True)
    assert [d.relative < 1e-6 for d in report.differences[str(tmp_path / "a.py")]] == [True, True]
    module = load_produced(tmp_path / "a.py").train()
    image = torch.from_numpy(random.uniform(size=(2, 3, 3, 3)).astype("float32"))
    with mx.autograd.record():
        arrays = [mx.nd.array(image.numpy()), *weights.values()]
        expected = mx.nd.BatchNorm(*arrays, output_mean_var=True, **options)
    results = module(image)
    assert np.abs(results[0].detach().numpy() - expected[0].asnumpy()).max() < 1e-5
    total = expected[1] + expected[2]
    assert np.abs(results[1].detach().numpy() - total.asnumpy()).max() < 1e-5
