import mxnet as mx
import numpy as np
from mxnet import gluon


class Shapes(gluon.data.Dataset):
    """Bright squares on dark ground, with their masks."""

    def __init__(self, n, seed):
        rng = np.random.RandomState(seed)
        self.images = rng.uniform(0, 0.3, (n, 3, 16, 16)).astype('float32')
        self.masks = np.zeros((n, 16, 16), dtype='float32')
        for i in range(n):
            y, x = rng.randint(0, 8, 2)
            self.images[i, :, y:y + 8, x:x + 8] += 0.6
            self.masks[i, y:y + 8, x:x + 8] = 1

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return mx.nd.array(self.images[i]), mx.nd.array(self.masks[i])


def loaders(batch_size):
    train = gluon.data.DataLoader(Shapes(16, 0), batch_size, shuffle=False, last_batch='discard')
    val = gluon.data.DataLoader(Shapes(8, 1), batch_size, shuffle=False, last_batch='keep')
    return train, val
