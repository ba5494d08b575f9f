"""Reading and writing arrays by index: every kind of key, on arrays of one to three dimensions."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

_X = "x = nd.arange(24).reshape((2, 3, 4))\n"
_V = "x = nd.array([10, 11, 12, 13, 14, 15])\n"
_I = "x = nd.arange(24, dtype='int32').reshape((2, 3, 4))\n"

# keys into a (2, 3, 4) array; `i(...)` is an NDArray index, `a(...)` a NumPy one
_KEYS = """
0
1
-1
0, 1
-1, -1
1, 2, 3
-2, -3, -4
:
0:1
1:
:1
-1:
:-1
0:2
5:
0:0
1:0
::-1
::2
1::-1
:, 1
:, -1
:, 1:
:, ::2
:, ::-1
:, :, 0
:, :, -1
:, :, 1:3
:, :, ::2
:, :, ::-2
:, :, 3:0:-1
:, 2:0:-1, 1
:, 5:
0, :, 1
0, 1:, 1:3
1, ::-1
0:1, 1:2, 2:3
::-1, ::-1, ::-1
...
..., 0
..., -1
0, ...
0, ..., 1
..., 1:3
..., 0, :
None
:, None
None, 0
0, None
..., None
None, ..., None
0, None, 1
:, None, :, None
None, 1, :, None, 2
(0, 1)
()
[0]
[1, 0]
[0, 1, 1]
[-1, 0]
[[0, 1], [1, 0]]
[0, 1], [1, 2]
[0, 1], [1, 2], [2, 3]
[0, 1], 1
1, [0, 2]
1, [0, 2], [1, 3]
[0, 1], :, [1, 2]
:, [0, 2]
:, [2, 0, 1], 1
:, :, [0, 3]
:, [0, 2], [1, 3]
:, [0, 2], 1:3
0:1, [0, 2]
..., [0, 1]
..., [0, 2], [1, 3]
[0], ...
None, [0, 1]
[0, 1], None
[1, 0], ::-1
[[0], [1]], [0, 2]
[[0], [1]], [0, 2], [1, 1]
[0, -1], [-1, 0], [-4, -1]
i([0, 1])
i([1])
i([[0, 1], [1, 0]])
i([1, 0]), 1
i([0, 1]), i([1, 2])
:, i([0, 2])
i([[0], [1]]), i([0, 2])
i([1.9, 0.2])
i([0, 1], dtype='int32')
i([0, 1], dtype='int64')
i([1, 0], dtype='uint8')
i([-1, 0])
i([0, 1]), [1, 2]
i([0]), a([1]), [2]
a([0, 1])
a([1, 0], dtype='int64')
a([1, 0], dtype='int32')
a([[0, 1], [1, 0]])
a([1.9, 0.2])
a([0, 1]), a([1, 2])
:, a([2, 0])
a([0, 1]), slice(None), a([1, 2])
onp.int64(1)
onp.int32(1), 2
onp.int64(1), onp.int64(2), onp.int64(3)
slice(0, 2)
slice(None), slice(1, None)
slice(None, None, -1)
True
False
a([True, False])
a([[True, False, True], [False, True, False]])
:, a([True, False, True])
x > 10
x[0] > 5
2
-3
0, 3
0, 0, 0, 0
:, :, :, 0
0, 0, 0, 4
[2]
[0, 5]
i([5])
i([0, 5]), i([0, 1])
1.5
0, 1.5
'a'
0:1.5
::0
..., ...
[0, 1], [0, 1, 2]
[0.5]
[0, 1.9]
[True, False]
None, None, None
{}
"""

_HELPERS = "i, a = nd.array, onp.array\n"


# keys into a vector
_VECTOR_KEYS = """
0
-1
5
6
-7
:
2:
:-2
1:5:2
::-1
4:1:-1
10:
-10:
:-10:-1
...
None
:, None
None, :
None, ..., None
[0]
[5, 0, 5]
[[0, 1], [2, 3]]
i([0, 2, 4])
i([[0, 2], [4, 5]])
i([2.7])
x > 12
(x > 12) * 3
x == 11
0, 0
"""

# writes into a (2, 3, 4) array, each followed by reading the whole of it
_WRITES = """
x[:] = 7
x[:] = 1.5
x[:] = x * 2
x[:] = onp.ones((2, 3, 4))
x[:] = onp.arange(4)
x[:] = nd.arange(4)
x[:] = nd.arange(3).reshape((3, 1))
x[:] = [1, 2, 3, 4]
x[:] = (1, 2, 3, 4)
x[:] = [[1], [2], [3]]
x[:] = onp.float64(2.5)
x[:] = onp.int32(2)
x[:] = True
x[:] = nd.array([3])
x[:] = nd.ones((1, 1, 1)) * 4
x[...] = 3
x[()] = 3
x[0] = 7
x[-1] = 7.5
x[0] = nd.arange(4)
x[0] = onp.arange(4)
x[0] = [5, 6, 7, 8]
x[0] = x[1]
x[1] = nd.ones((3, 4))
x[1] = nd.ones((1, 3, 4))
x[0:1] = 7
x[0:1] = nd.arange(12).reshape((3, 4))
x[1:] = onp.full((1, 3, 4), 2.5)
x[::-1] = x.copy()
x[::2] = -1
x[0, 1] = 9
x[0, 1] = nd.arange(4)
x[0, 1] = [1, 2, 3, 4]
x[0, 1, 2] = 9
x[0, 1, 2] = nd.array([9])
x[0, 1, 2] = onp.array(9)
x[-1, -1, -1] = 9.25
x[:, 1] = 9
x[:, 1] = nd.arange(8).reshape((2, 4))
x[:, 1] = nd.arange(4)
x[:, -1] = onp.arange(8).reshape((2, 4))
x[:, 1:] = 9
x[:, ::2] = nd.arange(4)
x[:, ::-1] = nd.arange(3).reshape((3, 1))
x[:, :, 0] = 9
x[:, :, 0] = nd.arange(6).reshape((2, 3))
x[:, :, 1:3] = nd.arange(2)
x[:, :, ::-2] = nd.arange(2)
x[..., 0] = 5
x[..., -1] = nd.arange(3)
x[0, ..., 1] = nd.arange(3)
x[1, :, 3:0:-1] = nd.arange(3)
x[None] = 5
x[:, None] = nd.arange(4)
x[[0, 1]] = 5
x[[1, 0]] = x.copy()
x[[1]] = nd.arange(4)
x[[0, 0]] = nd.ones((2, 3, 4))
x[[0, 1], [1, 2]] = 5
x[[0, 1], [1, 2]] = nd.arange(8).reshape((2, 4))
x[[0, 1], [1, 2], [2, 3]] = 5
x[[0, 1], [1, 2], [2, 3]] = nd.array([100, 200])
x[[0, 1], [1, 2], [2, 3]] = [100, 200]
x[[0, 1], [1, 2], [2, 3]] = onp.array([100, 200])
x[[0, 1], 1] = 5
x[1, [0, 2]] = nd.arange(4)
x[:, [0, 2]] = 5
x[:, [0, 2]] = nd.arange(16).reshape((2, 2, 4))
x[:, :, [0, 3]] = nd.arange(2)
x[:, [0, 2], [1, 3]] = nd.arange(4).reshape((2, 2))
x[[0, 1], :, [1, 2]] = nd.arange(6).reshape((2, 3))
x[..., [0, 1]] = 5
x[i([0])] = 5
x[i([1, 0])] = nd.arange(4)
x[i([0, 1]), i([1, 2])] = nd.arange(4)
x[i([0, 1], dtype='int32'), 2] = -1
x[i([0.9, 1.1]), 2] = -1
x[a([0, 1]), a([1, 2])] = 5
x[:, a([0, 2])] = 5
x[a([True, False])] = 5
x[x > 10] = 0
x[0][1] = 9
x[0][1][2] = 9
x[0, 1][2] = 9
x[:, 1][0] = 9
x[0:1][0] = 9
x[[0]][0] = 9
x[::-1][0] = 9
x[0][:] = x[1]
x[0] += 1
x[:, 1] += 1
x[:, :, 1:3] *= 2
x[[0, 1], [1, 2]] += 10
x[0, 1, 2] -= 0.5
x[:] += nd.arange(4)
x[2] = 1
x[0, 3] = 1
x[0, 0, 0, 0] = 1
x[0] = nd.arange(5)
x[:] = nd.arange(5)
x[:] = onp.arange(5)
x[0] = nd.ones((2, 3, 4))
x[:, 1] = nd.ones((3, 4))
x[[0, 1], [1, 2]] = nd.ones((3, 4))
x['a'] = 1
x[1.5] = 1
x[:] = 'a'
x[:] = None
x[0:0] = 1
x[5:] = 1
"""

_HELPERS = "i, a = nd.array, onp.array\n"


def _lines(table: str) -> list[str]:
    return [line for line in table.splitlines() if line]


_GET = [C("get/" + k, f"{_X}{_HELPERS}out.append(x[{k}])") for k in _lines(_KEYS)]
_GET_VECTOR = [C("vector/" + k, f"{_V}{_HELPERS}out.append(x[{k}])") for k in _lines(_VECTOR_KEYS)]
_SET = [C("set/" + w, f"{_X}{_HELPERS}{w}\nout.append(x)") for w in _lines(_WRITES)]

_OTHER = (
    snippets(
        """
