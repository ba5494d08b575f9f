"""The committed golden files are what real MXNet gives, where it is installed (make oracle)."""

import os

import pytest

from tests import cases
from tools import record_golden

HERE = record_golden.ROOT / ".oracle" / "bin" / "python"
PYTHON = os.environ.get("MXTORCH_ORACLE") or (str(HERE) if HERE.exists() else None)


@pytest.mark.full
@pytest.mark.skipif(PYTHON is None, reason="needs real MXNet: make oracle")
@pytest.mark.parametrize("name", cases.names())
def test_golden_file_is_what_mxnet_gives(name):
    assert record_golden.verify(PYTHON, name, timeout=120.0) == 0
