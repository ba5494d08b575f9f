"""Weights back to MXNet, Gluon's files, reports, errors, given inputs, training that goes on."""

import json
import re
import runpy
import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import mxtorch as mx
import mxtorch.convert
from mxtorch._core.errors import MXNetError
from mxtorch.cli.main import main
from mxtorch.convert.api import convert_symbol, find_model
from mxtorch.convert.blocks import load_block
from mxtorch.convert.check import load_produced
from mxtorch.convert.state import state_to_params
from mxtorch.convert.write import first_different, write_model
from tests import child
from tests.convert import alone
from tests.convert.models import SHAPES
from tests.convert.test_convert import files, one, recorded


def run(*arguments):
    with pytest.raises(SystemExit) as stop:
        main(["convert", *map(str, arguments)])
    return stop.value.code


@pytest.mark.parametrize("name", ["face", "fused", "unrolled3", "several"])
def test_weights_go_back(name, tmp_path):
    convert_symbol(*files(name), [tmp_path / "net.py"], shapes=one(name))
    state_to_params(tmp_path / "net.safetensors", tmp_path / "net-0001.params")
    before, after = mx.nd.load(str(files(name)[1])), mx.nd.load(str(tmp_path / "net-0001.params"))
    assert before.keys() == after.keys()
    for key, value in before.items():
        assert value.shape == after[key].shape
        if not (name == "face" and key.endswith("gamma") and "relu" not in key):  # fix_gamma: 1
            assert (value.asnumpy() == after[key].asnumpy()).all()


def test_a_trained_state_goes_back_with_the_names_of_another_file(tmp_path, capsys):
    convert_symbol(*files("words"), [tmp_path / "net.py"], shapes=one("words"))
    model = load_produced(tmp_path / "net.py")
    state = {key: value + 1 for key, value in model.state_dict().items()}
    save_file(state, tmp_path / "trained.safetensors")
    with pytest.raises(MXNetError, match="--like"):
        state_to_params(tmp_path / "trained.safetensors", tmp_path / "a.params")
    like = tmp_path / "net.safetensors"
    assert run(tmp_path / "trained.safetensors", "--like", like, "-o", tmp_path / "a.params") == 0
    assert "arrays" in capsys.readouterr().out
    before = mx.nd.load(str(files("words")[1]))
    for key, value in mx.nd.load(str(tmp_path / "a.params")).items():
        assert (value.asnumpy() == before[key].asnumpy() + 1).all()
    with pytest.raises(MXNetError, match=r"lack 'hidden.bias', which is MXNet's 'hidden_bias'"):
        del state["hidden.bias"]
        state_to_params(state, tmp_path / "b.params", like)
    with pytest.raises(MXNetError, match="no such weights"):
        state = load_file(like) | {"more.weight": torch.zeros(1)}
        state_to_params(state, tmp_path / "b.params", like)


def test_weights_alone_go_back(tmp_path):
    source = files("face")[1]
    for options in ([], ["--strip-prefix"]):
        assert run(source, "-o", tmp_path / "w.safetensors", *options) in (0, None)
        state_to_params(tmp_path / "w.safetensors", tmp_path / "w.params")
        before, after = mx.nd.load(str(source)), mx.nd.load(str(tmp_path / "w.params"))
        assert {k: v.shape for k, v in before.items()} == {k: v.shape for k, v in after.items()}


def small_zoo_net():
    net = mx.gluon.model_zoo.vision.get_model("mobilenet0.25", classes=7)
    net.initialize()
    x = mx.nd.random.uniform(shape=(1, 3, 32, 32))
    return net, x, net(x).asnumpy()


@pytest.mark.parametrize("style", ["structural", "prefixed"])
@pytest.mark.parametrize("block", [None, "mobilenet0.25"])
def test_gluon_parameters_of_a_zoo_net(style, block, tmp_path):
    net, x, expected = small_zoo_net()
    path = str(tmp_path / "net.params")
    net.save_parameters(path) if style == "structural" else net.collect_params().save(path)
    model = load_block(path, block)
    with torch.no_grad():
        result = mxtorch.convert.api._module(model)(torch.from_numpy(x.asnumpy()))
    assert np.abs(result.numpy() - expected).max() <= 1e-6 * np.abs(expected).max()


