"""In-place writes to arrays of a graph, inside and outside `record()`."""

from __future__ import annotations

from tests.snippets import snippets

_INPLACE = snippets("""
## inplace/iadd-on-leaf
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    x += 1
    y = x * x
y.backward()
out.append(x.grad)

## inplace/iadd-on-used-leaf
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
    x += 1

## inplace/iadd-on-result
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
    y += 1

## inplace/imul-on-result
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
    y *= 2

## inplace/iadd-on-constant
x, c = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
with autograd.record():
    c += 1
    y = x * c
y.backward()
out.append(x.grad)

## inplace/iadd-graph-into-constant
x, c = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
with autograd.record():
    c += x
    y = c * c
y.backward()
out.append(x.grad)

## inplace/setitem-leaf
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    x[:] = 5

## inplace/setitem-result
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
    y[0] = 5

## inplace/setitem-result-whole
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
    y[:] = 5

## inplace/setitem-constant
x, c = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
with autograd.record():
    c[0] = 9
    y = x * c
y.backward()
out.append(x.grad)

## inplace/setitem-graph-into-constant
x, c = nd.array([1, 2]), nd.zeros((2, 2))
x.attach_grad()
with autograd.record():
    c[0] = x
    y = c * c
y.backward()
out.append(x.grad)

## inplace/setitem-used-constant
x, c = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
with autograd.record():
    y = x * c
    c[0] = 9
y.backward()
out.append(x.grad)

## inplace/constant-in-place
x, c = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
with autograd.record():
    y = x * c
    c += 1

## inplace/constant-of-a-loop
x, c = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
with autograd.record():
    total = 0
    for i in range(3):
        c[:] = i
        total = total + x * c

## inplace/constant-after-backward
x, c = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
for i in range(3):
    with autograd.record():
        c[:] = i
        y = x * c
    y.backward()
    out.append(x.grad.copy())

## inplace/constant-retained
x, c = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
with autograd.record():
    y = x * c
y.backward(retain_graph=True)
with autograd.record():
    c *= 2

## inplace/constant-paused-or-detached
x, c, e = nd.array([1, 2]), nd.array([3, 4]), nd.array([5, 6])
x.attach_grad()
with autograd.record():
    y = x * c * e
    with autograd.pause():
        c += 1
    d = e.detach()
    d += 1
y.backward()
out += [x.grad, c, e]

## inplace/constant-index
x, i = nd.array([1, 2]), nd.array([0, 1])
x.attach_grad()
with autograd.record():
    y = nd.take(x, i)
    i[:] = 1

## inplace/constant-of-a-constant
x, c = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
with autograd.record():
    d = c * 2
    y = x * d
    c += 1
y.backward()
out += [x.grad, c]

## inplace/constant-hybridized
net = nn.Dense(2, in_units=3)
net.initialize()
net.hybridize()
c = nd.ones((1, 3))
with autograd.record():
    y = net(c)
    nd.ones((1, 3)).copyto(c)

## inplace/leaf-outside-before-backward
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
x += 10
y.backward()
out += [x.grad, y]

## inplace/leaf-setitem-outside-before-backward
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
x[:] = 7
y.backward()
out.append(x.grad)

## inplace/result-outside-before-backward
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = nd.exp(x)
    z = y * y
y += 10
z.backward()
out += [x.grad, y]

## inplace/constant-outside-before-backward
x, c = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
with autograd.record():
    y = x * c
c[:] = 100
y.backward()
out.append(x.grad)

## inplace/view-of-leaf-outside
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
x[0:1][:] = 50
y.backward()
out.append(x.grad)

## inplace/out-argument-recorded
x, y = nd.array([1, 2]), nd.zeros((2,))
x.attach_grad()
with autograd.record():
    nd.exp(x, out=y)
y.backward()
out.append(x.grad)

## inplace/grad-as-weight
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x * x
y.backward()
with autograd.record():
    z = x * x.grad
z.backward()
out.append(x.grad)

## inplace/two-graphs-update-between
w = nd.array([1.0])
w.attach_grad('add')
ls = []
for k in (1, 2):
    with autograd.record():
        l = w * w * k
    l.backward()
    w -= 0.1 * w.grad
out += [w, w.grad]

## inplace/out-is-an-input
x, c = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
with autograd.record():
    nd.elemwise_mul(c, x, out=c)

## inplace/setitem-picked-elements-of-constant
x, c = nd.array([[1, 2], [3, 4]]), nd.ones((2, 2))
x.attach_grad()
with autograd.record():
    c[[0, 1], [1, 0]] = x[[0, 1], [0, 1]]

## inplace/setitem-of-a-view
x, c = nd.array([1, 2]), nd.ones((2, 2))
x.attach_grad()
with autograd.record():
    v = c[0]
    v[:] = x
    y = (c * x).sum()
y.backward()
out += [c, y, x.grad]

## backward/twice-through-a-sum
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x.sum()
y.backward()
y.backward()
""")

CASES = _INPLACE
