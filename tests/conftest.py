"""What holds for every test."""

import os

import pytest

from mxtorch._core.modes import modes
from mxtorch.run import entry

_MODES = ("recording", "training", "np_shape", "np_array")


@pytest.fixture(autouse=True)
def modes_are_put_back():
    """A test that leaves a mode of the thread on fails, not those after it."""
    before = {name: getattr(modes, name) for name in _MODES}
    yield
    after = {name: getattr(modes, name) for name in _MODES}
    for name, value in before.items():
        setattr(modes, name, value)
    assert after == before


@pytest.fixture(autouse=True)
def the_alias_is_taken_away():
    """A test that leaves `import mxnet` meaning mxtorch fails, not those after it."""
    before = os.environ.get("MXTORCH_ALIAS")
    yield
    after = os.environ.get("MXTORCH_ALIAS")
    if after != before:
        entry.uninstall()
    assert after == before
