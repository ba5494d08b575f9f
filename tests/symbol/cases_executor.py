"""A symbol bound to arrays: forward, backward, and what both refuse."""

from __future__ import annotations

from tests.snippets import snippets

_BOUND = """
x, w = sym.var('x'), sym.var('w')
y = sym.FullyConnected(x, w, no_bias=True, num_hidden=3)
e = y.simple_bind(mx.cpu(), x=(2, 4))
e.arg_dict['x'][:] = nd.array([[1, 2, 3, 4], [5, 6, 7, 8]])
e.arg_dict['w'][:] = 2
ones = nd.ones((2, 3))
"""

CASES = snippets(
    """
## forward/arrays-and-names
out += e.forward()
out += [sorted(e.arg_dict), sorted(e.grad_dict), sorted(e.aux_dict), sorted(e.output_dict)]

## forward/new-values
out += e.forward(x=nd.ones((2, 4)))
out += [e.arg_dict['x'], e.arg_arrays[0]]

## forward/numpy
out += e.forward(x=onp.full((2, 4), 3.0))

## forward/wrong-shape
e.forward(x=nd.ones((1, 4)))

## forward/list
e.forward(x=[[1, 1, 1, 1], [2, 2, 2, 2]])

## forward/unknown-name
e.forward(z=nd.ones((2, 4)))

## backward/heads
e.forward(is_train=True)
e.backward(nd.array([[1, 2, 3], [4, 5, 6]]))
out += [e.grad_dict['w'], e.grad_dict['x']]

## backward/twice
e.forward(is_train=True)
e.backward(ones)
e.backward(ones * 2)
out.append(e.grad_dict['w'])

## backward/add
f = y.simple_bind(mx.cpu(), grad_req='add', x=(2, 4))
f.copy_params_from({'x': e.arg_dict['x'], 'w': e.arg_dict['w']})
for _ in range(2):
    f.forward(is_train=True)
    f.backward([ones])
out += [f.grad_dict['w'], f.grad_dict['x']]

## backward/null
f = y.simple_bind(mx.cpu(), grad_req={'x': 'null', 'w': 'write'}, x=(2, 4))
f.copy_params_from({'x': e.arg_dict['x'], 'w': e.arg_dict['w']})
f.forward(is_train=True)
f.backward(ones)
out += [f.grad_dict['w'], f.grad_dict['x']]

## backward/after-prediction
e.forward()
e.backward(ones)
out.append(e.grad_dict['w'])

## backward/loss-without-heads
s = sym.SoftmaxOutput(y, sym.var('label'))
f = s.simple_bind(mx.cpu(), x=(2, 4), label=(2,))
f.arg_dict['x'][:] = e.arg_dict['x']
f.arg_dict['w'][:] = 0.5
f.arg_dict['label'][:] = nd.array([0, 2])
out += f.forward(is_train=True)
f.backward()
out += [f.grad_dict['w'], f.grad_dict['x']]

## copy_params_from/unknown
e.copy_params_from({'q': nd.ones((1,))})

## copy_params_from/extra
e.copy_params_from({'q': nd.ones((1,)), 'w': nd.ones((3, 4))}, allow_extra_params=True)
out.append(e.arg_dict['w'])

## forward/variables-of-one-name
first, second = sym.var('k'), sym.var('k')
exe = sym.dot(sym.var('x'), sym.dot(first, second)).bind(
    mx.cpu(), {'x': nd.ones((1, 1)), 'k': nd.full((1, 1), 3)})
out += exe.forward()

## forward/variables-of-one-name-by-keyword
exe = (sym.var('k') * sym.var('k')).bind(mx.cpu(), {'k': nd.full((1, 1), 3)})
out += exe.forward(k=nd.ones((1, 1)))

## arguments-that-share-a-name
y = sym.tanh(sym.var('x')) * sym.sin(sym.var('x'))
exe = y.bind(mx.cpu(), {'x': ones}, {'x': nd.zeros((2, 3))})
out += exe.forward(is_train=True)
exe.backward(ones)
out += exe.grad_arrays
for run in (lambda: exe.arg_dict, lambda: exe.forward(x=ones)):
    try:
        run()
    except ValueError:
        out.append('ValueError')

## gradient-of-prelu-inside-a-graph
# xfail: MXNet's graphs write over the head gradient before they compute that of gamma
y = sym.LeakyReLU(sym.var('x') * 1, sym.var('g'), act_type='prelu')
exe = y.simple_bind(mx.cpu(), x=(2, 2), g=(2,))
exe.arg_dict['x'][:] = nd.array([[1, -2], [-3, 4]])
exe.arg_dict['g'][:] = 0.25
exe.forward(is_train=True)
exe.backward([nd.array([[1, 2], [3, 4]])])
out += [exe.outputs[0], exe.grad_dict]
""",
    before=_BOUND,
)
