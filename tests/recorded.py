"""Recorded cases as pytest parameters, and their comparison with what mxtorch does."""

import pytest

from tests import cases, golden_store, replay


def recorded(kind):
    """(case, its golden line or None) of every case of that kind (`cases.S` or `cases.C`)."""
    for name in cases.names():
        family = None
        for case in cases.load(name):
            if isinstance(case, kind):
                family = family or golden_store.Family.read(cases.golden_path(name))
                yield name, case, family.records.get(case.id)


def params(kind):
    """A parameter (case, line) for each; the case's own `xfail` is a strict mark."""
    found = []
    for name, case, line in recorded(kind):
        marks = [pytest.mark.xfail(strict=True, reason=case.xfail)] if case.xfail else []
        marks += [pytest.mark.full] if case.full else []
        room = "" if kind is cases.S else name + "/"
        found.append(pytest.param(case, line, id=room + case.id, marks=marks))
    return found


def params_where(keep):
    """The rows (without xfail) whose golden line `keep` wants."""
    return [
        pytest.param(case, line, id=case.id)
        for _, case, line in recorded(cases.S)
        if line and not case.xfail and keep(line)
    ]


def check(mx, case, line):
    """What MXNet did is what mxtorch does, an exception's class included."""
    assert line is not None, f"{case.id} is not recorded: make record"
    assert line["hash"] == case.hash, f"{case.id} has changed since it was recorded: make record"
    if "error" not in line:
        golden_store.compare_line(case, replay.run(mx, case), line)
        return
    with pytest.raises(Exception) as info:
        replay.run(mx, case)
    classes = [c.__name__ for c in info.type.__mro__]
    assert line["error"] in classes, f"raises {info.value!r}, MXNet a {line['error']}"
