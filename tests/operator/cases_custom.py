"""`mx.operator.CustomOp` and its kin: on arrays, in symbols, in blocks."""

from __future__ import annotations

from tests.snippets import snippets

# An operator that says what it is called with; what the cases below share.
_SEEN = """
seen = []

class Seen(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        seen.append(["forward", is_train, list(req), [a.shape for a in in_data],
                     [a.shape for a in out_data], [a.shape for a in aux], str(type(in_data))[-6:],
                     autograd.is_recording(), autograd.is_training()])
        for i, out in enumerate(out_data):
            self.assign(out, req[i], in_data[0] * (i + 2))
        for state in aux:
            state[:] += 1

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        seen.append(["backward", [g.asnumpy() for g in out_grad], [a.asnumpy() for a in in_data],
                     [a.asnumpy() for a in out_data], [a.shape for a in in_grad],
                     [a.asnumpy() for a in aux], autograd.is_recording()])
        for i, gradient in enumerate(in_grad):
            self.assign(gradient, req[i], sum(out_grad[1:], out_grad[0]) * (i + 10))

@mx.operator.register("seen")
class SeenProp(mx.operator.CustomOpProp):
    def __init__(self, label="0", extra="0", state="0", **rest):
        super().__init__(need_top_grad=True)
        self.label, self.extra, self.state = int(label), int(extra), int(state)
        seen.append(["prop", sorted(rest.items())])

    def list_arguments(self):
        return ["data", "label"][: 1 + self.label]

    def list_outputs(self):
        return ["output", "extra"][: 1 + self.extra]

    def list_auxiliary_states(self):
        return ["state"][: self.state]

    def infer_shape(self, in_shape):
        one = in_shape[0]
        return [one] * (1 + self.label), [one] * (1 + self.extra), [[2]] * self.state

    def create_operator(self, ctx, shapes, dtypes):
        seen.append(["create", str(ctx), shapes, dtypes])
        return Seen()

x = nd.array([[1, 2, 3], [4, 5, 6]])
"""


