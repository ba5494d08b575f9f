"""Data sets, loaders, images, for the port."""

from __future__ import annotations

from tests.snippets import snippets

ARRAYS = """
x = onp.arange(24, dtype='float32').reshape(8, 3)
y = onp.arange(8, dtype='float32')
image = nd.array(onp.arange(6 * 8 * 3).reshape(6, 8, 3) * 5 % 251, dtype='uint8')
transforms = gluon.data.vision.transforms
"""

CASES = snippets(
    """
## data/arrays
dataset = gluon.data.ArrayDataset(nd.array(x), nd.array(y))
loader = gluon.data.DataLoader(dataset, batch_size=3, shuffle=False, last_batch='discard')
out += [len(dataset), len(loader)]
for i, (a, b) in enumerate(loader):
    out += [i, a, b, a.shape[0]]

## data/rolled
it = mx.io.NDArrayIter(x[:7], y[:7], batch_size=3, last_batch_handle='roll_over')
for epoch in range(4):
    it.reset()
    out += [[(b.data[0].asnumpy(), b.label[0].asnumpy(), b.pad) for b in it]]
loader = gluon.data.DataLoader(gluon.data.ArrayDataset(nd.array(y[:7])), 3, last_batch='rollover')
for epoch in range(4):
    out += [len(loader), [b.asnumpy() for b in loader]]

## data/numpy-and-one-array
loader = gluon.data.DataLoader(gluon.data.ArrayDataset(x, y), batch_size=4)
for a, b in loader:
    out += [a.sum().asscalar(), b.sum().asscalar()]
for a in gluon.data.DataLoader(gluon.data.ArrayDataset(nd.array(x)), 5):
    out += [a.shape]

## data/simple-with-transform
words = gluon.data.SimpleDataset([[1, 2], [3, 4], [5, 6]])
twice = words.transform(lambda pair: [2 * v for v in pair])
odd = gluon.data.SimpleDataset([1, 2, 3, 4, 5]).filter(lambda v: v % 2 == 1)
out += [len(twice), twice[1], [odd[i] for i in range(len(odd))]]
some = odd.take(2)
out += [[some[i] for i in range(len(some))]]

## data/transform-first
def scale(row):
    return row.astype('float32') / 10

dataset = gluon.data.ArrayDataset(nd.array(x), y).transform_first(scale)
for a, b in gluon.data.DataLoader(dataset, batch_size=8, num_workers=0):
    out += [a, b]
eager = gluon.data.ArrayDataset(nd.array(x), y).transform(lambda a, b: (a + b, b), lazy=False)
out += [eager[2][0]]

## data/own-class
class Pairs(gluon.data.Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        return nd.array([index, index + 1]), index * 2

for a, b in gluon.data.DataLoader(Pairs(5), batch_size=2, last_batch='keep'):
    out += [a, b]

## data/samplers
sampler = gluon.data.BatchSampler(gluon.data.SequentialSampler(7), 3, 'keep')
out += [list(sampler), len(sampler)]
dataset = gluon.data.ArrayDataset(x, y)
loader = gluon.data.DataLoader(dataset, batch_size=3, sampler=gluon.data.SequentialSampler(8))
out += [b for _, b in loader]

## data/iterator
it = mx.io.NDArrayIter(x, y, batch_size=3, shuffle=False)
for epoch in range(2):
    it.reset()
    for batch in it:
        out += [batch.data[0], batch.label[0], batch.pad]
it = mx.io.NDArrayIter(data=x, label=y, batch_size=3, last_batch_handle='discard')
out += [sum(1 for _ in it), it.batch_size]
it.reset()
out += [it.next().data[0]]

## image/to-tensor-and-normalize
first = transforms.ToTensor()
both = transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.5, 0.25)])
each = transforms.Compose([
    transforms.ToTensor(),
    transforms.Normalize(mean=(0.1, 0.2, 0.3), std=(0.5, 0.4, 0.3)),
])
out += [first(image), both(image), each(image), transforms.Cast('float32')(image)]

## image/crops
out += [transforms.CenterCrop(4)(image), transforms.CenterCrop((5, 3))(image)]
found, where = mx.image.center_crop(image, (4, 2))
out += [found, list(where), mx.image.fixed_crop(image, 1, 2, 4, 3)]
out += [mx.image.random_crop(image, (8, 6))[0]]
out += [mx.image.color_normalize(image.astype('float32'), nd.array([1.0, 2.0, 3.0]))]

## image/resizing
floats = image.astype('float32') / 255
out += [mx.image.imresize(floats, 5, 4), transforms.Resize((4, 3))(floats)]
out += [transforms.Resize(5)(floats), transforms.Resize(4, keep_ratio=True)(floats)]
out += [mx.image.resize_short(floats, 9), mx.image.fixed_crop(floats, 1, 1, 4, 4, size=(3, 3))]

## image/data-loader
images = nd.array(onp.arange(5 * 4 * 4 * 1).reshape(5, 4, 4, 1) * 3, dtype='uint8')
labels = onp.arange(5, dtype='int32')
dataset = gluon.data.ArrayDataset(images, labels)
loader = gluon.data.DataLoader(dataset.transform_first(transforms.ToTensor()), batch_size=2)
net = nn.Sequential()
net.add(nn.Dense(3))
net.initialize()
for a, b in loader:
    out += [a, b]
for p in net.collect_params().values():
    net(a)
    p.set_data(nd.ones(p.shape) * 0.1)
out += [net(a)]
""",
    ARRAYS,
)
