"""Two hosts: two network namespaces with a cable between them."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.child import environment
from tests.dist import start

pytestmark = pytest.mark.full


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True, text=True, check=True)


@pytest.fixture
def hosts():
    """(namespace, address, interface) of two hosts."""
    if shutil.which("ip") is None:
        pytest.skip("network namespaces need the command `ip`")
    number = os.getpid() % 250
    rows = [(f"mxt{number}{k}", f"10.97.{number}.{k + 1}", f"mxv{number}{k}") for k in range(2)]
    (one, _, cable), (other, _, end) = rows
    try:
        ip("netns", "add", one)
        ip("netns", "add", other)
        ip("link", "add", cable, "netns", one, "type", "veth", "peer", "name", end, "netns", other)
        for name, address, interface in rows:
            ip("-n", name, "addr", "add", f"{address}/24", "dev", interface)
            ip("-n", name, "link", "set", interface, "up")
            ip("-n", name, "link", "set", "lo", "up")
        yield rows
    except subprocess.CalledProcessError as error:
        pytest.skip(f"network namespaces are not allowed here: {error.stderr.strip()}")
    finally:
        for name, _, _ in rows:
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


def launch(host, number, endpoint, out):
    name, address, interface = host
    options = ["-n", "1", "--nnodes", "2", "--rdzv-backend", "c10d", "--rdzv-endpoint", endpoint]
    options += ["--rdzv-conf", f"is_host={1 - number}", "--local-addr", address]
    program = [str(start.PROGRAMS / "wire.py"), str(out), interface]
    return subprocess.run(
        [
            "ip",
            "netns",
            "exec",
            name,
            sys.executable,
            "-m",
            "mxtorch",
            "launch",
            *options,
            *program,
        ],
        env=environment(GLOO_SOCKET_IFNAME=interface),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_two_hosts(hosts, tmp_path):
    """Each sends its gradients once: in a ring of two, 2 (n - 1) / n times their bytes."""
    endpoint = f"{hosts[0][1]}:29400"
    with ThreadPoolExecutor(2) as pool:
        runs = [
            pool.submit(launch, host, number, endpoint, tmp_path / "out")
            for number, host in enumerate(hosts)
        ]
    assert [run.result().returncode for run in runs] == [0, 0], runs[0].result().stderr
    for rank in range(2):
        sent, payload = map(int, (tmp_path / f"out.{rank}").read_text().split())
        assert payload < sent < 1.15 * payload
