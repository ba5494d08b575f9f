"""In-place arithmetic, assignment of whole arrays, and `out=`, outside and inside `record()`."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

# (name, start, statement); the array and an alias of it are both read afterwards
_AUGMENTED = [
    ("add-scalar", "nd.array([1, 2, 3])", "x += 2"),
    ("sub-scalar", "nd.array([1, 2, 3])", "x -= 2.5"),
    ("mul-scalar", "nd.array([1, 2, 3])", "x *= 2"),
    ("div-scalar", "nd.array([1, 2, 3])", "x /= 4"),
    ("mod-scalar", "nd.array([5, -5, 7.5])", "x %= 3"),
    ("add-array", "nd.array([1, 2, 3])", "x += nd.array([10, 20, 30])"),
    ("sub-array", "nd.array([1, 2, 3])", "x -= nd.array([10, 20, 30])"),
    ("mul-array", "nd.array([1, 2, 3])", "x *= nd.array([10, 20, 30])"),
    ("div-array", "nd.array([1, 2, 3])", "x /= nd.array([10, 20, 30])"),
    ("mod-array", "nd.array([5, -5, 7.5])", "x %= nd.array([3, 3, -2])"),
    ("add-self", "nd.array([1, 2, 3])", "x += x"),
    ("mul-self", "nd.array([1, 2, 3])", "x *= x"),
    ("sub-self", "nd.array([1, 2, 3])", "x -= x"),
    ("div-self", "nd.array([1, 2, 4])", "x /= x"),
    ("add-broadcast", "nd.ones((2, 3))", "x += nd.arange(3)"),
    ("mul-broadcast-column", "nd.ones((2, 3))", "x *= nd.arange(2).reshape((2, 1))"),
    ("add-one-element", "nd.ones((2, 3))", "x += nd.array([5])"),
    ("int-add-int", "nd.array([1, 2, 3], dtype='int32')", "x += 2"),
    ("int-add-float", "nd.array([1, 2, 3], dtype='int32')", "x += 2.9"),
    ("int-mul-float", "nd.array([1, 2, 3], dtype='int32')", "x *= 1.5"),
    ("int-div-int", "nd.array([7, -7, 9], dtype='int32')", "x /= 2"),
    (
        "int-sub-array",
        "nd.array([1, 2, 3], dtype='int32')",
        "x -= nd.array([3, 2, 1], dtype='int32')",
    ),
    ("int64-add", "nd.array([2 ** 40, 1], dtype='int64')", "x += 1"),
    ("uint8-add-wraps", "nd.array([250, 1], dtype='uint8')", "x += 10"),
    ("uint8-sub-wraps", "nd.array([250, 1], dtype='uint8')", "x -= 2"),
    ("float64-add", "nd.array([0.1, 0.2], dtype='float64')", "x += 0.3"),
    ("float16-mul", "nd.array([0.1, 0.2], dtype='float16')", "x *= 3"),
    ("add-numpy-scalar", "nd.array([1, 2, 3])", "x += onp.float64(0.5)"),
    ("add-bool", "nd.array([1, 2, 3])", "x += True"),
    ("pow-makes-new", "nd.array([1, 2, 3])", "x **= 2"),
    ("negative-makes-new", "nd.array([1, 2, 3])", "x = -x"),
    ("on-slice", "nd.arange(6)", "x[1:3] += 10"),
    ("on-row", "nd.arange(6).reshape((2, 3))", "x[1] *= 2"),
    ("on-reshape", "nd.arange(6)", "y = x.reshape((2, 3))\ny += 1"),
    ("fill", "nd.arange(6)", "x[:] = 1"),
    ("assign-array", "nd.arange(6)", "x[:] = nd.ones((6,)) * 2"),
    ("assign-cast", "nd.zeros((3,), dtype='int32')", "x[:] = nd.array([1.9, -1.9, 2.5])"),
    ("assign-float16", "nd.zeros((3,), dtype='float16')", "x[:] = nd.array([1.0001, 2, 70000])"),
]

_ERRORS = snippets("""
## add-numpy-array
x = nd.ones((2,))
x += onp.ones((2,))

## add-list
x = nd.ones((2,))
x += [1, 2]

