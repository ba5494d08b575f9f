"""`mx.npx`: MXNet's own operators on mx.np arrays, and its switches."""

from mxtorch.context import (
    Context,
    cpu,
    cpu_pinned,
    current_context,
    gpu,
    gpu_memory_info,
    num_gpus,
)
from mxtorch.ndarray.ndarray import waitall
from mxtorch.ndarray.numpy._namespace import fill
from mxtorch.numpy_extension import _op, image, random, utils
from mxtorch.numpy_extension.random import seed
from mxtorch.numpy_extension.utils import load, save
from mxtorch.util import (
    get_cuda_compute_capability,
    is_np_array,
    is_np_shape,
    reset_np,
    set_np,
)

fill(globals(), "npx")
