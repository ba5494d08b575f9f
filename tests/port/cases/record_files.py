"""Packs images into RecordIO files, reads them back by key and in batches, and trains on them."""
import os
import struct
import tempfile
import zlib

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd, recordio
from mxnet.gluon import nn

folder = tempfile.mkdtemp()
rec, idx = os.path.join(folder, 'shapes.rec'), os.path.join(folder, 'shapes.idx')
rng = np.random.RandomState(12)


def picture(kind):
    img = np.zeros((12, 12, 3), dtype=np.uint8)
    a, b = rng.randint(1, 5, size=2)
    if kind == 0:
        img[a:a + 6, b:b + 6] = 200
    elif kind == 1:
        img[a, :] = img[:, b] = 255
    else:
        img[np.arange(12), np.arange(12)] = 180
    return img + rng.randint(0, 30, size=img.shape).astype(np.uint8)


def png(img):
    """The picture as a PNG file, without a package for it."""
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    rows = b''.join(b'\0' + row.tobytes() for row in img)
    size = struct.pack('>IIBBBBB', img.shape[1], img.shape[0], 8, 2, 0, 0, 0)
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', size) + chunk(b'IDAT', zlib.compress(rows))
            + chunk(b'IEND', b''))


# write
record = recordio.MXIndexedRecordIO(idx, rec, 'w')
for i in range(48):
    header = recordio.IRHeader(flag=0, label=float(i % 3), id=i, id2=0)
    record.write_idx(i, recordio.pack(header, png(picture(i % 3))))
record.close()

# read by key
record = mx.recordio.MXIndexedRecordIO(idx, rec, 'r')
print('keys', len(record.keys), record.keys[:5])
header, raw = recordio.unpack(record.read_idx(7))
img = mx.image.imdecode(raw).asnumpy()
print('label', header.label, 'id', header.id, 'shape', img.shape, 'mean %.3f' % img.mean())
header, raw = recordio.unpack(record.read_idx(8))
print('label', header.label, 'decoded', mx.image.imdecode(raw).shape)
record.close()

# plain records, one after the other
plain = mx.recordio.MXRecordIO(os.path.join(folder, 'plain.rec'), 'w')
for i in range(5):
    plain.write(b'record_%d' % i)
plain.close()
plain = mx.recordio.MXRecordIO(os.path.join(folder, 'plain.rec'), 'r')
while True:
    item = plain.read()
    if not item:
        break
    print(item.decode())
plain.close()

# as a data set
dataset = gluon.data.vision.ImageRecordDataset(rec)
print('dataset', len(dataset), dataset[3][0].shape, dataset[3][1])
transform = gluon.data.vision.transforms.ToTensor()
loader = gluon.data.DataLoader(dataset.transform_first(transform), batch_size=16, shuffle=False)

net = nn.Sequential()
net.add(nn.Conv2D(4, 3, activation='relu', in_channels=3), nn.MaxPool2D(2),
        nn.Flatten(), nn.Dense(3, in_units=100))
net.initialize()
w = np.random.RandomState(2)
for layer in (net[0], net[3]):
    layer.weight.set_data(nd.array(w.normal(0, 0.15, size=layer.weight.shape)))
loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.3, 'momentum': 0.9})
for epoch in range(4):
    total = 0.0
    for data, label in loader:
        with autograd.record():
            loss = loss_fn(net(data), label)
        loss.backward()
        trainer.step(data.shape[0])
        total += loss.mean().asscalar()
    print('epoch %d loss %.4f' % (epoch, total / 3))

# batches from an iterator over the file
it = mx.image.ImageIter(batch_size=16, data_shape=(3, 12, 12), path_imgrec=rec, path_imgidx=idx,
                        shuffle=False)
for batch in it:
    print(batch.data[0].shape, batch.label[0].asnumpy()[:6], '%.3f' % batch.data[0].mean().asscalar())
train_iter = mx.io.ImageRecordIter(path_imgrec=rec, data_shape=(3, 12, 12), batch_size=16,
                                   mean_r=10, mean_g=10, mean_b=10, scale=1 / 255.0, shuffle=False)
for batch in train_iter:
    print(batch.data[0].shape, '%.4f' % batch.data[0].mean().asscalar(), batch.pad)
