"""gluon.data: datasets, samplers, batching; orders drawn from NumPy's generator."""

from __future__ import annotations

from tests.snippets import snippets

CASES = snippets("""
## dataset/simple
d = gluon.data.SimpleDataset([1, 2, 3])
out += [len(d), d[1], tuple(d[i] for i in range(3))]

## dataset/array-one
d = gluon.data.ArrayDataset([1, 2, 3])
out += [len(d), d[1]]

## dataset/array-two
d = gluon.data.ArrayDataset(onp.arange(6).reshape(3, 2), [10, 20, 30])
out += [len(d), d[1][0], d[1][1], type(d[1]).__name__]

## dataset/array-of-ndarray
d = gluon.data.ArrayDataset(nd.arange(6).reshape((3, 2)), nd.array([1, 2, 3]))
out += [d[1][0], d[1][1], type(d[1][1]).__name__]

## dataset/array-1d-ndarray-becomes-numpy
d = gluon.data.ArrayDataset(nd.array([1, 2, 3]), [1, 2, 3])
out += [type(d[0][0]).__name__, d[0][0]]

## dataset/lengths-differ
gluon.data.ArrayDataset([1, 2], [1, 2, 3])

## dataset/none
gluon.data.ArrayDataset()

## dataset/custom
class Mine(gluon.data.Dataset):
    def __len__(self):
        return 4
    def __getitem__(self, i):
        return onp.full((2,), i, 'float32'), i * 10
l = gluon.data.DataLoader(Mine(), 3)
out += [(tuple(a.shape), tuple(b.asnumpy().tolist())) for a, b in l]

## dataset/transform-lazy
calls = []
d = gluon.data.SimpleDataset([1, 2, 3]).transform(lambda v: calls.append(v) or v * 2)
out += [len(calls), d[1], len(calls), len(d)]

## dataset/transform-eager
calls = []
d = gluon.data.SimpleDataset([1, 2, 3]).transform(lambda v: calls.append(v) or v * 2, lazy=False)
out += [len(calls), d[1], len(calls)]

## dataset/transform_first
d = gluon.data.ArrayDataset([1, 2, 3], [4, 5, 6]).transform_first(lambda v: v * 2)
out += [d[1]]

## dataset/transform-two-arguments
d = gluon.data.ArrayDataset([1, 2, 3], [4, 5, 6]).transform(lambda a, b: (a + b, b))
out += [d[1]]

## dataset/filter
d = gluon.data.SimpleDataset(list(range(10))).filter(lambda v: v % 3 == 0)
out += [len(d), tuple(d[i] for i in range(len(d)))]

## dataset/shard
d = gluon.data.SimpleDataset(list(range(10)))
for i in range(4):
    s = d.shard(4, i)
    out.append(tuple(s[j] for j in range(len(s))))

## dataset/shard-bad-index
gluon.data.SimpleDataset([1, 2]).shard(2, 2)

## dataset/take
d = gluon.data.SimpleDataset(list(range(10)))
out += [len(d.take(3)), len(d.take(30)), len(d.take(None)), d.take(3)[2]]

## dataset/sample
d = gluon.data.SimpleDataset(list(range(10))).sample(gluon.data.SequentialSampler(3))
out += [len(d), d[2]]

## dataset/sample-not-a-sampler
gluon.data.SimpleDataset([1]).sample([0])

## sampler/sequential
s = gluon.data.SequentialSampler(4)
out += [list(s), len(s)]

## sampler/random
onp.random.seed(3)
s = gluon.data.RandomSampler(6)
out += [[int(i) for i in s], [int(i) for i in s], len(s)]

## sampler/filter
s = gluon.data.FilterSampler(lambda v: v > 2, gluon.data.SimpleDataset([1, 5, 3, 2]))
out += [[int(i) for i in s], len(s)]

## sampler/batch-keep
s = gluon.data.BatchSampler(gluon.data.SequentialSampler(7), 3, 'keep')
out += [list(s), list(s), len(s)]

## sampler/batch-discard
s = gluon.data.BatchSampler(gluon.data.SequentialSampler(7), 3, 'discard')
out += [list(s), list(s), len(s)]

## sampler/batch-rollover
s = gluon.data.BatchSampler(gluon.data.SequentialSampler(7), 3, 'rollover')
out += [len(s), list(s), len(s), list(s), len(s), list(s)]

## sampler/batch-unknown
list(gluon.data.BatchSampler(gluon.data.SequentialSampler(7), 3, 'no_such'))

## loader/types
l = gluon.data.DataLoader(gluon.data.ArrayDataset(onp.ones((4, 2), 'float32'), onp.arange(4)), 3)
for a, b in l:
    out += [type(a).__name__, a, b, str(a.context)]
out.append(len(l))

## loader/single-array
out += list(gluon.data.DataLoader(nd.arange(6).reshape((3, 2)), 2))

## loader/list-of-numbers
out += list(gluon.data.DataLoader([1, 2, 3], 2))

## loader/list-of-floats
out += list(gluon.data.DataLoader([1.5, 2.5], 2))

## loader/uint8-images
out += list(gluon.data.DataLoader(gluon.data.ArrayDataset(onp.full((2, 2), 200, 'uint8')), 2))

## loader/ndarray-items
d = gluon.data.SimpleDataset([(nd.ones((2,)) * i, i) for i in range(3)])
for a, b in gluon.data.DataLoader(d, 2):
    out += [a, b]

## loader/nested-items
d = gluon.data.SimpleDataset([(onp.ones(2) * i, (i, [i, i + 1])) for i in range(2)])
for batch in gluon.data.DataLoader(d, 2):
    out += [type(batch).__name__, batch[0], batch[1][0], batch[1][1]]

## loader/shuffle
onp.random.seed(4)
l = gluon.data.DataLoader(gluon.data.SimpleDataset(list(range(8))), 3, shuffle=True)
for _ in range(2):
    out.append([b.asnumpy().tolist() for b in l])

## loader/shuffle-ignores-mx-seed
r = []
for s in (1, 2):
    onp.random.seed(4)
    mx.random.seed(s)
    l = gluon.data.DataLoader(gluon.data.SimpleDataset(list(range(8))), 8, shuffle=True)
    r.append([b.asnumpy().tolist() for b in l])
out.append(r[0] == r[1])

## loader/last-batch
for last in ('keep', 'discard', 'rollover'):
    l = gluon.data.DataLoader(gluon.data.SimpleDataset(list(range(7))), 3, last_batch=last)
    out += [len(l), [b.shape[0] for b in l], [b.shape[0] for b in l]]

## loader/batchify_fn
l = gluon.data.DataLoader(
    gluon.data.SimpleDataset([[1], [1, 2]]),
    2,
    batchify_fn=lambda items: [len(i) for i in items],
)
out += list(l)

## loader/batch_sampler
s = gluon.data.BatchSampler(gluon.data.SequentialSampler(4), 2)
l = gluon.data.DataLoader(gluon.data.SimpleDataset(list(range(4))), batch_sampler=s)
out += [len(l), *list(l)]

## loader/sampler
l = gluon.data.DataLoader(
    gluon.data.SimpleDataset(list(range(9))), 2, sampler=gluon.data.SequentialSampler(3)
)
out += list(l)

## loader/sampler-and-shuffle
gluon.data.DataLoader([1, 2], 2, sampler=gluon.data.SequentialSampler(2), shuffle=True)

## loader/batch_sampler-and-size
gluon.data.DataLoader(
    [1, 2], 2, batch_sampler=gluon.data.BatchSampler(gluon.data.SequentialSampler(2), 1)
)

## loader/no-size
gluon.data.DataLoader([1, 2])

## loader/enumerate-twice
l = gluon.data.DataLoader([1, 2, 3], 2)
out += [tuple((i, b.shape) for i, b in enumerate(l)), tuple((i, b.shape) for i, b in enumerate(l))]

## loader/two-iterators
l = gluon.data.DataLoader([1, 2, 3, 4], 2)
a, b = iter(l), iter(l)
out += [next(a), next(b), next(a), next(b)]

## loader/error-in-dataset
d = gluon.data.SimpleDataset([1, 2]).transform(lambda v: 1 / 0)
list(gluon.data.DataLoader(d, 2))

## batchify/default
default_batchify_fn = gluon.data.dataloader.default_batchify_fn
out += [
    default_batchify_fn([nd.ones((2,)), nd.zeros((2,))]),
    default_batchify_fn([(1, 2.5), (3, 4.5)]),
]
""")
