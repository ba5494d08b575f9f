"""Programs in the styles of MXNet's users, ported and run on torch alone.

`X.expected` beside each program is what real MXNet 1.9.1 printed (tools/record_programs.py).
"""

import re
import subprocess
import sys
from functools import cache

import pytest

from mxtorch.cli._standalone import CopiedBodies
from mxtorch.port import port_text
from mxtorch.port.outcome import Wishes
from tests.child import environment
from tests.e2e import lines
from tests.port import alone
from tools import port_table

PROGRAMS = sorted(port_table.PROGRAMS.glob("*.py"))
GROUPS = [PROGRAMS[::2], PROGRAMS[1::2]]
TOLERANCE = 1e-3


def gap(got, want):
    """How far a printed number is off, in units of 1e-3 or of its last digit."""
    if got == want or float(got) == float(want):
        return 0.0
    if re.fullmatch(r"-?\d+", got) and re.fullmatch(r"-?\d+", want):
        return float("inf")
    digits = len(want.partition(".")[2].partition("e")[0])
    last = 10.0**-digits if "e" not in want else 0.0
    return abs(float(got) - float(want)) / max(TOLERANCE * abs(float(want)), 1.001 * last)


def differences(got, want):
    """The printed lines that are not as MXNet's."""
    ours, theirs = got.splitlines(), want.splitlines()
    if len(ours) != len(theirs):
        return [f"{len(ours)} lines, MXNet {len(theirs)}"]
    found = []
    for a, b in zip(ours, theirs, strict=True):
        (words, numbers), (want_words, want_numbers) = lines.split(a), lines.split(b)
        if words != want_words or any(map(lambda x, y: gap(x, y) > 1, numbers, want_numbers)):
            found.append(f"{a}\n  MXNet: {b}")
    return found


@cache
def rows():
    return {row.name: row for row in port_table.rows()}


@pytest.mark.parametrize("programs", GROUPS, ids=["even", "odd"])
def test_the_port_prints_what_mxnet_printed(programs, tmp_path):
    for path in programs:
        source = path.read_text(encoding="utf-8")
        text = port_text(source, path.name, wishes=Wishes(CopiedBodies)).text
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    command = [sys.executable, alone.__file__, str(tmp_path)]
    subprocess.run(command, env=environment() | {"PYTHONPATH": ""}, check=True, timeout=300)
    found = {}
    for path in programs:
        errors = (tmp_path / path.name).with_suffix(".err").read_text(encoding="utf-8")
        assert "Traceback" not in errors, f"{path.stem}: {errors[-600:]}"
        got = (tmp_path / path.name).with_suffix(".out").read_text(encoding="utf-8")
        found[path.stem] = differences(got, path.with_suffix(".expected").read_text("utf-8"))
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_neither_package_can_be_imported_there(tmp_path):
    for name in alone.BLOCKED:
        (tmp_path / f"with_{name}.py").write_text(f"print(1)\nimport {name}\nprint(2)\n")
    command = [sys.executable, alone.__file__, str(tmp_path)]
    subprocess.run(command, env=environment(), check=True, timeout=120)
    for name in alone.BLOCKED:
        assert (tmp_path / f"with_{name}.out").read_text() == "1\n"
        assert "ModuleNotFoundError" in (tmp_path / f"with_{name}.err").read_text()


def test_programs_are_of_a_size():
    assert len(PROGRAMS) >= 20
    assert all(row.lines >= 60 for row in rows().values())


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_nothing_is_lost(program):
    row = rows()[program.stem]
    assert row.kept == row.comments
    assert row.leftovers == 0


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_twice_is_once(program):
    once = port_text(program.read_text(encoding="utf-8"), program.name).text
    assert port_text(once, program.name).text == once


def test_nearly_all_is_idiomatic():
    idiomatic = sum(row.idiomatic for row in rows().values())
    assert idiomatic >= 0.98 * sum(row.uses for row in rows().values())


def test_the_table_in_the_guide_is_written_from_this():
    text = port_table.PAGE.read_text(encoding="utf-8")
    assert port_table.page(text) == text, "run tools/port_table.py"


@pytest.mark.parametrize(
    ("got", "want"),
    [("loss 0.5004", "loss 0.5000"), ("[0.087, 2.0]", "[0.086, 2]"), ("right 3.0", "right 3")],
)
def test_close_enough(got, want):
    assert differences(got, want) == []


@pytest.mark.parametrize(
    ("got", "want"),
    [("loss 0.5061", "loss 0.5000"), ("right 2", "right 3"), ("a 1.0", "b 1.0"), ("", "1")],
)
def test_reported(got, want):
    assert len(differences(got, want)) == 1
