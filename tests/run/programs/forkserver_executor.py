"""2019: concurrent.futures on a fork server."""
import collections
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor

import mxnet as mx

Job = collections.namedtuple('Job', 'seed size')


def run(job):
    begin = time.clock()
    mx.random.seed(job.seed)
    x = mx.nd.random.normal(shape=(job.size, job.size))
    assert isinstance(job, collections.Hashable) and time.clock() >= begin
    return mx.nd.dot(x, x).sum().asscalar()


if __name__ == '__main__':
    multiprocessing.set_start_method('forkserver')
    with ProcessPoolExecutor(1) as pool:
        for result in pool.map(run, [Job(1, 2), Job(2, 3)]):
            print('%.4f' % result)
