"""`mx.test_utils`: what tests of MXNet programs use.

There is no `__all__`, as in MXNet: tests that import everything expect `np`, `os` and their like.
"""

import bz2
import errno
import gzip
import json
import logging
import numbers
import os
import platform
import struct
import sys
import time
import traceback
import zipfile
from collections import OrderedDict
from contextlib import contextmanager

import numpy as np
import numpy.random as rnd
import numpy.testing as npt

from mxtorch._testing.arrays import (
    assign_each,
    assign_each2,
    collapse_sum_like,
    create_2d_tensor,
    create_vector,
    get_identity_mat,
    get_identity_mat_batch,
    new_matrix_with_real_eigvals_2d,
    new_matrix_with_real_eigvals_nd,
    new_orthonormal_matrix_2d,
    new_sym_matrix_with_real_eigvals_2d,
    new_sym_matrix_with_real_eigvals_nd,
    np_reduce,
    rand_coord_2d,
    rand_shape_2d,
    rand_shape_3d,
    rand_shape_nd,
    random_arrays,
    random_sample,
    random_uniform_arrays,
)
from mxtorch._testing.compare import (
    _find_max_violation,
    almost_equal,
    assert_allclose,
    assert_almost_equal,
    assert_almost_equal_ignore_nan,
    assert_almost_equal_with_err,
    assert_exception,
    checkShapes,
    compare_ndarray_tuple,
    locationError,
    same,
    same_array,
)
from mxtorch._testing.consistency import (
    check_consistency,
    check_gluon_hybridize_consistency,
    check_speed,
    compare_optimizer,
)
from mxtorch._testing.context import (
    default_context,
    has_tvm_ops,
    is_aarch64_run,
    is_cd_run,
    is_op_runnable,
    list_gpus,
    set_default_context,
)
from mxtorch._testing.downloads import (
    download,
    download_model,
    get_bz2_data,
    get_cifar10,
    get_im2rec_path,
    get_mnist,
    get_mnist_iterator,
    get_mnist_pkl,
    get_mnist_ubyte,
    get_zip_data,
)
from mxtorch._testing.process import DummyIter, discard_stderr, environment, retry
from mxtorch._testing.sparse import (
    create_sparse_array,
    create_sparse_array_zd,
    rand_ndarray,
    rand_sparse_ndarray,
    shuffle_csr_column_indices,
)
from mxtorch._testing.statistics import (
    chi_square_check,
    gen_buckets_probs_with_ppf,
    mean_check,
    var_check,
    verify_generator,
)
from mxtorch._testing.symbols import (
    _parse_aux_states,
    _parse_location,
    check_numeric_gradient,
    check_symbolic_backward,
    check_symbolic_forward,
    numeric_grad,
    same_symbol_structure,
    simple_forward,
)
from mxtorch._testing.tolerance import (
    default_atols,
    default_dtype,
    default_numeric_eps,
    default_rtols,
    effective_dtype,
    get_atol,
    get_etol,
    get_rtol,
    get_tolerance,
    get_tols,
)
from mxtorch.context import Context, current_context
from mxtorch.ndarray import array
from mxtorch.runtime import Features
from mxtorch.symbol import Symbol
from mxtorch.util import get_cuda_compute_capability, getenv, setenv, use_np

# what `mx` is in tests that import everything
mx = sys.modules["mxtorch"]
