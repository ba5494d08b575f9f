"""`mxtorch run` keeps freed memory for the next arrays, where the C library is glibc."""

import os
import platform

import pytest

from tests.child import python

RUN = ("-m", "mxtorch", "run")
# Arrays of 48 MiB, over what glibc ever takes from the heap unasked: 12288 pages each.
FAULTS = """
import resource
import mxnet as mx
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for step in range(6):
    if step == 2:
        before = faults()
    mx.nd.ones((12, 1024, 1024)).wait_to_read()
print(faults() - before)
"""


def faults(**variables):
    child = python(*RUN, "-c", FAULTS, **variables)
    assert child.returncode == 0, child.stderr
    return int(child.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told what to keep")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="another allocator may be loaded")
def test_freed_memory_is_used_again():
    assert faults() < 1000
    assert faults(MXTORCH_KEEP_FREED="0") > 10_000
    assert faults(MALLOC_MMAP_THRESHOLD_="131072") > 10_000  # what the user says counts
