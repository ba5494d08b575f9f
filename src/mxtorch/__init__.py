"""Apache MXNet's API on PyTorch: `import mxtorch as mx`."""

from mxtorch import autograd, context, ndarray
from mxtorch import ndarray as nd
from mxtorch._core.errors import MXNetError
from mxtorch.context import (
    Context,
    cpu,
    cpu_pinned,
    current_context,
    gpu,
    gpu_memory_info,
    num_gpus,
)
from mxtorch.version import __version__ as __mxtorch_version__

__version__ = "1.9.1"
