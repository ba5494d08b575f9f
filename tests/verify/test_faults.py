"""verify names where and why a port differs, and finds nothing in ports that are right."""

import pytest

from mxtorch.verify.catalogue import find_cause
from mxtorch.verify.compare import Comparer
from tests.verify.conftest import HERE
from tests.verify.faults import FAULTS

PROGRAMS = ("mlp", "cnn", "lstm")


def text_of(name):
    return (HERE / f"{name}_torch.py").read_text()


def diagnose(ours, theirs, replay):
    found = Comparer(ours, theirs, replay.pairs).run()
    return found, find_cause(found, ours, theirs, replay.pairs)


@pytest.mark.parametrize("name", PROGRAMS)
def test_right_ports_have_no_fault(name, replayed):
    ours, theirs, replay = replayed(name, text_of(name))
    found, _ = diagnose(ours, theirs, replay)
    assert found.fault is None, str(found.fault)
    assert replay.problems == []
    assert found.steps >= 4
    assert found.layers >= 4 * found.steps


def outcome(fault, replayed):
    """Whether the place is named, and whether the cause is."""
    text = text_of(fault.program)
    assert fault.old in text
    changed = text.replace(fault.old, fault.new, 1)
    if fault.new.count("(") > fault.new.count(")") + fault.old.count("(") - fault.old.count(")"):
        changed = changed.replace("(x))))\n", "(x)))))\n", 1)
    found, cause = diagnose(*replayed(fault.program, changed))
    said = f"{fault.old!r} -> {fault.new!r}: {found.fault}, {cause and cause.name}: {cause}"
    if found.fault is None:
        return False, False, said
    place = found.fault.layer in fault.layers.split("|")
    phase = found.fault.phase in fault.phase.split("|")
    return place and phase, cause is not None and cause.name == fault.cause, said


def test_seeded_faults_are_named(replayed):
    results = [outcome(fault, replayed) for fault in FAULTS]
    assert len(results) >= 30
    missed = [said for place, _, said in results if not place]
    unclear = [said for _, cause, said in results if not cause]
    assert len(missed) <= len(results) // 10, "\n".join(missed)
    assert len(unclear) <= len(results) // 5, "\n".join(unclear)
