"""Recorded cases: ResizeIter and PrefetchingIter."""

from __future__ import annotations

from tests.io.cases_array_iter import BEFORE
from tests.snippets import snippets

CASES = snippets(
    """
## resize/longer
it = mx.io.ResizeIter(N(x, y, 2), 5)
out += [it.batch_size, it.size, it.cur, it.current_batch, it.reset_internal]
out += [repr(it.provide_data), repr(it.provide_label)]
for _ in range(2):
    out.append([[b.label, b.pad, b.index] for b in it]); out.append(it.cur); it.reset()

## resize/shorter
it = mx.io.ResizeIter(N(x, y, 2), 2)
for _ in range(3):
    out.append([b.label for b in it]); it.reset()

## resize/goes-on
it = mx.io.ResizeIter(N(x, y, 2), 2, reset_internal=False)
for _ in range(3):
    out.append([b.label for b in it]); it.reset()

## resize/parts
it = mx.io.ResizeIter(N(x, y, 2), 2)
out += [it.iter_next(), it.getdata(), it.getlabel(), it.getpad(), it.getindex()]
out += [it.iter_next(), it.iter_next(), it.cur]

## resize/parts-before-the-start
mx.io.ResizeIter(N(x, y, 2), 2).getdata()

## resize/nothing
out += [list(mx.io.ResizeIter(N(x, y, 2), 0))]

## resize/bucket-key
class F(N):
    default_bucket_key = 7
out += [mx.io.ResizeIter(F(x, y, 2), 3).default_bucket_key]
out += [hasattr(mx.io.ResizeIter(N(x, y, 2), 3), 'default_bucket_key')]

## resize/source-without-descriptions
class E(mx.io.DataIter):
    pass
mx.io.ResizeIter(E(), 3)

## resize/empty-source
class E(mx.io.DataIter):
    provide_data = provide_label = []
    def next(self):
        raise StopIteration
out += [list(mx.io.ResizeIter(E(), 3))]

## prefetch/one
it = mx.io.PrefetchingIter(N(x, y, 2))
out += [it.batch_size, it.n_iter, it.started, it.current_batch, it.rename_data, it.rename_label]
for _ in range(3):
    out.append([[b.data, b.label, b.pad, b.index] for b in it]); it.reset()
b = it.next()
out += [b is it.current_batch, repr(b.provide_data), repr(b.provide_label), b.bucket_key]

## prefetch/parts
it = mx.io.PrefetchingIter(N(x, y, 2))
out += [it.iter_next(), it.getdata(), it.getlabel(), it.getpad(), it.getindex()]

## prefetch/past-the-end
it = mx.io.PrefetchingIter(N(x, y, 2))
out += [len(list(it)), next(it, None), next(it, None)]
it.reset(); it.next(); it.reset(); out.append(it.next().label)

## prefetch/two
it = mx.io.PrefetchingIter([N(x, y, 2), N(x * 2, y * 2, 2)])
out += [repr(it.provide_data), repr(it.provide_label), len(it.prefetch_threads)]
for b in it:
    out.append([b.data, b.label, b.pad])

## prefetch/rename
it = mx.io.PrefetchingIter(
    [N(x, y, 2), N(x * 2, y * 2, 2)],
    rename_data=[{'data': 'd1'}, {'data': 'd2'}],
    rename_label=[{'softmax_label': 'l1'}, {'softmax_label': 'l2'}],
)
out += [repr(it.provide_data), repr(it.provide_label), it.rename_data]
out += [repr(it.next().provide_data)]

## prefetch/rename-tuples
class T(N):
    provide_data = [('data', (2, 2))]
    provide_label = [('softmax_label', (2,))]
it = mx.io.PrefetchingIter([T(x, y, 2)], rename_data=[{'data': 'q'}])
out += [repr(it.provide_data), it.provide_label]

## prefetch/rename-layout
it = mx.io.PrefetchingIter([N(x, y, 2, layout='NC')], rename_data=[{'data': 'q'}])
out += [repr(it.provide_data)]

## prefetch/rename-missing
mx.io.PrefetchingIter([N(x, y, 2)], rename_data=[{'other': 'q'}])

## prefetch/nothing
mx.io.PrefetchingIter([])

## prefetch/second-is-longer
it = mx.io.PrefetchingIter([N(x, y, 2), N(onp.arange(20).reshape(10, 2), None, 2)])
out.append(it.next().data); it.next()
fails(it.next, AssertionError)

## prefetch/other-padding
it = mx.io.PrefetchingIter([N(x, y, 2), N(onp.arange(18).reshape(9, 2), None, 4)])
out.append(it.next().data); it.next()
fails(it.next, AssertionError)
""",
    BEFORE,
)
