"""Every operator has three samples at least."""

import collections

import pytest

from mxtorch._core.op import lookup
from mxtorch._front.names import is_numpy, place
from tests import recorded
from tests.cases import S
from tools import census

LEAST = 3
# Snippets say more of these than rows can: they write in place, or have no gradient of all inputs.
SNIPPETS = {
    "BatchNorm_v1",
    "Custom",
    "IdentityAttachKLSparseReg",
    "_adamw_update",
    "_contrib_hawkesll",
    "_copyto",
    "_mp_adamw_update",
    "_multi_adamw_update",
    "_multi_lamb_update",
    "_multi_mp_adamw_update",
    "_multi_mp_lamb_update",
    "_scatter_set_nd",
    "_set_value",
    "multi_mp_sgd_mom_update",
    "multi_mp_sgd_update",
    "multi_sgd_mom_update",
    "multi_sgd_update",
    "preloaded_multi_mp_sgd_mom_update",
    "preloaded_multi_mp_sgd_update",
    "preloaded_multi_sgd_mom_update",
    "preloaded_multi_sgd_update",
    "reset_arrays",
    # their inputs are files: tests/image/cases_functions.py
    "_cvimdecode",
    "_cvimread",
    # MXNet writes with them; programs reach them through `x[...] = value` and the engine
    "_NDArray",
    "_Native",
}
# MXNet has them on GPUs only: tests/ops/test_gpu_only.py
GPU_ONLY = {
    "_contrib_BatchNormWithReLU",
    "_contrib_count_sketch",
    "_contrib_fft",
    "_contrib_ifft",
}


def counts():
    """How many rows there are of each operator, by its name."""
    by_function = {place(n): lookup(n) for record in census.operators() for n in record.names}
    found = collections.Counter()
    for _, row, _ in recorded.recorded(S):
        namespace, _, short = row.op.rpartition(".")
        op = by_function.get((namespace, short)) or lookup(short) or lookup(f"_{short}")
        if op is None:  # a function over an operator: split_v2, random.uniform
            op = lookup(f"_{namespace}_{short}")
        if op is not None:
            found[op.name] += 1
    return found


COUNTS = counts()
NAMES = [
    record.name
    for record in census.operators()
    if lookup(record.name) is not None
    and not is_numpy(record.name)
    and record.name not in SNIPPETS | GPU_ONLY
]


@pytest.mark.parametrize("name", NAMES)
def test_samples(name):
    assert COUNTS[name] >= LEAST
