"""2018: a pool of spawned processes that import mxnet themselves."""
import multiprocessing as mp
from fractions import gcd

import mxnet as mx
import numpy as np


def work(i):
    mx.random.seed(i)
    a = mx.nd.random.uniform(shape=(3,))
    return gcd(i, 12), np.asscalar(np.asarray(a.sum().asscalar(), dtype=np.float)), mx.__version__


if __name__ == '__main__':
    pool = mp.get_context('spawn').Pool(1)
    for g, total, version in pool.map(work, [4, 6, 9]):
        print(g, '%.5f' % total, version)
    pool.close()
    pool.join()
