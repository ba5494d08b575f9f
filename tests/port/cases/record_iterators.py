"""What iterators over record files give, epoch by epoch: labels, padding and means of batches."""
import os
import struct
import tempfile
import zlib

import mxnet as mx
import numpy as np
from mxnet import gluon, recordio

folder = tempfile.mkdtemp()
rec, idx = os.path.join(folder, 'images.rec'), os.path.join(folder, 'images.idx')
rng = np.random.RandomState(12)


def png(img):
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    rows = b''.join(b'\0' + row.tobytes() for row in img)
    size = struct.pack('>IIBBBBB', img.shape[1], img.shape[0], 8, 2, 0, 0, 0)
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', size) + chunk(b'IDAT', zlib.compress(rows))
            + chunk(b'IEND', b''))


record = recordio.MXIndexedRecordIO(idx, rec, 'w')
for i in range(5):
    pixels = rng.randint(0, 255, size=(9 + i, 13, 3)).astype(np.uint8)
    header = recordio.IRHeader(0, [float(i), i * 2.0], i, 0)
    record.write_idx(i, recordio.pack(header, png(pixels)))
record.close()


def show(it, epochs=3):
    for epoch in range(epochs):
        for batch in it:
            means = batch.data[0].mean(axis=(1, 2, 3)).asnumpy()
            print(batch.data[0].shape, batch.label[0].asnumpy().tolist(), batch.pad,
                  ['%.3f' % mean for mean in means])
        it.reset()


print('as they are')
show(mx.io.ImageRecordIter(path_imgrec=rec, path_imgidx=idx, data_shape=(3, 8, 8), batch_size=2,
                           label_width=2, shuffle=False))
print('normalized')
show(mx.io.ImageRecordIter(path_imgrec=rec, path_imgidx=idx, data_shape=(3, 8, 8), batch_size=2,
                           label_width=2, std_r=2, std_b=4, mean_g=3, scale=0.5, shuffle=False))
print('the second half')
show(mx.io.ImageRecordIter(path_imgrec=rec, path_imgidx=idx, data_shape=(3, 8, 8), batch_size=2,
                           label_width=2, num_parts=2, part_index=1, shuffle=False))
print('ImageIter')
show(mx.image.ImageIter(2, (3, 8, 8), label_width=2, path_imgrec=rec, path_imgidx=idx))

# the records themselves, and one in which the file's own magic number stands
raw = gluon.data.RecordFileDataset(rec)
print(len(raw), [len(raw[i]) for i in range(len(raw))])
header, data = recordio.unpack(raw[4])
print(header.flag, header.label.tolist(), header.id, len(data))
magic = struct.pack('<I', 0xced7230a)
named = recordio.MXIndexedRecordIO(os.path.join(folder, 'n.idx'), os.path.join(folder, 'n.rec'), 'w',
                                   key_type=str)
named.write_idx('first', b'abcd' + magic + b'efg')
named.write_idx('second', magic + magic)
named.close()
named = recordio.MXIndexedRecordIO(os.path.join(folder, 'n.idx'), os.path.join(folder, 'n.rec'), 'r',
                                   key_type=str)
print(sorted(named.keys), len(named.read_idx('second')), named.read_idx('first') == b'abcd' + magic + b'efg')
print(os.path.getsize(os.path.join(folder, 'n.rec')), named.read() == magic + magic, named.read())
