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
    """The operator that `mx.nd.<name>` or `mx.np.<name>` is; None for what MXNet writes by hand."""
    room, _, short = name.rpartition(".")
    if room in ("np", "npx"):
        return next((op for p in ("_npi_", "_np_", "_npx_") if (op := lookup(p + short))), None)
    return lookup(_ROOMS.get(room, "") + short) or lookup(short)


def by_operator():
    """The rows that are run backward, by operator; those of functions without one by their name."""
    found = defaultdict(list)
    for _, row, line in recorded.recorded(cases.S):
        fixed = "out_dtype" in row.attrs  # float64 in its place is another call
        if row.grad and not (row.raises or row.xfail or fixed) and line and "error" not in line:
            op = entry(row.op)
            label = row.op if row.is_np or op is None else op.name
            found[label].append((op, row))
    return dict(sorted(found.items()))


ROWS = by_operator()


# Where slopes cannot be measured: boxes are sorted and suppressed, which is nowhere smooth.
UNSEEN = {"_contrib_Proposal", "_contrib_MultiProposal"}
# Likewise: computed in single precision whatever comes in, as in MXNet.
UNSEEN |= {"_sample_multinomial", "_image_adjust_lighting", "_image_random_lighting"}
UNSEEN |= {
    f"_image_random_{effect}" for effect in ("brightness", "color_jitter", "hue", "saturation")
}


def written(op):
    """The positions of inputs that the operator changes: they have no gradient."""
    if op is None or callable(op.mutates):
        return []
    return [i for i, spec in enumerate(op.inputs) if spec.name in op.mutates]


def is_in_float64(rows):
    """Whether some call has only float outputs in float64, so that slopes can be measured."""
    for row in rows:
        found = numeric.outputs(mx, row, numeric.widened(row))
        if found and numeric.is_wide(found) and any(map(numeric.is_float, row.values())):
            return True
    return False


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("label", ROWS)
def test_gradient_is_the_slope(label):
    op = ROWS[label][0][0]
    rows = [row for _, row in ROWS[label]]
    checked, wrong = 0, []
    for row in rows:
        values = numeric.widened(row)
        floats = {i for i, v in enumerate(values) if numeric.is_float(v)}
        done = set(written(op))
        for point in (values, numeric.moved_off(row, values)):
            if floats <= done:
                break
            try:
                numeric.check(mx, row, point, done)
            except AssertionError as error:
                wrong.append(str(error))
            except mx.MXNetError:
                if point is values:  # what stands beside may be no input at all
                    raise
        checked += len(done - set(written(op)))
    can_be_seen = label not in UNSEEN and is_in_float64(rows)
    if op is None or op.gradient is None:
        assert not wrong, "\n".join(wrong[:5])
        assert checked or not can_be_seen, "no row could be checked"
    elif can_be_seen:
        assert wrong, f"gradient={op.gradient!r} is said, but it is the slope in every row"
