"""Block.save and Block.load; CachedOp."""

from tests.cases import C

_NET = """
    import os
    import tempfile

    def make():
        net = nn.HybridSequential()
        net.add(nn.Dense(2, in_units=3), nn.Dense(3, in_units=2))
        outer = nn.Sequential()
        outer.add(net, nn.Dense(1, in_units=3))
        return outer
    prefix = os.path.join(tempfile.mkdtemp(), "m")
    net = make()
    net.initialize(mx.init.Xavier())
    x = nd.ones((1, 3))
"""

CASES = [
    C(
        "save/plain",
        _NET
        + """
    net.save(prefix)
    with open(prefix + "-model.json") as file:
        out.append(file.read())
    out.append(sorted(nd.load(prefix + "-model.params")))
    other = make()
    other.load(prefix)
    out += [other(x) == net(x)]
    """,
    ),
    C(
        "save/hybridized",
        _NET
        + """
    net.hybridize()
    net(x)
    net.save(prefix)
    with open(prefix + "-model.json") as file:
        out.append(file.read())
    other = make()
    other.load(prefix)
    out += [other[0]._active, other[1]._active, other[0][0]._active, other(x) == net(x)]
    """,
    ),
    C(
        "load/other-structure",
        _NET
        + """
    net.save(prefix)
    other = nn.Sequential()
    other.add(nn.Dense(2))
    other.load(prefix)
    """,
        raises="KeyError",
    ),
    C("load/no-file", "nn.Dense(2).load('/no/such/file')", raises="FileNotFoundError"),
    C(
        "cached-op",
        """
    s = sym.var("a") + sym.var("b") * 2
    op = nd.CachedOp(s)
    x = nd.array([1, 2])
    x.attach_grad()
    with autograd.record():
        y = op(x, nd.ones(2))
    y.backward()
    out += [y, x.grad, op.is_np_sym]
    target = nd.zeros(2)
    op(x, nd.ones(2), out=target)
    out += [target, nd.CachedOp(sym.Group([s, s + 1]), [("static_alloc", True)])(x, x)]
    """,
    ),
    C(
        "cached-op/missing",
        "nd.CachedOp(sym.var('a') + sym.var('b'))(nd.ones(2))",
        raises="MXNetError",
    ),
]
