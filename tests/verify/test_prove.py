"""`mxtorch port --trace`: the run guides the port, and its replay proves it."""

import json
import sys

import pytest

from mxtorch.cli.main import main
from mxtorch.port.facts import Facts
from mxtorch.verify.launch import Command, Recording, Run, read_command, record_mxnet, run_words
from mxtorch.verify.prove import Port, prove
from mxtorch.verify.record import load
from tests.verify.conftest import HERE

SEED = HERE.parent.parent / "e2e" / "seed" / "seed_mxnet.py"


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(a) for a in arguments])
    return stop.value.code, capsys.readouterr().out


@pytest.fixture(scope="session")
def ported(tmp_path_factory):
    """A program, its port and the record of its run."""
    folder = tmp_path_factory.mktemp("ported")
    source, output = folder / "train.py", folder / "ported.py"
    source.write_text((HERE / "regression_mxnet.py").read_text())
    with pytest.raises(SystemExit) as stop:
        main(["port", str(source), "-o", str(output), "--trace", "--html",
              str(folder / "report.html"), "--", "python", str(source)])  # fmt: skip
    return stop.value.code, source, output


def test_a_port_is_proven(ported):
    code, _, output = ported
    assert code == 0
    assert "LazyLinear" not in output.read_text()
    assert "nn.Linear(4, 8)" in output.read_text()
    assert "import mxtorch" not in output.read_text()
    record = load(output.with_name("ported.trace.json"))
    assert len(record.of("update")) == 12
    assert len(record.of("mask")) == 12
    assert len(record.of("order")) == 3
    facts = Facts.read(output.with_name("ported.facts.json"))
    assert facts.files["train.py"].layers
    page = (output.parent / "report.html").read_text()
    assert "proven (12 steps, 8 parameters, 4 lines)" in page
    assert "<polyline" in page


def proof(ported, text, tmp_path, recording=None):
    """The proof of another text in the place of the port."""
    _, source, output = ported
    changed = tmp_path / "changed.py"
    changed.write_text(text)
    trace = output.with_name("ported.trace.json")
    traced = load(trace)
    return prove(
        Port(source, changed),
        Command("script", str(source)),
        Run(traced, [], 0),
        trace,
        recording or Recording(),
    )


@pytest.mark.parametrize(
    ("old", "new", "status", "says"),
    [
        ("lr=0.1", "lr=0.11", "differs", "update"),
        ("Dropout(0.5)", "Dropout(0.6)", "differs", "forward"),
        ("loss_fn(net(a), b)", "loss_fn(net(a), 2 * b)", "differs", "first in layer L2Loss"),
        ("import torch\n", "import torch\nimport no_such_module\n", "not proven", "no_such_module"),
        ("torch.randn((32, 4))", "torch.randn((33, 4))[:32]", "not proven", "132 numbers"),
    ],
)
def test_a_wrong_port_is_not(ported, tmp_path, old, new, status, says):
    text = ported[2].read_text()
    assert old in text
    found = proof(ported, text.replace(old, new), tmp_path)
    assert found.status == status
    assert says in found.reason
    assert found.exit_code == {"differs": 3, "not proven": 4}[status]


@pytest.mark.full
def test_the_first_steps_alone(tmp_path, capsys):
    source, output = tmp_path / "train.py", tmp_path / "ported.py"
    source.write_text((HERE / "regression_mxnet.py").read_text())
    code, text = run(
        capsys, "port", source, "-o", output, "--trace", "--steps", "2", "--json", "--",
        "python", source,
    )  # fmt: skip
    found = json.loads(text)
    assert code == 0, text
    assert found["proof"]["steps"] == 2
    assert found["files"][0]["stamp"] == "proven (2 steps, 8 parameters)"


def test_the_seed_document_is_proven(tmp_path, capsys):
    output = tmp_path / "seed.py"
    code, text = run(capsys, "port", SEED, "-o", output, "--trace", "--json", "--", SEED)
    found = json.loads(text)
    assert code == 0, found["proof"]["reason"]
    assert found["files"][0]["left"] == 0
    assert "import mxtorch" not in output.read_text()
    lines = {d["line"]: d for d in found["proof"]["lines"]}
    assert not any(d["kind"] in ("number", "count") for d in lines.values())
    assert lines[9]["theirs"].startswith("3.1.4 cpu 0.166412")
    assert lines[21]["theirs"].startswith("3.8 weight_ih_l0")
    printed, status = run_words([sys.executable, str(output)], tmp_path, None, is_ours=False)
    assert status == 0
    assert len(printed) == 24


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (("python", "train.py", "--lr", "1"), Command("script", "train.py", ("--lr", "1"))),
        (("train.py",), Command("script", "train.py")),
        (("python3", "-m", "pkg.train", "x"), Command("module", "pkg.train", ("x",))),
    ],
)
def test_the_command_after_the_dashes(words, command):
    assert read_command(words) == command


@pytest.mark.parametrize("arguments", [("--trace",), ("--trace", "--check"), ("--", "a.py")])
def test_usage(tmp_path, capsys, arguments):
    path = tmp_path / "a.py"
    path.write_text("import mxnet\n")
    extra = () if "--check" in arguments else ("-o", tmp_path / "b.py")
    assert run(capsys, "port", path, *extra, *arguments)[0] == 2


@pytest.mark.full
def test_overhead(tmp_path, monkeypatch):
    """Tracing takes no more than 3 times the run's time, the replay no more than twice.

    The program counts the processor's time; threads that wait count too, so there is one.
    """
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    source, output = HERE / "lenet_mxnet.py", tmp_path / "ported.py"
    command, trace = Command("script", str(source)), tmp_path / "trace.json"

    def seconds(lines):
        return float(lines[-1].split()[-1])

    with pytest.raises(SystemExit):
        main(["port", str(source), "-o", str(output)])
    plain = min(
        seconds(run_words([sys.executable, "-m", "mxtorch", "run", str(source)], tmp_path, None)[0])
        for _ in range(2)
    )
    alone = min(seconds(run_words([sys.executable, str(output)], tmp_path, None)[0]) for _ in "ab")
    traced = record_mxnet(command, HERE, trace, Recording())
    replayed = []
    for _ in "ab":
        found = prove(Port(source, output), command, traced, trace, Recording())
        assert found.status == "proven", found.reason
        clock = next((d.theirs for d in found.lines if d.kind == "clock"), traced.lines[-1])
        replayed.append(seconds([clock]))
    assert seconds(traced.lines) <= 3 * plain
    assert min(replayed) <= 2 * alone
