"""Models that real MXNet saved and ran: every form that they are written in computes the same."""

import json
import pathlib

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import mxtorch as mx
from mxtorch._core.errors import MXNetError, NotSupportedError
from mxtorch.cli.main import main
from mxtorch.convert.api import as_module, convert, convert_symbol
from tests.convert import alone
from tests.convert.models import FIXED, HALF, KEPT, SHAPES

FOLDER = pathlib.Path(__file__).parents[1] / "golden" / "convert"
TOLERANCE = 1e-5
# ONNX is slow to write; the quick tests do it for the nets that differ most.
ONNX_TOO = ("face", "detector")


def files(name):
    return FOLDER / f"{name}-symbol.json", FOLDER / f"{name}-0000.params"


def recorded(name):
    arrays = np.load(FOLDER / f"{name}.npz")
    inputs = [arrays[f"in_{n}"] for n in SHAPES[name]]
    outputs = [arrays[k] for k in sorted(arrays) if k.startswith("out_")]
    return inputs, [outputs[i] for i in KEPT.get(name, range(len(outputs)))]


def one(name):
    """The shapes of the inputs, a batch of one."""
    if name in FIXED:
        return SHAPES[name]
    return {n: (1, *shape[1:]) for n, shape in SHAPES[name].items()}


def dtype(name):
    return torch.float32 if name in HALF else None


@pytest.mark.parametrize("name", SHAPES)
def test_as_a_module(name):
    inputs, outputs = recorded(name)
    module = convert(files(name)[0], dtype=dtype(name))
    with torch.no_grad():
        results = module(*[torch.from_numpy(x) for x in inputs])
    results = (results,) if isinstance(results, torch.Tensor) else results
    alone.close([r.numpy() for r in results], outputs)


def check_alone(name, suffixes, folder):
    targets = [folder / f"model{suffix}" for suffix in suffixes]
    report = convert_symbol(*files(name), targets, shapes=one(name), dtype=dtype(name))
    notes = [note for note in report.notes if "labels" not in note]
    fixed = name in FIXED and suffixes != [".py"]
    assert [note.partition(":")[0] for note in notes] == ["the batch size is fixed"] * fixed
    assert {row["became"] for row in report.nodes} != {"not written"}
    if ".py" in suffixes:
        alone.ruff(targets[0])
    inputs, outputs = recorded(name)
    for results in alone.run(folder, targets, inputs):
        alone.close(results, outputs)


EXPORTED = {"boxes", "loops", "unrolled3"}  # the others in the long set


@pytest.mark.parametrize("name", SHAPES)
def test_source_runs_on_torch_alone(name, tmp_path):
    check_alone(name, [".py"], tmp_path)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in EXPORTED else pytest.mark.full) for n in SHAPES]
)
def test_programs_run_on_torch_alone(name, tmp_path):
    check_alone(name, [".pt2"], tmp_path)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in ONNX_TOO else pytest.mark.full) for n in SHAPES]
)
def test_onnx_runs_on_onnxruntime(name, tmp_path):
    pytest.importorskip("onnxruntime", reason="ONNX needs the extra onnx")
    check_alone(name, [".onnx"], tmp_path)


def test_float16_weights_stay_so(tmp_path):
    convert_symbol(*files("half"), [tmp_path / "half.py"], shapes=one("half"))
    inputs, outputs = recorded("half")
    (results,) = alone.run(tmp_path, [tmp_path / "half.py"], [x.astype("float16") for x in inputs])
    assert results[0].dtype == np.float16
    assert np.abs(results[0] - outputs[0]).max() <= 2e-3


def test_a_file_of_2016(tmp_path):
    """Then attributes were called param, and nodes told where their gradient came from."""
    graph = json.loads(files("old")[0].read_text())
    for node in graph["nodes"]:
        node["param"] = {k: v for k, v in node.pop("attrs", {}).items() if not k.startswith("__")}
        node["inputs"] = [entry[:2] for entry in node["inputs"]]
        node["backward_source_id"] = -1
        if node["op"] == "_minus_scalar":
            node["op"] = "_MinusScalar"
    old = {key: graph[key] for key in ("nodes", "arg_nodes")}
    old["heads"] = [entry[:2] for entry in graph["heads"]]
    (tmp_path / "old-symbol.json").write_text(json.dumps(old))
    inputs, outputs = recorded("old")
    module = as_module(tmp_path / "old-symbol.json", files("old")[1])
    with torch.no_grad():
        alone.close([module(torch.from_numpy(inputs[0])).numpy()], outputs)


