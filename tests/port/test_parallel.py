"""A program that splits batches over devices: alone it computes all, with torchrun its share."""

import subprocess
import sys

import pytest
import torch
from torch import nn

from mxtorch.port import port_text
from mxtorch.port.carried.one_process import over_devices, split_over
from mxtorch.port.outcome import Wishes
from tests.child import environment
from tests.e2e import lines
from tools import port_table

PROGRAM = port_table.PROGRAMS / "multi_device.py"


def ported(parallel="ddp"):
    wishes = Wishes(parallel=parallel)
    return port_text(PROGRAM.read_text(encoding="utf-8"), PROGRAM.name, wishes=wishes).text


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


def test_one_process_computes_each_part_on_its_device(tmp_path):
    text = ported("dp")
    assert "net, ctx)" in text and "split_over(batch[0], ctx)" in text
    assert "distributed" not in text and "synchronized" not in text
    path = tmp_path / "one.py"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(path)], env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-600:]
    wanted = PROGRAM.with_suffix(".expected").read_text(encoding="utf-8")
    for kind, found in numbers(done.stdout).items():
        assert found == pytest.approx(numbers(wanted)[kind], rel=1e-3)


def test_a_net_over_devices():
    """On another device than its own (torch's `meta` stands for it) a copy computes."""
    net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2))
    net[2].weight = nn.Parameter(net[2].weight.detach())
    calls = []
    net.register_forward_hook(lambda *_: calls.append(1))
    devices = [torch.device("cpu"), torch.device("meta")]
    assert over_devices(net, devices) is net
    first, second = split_over(torch.ones(8, 3), devices)
    before = net[1].running_mean.clone()
    assert net(second).device.type == "meta"
    assert torch.equal(net[1].running_mean, before)
    out = net(first)
    assert out.shape == (4, 2) and len(calls) == 2
    assert not torch.equal(net[1].running_mean, before)
    assert {p.device.type for p in net.parameters()} == {"cpu"}
    assert set(net.state_dict()) == {
        *("0.weight", "0.bias", "1.weight", "1.bias", "2.weight", "2.bias"),
        *("1.running_mean", "1.running_var", "1.num_batches_tracked"),
    }
    with pytest.raises(ValueError, match="3 cannot be split into 2"):
        split_over(torch.ones(3), devices)


def test_gradients_of_the_parts_add_up():
    net = over_devices(nn.Linear(2, 1), [torch.device("cpu"), torch.device("cpu")])
    parts = split_over(torch.tensor([[1.0, 2.0], [3.0, 5.0]]), [torch.device("cpu")] * 2)
    for part in parts:
        net(part).sum().backward()
    assert net.weight.grad.tolist() == [[4.0, 7.0]]
