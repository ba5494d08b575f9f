"""Scalars and arrays of every dtype in arithmetic, comparisons, reductions and casts."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

_TYPES = ("float16", "float32", "float64", "int8", "int32", "int64", "uint8")

# one line a row: every dtype, arrays a = [7, 2, 5] and b = [2, 3, 2]
_ARITHMETIC = """
a + b
a - b
a * b
a / b
a % b
a ** b
a + 2
2 - a
a * 3
a / 2
7 / b
a % 3
7 % b
a ** 2
2 ** b
a + 1.5
a * 0.5
a / 2.5
1.5 - a
a == b
a != b
a > b
a >= b
a < b
a <= b
a == 2
a > 2.5
3 >= a
-b
abs(b)
a.sum()
a.max()
a.min()
a.prod()
a.clip(3, 6)
a.argmax()
a.argmin()
a.topk(k=2)
a.topk(k=2, ret_typ='value')
a.one_hot(8)
a.astype('float32')
a.tile((2,))
a.expand_dims(0)
nd.maximum(a, b)
nd.minimum(a, 4)
nd.where(a > b, a, b)
nd.concat(a, b, dim=0)
nd.stack(a, b)
nd.zeros_like(a)
nd.ones_like(a)
nd.sign(a)
nd.square(a)
a.take(nd.array([2, 0]))
"""

# float only
_MEANS = """
a.mean()
a.norm()
nd.sqrt(a)
nd.exp(b)
nd.log(a)
nd.sigmoid(b)
nd.softmax(a)
nd.round(a / 2)
nd.floor(a / 2)
nd.relu(a - 5)
"""

# not in MXNet's CPU build for float16
_NO_HALF = """
a.argsort()
a.sort()
"""

_ROW = "a, b = nd.array([7, 2, 5], dtype='{0}'), nd.array([2, 3, 2], dtype='{0}')\nout.append({1})"

_INTEGER = snippets("""
## int/truncating-division
x = nd.array([7, -7, 9, -9], dtype='int32')
out += [x / 2, x / -2, x / nd.array([2, 2, -2, -2], dtype='int32')]

## int/float-scalar-is-truncated
x = nd.array([7, -7], dtype='int32')
out += [x + 1.5, x - 1.5, x * 0.5, x / 2.5, x * 1.9, x % 2.9]

## int/reverse-scalar
x = nd.array([2, -3], dtype='int32')
out += [1 / x, 7 / x, 1.9 - x, 7 % x, 2.9 * x]

## int/float-scalar-compared
x = nd.array([1, 2, 3], dtype='int32')
out += [x > 1.5, x == 2.5, x >= 2.9, x < 2.1]

## int/negative-mod
x = nd.array([7, -7, 7, -7], dtype='int32')
out += [x % 3, x % -3]

## int/mod-zero
x = nd.array([7, -7], dtype='int32')
out += [x % nd.array([0, 0], dtype='int32')]

## int/mean
out += [nd.array([1, 2], dtype='int32').mean(), nd.array([-1, -2], dtype='int32').mean()]

## int/sqrt
out += [nd.sqrt(nd.array([2, 9], dtype='int32')), nd.array([2], dtype='int32') ** -1]

## int/sum-keeps-dtype
x = nd.ones((3,), dtype='int32') * 2**30
out.append(x.sum())

## int/sum-uint8
x = nd.ones((300,), dtype='uint8')
out.append(x.sum())

## int/big-int64
x = nd.array([2**53 + 1], dtype='int64')
out += [x, x + 1, x * 2, x.sum()]

## int/int64-minus-float
x = nd.array([10], dtype='int64')
out += [x - 0.5, x / 4]

## int/bool-scalar
x = nd.array([1, 2], dtype='int32')
out += [x + True, x * False]

## int/numpy-scalar
x = nd.array([1, 2], dtype='int32')
out += [x + onp.float32(1.5), x + onp.int64(3)]

## int/abs-min
out.append(nd.abs(nd.array([-5, 5], dtype='int8')))

## int/uint8-minus
out.append(nd.array([1, 2], dtype='uint8') - 3)

## int/overflow-int8
out.append(nd.array([100, -100], dtype='int8') * 2)
""")

_MIXED = snippets("""
## mixed/add
x = nd.ones((2,)) + nd.ones((2,), dtype='int32')
x.asnumpy()

## mixed/mul-float64
x = nd.ones((2,)) * nd.ones((2,), dtype='float64')
x.asnumpy()

## mixed/float16
x = nd.ones((2,)) * nd.ones((2,), dtype='float16')
x.asnumpy()

## mixed/int64-int32
x = nd.ones((2,), dtype='int64') + nd.ones((2,), dtype='int32')
x.asnumpy()

## mixed/compare
x = nd.ones((2,)) == nd.ones((2,), dtype='int32')
x.asnumpy()

## mixed/concat
nd.concat(nd.ones((2,)), nd.ones((2,), dtype='int32'), dim=0).asnumpy()

## mixed/dot
nd.dot(nd.ones((2, 2)), nd.ones((2, 2), dtype='float64')).asnumpy()

## mixed/where
nd.where(nd.ones((2,), dtype='int32'), nd.ones((2,)), nd.ones((2,), dtype='float64')).asnumpy()

## mixed/where-condition
out.append(nd.where(nd.array([1, 0], dtype='int32'), nd.ones((2,)), nd.zeros((2,))))

## mixed/fully-connected
nd.FullyConnected(
    nd.ones((1, 2), dtype='float64'), nd.ones((3, 2)), nd.zeros((3,)), num_hidden=3
).asnumpy()

