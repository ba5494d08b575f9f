"""Gradients of gradients: what MXNet's operators give where they can be differentiated twice."""

from tests.cases import C

_TWICE = """
    def twice(f, values):
        x = nd.array(values)
        x.attach_grad()
        with autograd.record():
            y = f(x)
            y = autograd.grad(y, x, head_grads=nd.ones_like(y) * 3, create_graph=True)[0]
        y.backward(nd.ones_like(y) * 2)
        return [y, x.grad]
"""
_ANY = "[[0.1, 0.5, -0.3], [0.7, -0.2, 0.9]]"
_POSITIVE = "[[0.1, 0.5, 0.3], [0.7, 0.2, 0.9]]"
_OF_ANY = [
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
    "arcsinh",
    "arctanh",
    "sigmoid",
    "relu",
    "square",
    "exp",
    "expm1",
    "abs",
]
_OF_POSITIVE = ["log", "log2", "log10", "log1p", "sqrt", "rsqrt", "rcbrt"]

CASES = [
    *(C(f"twice/{n}", _TWICE + f"    out += twice(nd.{n}, {_ANY})\n") for n in _OF_ANY),
    *(C(f"twice/{n}", _TWICE + f"    out += twice(nd.{n}, {_POSITIVE})\n") for n in _OF_POSITIVE),
    C("twice/arccosh", _TWICE + f"    out += twice(lambda x: nd.arccosh(x + 2), {_ANY})\n"),
    C(
        "twice/nothing-left",
        _TWICE
        + f"""
    out += twice(lambda x: nd.clip(x, 0, 0.6), {_ANY})
    out += twice(lambda x: nd.make_loss(x), {_ANY})
    out += twice(lambda x: nd.FullyConnected(x, nd.ones((2, 3)), nd.ones(2), num_hidden=2), {_ANY})
    """,
    ),
    C(
        "twice/weights",
        """
    x, w = nd.array([[1, 2]]), nd.array([[1, 2], [3, 4]])
    x.attach_grad()
    w.attach_grad()
    with autograd.record():
        y = nd.FullyConnected(x, w, no_bias=True, num_hidden=2)
        g = autograd.grad(y, [w], create_graph=True)[0]
        z = g.sum()
    z.backward()
    out += [g, x.grad, w.grad]
    """,
    ),
]