CASES = snippets(
    """
## custom/plain
y = nd.Custom(x, op_type="seen")
nd.waitall()
out += [y, type(y).__name__, seen]

## custom/keywords-are-texts
more = dict(a=1, b=2.5, c=True, d=None, e=(1, 2), f=[1, 2], g="s", h={"k": 1})
nd.Custom(x, op_type="seen", **more).wait_to_read()
nd.waitall()
out += seen[0]

## custom/recorded
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, op_type="seen")
y.backward()
nd.waitall()
out += [y, x.grad, seen[1:]]

## custom/head-gradient
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, op_type="seen")
    z = y * y
z.backward(nd.ones((2, 3)) * 3)
nd.waitall()
out += [x.grad, seen[-1]]

## custom/add
x.attach_grad("add")
for _ in range(2):
    with autograd.record():
        y = nd.Custom(x, op_type="seen")
    y.backward()
out.append(x.grad)

## custom/used-twice
x.attach_grad()
with autograd.record():
    y = nd.Custom(nd.Custom(x, op_type="seen"), op_type="seen") + x
y.backward()
out += [y, x.grad]

## custom/two-inputs
l = nd.ones((2, 3))
x.attach_grad()
l.attach_grad()
with autograd.record():
    y = nd.Custom(x, l, op_type="seen", label=1)
y.backward()
nd.waitall()
out += [y, x.grad, l.grad, seen]

## custom/second-input-without-gradient
l = nd.ones((2, 3))
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, l, op_type="seen", label=1)
y.backward()
out += [y, x.grad, l.grad]

## custom/two-outputs
x.attach_grad()
with autograd.record():
    a, b = nd.Custom(x, op_type="seen", extra=1)
autograd.backward([a, b], [nd.ones((2, 3)), nd.ones((2, 3)) * 100])
nd.waitall()
out += [a, b, x.grad, seen]

## custom/one-of-two-outputs
x.attach_grad()
with autograd.record():
    a, b = nd.Custom(x, op_type="seen", extra=1)
b.backward()
nd.waitall()
out += [x.grad, seen[-1]]

## custom/state
s = nd.zeros((2,))
y = nd.Custom(x, s, op_type="seen", state=1)
nd.waitall()
out += [y, s, seen]

## custom/state-recorded
s = nd.zeros((2,))
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, s, op_type="seen", state=1)
y.backward()
nd.waitall()
out += [x.grad, s, seen]

## custom/out
y = nd.zeros((2, 3))
z = nd.Custom(x, op_type="seen", out=y)
out += [y, z is y]

## custom/name
out.append(nd.Custom(x, op_type="seen", name="anything"))

## custom/train-mode-off
x.attach_grad()
with autograd.record(train_mode=False):
    y = nd.Custom(x, op_type="seen")
y.backward()
nd.waitall()
out += [x.grad, seen[2][:3]]

## custom/predict-mode
with autograd.train_mode():
    nd.Custom(x, op_type="seen").wait_to_read()
with autograd.predict_mode():
    nd.Custom(x, op_type="seen").wait_to_read()
nd.waitall()
out += [s[1] for s in seen if s[0] == "forward"]

## custom/retained
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, op_type="seen")
y.backward(retain_graph=True)
first = x.grad.copy()
y.backward()
out += [first, x.grad]

## custom/backward-twice
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, op_type="seen")
y.backward()
y.backward()

## custom/nothing-to-differentiate
with autograd.record():
    y = nd.Custom(x, op_type="seen")
y.backward()

## custom/writes-before-backward
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, op_type="seen")
x += 10
y.backward()
nd.waitall()
out += [x.grad, seen[-1][2]]

## custom/int32
out.append(nd.Custom(x.astype("int32"), op_type="seen"))

## custom/float64
d = x.astype("float64")
d.attach_grad()
with autograd.record():
    y = nd.Custom(d, op_type="seen")
y.backward()
nd.waitall()
out += [y, d.grad, seen[1]]

## custom/float16
out.append(nd.Custom(x.astype("float16"), op_type="seen"))

## custom/other-context
y = nd.Custom(x.as_in_context(mx.cpu(1)), op_type="seen")
nd.waitall()
out += [y, str(y.context), seen[1][1]]

## custom/detached-output
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, op_type="seen")
    z = y.detach() * x
z.backward()
out += [x.grad]

## custom/too-many
nd.Custom(x, x, op_type="seen").wait_to_read()

## custom/too-few
nd.Custom(x, op_type="seen", label=1).wait_to_read()

## custom/no-array
nd.Custom(op_type="seen").wait_to_read()

## custom/not-an-array
nd.Custom(onp.ones((2, 3)), op_type="seen")

## custom/unknown-type
nd.Custom(x, op_type="never-registered")

## custom/no-type
nd.Custom(x)

## custom/registered-again
class Other(SeenProp):
    def create_operator(self, ctx, shapes, dtypes):
        class Op(mx.operator.CustomOp):
            def forward(self, is_train, req, in_data, out_data, aux):
                self.assign(out_data[0], req[0], in_data[0] - 1)
        return Op()

before = nd.Custom(x, op_type="seen")
out += [before, mx.operator.register("seen")(Other) is Other, nd.Custom(x, op_type="seen")]

## symbol/lists
s = mx.sym.Custom(mx.sym.var("data"), op_type="seen", label=1, extra=1, state=1, name="c", k=(1, 2))
out += [s.list_arguments(), s.list_outputs(), s.list_auxiliary_states(), s.name, len(s)]
out += [s.tojson(), sorted(s.attr_dict()["c_label"].items()), sorted(s.attr_dict())]

## symbol/by-keyword
d, l = mx.sym.var("d"), mx.sym.var("l")
for s in (mx.sym.Custom(data=d, label=l, op_type="seen", label_="x", **{"label": l}) if 0 else
          mx.sym.Custom(data=d, op_type="seen", name="a"),
          mx.sym.Custom(d, op_type="seen"), mx.sym.Custom(op_type="seen")):
    out += [s.list_arguments(), s.list_outputs()]

## symbol/infer-shape
s = mx.sym.Custom(mx.sym.var("data"), op_type="seen", label=1, extra=1, state=1, name="c")
out += [s.infer_shape(data=(2, 3)), s.infer_shape(data=(4,))]

## symbol/types
class Mixed(SeenProp):
    def infer_type(self, in_type):
        return [in_type[0], onp.int32], [in_type[0]], []
mx.operator.register("mixed")(Mixed)
s = mx.sym.Custom(mx.sym.var("data"), op_type="mixed", label=1, name="c")
out += [s.infer_shape(data=(2, 3))]
out += [[t.__name__ for t in part] for part in s.infer_type(data="float16")]
e = s.simple_bind(mx.cpu(), data=(2, 3), type_dict={"data": "float32"})
out += [e.arg_dict[n].dtype.__name__ for n in sorted(e.arg_dict)]

## symbol/behind-a-layer
d = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc")
s = mx.sym.Custom(d, op_type="seen", label=1, name="c")
out += [s.list_arguments(), s.infer_shape(data=(2, 3))]

## symbol/internals
s = mx.sym.Custom(mx.sym.var("data"), op_type="seen", extra=1, name="c")
t = s[0] + s[1]
out += [t.get_internals().list_outputs(), t.infer_shape(data=(2, 2)), s[1].list_outputs()]

## symbol/json-again
s = mx.sym.Custom(mx.sym.var("data"), op_type="seen", label=1, state=1, name="c")
t = mx.sym.load_json(s.tojson())
out += [t.list_arguments(), t.list_auxiliary_states(), t.tojson() == s.tojson()]

## symbol/attributes
s = mx.sym.Custom(mx.sym.var("data"), op_type="seen", name="c", attr={"lr_mult": "2", "foo": "bar"})
nd.waitall()
out += [s.tojson(), seen]

## symbol/scope
with mx.AttrScope(ctx_group="dev1"):
    s = mx.sym.Custom(mx.sym.var("data"), op_type="seen", label=1, name="c")
out += [s.tojson()]

## symbol/unknown-keyword
mx.sym.Custom(wrong=mx.sym.var("data"), op_type="seen")

## symbol/too-many
d = mx.sym.var("data")
mx.sym.Custom(d, d, d, op_type="seen")

## symbol/unknown-type
mx.sym.Custom(mx.sym.var("data"), op_type="never-registered")

## symbol/no-type
mx.sym.Custom(mx.sym.var("data"))

## executor/simple-bind
s = mx.sym.Custom(mx.sym.var("data"), op_type="seen", label=1, extra=1, state=1, name="c")
e = s.simple_bind(mx.cpu(), data=(2, 3))
e.arg_dict["data"][:] = x
first = [o.copy() for o in e.forward(is_train=False)]
second = e.forward(is_train=True)
e.backward([nd.ones((2, 3)), nd.ones((2, 3)) * 3])
nd.waitall()
out += [first, second, e.grad_dict, e.aux_dict, [s[0] for s in seen if s[0] == "create"]]
nd.waitall()
out += [s for s in seen if s[0] in ("forward", "backward")]

## executor/bind
s = mx.sym.Custom(mx.sym.var("data"), op_type="seen", label=1, name="c")
g = nd.ones((2, 3))
e = s.bind(mx.cpu(), {"data": x, "c_label": x}, {"data": g}, {"data": "add", "c_label": "null"})
e.forward(is_train=True)
e.backward([nd.ones((2, 3))])
out += [e.outputs, g, e.grad_arrays]

## executor/one-operator
s = mx.sym.Custom(mx.sym.var("data"), op_type="seen", name="c")
e = s.bind(mx.cpu(), {"data": x}, {"data": nd.zeros((2, 3))})
for _ in range(3):
    e.forward(is_train=True)
    e.backward([nd.ones((2, 3))])
nd.waitall()
out += [[s[0] for s in seen]]

## executor/loss-without-head
class Loss(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0])
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_data[0] - 1)

@mx.operator.register("headless")
class LossProp(mx.operator.CustomOpProp):
    def __init__(self):
        super().__init__(need_top_grad=False)
    def create_operator(self, ctx, shapes, dtypes):
        return Loss()

e = mx.sym.Custom(mx.sym.var("data"), op_type="headless").simple_bind(mx.cpu(), data=(2, 3))
e.forward(is_train=True, data=x)
e.backward()
out += [e.outputs, e.grad_dict]

## executor/one-output-used
s = mx.sym.Custom(mx.sym.var("data"), op_type="seen", extra=1, name="c")
e = mx.sym.Group([s[1], mx.sym.BlockGrad(s[0])]).simple_bind(mx.cpu(), data=(2, 3))
e.forward(is_train=True, data=x)
e.backward([nd.ones((2, 3)), nd.ones((2, 3)) * 3])
nd.waitall()
out += [e.outputs, e.grad_dict, seen[-1]]

## block/plain-and-hybrid
class Net(gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix="net_")
        with self.name_scope():
            self.fc = nn.Dense(2, in_units=3)
    def hybrid_forward(self, F, x):
        return F.Custom(self.fc(x), op_type="seen", name="cu") + 1

net = Net()
net.initialize(mx.init.One())
x.attach_grad()
for _ in range(2):
    with autograd.record():
        y = net(x)
    y.backward()
    out += [y, x.grad, net.fc.weight.grad()]
    net.hybridize()
out += [net(x), net(nd.ones((5, 3)))]

## block/deferred
class Net(gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix="net_")
        with self.name_scope():
            self.fc = nn.Dense(2)
            self.top = nn.Dense(1)
    def hybrid_forward(self, F, x):
        return self.top(F.Custom(self.fc(x), op_type="seen"))

for hybrid in (False, True):
    net = Net()
    net.initialize(mx.init.One())
    if hybrid:
        net.hybridize()
    out += [net(x), net.top.weight.shape]

## block/state-as-parameter
class Net(gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix="net_")
        with self.name_scope():
            self.count = self.params.get("count", shape=(2,), init="zeros", grad_req="null")
    def hybrid_forward(self, F, x, count):
        return F.Custom(x, count, op_type="seen", state=1)

for hybrid in (False, True):
    net = Net()
    net.initialize()
    if hybrid:
        net.hybridize()
    for _ in range(3):
        net(x).wait_to_read()
    out += [net.count.data()]

## block/two-outputs
class Net(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        a, b = F.Custom(x, op_type="seen", extra=1)
        return a * b, a

net = Net()
plain = net(x)
net.hybridize()
out += [plain, net(x)]

## block/exported-graph
class Net(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.Custom(x, op_type="seen", label=1)

net = Net(prefix="net_")
net.hybridize()
data = mx.sym.var("data")
block = gluon.SymbolBlock(mx.sym.Custom(data, op_type="seen", name="c"), data)
out += [block(x)]
""",
    before=_SEEN,
)
