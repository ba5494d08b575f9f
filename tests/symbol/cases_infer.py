"""What follows from some shapes and types; attributes; pickles."""

from tests.snippets import snippets

_SHOWN = """
import pickle, warnings

def types(s, **given):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        found = s.infer_type(**given)
    return [None if part is None else [t.__name__ for t in part] for part in found]

def some(s, **given):
    found = s.infer_type_partial(**given)
    return [[t if t is None else t.__name__ for t in part] for part in found]

x = sym.var('x')
fc = sym.FullyConnected(x, num_hidden=3, name='fc')
"""

_TYPES = """
sym.cast(x, dtype='float64')
sym.argmax(x)
sym.topk(x, ret_typ='both')
sym.topk(x)
sym.argsort(x)
sym.shape_array(x)
sym.broadcast_equal(x, sym.var('y'))
x + sym.var('y')
sym.SoftmaxOutput(x, name='s')
sym.Convolution(x, num_filter=1, kernel=(3, 3), name='c')
sym.dot(x, sym.var('y'))
sym.Concat(x, sym.var('y'))
sym.LayerNorm(x, name='l')
sym.softmax(x)
sym.norm(x)
sym.mean(x)
x / 2
x > 1
sym.SliceChannel(x, num_outputs=2)
sym.LeakyReLU(x, act_type='prelu', name='lk')
sym.Deconvolution(x, num_filter=2, kernel=(1, 1), name='d')
sym.Flatten(x)
sym.BatchNorm(x, name='bn')
sym.FullyConnected(sym.cast(x, dtype='float64'), num_hidden=3, name='fc')
sym.relu(sym.BatchNorm(sym.Convolution(x, num_filter=1, kernel=(1, 1), name='c')))
"""


def _types():
    lines = []
    for text in _TYPES.strip().splitlines():
        lines.append(f"## types/{text}\ns = {text}\n")
        lines.append("out += [types(s, x='float16'), types(s), some(s)]\n")
    return "\n".join(lines)