def test_source_reads_like_a_persons(tmp_path):
    convert_symbol(*files("residual"), [tmp_path / "small_net.py"], shapes=SHAPES["residual"])
    text = (tmp_path / "small_net.py").read_text()
    assert "class SmallNet(nn.Module):" in text
    assert "self.bn = nn.BatchNorm2d(4, eps=0.001)" in text
    assert "F.max_pool2d(" in text
    assert "mxtorch" not in text.replace("by mxtorch", "")


def test_a_gamma_that_is_overruled_is_one(tmp_path):
    convert_symbol(*files("face"), [tmp_path / "face.py"], shapes=SHAPES["face"])
    assert load_file(tmp_path / "face.safetensors")["bn0.weight"].eq(1).all()


def test_weights_keep_their_names(tmp_path):
    target = tmp_path / "w.safetensors"
    convert_symbol(*files("face"), [target])
    assert {"conv0_weight", "fc1_moving_var"} <= set(load_file(target))


def test_a_graph_cut_at_a_node():
    module = as_module(*files("face"), outputs=["dw"])
    assert module(torch.zeros(1, 3, 12, 12)).shape == (1, 8, 5, 5)


def test_what_is_missing_is_named(tmp_path):
    symbol, params = files("face")
    with pytest.raises(MXNetError, match="conv0_weight"):
        as_module(symbol, files("words")[1])
    with pytest.raises(MXNetError, match="give --shape"):
        convert_symbol(symbol, params, [tmp_path / "a.pt2"])
    with pytest.raises(MXNetError, match="no input is called 'image'"):
        convert_symbol(symbol, params, [tmp_path / "a.pt2"], shapes={"image": (1, 3, 12, 12)})
    with pytest.raises(MXNetError, match="no node 'nothing'; it ends in relu0, dw, "):
        as_module(symbol, params, outputs=["nothing"])
    with pytest.raises(MXNetError, match="no node 'pre_fc'; names like it are pre_fc1"):
        as_module(symbol, params, outputs=["pre_fc"])


def test_an_operator_without_source_is_named(tmp_path):
    graph = mx.sym.shuffle(mx.sym.var("data") * mx.sym.var("w_weight"), name="mixed")
    graph.save(str(tmp_path / "a-symbol.json"))
    mx.nd.save(str(tmp_path / "a-0000.params"), {"arg:w_weight": mx.nd.ones((2, 3))})
    sources = tmp_path / "a-symbol.json", tmp_path / "a-0000.params"
    with pytest.raises(NotSupportedError, match="shuffle 'mixed'"):
        convert_symbol(*sources, [tmp_path / "a.py"], shapes={"data": (2, 3)})
    assert not (tmp_path / "a.py").exists()


def test_the_command(tmp_path, capsys):
    target = tmp_path / "face.py"
    arguments = ["convert", str(files("face")[0]), "-o", str(target), "--check", "--json"]
    with pytest.raises(SystemExit) as stop:
        main([*arguments, "--shape", "data=2,3,12,12"])
    assert stop.value.code == 0
    result = json.loads(capsys.readouterr().out)
    assert result["inputs"] == ["data"]
    assert result["check"][str(target)][0]["relative"] <= TOLERANCE


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "x.bin"], "must end in"),
        (["-o", "x.pt2", "--shape", "data"], "NAME=1,3,224,224"),
    ],
)
def test_wrong_usage(options, message, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["convert", str(files("face")[0]), *options])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def test_small_constants_stay_in_onnx(tmp_path):
    """The eps of a norm over nothing but zeros, a factor beside 1."""
    onnxruntime = pytest.importorskip("onnxruntime", reason="ONNX needs the extra onnx")
    moved = mx.sym.broadcast_add(mx.sym.Variable("data") * 1.000005, mx.sym.Variable("shift"))
    graph = mx.sym.L2Normalization(moved + 3e-9, mode="channel")
    graph.save(str(tmp_path / "norm-symbol.json"))
    shift = mx.nd.zeros((1, 2, 1))
    mx.nd.save(str(tmp_path / "norm.params"), {"arg:shift": shift})
    given = tmp_path / "norm-symbol.json", tmp_path / "norm.params"
    convert_symbol(*given, [tmp_path / "norm.onnx"], shapes={"data": (1, 2, 3)})
    session = onnxruntime.InferenceSession(str(tmp_path / "norm.onnx"))
    (result,) = session.run(None, {"data": np.zeros((1, 2, 3), "float32")})
    want = graph.eval(data=mx.nd.zeros((1, 2, 3)), shift=shift)[0].asnumpy()
    np.testing.assert_allclose(result, want, rtol=1e-5)
    assert (want > 0).all()
