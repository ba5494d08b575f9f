"""The classes of MXNet's modules say where they are from, as they do in MXNet."""

from tests.snippets import snippets

CASES = snippets(
    r"""
## module-of-every-class
from mxnet import gluon
import importlib
rooms = '''
attribute autograd callback context contrib.amp.loss_scaler contrib.autograd contrib.io
contrib.svrg_optimization.svrg_module contrib.tensorboard contrib.text.embedding
contrib.text.vocab error executor executor_manager gluon.block gluon.contrib.cnn.conv_layers
gluon.contrib.data.sampler gluon.contrib.data.text gluon.contrib.estimator.batch_processor
gluon.contrib.estimator.estimator gluon.contrib.estimator.event_handler
gluon.contrib.nn.basic_layers gluon.contrib.rnn.conv_rnn_cell gluon.contrib.rnn.rnn_cell
gluon.data.dataset gluon.data.sampler gluon.loss gluon.model_zoo.vision.alexnet
gluon.model_zoo.vision.densenet gluon.model_zoo.vision.inception
gluon.model_zoo.vision.mobilenet gluon.model_zoo.vision.resnet
gluon.model_zoo.vision.squeezenet gluon.model_zoo.vision.vgg gluon.nn.basic_layers
gluon.nn.conv_layers gluon.parameter gluon.rnn.rnn_cell gluon.rnn.rnn_layer gluon.trainer
gluon.utils image.detection image.image initializer io.io kvstore.base kvstore.kvstore
kvstore.kvstore_server lr_scheduler metric module.base_module module.bucketing_module
module.executor_group module.module module.python_module module.sequential_module monitor name
ndarray.sparse numpy operator optimizer.contrib optimizer.optimizer profiler rnn.io rnn.rnn_cell
rtc runtime symbol.symbol
'''
for room in rooms.split():
    module = importlib.import_module("mxnet." + room)
    own = [
        (name, c.__qualname__)
        for name, c in sorted(vars(module).items())
        if isinstance(c, type) and c.__module__ == "mxnet." + room and name == c.__name__
        and not name.startswith("_")
    ]
    out.append([room, own])

## text-of-types
from mxnet import nd
x = nd.ones((2,))
out += [repr(type(x)), str(type(mx.sym.var("a"))), repr(mx.gluon.nn.Dense), repr(mx.MXNetError)]
out += [repr(type(x.context)), repr(type(x.tostype("row_sparse"))), repr(type(mx.np.ones((2,))))]
out += [repr(mx.gluon.Block), repr(mx.optimizer.SGD), repr(mx.metric.Accuracy)]
out += [repr(mx.io.NDArrayIter), repr(mx.mod.Module), repr(mx.image.ImageIter)]
out += [mx.gluon.nn.Dense.__module__, mx.gluon.loss.L2Loss().__class__.__module__]

## types-of-own-classes
from mxnet.gluon import nn
class Net(nn.HybridSequential):
    pass
out += [Net.__module__, repr(Net), Net.__mro__[1].__module__, repr(type(Net().collect_params()))]

## logged-traceback
from mxnet import nd
import traceback
try:
    raise mx.MXNetError("text")
except mx.MXNetError:
    out.append(traceback.format_exc().splitlines()[-1])

## pickle-names-mxnet
from mxnet import nd
import pickle, pickletools
def names(value):
    text = pickle.dumps(value, 2)
    return sorted({a for o, a, _ in pickletools.genops(text) if o.name == "GLOBAL"
                   and "mxnet" in a})
out += [names(mx.gluon.nn.Dense), names(mx.cpu()), names(mx.lr_scheduler.FactorScheduler(3))]
out += [pickle.loads(pickle.dumps(mx.gluon.nn.Dense)) is mx.gluon.nn.Dense]

## private-tables
from mxnet.ndarray.ndarray import _DTYPE_MX_TO_NP, _DTYPE_NP_TO_MX, _GRAD_REQ_MAP
from mxnet.ndarray.ndarray import _STORAGE_TYPE_ID_TO_STR, _STORAGE_TYPE_STR_TO_ID
types = [onp.float32, onp.float64, onp.float16, onp.uint8, onp.int32, onp.int8, onp.int64]
out += [[_DTYPE_NP_TO_MX[t] for t in [None, onp.bool_, *types]], len(_DTYPE_NP_TO_MX)]
out += [[onp.dtype(_DTYPE_MX_TO_NP[n]).name for n in range(8)], len(_DTYPE_MX_TO_NP)]
out += [sorted(_STORAGE_TYPE_ID_TO_STR.items()), sorted(_STORAGE_TYPE_STR_TO_ID.items())]
out.append(sorted(_GRAD_REQ_MAP.items()))

## private-current
out.append(str(mx.Context._default_ctx.value))
mx.Context._default_ctx.value = mx.cpu(1)
out += [str(nd.ones((1,)).context), str(mx.context.current_context())]
mx.Context._default_ctx.value = mx.cpu(0)
names = mx.name.NameManager._current.value
out += [names.get(None, 'made'), names.get(None, 'made'), names is mx.name.NameManager.current]
with mx.AttrScope(ctx_group='one') as scope:
    out += [mx.AttrScope._current.value.get(None), mx.AttrScope._current.value is scope]
before = mx.name.NameManager._current.value
mx.name.NameManager._current.value = mx.name.Prefix('p_')
out.append(sym.FullyConnected(sym.var('x'), num_hidden=1).list_arguments())
mx.name.NameManager._current.value = before

## private-methods-of-arrays
a = nd.arange(6).reshape((3, 2))
rows, row = a._slice(0, 2), a._at(2)
rows[:] = 5
row[:] = 7
out += [a, rows.shape, row.shape]
a._sync_copyfrom(onp.arange(6, dtype='float64').reshape(3, 2))
out += [a, rows]
i = nd.zeros((2,), dtype='int32')
i._sync_copyfrom([1.7, -1.7])
out.append(i)

## private-copy-of-another-shape
nd.ones((3, 2))._sync_copyfrom(onp.ones((2, 3)))

## private-scope
x = nd.ones((2,))
x.attach_grad()
with autograd._RecordingStateScope(True, False):
    out += [autograd.is_recording(), autograd.is_training()]
    y = x * x
y.backward()
out += [x.grad, autograd.is_recording()]

## private-states-of-cells
from mxnet.gluon.rnn.rnn_cell import _cells_state_info
cells = [gluon.rnn.LSTMCell(3), gluon.rnn.GRUCell(2)]
out.append([sorted(info.items()) for info in _cells_state_info(cells, 4)])
"""
)
