"""Arrays of a graph that backward has freed: they count as numbers from then on."""

from __future__ import annotations

from tests.snippets import snippets

_SETUP = """x, w = nd.array([1, 2]), nd.array([3, 4])
x.attach_grad()
w.attach_grad()
"""

CASES = snippets(
    """
## value
with autograd.record():
    y = x * x
    z = y.sum()
z.backward()
x.grad[:] = 0
with autograd.record():
    u = (y * w).sum()
u.backward()
out += [x.grad, w.grad]

## value-alone
with autograd.record():
    y = x * x
y.backward()
with autograd.record():
    u = y * 3
u.backward()

## head-in-the-same-record
with autograd.record():
    z = (x * x).sum()
    z.backward()
    u = (z * w).sum()
u.backward()
out += [x.grad, w.grad]

## through-a-method-and-an-index
with autograd.record():
    h = x * w
h.backward()
x.grad[:] = 0
with autograd.record():
    u = (h.reshape((1, 2)) * w + h[0] * w[1]).sum()
u.backward()
out += [x.grad, w.grad]

## after-grad
with autograd.record():
    y = x * x
    z = y.sum()
autograd.grad(z, [x])
with autograd.record():
    u = (y * w).sum()
u.backward()
out += [x.grad, w.grad]

## retained
with autograd.record():
    y = x * x
    z = y.sum()
z.backward(retain_graph=True)
x.grad[:] = 0
with autograd.record():
    u = (y * w).sum()
u.backward()
out += [x.grad, w.grad]

## a-graph-beside-it-goes-on
with autograd.record():
    y, v = x * x, x * 2
y.backward()
x.grad[:] = 0
with autograd.record():
    u = (v * w).sum()
u.backward()
out += [x.grad, w.grad]

## written-while-recording
with autograd.record():
    y = x * x
y.backward()
with autograd.record():
    y += 1
    y[0] = 7
out.append(y)

## attached
with autograd.record():
    y = x * x
y.backward()
y.attach_grad()
with autograd.record():
    u = y * w
u.backward()
out += [y.grad, w.grad]

## state-of-scratch-rnn
state = nd.zeros((2,))
for i in range(4):
    state.detach()
    with autograd.record():
        state = nd.tanh(w * state / 8 + x * i / 8)
        loss = (state * state).sum()
    loss.backward()
    out += [loss, x.grad.copy(), w.grad.copy()]

## state-of-layers
for hybrid in (False, True):
    layer = gluon.rnn.LSTM(3)
    cell = gluon.rnn.GRUCell(3)
    dense = nn.Dense(2, flatten=False)
    for block in (layer, cell, dense):
        block.initialize()
        block.hybridize(hybrid)
    states, last = layer.begin_state(2), cell.begin_state(2)
    data = nd.arange(12).reshape((3, 2, 2)) / 10
    for i in range(3):
        with autograd.record():
            y, states = layer(data, states)
            h, last = cell(y[i], last)
            loss = dense(h).sum() + dense(y).sum()
        loss.backward()
        out += [loss, layer.l0_i2h_weight.grad().copy(), cell.h2h_weight.grad().copy()]

## another-thread
import threading
def work():
    with autograd.record():
        y = x * x
    y.backward()
    with autograd.record():
        u = (y * w).sum()
    u.backward()
thread = threading.Thread(target=work)
thread.start()
thread.join()
out += [x.grad, w.grad]
""",
    _SETUP,
)