## int32/get
out += [x[0], x[:, 1], x[[1, 0], [0, 2]], x[0, 1, 2]]

## int32/set-float-truncates
x[0] = 1.9
x[1, 0] = -1.9
out.append(x)

## int32/set-float-array
x[:, :, 0] = nd.array([[1.9, -1.9, 2.5]])
out.append(x)

## int32/set-numpy-float
x[0] = onp.array([1.9, -1.9, 2.5, 0.1])
out.append(x)

## int32/index-set-float
x[[0], [1]] = 2.9
out.append(x)
""",
        before=_I,
    )
    + snippets("""
## uint8/set-negative
x = nd.zeros((3,), dtype='uint8')
x[0] = 255
x[1] = 7.9
out.append(x)

## float64/get-set
x = nd.arange(4, dtype='float64')
x[1] = 1 / 3
out += [x, x[1:3], x[[1, 2]]]

## float16/get-set
x = nd.arange(4, dtype='float16')
x[1] = 1 / 3
out += [x, x[1:3], x[[1, 2]]]

## int64/big-value
x = nd.zeros((2,), dtype='int64')
x[0] = 2**40
out.append(x)

## scalar-like/get
x = nd.array([5])
out += [x[0], x[-1], x[0:1], x[0][0]]

## ones/scalar-key-of-2d
x = nd.arange(6).reshape((2, 3))
out += [x[1, 2], x[1, 2].shape]

