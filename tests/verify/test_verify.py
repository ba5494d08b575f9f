"""`mxtorch verify`: programs, nets and records against each other."""

import json
import sys

import numpy as np
import pytest
import torch

from mxtorch.cli.main import main
from mxtorch.verify.align import Slot, align
from mxtorch.verify.lines import compare_lines
from mxtorch.verify.prints import allowed, difference
from mxtorch.verify.record import load
from mxtorch.verify.tape import StepsReached, Tape, fingerprint
from mxtorch.verify.verify import read_inputs, read_side
from mxtorch.verify.watch_torch import _settings
from tests.verify.conftest import HERE


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(["verify", *map(str, arguments)])
    streams = capsys.readouterr()
    return stop.value.code, streams.out, streams.err


def test_two_programs_and_their_records(tmp_path, capsys):
    wrong = tmp_path / "wrong.py"
    text = (HERE / "mlp_torch.py").read_text()
    wrong.write_text(text.replace("eps=1e-5", "eps=1e-2"))
    dump, page = tmp_path / "dump", tmp_path / "report.html"
    code, out, _ = run(
        capsys, HERE / "mlp_mxnet.py", wrong, "--steps", "2", "--dump", dump, "--html", page
    )
    assert code == 3
    assert "first in layer 4 (forward" in out
    assert "another eps" in out
    assert "<polyline" in page.read_text()
    code, out, _ = run(capsys, dump / "a.json", dump / "b.json", "--json")
    found = json.loads(out)
    assert code == 3
    assert found["cause"]["name"] == "eps"
    assert found["names"]["1:4.gamma"] == "1:5.weight"
    code, _, error = run(capsys, dump / "a.json", HERE / "mlp_torch.py", "--steps", "2")
    assert code == 0
    assert "--- second: " in error and "--- first" not in error
    table = tmp_path / "names.json"
    again = [dump / "a.json", HERE / "mlp_torch.py", "--steps", "2", "--names", table]
    for names, code, said in (
        ({"5.weight": "4.gamma"}, 0, ""),
        ({"nothere": "4.gamma"}, 2, "the second program has no parameter 'nothere'; it has "),
        ({"5.weight": "nothere"}, 2, "the first record has no parameter 'nothere'; it has "),
    ):
        table.write_text(json.dumps(names))
        found = run(capsys, *again)
        assert found[0] == code and said in found[2]
    alone = tmp_path / "alone.json"
    alone.write_text((dump / "a.json").read_text())
    assert "belong beside its .json" in run(capsys, alone, dump / "b.json")[2]


def test_a_program_is_as_it_is(tmp_path, capsys):
    program = tmp_path / "program.py"
    text = (HERE / "mlp_mxnet.py").read_text()
    assert "activation=" in text
    program.write_text(text)
    code, out, _ = run(capsys, program, program, "--steps", "2")
    assert (code, "no difference" in out) == (0, True)


NETS = """
from torch import nn


def right():
    return nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.BatchNorm2d(4), nn.Dropout(0.5),
                         nn.Flatten(), nn.Linear(144, 3))


def slow():
    net = right()
    net[2].momentum = 0.9
    return net
"""
OLD_NETS = """
from mxnet.gluon import nn


def make():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, activation='relu'), nn.BatchNorm(), nn.Dropout(0.5), nn.Dense(3))
    return net
"""


