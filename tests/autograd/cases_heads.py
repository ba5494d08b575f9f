"""`backward`: heads, head gradients, kept and freed graphs."""

from __future__ import annotations

from tests.snippets import snippets

_X = "x = nd.array([1, 2, 3])\nx.attach_grad()\n"

_HEADS = snippets(
    """
## head/non-scalar-is-ones
with autograd.record():
    y = x * x
y.backward()
out.append(x.grad)

## head/given
with autograd.record():
    y = x * x
y.backward(nd.array([1, 10, 100]))
out.append(x.grad)

## head/keyword
with autograd.record():
    y = x * x
y.backward(out_grad=nd.array([1, 10, 100]))
out.append(x.grad)

## head/scalar-sum
with autograd.record():
    y = (x * x).sum()
y.backward()
out.append(x.grad)

## head/scaled
with autograd.record():
    y = (x * x).sum()
y.backward(nd.array([0.5]))
out.append(x.grad)

## head/of-leaf
x.grad[:] = 5
x.backward()
out.append(x.grad)

## head/leaf-plus-zero
with autograd.record():
    y = x + 0
y.backward()
out.append(x.grad)

## head/outside-record
y = x * 2
y.backward()

## head/after-scope
with autograd.record():
    y = x * x
z = y * 2
y.backward()
out.append(x.grad)

## head/backward-inside-record
with autograd.record():
    y = x * x
    y.backward()
out.append(x.grad)

## head/second-backward
with autograd.record():
    y = x * x
y.backward()
y.backward()

## head/retain-graph
with autograd.record():
    y = x * x
y.backward(retain_graph=True)
out.append(x.grad.copy())
y.backward()
out.append(x.grad)

## head/third-after-retain
with autograd.record():
    y = x * x
y.backward(retain_graph=True)
y.backward()
y.backward()

## head/shared-graph-freed
with autograd.record():
    h = x * x
    y, z = h * 2, h * 3
y.backward()
z.backward()

## head/shared-graph-retained
with autograd.record():
    h = x * x
    y, z = h * 2, h * 3
y.backward(retain_graph=True)
z.backward()
out.append(x.grad)

## head/independent-graphs
with autograd.record():
    y = x * 2
    z = x * x
y.backward()
out.append(x.grad.copy())
z.backward()
out.append(x.grad)

## head/several
with autograd.record():
    y, z = x * 2, x * x
autograd.backward([y, z])
out.append(x.grad)

## head/several-with-grads
with autograd.record():
    y, z = x * 2, x * x
autograd.backward([y, z], [nd.array([1, 1, 1]), nd.array([0, 1, 10])])
out.append(x.grad)

## head/several-none-grad
with autograd.record():
    y, z = x * 2, x * x
autograd.backward([y, z], [None, nd.array([0, 1, 10])])
out.append(x.grad)

## head/single-not-in-list
with autograd.record():
    y = x * x
autograd.backward(y)
out.append(x.grad)

## head/lengths-differ
with autograd.record():
    y = x * x
autograd.backward([y], [None, None])

## head/same-twice
with autograd.record():
    y = x * x
autograd.backward([y, y])
out.append(x.grad)

## head/intermediate-and-final
with autograd.record():
    y = x * 2
    z = y * y
autograd.backward([y, z])
out.append(x.grad)

## head/sum-builtin
with autograd.record():
    l = sum([(x * k) for k in (1, 2, 3)])
l.backward()
out.append(x.grad)

## head/graph-grown-twice
with autograd.record():
    y = x * 2
with autograd.record():
    z = y * y
z.backward()
out.append(x.grad)

## head/python-control-flow
with autograd.record():
    y = x * 2
    while y.norm().asscalar() < 100:
        y = y * 2
    z = y if y.sum().asscalar() > 0 else 100 * y
z.backward()
out.append(x.grad)
""",
    before=_X,
) + snippets("""
## head/constant
with autograd.record():
    y = nd.ones((2,)) * 2
y.backward()

## head/retain-graph-add
x = nd.array([1, 2])
x.attach_grad('add')
with autograd.record():
    y = x * x
y.backward(retain_graph=True)
y.backward(retain_graph=True)
out.append(x.grad)

## head/loop-of-losses
w = nd.array([1, 2])
w.attach_grad('add')
with autograd.record():
    ls = [(w * k).sum() for k in (1, 2, 3)]
for l in ls:
    l.backward()
out.append(w.grad)

## head/gradient-of-another-shape
x = nd.array([[1, 2, 3], [4, 5, 6]])
x.attach_grad()
with autograd.record():
    y = x * 2
y.backward(nd.array([[1, 2], [3, 4], [5, 6]]))
out.append(x.grad.copy())
with autograd.record():
    z = x[0, 0] * 3
z.backward(nd.array([[[7]]]))
out.append(x.grad)

## head/two-contexts
a, b = nd.array([1, 2]), nd.array([3, 4], ctx=mx.cpu(1))
a.attach_grad()
b.attach_grad()
with autograd.record():
    l = [(a * a).sum(), (b * b).sum()]
autograd.backward(l)
out += [a.grad, b.grad, str(b.grad.context)]

## head/loop-over-time
w = nd.array([0.5])
w.attach_grad()
with autograd.record():
    h = nd.array([1])
    for _ in range(5):
        h = h * w + 1
h.backward()
out += [h, w.grad]
""")

CASES = _HEADS
