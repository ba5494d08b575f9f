"""Apache MXNet's API on PyTorch: `import mxtorch as mx`."""

from mxtorch import (
    attribute,
    autograd,
    base,
    callback,
    context,
    executor,
    gluon,
    initializer,
    kvstore,
    lr_scheduler,
    metric,
    model,
    name,
    ndarray,
    numpy,
    numpy_dispatch_protocol,
    numpy_extension,
    ops,
    optimizer,
    random,
    symbol,
    util,
)
from mxtorch import initializer as init
from mxtorch import kvstore as kv
from mxtorch import ndarray as nd
from mxtorch import numpy as np
from mxtorch import numpy_extension as npx
from mxtorch import random as rnd
from mxtorch import symbol as sym
from mxtorch._core.errors import MXNetError
from mxtorch.attribute import AttrScope
from mxtorch.context import (
    Context,
    cpu,
    cpu_pinned,
    current_context,
    gpu,
    gpu_memory_info,
    num_gpus,
)
from mxtorch.run.alias import install
from mxtorch.util import (
    is_np_array,
    is_np_shape,
    np_array,
    np_shape,
    set_np_shape,
    use_np,
    use_np_array,
    use_np_shape,
)
from mxtorch.version import __version__ as __mxtorch_version__

__version__ = "1.9.1"
