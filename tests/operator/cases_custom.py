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


_CALLS = snippets(
    """
## custom/plain
y = nd.Custom(x, op_type="seen")
out += [y, type(y).__name__, seen]

## custom/keywords-are-texts
nd.Custom(x, op_type="seen", a=1, b=2.5, c=True, d=None, e=(1, 2), f=[1, 2], g="s", h={"k": 1}).wait_to_read()
out += seen[0]

## custom/recorded
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, op_type="seen")
y.backward()
out += [y, x.grad, seen[1:]]

## custom/head-gradient
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, op_type="seen")
    z = y * y
z.backward(nd.ones((2, 3)) * 3)
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
out += [a, b, x.grad, seen]

## custom/one-of-two-outputs
x.attach_grad()
with autograd.record():
    a, b = nd.Custom(x, op_type="seen", extra=1)
b.backward()
out += [x.grad, seen[-1]]

## custom/state
s = nd.zeros((2,))
y = nd.Custom(x, s, op_type="seen", state=1)
out += [y, s, seen]

## custom/state-recorded
s = nd.zeros((2,))
x.attach_grad()
with autograd.record():
    y = nd.Custom(x, s, op_type="seen", state=1)
y.backward()
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
out += [x.grad, seen[2][:3]]

## custom/predict-mode
with autograd.train_mode():
    nd.Custom(x, op_type="seen").wait_to_read()
with autograd.predict_mode():
    nd.Custom(x, op_type="seen").wait_to_read()
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
out += [x.grad, seen[-1][2]]

## custom/int32
out.append(nd.Custom(x.astype("int32"), op_type="seen"))

## custom/float64
d = x.astype("float64")
d.attach_grad()
with autograd.record():
    y = nd.Custom(d, op_type="seen")
y.backward()
out += [y, d.grad, seen[1]]

## custom/float16
out.append(nd.Custom(x.astype("float16"), op_type="seen"))

## custom/other-context
y = nd.Custom(x.as_in_context(mx.cpu(1)), op_type="seen")
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
out += [s.tojson(), s.attr_dict()]

## symbol/by-keyword
d, l = mx.sym.var("d"), mx.sym.var("l")
for s in (mx.sym.Custom(data=d, label=l, op_type="seen", label_="x", **{"label": l}) if 0 else
          mx.sym.Custom(data=d, op_type="seen", name="a"),
          mx.sym.Custom(d, op_type="seen"), mx.sym.Custom(op_type="seen")):
    out += [s.list_arguments(), s.list_outputs()]

## symbol/infer-shape
s = mx.sym.Custom(mx.sym.var("data"), op_type="seen", label=1, extra=1, state=1, name="c")
out += [s.infer_shape(data=(2, 3)), s.infer_shape(data=(4,))]

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
out += [first, second, e.grad_dict, e.aux_dict, [s[0] for s in seen if s[0] == "create"]]
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
block = gluon.SymbolBlock(mx.sym.Custom(mx.sym.var("data"), op_type="seen", name="c"), mx.sym.var("data"))
out += [block(x)]
""",
    before=_SEEN,
)

