"""`mxtorch scan` lists the differences that a program steps on."""

import json

import pytest

from mxtorch.cli.main import main
from mxtorch.port import names
from mxtorch.port.scan import scan_text
from mxtorch.port.traps import TRAPS

PROGRAM = """\
from mxnet import gluon, nd
x = nd.array([1, 2])
y = x.round()
loss = gluon.loss.L2Loss()
z = loss(x, y).asnumpy()
"""


def scan(tmp_path, capsys, *options):
    path = tmp_path / "a.py"
    path.write_text(PROGRAM)
    with pytest.raises(SystemExit):
        main(["scan", str(path), *options])
    return capsys.readouterr().out


def test_json_and_text(tmp_path, capsys):
    found = json.loads(scan(tmp_path, capsys, "--json"))["traps"]
    assert [(t["line"], t["trap"]) for t in found] == [
        (2, "float32-arrays"), (3, "rounding"), (4, "half-loss"), (5, "copied-to-numpy"),
    ]  # fmt: skip
    assert found[1]["text"] == TRAPS["rounding"].text
    text = scan(tmp_path, capsys)
    assert "Traps" in text
    assert "a.py:3" in text


@pytest.mark.parametrize("options", ["{'wd': 1e-3}", "{'learning_rate': 0.1}"])
def test_decay_is_a_trap_of_who_decays(options):
    text = f"from mxnet import gluon\nt = gluon.Trainer(gluon.nn.Dense(1), 'sgd', {options})\n"
    traps = [trap for use in scan_text(text) for trap in use.traps]
    assert ("decay" in traps) is ("wd" in options)


def test_sarif_and_html(tmp_path, capsys):
    log = json.loads(scan(tmp_path, capsys, "--sarif"))["runs"][0]
    rules = {r["id"] for r in log["tool"]["driver"]["rules"]}
    results = [r["ruleId"] for r in log["results"] if r["ruleId"].startswith("trap-")]
    assert results == ["trap-float32-arrays", "trap-rounding", "trap-half-loss",
                       "trap-copied-to-numpy"]  # fmt: skip
    assert set(results) <= rules
    page = tmp_path / "a.html"
    scan(tmp_path, capsys, "--html", str(page))
    assert TRAPS["half-loss"].text in page.read_text().replace("&#x27;", "'")


@pytest.mark.parametrize("trap", TRAPS.values(), ids=lambda trap: trap.name)
def test_traps_are_about_names_of_mxnet(trap):
    for use in trap.uses:
        owner, _, attribute = use.rpartition(".")
        known = names.exists(use) or hasattr(names.find_or_none(owner), attribute)
        known = known or names.operator(use) is not None or use.startswith("mx.nd.NDArray.")
        assert known, use
