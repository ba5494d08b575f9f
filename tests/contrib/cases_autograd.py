"""mx.contrib.autograd, the first interface."""

from __future__ import annotations

from tests.snippets import snippets

CASES = snippets(
    """
## grad-and-loss
A = mx.contrib.autograd
x, y = nd.array([1.0, 2.0]), nd.array([3.0, 5.0])
out += [A.grad_and_loss(lambda x: x * x)(x), A.grad(lambda x, y: x * y, argnum=0)(x, y)]
out += [A.grad_and_loss(lambda x, y: (x * y, x), argnum=[1, 0])(x, y)]

## no-array
mx.contrib.autograd.grad_and_loss(lambda x: x)(1)

## sections
A = mx.contrib.autograd
def state():
    return autograd.is_recording(), autograd.is_training()
x, g = nd.array([1.0, 2.0]), nd.zeros((2,))
A.mark_variables([x], [g])
with A.train_section():
    out.append(state())
    y = x * 2
    with A.test_section():
        out.append(state())
    out.append(state())
A.compute_gradient([y])
out += [g, state(), A.set_is_training(True), state(), A.set_is_training(False), state()]
"""
)