def test_gluon_parameters_of_a_program(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_net.py").write_text(
        "from mxnet.gluon import nn\n\n\ndef build(count, act='relu'):\n"
        "    net = nn.HybridSequential()\n"
        "    net.add(nn.Dense(5, activation=act), nn.Dense(count))\n    return net\n"
    )
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(5, activation="tanh"), mx.gluon.nn.Dense(3))
    net.initialize()
    net(mx.nd.ones((1, 4)))
    (tmp_path / "folder").mkdir()
    net.save_parameters(str(tmp_path / "folder" / "net.params"))
    arguments = ["folder", "-o", "net.py", "--shape", "data=1,4", "--check"]
    assert run(*arguments, "--block", "own_net:build(3, act='tanh')") == 0
    (far,) = re.findall(r"differs by (\S+) of its largest, same argmax", capsys.readouterr().out)
    assert float(far) < 1e-6
    assert run(*arguments) == 1
    assert "--block" in capsys.readouterr().err
    assert run(*arguments, "--block", "own_net:build(4)") == 1
    assert "'1.weight' has shape (3, 5)" in capsys.readouterr().err
    assert run(*arguments, "--block", "own_net:nothing()") == 1
    assert run(*arguments, "--block", "own_net:build(open)") == 1
    assert "literals" in capsys.readouterr().err


_OWN = """
import mxnet as mx


class Scaled(mx.operator.CustomOp):
    def __init__(self, by):
        self.by = by

    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], mx.nd.array(in_data[0].asnumpy() * self.by))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * self.by)


@mx.operator.register("own_scaled")
class ScaledProp(mx.operator.CustomOpProp):
    def __init__(self, by="2"):
        super().__init__(need_top_grad=True)
        self.by = float(by)

    def create_operator(self, ctx, shapes, dtypes):
        return Scaled(self.by)
"""


