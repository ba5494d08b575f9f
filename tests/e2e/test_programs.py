"""Unmodified MXNet programs under `python -m mxtorch run` print what real MXNet printed.

`X.expected` beside each program is recorded by tools/record_programs.py.
"""

import os
import pathlib
import subprocess
import sys

import pytest

from tests.e2e import lines

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SEED = HERE / "seed" / "seed_mxnet.py"
VARIANTS = sorted((HERE / "variants").glob("*.py"))


def run(program, cwd):
    """What the program prints on mxtorch."""
    done = subprocess.run(
        [sys.executable, "-m", "mxtorch", "run", str(program)],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def expected(program):
    return program.with_suffix(".expected").read_text(encoding="utf-8")


def test_seed_prints_exactly_the_same_lines(tmp_path):
    """Letter for letter what real MXNet prints.

    Its last digits depend on the vector instructions that oneDNN finds: with and without AVX-512
    it prints two of the lines differently, so each line may be that of either recording.
    """
    recordings = [expected(SEED), expected(SEED.with_suffix(".avx2.py"))]
    allowed = list(zip(*(text.splitlines() for text in recordings), strict=True))
    printed = run(SEED, tmp_path).splitlines()
    assert len(printed) == len(allowed)
    assert [line for line, same in zip(printed, allowed, strict=True) if line not in same] == []


# What these show, tests of their own rooms show too, without a process each; and training curves.
LONG = {
    "amp_graphs",
    "curve_images",
    "curve_lstm",
    "curve_transformer",
    "grad_add",
    "initializers",
    "layers",
    "losses",
    "lr_schedules",
    "metrics",
    "module_internals",
    "np_blocks",
    "optimizers_more",
    "regression_seeds",
    "save_load",
}


@pytest.mark.parametrize(
    "program",
    [pytest.param(p, marks=[pytest.mark.full] * (p.stem in LONG), id=p.stem) for p in VARIANTS],
)
def test_variant(program, tmp_path):
    found = lines.differences(run(program, tmp_path), expected(program))
    assert not found, "\n".join(found)
