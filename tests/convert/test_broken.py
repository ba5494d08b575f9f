"""Damaged and hostile files: a message in one line and exit code 1, and nothing half written."""

import json

import numpy as np
import pytest
import torch

import mxtorch as mx
from mxtorch._core.errors import MXNetError
from mxtorch.convert.api import convert_symbol
from mxtorch.convert.check import load_produced
from tests.convert.test_convert import files, one, recorded
from tests.convert.test_more import run


def broken(name, folder, change):
    """A graph's file of which one node, or the whole, was changed."""
    graph = json.loads(files(name)[0].read_text())
    change(graph)
    (folder / "a-symbol.json").write_text(json.dumps(graph))
    return folder / "a-symbol.json", files(name)[1]


def node_of(graph, name):
    return next(n for n in graph["nodes"] if n["name"] == name)


@pytest.mark.parametrize(
    ("name", "node", "keep", "said"),
    [
        ("face", "relu0", 0, "LeakyReLU 'relu0': has 0 inputs; it takes data, gamma"),
        ("fused", "softmax", 0, "SoftmaxOutput 'softmax': has 0 inputs; it takes data, label"),
        ("residual", "unit0_conv", 2, "Convolution 'unit0_conv': has 2 inputs"),
    ],
)
def test_a_node_of_which_an_input_is_lost(name, node, keep, said, tmp_path):
    def change(graph):
        del node_of(graph, node)["inputs"][keep:]

    source = broken(name, tmp_path, change)
    with pytest.raises(MXNetError, match=said):
        convert_symbol(*source, [tmp_path / "a.py"], shapes=one(name))


def test_a_loop_whose_inputs_are_lost(tmp_path):
    def change(graph):
        loop = next(n for n in graph["nodes"] if n["op"] == "_foreach")
        loop["attrs"]["in_data_locs"] = "(0, 1)"

    source = broken("loops", tmp_path, change)
    with pytest.raises(MXNetError, match="_foreach"):
        convert_symbol(*source, [tmp_path / "a.py"], shapes=one("loops"))


def test_half_a_character_is_damage(tmp_path):
    source = broken("face", tmp_path, lambda g: node_of(g, "relu0").update(name="\ud800"))
    with pytest.raises(MXNetError, match="half a character"):
        convert_symbol(*source, [tmp_path / "a.py"], shapes=one("face"))


# Of what Python, torch's modules and the code that torch generates have already.
NAMES = [
    *("self", "forward", "torch", "nn", "F", "load", "WEIGHTS", "class", "None", "__init__"),
    *("__class__", "__x", "training", "train", "apply", "children", "parameters", "_modules"),
    *("_buffers", "modules", "register_buffer", "cuda", "double", "state_dict", "T_destination"),
    *("inputs", "running", "fi", "\ufb01", "a.b", "a_b", "a/b", "a-b", "123", "match", "super"),
    'x"); open("here", "w") #',
    "a\nopen('here', 'w')\n",
    'a"""\nopen("here", "w")\n"""',
    "\\",
    "'",
    '"',
    " ",
    "\r\u2028\x85",
    "9" * 50,
]


def chain(kind, folder):
    """A chain of one operator and its weights, with a node of each name."""
    nodes, arrays = [], {}
    random = np.random.RandomState(0)

    def add(op, name, *inputs, **attrs):
        sources = [[i, 0, 0] for i in inputs]
        nodes.append({"op": op, "name": name, "inputs": sources, "attrs": attrs})
        return len(nodes) - 1

    def weight(name, shape, state="arg"):
        arrays[f"{state}:{name}"] = mx.nd.array(random.uniform(0.5, 1, shape))
        return add("null", name)

    last = add("null", "in'\n\"")
    for name in NAMES:
        if kind == "layer":
            parts = [weight(f"{name}_{s}", (3,)) for s in ("gamma", "beta")]
            parts += [weight(f"{name}_moving_{s}", (3,), "aux") for s in ("mean", "var")]
            last = add("BatchNorm", name, last, *parts)
        else:
            last = add("broadcast_mul", f"{name}*", last, weight(name, (1, 3)))
        last = add("tanh", name, last)
    (folder / "a-symbol.json").write_text(json.dumps({"nodes": nodes, "heads": [[last, 0, 0]]}))
    mx.nd.save(str(folder / "a-0000.params"), arrays)
    return folder / "a-symbol.json", folder / "a-0000.params"


@pytest.mark.parametrize("kind", ["layer", "weight"])
def test_names_that_would_be_code_or_hide_something(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    targets = [tmp_path / "net.py", *[tmp_path / "net.pt2"] * (kind == "weight")]
    shapes = {"in'\n\"": (2, 3)}
    report = convert_symbol(*chain(kind, tmp_path), targets, shapes=shapes, check=True)
    assert [d.relative < 1e-6 for found in report.differences.values() for d in found] == [
        True
    ] * len(targets)
    assert not (tmp_path / "here").exists()


def test_weights_of_two_types(tmp_path, capsys):
    """A Module gives all of them its inputs' type; those of BatchNorm are never float16."""
    arrays = mx.nd.load(str(files("face")[1]))
    half = {k: v.astype("float16") if k.startswith("arg") else v for k, v in arrays.items()}
    mx.nd.save(str(tmp_path / "half.params"), half)
    target = tmp_path / "a.py"
    arguments = [files("face")[0], tmp_path / "half.params", "-o", target]
    arguments += ["--shape", "data=1,3,12,12"]
    assert run(*arguments) == 1
    assert "of float16 and float32; a Module gives all weights" in capsys.readouterr().err
    assert run(*arguments, "--dtype", "float32", "--check") == 0
    report = convert_symbol(
        files("face")[0], files("face")[1], [target], shapes=one("face"), dtype=torch.float16,
        check=True,
    )  # fmt: skip
    assert report.differences[str(target)][0].relative < 2e-3
    inputs, outputs = recorded("face")
    with torch.no_grad():
        result = load_produced(target)(torch.from_numpy(inputs[0]).half())
    assert result.dtype is torch.float16
    assert np.abs(result.numpy() - outputs[0]).max() <= 1e-2 * np.abs(outputs[0]).max()