## mixed/broadcast
nd.broadcast_add(nd.ones((2, 1)), nd.ones((1, 2), dtype='float64')).asnumpy()
""")

_CASTS = snippets("""
## cast/float-to-int
x = nd.array([1.9, -1.9, 2.5, -0.5])
out += [x.astype(d) for d in ('int8', 'int32', 'int64')]

## cast/to-uint8
out.append(nd.array([1.9, 255, 128.5]).astype('uint8'))

## cast/int-to-float
x = nd.array([1, -2], dtype='int32')
out += [x.astype(d) for d in ('float16', 'float32', 'float64')]

## cast/numpy-types
x = nd.array([1.5])
out += [x.astype(onp.int32), x.astype(onp.dtype('float64')), x.astype(int), x.astype(float)]

## cast/bool
out.append(nd.array([0, 0.5, 2]).astype('bool'))

## cast/float16-rounds
out.append(nd.array([0.1, 1 / 3, 65504, 65536, 1e-8]).astype('float16'))

## cast/unknown
nd.array([1]).astype('float99')

## cast/nd-cast
out += [nd.cast(nd.array([1.9]), dtype='int32'), nd.Cast(nd.array([1.9]), 'float64')]

## cast/zeros-int-type
out += [
    onp.dtype(nd.zeros((1,), dtype=int).dtype).name,
    onp.dtype(nd.zeros((1,), dtype=float).dtype).name,
    onp.dtype(nd.zeros((1,), dtype=bool).dtype).name,
]

## cast/dtype-none
out.append(onp.dtype(nd.zeros((1,), dtype=None).dtype).name)

## cast/bad-dtype
nd.zeros((1,), dtype='complex64')

## cast/uint16
# xfail: mxtorch has more types than MXNet 1.9.1
nd.zeros((1,), dtype='uint16')

## cast/keeps-shape-context
x = nd.zeros((2, 3), ctx=mx.cpu(1)).astype('int32')
out += [x, str(x.context)]

## cast/amp
out.append(nd.amp_cast(nd.array([1.5]), dtype='float16'))
""")

_FLOAT = snippets("""
## float/division-by-zero
x = nd.array([1, -1, 0])
out += [x / 0, x / nd.zeros((3,))]

## float/mod
x = nd.array([5.5, -5.5, 5.5, -5.5])
out += [x % 2, x % -2, x % nd.array([2, 2, -2, -2])]

## float/mod-zero
x = nd.array([5.5, -5.5])
out += [x % 0, x % nd.zeros((2,))]

## float/reverse-mod
x = nd.array([2, -2, 3])
out.append(7.5 % x)

## float/power
x = nd.array([4, 0, -8])
out += [x**0.5, x**-1, x**2, x**0, 2**x]

## float/round
x = nd.array([0.5, 1.5, 2.5, -0.5, -1.5, 0.49999997])
out += [x.round(), nd.rint(x), x.fix(), x.trunc(), x.floor(), x.ceil()]

## float/compare-nan
x = nd.array([float('nan'), 1])
out += [x == x, x != x, x > 0, x <= x]

## float/nan-reductions
x = nd.array([float('nan'), 1, 2])
out += [x.sum(), x.nansum(), nd.nanprod(x)]

## float/max-inf
x = nd.array([float('inf'), -float('inf')])
out += [x.max(), x.min(), x.sum()]

## float/python-int-big
out.append(nd.ones((1,)) * (2**40))

## float/bool-scalar
out += [nd.array([1.5]) + True, nd.array([1.5]) * False]

## float/float64-scalar-precision
out += [
    nd.zeros((1,), dtype='float64') + 0.1,
    nd.ones((1,), dtype='float64') * (1 / 3),
    nd.ones((1,)) / 3,
]

## float/subnormal
out.append(nd.array([1e-40]) * 1)

## float/string-operand
nd.ones((1,)) + 'a'

## float/none-operand
nd.ones((1,)) * None

## float/list-operand
nd.ones((2,)) + [1, 2]

## float/complex-operand
nd.ones((1,)) + 1j

## float/none-equals
nd.ones((1,)) == None

## float/none-not-equals
nd.ones((1,)) != None

## float/string-equals
nd.ones((1,)) == 'a'

## float/floor-division
nd.ones((1,)) // 2

## float/matmul
nd.ones((2, 2)) @ nd.ones((2, 2))

## float/and
nd.ones((1,)) & nd.ones((1,))

## float/or
nd.ones((1,)) | 1

## float/xor
nd.ones((1,)) ^ 1

## float/shift
nd.ones((1,)) << 1

## float/broadcast
a, b = nd.arange(3), nd.arange(2).reshape((2, 1))
out += [a + b, a - b, a * b, b / (a + 1), a > b, a == b]

## float/broadcast-one
a, b = nd.arange(3), nd.array([2])
out += [a + b, b - a, a**b, (a > b)]

## float/broadcast-3d
out.append(nd.ones((2, 1, 3)) + nd.arange(4).reshape((4, 1)))

## float/broadcast-bad
nd.ones((2, 3)) + nd.ones((2,))

## float/chained-compare
x = nd.array([1.5])
out.append(bool(1 < x < 2))
""")

CASES = (
    [
        C(f"{t}/{line}", _ROW.format(t, line))
        for t in _TYPES
        for line in _ARITHMETIC.splitlines()
        if line
    ]
    + [
        C(f"{t}/{line}", _ROW.format(t, line))
        for t in ("float16", "float32", "float64")
        for line in _MEANS.splitlines()
        if line
    ]
    + [
        C(f"{t}/{line}", _ROW.format(t, line))
        for t in _TYPES[1:]
        for line in _NO_HALF.splitlines()
        if line
    ]
    + _INTEGER
    + _MIXED
    + _CASTS
    + _FLOAT
)
