"""2019: a DataLoader with worker processes, whose data set uses removed names."""
import collections

import mxnet as mx
import numpy as np
from mxnet import gluon


class Squares(gluon.data.Dataset):
    def __getitem__(self, i):
        value = np.full((2,), i * i, dtype=np.float)
        assert isinstance([], collections.Sequence)
        return value.astype(np.float32), np.int(i % 2)

    def __len__(self):
        return 10


if __name__ == '__main__':
    loader = gluon.data.DataLoader(Squares(), batch_size=4, num_workers=2, last_batch='keep')
    for data, label in loader:
        print(data.shape, data.asnumpy().sum(), label.asnumpy().tolist())
