"""Gradients of `mx.np.random` by array parameters, out=, and what does not fit."""

from tests.snippets import snippets

_HEAD = """
mx.npx.set_np()
np, npx = mx.np, mx.npx
mx.random.seed(4)
a, b = np.array([[0.5, 1.0, 4.0]]), np.array([[0.25], [2.0]])
a.attach_grad()
b.attach_grad()
"""

CASES = snippets(
    r"""
## grad/normal
with autograd.record():
    y = np.random.normal(a, b) * np.arange(6).reshape(2, 3)
y.backward()
out += [y, a.grad, b.grad]

## grad/normal-size
with autograd.record():
    y = np.random.normal(a, 2.0, size=(4, 2, 3))
y.backward()
out += [y, a.grad]

## grad/normal-scale
with autograd.record():
    y = np.random.normal(0.5, b, size=(2, 3))
y.backward()
out += [y, b.grad]

## grad/logistic
with autograd.record():
    y = np.random.logistic(a, b)
y.backward()
out += [y, a.grad, b.grad]

## grad/gumbel
with autograd.record():
    y = np.random.gumbel(a, b)
y.backward()
out += [y, a.grad, b.grad]

## grad/exponential
with autograd.record():
    y = np.random.exponential(a, size=(4, 3))
y.backward()
out += [y, a.grad]

## grad/rayleigh
with autograd.record():
    y = np.random.rayleigh(a)
y.backward()
out += [y, a.grad]

## grad/weibull
with autograd.record():
    y = np.random.weibull(a)
y.backward()
out += [y, a.grad]

## grad/pareto
with autograd.record():
    y = np.random.pareto(a)
y.backward()
out += [y, a.grad]

## grad/lognormal
with autograd.record():
    y = np.random.lognormal(a, 0.5)
y.backward()
out += [y, a.grad]

## grad/multivariate_normal [exact]
out += [np.random.multivariate_normal(np.zeros(2), np.eye(2), 3).shape]
out += [np.random.multivariate_normal(np.zeros((3, 2)), np.eye(2)).shape]

## out/uniform
y = np.zeros((2, 3))
z = np.random.uniform(0, 1, size=(2, 3), out=y)
out += [y, z]

## out/normal
y = np.zeros((2, 3))
np.random.normal(0, 1, size=(2, 3), out=y)
out.append(y)

## out/randint
y = np.zeros((5,), dtype="int64")
np.random.randint(0, 9, size=(5,), out=y)
out.append(y)

## fit/uniform-shapes
np.random.uniform(np.zeros(3), np.ones(2))

## fit/normal-size
np.random.normal(np.zeros(3), 1, size=(2,))

## fit/negative-scale
np.random.normal(0, -1, size=(2,))

## fit/negative-gamma
np.random.gamma(-1.0, 1.0, (2,))

## fit/bernoulli-both
npx.random.bernoulli(0.1, 0.2)

## traced/draws
class Draw(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x + F.np.random.normal(0, 1, (3,)), F.np.random.uniform(x, 5.0), F.npx.dropout(x)
block = Draw()
x = np.array([1.0, 2.0, 3.0])
for _ in range(2):
    mx.random.seed(7)
    with autograd.record():
        out += list(block(x))
    block.hybridize()

## symbols/draws
s = mx.sym.var("x").as_np_ndarray()
y = mx.sym.np.random.normal(s, 1.0) + mx.sym.np.random.uniform(0, 1, (2,))
out += [y.tojson(), y.eval(x=np.array([1.0, 2.0]))[0].as_np_ndarray()]
""",
    before=_HEAD,
)
