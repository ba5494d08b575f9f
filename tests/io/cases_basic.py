"""Recorded cases: DataDesc, DataBatch, the base class DataIter."""

from __future__ import annotations

from tests.snippets import snippets

CASES = snippets("""
## desc/defaults
d = mx.io.DataDesc('a', (2, 3))
out += [repr(d), tuple(d), d.dtype is onp.float32, d.layout, d == ('a', (2, 3)), d._fields]

## desc/given
d = mx.io.DataDesc('a', (2, 3), 'int32', 'NTC')
name, shape = d
out += [str(d), d.name, d.shape, d.dtype, name, shape, hash(d) == hash(('a', (2, 3)))]

## desc/pickle
import pickle
d = pickle.loads(pickle.dumps(mx.io.DataDesc('a', (2, 3), 'int32', 'NTC')))
out += [repr(d), d.dtype, d.layout]

## desc/get_batch_axis
out += [mx.io.DataDesc.get_batch_axis(l) for l in ('NCHW', 'TNC', None, '', 'C', 'NN', 'CN')]

## desc/get_list
get = mx.io.DataDesc.get_list
pairs = [('a', (1, 2)), ('b', (3,))]
out += [repr(get(pairs, [('a', 'f2'), ('b', 'i4')])), repr(get(pairs, None)), repr(get([], None))]

## desc/get_list-type-missing
mx.io.DataDesc.get_list([('a', (1, 2)), ('b', (3,))], [('a', 'f2')])

## batch/text
b = mx.io.DataBatch([nd.zeros((2, 3))], [nd.zeros((2,))], pad=1)
out += [str(b), str(mx.io.DataBatch([nd.zeros((2, 3))])), b.pad, sorted(b.__dict__)]
out += [str(mx.io.DataBatch((nd.zeros((2,)),), ()))]

## batch/single-data
mx.io.DataBatch(nd.zeros((2, 3)))

## batch/single-label
mx.io.DataBatch([nd.zeros((2, 3))], nd.zeros((2,)))

## batch/none
b = mx.io.DataBatch(None)
out += [b.data, b.label, b.index, b.bucket_key, b.provide_data, b.provide_label]
str(b)

## iter/base
i = mx.io.DataIter()
out += [i.batch_size, mx.io.DataIter(4).batch_size, iter(i) is i]
out += [i.reset(), i.iter_next(), i.getdata(), i.getlabel(), i.getindex(), i.getpad()]
out += [next(i, None)]

## iter/by-parts
class Mine(mx.io.DataIter):
    def __init__(self):
        super().__init__(2)
        self.count = 0
    def reset(self):
        self.count = 0
    def iter_next(self):
        self.count += 1
        return self.count < 4
    def getdata(self):
        return [nd.ones((2,)) * self.count]
    def getlabel(self):
        return [nd.zeros((2,))]
    def getpad(self):
        return 1
    def getindex(self):
        return [self.count]
it = Mine()
for b in it:
    out += [type(b).__name__, b.data[0], b.label[0], b.pad, b.index]
it.reset()
out += [len(list(it)), next(it, None)]
it.reset()
out += [it.next().data]
""")