## add-None
x = nd.ones((2,))
x += None

## add-str
x = nd.ones((2,))
x += 'a'

## add-mixed-dtype
x = nd.ones((2,))
x += nd.ones((2,), dtype='int32')
x.asnumpy()

## add-larger
x = nd.ones((3,))
x += nd.ones((2, 3))
x.asnumpy()

## add-wrong-shape
x = nd.ones((3,))
x += nd.ones((2,))
x.asnumpy()
""")

_OUT = snippets("""
## out/elemwise
y = nd.zeros((3,))
r = nd.elemwise_add(nd.ones((3,)), nd.ones((3,)), out=y)
out += [y, r is y]

## out/unary
y = nd.zeros((3,))
r = nd.exp(nd.arange(3), out=y)
out += [y, r is y]

## out/itself
x = nd.arange(3)
nd.exp(x, out=x)
out.append(x)

## out/dot
y = nd.zeros((2, 2))
nd.dot(nd.ones((2, 3)), nd.ones((3, 2)), out=y)
out.append(y)

## out/view
x = nd.zeros((2, 3))
nd.exp(nd.arange(3), out=x[1])
out.append(x)

## out/reduce
y = nd.zeros((2,))
nd.sum(nd.ones((2, 3)), axis=1, out=y)
out.append(y)

## out/two-outputs
a, b = nd.zeros((2, 1)), nd.zeros((2, 1))
nd.split(nd.arange(4).reshape((2, 2)), num_outputs=2, axis=1, out=[a, b])
out += [a, b]

## out/dtype-kept
y = nd.zeros((3,), dtype='float64')
nd.cast(nd.arange(3), dtype='float64', out=y)
out.append(y)

## out/wrong-shape
nd.exp(nd.arange(3), out=nd.zeros((4,)))

## out/random
y = nd.zeros((3,))
mx.random.seed(7)
nd.random.uniform(0, 1, out=y)
out.append(y)

## onehot_encode
y = nd.zeros((2, 3))
nd.onehot_encode(nd.array([2, 0]), y)
out.append(y)

## copyto/array
x = nd.arange(3)
y = nd.zeros((3,))
r = x.copyto(y)
x[:] = 9
out += [y, r is y]

## copyto/casts
y = nd.zeros((3,), dtype='int32')
nd.array([1.9, -1.9, 2]).copyto(y)
out.append(y)

## copyto/context
x = nd.arange(3)
y = x.copyto(mx.cpu(1))
out += [y, str(y.context)]

## copyto/other-shape
nd.arange(3).copyto(nd.zeros((4,)))
nd.waitall()

## copyto/itself [warns]
x = nd.arange(3)
x.copyto(x)
out.append(x)

## copyto/bad-type
nd.arange(3).copyto(3)

## copyto/view-target
x = nd.zeros((2, 3))
nd.arange(3).copyto(x[1])
out.append(x)

## copy/independent
x = nd.arange(3)
y = x.copy()
y += 1
out += [x, y]

## iadd/keeps-identity
x = nd.arange(3)
y = x
x += 1
out += [x is y, y]

## ipow/loses-identity
x = nd.arange(3)
y = x
x **= 2
out += [x is y, x, y]

## swap-rows
x = nd.arange(6).reshape((2, 3))
t = x[0].copy()
x[0] = x[1]
x[1] = t
out.append(x)

## row-alias-swap
x = nd.arange(6).reshape((2, 3))
x[0], x[1] = x[1], x[0]
out.append(x)

## sgd-by-hand
w, g = nd.array([1, 2]), nd.array([0.5, -1])
for _ in range(3):
    w[:] = w - 0.1 * g
    w -= 0.1 * g
out.append(w)

## weight-decay-by-hand
w = nd.array([1.0, -2.0])
w *= 1 - 0.01
w[:] -= 0.1
out.append(w)
""")


def _augmented(start: str, statement: str) -> str:
    return f"x = {start}\nalias = x\n{statement}\nout += [x, alias, x is alias]"


CASES = (
    [C("augmented/" + name, _augmented(start, line)) for name, start, line in _AUGMENTED]
    + _ERRORS
    + _OUT
)
