"""`mxtorch.parallel` and `mxtorch.checkpoint` cost nothing until they are used."""

import pytest

import mxtorch
from tests import child


def test_not_imported_before_use():
    code = """
import sys, mxtorch
assert not [m for m in sys.modules if m.startswith(("mxtorch.parallel", "mxtorch._resume"))]
from mxtorch import checkpoint
import mxtorch.parallel
assert mxtorch.checkpoint is checkpoint and mxtorch.parallel.DataParallel
"""
    done = child.python("-c", code)
    assert done.returncode == 0, done.stderr


def test_other_names_are_absent():
    with pytest.raises(AttributeError, match="module 'mxtorch' has no attribute 'nonsense'"):
        _ = mxtorch.nonsense
    assert not hasattr(mxtorch, "nonsense")
