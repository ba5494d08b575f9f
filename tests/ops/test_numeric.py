"""Every operator's gradient is the slope of its forward, or its entry says that it is not."""

from collections import defaultdict

import pytest

import mxtorch as mx
from mxtorch._core.op import Op, lookup
from tests import cases, recorded
from tests.ops import numeric

# How namespaces of `mx.nd` continue in the names of the table.
_ROOMS = {"contrib": "_contrib_", "linalg": "_linalg_", "image": "_image_", "random": "_random_"}


def entry(name: str) -> Op | None:
    """The operator that `mx.nd.<name>` is, or None for a function that MXNet writes by hand."""
    room, _, short = name.rpartition(".")
    return lookup(_ROOMS.get(room, "") + short) or lookup(short)


def by_operator():
    """The rows that are run backward, by operator."""
    found = defaultdict(list)
    for _, row, line in recorded.recorded(cases.S):
        if row.grad and not row.raises and not row.xfail and line and "error" not in line:
            op = entry(row.op)
            if op is not None:
                found[op].append(row)
    return dict(sorted(found.items(), key=lambda item: item[0].name))


ROWS = by_operator()


def written(op):
    """The positions of inputs that the operator changes: they have no gradient."""
    names = () if callable(op.mutates) else op.mutates
    return [i for i, spec in enumerate(op.inputs) if spec.name in names]


def is_in_float64(rows):
    """Whether some call has only float outputs in float64, so that slopes can be measured."""
    for row in rows:
        found = numeric.outputs(mx, row, numeric.widened(row))
        if found and numeric.is_wide(found) and any(map(numeric.is_float, row.values())):
            return True
    return False


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("op", [pytest.param(op, id=op.name) for op in ROWS])
def test_gradient_is_the_slope(op):
    checked, wrong = 0, []
    for row in ROWS[op]:
        values = numeric.widened(row)
        for point in (values, numeric.moved_off(row, values)):
            try:
                checked += numeric.check(mx, row, point, written(op))
            except AssertionError as error:
                wrong.append(str(error))
            except mx.MXNetError:
                if point is values:  # what stands beside may be no input at all
                    raise
    if op.gradient is None:
        assert not wrong, "\n".join(wrong[:5])
        assert checked or not is_in_float64(ROWS[op]), "no row could be checked"
    else:
        assert wrong, f"gradient={op.gradient!r} is said, but it is the slope in every row"
