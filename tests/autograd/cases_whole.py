"""Gradients through whole numbers, which casts hand on in MXNet."""

from tests.snippets import snippets

_LINES = """
x.astype("int32").astype("float32") * 3
x.astype("int32").astype("float32") * 1.75
nd.cast(nd.cast(x, "uint8"), "float64") * 2.5
x.astype("int32").astype("int8").astype("float16")
nd.cast(x, "int32")
x.astype("int64").astype("float32") + x
nd.amp_cast(x.astype("int32"), dtype="float16").astype("float32")
(x > 0).astype("int32").astype("float32") * x
x.astype("bool").astype("float32") * x
nd.cast(nd.cast(x, "int32"), "float32").reshape((3, 1)).sum()
"""

CASES = snippets(
    "".join(
        f"""
## whole/{line}
with autograd.record():
    y = {line}
y.backward()
out += [y, x.grad]
"""
        for line in _LINES.strip().splitlines()
    ),
    "x = nd.array([1.5, -2.5, 3])\nx.attach_grad()\n",
) + snippets("""
## whole/leaf
x = nd.array([1, 2, 3], dtype="int32")
x.attach_grad()
for _ in range(2):
    with autograd.record():
        y = x.astype("float32") * 3.5
    y.backward()
    out += [y, x.grad.copy()]

## whole/leaf-added
x = nd.array([1, 2, 3], dtype="uint8")
x.attach_grad("add")
for _ in range(2):
    with autograd.record():
        y = nd.cast(x, "float32") * 3.5
    y.backward()
    out += [y, x.grad.copy()]

## whole/leaf-written
x = nd.array([1, 2, 3], dtype="int32")
x.attach_grad()
x[:] = 5
with autograd.record():
    y = x.astype("float32") ** 2
y.backward()
out += [y, x.grad]

## whole/head
x = nd.array([1.5, -2.5, 3])
x.attach_grad()
with autograd.record():
    y = (x * 2).astype("int32")
y.backward(nd.array([3, 4, 5], dtype="int32"))
out += [y, x.grad]

## whole/paused
x = nd.array([1.5, -2.5, 3])
x.attach_grad()
with autograd.record():
    y = x.astype("int32")
    with autograd.pause():
        z = y.astype("float32")
    u = x * z
u.backward()
out += [u, x.grad]

## whole/freed
x = nd.array([1.5, -2.5, 3])
x.attach_grad()
with autograd.record():
    y = x.astype("int32")
    z = y.astype("float32") * 2
z.backward()
with autograd.record():
    u = y.astype("float32") * x
u.backward()
out += [u, x.grad]

## whole/grad
x = nd.array([1, 2, 3], dtype="int32")
x.attach_grad()
with autograd.record():
    y = x.astype("float32") * 3.5
out += autograd.grad(y, [x])

## whole/symbol
x = mx.sym.var("x")
y = mx.sym.cast(mx.sym.cast(x, "int32"), "float32") * 1.75
arguments = {"x": nd.array([1.5, 2.5])}
executor = y.bind(mx.cpu(), arguments, args_grad={"x": nd.zeros(2)})
out += executor.forward(is_train=True)
executor.backward([nd.array([1.0, 2.0])])
out.append(executor.grad_dict["x"])

## whole/hybridized
class Net(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.cast(F.cast(x * 1.5, "int32"), "float32") * 2
net = Net()
for _ in range(2):
    x = nd.array([1.5, -2.5, 3])
    x.attach_grad()
    with autograd.record():
        y = net(x)
    y.backward()
    out += [y, x.grad]
    net.hybridize()
""")

_ZERO = """
np.equal(x, y)
x != y
x > 1
x <= y
np.argmax(x, axis=1)
np.argmin(x)
np.argsort(x)
np.isnan(x)
np.isfinite(x)
np.logical_not(x)
np.any(x)
np.all(x, axis=0)
(np.argmax(x, axis=1) == y[0]).astype("float32").mean()
(x > 1).astype("float32") * x
"""
CASES += snippets(
    "".join(
        f"""
## tests/{line}
with autograd.record():
    z = {line}
z.backward()
out += [z, x.grad]
"""
        for line in _ZERO.strip().splitlines()
    )
    + """
## tests/shape_array
x = mx.nd.array([1, 2])
x.attach_grad()
x.grad[:] = 5
for f in (mx.nd.shape_array, mx.nd.size_array):
    with autograd.record():
        z = f(x)
    z.backward()
    out += [z, x.grad.copy()]
    x.grad[:] = 5
""",
    "from mxnet import np, npx\nnpx.set_np()\nx = np.array([[1.0, 2.0], [3.0, 1.0]])\n"
    "y = np.array([[1.0, 0.0], [2.0, 1.0]])\nx.attach_grad()\nx.grad[:] = 5\n",
)
