"""2016: dtypes by the names that NumPy has dropped."""
import mxnet as mx
import numpy as np

names = [np.float, np.int, np.object, np.float_, np.complex_, np.unicode_, np.string_]
print([np.dtype(t).kind for t in names])
a = mx.nd.array(np.arange(6, dtype=np.float).reshape(2, 3), dtype=np.float32)
print(a.dtype == np.float32, a.astype(np.int32).asnumpy().tolist())
print(np.product(a.shape), np.cumproduct(a.asnumpy().astype(np.int).ravel() + 1).tolist())
print(np.alltrue(a.asnumpy() >= 0), np.sometrue(a.asnumpy() > 4))
print(np.Inf, -np.Infinity, np.NaN, np.infty)
print(sorted(np.sctypes)[0], [t.__name__ for t in np.sctypes['float']][:3])
print(np.in1d([1, 2, 9], [2, 9]).tolist(), np.asfarray([1, 2]).tolist(), np.rank(a.asnumpy()))
b = mx.nd.array(np.array([True, False, True], dtype=np.bool))
print(b.asnumpy().tolist(), float(np.trapz([1, 2, 3])))
