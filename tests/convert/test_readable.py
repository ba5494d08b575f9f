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


def test_attention_layers_that_read_a_mask_are_a_class(tmp_path):
    x, mask, weights = mx.sym.var("data"), mx.sym.var("mask"), {}
    for i in range(3):
        q = mx.sym.FullyConnected(x, num_hidden=4, flatten=False, name=f"att{i}_q")
        scores = mx.sym.batch_dot(q, x, transpose_b=True)
        shown = mx.sym.broadcast_axis(mx.sym.expand_dims(mask, axis=1), axis=1, size=3)
        scores = mx.sym.where(shown, scores, mx.sym.ones_like(scores) * -1e9)
        x = x + mx.sym.batch_dot(mx.sym.softmax(scores, axis=-1), q)
        weights |= {f"att{i}_q_weight": np.eye(4), f"att{i}_q_bias": np.zeros(4)}
    shapes = {"data": (1, 3, 4), "mask": (1, 3)}
    text, net = of_symbol(x, shapes, tmp_path, **weights)
    assert text.count("torch.softmax(") == text.count("expand(") == 1
    assert text.count("\n") < 45
    q = torch.tensor([[[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]])
    only = net(q, torch.tensor([[0.0, 1, 0]]))  # all look at the second, layer by layer
    assert torch.allclose(only, q + q[:, 1:2] + 2 * q[:, 1:2] + 4 * q[:, 1:2])


@pytest.mark.parametrize("name", ["unrolled3", "unrolled5"])
def test_an_unrolled_net_is_a_loop(name, tmp_path):
    text = written(name, tmp_path)
    assert text.count("    for ") == 1
    assert text.count("\n") <= 60


def unrolled(steps, back=False):
    """A recurrence of shared weights whose last state and whose every output are read."""
    x, state, outputs, weights = mx.sym.var("data"), mx.sym.var("state"), [], {}
    parts = list(mx.sym.split(x, num_outputs=steps, axis=1, squeeze_axis=True))
    weight = mx.sym.var("cell_weight")
    for part in parts[::-1] if back else parts:
        drive = mx.sym.FullyConnected(part, weight, num_hidden=3, no_bias=True)
        state = mx.sym.tanh(drive + state * 0.5) + state
        outputs.append(state)
    outputs = outputs[::-1] if back else outputs
    weights = {"cell_weight": np.arange(6).reshape(3, 2) / 7 - 0.3}
    return mx.sym.Group([mx.sym.stack(*outputs, axis=1), state]), weights


@pytest.mark.parametrize("back", [False, True])
def test_a_recurrence_of_ones_own(back, tmp_path):
    graph, weights = unrolled(6, back)
    text, net = of_symbol(graph, {"data": (1, 6, 2), "state": (1, 3)}, tmp_path, **weights)
    x = np.random.RandomState(0).uniform(-1, 1, (2, 6, 2)).astype("float32")
    results = net(torch.from_numpy(x), torch.ones(2, 3))
    state, weight, expected = np.ones((2, 3)), weights["cell_weight"], []
    for t in range(5, -1, -1) if back else range(6):
        state = np.tanh(x[:, t] @ weight.T + state * 0.5) + state
        expected.append(state)
    stacked = np.stack(expected[::-1] if back else expected, 1)
    assert np.abs(results[0].detach().numpy() - stacked).max() < 1e-5
    assert np.abs(results[1].detach().numpy() - state).max() < 1e-5
    assert back or "made.append(" in text


def test_steps_that_end_in_one_output_are_a_loop(tmp_path):
    """Nothing but the last output is read: a graph's order then has all inputs' parts first."""
    graph, weights = unrolled(5)
    text, _ = of_symbol(graph[1], {"data": (1, 5, 2), "state": (1, 3)}, tmp_path, **weights)
    assert text.count("    for ") == 1
    assert text.count("self.cell") == 2


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
