"""Rooms of the package that load when they are asked for."""

import operator

import pytest

import mxtorch
from mxtorch import gluon
from tests import child


def run(code: str) -> str:
    done = child.python("-c", code)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_rare_room_loads_on_use() -> None:
    code = """
import sys, mxtorch as mx
before = 'mxtorch.module' in sys.modules
mx.mod.Module
print(before, 'mxtorch.module' in sys.modules, mx.mod is mx.module)
"""
    assert run(code) == "False True True"


def test_a_name_of_a_rare_room_loads_it() -> None:
    code = """
import sys, mxtorch
before = [m for m in sys.modules if m.startswith(("mxtorch.parallel", "mxtorch._resume"))]
from mxtorch import checkpoint
print(before, mxtorch.checkpoint is checkpoint, mxtorch.parallel.DataParallel.__name__)
"""
    assert run(code) == "[] True DataParallel"


def test_a_star_import_brings_them_all() -> None:
    code = """
from mxtorch import *
print(nd.__name__, mod.__name__, np.__name__, gluon.model_zoo.__name__, cpu(0))
"""
    assert run(code) == (
        "mxtorch.ndarray mxtorch.module mxtorch.numpy mxtorch.gluon.model_zoo cpu(0)"
    )


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'mxtorch' has no attribute 'modul'"):
        operator.attrgetter("modul")(mxtorch)
    assert not hasattr(gluon, "nothing")


def test_dir_lists_them() -> None:
    assert {"contrib", "viz", "nd"} <= set(dir(mxtorch))
    assert {"model_zoo", "Block"} <= set(dir(gluon))
