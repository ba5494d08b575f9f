"""Recorded cases: NDArrayIter."""

from __future__ import annotations

from tests.snippets import snippets

BEFORE = """
N = mx.io.NDArrayIter
x, y = onp.arange(10).reshape(5, 2), onp.arange(5)
def epochs(it, count=3):
    for _ in range(count):
        out.append(['cursor', it.cursor])
        for b in it:
            out.append([[a for a in b.data], [a for a in b.label], b.pad, b.index, it.cursor])
        it.reset()
def fails(call, error):
    try:
        out.append(call())
    except error:
        out.append('refused')
def told(it):
    out.append([repr(it.provide_data), repr(it.provide_label)])
    out.append([[name, array] for name, array in it.data + it.label])
"""

_HANDLES = "\n".join(
    f"""
## {handle}/{size}{"/shuffle" if shuffle else ""}
it = N(x, y, {size}, shuffle={shuffle}, last_batch_handle={handle!r})
epochs(it)
out += [it.idx, it.num_data, it.num_source]
"""
    for handle in ("pad", "discard", "roll_over")
    for size in (1, 2, 3, 5)
    for shuffle in (False, True)
)

CASES = snippets(
    _HANDLES
    + """
## pad/more-than-all
epochs(N(x, y, 7), 2)
epochs(N(x, y, 12), 2)

## pad/one-and-a-half-times
epochs(N(x, y, 10), 2)

## roll_over/more-than-all
epochs(N(x, y, 7, last_batch_handle='roll_over'), 3)

## roll_over/much-more-than-all
it = N(x, y, 12, last_batch_handle='roll_over')
epochs(it, 1)
fails(it.next, mx.base.MXNetError)
it.reset(); epochs(it, 2)

## roll_over/reset-in-the-middle
it = N(x, y, 2, last_batch_handle='roll_over')
it.next(); it.reset()
epochs(it, 2)

## roll_over/hard_reset
it = N(x, y, 2, last_batch_handle='roll_over')
out += [len(list(it)), it.cursor, it._cache_label]
it.hard_reset()
out += [it.cursor, it._cache_data, it._cache_label]
epochs(it, 2)

## hard_reset/shuffle
it = N(x, y, 2, shuffle=True)
out.append(it.idx.copy()); it.hard_reset(); out += [it.idx, it.label[0][1], it.data_list]

## shuffle/draws
it = N(x, y, 2, shuffle=True); out.append(onp.random.rand())
it.reset(); out += [it.idx, onp.random.rand()]

## shuffle/source-stays
s = nd.array(y); it = N(x, s, 2, shuffle=True); out += [s, it.data_list]; told(it)

## shuffle/types
it = N(nd.array(x, dtype='int32'), nd.array(y, dtype='float64'), 2, shuffle=True)
told(it); epochs(it, 1)

## shuffle/context
it = N(nd.array(x, ctx=mx.cpu(1)), y, 2, shuffle=True)
b = it.next(); out += [str(b.data[0].context), str(b.label[0].context)]

## source/is-shared
s = nd.array(y); it = N(s, None, 2); s[0] = 99; out += [it.next().data, it.data[0][1] is s]

## source/forms
told(N(x)); told(N([x, x])); told(N({'b': x, 'a': x})); told(N(nd.array(x)))
told(N(x, [y, y])); told(N(x, {'k': y})); told(N(x, y, data_name='dd', label_name='ll'))
told(N([[1, 2], [3, 4]])); told(N({'a': [1, 2]})); told(N(x, [])); told(N([x] * 12))

## source/types
for a in (x.astype('float16'), x.astype('uint8'), x > 3, nd.array(x, dtype='int32')):
    it = N(a, y, 2); out += [it.next().data, repr(it.provide_data)]

## source/none
N(None)

## source/empty-list
N([])

## source/text
N('abc')

## source/tuple
N((x, x))

## source/list-of-texts
N(['abc'])

## source/text-array
N(onp.array(['a', 'b']))

## source/list-of-numbers
N([1, 2, 3])

## source/no-samples
it = N(onp.zeros((0, 2)), None, 2); out += [list(it), it.cursor]

## sparse/csr
c = nd.array(x).tostype('csr')
it = N(c, y, 2, last_batch_handle='discard')
out.append([repr(it.provide_data), it.data[0][1].stype])
epochs(it, 2)
it = N(c, y, 2, shuffle=True, last_batch_handle='discard')
out += [it.data[0][1], it.data[0][1].stype]
epochs(it, 2)
fails(lambda: N(c, y, 2), NotImplementedError); fails(lambda: N(x, c, 2), NotImplementedError)
fails(lambda: N(c, y, 2, last_batch_handle='roll_over'), NotImplementedError)

## sparse/row_sparse
epochs(N(nd.array(x).tostype('row_sparse'), y, 2), 1)

## labels/more
epochs(N(x, onp.arange(7), 2), 1)

## labels/more-shuffled
epochs(N(x, onp.arange(7), 2, shuffle=True), 1)

## labels/fewer
it = N(x, onp.arange(4), 2); out += [it.next().label, it.next().label]
fails(it.next, mx.base.MXNetError)

## labels/fewer-shuffled
N(x, onp.arange(4), 2, shuffle=True)

## layout/batch-axis-1
z, k = onp.arange(24).reshape(2, 4, 3), onp.arange(8).reshape(2, 4)
for layout in ('NCHW', 'TNC', 'NTC', 'CN'):
    for size in (2, 3):
        it = N(z, k, size, layout=layout); told(it); epochs(it, 1)

## layout/shuffle
z, k = onp.arange(24).reshape(2, 4, 3), onp.arange(8).reshape(2, 4)
it = N(z, k, 3, layout='TNC', shuffle=True); told(it); epochs(it, 2)

## parts
it = N(x, y, 2)
out += [it.getpad(), it.getindex(), it.iter_next(), it.getdata(), it.getlabel(), it.getpad()]
out += [it.iter_next(), it.iter_next(), it.getpad(), it.getdata(), it.iter_next(), it.iter_next()]
out += [it.cursor]; fails(it.getdata, AssertionError); fails(it.getlabel, AssertionError)

## parts/before-the-start
N(x, y, 2).getdata()

## next/past-the-end
it = N(x, y, 2)
out += [len(list(it)), len(list(it)), next(it, None), it.cursor]
fails(it.next, StopIteration)

## attributes
it = N(x, y, 2)
out += [sorted(it.__dict__), it.batch_size, it.cursor, it.shuffle, it.last_batch_handle, it.layout]
b = it.next(); out += [type(b.data).__name__, b.provide_data, b.bucket_key]

## provide_data/set
N(x, y, 2).provide_data = 3

## unknown-handle
epochs(N(x, y, 2, last_batch_handle='other'), 2)

## batch_size/zero
N(x, y, 0).next()

## batch_size/float
N(x, y, 2.5).next()

## helpers
f = mx.io._init_data
out += [f(None, True, 'd'), f({'b': x, 'a': y}, True, 'd'), f([x, [1, 2]], True, 'd')]
out += [f({}, False, 'd')]
out += [mx.io._has_instance([('a', nd.array(x))], nd.NDArray), mx.io._has_instance([], nd.NDArray)]
out += [mx.io._getdata_by_idx([('a', nd.array(y, dtype='int32'))], [1, 0, 4])]
out += [mx.io.utils._slice_along_batch_axis(nd.array(x), slice(1, 2), 1)]

## pickle
import pickle
it = N(x, y, 2); it.next(); epochs(pickle.loads(pickle.dumps(it)), 1)

## subclass
class Twice(N):
    def next(self):
        b = super().next()
        return mx.io.DataBatch([a * 2 for a in b.data], b.label, b.pad, b.index)
epochs(Twice(x, y, 2), 2)
""",
    BEFORE,
)
