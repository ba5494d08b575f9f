"""gluon.utils, and the names in base, util, name."""

from __future__ import annotations

from tests.snippets import snippets

CASES = snippets(
    """
## split/even
utils = gluon.utils
out += [utils.split_data(nd.arange(6), 3), utils.split_data(onp.arange(4), 2)]
out.append(utils.split_data(nd.arange(4), 1))

## split/uneven
utils = gluon.utils
out.append([p.shape for p in utils.split_data(nd.arange(10), 4, even_split=False)])
out.append(utils.split_data(nd.arange(20).reshape((2, 10)), 3, batch_axis=1, even_split=False))
out.append([p.shape for p in utils.split_data(nd.arange(2), 3, even_split=False)])

## split/refused
utils = gluon.utils
utils.split_data(nd.arange(10), 3)

## split/empty-piece-of-another-axis
utils = gluon.utils
utils.split_data(nd.ones((10, 2)), 3, batch_axis=1, even_split=False)

## split/too-few
utils = gluon.utils
utils.split_data(nd.arange(2), 3)

## split/shares-memory
utils = gluon.utils
x = nd.arange(4)
utils.split_data(x, 2)[0][:] = 9
y = nd.arange(4).reshape((2, 2))
utils.split_data(y, 2, batch_axis=1)[0][:] = 9
out += [x, y]

## load/contexts
utils = gluon.utils
contexts = [mx.cpu(0), mx.cpu(1)]
for data in (onp.arange(4), [1, 2, 3, 4], nd.arange(4, dtype='int32')):
    parts = utils.split_and_load(data, contexts)
    out += [parts, [str(p.context) for p in parts]]
x = nd.arange(4)
out.append(utils.split_and_load(x, [mx.cpu(0)])[0] is x)

## load/gradients
utils = gluon.utils
x = nd.arange(4)
x.attach_grad()
with autograd.record():
    losses = [(p * p).sum() for p in utils.split_and_load(x, [mx.cpu(0), mx.cpu(1)])]
autograd.backward(losses)
out.append(x.grad)

## clip
utils = gluon.utils
arrays = [nd.ones((2, 2)) * 3, nd.ones((2,)) * 4]
out += [utils.clip_global_norm(arrays, 1.0), arrays]
out += [utils.clip_global_norm(arrays, 10.0), arrays]
out.append(utils.clip_global_norm(arrays, 0.5, check_isfinite=False))
out += [utils.clip_global_norm([nd.ones((2,), ctx=mx.cpu(1)), nd.ones((2,))], 1.0)]
rows = nd.array([[1, 2], [3, 4]])
out += [utils.clip_global_norm(rows, 1.0), rows]

## clip/infinite
import warnings
utils = gluon.utils
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter('always')
    out.append(utils.clip_global_norm([nd.array([onp.inf, 1])], 1.0))
out.append([str(w.message) for w in found if w.category is UserWarning])

## clip/nothing
utils = gluon.utils
utils.clip_global_norm([], 1.0)

## sha1
import os, tempfile
utils = gluon.utils
f = os.path.join(tempfile.mkdtemp(), 'f')
with open(f, 'w') as file:
    file.write('abc')
out += [utils.check_sha1(f, 'a9993e364706816aba3e25717850c26c9cd0d89d'), utils.check_sha1(f, 'b')]

## sha1/no-file
utils = gluon.utils
utils.check_sha1('/no/such/file', 'b')

## shape-is-known
utils = gluon.utils
out += [utils.shape_is_known(s) for s in (None, (), (0,), (2, 0), (1, 2))]

## shape-is-known/negative
utils = gluon.utils
utils.shape_is_known((1, -1))

## download/bad-retries
utils = gluon.utils
utils.download('http://127.0.0.1:9/x', retries=-1)

## download/no-name
utils = gluon.utils
utils.download('http://127.0.0.1:9/')

## base/names
base = mx.base
out += [base.py_str(b'abc'), base._as_list(3), base._as_list((1, 2)), repr(base._Null)]
out.append(base.build_param_doc(['a', 'b', 'a'], ['int', 'float', 'int'], ['first', '', 'third']))
out.append(base.build_param_doc(['a', 'a'], ['int', 'int'], ['1', '2'], remove_dup=False))
class K(object):
    @base.classproperty
    def name(cls):
        return cls.__name__
out += [K.name, isinstance('s', base.string_types), isinstance(onp.float32(1), base.numeric_types)]
out.append(list(base.c_array(base.mx_uint, [1, 2])))
out.append(list(base.c_str_array(['a', 'b'])))

## base/errors
base = mx.base
def f():
    pass
out += [str(base.NotImplementedForSymbol(f, 'bar')), str(base.NotImplementedForSymbol(f, None))]
out.append(str(base.NotSupportedForSparseNDArray(f, 'bar')))
out.append(issubclass(base.NotImplementedForSymbol, mx.MXNetError))

## util
util = mx.util
import os
os.environ['MXTORCH_TEST_A'] = 'x'
out += [util.getenv('MXTORCH_TEST_A'), util.getenv('MXTORCH_TEST_NOT_SET'), util.get_gpu_count()]
out += [util.is_np_array(), util.is_np_shape(), mx.is_np_array(), util.set_np_shape(False)]
with util.np_shape(False):
    out.append(util.is_np_shape())
util.reset_np()
out.append(util.set_module('foo')(lambda: 1).__module__)

## util/set-np-array-alone
util = mx.util
util.set_np(shape=False)
""",
)
