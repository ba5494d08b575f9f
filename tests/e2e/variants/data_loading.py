"""Datasets, samplers, transforms and DataLoaders: orders, sizes, types."""
import mxnet as mx
import numpy as np
from mxnet import gluon, nd
from mxnet.gluon.data import (ArrayDataset, BatchSampler, DataLoader, RandomSampler,
                              SequentialSampler, SimpleDataset)


def ints(values):
    return [int(v) for v in np.ravel(values)]


x = np.arange(20, dtype='float32').reshape(10, 2)
y = np.arange(10, dtype='int32')
for last in ('keep', 'discard', 'rollover'):
    for shuffle in (False, True):
        np.random.seed(1)
        loader = DataLoader(ArrayDataset(x, y), batch_size=4, shuffle=shuffle, last_batch=last)
        for epoch in range(3):
            print('draw', last, shuffle, epoch, len(loader), [ints(b.asnumpy()) for _, b in loader])
for a, b in DataLoader(ArrayDataset(x, y), batch_size=4):
    print('types', type(a).__name__, a.shape, np.dtype(a.dtype).name, b.shape, np.dtype(b.dtype).name, a.context)
for a, b in DataLoader(ArrayDataset(nd.array(x), nd.array(y)), batch_size=6):
    print('nd types', a.shape, np.dtype(a.dtype).name, b.shape, np.dtype(b.dtype).name)
for a in DataLoader(ArrayDataset(x.astype('float64')), batch_size=5):
    print('float64', a.shape, np.dtype(a.dtype).name)
for a in DataLoader(SimpleDataset([1, 2, 3]), batch_size=2):
    print('numbers', ints(a.asnumpy()), np.dtype(a.dtype).name)
for a in DataLoader(SimpleDataset([1.5, 2.5, 3.5]), batch_size=2):
    print('floats', a.asnumpy().tolist(), np.dtype(a.dtype).name)
for batch in DataLoader(SimpleDataset([(i, np.ones(2, 'float32') * i, [i, i + 1]) for i in range(3)]), batch_size=2):
    print('tuples', [ints(b.asnumpy()) if hasattr(b, 'asnumpy') else [ints(c.asnumpy()) for c in b] for b in batch])

dataset = ArrayDataset(x, y)
print('dataset', len(dataset), ints(dataset[3][0]), int(dataset[3][1]))
first = dataset.transform_first(lambda a: a * 10)
print('transform_first', ints(first[3][0]), int(first[3][1]))
both = dataset.transform(lambda a, b: (a + b, b * 2), lazy=False)
print('transform', ints(both[3][0]), int(both[3][1]), len(both))
print('take', [int(b) for _, b in dataset.take(3)], len(dataset.take(100)), len(dataset.take(None)))
print('filter', [int(v[1]) for v in dataset.filter(lambda v: v[1] % 3 == 0)])
print('shard', [[int(v[1]) for v in dataset.shard(3, i)] for i in range(3)])
print('sample', [int(v[1]) for v in dataset.sample(SequentialSampler(4))])
print('sequential', list(SequentialSampler(4)), len(SequentialSampler(4)))
np.random.seed(2)
sampler = RandomSampler(8)
print('draw random', ints(list(sampler)), ints(list(sampler)), len(sampler))
for last in ('keep', 'discard', 'rollover'):
    batches = BatchSampler(SequentialSampler(10), 3, last)
    print('batches', last, list(batches), list(batches), len(batches))
np.random.seed(3)
loader = DataLoader(dataset, batch_sampler=BatchSampler(RandomSampler(10), 5, 'keep'))
print('draw batch_sampler', [ints(b.asnumpy()) for _, b in loader])
loader = DataLoader(dataset, batch_size=3, sampler=SequentialSampler(7))
print('sampler', [ints(b.asnumpy()) for _, b in loader])


def batchify(items):
    return nd.array([a for a, _ in items]).sum(axis=1), len(items)


for a, n in DataLoader(dataset, batch_size=4, batchify_fn=batchify):
    print('batchify', ints(a.asnumpy()), n)
for bad in (dict(batch_size=None), dict(batch_size=2, shuffle=True, sampler=SequentialSampler(3)),
            dict(batch_size=2, batch_sampler=BatchSampler(SequentialSampler(3), 2)),
            dict(batch_size=2, last_batch='no_such')):
    try:
        list(DataLoader(dataset, **bad))
        print('accepted', sorted(bad))
    except ValueError:
        print('refused', sorted(bad))
for workers in (0,):
    loader = DataLoader(dataset.transform_first(lambda a: a / 2), batch_size=5, num_workers=workers)
    print('workers', workers, [ints(a.asnumpy() * 2) for a, _ in loader])
loader = DataLoader(dataset, batch_size=5, pin_memory=False)
print('twice', [ints(b.asnumpy()) for _, b in loader], [ints(b.asnumpy()) for _, b in loader])
it = iter(loader)
print('next', ints(next(it)[1].asnumpy()), ints(next(it)[1].asnumpy()))
try:
    next(it)
except StopIteration:
    print('StopIteration')
