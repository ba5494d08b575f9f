"""Apache MXNet's API on PyTorch: `import mxtorch as mx`."""

from mxtorch import (
    attribute,
    autograd,
    base,
    callback,
    context,
    contrib,
    engine,
    error,
    executor,
    executor_manager,
    gluon,
    image,
    initializer,
    io,
    kvstore,
    libinfo,
    library,
    log,
    lr_scheduler,
    metric,
    model,
    module,
    monitor,
    name,
    ndarray,
    numpy,
    numpy_dispatch_protocol,
    numpy_extension,
    operator,
    ops,
    optimizer,
    profiler,
    random,
    recordio,
    registry,
    rnn,
    rtc,
    runtime,
    symbol,
    test_utils,
    util,
    visualization,
)
from mxtorch import image as img
from mxtorch import initializer as init
from mxtorch import kvstore as kv
from mxtorch import module as mod
from mxtorch import monitor as mon
from mxtorch import ndarray as nd
from mxtorch import numpy as np
from mxtorch import numpy_extension as npx
from mxtorch import random as rnd
from mxtorch import symbol as sym
from mxtorch import visualization as viz
from mxtorch._core.errors import MXNetError
from mxtorch._core.lazy import find as __getattr__
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
from mxtorch.interop import as_block, as_module
from mxtorch.run.entry import install
from mxtorch.run.notebook import load_ipython_extension, unload_ipython_extension
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
from mxtorch.version import MXNET_VERSION as __version__
from mxtorch.version import __version__ as __mxtorch_version__
