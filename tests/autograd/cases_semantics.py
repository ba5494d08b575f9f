"""Gradient buffers, `grad_req`, and what detaching and attaching do."""

from __future__ import annotations

from tests.snippets import snippets

_X = "x = nd.array([1, 2, 3])\nx.attach_grad()\n"

_BUFFERS = snippets(
    """
## grad/zeros-before-backward
out.append(x.grad)

## grad/not-identical-object
out.append(x.grad is x.grad)

## grad/buffer-view-sees-next
g = x.grad[0]
with autograd.record():
    y = x * x
y.backward()
out.append(g.copy())
with autograd.record():
    y = x * 5
y.backward()
out.append(g)

## grad/buffer-handle-sees-next
g = x.grad
with autograd.record():
    y = x * x
y.backward()
out.append(g)

## grad/buffer-slice-view
g = x.grad[1:]
with autograd.record():
    y = x * x
y.backward()
out.append(g)

## grad/buffer-reshape-view
g = x.grad.reshape((3, 1))
with autograd.record():
    y = x * x
y.backward()
out.append(g)

## grad/copy-does-not-see
g = x.grad.copy()
with autograd.record():
    y = x * x
y.backward()
out.append(g)

## grad/write-to-buffer
x.grad[:] = 7
out.append(x.grad.copy())
x.grad[0] = 1
out.append(x.grad)

## grad/iadd-on-buffer
with autograd.record():
    y = x * x
y.backward()
g = x.grad
g += 1
out.append(x.grad)

## grad/clip-in-place
with autograd.record():
    y = x * x
y.backward()
x.grad[:] = nd.clip(x.grad, -3, 3)
out.append(x.grad)

## grad/assignment-refused
x.grad = nd.ones((3,))

## grad/of-view
out.append(x[0:2].grad is None)

## grad/of-result
with autograd.record():
    y = x * 2
out.append(y.grad is None)

## req/write-overwrites
for k in (2, 5):
    with autograd.record():
        y = x * k
    y.backward()
    out.append(x.grad.copy())

## req/change-by-reattach
with autograd.record():
    y = x * 2
y.backward()
x.attach_grad('add')
out.append(x.grad.copy())
with autograd.record():
    y = x * 3
y.backward()
out.append(x.grad)

## req/write-used-twice
with autograd.record():
    y = x * 2 + x * x
y.backward()
out.append(x.grad)

## leaf/reattach-new-buffer
g = x.grad
x.attach_grad()
with autograd.record():
    y = x * 2
y.backward()
out += [g, x.grad]

## leaf/iadd-outside
x += 1
with autograd.record():
    y = x * x
y.backward()
out += [x, x.grad]

## leaf/setitem-outside-keeps-grad
x[:] = 5
out.append(x.grad is None)
with autograd.record():
    y = x * x
y.backward()
out.append(x.grad)

## leaf/rebinding-loses-grad
x = x + 1
out.append(x.grad is None)

## leaf/detached-copy
y = x.detach()
out.append(y.grad is None)
with autograd.record():
    z = x.detach() * x
z.backward()
out.append(x.grad)

## leaf/copy-is-not-attached
out.append(x.copy().grad is None)

## zero_grad/by-hand
with autograd.record():
    y = x * 2
y.backward()
x.grad[:] = 0
out.append(x.grad)
""",
    before=_X,
) + snippets("""
## grad/none-without-attach
x = nd.array([1])
out.append(x.grad is None)

## grad/dtype-shape
x = nd.zeros((2, 3), dtype='float64')
x.attach_grad()
out.append(x.grad)

## grad/int-array
# xfail: torch has no gradients of whole numbers; backward says so
x = nd.array([1, 2], dtype='int32')
x.attach_grad()
with autograd.record():
    y = x * 3
y.backward()
out.append(x.grad)

## req/add-accumulates
x = nd.array([1, 2])
x.attach_grad(grad_req='add')
for k in (2, 5):
    with autograd.record():
        y = x * k
    y.backward()
    out.append(x.grad.copy())

## req/add-zeroed-by-hand
x = nd.array([1, 2])
x.attach_grad('add')
for k in (2, 5):
    x.grad[:] = 0
    with autograd.record():
        y = x * k
    y.backward()
    out.append(x.grad.copy())

## req/add-view-sees-sum
x = nd.array([1, 2])
x.attach_grad('add')
g = x.grad[1:]
for k in (2, 5):
    with autograd.record():
        y = x * k
    y.backward()
out.append(g)

## req/null-backward
x, w = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad('null')
w.attach_grad()
with autograd.record():
    y = x * w
y.backward()
out += [w.grad, x.grad is None]

## req/null-buffer
x, w = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
w.attach_grad()
x.attach_grad('null')
out.append(x.grad)
x.grad[:] = 3
out.append(x.grad)
with autograd.record():
    y = x * w
y.backward()
out.append(x.grad is None)
autograd.mark_variables(x, nd.array([5, 6]), 'null')
out.append(x.grad)
x.attach_grad()
x.attach_grad('null', stype='row_sparse')
out.append(x.grad)

## req/null-only-leaf
x = nd.array([1, 2])
x.attach_grad('null')
with autograd.record():
    y = x * 2
y.backward()
out.append(y)

## leaf/unreached-keeps-old
x, w = nd.array([1]), nd.array([2])
x.attach_grad()
w.attach_grad()
with autograd.record():
    y = x * w
y.backward()
with autograd.record():
    z = x * 10
z.backward()
out += [x.grad, w.grad]

## leaf/unreached-in-same-record
x, w = nd.array([1]), nd.array([2])
x.attach_grad()
w.attach_grad()
with autograd.record():
    y = x * 2
    z = w * 3
w.grad[:] = 9
y.backward()
out += [x.grad, w.grad]

## leaf/sgd-loop
w = nd.array([1.0, -2.0])
w.attach_grad()
for _ in range(3):
    with autograd.record():
        l = (w * w).sum()
    l.backward()
    w -= 0.1 * w.grad
out += [w, w.grad]

## leaf/sgd-loop-setitem
w = nd.array([1.0, -2.0])
w.attach_grad()
for _ in range(3):
    with autograd.record():
        l = (w * w).sum()
    l.backward()
    w[:] = w - 0.1 * w.grad
out += [w, w.grad]
""")

