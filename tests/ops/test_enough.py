"""Every operator has three samples at least: its rows, and what is derived from the first."""

import pytest

from mxtorch._core.op import lookup
from mxtorch._front.names import is_numpy
from tests.cases import LEAST
from tools import census, operators_page

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
    # sparse arrays: tests/sparse; graphs inside nodes: tests/control; files of images: tests/image
    "_cond",
    "_contrib_dgl_adjacency",
    "_contrib_dgl_csr_neighbor_non_uniform_sample",
    "_contrib_dgl_csr_neighbor_uniform_sample",
    "_contrib_dgl_graph_compact",
    "_contrib_dgl_subgraph",
    "_contrib_edge_id",
    "_contrib_getnnz",
    "_contrib_group_adagrad_update",
    "_cvimdecode",
    "_cvimread",
    "_foreach",
    "_sparse_adagrad_update",
    "_sparse_retain",
    "_square_sum",
    "_while_loop",
    "cast_storage",
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


RECORDS = operators_page.gather()
NAMES = [
    record.name
    for record in census.operators()
    if lookup(record.name) is not None
    and not is_numpy(record.name)
    and record.name not in SNIPPETS | GPU_ONLY
]


@pytest.mark.parametrize("name", NAMES)
def test_samples(name):
    found = RECORDS[name].rows
    assert found >= LEAST, (
        f"{found} recorded samples of an operator {name}; a row calls it by mx.nd's name for it, "
        'and its entry has the registry\'s: @op(name="_contrib_...")'
    )
