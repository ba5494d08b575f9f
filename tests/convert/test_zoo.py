"""The nets of the model zoo, in every form, beside what real MXNet computed with their weights."""

import json
import pathlib

import numpy as np
import pytest

import mxtorch as mx
from mxtorch.convert.api import convert_symbol
from tests import child
from tests.convert import alone, zoo

RECORDED = json.loads(
    (pathlib.Path(__file__).parents[1] / "golden" / "convert" / "zoo.json").read_text()
)


def save(name, folder):
    """The files that `export` and `save_checkpoint` write."""
    graph = zoo.net(mx, name)(mx.sym.var("data"))
    assert zoo.graph_digest(graph.tojson()) == RECORDED[name]["graph"]
    shapes, _, states = graph.infer_shape(data=zoo.shape(name))
    known = dict(zip(graph.list_arguments(), shapes, strict=True))
    del known["data"]
    moving = dict(zip(graph.list_auxiliary_states(), states, strict=True))
    arrays = {f"arg:{n}": mx.nd.array(zoo.weight(n, s)) for n, s in known.items()}
    arrays |= {f"aux:{n}": mx.nd.array(zoo.weight(n, s)) for n, s in moving.items()}
    graph.save(str(folder / "net-symbol.json"))
    mx.nd.save(str(folder / "net-0000.params"), arrays)
    return folder / "net-symbol.json", folder / "net-0000.params"


def check(name, output):
    kept = RECORDED[name]
    deep = "152" in name or "101" in name or name.startswith("densenet")
    tolerance = 1e-4 if deep else 1e-5
    assert list(output.shape) == kept["shape"]
    difference = np.abs(output[:, : zoo.SAMPLES] - np.array(kept["samples"])).max()
    assert difference <= tolerance * kept["largest"]
    assert np.abs(output).max() == pytest.approx(kept["largest"], rel=tolerance)
    spread = tolerance * kept["largest"] * output.shape[1] ** 0.5
    assert np.abs(output.sum(1, dtype="float64") - kept["sum"]).max() <= spread
    assert output.argmax(1).tolist() == kept["argmax"]


def test_the_source_of_a_large_net(tmp_path):
    check_files("resnet50_v1", [tmp_path / "net.py"], tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        *zoo.QUICK,
        *(pytest.param(n, marks=pytest.mark.full) for n in zoo.NAMES if n not in zoo.QUICK),
    ],
)
def test_a_zoo_net_in_every_form(name, tmp_path):
    targets = [tmp_path / "net.py", tmp_path / "net.pt2"]
    if alone.has_onnx():
        targets.append(tmp_path / "net.onnx")
    check_files(name, targets, tmp_path)


def check_files(name, targets, tmp_path):
    one = {"data": (1, *zoo.shape(name)[1:])}
    report = convert_symbol(*save(name, tmp_path), targets, shapes=one)
    assert report.notes == []
    for outputs in alone.run(tmp_path, targets, [zoo.image(name)]):
        check(name, outputs[0])
    text = (tmp_path / "net.py").read_text()
    if name.startswith("resnet50"):
        assert text.count("\n") < 150
    alone.ruff(tmp_path / "net.py")


def test_onnx_is_here():
    """Says in the log why the tests above left out ONNX."""
    pytest.importorskip("onnxruntime", reason="ONNX needs the extra onnx")
    assert alone.has_onnx()


_CODE = """
import resource, sys, time
from mxtorch.convert.api import convert_symbol
import torch._dynamo
if sys.argv[1] == ".onnx":
    import onnx, onnxruntime, onnxscript
size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
suffix, folder = sys.argv[1:]
convert_symbol(f"{folder}/net-symbol.json", f"{folder}/net-0000.params",
               [f"{folder}/net{suffix}"], shapes={"data": (1, 3, 224, 224)})
used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - size
print(used, time.process_time())  # of one thread, from the start of Python on
"""


@pytest.mark.full
def test_a_hundred_megabytes(tmp_path):
    """Under 20 s on 2 cores, and less than three times the weights in memory."""
    _, params = save("resnet50_v1", tmp_path)
    weights = params.stat().st_size / 1024
    for suffix in (".safetensors", ".py", ".pt2", *[".onnx"] * alone.has_onnx()):
        done = child.python("-c", _CODE, suffix, tmp_path)
        assert done.returncode == 0, done.stderr
        used, seconds = done.stdout.split()
        assert float(seconds) < 20
        assert int(used) < 3 * weights, suffix