def test_nets(tmp_path, capsys, monkeypatch):
    (tmp_path / "oldnets.py").write_text(OLD_NETS)
    (tmp_path / "newnets.py").write_text(NETS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    code, out, _ = run(capsys, "oldnets:make", "newnets:right", "--shape", "4,1,8,8")
    assert code == 0, out
    assert "no difference in 3 steps" in out
    code, out, _ = run(capsys, "oldnets:make", "newnets:slow", "--shape", "4,1,8,8", "--json")
    found = json.loads(out)
    assert code == 3
    assert (found["fault"]["layer"], found["fault"]["phase"]) == ("1", "statistics")
    assert found["cause"]["name"] == "momentum"


def test_nets_without_a_common_parameter(tmp_path, capsys, monkeypatch):
    (tmp_path / "strange.py").write_text(
        "from torch import nn\n\none = nn.Linear(3, 4)\nother = nn.Linear(3, 5, bias=False)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    code, out, _ = run(capsys, "strange:one", "strange:other", "--shape", "2,3")
    assert code == 3
    assert "no parameter is in both: of 2 in the first and 1 in the second none" in out
    assert "likely" not in out and "gradient apart" not in out
    code, _, error = run(capsys, "strange:one", "strange:missing", "--shape", "2,3")
    assert (code, "Traceback" in error) == (1, False)
    assert "the second net ends with strange has no missing" in error
    code, _, error = run(capsys, "strange:one", "strange:one", "--shape", "2,9")
    assert code == 1
    assert "the first net ends with RuntimeError" in error
    assert "(its input by --shape: data (2, 9))" in error


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("a", "b.py"), "no program"),
        (("no_such.py", "b.py"), "no file"),
        (("no_such.json", "b.py"), "no file no_such.json"),
        (("no_such-symbol.json", "b.py", "--shape", "2"), "no file"),
        ((HERE / "mlp_mxnet.py", HERE / "mlp_torch.py", "--names", __file__), "not JSON"),
        (("no_such_module:f", "b:g", "--shape", "2"), "no module"),
        (("json:loads", "b:g"), "needs --shape"),
        (("json:loads", "b:g", "--shape", "x"), "expected NAME=2,3"),
    ],
)
def test_what_cannot_be_compared(capsys, arguments, says):
    code, _, error = run(capsys, *arguments)
    assert code == 2
    assert says in error


def test_inputs():
    assert read_inputs(("data=2,3", "4,5:9")) == (
        {"name": "data", "shape": [2, 3], "below": None},
        {"name": "data1", "shape": [4, 5], "below": 9},
    )


def slots(*pairs):
    return [Slot(path, shape) for path, shape in pairs]


@pytest.mark.parametrize(
    ("ours", "theirs", "given", "found"),
    [
        (  # by order
            slots(("0.weight", (4, 3)), ("0.bias", (4,)), ("2.weight", (1, 4))),
            slots(("fc.weight", (4, 3)), ("fc.bias", (4,)), ("out.weight", (1, 4))),
            {},
            {"0.weight": "fc.weight", "0.bias": "fc.bias", "2.weight": "out.weight"},
        ),
        (  # names of normalization layers; one more in ours
            slots(("a.weight", (4,)), ("a.bias", (4,)), ("b.weight", (9, 4))),
            slots(("bn.gamma", (4,)), ("bn.beta", (4,))),
            {},
            {"a.weight": "bn.gamma", "a.bias": "bn.beta"},
        ),
        (  # two of one shape, in the other order: the user says which
            slots(("x.weight", (4, 4)), ("y.weight", (4, 4))),
            slots(("p.weight", (4, 4)), ("q.weight", (4, 4))),
            {"x.weight": "q.weight"},
            {"x.weight": "q.weight", "y.weight": "p.weight"},
        ),
        (slots(("w", None)), slots(("w", (3, 3))), {}, {"w": "w"}),  # lazy
        (  # lazy, and counted otherwise
            slots(("2.n.weight", None), ("3.n.weight", None), ("4.weight", (2, 3))),
            slots(("1.n.gamma", (3,)), ("2.n.gamma", (4,)), ("3.weight", (2, 3))),
            {},
            {"2.n.weight": "1.n.gamma", "3.n.weight": "2.n.gamma", "4.weight": "3.weight"},
        ),
    ],
)
def test_alignment(ours, theirs, given, found):
    assert align(ours, theirs, given) == found


@pytest.mark.parametrize(
    ("ours", "theirs", "kind"),
    [
        ("loss 0.12345", "loss 0.12346", None),
        ("loss 0.123", "loss 0.133", "number"),
        ("epoch 3", "epoch 4", "number"),
        ("epoch 3, time 1.5", "epoch 3, time 2.5", "clock"),
        ("x on cpu(0)", "x on cpu", "context"),
        ("shape (8,)", "shape torch.Size([8])", "text"),
        ("weight dense0_weight 4", "weight 0.weight 4", "text"),
        ("nan", "1.0", "number"),
        ("1.0 [1. 0.3]", "0.8999999761581421 [1. 0.3]", "number"),  # digits as many as it takes
        ("1.0", "0.99999994", None),
        ("[1. 0.33]", "[0.99 0.33]", None),
        ("rate 0.1", "rate 0.2", None),  # two roundings of one number
    ],
)
def test_printed_lines(ours, theirs, kind):
    found = compare_lines([ours], [theirs], cut=False)
    assert [d.kind for d in found] == ([kind] if kind else [])