_PROGRAMS = snippets("""
## program/softmax-loss
class Softmax(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        x = in_data[0].asnumpy()
        y = onp.exp(x - x.max(axis=1).reshape((x.shape[0], 1)))
        y /= y.sum(axis=1).reshape((x.shape[0], 1))
        self.assign(out_data[0], req[0], mx.nd.array(y))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        l = in_data[1].asnumpy().ravel().astype(int)
        y = out_data[0].asnumpy()
        y[onp.arange(l.shape[0]), l] -= 1.0
        self.assign(in_grad[0], req[0], mx.nd.array(y))

@mx.operator.register("case_softmax")
class SoftmaxProp(mx.operator.CustomOpProp):
    def __init__(self):
        super(SoftmaxProp, self).__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "label"]

    def list_outputs(self):
        return ["output"]

    def infer_shape(self, in_shape):
        data_shape = in_shape[0]
        label_shape = (in_shape[0][0],)
        return [data_shape, label_shape], [data_shape], []

    def infer_type(self, in_type):
        return in_type, [in_type[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return Softmax()

data = mx.sym.Variable("data")
net = mx.sym.FullyConnected(data, num_hidden=3, name="fc")
net = mx.sym.Custom(data=net, name="softmax", op_type="case_softmax")
e = net.simple_bind(mx.cpu(), data=(4, 5))
e.arg_dict["fc_weight"][:] = nd.array(onp.linspace(-1, 1, 15).reshape(3, 5))
values, labels = onp.linspace(0, 1, 20).reshape(4, 5), onp.array([0, 1, 2, 1])
for _ in range(5):
    e.forward(is_train=True, data=nd.array(values), softmax_label=nd.array(labels))
    e.backward()
    e.arg_dict["fc_weight"][:] -= 0.5 * e.grad_dict["fc_weight"]
out += [net.list_arguments(), e.outputs, e.arg_dict["fc_weight"], e.grad_dict]

## program/focal-loss-in-gluon
class Focal(mx.operator.CustomOp):
    def __init__(self, gamma, alpha):
        super(Focal, self).__init__()
        self.gamma, self.alpha = gamma, alpha

    def forward(self, is_train, req, in_data, out_data, aux):
        p = mx.nd.sigmoid(in_data[0])
        self.assign(out_data[0], req[0], p)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        p, label = out_data[0], in_data[1]
        pt = mx.nd.where(label > 0, p, 1 - p)
        sign = mx.nd.where(label > 0, -mx.nd.ones_like(p), mx.nd.ones_like(p))
        grad = sign * self.alpha * (1 - pt) ** self.gamma * (1 - pt + self.gamma * pt * -mx.nd.log(pt))
        self.assign(in_grad[0], req[0], grad)
        self.assign(in_grad[1], req[1], 0)

@mx.operator.register("case_focal")
class FocalProp(mx.operator.CustomOpProp):
    def __init__(self, gamma=2.0, alpha="0.25"):
        super(FocalProp, self).__init__(need_top_grad=False)
        self._gamma, self._alpha = float(gamma), float(alpha)

    def list_arguments(self):
        return ["data", "labels"]

    def infer_shape(self, in_shape):
        return [in_shape[0], in_shape[0]], [in_shape[0]]

    def create_operator(self, ctx, shapes, dtypes):
        return Focal(self._gamma, self._alpha)

    def declare_backward_dependency(self, out_grad, in_data, out_data):
        return [in_data[0], in_data[1], out_data[0]]

class Net(gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix="net_")
        with self.name_scope():
            self.fc = nn.Dense(3, in_units=4)
    def hybrid_forward(self, F, x, y):
        return F.Custom(self.fc(x), y, op_type="case_focal", gamma=1.5)

net = Net()
net.initialize(mx.init.Xavier())
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
x = nd.array(onp.linspace(-1, 1, 8).reshape(2, 4))
y = nd.array([[1, 0, 0], [0, 1, 1]])
for step in range(4):
    if step == 2:
        net.hybridize()
    with autograd.record():
        p = net(x, y)
    p.backward()
    trainer.step(2)
    out += [p]
out += [net.fc.weight.data()]

## program/proposal-target
class Target(mx.operator.CustomOp):
    def __init__(self, classes, rois):
        super().__init__()
        self.classes, self.rois = classes, rois

    def forward(self, is_train, req, in_data, out_data, aux):
        boxes, truth = in_data[0].asnumpy(), in_data[1].asnumpy()
        keep = onp.argsort(-boxes[:, 1])[: self.rois]
        label = (truth[0, keep % truth.shape[1], 0]).astype(int)
        weights = onp.zeros((self.rois, 4 * self.classes))
        for i, l in enumerate(label):
            weights[i, 4 * l : 4 * l + 4] = 1
        for i, value in enumerate([boxes[keep], label, weights]):
            self.assign(out_data[i], req[i], value)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], 0)
        self.assign(in_grad[1], req[1], 0)

@mx.operator.register("case_target")
class TargetProp(mx.operator.CustomOpProp):
    def __init__(self, num_classes, batch_rois):
        super().__init__(need_top_grad=False)
        self.classes, self.rois = int(num_classes), int(batch_rois)
    def list_arguments(self):
        return ["rois", "gt_boxes"]
    def list_outputs(self):
        return ["rois_output", "label", "bbox_weight"]
    def infer_shape(self, in_shape):
        n = self.rois
        return in_shape, [(n, in_shape[0][1]), (n,), (n, 4 * self.classes)]
    def create_operator(self, ctx, shapes, dtypes):
        return Target(self.classes, self.rois)

rois, gt = mx.sym.var("rois"), mx.sym.var("gt_boxes")
group = mx.sym.Custom(rois=rois, gt_boxes=gt, op_type="case_target", name="t", num_classes=3, batch_rois=4)
net = mx.sym.Group([mx.sym.FullyConnected(group[0], num_hidden=2, name="fc"), mx.sym.BlockGrad(group[1])])
out += [group.list_outputs(), net.infer_shape(rois=(6, 5), gt_boxes=(1, 2, 5))]
e = net.simple_bind(mx.cpu(), rois=(6, 5), gt_boxes=(1, 2, 5))
e.arg_dict["fc_weight"][:] = 0.5
r = nd.array(onp.arange(30).reshape(6, 5) % 7)
g = nd.array(onp.arange(10).reshape(1, 2, 5) % 3)
e.forward(is_train=True, rois=r, gt_boxes=g)
e.backward([nd.ones((4, 2)), nd.ones((4,))])
out += [e.outputs, e.grad_dict, nd.Custom(r, g, op_type="case_target", num_classes=3, batch_rois=4)]

## program/autograd-inside
class Cube(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        x = in_data[0].copy()
        x.attach_grad()
        with autograd.record():
            self.y = x * x * x
        self.x = x
        self.assign(out_data[0], req[0], self.y)
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.y.backward(out_grad[0])
        self.assign(in_grad[0], req[0], self.x.grad)

@mx.operator.register("case_cube")
class CubeProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, shapes, dtypes):
        return Cube()

x = nd.array([1, 2, 3])
x.attach_grad()
with autograd.record():
    y = nd.Custom(x * 2, op_type="case_cube") * 5
y.backward()
out += [y, x.grad]

## program/moving-average-in-state
class Average(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        if is_train:
            aux[0][:] = 0.9 * aux[0] + 0.1 * in_data[0].mean(axis=0)
        self.assign(out_data[0], req[0], mx.nd.broadcast_sub(in_data[0], aux[0].reshape((1, -1))))
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0])
        self.assign(aux[0], "add", 100)

@mx.operator.register("case_average")
class AverageProp(mx.operator.CustomOpProp):
    def list_auxiliary_states(self):
        return ["moving"]
    def infer_shape(self, in_shape):
        return in_shape, [in_shape[0]], [(in_shape[0][1],)]
    def create_operator(self, ctx, shapes, dtypes):
        return Average()

s = mx.sym.Custom(mx.sym.var("data"), op_type="case_average", name="a")
e = s.simple_bind(mx.cpu(), data=(2, 3))
for train in (True, False, True):
    e.forward(is_train=train, data=nd.array([[1, 2, 3], [3, 4, 5]]))
    out += [e.outputs[0].copy(), e.aux_dict["a_moving"].copy()]
e.backward([nd.ones((2, 3))])
out += [e.aux_dict, e.grad_dict]

## program/other-dtype-out
class Rank(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], mx.nd.argsort(in_data[0], axis=0))
        self.assign(out_data[1], req[1], in_data[0].astype("float64"))
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[1].astype("float32"))

@mx.operator.register("case_rank")
class RankProp(mx.operator.CustomOpProp):
    def list_outputs(self):
        return ["rank", "copy"]
    def infer_type(self, in_type):
        return in_type, [onp.int32, onp.float64], []
    def create_operator(self, ctx, shapes, dtypes):
        return Rank()

x = nd.array([3, 1, 2])
x.attach_grad()
with autograd.record():
    rank, copy = nd.Custom(x, op_type="case_rank")
copy.backward()
out += [rank, copy, x.grad]
s = mx.sym.Custom(mx.sym.var("data"), op_type="case_rank", name="r")
out += [str(s.infer_type(data="float32")), [o.dtype.__name__ for o in s.eval(data=x)]]

## program/no-inputs
class Const(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], nd.arange(3))

@mx.operator.register("case_same")
class SameProp(mx.operator.CustomOpProp):
    def __init__(self, shape="(3,)"):
        super().__init__()
        self.shape = tuple(int(n) for n in shape.strip("()").split(",") if n)
    def infer_shape(self, in_shape):
        return in_shape, [self.shape], []
    def create_operator(self, ctx, shapes, dtypes):
        return Const()

out += [nd.Custom(nd.ones((7, 2)), op_type="case_same"), nd.Custom(nd.ones((1,)), op_type="case_same", shape=(1, 3))]

## program/assign
op = mx.operator.CustomOp()
x = nd.ones((2,))
for req in ("null", "write", "inplace", "add", "other"):
    op.assign(x, req, nd.array([2, 3]))
    out += [x.copy()]
op.assign(x, "write", 5)
out += [x.copy()]
op.assign(x, "write", onp.array([[1, 2]]))
out += [x.copy()]
op.assign(x, "add", 2)
out += [x.copy(), op.forward(1, 2, 3, 4, 5), op.backward(1, 2, 3, 4, 5, 6)]

## program/assign-adds-numpy
mx.operator.CustomOp().assign(nd.ones((2,)), "add", onp.array([1, 2]))

## program/prop-defaults
p = mx.operator.CustomOpProp()
f = onp.float32
out += [p.need_top_grad_, p.infer_shape([[2, 3], [4]]), p.list_arguments(), p.list_outputs()]
out += [p.list_auxiliary_states(), p.declare_backward_dependency([1], [2, 3], [4])]
out += [mx.operator.CustomOpProp(False).declare_backward_dependency([1], [2, 3], [4])]
out += [type(p.create_operator(None, None, None)).__name__, p.infer_storage_type(["default"])]
out += [p.infer_type([f, f])[1][0] is f, len(p.infer_type([f, f])[2])]
out += [p.infer_storage_type_backward(["default"], ["default", "csr"], ["default"], ["default"], [])]

## program/prop-sparse
mx.operator.CustomOpProp().infer_storage_type(["default", "csr"])

## program/operator-arguments
a = mx.operator.get_operator_arguments("Convolution")
out += [type(a).__name__, a.narg, a.names]
out += ["Convolution" in mx.operator.get_all_registered_operators()]

## program/operator-arguments-unknown
mx.operator.get_operator_arguments("NoSuchOperator")
""")

