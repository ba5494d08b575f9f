"""2019: preprocessing with scipy and NumPy names. needs: scipy"""
import mxnet as mx
import numpy as np
import scipy
from scipy.misc import comb, factorial, logsumexp

x = np.linspace(0, 1, 8, dtype=np.float)
print(int(comb(5, 2)), float(factorial(4)), round(float(logsumexp([0.0, 1.0])), 5))
y = scipy.sqrt(x) + scipy.mean(x)
arr = mx.nd.array(y)
print(arr.asnumpy().astype(np.float).round(4).tolist())
print(np.float(mx.nd.norm(arr).asscalar()).__class__.__name__, round(float(scipy.sum(y)), 4))
folds = np.array_split(np.arange(10, dtype=np.int), 3)
print([f.tolist() for f in folds], np.msort(np.array([[3, 1], [2, 4]])).tolist())
