"""Calls that skip the body for torch's own function give the recorded values too."""

import pytest

import mxtorch as mx
from mxtorch._core.op import lookup
from tests import golden_store, recorded, replay
from tests.cases import S


def straight_rows():
    """Rows of operators with a kernel that are recorded with gradients, hence through the body."""
    for _, row, line in recorded.recorded(S):
        op = lookup(row.op)
        if op is None or op.kernel is None or not row.grad or row.xfail or row.env:
            continue
        if line and "error" not in line:
            yield pytest.param(row, line, id=row.id)


@pytest.mark.parametrize(("row", "line"), list(straight_rows()))
def test_without_recording(row, line):
    with replay.fresh_state(mx):
        inputs = [None if v is None else mx.nd.array(v, dtype=v.dtype) for v in row.values()]
        outputs = replay.outputs_of(replay.lookup(mx.nd, row.op)(*inputs, **row.attrs))
        found = {"out": replay.freeze(mx, outputs)}
    golden_store.compare_line(row, found, {"out": line["out"]})
