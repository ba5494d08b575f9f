"""Damaged and hostile files: a message in one line and exit code 1, and nothing half written."""

import json
import pathlib
import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

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


def sized(path):
    return path.read_bytes(), sorted(entry.name for entry in path.parent.iterdir())


@pytest.mark.parametrize(
    "suffix",
    [".safetensors", ".py", ".pt2", pytest.param(".onnx", marks=pytest.mark.full), ".params"],
)
def test_a_full_disk_leaves_what_was_there(suffix, tmp_path, capsys):
    resource = pytest.importorskip("resource", reason="a limit of POSIX")
    if suffix == ".onnx":
        pytest.importorskip("onnxruntime", reason="ONNX needs the extra onnx")
    source = files("words")
    if suffix == ".params":
        convert_symbol(*files("face"), [tmp_path / "a.safetensors"])
        source = [tmp_path / "a.safetensors"]
    target = tmp_path / f"net{suffix}"
    target.write_bytes(b"old")
    before = sized(target)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (600, limits[1]))
    try:
        options = [] if suffix == ".params" else ["--shape", "tokens=1,4"]
        assert run(*source, "-o", target, *options) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert f"{target}: cannot be written: File too large" in capsys.readouterr().err
    assert sized(target) == before


def test_what_is_read_stays(tmp_path, capsys):
    symbol, params = (shutil.copy(path, tmp_path) for path in files("words"))
    shapes = ["--shape", "tokens=1,4"]
    for name, source in (("l.safetensors", params), ("m.py", symbol), ("k.safetensors", params)):
        (tmp_path / name).symlink_to(source)
    kept = [pathlib.Path(path).read_bytes() for path in (symbol, params)]
    for target in ("l.safetensors", "m.py", "k.py"):  # the weights of k.py would be k.safetensors
        assert run(symbol, "-o", tmp_path / target, *shapes) == 1
        assert "is the file that is read; choose another name" in capsys.readouterr().err
    assert run(params, "-o", tmp_path / "w.safetensors") == 0
    (tmp_path / "n.params").symlink_to(tmp_path / "w.safetensors")
    assert run(tmp_path / "w.safetensors", "-o", tmp_path / "n.params") == 1
    assert [pathlib.Path(path).read_bytes() for path in (symbol, params)] == kept


def test_the_weights_of_a_module_stay(tmp_path, capsys):
    symbol, params = files("words")
    assert run(symbol, "-o", tmp_path / "net.py", "--shape", "tokens=1,4") == 0
    for source in (symbol, params):
        assert run(source, "-o", tmp_path / "net.safetensors") == 1
        assert "is the file of weights of net.py" in capsys.readouterr().err
    assert load_produced(tmp_path / "net.py")


@pytest.mark.parametrize(
    "told",
    [
        {"mxnet": "{]"},
        {"mxnet": '{"a": 3}'},
        {"mxnet": '{"a": ["a", [1], false]}'},
        {"mxnet": '{"a": [["a"], [1e999], false]}'},
        {"mxnet": '{"a": [[], [1], false]}'},
        {"source_format": "mxnet.params", "auxiliary": "3"},
    ],
)
def test_weights_that_say_nonsense_of_themselves(told, tmp_path, capsys):
    save_file({"a": torch.zeros(1)}, tmp_path / "a.safetensors", told)
    assert run(tmp_path / "a.safetensors", "-o", tmp_path / "a.params", "--json") == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["error"] in said.err
    assert not (tmp_path / "a.params").exists()


def test_a_list_of_arrays_is_no_model(tmp_path, capsys):
    mx.nd.save(str(tmp_path / "a.params"), [mx.nd.ones(2)])
    arguments = [files("words")[0], tmp_path / "a.params", "-o", tmp_path / "a.py", "--json"]
    assert run(*arguments, "--shape", "tokens=1,4") == 1
    said = capsys.readouterr()
    assert "its 1 arrays have no names" in json.loads(said.out)["error"]
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("lengths", ["1,99999999999,99999999999", "1,99999999999999999999"])
def test_shapes_that_no_array_has(lengths, tmp_path, capsys):
    arguments = [files("words")[0], "-o", tmp_path / "a.py", "--shape", f"tokens={lengths}"]
    assert run(*arguments) == 1
    assert "'tokens' of the shape" in capsys.readouterr().err


def test_nan_on_both_sides_is_told(tmp_path, capsys):
    arrays = mx.nd.load(str(files("words")[1]))
    arrays["arg:score_weight"][:] = float("nan")
    mx.nd.save(str(tmp_path / "nan.params"), arrays)
    arguments = [files("words")[0], tmp_path / "nan.params", "-o", tmp_path / "a.py", "--check"]
    assert run(*arguments, "--shape", "tokens=2,4") == 0
    assert "; 2 of its elements are NaN on both sides" in capsys.readouterr().out
