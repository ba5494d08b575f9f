"""2016: a report: cgi.escape, base64, platform, locale."""
import base64
import cgi
import platform

import mxnet as mx
import numpy as np

net = mx.gluon.nn.Dense(2, in_units=2)
net.initialize(mx.init.One())
print(cgi.escape('<b> & "%s"' % net.weight.shape.__class__.__name__))
data = net(mx.nd.ones((1, 2))).asnumpy().astype(np.float).tostring() if hasattr(np.ndarray, 'tostring') else net(mx.nd.ones((1, 2))).asnumpy().astype(np.float).tobytes()
print(base64.encodestring(data).decode().strip())
print(len(platform.linux_distribution()), np.frombuffer(data).tolist())
