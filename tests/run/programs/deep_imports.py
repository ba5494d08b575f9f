"""2019: private corners of mxnet that programs import, and reload."""
import imp
import inspect

import mxnet as mx
from mxnet.base import MXNetError, _as_list, string_types
from mxnet.gluon.block import _BlockScope
from mxnet.gluon.data.dataloader import default_batchify_fn
from mxnet.gluon.loss import _apply_weighting, _reshape_like
from mxnet.initializer import InitDesc
from mxnet.ndarray.gen_op import FullyConnected
from mxnet.ndarray.ndarray import NDArray
from mxnet.optimizer.optimizer import Optimizer
from mxnet.symbol.symbol import Symbol

print(_as_list(3), string_types[0].__name__, issubclass(MXNetError, RuntimeError))
print(_BlockScope.__name__.endswith('BlockScope'), InitDesc('w'))
print(default_batchify_fn([mx.nd.ones(2), mx.nd.zeros(2)]).shape)
loss = _apply_weighting(mx.nd, mx.nd.ones((2, 2)), 2.0, None)
print(loss.asnumpy().tolist(), _reshape_like(mx.nd, mx.nd.ones(4), loss).shape)
print(FullyConnected.__name__)
print(isinstance(mx.nd.ones(1), NDArray), isinstance(mx.sym.Variable('a'), Symbol))
print(issubclass(mx.optimizer.SGD, Optimizer))
print(imp.reload(mx.gluon.nn) is mx.gluon.nn, mx.nd.ones(2).sum().asscalar())
print(inspect.getargspec(lambda self, x, y=1: 0).args, mx.gluon.nn.Dense.__name__)
