"""Functions of symbols and numbers that MXNet writes by hand."""

from __future__ import annotations

from tests.snippets import snippets

CASES = snippets(
    """
## names-and-operators
r = [sym.maximum(a, b), sym.maximum(a, 2), sym.maximum(2, a), sym.minimum(a, 2)]
r += [sym.power(a, b), sym.power(a, 2), sym.power(2, a), sym.hypot(a, 3), a.astype('float16')]
out += [(s.name, s.list_attr(), s.list_arguments()) for s in r]

## numbers-alone
out += [sym.pow(2, 3), sym.maximum(2, 3), sym.minimum(2, 3), sym.hypot(3, 4)]

## wrong-type
sym.power(a, 'x')

## values
x, y = nd.array([1, -2, 3]), nd.array([2, 2, 2])
s = sym.Group([sym.maximum(a, b), sym.minimum(a, 0.5), sym.power(b, a), sym.hypot(a, b)])
out += s.bind(mx.cpu(), {'a': x, 'b': y}).forward()

## split_v2
s = sym.split_v2(a, (1, 2))
out += [s.list_outputs()] + s.bind(mx.cpu(), {'a': nd.arange(6).reshape((3, 2))}).forward()

## hidden-outputs-in-names
r = [sym.sort(a), sym.topk(a), sym.topk(a, ret_typ='value'), sym.topk(a, ret_typ='both')]
r += [sym.linalg.det(a), sym.linalg.slogdet(a), sym.make_loss(a), sym.MakeLoss(a)]
r += [sym.split(a, num_outputs=1), sym.split(a, num_outputs=2), sym.contrib.MultiBoxTarget(a)]
r += [sym.ROIPooling(a, b, pooled_size=(1, 1), spatial_scale=1), sym.LRN(a, nsize=3)]
out += [(s.list_outputs(), s.get_internals().list_outputs(), len(s)) for s in r]

## partial-shapes
for s in (sym.where(a, b, sym.var('c')), sym.stack(a, b, axis=1)):
    for given in ({'a': (2, 3)}, {'b': (2, 3)}, {'a': (2, 3), 'b': (2, 3)}):
        try:
            out.append(str(s.infer_shape_partial(**given)))
        except mx.MXNetError:
            out.append('error')

## counted-arrays-by-name
up = {'scale': 2, 'num_filter': 3}
s = sym.UpSampling(data=a, sample_type='bilinear', num_args=1, name='u', **up)
out += [s.list_arguments(), s.infer_shape(a=(1, 3, 4, 4))]
out.append(sym.UpSampling(a, sample_type='bilinear', name='v', **up).list_arguments())
out.append(sym.UpSampling(data=a, weight=b, sample_type='bilinear', **up).list_arguments())
out.append(sym.UpSampling(arg0=a, sample_type='nearest', scale=2).list_arguments())
out.append(sym.concat(arg0=b, arg1=a).list_arguments())
out.append(sym.add_n(arg0=a, arg1=b, num_args=2).list_arguments())

## counted-arrays-by-name-and-position
sym.concat(a, arg1=b)

## counted-arrays-of-no-such-name
sym.UpSampling(data=a, sample_type='nearest', scale=2)

## how-a-given-variable-starts
v, w = sym.var('v'), sym.var('w', init=mx.init.One())
sym.LeakyReLU(a, v, act_type='prelu')
sym.LeakyReLU(a, w, act_type='prelu')
out += [v.attr('__init__'), w.attr('__init__')]
s = sym.BatchNorm(a, moving_var=sym.var('m'))
out.append(s.attr_dict()['m'])

## axes-that-are-none
f = sym.flip(a, axis=None)
out += [f.list_attr(), f.list_outputs(), sym.tile(a, reps=None).list_attr()]

## only-arrays-have-it
a.asnumpy()
""",
    before="a, b = sym.var('a'), sym.var('b')\n",
)
