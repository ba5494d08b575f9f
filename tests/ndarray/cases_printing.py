"""repr() and str() of arrays and contexts."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

_REPR = """
nd.array([1, 2, 3])
nd.array([1.5, -2.25])
nd.array([[1, 2], [3, 4]])
nd.array([1])
nd.array(5)
nd.array([[1]])
nd.array([1]).sum()
nd.zeros((2, 3, 4))
nd.arange(3, dtype='int32')
nd.arange(3, dtype='int64')
nd.arange(3, dtype='uint8')
nd.arange(3, dtype='float64')
nd.arange(3, dtype='float16')
nd.array([0, 1]).astype('bool')
nd.ones((2,), ctx=mx.cpu(1))
nd.ones((2,), ctx=mx.cpu(3))
nd.array([1e-8, 1, 1e8])
nd.array([1e10, 2e10])
nd.array([0.1, 0.12345678])
nd.array([float('nan'), float('inf'), -float('inf')])
nd.array([-0.0, 0.0])
nd.arange(1000)
nd.arange(1001)
nd.arange(2000)
nd.zeros((50, 50))
nd.arange(30).reshape((2, 15))
nd.arange(40) / 3
nd.array([[1.5, 1e5], [2, 3]])
nd.array([1, 2])[0]
nd.array([1, 2]) > 1
nd.zeros((1, 1, 1, 1))
nd.array([])
nd.arange(6).reshape((2, 3)).T
nd.arange(6).reshape((2, 3))[:, 1]
"""

_OTHER = snippets("""
## str-is-repr
x = nd.arange(3)
out.append(str(x) == repr(x))

## print
import io, contextlib
b = io.StringIO()
with contextlib.redirect_stdout(b):
    print(nd.arange(3), nd.ones((2, 2)))
out.append(b.getvalue())

## format
out += ['{}'.format(nd.arange(3)), '%s' % nd.arange(3), f'{nd.arange(2)}']

## in-list
out.append(repr([nd.arange(2), 3]))

## in-dict
out.append(repr({'a': nd.arange(2)}))

## in-tuple
out.append(str((nd.arange(2),)))

## grad
x = nd.arange(3)
x.attach_grad()
out.append(repr(x.grad))

## recorded
x = nd.arange(3)
x.attach_grad()
with autograd.record():
    y = x * 2
out.append(repr(y))

## inside-record
x = nd.arange(3)
x.attach_grad()
with autograd.record():
    y = x * 2
    out.append(repr(y))

## printoptions
onp.set_printoptions(precision=3)
r = repr(nd.array([0.123456]))
onp.set_printoptions(precision=8)
out.append(r)

## after-write
x = nd.zeros((2,))
x[1] = 5
out.append(repr(x))
""")

CASES = [
    C("repr/" + line, f"out.append(repr({line}))") for line in _REPR.splitlines() if line
] + _OTHER
