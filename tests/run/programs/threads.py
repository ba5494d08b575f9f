"""2017: prefetching in threads, with isAlive and Queue's own names."""
import collections
import threading
import time

import mxnet as mx
import numpy as np

results = collections.OrderedDict()


def work(i):
    results[i] = mx.nd.full((2, 2), i).sum().asscalar()


threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
begin = time.clock()
for t in threads:
    t.start()
    t.join()
print([t.isAlive() for t in threads], time.clock() >= begin)
print([(k, np.float(v)) for k, v in sorted(results.items())])
print(isinstance(results, collections.MutableMapping))
