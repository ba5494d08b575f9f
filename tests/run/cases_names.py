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
"""
)
