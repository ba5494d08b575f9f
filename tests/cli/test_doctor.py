"""`mxtorch doctor`: what it says, and its exit codes."""

import json

import pytest

from mxtorch.cli import doctor
from mxtorch.cli.main import main


@pytest.fixture
def run(capsys, monkeypatch):
    """Runs it with variables set; (exit code, stdout)."""

    def call(*arguments, **variables):
        for name, text in variables.items():
            monkeypatch.setenv(name, text)
        with pytest.raises(SystemExit) as info:
            main(["doctor", *arguments])
        return info.value.code or 0, capsys.readouterr().out

    return call


def test_report(run):
    status, output = run(
        "--json",
        MXNET_EXEC_NUM_TEMP="2",
        MXNET_SAFE_ACCUMULATION="1",
        MXNET_NEW="x",
        MXTORCH_MAP="gpu=cpu",
    )
    report = json.loads(output)
    assert status == 0
    assert report["mxnet"] == "1.9.1" and report["real_mxnet"] is None
    assert report["packages"]["torch"] and report["devices"]["gpu(0)"].startswith("cpu(0)")
    assert report["self_test"]["passed"]
    assert report["self_test"]["losses"] == pytest.approx(doctor._LOSSES, rel=1e-4)
    variables = {row["name"]: (row["effect"], row["meaning"]) for row in report["variables"]}
    assert variables["MXNET_EXEC_NUM_TEMP"][0] is False
    assert variables["MXNET_SAFE_ACCUMULATION"][0] is True
    assert variables["MXNET_NEW"] == (False, "MXNet 1.9.1 has no such variable")
    extras = {row["extra"]: row for row in report["extras"]}
    for row in extras.values():
        assert row["present"] is (row["command"] is None)
    assert set(extras) == {"image", "port", "onnx", "plot"}


def test_text_and_wrong_variable(run, monkeypatch):
    monkeypatch.setattr(doctor, "_self_test", lambda: {"passed": True, "seconds": 0, "error": None})
    status, output = run(MXTORCH_RNG="dice")
    assert status == 1
    assert "MXTORCH_RNG='dice': expected mxnet or torch" in output
    assert "self-test" in output and "real mxnet" in output
    status, output = run(MXTORCH_MAP="gpu=tpu")
    assert status == 1
    assert "MXTORCH_MAP='gpu=tpu': 'gpu=tpu' is not like gpu=cpu" in output


def test_failed_self_test(run, monkeypatch):
    monkeypatch.setattr(doctor, "_LOSSES", (1.0, 1.0, 1.0))
    status, output = run()
    assert status == 1
    assert "FAILED: losses [2.33" in output


def test_another_mxnet_beside(run, tmp_path, monkeypatch):
    (tmp_path / "mxnet").mkdir()
    (tmp_path / "mxnet" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    report = json.loads(run("--json")[1])
    assert report["real_mxnet"] == str(tmp_path / "mxnet" / "__init__.py")
