"""The proof finds no fault in any of the ported programs of tests/port."""

import pytest

from tools.prove_programs import CASES, PAGE, prove, rows

PROGRAMS = sorted(CASES.glob("*.py"))


@pytest.mark.full
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_no_fault_is_found(path):
    assert prove(path).startswith("proven (")


def test_every_program_has_its_row():
    assert set(rows(PAGE.read_text(encoding="utf-8"))) == {path.stem for path in PROGRAMS}
