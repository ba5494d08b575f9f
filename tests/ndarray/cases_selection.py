"""Index keys beside new axes, arrays and negative steps; values that fit or do not; gradients."""

from __future__ import annotations

from tests.cases import C

_X = "x = nd.arange(120).reshape((2, 3, 4, 5))\n"
_Y = "x = nd.arange(24).reshape((2, 3, 4))\ni = nd.array\n"

_GET = """
[0, 1], None
None, [0, 1]
[0, 1], None, [1, 2]
:, None, [0, 1]
:, [0, 1], None
None, [0, 1], [1, 2]
[0, 1], [1, 2], None
[0, 1], :, None
[0, 1], None, :
[0, 1], None, None, :
None, [0, 1], None
:, [0, 1], None, [1, 2]
0, None, [0, 1]
0, [0, 1], None
None, 0, [0, 1]
[0, 1], 0, None
[0, 1], ..., None
..., None, [0, 1]
[0, 1], :, None, [1, 2]
[[0, 1]], None, :
0, :, [1, 2]
0, :, :, [1, 2]
:, 0, [1, 2]
[1, 0], :, 0
[1, 0], 0:2, 0
[1, 0], 0, 0:2
0:2, [0, 1], 0:2
::-1, [0, 1]
[0, 1], ::-1, [1, 2]
[0, 1], 2:0:-1
[0, 1], ::-1, None, ::-2
::-1, [0, 1], ::-1, [1, 2]
[[0], [1]], ::-1, [0, 1]
nd.array([0, 1]), None
None, None
0, None, 1
None, 0, None
0, 0, 0, 0, None
0, 0, 0, 0
..., None, 0
::-1, ::2, 3:0:-2
:, ::-1, None, 1
((0, 1), (1, 2))
(0, 1),
range(2)
nd.array([1])[0]
0, onp.array(1)
[[0, 1], [1, 0]], [[0, 1], [1, 0]], [[0, 1], [1, 0]]
onp.bool_(True)
...
0, ..., 0, 0, 0
-100:1
:, -100:100
10::-1
-1:-3:-1
"""

_SET = """
x[0] = nd.ones((4, 3))
x[0] = nd.ones((12,))
x[0] = nd.ones((1, 1, 3, 4)) * 9
x[0] = onp.ones((4, 3))
x[0] = onp.ones((1, 3, 4)) * 9
x[:] = nd.ones((24,))
x[:] = nd.ones((1, 2, 3, 4)) * 9
x[:, 1] = nd.ones((4, 2))
x[:, 1] = nd.ones((1, 2, 4)) * 9
x[:, 1] = nd.ones((2, 1, 4))
x[:, 1:2] = nd.ones((2, 4))
x[[0, 1], [1, 2]] = nd.ones((8,))
x[[0, 1], [1, 2]] = nd.ones((1, 2, 4)) * 9
x[[0, 1], [1, 2]] = nd.array([[5], [6]])
x[0, 1, 2] = nd.array([[9]])
x[0, 1, 2] = nd.array([9, 9])
x[0, 1] = [[9, 9, 9, 9]]
x[0, 1] = range(4)
x[0, 1] = {1: 2}
x[0, 1] = None
x[0] = nd.array([1.5], dtype='float64')
x[0] = nd.array([3], dtype='int32')
x[:, 5:] = 5
x[:, [0, 2]] = nd.arange(8).reshape((2, 4))
x[:, [0, 2]] = nd.ones((4, 4))
x[:, [0, 2], ::-1] = nd.array([1, 2, 3, 4]) * 100
x[[1, 0], ::-1] = nd.arange(12).reshape((3, 4)) * -1
x[[0, 1], ::-1, [1, 2]] = nd.arange(6).reshape((2, 3)) * -1
x[[1, 0], None] = nd.arange(24).reshape((2, 3, 4)) * -1
x[[1, 0], None] = nd.arange(24).reshape((1, 2, 3, 4)) * -1
x[None, 0] = nd.ones((1, 3, 4)) * 9
x[[0, 0]] = nd.array([[[1]], [[2]]]) * 100
x[True] = 5
x[[True, False]] = 5
x[(0, 1),] = 5
x[((0, 1), (1, 2))] = 5
x[0][nd.array([0, 1])] = 5
x[nd.array([1])[0]] = 5
x[0, onp.array(1)] = 5
x[onp.bool_(True)] = 5
x[onp.int64(0):onp.int64(1)] = 5
x[::-1, ::2] = nd.arange(16).reshape((2, 2, 4)) * -1
x[:, ::-1, 1] = nd.arange(3) * -1
x[1, 2:0:-1] = nd.arange(8).reshape((2, 4)) * -1
"""

# expressions of x (2, 3, 4) whose gradient is taken
_GRADIENTS = """
x[0]
x[1:2]
x[0, 1]
x[0, 1, 2]
x[:, 1]
x[:, ::2]
x[::-1]
x[..., 0]
x[None]
x[[0, 0, 1]]
x[[0, 1], [1, 1]]
x[[0, 0], [1, 1], [2, 2]]
x[i([1, 0])]
x[:, [0, 2, 2]]
x[[0, 1], None]
x[[1, 0], ::-1]
x.reshape((6, 4))
x.reshape((0, -1))
x.reshape((-3, 0))
x.reshape((-1,))[5:9]
x[1].reshape((2, 6))
x.T
x[:]
"""


def _lines(table: str) -> list[str]:
    return [line for line in table.splitlines() if line]


_BACKWARD = """x.attach_grad()
with autograd.record():
    y = {}
    z = y * y
z.backward()
out += [y, x.grad]"""

CASES = (
    [C("get/" + key, f"{_X}out.append(x[{key}])") for key in _lines(_GET)]
    + [C("set/" + line, f"{_Y}{line}\nout.append(x)") for line in _lines(_SET)]
    + [C("gradient/" + e, _Y + _BACKWARD.format(e)) for e in _lines(_GRADIENTS)]
)