_DETACH = snippets(
    """
## detach/cuts
with autograd.record():
    y = x * 2
    z = y.detach() * x
z.backward()
out.append(x.grad)

## detach/only-path
with autograd.record():
    y = (x * 2).detach()
    z = y * 3
z.backward()

## detach/outside-then-use
with autograd.record():
    y = x * 2
u = y.detach()
with autograd.record():
    z = u * x
z.backward()
out.append(x.grad)

## detach/BlockGrad
with autograd.record():
    z = nd.BlockGrad(x * 2) * x
z.backward()
out.append(x.grad)

## detach/stop_gradient
with autograd.record():
    z = nd.stop_gradient(x * 2) * x
z.backward()
out.append(x.grad)

## detach/all-blocked
x.grad[:] = 5
with autograd.record():
    z = nd.BlockGrad(x)
z.backward()
out.append(x.grad)

## attach/intermediate-detaches
with autograd.record():
    y = x * 2
    y.attach_grad()
    z = y * y
z.backward()
out += [y.grad, x.grad]

## attach/intermediate-outside
with autograd.record():
    y = x * 2
y.attach_grad()
with autograd.record():
    z = y * y
z.backward()
out += [y.grad, x.grad]

## attach/intermediate-then-backward-old
with autograd.record():
    y = x * 2
y.attach_grad()
y.backward()
out += [x.grad, y.grad]
""",
    before=_X,
) + snippets("""
## attach/view-is-own-leaf
x = nd.array([1, 2, 3])
v = x[1:]
v.attach_grad()
with autograd.record():
    y = v * v
y.backward()
out += [v.grad, x.grad is None]

## attach/inside-record
x = nd.array([1, 2])
with autograd.record():
    x.attach_grad()
    y = x * x
y.backward()
out.append(x.grad)

## attach/stype-default
x = nd.array([1, 2])
x.attach_grad(stype='default')
out.append(x.grad)

## mark/variables
x, g = nd.array([1, 2]), nd.zeros((2,))
autograd.mark_variables([x], [g])
with autograd.record():
    y = x * x
y.backward()
out += [g, x.grad]

## mark/reqs
x, w = nd.array([1]), nd.array([2])
g, h = nd.array([100]), nd.array([100])
autograd.mark_variables([x, w], [g, h], ['add', 'write'])
with autograd.record():
    y = x * w
y.backward()
out += [g, h]

## mark/one-req
x, g = nd.array([1]), nd.array([100])
autograd.mark_variables([x], [g], 'add')
with autograd.record():
    y = x * 2
y.backward()
out.append(g)

## mark/single
x, g = nd.array([1]), nd.array([100])
autograd.mark_variables(x, g)
with autograd.record():
    y = x * 2
y.backward()
out.append(g)

## mark/shared-buffer
x, w, g = nd.array([1]), nd.array([2]), nd.zeros((1,))
autograd.mark_variables([x], [g])
with autograd.record():
    y = x * w
y.backward()
h = g[:]
with autograd.record():
    y = x * w * w
y.backward()
out += [g, h]
""")

CASES = _BUFFERS + _DETACH
