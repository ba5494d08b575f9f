"""A program that splits batches over devices: alone it computes all, with torchrun its share."""

import subprocess
import sys

import pytest

from mxtorch.port import port_text
from tests.child import environment
from tests.e2e import lines
from tools import port_table

PROGRAM = port_table.PROGRAMS / "multi_device.py"


def ported():
    return port_text(PROGRAM.read_text(encoding="utf-8"), PROGRAM.name).text


def test_the_optimizer_adds_up_over_processes():
    text = ported()
    assert "net.to(own_device(ctx))" in text
    assert "trainer = synchronized(NAG(" in text or "trainer = synchronized(torch." in text


def test_one_device_needs_no_processes():
    text = PROGRAM.read_text(encoding="utf-8")
    for call in ("batch[0], ctx", "batch[1], ctx"):
        text = text.replace(f"({call})", f"({call.replace('ctx', '[mx.cpu()]')})")
    text = text.replace("ctx_list=ctx", "ctx_list=[mx.cpu()]")
    assert "synchronized" not in port_text(text).text


@pytest.mark.full
def test_two_processes_train_what_one_trains(tmp_path):
    path = tmp_path / "multi.py"
    path.write_text(ported(), encoding="utf-8")
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", "2"]
    command += ["--redirects", "1", "--log-dir", str(tmp_path / "logs"), str(path)]
    done = subprocess.run(
        command, env=environment(), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-600:]
    alone = PROGRAM.with_suffix(".expected").read_text(encoding="utf-8")
    logs = sorted((tmp_path / "logs").rglob("stdout.log"))
    assert len(logs) == 2
    found = [numbers(log.read_text(encoding="utf-8")) for log in logs]
    wanted = numbers(alone)
    for one in found:
        assert one["weight"] == pytest.approx(wanted["weight"], rel=1e-3)
    # each prints the loss of its own part
    assert sum(one["epoch"][1] for one in found) == pytest.approx(wanted["epoch"][1], rel=2e-3)


def numbers(text):
    """The numbers of the last line of each kind."""
    kept = [x for x in text.splitlines() if x.startswith(("weight", "epoch"))]
    return {x.split()[0]: [float(n) for n in lines.split(x)[1]] for x in kept}
