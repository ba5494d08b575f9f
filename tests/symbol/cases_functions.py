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

## only-arrays-have-it
a.asnumpy()
""",
    before="a, b = sym.var('a'), sym.var('b')\n",
)
