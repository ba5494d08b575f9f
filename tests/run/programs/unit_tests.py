"""2016: unittest with names that Python 3.12 removed."""
import sys
import unittest

import mxnet as mx
import numpy as np


class TestNDArray(unittest.TestCase):
    def test_sum(self):
        self.assertEquals(mx.nd.ones((2, 3)).sum().asscalar(), np.float(6))

    def test_close(self):
        self.assertAlmostEquals(mx.nd.exp(mx.nd.zeros(1)).asscalar(), 1.0)
        self.assertItemsEqual([1, 2], [2, 1]) if hasattr(self, 'assertItemsEqual') else None

    def test_raises(self):
        with self.assertRaisesRegexp(ValueError, 'Array'):
            raise ValueError('Array')


suite = unittest.makeSuite(TestNDArray)
result = unittest.TextTestRunner(stream=open('/dev/null', 'w')).run(suite)
print(result.testsRun, len(result.failures), len(result.errors), sys.maxsize > 0)
