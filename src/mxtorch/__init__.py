"""Apache MXNet's API on PyTorch: `import mxtorch as mx`."""

from mxtorch import (
    attribute,
    autograd,
    base,
    context,
    engine,
    error,
    executor,
    gluon,
    initializer,
    kvstore,
    libinfo,
    lr_scheduler,
    metric,
    name,
    ndarray,
    numpy_dispatch_protocol,
    numpy_extension,
    onnx,
    operator,
    ops,
    optimizer,
    profiler,
    random,
    runtime,
    symbol,
    util,
)
from mxtorch import initializer as init
from mxtorch import kvstore as kv
from mxtorch import ndarray as nd
from mxtorch import random as rnd
from mxtorch import symbol as sym
from mxtorch._core import lazy as _lazy
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

__getattr__, __dir__, __all__ = _lazy.rooms(
    __name__,
    callback="callback",
    checkpoint="_resume:checkpoint",
    contrib="contrib",
    executor_manager="executor_manager",
    image="image",
    img="image",
    io="io",
    library="library",
    log="log",
    mod="module",
    model="model",
    module="module",
    mon="monitor",
    monitor="monitor",
    np="numpy",
    npx="numpy_extension",
    numpy="numpy",
    numpy_extension="numpy_extension",
    parallel="parallel",
    profiler="profiler",
    recordio="recordio",
    registry="registry",
    rnn="rnn",
    rtc="rtc",
    test_utils="test_utils",
    visualization="visualization",
    viz="visualization",
)