CASES = snippets(
    _types()
    + """
## types/of-indices
for s in (sym.one_hot(x, depth=3), sym.Embedding(x, input_dim=3, output_dim=2, name='e'),
    sym.Embedding(x, input_dim=3, output_dim=2, dtype='float64', name='e'), sym.softmax(x,
        dtype='float32')):
    out.append(types(s, x='float16'))

## types/backwards
out += [types(fc, fc_weight='float16'), types(fc, fc_bias='float64'), types(fc, x='int32')]
out += [types(sym.broadcast_add(sym.exp(x), sym.var('y')), y='float16')]

## types/declared
s = sym.FullyConnected(sym.var('d', dtype='float16'), num_hidden=3, name='fc')
out += [types(s), some(s)]

## types/nothing [warns]
out += [fc.infer_type()]

## types/of-sources
for s in (sym.zeros((2,)), sym.ones((2,), dtype='int32'), sym.arange(3),
    sym.random.uniform(shape=(2,))):
    out.append(types(s))

## types/of-softmax
for s in (sym.softmax(x, dtype='float64'), sym.log_softmax(x, dtype='float16'), sym.softmin(x),
    sym.softmin(x, dtype='float32'), sym.softmax(sym.exp(x), dtype='float16')):
    out += [some(s), types(s, x='float32')]

## types/softmax-refused
sym.softmax(x, dtype='int32')

## types/differ
fc.infer_type(x='float16', fc_weight='float32')

## types/unknown-name
fc.infer_type(zz='float16')

## types/twice
fc.infer_type('float16', x='float16')

## shapes
out += [fc.infer_shape(x=(2, 4)), fc.infer_shape_partial(x=(0, 4)),
    fc.infer_shape_partial(x=(2, 4))]

## shapes/nothing [warns]
out += [fc.infer_shape()]

## shapes/batch-unknown [warns]
out += [fc.infer_shape(x=(0, 4))]

## shapes/from-the-weight [warns]
out += [fc.infer_shape(fc_weight=(3, 7))]

## shapes/declared
s = sym.FullyConnected(sym.var('d', shape=(5, 0)), num_hidden=3, name='fc')
out += [s.infer_shape(d=(5, 7)), s.infer_shape_partial(d=(5, 7))]

## shapes/unknown-name
fc.infer_shape(zz=(1,))

## shapes/not-a-tuple
fc.infer_shape(x=[2, 4])

## shapes/number
fc.infer_shape(x=3)

## shapes/twice
fc.infer_shape((2, 4), x=(2, 4))

## shapes/wrong-weight
fc.infer_shape(x=(2, 4), fc_weight=(3, 7))

## attributes
v = sym.var('v', lr_mult=2., wd_mult=0.5, shape=(2, 3), dtype='float16', init=mx.init.One(),
    attr={'ctx_group': 'd', 'foo': 'bar'}, __my__='7')
with mx.AttrScope(ctx_group='e', lr_mult='3', __data__='q'):
    f = sym.FullyConnected(v, num_hidden=4, name='fc', attr={'__mood__': 'so', 'wd_mult': '0'})
out += [sorted((k, sorted(a.items())) for k, a in f.attr_dict().items()),
    sorted(v.list_attr().items())]
out += [v.attr('lr_mult'), v.attr('__lr_mult__'), v.attr('ctx_group'), v.attr('nope'),
    f.attr('num_hidden')]
f._set_attr(__bar__='1', lr_mult='5')
out += [sorted(f.list_attr().items()), sorted(sym.Group([f, v]).list_attr().items()), f.tojson()]

## attributes/recursive
fc.list_attr(recursive=True)

## attributes/not-text
fc._set_attr(lr_mult=5)

## pickle
s = pickle.loads(pickle.dumps(sym.Group([fc, fc.get_internals()['fc_weight']])))
out += [s.list_outputs(), s.tojson() == sym.Group([fc, fc.get_internals()['fc_weight']]).tojson()]

## backends
net = sym.relu(sym.FullyConnected(x, num_hidden=3, name='fc'))
rng = onp.random.RandomState(0)
found = zip(net.list_arguments(), net.infer_shape(x=(2, 4))[0])
args = {k: nd.array(rng.rand(*s)) for k, s in found}
for s in (net.optimize_for('MKLDNN'), net.optimize_for('no'), net.get_backend_symbol('MKLDNN')):
    out += [s.list_arguments(), len(s.list_outputs())] + s.bind(mx.cpu(), args).forward()

## backends/absent
fc.get_backend_symbol('nothing')

## empty-shape
f = sym.FullyConnected(sym.var('a'), num_hidden=3, name='full')
out += [f.infer_shape(a=()), (sym.var('a') + 1).infer_shape_partial(a=())]

## shapes-ask-for-no-types
s = sym.cast(x, 'float64') * sym.var('y')
out += [s.infer_shape(x=(2, 2)), s.infer_shape(x=(2, 2), y=(2, 2))]
s = sym.broadcast_mul(sym.cast(x, 'float64'), sym.var('y', dtype='float32'))
out += [s.infer_shape(x=(2, 2), y=(1, 2))]
s = sym.Concat(sym.cast(fc, 'int32'), sym.var('y', dtype='float32'), dim=0)
out += [s.infer_shape(x=(2, 3), y=(1, 3))]

## backends/not-text
fc.optimize_for(3)

## types-of-a-choice
s = sym.where(sym.var('c'), sym.var('a'), sym.var('b'))
for known in ({'a': 'float16'}, {'b': 'float64'}, {'c': 'int32'}):
    out += [[t and t.__name__ for t in part] for part in s.infer_type_partial(**known)]

## types-of-statistics-alone [warns]
out += [sym.BatchNorm(x, name='bn').infer_type(bn_gamma='float64')]

## doubled-outputs
y = x * x
for g in ([y, y], [y, y + 1], [x, x]):
    e = sym.Group(g).simple_bind(mx.cpu(), x=(1,))
    e.arg_arrays[0][:] = 3
    e.forward(is_train=True)
    e.backward([nd.array([10]), nd.array([1])])
    out += [e.grad_arrays[0]]
""",
    before=_SHOWN,
)
