"""A file of 500 MB loads in little more time and memory than reading its bytes takes."""

import json
import subprocess
import sys

import numpy as np
import pytest

import mxtorch as mx

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc for the memory"),
]
ARRAYS, SHAPE = 10, (2500, 5000)
MEASURE = """
import json, sys, time
import mxtorch as mx

def resident():
    with open("/proc/self/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    return int(fields["VmHWM"].split()[0]) / 1024

def read():
    with open(sys.argv[1], "rb") as file:
        return file.read()

work = {"read": read, "load": lambda: mx.nd.load(sys.argv[1])}[sys.argv[2]]
before, best = resident(), 1e9
for _ in range(5):
    start = time.process_time()
    kept = work()
    best = min(best, time.process_time() - start)
    del kept
print(json.dumps([best, resident() - before]))
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    found = tmp_path_factory.mktemp("large") / "large.params"
    random = np.random.RandomState(0)
    arrays = {f"arg:w{i}": mx.nd.array(random.rand(*SHAPE)) for i in range(ARRAYS)}
    mx.nd.save(str(found), arrays)
    yield found
    found.unlink()


def measured(path, what):
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path), what], capture_output=True, check=True
    )
    return json.loads(done.stdout)


def test_time_and_memory(path):
    (read_seconds, read_megabytes) = measured(path, "read")
    (load_seconds, load_megabytes) = measured(path, "load")
    assert load_seconds <= 1.3 * read_seconds
    assert load_megabytes <= 1.2 * read_megabytes
