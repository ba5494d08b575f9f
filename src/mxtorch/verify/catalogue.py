"""Why two runs part: the usual causes, each with its test on what was recorded."""

from __future__ import annotations

from collections.abc import Callable

from mxtorch.verify.case import Case, Cause
from mxtorch.verify.causes_forward import FORWARD
from mxtorch.verify.causes_training import FINAL, GRADIENT, LOSS, STATISTICS, UPDATE
from mxtorch.verify.compare import Comparison, Fault
from mxtorch.verify.record import Record

Check = Callable[[Case], Cause | None]
_CHECKS: dict[str, tuple[Check, ...]] = {
    "forward": FORWARD,
    "loss": LOSS,
    "gradient": GRADIENT,
    "update": UPDATE,
    "statistics": STATISTICS,
    "final": FINAL,
}


def find_cause(
    comparison: Comparison, ours: Record, theirs: Record, pairs: dict[str, str]
) -> Cause | None:
    """The likeliest cause of the first fault; None if nothing in the catalogue fits."""
    fault = comparison.fault
    if fault is None or comparison.at is None:
        return None if fault is None else _without_steps(fault, ours, theirs, pairs)
    case = Case(fault, ours, theirs, comparison.at, comparison.evidence, pairs)
    for check in _CHECKS.get(fault.phase, ()):
        found = check(case)
        if found is not None:
            return found
    return None


def _without_steps(
    fault: Fault, ours: Record, theirs: Record, pairs: dict[str, str]
) -> Cause | None:
    return Cause("initial", fault.detail) if fault.phase == "initial" else None
