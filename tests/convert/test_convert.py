"""Models that real MXNet saved and ran: every form that they are written in computes the same."""

import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from mxtorch._core.errors import MXNetError, NotSupportedError
from mxtorch.cli.main import main
from mxtorch.convert.api import as_module, convert_symbol
from tests.convert.models import SHAPES

FOLDER = pathlib.Path(__file__).parents[1] / "golden" / "convert"
TOLERANCE = 1e-5
# A process in which neither package can be imported.
ALONE = """
import sys
sys.modules["mxnet"] = sys.modules["mxtorch"] = None
import numpy, torch
path, data, out = sys.argv[1:]
inputs = [torch.from_numpy(x) for x in numpy.load(data).values()]
if path.endswith(".pt2"):
    model = torch.export.load(path).module()
else:
    import runpy
    model = runpy.run_path(path)["load"](path[:-3] + ".safetensors")
with torch.no_grad():
    results = model(*inputs)
results = (results,) if isinstance(results, torch.Tensor) else results
numpy.savez(out, *[r.numpy() for r in results])
"""


def files(name):
    return FOLDER / f"{name}-symbol.json", FOLDER / f"{name}-0000.params"


def recorded(name):
    arrays = np.load(FOLDER / f"{name}.npz")
    inputs = [arrays[f"in_{n}"] for n in SHAPES[name]]
    return inputs, [arrays[k] for k in sorted(arrays) if k.startswith("out_")]


def check(ours, theirs):
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert a.shape == b.shape
        assert np.abs(a - b).max() <= TOLERANCE * np.abs(b).max()


@pytest.mark.parametrize("name", SHAPES)
def test_as_a_module(name):
    inputs, outputs = recorded(name)
    module = as_module(*files(name))
    with torch.no_grad():
        results = module(*[torch.from_numpy(x) for x in inputs])
    results = (results,) if isinstance(results, torch.Tensor) else results
    check([r.numpy() for r in results], outputs)


@pytest.mark.parametrize("suffix", [".py", ".pt2"])
@pytest.mark.parametrize("name", SHAPES)
def test_files_run_on_torch_alone(name, suffix, tmp_path):
    target = tmp_path / f"model{suffix}"
    one = {n: (1, *shape[1:]) for n, shape in SHAPES[name].items()}
    report = convert_symbol(*files(name), [target], shapes=one)
    assert report.notes == []
    inputs, outputs = recorded(name)
    np.savez(tmp_path / "data.npz", *inputs)
    arguments = [str(target), str(tmp_path / "data.npz"), str(tmp_path / "out.npz")]
    done = subprocess.run(
        [sys.executable, "-c", ALONE, *arguments], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    check(list(np.load(tmp_path / "out.npz").values()), outputs)


def test_source_reads_like_a_persons(tmp_path):
    convert_symbol(*files("residual"), [tmp_path / "small_net.py"], shapes=SHAPES["residual"])
    text = (tmp_path / "small_net.py").read_text()
    assert "class SmallNet(nn.Module):" in text
    assert "self.unit0_bn = nn.BatchNorm2d(4, eps=0.001)" in text
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
    with pytest.raises(MXNetError, match="no node 'nothing'"):
        as_module(symbol, params, outputs=["nothing"])


def test_an_operator_without_source_is_named(tmp_path):
    symbol = tmp_path / "a-symbol.json"
    text = files("words")[0].read_text().replace('"op": "sum"', '"op": "shuffle"')
    symbol.write_text(text.replace('"axis": "1"', '"__axis__": "1"'))
    with pytest.raises(NotSupportedError, match="shuffle"):
        convert_symbol(symbol, files("words")[1], [tmp_path / "a.py"], shapes=SHAPES["words"])
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
