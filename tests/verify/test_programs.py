"""Neither the proof nor verify finds a fault in any of the ported programs of tests/port."""

import pytest

from tools.prove_programs import CASES, NO_FAULT, PAGE, prove, rows

PROGRAMS = sorted(CASES.glob("*.py"))


@pytest.mark.full
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_no_fault_is_found(path):
    stamp, verdict = prove(path)
    assert stamp.startswith("proven (")
    assert verdict.startswith(NO_FAULT)


def test_every_program_has_its_row():
    found = rows(PAGE.read_text(encoding="utf-8"))
    assert set(found) == {path.stem for path in PROGRAMS}
    assert all(stamp.startswith("proven (") for _, stamp, _ in found.values())
    assert all(verdict.startswith(NO_FAULT) for _, _, verdict in found.values())
