"""An operator's results are arrays of their own, laid out as MXNet's are."""

import pytest

import mxtorch as mx
from tests import recorded, replay


def memory(array):
    return array.as_torch().untyped_storage().data_ptr()


@pytest.mark.parametrize(("row", "line"), recorded.params_where(lambda line: "error" not in line))
def test_results(row, line):
    """Contiguous, so that `reshape` is a view; not over an input's memory."""
    values = row.values()
    with replay.variables(row.env), mx.util.np_shape(row.is_np), mx.util.np_array(row.is_np):
        inputs = [None if v is None else replay.array_of(mx, row, v) for v in values]
        with mx.autograd.pause(train_mode=row.train):
            root = mx if row.is_np else mx.nd
            outputs = replay.outputs_of(replay.call(root, row, inputs))
    owners = {memory(x) for x in inputs if x is not None and x.size}
    for y in outputs:
        assert y.as_torch().is_contiguous()
        assert y.size == 0 or memory(y) not in owners
