"""mx.runtime, mx.log, mx.engine, mx.error, private names of mx.base and Gluon."""

from __future__ import annotations

from tests.snippets import snippets

CASES = snippets(
    r"""
## runtime
features = mx.runtime.Features()
out += [list(features.keys()), features is mx.runtime.Features(), type(features['CUDA']).__name__]
out += [features.is_enabled('lapack'), features.is_enabled('TENSORRT'), features['LAPACK'].name]
out += [str(features['LAPACK']), str(features['TENSORRT']), len(mx.runtime.feature_list())]

## runtime/unknown
mx.runtime.Features().is_enabled('nope')

## log
import logging, os, re, tempfile
path = os.path.join(tempfile.mkdtemp(), 'log.txt')
logger = mx.log.get_logger('mine', filename=path, level=mx.log.DEBUG)
logger.info('hello %d', 3)
logger.error('bad')
import pathlib; lines = pathlib.Path(path).read_text().splitlines()
out += [re.sub(r'\d+', '#', re.sub(r'[^ ]*/', '', line)) for line in lines]
out += [logger is mx.log.get_logger('mine'), logger.level, len(logger.handlers)]
out += [mx.log.WARNING, mx.log.get_logger('other').level]

## engine
before = mx.engine.set_bulk_size(5)
out += [mx.engine.set_bulk_size(7)]
with mx.engine.bulk(3):
    out.append(mx.engine.set_bulk_size(3))
out += [mx.engine.set_bulk_size(before)]

## error
out += [issubclass(mx.error.InternalError, mx.MXNetError), issubclass(mx.MXNetError, RuntimeError)]

## base
import ctypes
base = mx.base
out += [base.NDArrayHandle is ctypes.c_void_p, base.check_call(0), base._OP_NAME_PREFIX_LIST]
out += [base._NP_OP_PREFIX, base.mx_float_p is ctypes.POINTER(ctypes.c_float)]
text = ctypes.create_string_buffer(b'abcd')
out.append(bytes(base.ctypes2buffer(ctypes.cast(text, ctypes.POINTER(ctypes.c_char)), 3)))
numbers = (ctypes.c_float * 4)(1, 2, 3, 4)
pointer = ctypes.cast(numbers, ctypes.POINTER(ctypes.c_float))
out.append(base.ctypes2numpy_shared(pointer, (2, 2)))

## base/no-pointer
mx.base.ctypes2buffer(3, 3)

## gluon/private-names
from_block = gluon.block
x = nd.ones((2,))
flat, fmt = from_block._flatten((x, [x, None], x), 'input')
out += [len(flat), fmt, from_block._regroup([1, 2, 3], [0, [0, 0]])]
out += [from_block._indent('a\nb', 2), from_block._brief_print_list(list('abcdefghij'))]
cells = gluon.rnn.rnn_cell
steps, axis, F, size = cells._format_sequence(2, nd.ones((3, 2, 4)), 'NTC', False)
out += [len(steps), axis, size, [s.shape for s in steps]]
p = nn.Dense(2, in_units=2)
p.initialize(ctx=[mx.cpu(0), mx.cpu(2)])
out += [str(p.weight._ctx_list), p.weight._ctx_map]

## gluon/parameter-of-a-subclass
class Doubled(gluon.Parameter):
    def __init__(self, p):
        super(Doubled, self).__init__(p.name, shape=p.shape)
        self._data, self._grad, self._ctx_list, self._ctx_map = (
            p._data, p._grad, p._ctx_list, p._ctx_map)
        self._trainer, self._var, self.calls = p._trainer, p._var, 0
    def data(self, ctx=None):
        self.calls += 1
        return self._check_and_get(self._data, ctx) * self.calls
layer = nn.Dense(1, in_units=2, use_bias=False)
layer.initialize(mx.init.One())
doubled = Doubled(layer.weight)
layer._reg_params['weight'] = layer.params._params[layer.weight.name] = doubled
for hybrid in (False, True):
    layer.hybridize(hybrid)
    for _ in range(2):
        out.append(layer(nd.ones((1, 2))).asnumpy().item() > 0)
first, second = [layer(nd.ones((1, 2))).asnumpy().item() for _ in range(2)]
out.append(first != second)

## operators-without-attributes
x = nd.array([0.5, -1.0])
out += [nd.zeros_like(x, dtype='int32'), x.ones_like(foo=1), nd.relu(x, anything='x')]
out += [sym.zeros_like(sym.var('a'), dtype='int32').attr_dict()]

## operators-with-attributes
nd.sum(nd.ones((2,)), foo=3)
"""
)