def test_arrays_are_one_line_however_they_are_printed():
    mxnet = [
        "a 1",
        "here ",
        "[[1. 0.]",
        " [0. 2.5]]",
        "<NDArray 2x2 @cpu(0)>",
        "(2, 2) (1,)",
        "b 2",
    ]
    torch_ = ["a 1", "here tensor([[1.0000, 0.0000],", "        [0.0000, 2.5000]])",
              "torch.Size([2, 2]) ()", "b 3"]  # fmt: skip
    found = compare_lines(mxnet, torch_, cut=False)
    assert [(d.line, d.kind) for d in found] == [(2, "text"), (6, "text"), (7, "number")]
    torch_[2] = torch_[2].replace("2.5", "2.6")
    assert [d.kind for d in compare_lines(mxnet, torch_, cut=False)] == ["number", "text", "number"]


def test_what_mxnet_logs_of_itself_is_no_fault():
    said = ["INFO:root:Update[3]: Change learning rate to 5.0e-02", "acc 0.5"]
    assert [d.kind for d in compare_lines(said, said[1:], cut=False)] == ["log"]
    assert not compare_lines(said, said[1:], cut=False)[0].is_fault
    assert [d.kind for d in compare_lines(said[1:], said, cut=False)] == ["count"]


def test_missing_lines_count():
    found = compare_lines(["a 1", "b 2", "c 3"], ["a 1", "c 3"], cut=False)
    assert [(d.line, d.kind) for d in found] == [(2, "count")]
    assert compare_lines(["a", "b"], ["a"], cut=True) == []


def test_prints_of_arrays():
    one = np.random.RandomState(0).randn(6, 7).astype("float32")
    assert difference(fingerprint(one), fingerprint(one * (1 + 1e-6))) < allowed(1)
    assert difference(fingerprint(one), fingerprint(one.T.copy())) > 0.1
    assert difference(fingerprint(one), fingerprint(one[:3])) == float("inf")
    assert allowed(1) < allowed(2) < allowed(50) == allowed(500)


def test_tapes(tmp_path):
    tape = Tape(steps=1)
    tape.add("backward", value=2.0, count=1)
    with pytest.raises(StepsReached):
        tape.updated()
    tape.save(str(tmp_path / "a.json"))
    record = load(tmp_path / "a.json")
    assert [s.loss for s in record.steps()] == [2.0]
    other = '{"version": 9, "events": [], "facts": {}, "arrays": "x.safetensors"}'
    for text in ("{", "[]", '{"version": 1}', other):
        (tmp_path / "b.json").write_text(text)
        with pytest.raises(Exception, match="record"):
            load(tmp_path / "b.json")


def test_a_net_in_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "nets_of_this_folder.py").write_text("import torch\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    side = read_side("nets_of_this_folder:make", "", read_inputs(("2,3",)), None)
    assert side.kind == "torch"


def test_a_port_with_operators_of_mxtorch_is_a_program_of_torch(tmp_path):
    path = tmp_path / "ported.py"
    path.write_text("import torch\nimport mxtorch.ops\n")
    assert read_side(str(path), "", (), None).kind == "torch"
    path.write_text("import mxtorch as mx\n")
    assert read_side(str(path), "", (), None).kind == "mxnet"


def test_settings_are_numbers_and_texts():
    layer = torch.nn.Conv2d(1, 2, 3)
    layer.hidden = (torch.ones(2), torch.zeros(2))  # a state that a module keeps is no setting
    layer.state = [torch.ones(2)]
    settings = _settings(layer)
    assert settings["kernel_size"] == (3, 3)
    assert not {"hidden", "state"} & set(settings)
