"""2019: what toolkits check as they are imported."""
import collections
from distutils.version import LooseVersion

import mxnet as mx
import pkg_resources

print(mx.__version__, LooseVersion(mx.__version__) >= LooseVersion('1.4.0'))
print(pkg_resources.get_distribution('mxnet').version)
print([str(r.key) for r in pkg_resources.require('mxnet>=1.3')][0])
print(pkg_resources.parse_version(mx.__version__) < pkg_resources.parse_version('2.0.0'))
major, minor = (int(x) for x in mx.__version__.split('.')[:2])
assert (major, minor) >= (1, 5), 'Please install mxnet>=1.5'
try:
    pkg_resources.require('mxnet>=2.0')
except pkg_resources.VersionConflict as error:
    print(type(error).__name__)
print(isinstance({}.keys(), collections.KeysView))