_OLDER = snippets("""
## older/numpy-op
import warnings
warnings.simplefilter("ignore")

class Softmax(mx.operator.NumpyOp):
    def __init__(self):
        super().__init__(False)
    def list_arguments(self):
        return ["data", "label"]
    def list_outputs(self):
        return ["output"]
    def infer_shape(self, in_shape):
        return [in_shape[0], [in_shape[0][0]]], [in_shape[0]]
    def forward(self, in_data, out_data):
        x, y = in_data[0], out_data[0]
        y[:] = onp.exp(x - x.max(axis=1).reshape((x.shape[0], 1)))
        y /= y.sum(axis=1).reshape((x.shape[0], 1))
    def backward(self, out_grad, in_data, out_data, in_grad):
        l = in_data[1].astype(int)
        in_grad[0][:] = out_data[0]
        in_grad[0][onp.arange(l.shape[0]), l] -= 1.0

op = Softmax()
s = op(data=mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc"), name="softmax")
out += [s.list_arguments(), s.list_outputs(), s.infer_shape(data=(2, 4)), op.need_top_grad()]
e = s.simple_bind(mx.cpu(), data=(2, 4))
e.arg_dict["fc_weight"][:] = nd.array(onp.linspace(-1, 1, 12).reshape(3, 4))
e.forward(is_train=True, data=nd.array(onp.arange(8).reshape(2, 4) / 8), softmax_label=nd.array([0, 2]))
e.backward()
out += [e.outputs, e.grad_dict["fc_weight"], type(op.info_).__name__ != "NoneType"]

## older/ndarray-op
import warnings
warnings.simplefilter("ignore")

class Double(mx.operator.NDArrayOp):
    def forward(self, in_data, out_data):
        out_data[0][:] = in_data[0] * 2
    def backward(self, out_grad, in_data, out_data, in_grad):
        in_grad[0][:] = out_grad[0] * 2 + in_data[0]

op = Double()
s = op.get_symbol(mx.sym.var("q"), name="z")
e = s.simple_bind(mx.cpu(), q=(2, 2))
e.forward(is_train=True, q=nd.array([[1, 2], [3, 4]]))
e.backward([nd.ones((2, 2)) * 10])
out += [s.list_arguments(), s.list_outputs(), e.outputs, e.grad_dict]
out += [Double()(mx.sym.var("q")).list_outputs(), Double()(name="n").list_arguments()]
out += [op.declare_backward_dependency([1], [2], [3]), op.list_outputs(), op.infer_shape([[1, 2]])]

## older/defaults
import warnings
warnings.simplefilter("ignore")
op = mx.operator.NumpyOp(True)
a, b = onp.ones(2), onp.zeros(2)
op.forward([a], [b])
out += [b, op.list_arguments(), op.list_outputs(), op.need_top_grad_, op.info_]
op.backward([a], [a], [a], [b])
out += [b, op.infer_shape([[3]])]

## older/base-has-no-symbol
import warnings
warnings.simplefilter("ignore")
mx.operator.PythonOp().get_symbol()
""")

CASES = [*_CALLS, *_PROGRAMS, *_OLDER]
