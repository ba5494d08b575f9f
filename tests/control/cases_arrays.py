"""`mx.nd.contrib.foreach`, `while_loop` and `cond`: plain loops on arrays."""

from __future__ import annotations

from tests.snippets import snippets

_FOREACH = snippets("""
## foreach/lists
x = nd.arange(6).reshape((3, 2))
o, s = nd.contrib.foreach(lambda d, s: (d + s[0], [s[0] * 2]), x, [nd.ones((2,))])
out += [o, s]

## foreach/single
o, s = nd.contrib.foreach(lambda d, s: (d + s, s * 2), nd.arange(6).reshape((3, 2)), nd.ones((2,)))
out += [o, s]

## foreach/two-data
data = [nd.arange(6).reshape((3, 2)), nd.arange(3)]
o, s = nd.contrib.foreach(lambda d, s: ([d[0] + s, d[1]], s * 2), data, nd.ones((2,)))
out += [o, s]

## foreach/nested-states
init = [[nd.ones((2,))], nd.ones((1,))]
o, s = nd.contrib.foreach(lambda d, s: ([d, s[1]], [[s[0][0] * d], s[1] + 1]), nd.arange(3), init)
out += [o, s]

## foreach/tuples
o, s = nd.contrib.foreach(lambda d, s: ((d[0] * 2,), (s[0],)), (nd.arange(3),), (nd.ones((1,)),))
out += [o, s]

## foreach/no-output
out += nd.contrib.foreach(lambda d, s: ([], s * 2), nd.arange(3), nd.ones((1,)))

## foreach/no-state
out += nd.contrib.foreach(lambda d, s: (d * 2, []), nd.arange(3), [])

## foreach/second-data-longer
o, s = nd.contrib.foreach(lambda d, s: (d[0], s), [nd.ones((2,)), nd.ones((3,))], nd.ones((1,)))
out += [o, s]

## foreach/second-data-shorter
nd.contrib.foreach(lambda d, s: (d[0], s), [nd.ones((3,)), nd.ones((2,))], nd.ones((1,)))

## foreach/data-is-no-array
nd.contrib.foreach(lambda d, s: (d, s), [1, 2], nd.ones((1,)))

## foreach/states-are-no-arrays
nd.contrib.foreach(lambda d, s: (d, s), nd.ones((2,)), 3)

## foreach/output-none
nd.contrib.foreach(lambda d, s: (None, s), nd.ones((2,)), nd.ones((1,)))

## foreach/output-number
nd.contrib.foreach(lambda d, s: (3, s), nd.ones((2,)), nd.ones((1,)))

## foreach/no-pair
nd.contrib.foreach(lambda d, s: d, nd.ones((2,)), nd.ones((1,)))

## foreach/three
nd.contrib.foreach(lambda d, s: (d, s, s), nd.ones((2,)), nd.ones((1,)))

## foreach/shapes-change
def body(d, s):
    return s, nd.concat(s, s, dim=0)
nd.contrib.foreach(body, nd.ones((2,)), nd.ones((1,)))[0].asnumpy()

## foreach/gradient
x, s, k = nd.arange(6).reshape((3, 2)), nd.ones((2,)), nd.array([2, 3])
for a in (x, s, k):
    a.attach_grad()
with autograd.record():
    o, last = nd.contrib.foreach(lambda d, s: (d * s * k, s * 2), x, s)
    loss = o.sum() + last.sum()
loss.backward()
out += [o, last, x.grad, s.grad, k.grad]

## foreach/rnn-cell
cell = gluon.rnn.LSTMCell(3, input_size=2)
cell.initialize(mx.init.One())
x = nd.arange(12).reshape((3, 2, 2)) / 12
o, s = nd.contrib.foreach(cell, x, cell.begin_state(2))
out += [o, s]
""")