def test_an_operator_of_ones_own_is_imported(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_scaled.py").write_text(_OWN)
    x = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc").tojson()
    graph = json.loads(x)
    graph["nodes"].append(
        {"op": "Custom", "name": "mine", "attrs": {"op_type": "own_scaled", "by": "3"},
         "inputs": [[3, 0, 0]]}
    )  # fmt: skip
    graph["heads"] = [[4, 0, 0]]
    (tmp_path / "a-symbol.json").write_text(json.dumps(graph))
    weights = {"arg:fc_weight": mx.nd.ones((3, 2)), "arg:fc_bias": mx.nd.ones((3,))}
    mx.nd.save("a-0000.params", weights)
    arguments = ["a-symbol.json", "--shape", "data=1,2", "-o"]
    assert run(*arguments, "a.py") == 1
    assert "--import MODULE" in capsys.readouterr().err
    assert run(*arguments, "a.py", "--import", "own_scaled", "--check") == 0
    assert run(*arguments, "a.pt2", "--import", "own_scaled") == 1
    assert "Custom 'mine' runs a class of your own" in capsys.readouterr().err
    code = (
        "import a, torch; net = a.load(); out = net(torch.ones(1, 2)); out.sum().backward()\n"
        "print(out.tolist(), net.fc.weight.grad.tolist())"
    )
    done = child.python("-c", code, cwd=tmp_path, paths=[tmp_path])
    assert done.stdout.strip() == f"{[[9.0] * 3]} {[[3.0] * 2] * 3}", done.stderr


def test_weights_of_a_graph_need_it(tmp_path, capsys):
    assert run(files("face")[1], "-o", tmp_path / "a.py", "--shape", "data=1,3,12,12") == 1
    assert "give its -symbol.json too" in capsys.readouterr().err


def test_a_folder_with_several_models_is_refused(tmp_path):
    for name in ("face", "words"):
        for path in files(name):
            shutil.copy(path, tmp_path)
    with pytest.raises(MXNetError, match="name the file that you want"):
        find_model(tmp_path)
    (tmp_path / "words-symbol.json").unlink()
    (tmp_path / "words-0000.params").unlink()
    assert find_model(tmp_path)[0].name == "face-symbol.json"


def test_the_package_can_be_called():
    graph = mx.sym.load(str(files("words")[0]))
    params = mx.nd.load(str(files("words")[1]))
    inputs, outputs = recorded("words")
    module = mxtorch.convert(graph, params)
    assert np.abs(module(torch.from_numpy(inputs[0])).detach().numpy() - outputs[0]).max() < 1e-6


def test_every_node_is_reported(tmp_path, capsys):
    target = tmp_path / "masks.py"
    assert run(files("masks")[0], "-o", target, "--shape", "data=1,3,12,16", "--json") == 0
    rows = {row["node"]: row for row in json.loads(capsys.readouterr().out)["nodes"]}
    assert rows["up1"] == {
        "node": "up1",
        "operator": "Deconvolution",
        "became": "nn.ConvTranspose2d",
    }
    assert rows["crop2"]["became"].startswith("Crop(a, b")
    assert rows["softmax"]["became"] == "torch.softmax(a, dim=1)"


def test_what_training_alone_has_is_left_out(tmp_path, capsys):
    arguments = [files("detector_training")[0], "-o", tmp_path / "net.safetensors"]
    assert run(*arguments) == 0
    assert "loc_loss, cls_label" in capsys.readouterr().err


def test_a_weight_of_another_shape_is_named(tmp_path):
    arrays = mx.nd.load(str(files("face")[1]))
    arrays["arg:dw_weight"] = mx.nd.zeros((8, 1, 5, 5))
    mx.nd.save(str(tmp_path / "bad.params"), arrays)
    with pytest.raises(MXNetError, match=r"'dw'.*\(8, 1, 5, 5\)"):
        convert_symbol(
            files("face")[0], tmp_path / "bad.params", [tmp_path / "a.py"], shapes=one("face")
        )
    arrays = mx.nd.load(str(files("face")[1]))
    arrays["arg:dw_bias"] = mx.nd.zeros((3,))
    mx.nd.save(str(tmp_path / "bad.params"), arrays)
    with pytest.raises(MXNetError, match=r"'dw': bias has shape \(3,\), expected \(8,\)"):
        convert_symbol(
            files("face")[0], tmp_path / "bad.params", [tmp_path / "a.py"], shapes=one("face")
        )


def test_missing_and_extra_weights_have_a_likely_cause(tmp_path, capsys):
    arrays = mx.nd.load(str(files("face")[1]))
    renamed = {k.replace(":", ":net_"): v for k, v in arrays.items()}
    mx.nd.save(str(tmp_path / "renamed.params"), renamed)
    with pytest.raises(
        MXNetError, match=r"'conv0_weight' is a weight of Convolution 'conv0'.*prefix"
    ):
        mxtorch.convert(files("face")[0], tmp_path / "renamed.params")
    mx.nd.save(str(tmp_path / "more.params"), {**arrays, "arg:head_weight": mx.nd.zeros((2,))})
    arguments = [files("face")[0], tmp_path / "more.params", "-o", tmp_path / "a.safetensors"]
    assert run(*arguments) == 0
    assert "does not use (layers that this graph ends before" in capsys.readouterr().err
    stateless = {k: v for k, v in arrays.items() if not k.startswith("aux:")}
    mx.nd.save(str(tmp_path / "stateless.params"), stateless)
    with pytest.raises(MXNetError, match="auxiliary states: save them too"):
        mxtorch.convert(files("face")[0], tmp_path / "stateless.params")


def test_given_inputs_are_checked_too(tmp_path, capsys):
    cv2 = pytest.importorskip("cv2")
    image = np.random.RandomState(0).randint(0, 255, (20, 30, 3)).astype("uint8")
    cv2.imwrite(str(tmp_path / "a.png"), image)
    np.save(tmp_path / "a.npy", np.ones((1, 3, 12, 12), "float32"))
    arguments = [files("face")[0], "-o", tmp_path / "face.py", "--shape", "data=1,3,12,12"]
    for given in (["--input", tmp_path / "a.npy"], ["--input", f"data={tmp_path / 'a.png'}"]):
        assert run(*arguments, *given, "--mean", "1,2,3", "--std", "2,2,2", "--bgr") == 0
        assert "same argmax" in capsys.readouterr().out
    (tmp_path / "bad.png").write_bytes(b"no image")
    np.save(tmp_path / "wide.npy", np.ones((1, 3, 12, 13), "float32"))
    np.save(tmp_path / "nan.npy", np.full((1, 3, 12, 12), np.nan, "float32"))
    assert run(*arguments, "--input", tmp_path / "nan.npy") == 0  # nan on both sides
    for file, options, said in (
        ("bad.png", [], "bad.png: the image cannot be decoded"),
        ("wide.npy", [], "it must be that of --shape data=1,3,12,12"),
        ("a.png", ["--mean", "1,2"], "--mean: 2 numbers for 3 channels"),
        ("a.png", ["--std", "1,0,1"], "--std: 0 is no number to divide by"),
    ):
        assert run(*arguments, "--input", tmp_path / file, *options) == 1
        assert said in capsys.readouterr().err
    assert run(*arguments, "--input", "other=a.npy") == 1
    assert "the inputs are data" in capsys.readouterr().err


def test_what_cannot_be_written_is_said_before_the_work(tmp_path, capsys):
    source = [files("face")[0], "--shape", "data=1,3,12,12", "-o"]
    (tmp_path / "folder.py").mkdir()
    for target, said in (
        (tmp_path / "nowhere" / "a.onnx", "cannot be written: there is no folder"),
        (tmp_path / "folder.py", "cannot be written: it is a folder"),
        (tmp_path / "torch.py", "a file of this name would hide the module torch"),
    ):
        assert run(*source, target) == 1
        assert f"mxtorch: error: {target}: {said}" in capsys.readouterr().err
    assert run(*source, tmp_path / "a.py", "-o", tmp_path / "a.safetensors") == 1
    assert "is the file of weights beside a.py" in capsys.readouterr().err
    assert not list(tmp_path.glob("a.*"))


def test_damaged_graphs_are_named(tmp_path, capsys):
    symbol = tmp_path / "a-symbol.json"
    for content in (b"", b"[]", b"{", b"\xff\xfe\x00"):
        symbol.write_bytes(content)
        assert run(symbol, files("face")[1], "-o", tmp_path / "a.py") == 1
        assert f"mxtorch: error: symbol file {symbol}: this is not" in capsys.readouterr().err
    graph = json.loads(files("face")[0].read_text())
    for heads, said in (
        ([], "the graph has no outputs"),
        ([[0, 5, 0]], "wants output 5 of node 0, which is not there"),
        ([[len(graph["nodes"]) - 1, 9, 0]], "wants output 9 of node 23, which is not there"),
    ):
        symbol.write_text(json.dumps({**graph, "heads": heads}))
        assert run(symbol, files("face")[1], "-o", tmp_path / "a.py") == 1
        assert said in capsys.readouterr().err
    with pytest.raises(MXNetError, match="lengths are 1 or more"):
        convert_symbol(*files("face"), [tmp_path / "a.py"], shapes={"data": (0, 3, 12, 12)})


@pytest.mark.parametrize("stem", ["F", "none", "1net"])
def test_a_class_has_a_name_of_its_own(stem, tmp_path):
    convert_symbol(*files("words"), [tmp_path / f"{stem}.py"], shapes=one("words"), check=True)
    assert load_produced(tmp_path / f"{stem}.py")


def test_a_file_may_have_any_name_and_be_loaded_from_anywhere(tmp_path, monkeypatch):
    target = tmp_path / """a'b"\\ {x}");raise SystemExit;(".py"""
    convert_symbol(*files("words"), [target], shapes=one("words"))
    monkeypatch.chdir("/")
    assert runpy.run_path(str(target))["load"]()
    alone.ruff(target)


def test_an_input_has_the_type_that_is_given(tmp_path, capsys):
    pixels = mx.sym.transpose(mx.sym.cast(mx.sym.var("data"), dtype="float32"), axes=(0, 3, 1, 2))
    pixels.save(str(tmp_path / "a-symbol.json"))
    mx.nd.save(str(tmp_path / "a-0000.params"), {"arg:unused": mx.nd.zeros((1,))})
    arguments = [tmp_path / "a-symbol.json", "-o", tmp_path / "a.pt2", "--shape", "data=1,4,5,3"]
    assert run(*arguments, "--type", "data=uint8", "--check") == 0
    result = load_produced(tmp_path / "a.pt2")(torch.full((2, 4, 5, 3), 200, dtype=torch.uint8))
    assert result.shape == (2, 3, 4, 5) and (result == 200).all()
    assert run(*arguments, "--type", "image=uint8") == 1
    assert "no input is called 'image'; the inputs are data" in capsys.readouterr().err
    assert run(*arguments, "--type", "data=uint9") == 2


def test_the_first_node_that_differs_is_named(tmp_path, monkeypatch):
    from mxtorch._deploy.model import load_model
    from mxtorch.convert import layers

    model = load_model(*files("residual"))
    inputs = [torch.from_numpy(x) for x in recorded("residual")[0]]
    assert first_different(model, SHAPES["residual"], ".py", inputs) is None
    wrong = layers._batch_norm

    def eps_forgotten(place):
        layer = wrong(place)
        if place.node.name == "unit1_bn":
            layer.module.options["eps"] = (0.5, 1e-5)
        return layer

    monkeypatch.setitem(layers.LAYERS, "BatchNorm", eps_forgotten)
    report = write_model(model, [tmp_path / "a.py"], shapes=SHAPES["residual"], check=True)
    (difference,) = report.differences[str(tmp_path / "a.py")]
    assert difference.relative > 1e-5
    assert report.first_different == {str(tmp_path / "a.py"): "BatchNorm 'unit1_bn'"}


def test_a_largest_batch_of_the_graphs_own_stays(tmp_path):
    x = mx.sym.var("data")
    graph = x + mx.sym.slice_like(mx.sym.ones((9, 3)), x, axes=0)
    graph.save(str(tmp_path / "a-symbol.json"))
    mx.nd.save(str(tmp_path / "a-0000.params"), {"arg:unused": mx.nd.zeros((1,))})
    files = tmp_path / "a-symbol.json", tmp_path / "a-0000.params"
    report = convert_symbol(*files, [tmp_path / "a.pt2"], shapes={"data": (1, 3)})
    assert "the batch size is 9 at most, as the graph says" in report.notes
    for size in (1, 2, 9):
        ones = torch.ones(size, 3)
        assert torch.equal(load_produced(tmp_path / "a.pt2")(ones), ones + 1)


def test_a_dense_layer_whose_weight_is_computed_is_a_call(tmp_path):
    weight = mx.sym.L2Normalization(mx.sym.var("fc_weight"))
    graph = mx.sym.FullyConnected(mx.sym.var("data"), weight, num_hidden=2, no_bias=True)
    graph.save(str(tmp_path / "a-symbol.json"))
    mx.nd.save(str(tmp_path / "a-0000.params"), {"arg:fc_weight": mx.nd.ones((2, 12))})
    files = tmp_path / "a-symbol.json", tmp_path / "a-0000.params"
    report = convert_symbol(*files, [tmp_path / "a.py"], shapes={"data": (2, 3, 4)}, check=True)
    assert "F.linear(data.flatten(1), " in (tmp_path / "a.py").read_text()
    assert report.differences[str(tmp_path / "a.py")][0].relative < 1e-6


def test_a_weight_without_elements_is_written(tmp_path):
    rows = mx.sym.concat(mx.sym.var("data"), mx.sym.var("none_weight"), dim=0)
    mx.sym.FullyConnected(rows, num_hidden=2, no_bias=True, name="fc").save(
        str(tmp_path / "a-symbol.json")
    )
    with mx.util.np_shape(True):
        weights = {"arg:none_weight": mx.nd.zeros((0, 3)), "arg:fc_weight": mx.nd.ones((2, 3))}
        mx.nd.save(str(tmp_path / "a-0000.params"), weights)
    files = tmp_path / "a-symbol.json", tmp_path / "a-0000.params"
    targets = [tmp_path / "a.py", tmp_path / "a.pt2"]
    report = convert_symbol(*files, targets, shapes={"data": (2, 3)}, check=True)
    assert [d.relative for found in report.differences.values() for d in found] == [0, 0]


def test_samples_that_follow_the_regions_are_not_exported(tmp_path):
    inputs = mx.sym.var("data"), mx.sym.var("rois")
    graph = mx.sym.contrib.ROIAlign(*inputs, pooled_size=(2, 2), spatial_scale=1.0, name="align")
    graph.save(str(tmp_path / "a-symbol.json"))
    mx.nd.save(str(tmp_path / "a-0000.params"), {"arg:unused": mx.nd.zeros((1,))})
    files = tmp_path / "a-symbol.json", tmp_path / "a-0000.params"
    shapes = {"data": (1, 2, 4, 4), "rois": (3, 5)}
    with pytest.raises(MXNetError, match=r"_contrib_ROIAlign 'align'.*sample_ratio=-1"):
        convert_symbol(*files, [tmp_path / "a.pt2"], shapes=shapes)
    convert_symbol(*files, [tmp_path / "a.py"], shapes=shapes)


def test_what_cannot_be_exported_is_named(tmp_path):
    def step(i, x):
        return [x], [i + 1, x * 2]

    data = [mx.sym.var("i"), mx.sym.var("data")]
    loop, _ = mx.sym.contrib.while_loop(lambda i, x: i < 4, step, data, max_iterations=10**6)
    loop[0].save(str(tmp_path / "a-symbol.json"))
    inverse = mx.sym.linalg_inverse(mx.sym.var("data"), name="g")
    inverse.save(str(tmp_path / "b-symbol.json"))
    mx.nd.save(str(tmp_path / "a-0000.params"), {"arg:unused": mx.nd.zeros((1,))})
    params = tmp_path / "a-0000.params"
    shapes = {"i": (1,), "data": (2,)}
    with pytest.raises(MXNetError, match=r"_while_loop '_while_loop\d+': max_iterations=1000000"):
        convert_symbol(tmp_path / "a-symbol.json", params, [tmp_path / "a.pt2"], shapes=shapes)
    if alone.has_onnx():
        with pytest.raises(MXNetError, match=r"torch\.onnx does not take _linalg_inverse 'g'"):
            shapes = {"data": (2, 2)}
            convert_symbol(tmp_path / "b-symbol.json", params, [tmp_path / "a.onnx"], shapes=shapes)


def test_training_goes_on(tmp_path):
    """50 steps of SGD with momentum: the converted module beside mxtorch's own Module."""
    convert_symbol(*files("residual"), [tmp_path / "net.py"], shapes=one("residual"))
    net = load_produced(tmp_path / "net.py").train()
    graph, arg_params, aux_params = mx.model.load_checkpoint(str(files("residual")[0])[:-12], 0)
    random = np.random.RandomState(0)
    data = random.uniform(0, 1, (50, 8, 4, 9, 9)).astype("float32")
    labels = random.randint(0, 3, (50, 8))
    module = mx.mod.Module(graph, label_names=["softmax_label"])
    module.bind([("data", (8, 4, 9, 9))], [("softmax_label", (8,))])
    module.set_params(arg_params, aux_params)
    rate = {"learning_rate": 0.02, "momentum": 0.9}
    module.init_optimizer(optimizer="sgd", optimizer_params=rate)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    for images, classes in zip(data, labels, strict=True):
        batch = mx.io.DataBatch([mx.nd.array(images)], [mx.nd.array(classes)])
        module.forward(batch, is_train=True)
        expected = module.get_outputs()[0].asnumpy()
        module.backward()
        module.update()
        chances = net(torch.from_numpy(images))
        assert np.abs(chances.detach().numpy() - expected).max() <= 1e-3
        loss = torch.nn.functional.nll_loss(chances.log(), torch.from_numpy(classes))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
