"""2018: os.environ at the top, as scripts set it."""
import os

os.environ['MXNET_CUDNN_AUTOTUNE_DEFAULT'] = '0'
os.environ['MXNET_ENGINE_TYPE'] = 'NaiveEngine'
os.environ['MXNET_SAFE_ACCUMULATION'] = '1'
os.environ['CUDA_VISIBLE_DEVICES'] = ''

from collections import Iterable

import mxnet as mx
import numpy as np

x = mx.nd.array(np.arange(10, dtype=np.float))
print(isinstance(x, Iterable), mx.context.num_gpus(), '%.5f' % mx.nd.norm(x).asscalar())
ctx = mx.gpu() if mx.context.num_gpus() else mx.cpu()
print(ctx, os.path.basename(mx.__file__), x.as_in_context(ctx).context)