_WHILE = snippets("""
## while/lists
o, v = nd.contrib.while_loop(lambda i, s: i <= 5, lambda i, s: ([i + s], [i + 1, s + i]),
                             (nd.array([0]), nd.array([1])), max_iterations=10)
out += [o[0][:6], o[0].shape, v]

## while/single
o, v = nd.contrib.while_loop(lambda i: i < 3, lambda i: (i * 2, i + 1), nd.array([0]), 5)
out += [o[:3], o.shape, v]

## while/list-of-one
o, v = nd.contrib.while_loop(lambda i: i < 3, lambda i: (i * 2, i + 1), [nd.array([0])], 3)
out += [o, v]

## while/no-output
for nothing in ([], None):
    o, v = nd.contrib.while_loop(lambda i: i < 3, lambda i: (nothing, [i + 1]), [nd.array([0])], 9)
    out += [o, v]

## while/limit
for limit in (0, -1, 2, 2.7, "2"):
    o, v = nd.contrib.while_loop(lambda i: i < 9, lambda i: ([i], [i + 1]), [nd.array([0])], limit)
    out += [o, v]

## while/never
out += nd.contrib.while_loop(lambda i: i > 9, lambda i: ([i], [i + 1]), [nd.array([0])], 3)

## while/never-tuple
out += nd.contrib.while_loop(lambda i: i > 9, lambda i: (i, i + 1), (nd.array([0]),), 3)

## while/plain-condition
for answer in (True, 1, 0, "x", ""):
    o, v = nd.contrib.while_loop(lambda i: answer, lambda i: ([i], [i + 1]), [nd.array([0])], 2)
    out += [o, v]

## while/nested
o, v = nd.contrib.while_loop(lambda i, s: i < 2, lambda i, s: ([[i], s[0]], [i + 1, [s[0] * 2]]),
                             [nd.array([0]), [nd.array([1])]], max_iterations=2)
out += [o, v]

## while/no-limit
nd.contrib.while_loop(lambda i: i < 2, lambda i: (i, i + 1), nd.array([0]))

## while/limit-is-text
nd.contrib.while_loop(lambda i: i < 2, lambda i: (i, i + 1), nd.array([0]), "many")

## while/no-variables
nd.contrib.while_loop(lambda i: i < 2, lambda i: (i, i + 1), [], 3)

## while/condition-of-two
nd.contrib.while_loop(lambda i: nd.ones((2,)), lambda i: (i, i + 1), nd.array([0]), 3)

## while/fewer-variables
nd.contrib.while_loop(lambda i, s: i < 2, lambda i, s: (i, [i]), [nd.array([0]), nd.array([0])], 3)

## while/variables-none
nd.contrib.while_loop(lambda i: i < 2, lambda i: (i, None), [nd.array([0])], 3)

## while/output-number
nd.contrib.while_loop(lambda i: i < 2, lambda i: (3, [i]), [nd.array([0])], 3)

## while/no-pair
nd.contrib.while_loop(lambda i: i < 2, lambda i: i, [nd.array([0])], 3)

## while/variables-are-no-arrays
nd.contrib.while_loop(lambda i: i < 2, lambda i: (i, i), 3, 3)

## while/gradient
i, s, k = nd.array([1]), nd.ones((2,)), nd.array([2, 3])
for a in (i, s, k):
    a.attach_grad()
with autograd.record():
    o, v = nd.contrib.while_loop(lambda i, s: i < 4, lambda i, s: (i * s * k[0], [i + 1, s * i]),
                                 [i, s], max_iterations=6)
    loss = (o[:3] * o[:3]).sum() + v[1].sum()
loss.backward()
out += [i.grad, s.grad, k.grad]
""")

_COND = snippets("""
## cond/both
a, b = nd.array([1, 2]), nd.array([3])
for p in (nd.array([1]), nd.array([0]), nd.array([[2]]), 1, False, "x", lambda: 0):
    out.append(nd.contrib.cond(p, lambda: a, lambda: b))

## cond/whatever-comes
for make in (lambda: [nd.array([1]), [nd.array([2])]], lambda: 3, lambda: None, lambda: []):
    out.append(nd.contrib.cond(nd.array([1]), make, lambda: nd.array([3])))

## cond/two-elements
nd.contrib.cond(nd.ones((2,)), lambda: nd.array([1]), lambda: nd.array([3]))

## cond/gradient
k = nd.array([2, 3])
k.attach_grad()
for p in (1, 0):
    with autograd.record():
        o = nd.contrib.cond(nd.array([p]), lambda: k * k, lambda: k * 5)
    o.backward()
    out += [o, k.grad.copy()]
""")

CASES = _FOREACH + _WHILE + _COND
