"""Mistakes: what raises, and that it is what programs catch of MXNet."""

from __future__ import annotations

from tests.snippets import snippets

_BEFORE = """
def fails(kind, function):
    try:
        return 'no error: %r' % (function(),)
    except kind:
        return kind.__name__
def ones(*shape):
    return nd.ones(shape)
a = sym.var('a')
f = sym.FullyConnected(a, num_hidden=3, name='f')
arrays = [ones(2, 3), ones(3, 3), ones(3)]
"""

CASES = snippets(
    """
## shapes
out += [fails(TypeError, lambda: f.infer_shape(a=[2, 3])), fails(TypeError, lambda: f.infer_shape(a=3))]
out += [fails(mx.MXNetError, lambda: f.infer_shape(a=(2, -3)))]
out += [fails(TypeError, lambda: f.infer_shape(a=(2.5, 3)))]
out += [[type(n).__name__ for s in f.infer_shape(a=(onp.int64(2), onp.int32(3)))[0] for n in s]]
out += [fails(TypeError, lambda: f.simple_bind(mx.cpu(), a=(2.0, 3)))]
e = f.simple_bind(mx.cpu(), a=(True, 3))
out += [[v.shape for v in e.arg_arrays], fails(mx.MXNetError, lambda: e.reshape(a=3))]

## types
out += [fails(RuntimeError, lambda: f.simple_bind(mx.cpu(), type_dict={'q': 'float64'}, a=(2, 3)))]
out += [fails(TypeError, lambda: f.simple_bind(mx.cpu(), type_dict={'a': 'foo'}, a=(2, 3)))]

## counts
b = sym.var('b')
out.append(fails(mx.MXNetError, lambda: sym.Concat(a, b, num_args=1)))
near = dict(scale=2, sample_type='nearest')
out.append(fails(mx.MXNetError, lambda: sym.UpSampling(a, b, num_args=1, **near)))
out.append(sym.UpSampling(a, b, num_args=2, name='u', **near).list_arguments())

## bind
out += [fails(TypeError, lambda: f.bind(mx.cpu(), None)), fails(TypeError, lambda: f.bind(mx.cpu(), ones(2, 3)))]
out += [fails(ValueError, lambda: f.bind(mx.cpu(), arrays[:2]))]
out += [fails(ValueError, lambda: f.bind(mx.cpu(), {'a': arrays[0]}))]
norm = sym.BatchNorm(a, name='norm')
out += [fails(ValueError, lambda: norm.bind(mx.cpu(), [ones(2, 3), ones(3), ones(3)]))]

## arrays-for-symbols
out += [fails(AssertionError, lambda: sym.FullyConnected(arrays[0], num_hidden=2))]
out += [fails(AssertionError, lambda: sym.FullyConnected(data=arrays[0], num_hidden=2))]
out += [fails(AssertionError, lambda: sym.FullyConnected(data=3, num_hidden=2))]
out += [fails(AssertionError, lambda: sym.Concat(a, 3))]
out += [fails(AssertionError, lambda: nd.NDArray([1, 2])), fails(AssertionError, lambda: nd.NDArray(3))]

## numbers-of-numpy
n = onp.float32(2)
r = [n * a, a * n, n - a, n / a, onp.float64(2) + a, onp.int64(2) ** a, n > a, n == a, onp.sqrt(4) * a]
out += [(s.name, s.list_attr()) for s in r]
out += [fails(TypeError, lambda: onp.ones(2) * a)]

## what-an-inference-was-given
import contextlib, io
text = io.StringIO()
with contextlib.redirect_stdout(text):
    for function in (f.infer_shape, f.infer_shape_partial):
        fails(mx.MXNetError, lambda: function(a=(2, 3), f_weight=(9, 9)))
    fails(mx.MXNetError, lambda: f.infer_type(a='int32', f_weight='float32'))
out += [text.getvalue()]

## composed-names
g = sym.Activation(sym.var('y'), act_type='relu', name='g')
with mx.name.Prefix('p_'):
    r = [g(y=f, name='h'), g(name='h'), g(y=f), sym.Group([f, g])(a=sym.var('q'), name='h')]
out += [(s.name, s.list_outputs(), s.list_arguments()) for s in r] + [g.name]
out += [fails(mx.MXNetError, lambda: g(y=sym.Group([f, g]))), fails(TypeError, lambda: g(y=3))]

## files
import json
graph = json.loads(f.tojson())
def changed(change):
    found = json.loads(f.tojson())
    change(found, found['nodes'][3])
    return sym.load_json(json.dumps(found))
def attribute(key, version=None, op=None):
    def change(graph, node):
        node['attrs'][key] = '1'
        node['op'] = op or node['op']
        if version:
            graph['attrs'] = {'mxnet_version': ['int', version]}
    return lambda: changed(change)
out += [fails(mx.MXNetError, attribute(key)) for key in ('mine', '__mine', 'mine__', '_x', 'num_args', 'data')]
out += [fails(mx.MXNetError, attribute('mine', version)) for version in (800, 905, 10000, 10700)]
out += [fails(mx.MXNetError, attribute('mine_lr_mult', 800)), attribute('__mine__')().attr('__mine__')]
out += [attribute('weight_lr_mult', 800)().attr_dict()['f_weight']['__lr_mult__']]
out += [fails(mx.MXNetError, lambda: changed(lambda graph, node: graph.pop('heads')))]
out += [len(changed(lambda graph, node: graph.update(heads=[])).list_outputs())]

## declared-shapes
for text in ('()', '(2, 3)', '(0, 3)'):
    v = sym.var('v', __shape__=text)
    out += [text, (v * 2).infer_shape_partial(), fails(RuntimeError, lambda: len((v * 2).simple_bind(mx.cpu()).arg_arrays))]
for text in ('abc', '(2, -7)', '(99999999999999999999,)'):
    out += [fails(mx.MXNetError, lambda: (sym.var('v', __shape__=text) * 2).infer_shape())]

## casts-around-loops
y, s = sym.contrib.foreach(lambda x, s: (x + s, s * 2), sym.amp_cast(a, dtype='float32'), sym.var('s'))
g = sym.load_json(sym.Group([y, s]).tojson())
out += g.eval(ctx=mx.cpu(), a=nd.arange(6).reshape((3, 2)), s=ones(2))

## epochs
import os, tempfile
folder = tempfile.mkdtemp()
name = os.path.join(folder, 'net')
for epoch in (3.0, onp.int64(4), onp.float32(5.7)):
    mx.model.save_checkpoint(name, epoch, f, {'f_weight': ones(3, 3)}, {})
out += [sorted(os.listdir(folder)), sorted(mx.model.load_checkpoint(name, 3.0)[1])]
out += [fails(TypeError, lambda: mx.model.load_checkpoint(name, '3'))]

## monitor-with-handles
import ctypes
seen = []
def watch(name, handle):
    array = nd.NDArray(ctypes.cast(handle, mx.base.NDArrayHandle), writable=False)
    seen.append((mx.base.py_str(name), array.shape, float(array.asnumpy().sum())))
e = f.bind(mx.cpu(), arrays)
e.set_monitor_callback(watch)
e.forward()
out += [seen]
""",  # noqa: E501 - a program
    before=_BEFORE,
)
