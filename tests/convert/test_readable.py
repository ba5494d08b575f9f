"""How a written file reads: calls of torch, only what is read, names of MXNet's layers."""

import ast
import re

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import mxtorch as mx
from mxtorch.convert.api import convert_symbol
from mxtorch.convert.check import load_produced
from tests.convert import alone
from tests.convert.test_convert import files, one, recorded


def written(name, folder):
    """The text of a recorded model; run alone it gives what MXNet did."""
    target = folder / "net.py"
    convert_symbol(*files(name), [target], shapes=one(name))
    inputs, outputs = recorded(name)
    (results,) = alone.run(folder, [target], inputs)
    alone.close(results, outputs)
    return target.read_text()


def of_symbol(graph, shapes, folder, **weights):
    """The text of a graph, and the module."""
    graph.save(str(folder / "a-symbol.json"))
    arrays = {f"arg:{name}": mx.nd.array(value) for name, value in weights.items()}
    mx.nd.save(str(folder / "a-0000.params"), arrays or {"arg:none": mx.nd.zeros((1,))})
    target = folder / "a.py"
    convert_symbol(folder / "a-symbol.json", folder / "a-0000.params", [target], shapes=shapes)
    alone.ruff(target)
    return target.read_text(), load_produced(target)


def functions(text):
    return [n.name for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)]


@pytest.mark.parametrize(
    ("name", "lines"),
    [("encoder", 95), ("masks", 50), ("segments", 30)],
)
def test_a_model_is_short(name, lines, tmp_path):
    assert written(name, tmp_path).count("\n") <= lines


def test_operators_are_calls(tmp_path):
    x, n = mx.sym.var("data"), mx.sym.var("n")
    mask = mx.sym.broadcast_axis(mx.sym.broadcast_lesser(x, n), axis=1, size=3)
    same = mx.sym.where(mask, mx.sym.ones_like(mask), mx.sym.zeros_like(mask))
    more = mx.sym.broadcast_logical_and(same > 0, mx.sym.tile(mask, reps=(1, 1)))
    text, net = of_symbol(more, {"data": (2, 1), "n": (2, 1)}, tmp_path)
    assert functions(text) == ["load"]
    for part in ("(data < n).float().expand(-1, 3)", "torch.where(", "torch.zeros_like("):
        assert part in text
    data = torch.tensor([[1.0], [3.0]])
    assert net(data, torch.full((2, 1), 2.0)).tolist() == [[1.0] * 3, [0.0] * 3]


def test_pooling_is_a_call_of_any_size(tmp_path):
    """The windows do not depend on the size that the model is converted with."""
    target = tmp_path / "net.py"
    convert_symbol(*files("windows"), [target], shapes={"data": (1, 2, 9, 9)})
    assert functions(target.read_text()) == ["load"]
    inputs, outputs = recorded("windows")
    results = load_produced(target)(torch.from_numpy(inputs[0]))
    alone.close([r.numpy() for r in results], outputs)


@pytest.mark.parametrize("name", ["fused", "fused_gru"])
def test_recurrent_layers_take_the_batch_first(name, tmp_path):
    text = written(name, tmp_path)
    assert text.count("\n") <= 30
    assert "batch_first=True" in text
    assert "transpose(" not in text
    assert "rnn_param_concat" not in text


def test_names_are_those_of_the_layers(tmp_path):
    x = mx.sym.var("data")
    weights, heads = {}, []
    for name in ("cls0", "loc0"):
        y = mx.sym.Convolution(x, kernel=(1, 1), num_filter=3, name=name)
        y = mx.sym.flatten(mx.sym.transpose(y, axes=(0, 2, 3, 1)))
        heads.append(y)
        weights |= {f"{name}_weight": np.ones((3, 2, 1, 1)), f"{name}_bias": np.zeros(3)}
    for name in ("cls1", "loc1"):
        y = mx.sym.Convolution(
            heads[0].reshape((0, 3, 4, -1)), kernel=(1, 1), num_filter=3, name=name
        )
        heads.append(mx.sym.flatten(mx.sym.transpose(y, axes=(0, 2, 3, 1))))
        weights |= {f"{name}_weight": np.ones((3, 3, 1, 1)), f"{name}_bias": np.zeros(3)}
    text, _ = of_symbol(mx.sym.Group(heads), {"data": (1, 2, 4, 4)}, tmp_path, **weights)
    assert re.findall(r"self\.(\w+) = ConvPermuteFlatten\(", text) == [
        "cls0",
        "loc0",
        "cls1",
        "loc1",
    ]
    assert "self.conv = nn.Conv2d(in_channels, 3, 1)" in text
    assert "loc1.conv.bias" in load_file(tmp_path / "a.safetensors")


def test_a_shared_layer_is_named_after_its_weights(tmp_path):
    weight = mx.sym.var("shared_weight")
    a, b = (
        mx.sym.FullyConnected(mx.sym.var(n), weight, num_hidden=2, no_bias=True, name=f"of_{n}")
        for n in ("data1", "data2")
    )
    shapes = {"data1": (1, 3), "data2": (1, 3)}
    text, _ = of_symbol(a - b, shapes, tmp_path, shared_weight=np.ones((2, 3)))
    assert "self.shared = nn.Linear(3, 2, bias=False)" in text


def test_copied_bodies_have_no_branches_for_other_calls(tmp_path):
    x = mx.sym.contrib.BilinearResize2D(mx.sym.var("data"), height=4, width=6, name="resize")
    text, net = of_symbol(x, {"data": (1, 2, 3, 3)}, tmp_path)
    assert "odd_scale" not in text
    assert "follows" not in text
    data = np.random.RandomState(0).uniform(0, 1, (1, 2, 3, 3)).astype("float32")
    expected = x.eval(data=mx.nd.array(data))[0].asnumpy()
    assert np.abs(net(torch.from_numpy(data)).numpy() - expected).max() <= 1e-6
