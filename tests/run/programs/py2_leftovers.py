"""2016: written for Python 2 and 3, without a fallback."""
from __future__ import division, print_function

import cPickle as pickle
import os
import Queue
import string
import sys
from itertools import izip

import mxnet as mx

q = Queue.Queue()
for i, (a, b) in enumerate(izip(range(3), string.lowercase)):
    q.put((i, a, b))
while not q.empty():
    print(q.get())
blob = pickle.dumps({'w': mx.nd.ones((2, 2)) * 3, 'lr': mx.lr_scheduler.FactorScheduler(5)}, -1)
state = pickle.loads(blob)
print(state['w'].asnumpy().tolist(), state['lr'](6), sys.maxint > 2 ** 31)
print(os.path.basename(os.getcwdu()) != '', string.join(['a', 'b'], '-'))