## 4d/mixed
x = nd.arange(2 * 3 * 4 * 5).reshape((2, 3, 4, 5))
out += [
    x[1, [0, 2], :, [1, 3]],
    x[:, [0, 2], [1, 3]],
    x[..., [0, 1], 1:3],
    x[[0, 1], ..., [1, 2]],
    x[0, :, [1, 2], ::2],
    x[:, None, [0, 1]],
    x[[0, 1], None, [1, 2]],
]

## 4d/write-mixed
x = nd.zeros((2, 3, 4, 5))
x[1, [0, 2], :, [1, 3]] = nd.arange(8).reshape((2, 4))
x[:, 1, ::2, -1] = nd.array([[-1, -2]])
out.append(x)

## key-kept
k = [0, 1]
x = nd.arange(3)
x[k]
out.append(tuple(k))

## duplicates/last-wins
x = nd.zeros((3,))
x[[1, 1, 1]] = nd.array([1, 2, 3])
out.append(x)

## duplicates/augmented
x = nd.zeros((3,))
x[[1, 1, 1]] += 1
out.append(x)

## slice-assign-scalar
x = nd.zeros((3, 4))
nd._internal._slice_assign_scalar(x, out=x, begin=(1,), end=(3,), scalar=2)
out.append(x)
""")
    + snippets(
        """
## loop-over-rows
out += [r for r in x]

## slice-chain
out += [x[1:][0][1:][::2], x[1][1:3][0]]

## get-does-not-change-source
y = x[[0, 1]]
y[:] = 0
out.append(x)

## take-method
out += [x.take(nd.array([1, 0])), x.take(nd.array([3, 9, -1]), axis=2)]

## slice-method
out += [
    x.slice((0, 1), (2, 3)),
    x.slice(begin=(None, None, 3), end=(None, None, 0), step=(None, None, -1)),
]

## slice_axis-method
out += [x.slice_axis(1, 1, 3), x.slice_axis(axis=-1, begin=-2, end=None)]
""",
        before=_X,
    )
)

CASES = _GET + _GET_VECTOR + _SET + _OTHER
